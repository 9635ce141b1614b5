//! Software segmentation of TCP and UDP. SPDX-License-Identifier: MIT

use core::marker::PhantomData;

use crate::ffi;

/// What is to be cut: a payload behind a template of its headers, all of a packet's one after the other. From byte
/// `network` of the template on there is IPv4 or IPv6, then TCP or UDP, and nothing after it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Packet<'a> {
    headers: *const u8,
    header_size: usize,
    network: usize,
    payload: *const u8,
    size: usize,
    segment_size: usize,
    slices: PhantomData<&'a [u8]>,
}

// SAFETY: two shared slices.
unsafe impl Send for Packet<'_> {}
unsafe impl Sync for Packet<'_> {}

impl<'a> Packet<'a> {
    /// `segment_size` bytes of the payload to a packet; the last one takes what is left.
    #[must_use]
    pub const fn new(headers: &'a [u8], network: usize, payload: &'a [u8], segment_size: usize) -> Self {
        Packet {
            headers: headers.as_ptr(),
            header_size: headers.len(),
            network,
            payload: payload.as_ptr(),
            size: payload.len(),
            segment_size,
            slices: PhantomData,
        }
    }

    /// How many packets it makes: one of headers only where there is no payload, none where `segment_size` is 0.
    #[must_use]
    pub const fn count(&self) -> usize {
        if self.segment_size == 0 {
            return 0;
        }
        let count = self.size / self.segment_size + (self.size % self.segment_size != 0) as usize;
        if count == 0 {
            1
        } else {
            count
        }
    }

    /// The size of packet `i`, headers and all.
    #[must_use]
    pub const fn size(&self, i: usize) -> usize {
        let left = self.size - i * self.segment_size;
        self.header_size + if left < self.segment_size { left } else { self.segment_size }
    }

    /// Writes packet i to `dst[i * stride..]`, with lengths, sequence numbers and checksums finished, and returns how
    /// many there are; 0, and nothing written, for what cannot be cut so (onesum/gso.h says what).
    ///
    /// # Panics
    /// Where a packet is longer than `stride`, or `dst` is too short.
    pub fn write(&self, dst: &mut [u8], stride: usize) -> usize {
        let count = self.count();
        if count == 0 {
            return 0;
        }
        assert!(self.size(0) <= stride, "a packet is longer than a stride");
        let end = (count - 1).checked_mul(stride).and_then(|at| at.checked_add(self.size(count - 1)));
        assert!(
            end.map_or(false, |end| end <= dst.len()),
            "{count} packets do not fit into {} bytes",
            dst.len()
        );
        // A stride is header_size + segment_size or more, which matters to no packet that is shorter.
        let segment_size = if self.segment_size > self.size { self.size.max(1) } else { self.segment_size };
        let packet = Packet { segment_size, ..*self };
        let stride = if count == 1 { stride.max(self.header_size + segment_size) } else { stride };
        // SAFETY: that many packets fit.
        unsafe { ffi::onesum_gso(&packet, dst.as_mut_ptr(), stride) }
    }
}
