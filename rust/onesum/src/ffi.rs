//! The library's functions. SPDX-License-Identifier: MIT

use crate::gso::Packet;
use crate::lists::{Buffer, Writable};
use crate::packet::Found;
use crate::{Checksum, State};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ImplementationInfo {
    pub name: *const u8,
    pub needs: *const u8,
    pub supported: i32,
    pub active: i32,
}

#[repr(C)]
pub struct PacketOptions {
    pub flags: u32,
    pub fill_protocols: u32,
    pub fill_verdicts: u32,
    pub zero_udp6_ports: *const u16,
    pub zero_udp6_port_count: usize,
}

// A C string is a pointer to bytes here, and an int an i32: core has no names for them before Rust 1.64.
extern "C" {
    pub fn onesum_partial(data: *const u8, size: usize, sum: u32) -> u32;
    pub fn onesum_copy(dst: *mut u8, src: *const u8, size: usize, sum: u32) -> u32;
    pub fn onesum_update(state: *mut State, data: *const u8, size: usize);
    pub fn onesum_partial_iov(list: *const Buffer, count: usize, offset: usize, size: usize, sum: u32) -> u32;
    pub fn onesum_copy_iov(
        dst: *const Writable,
        dst_count: usize,
        dst_offset: usize,
        src: *const Buffer,
        src_count: usize,
        src_offset: usize,
        size: usize,
        sum: u32,
    ) -> u32;
    pub fn onesum_segments(
        dst: *mut u8,
        stride: usize,
        room: usize,
        payload: *const u8,
        size: usize,
        segment_size: usize,
        sums: *mut u32,
    ) -> usize;
    pub fn onesum_batch(list: *const Buffer, count: usize, sums: *const u32, checks: *mut Checksum);
    pub fn onesum_ipv4_headers(
        headers: *const u8,
        stride: usize,
        count: usize,
        results: *mut Checksum,
    ) -> usize;
    pub fn onesum_ipv4_headers_fill(headers: *mut u8, stride: usize, count: usize);
    pub fn onesum_implementation() -> *const u8;
    pub fn onesum_implementations(list: *mut ImplementationInfo, capacity: usize) -> usize;
    pub fn onesum_select(name: *const u8) -> i32;
    pub fn onesum_forced_status() -> i32;
    pub fn onesum_selftest() -> *const u8;
    pub fn onesum_version() -> *const u8;

    pub fn onesum_gso(packet: *const Packet, dst: *mut u8, stride: usize) -> usize;
    pub fn onesum_packet_link_known(start: u32) -> i32;
    pub fn onesum_packet_check(
        packet: *const u8,
        size: usize,
        start: u32,
        options: *const PacketOptions,
        results: *mut Found,
        capacity: usize,
    ) -> usize;
    pub fn onesum_packet_fill(
        packet: *mut u8,
        size: usize,
        start: u32,
        options: *const PacketOptions,
        results: *mut Found,
        capacity: usize,
    ) -> usize;
    pub fn onesum_packet_check_iov(
        list: *const Buffer,
        count: usize,
        start: u32,
        options: *const PacketOptions,
        results: *mut Found,
        capacity: usize,
    ) -> usize;
    pub fn onesum_packet_fill_iov(
        list: *const Writable,
        count: usize,
        start: u32,
        options: *const PacketOptions,
        results: *mut Found,
        capacity: usize,
    ) -> usize;
    #[cfg(test)]
    pub fn onesum_protocol_name(protocol: i32) -> *const u8;
    #[cfg(test)]
    pub fn onesum_verdict_name(verdict: i32) -> *const u8;
    #[cfg(test)]
    pub fn onesum_reason_name(reason: i32) -> *const u8;
}

/// A static string of the library; all of them are ASCII.
///
/// # Safety
/// `text` is such a string, or null.
pub unsafe fn text(text: *const u8) -> Option<&'static str> {
    if text.is_null() {
        return None;
    }
    let mut size = 0;
    while *text.add(size) != 0 {
        size += 1;
    }
    core::str::from_utf8(core::slice::from_raw_parts(text, size)).ok()
}
