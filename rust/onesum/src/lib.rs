//! The Internet checksum ([RFC 1071]), by libonesum: as fast as a core can load.
//!
//! Two kinds of value:
//!
//! - A *partial sum* is a `u32`: the one's complement sum of 16-bit words in the machine's byte order, not
//!   complemented. It is what a sum over more bytes goes on from. Two implementations may give different partial
//!   sums for the same bytes; their checksums are equal.
//! - A [`Checksum`] is what lies in a packet: two bytes.
//!
//! ```
//! use onesum::{checksum, fold_udp, partial, pseudo_ipv4, Checksum};
//!
//! // RFC 1071 section 3, as a checksum.
//! assert_eq!(checksum(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]), Checksum::new(0x220d));
//!
//! // A UDP datagram of ten bytes, its checksum still 0.
//! let mut datagram = [0x12, 0x34, 0x56, 0x78, 0x00, 0x0a, 0, 0, 0x61, 0x62];
//! let sum = pseudo_ipv4([10, 0, 0, 1], [10, 0, 0, 2], datagram.len() as u32, 17, 0);
//! let check = fold_udp(partial(&datagram, sum));
//! datagram[6..8].copy_from_slice(&check.to_bytes());
//! // With it, all of it sums to a checksum of 0: it is right.
//! assert!(fold_udp(partial(&datagram, sum)).is_all_ones_or_zero());
//! ```
//!
//! The crate needs no other one, and `core` only; the feature `std` (on by default) adds [`State`] as an
//! `io::Write` and lists of `io::IoSlice`. It links libonesum, or compiles its amalgamation (feature `vendored`).
//!
//! All functions may be called from any thread at any time. None allocates; those that panic say when.
//!
//! [RFC 1071]: https://www.rfc-editor.org/rfc/rfc1071
// SPDX-License-Identifier: MIT
#![no_std]
#![warn(missing_docs)]

#[cfg(any(feature = "std", test))]
extern crate std;

mod ffi;
pub mod gso;
pub mod implementations;
mod lists;
pub mod packet;

pub use lists::{batch, copy_list, partial_list, segments, Buffer, Writable};

use core::fmt;

// ---- Sums over bytes ----------------------------------------------------------------------------------------

/// The partial sum of `data`, added to the partial sum `sum` (0 to begin with). To go on after an odd number of
/// bytes, use [`block_add`], [`State`] or [`partial_list`].
#[must_use]
pub fn partial(data: &[u8], sum: u32) -> u32 {
    // SAFETY: the slice's bytes are read and no others.
    unsafe { ffi::onesum_partial(data.as_ptr(), data.len(), sum) }
}

/// Copies `src` to `dst` and returns what [`partial`] of `src` does, reading the bytes once.
///
/// # Panics
/// Where the two are not of one length, as `copy_from_slice` does.
pub fn copy(dst: &mut [u8], src: &[u8], sum: u32) -> u32 {
    assert_eq!(dst.len(), src.len(), "source and destination are not of one length");
    // SAFETY: both slices have that many bytes, and a mutable one overlaps no other.
    unsafe { ffi::onesum_copy(dst.as_mut_ptr(), src.as_ptr(), src.len(), sum) }
}

/// The checksum of `data`. Over bytes that contain their own it is 0 where that one is right.
#[must_use]
pub fn checksum(data: &[u8]) -> Checksum {
    fold(partial(data, 0))
}

// ---- Checksums ----------------------------------------------------------------------------------------------

/// A checksum, as it lies in a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Checksum(u16); // its bytes in memory are those of the packet

impl Checksum {
    /// From the number that people write, in network order.
    #[must_use]
    pub const fn new(value: u16) -> Self {
        Checksum(u16::to_be(value))
    }

    /// The number that people write.
    #[must_use]
    pub const fn value(self) -> u16 {
        u16::from_be(self.0)
    }

    /// From the two bytes of a packet.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 2]) -> Self {
        Checksum(u16::from_ne_bytes(bytes))
    }

    /// The two bytes of a packet.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 2] {
        self.0.to_ne_bytes()
    }

    /// 0: over a packet with its own checksum in it, that it is right.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// 0 or 0xffff, which is the same value: over a UDP packet with its own checksum in it, after [`fold_udp`],
    /// that it is right.
    #[must_use]
    pub const fn is_all_ones_or_zero(self) -> bool {
        self.0 == 0 || self.0 == 0xffff
    }

    /// The checksum after the bytes it covers have changed by `diff`: [`sub`] of the partial sums of the new and
    /// of the old ones, or what [`diff`] returns (RFC 1624 equation 3).
    #[must_use]
    pub const fn replace_diff(self, diff: u32) -> Self {
        fold(add(!self.0 as u32, diff))
    }

    /// The same for UDP, where 0 means that there is none (RFC 768): it stays, and a computed 0 is stored as 0xffff.
    #[must_use]
    pub const fn replace_diff_udp(self, diff: u32) -> Self {
        if self.0 == 0 {
            return self;
        }
        fold_udp(add(!self.0 as u32, diff))
    }

    /// The checksum after a 16-bit word at an even offset, such as a port, has changed. Bytes as in the packet.
    #[must_use]
    pub const fn replace16(self, from: [u8; 2], to: [u8; 2]) -> Self {
        self.replace_diff(sub(u16::from_ne_bytes(to) as u32, u16::from_ne_bytes(from) as u32))
    }

    /// The same for 32 bits, such as an IPv4 address.
    #[must_use]
    pub const fn replace32(self, from: [u8; 4], to: [u8; 4]) -> Self {
        self.replace_diff(sub(u32::from_ne_bytes(to), u32::from_ne_bytes(from)))
    }

    /// The same for 128 bits, such as an IPv6 address.
    #[must_use]
    pub const fn replace128(self, from: [u8; 16], to: [u8; 16]) -> Self {
        self.replace_diff(sub(sum128(to), sum128(from)))
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checksum({:#06x})", self.value())
    }
}
impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}", self.value())
    }
}

/// Folds a partial sum to 16 bits and complements it: the checksum of what it covers.
#[must_use]
pub const fn fold(sum: u32) -> Checksum {
    // The halves are added in the high half, to which the addition of the low ones has carried.
    Checksum((!sum.wrapping_add(sum.rotate_left(16)) >> 16) as u16)
}

/// The same for UDP: a computed 0, which there means none, as 0xffff, which is the same value (RFC 768).
#[must_use]
pub const fn fold_udp(sum: u32) -> Checksum {
    let check = fold(sum);
    if check.0 == 0 {
        Checksum(0xffff)
    } else {
        check
    }
}

// ---- Arithmetic on partial sums (RFC 1071 section 2) ------------------------------------------------------------

/// The sum of two partial sums, the second over bytes at an even offset from the first's.
#[must_use]
pub const fn add(a: u32, b: u32) -> u32 {
    let (sum, carry) = a.overflowing_add(b);
    sum + carry as u32 // after a carry the sum is below 2^32 - 1
}

/// The partial sum `a` without the bytes that `b` covers, at an even offset. Good enough for a verdict; whether the
/// rest is 0 or 0xffff it cannot tell.
#[must_use]
pub const fn sub(a: u32, b: u32) -> u32 {
    add(a, !b)
}

/// A partial sum as it counts `offset` bytes further on; only whether that is odd matters.
#[must_use]
pub const fn rotate(sum: u32, offset: usize) -> u32 {
    if offset % 2 == 1 {
        sum.rotate_left(8)
    } else {
        sum
    }
}

/// Adds the partial sum `block` of bytes that begin `offset` bytes after the first byte that `sum` covers.
#[must_use]
pub const fn block_add(sum: u32, block: u32, offset: usize) -> u32 {
    add(sum, rotate(block, offset))
}

/// Takes them away; see [`sub`].
#[must_use]
pub const fn block_sub(sum: u32, block: u32, offset: usize) -> u32 {
    sub(sum, rotate(block, offset))
}

/// A 64-bit one's complement sum as a partial sum.
const fn fold64(sum: u64) -> u32 {
    (sum.wrapping_add(sum.rotate_left(32)) >> 32) as u32
}

const fn sum128(bytes: [u8; 16]) -> u32 {
    // Four values below 2^32: no carry out of 64 bits.
    let number = u128::from_ne_bytes(bytes);
    fold64(
        (number as u32 as u64)
            + ((number >> 32) as u32 as u64)
            + ((number >> 64) as u32 as u64)
            + (number >> 96) as u64,
    )
}

// ---- Headers ----------------------------------------------------------------------------------------------------

/// Adds the pseudo-header of TCP and UDP over IPv4 (RFC 9293 section 3.1) to the partial sum `sum`: `length` of the
/// TCP or UDP header and its payload, or 0 for the seed that a network card wants for segmentation.
#[must_use]
pub const fn pseudo_ipv4(src: [u8; 4], dst: [u8; 4], length: u32, protocol: u8, sum: u32) -> u32 {
    // Five values below 2^32: below 2^35.
    fold64(
        sum as u64
            + u32::from_ne_bytes(src) as u64
            + u32::from_ne_bytes(dst) as u64
            + length.to_be() as u64
            + (protocol as u32).to_be() as u64,
    )
}

/// The same for IPv6 (RFC 8200 section 8.1): `length` of the upper-layer packet, and its own protocol number, not
/// that of an extension header before it.
#[must_use]
pub const fn pseudo_ipv6(src: [u8; 16], dst: [u8; 16], length: u32, next_header: u8, sum: u32) -> u32 {
    // Five values below 2^32 again.
    fold64(
        sum as u64
            + sum128(src) as u64
            + sum128(dst) as u64
            + length.to_be() as u64
            + (next_header as u32).to_be() as u64,
    )
}

/// The checksum of an IPv4 header, options and all: 0 where its own is right, and with that field zeroed the value to
/// store. No call for 20 bytes.
#[must_use]
pub fn ipv4_header(header: &[u8]) -> Checksum {
    if header.len() != 20 {
        return checksum(header);
    }
    let mut sum = 0;
    for word in header.chunks_exact(4) {
        sum += u64::from(u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
        // five words: below 2^35
    }
    fold(fold64(sum))
}

/// Not one of `count` headers may pass the end, whatever its IHL says.
fn check_headers(headers: &[u8], stride: usize, count: usize) {
    assert!(stride >= 20, "IPv4 headers are 20 bytes apart or more");
    for i in 0..count {
        let at = i.checked_mul(stride).expect("the headers pass the end of memory");
        let words = headers.get(at).map_or(0, |byte| usize::from(byte & 15));
        let end = at.checked_add(words.max(5) * 4);
        assert!(end.map_or(false, |end| end <= headers.len()), "header {i} passes the end");
    }
}

/// Verifies IPv4 headers that lie `stride` bytes apart: stores in `results[i]` what [`ipv4_header`] returns for the
/// i-th, of as many words as its IHL says, and returns for how many that is not 0. An IHL below 5 is no header's:
/// 0xffff.
///
/// # Panics
/// Where `stride` is below 20, or a header passes the end of `headers`.
pub fn ipv4_headers(headers: &[u8], stride: usize, results: &mut [Checksum]) -> usize {
    check_headers(headers, stride, results.len());
    // SAFETY: no header passes the end, and there are that many results.
    unsafe { ffi::onesum_ipv4_headers(headers.as_ptr(), stride, results.len(), results.as_mut_ptr()) }
}

/// Stores the right checksum in each of `count` such headers, whatever was there; those with an IHL below 5 stay as they are.
///
/// # Panics
/// As [`ipv4_headers`] does.
pub fn ipv4_headers_fill(headers: &mut [u8], stride: usize, count: usize) {
    check_headers(headers, stride, count);
    // SAFETY: no header passes the end.
    unsafe { ffi::onesum_ipv4_headers_fill(headers.as_mut_ptr(), stride, count) }
}

/// The partial sum `sum` of some bytes after `header`, with which they begin, is taken off.
#[must_use]
pub fn pull(sum: u32, header: &[u8]) -> u32 {
    rotate(sub(sum, partial(header, 0)), header.len())
}

/// The partial sum `sum` of some bytes after `header` is put in front.
#[must_use]
pub fn push(sum: u32, header: &[u8]) -> u32 {
    block_add(partial(header, 0), sum, header.len())
}

/// Local checksum offload: the partial sum, added to `sum`, of an outer packet whose inner one has a right checksum,
/// without reading that. `headers` are the bytes from the outer TCP or UDP header up to the inner one; `inner` is the
/// partial sum of the inner pseudo-header.
#[must_use]
pub fn outer(headers: &[u8], inner: u32, sum: u32) -> u32 {
    block_add(partial(headers, sum), !inner, headers.len())
}

// ---- Changes ----------------------------------------------------------------------------------------------------

/// Bytes under a checksum that change: as many as before, at a place `offset` bytes after the first that it covers
/// (only whether that is odd matters).
#[derive(Clone, Copy, Debug, Default)]
pub struct Change<'a> {
    /// The bytes before.
    pub from: &'a [u8],
    /// The bytes after.
    pub to: &'a [u8],
    /// Where they are.
    pub offset: usize,
}

/// What the changes together make of a sum, for [`Checksum::replace_diff`] of each checksum over them: a new IPv4
/// address changes the header's own and, through the pseudo-header, that of TCP or UDP.
///
/// # Panics
/// Where bytes become more or fewer.
#[must_use]
pub fn diff(changes: &[Change]) -> u32 {
    changes.iter().fold(0, |sum, change| {
        assert_eq!(change.from.len(), change.to.len(), "bytes become more or fewer");
        block_add(sum, sub(partial(change.to, 0), partial(change.from, 0)), change.offset)
    })
}

// ---- Streams ----------------------------------------------------------------------------------------------------

/// A sum over pieces that come one after the other, of any length.
///
/// ```
/// let mut state = onesum::State::new(0);
/// state.update(b"odd").update(b"").update(b"pieces");
/// assert_eq!(state.checksum(), onesum::checksum(b"oddpieces"));
/// ```
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub struct State {
    sum: u32, // rotated so that the next byte begins a word
    odd: u32, // 1 after an odd number of bytes
}

impl State {
    /// Begins with the partial sum `sum`.
    #[must_use]
    pub const fn new(sum: u32) -> Self {
        State { sum, odd: 0 }
    }

    /// Adds the next bytes.
    pub fn update(&mut self, data: &[u8]) -> &mut Self {
        // SAFETY: a state laid out as the library's, and the slice's bytes.
        unsafe { ffi::onesum_update(self, data.as_ptr(), data.len()) }
        self
    }

    /// The partial sum so far.
    #[must_use]
    pub const fn partial(&self) -> u32 {
        rotate(self.sum, self.odd as usize)
    }

    /// The checksum so far.
    #[must_use]
    pub const fn checksum(&self) -> Checksum {
        fold(self.partial())
    }
}

#[cfg(feature = "std")]
impl std::io::Write for State {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.update(data);
        Ok(data.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
