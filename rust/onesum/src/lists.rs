//! Pieces of memory, and many at once. SPDX-License-Identifier: MIT

use core::marker::PhantomData;

use crate::{ffi, Checksum};

/// A piece of memory in a list: a slice, laid out as the C library and `struct iovec` have it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Buffer<'a> {
    data: *const u8,
    size: usize,
    slice: PhantomData<&'a [u8]>,
}

// SAFETY: a Buffer is a shared slice.
unsafe impl Send for Buffer<'_> {}
unsafe impl Sync for Buffer<'_> {}

impl<'a> Buffer<'a> {
    /// A slice as a piece.
    #[must_use]
    pub const fn new(slice: &'a [u8]) -> Self {
        Buffer { data: slice.as_ptr(), size: slice.len(), slice: PhantomData }
    }

    /// Lists of the standard library are such lists.
    #[cfg(all(feature = "std", unix))]
    #[must_use]
    pub fn from_io_slices<'b>(list: &'b [std::io::IoSlice<'a>]) -> &'b [Buffer<'a>] {
        // SAFETY: an IoSlice is laid out like struct iovec, as its documentation promises for Unix.
        unsafe { core::slice::from_raw_parts(list.as_ptr().cast(), list.len()) }
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Buffer<'a> {
    fn from(bytes: &'a T) -> Self {
        Buffer::new(bytes.as_ref())
    }
}

/// A writable piece of memory in a list.
#[derive(Debug)]
#[repr(C)]
pub struct Writable<'a> {
    data: *mut u8,
    size: usize,
    slice: PhantomData<&'a mut [u8]>,
}

// SAFETY: a Writable is an exclusive slice.
unsafe impl Send for Writable<'_> {}
unsafe impl Sync for Writable<'_> {}

impl<'a> Writable<'a> {
    /// A slice as a piece.
    #[must_use]
    pub fn new(slice: &'a mut [u8]) -> Self {
        Writable { data: slice.as_mut_ptr(), size: slice.len(), slice: PhantomData }
    }

    /// Lists of the standard library are such lists.
    #[cfg(all(feature = "std", unix))]
    #[must_use]
    pub fn from_io_slices<'b>(list: &'b mut [std::io::IoSliceMut<'a>]) -> &'b mut [Writable<'a>] {
        // SAFETY: an IoSliceMut is laid out like struct iovec, as its documentation promises for Unix.
        unsafe { core::slice::from_raw_parts_mut(list.as_mut_ptr().cast(), list.len()) }
    }
}

/// The partial sum of `size` bytes from byte `offset` of the bytes that the list gives when joined, added to `sum`.
/// Where the list ends before them, what is there counts. Pieces may be empty, and of any length.
///
/// ```
/// let list = [onesum::Buffer::from("an odd"), " piece".into(), "".into()];
/// assert_eq!(onesum::fold(onesum::partial_list(&list, 0, usize::MAX, 0)), onesum::checksum(b"an odd piece"));
/// ```
#[must_use]
pub fn partial_list(list: &[Buffer], offset: usize, size: usize, sum: u32) -> u32 {
    // SAFETY: pieces are slices.
    unsafe { ffi::onesum_partial_iov(list.as_ptr(), list.len(), offset, size, sum) }
}

/// Copies `size` bytes from byte `src_offset` of the joined list `src` to byte `dst_offset` of the joined list `dst`,
/// and returns [`partial_list`] of them, reading them once. The lists may be cut differently. Where one of them ends
/// earlier, the bytes up to there are copied and counted.
pub fn copy_list(
    dst: &mut [Writable],
    dst_offset: usize,
    src: &[Buffer],
    src_offset: usize,
    size: usize,
    sum: u32,
) -> u32 {
    // SAFETY: pieces are slices, and exclusive ones overlap no others.
    unsafe {
        ffi::onesum_copy_iov(
            dst.as_ptr(),
            dst.len(),
            dst_offset,
            src.as_ptr(),
            src.len(),
            src_offset,
            size,
            sum,
        )
    }
}

/// Cuts `payload` into segments of `segment_size` bytes, the last one as long as what is left, and copies segment i
/// to `dst` from byte `i * stride + room` on. Stores the partial sum of each in `sums` and returns how many there are.
///
/// # Panics
/// Where a segment is empty, or longer than a stride leaves room for, or `dst` or `sums` is too short.
pub fn segments(
    dst: &mut [u8],
    stride: usize,
    room: usize,
    payload: &[u8],
    segment_size: usize,
    sums: &mut [u32],
) -> usize {
    assert!(segment_size > 0, "segments of 0 bytes");
    assert!(
        room.checked_add(segment_size).map_or(false, |size| size <= stride),
        "a segment is longer than a stride"
    );
    let count = payload.len() / segment_size + usize::from(payload.len() % segment_size != 0);
    assert!(sums.len() >= count, "{count} segments are more than the sums");
    if count > 0 {
        let last = payload.len() - (count - 1) * segment_size;
        let end = (count - 1).checked_mul(stride).and_then(|at| at.checked_add(room + last));
        assert!(
            end.map_or(false, |end| end <= dst.len()),
            "{count} segments do not fit into {} bytes",
            dst.len()
        );
    }
    // SAFETY: that many segments fit.
    unsafe {
        ffi::onesum_segments(
            dst.as_mut_ptr(),
            stride,
            room,
            payload.as_ptr(),
            payload.len(),
            segment_size,
            sums.as_mut_ptr(),
        )
    }
}

/// Stores in `checks[i]` the checksum of `list[i]`, added to the partial sum `sums[i]`, such as that of a
/// pseudo-header; an empty `sums` is all 0.
///
/// # Panics
/// Where the three are not of one length.
pub fn batch(list: &[Buffer], sums: &[u32], checks: &mut [Checksum]) {
    assert_eq!(list.len(), checks.len(), "a checksum for each buffer");
    assert!(sums.is_empty() || sums.len() == list.len(), "a partial sum for each buffer");
    let seeds = if sums.is_empty() { core::ptr::null() } else { sums.as_ptr() };
    // SAFETY: pieces are slices, and there are as many sums and checksums.
    unsafe { ffi::onesum_batch(list.as_ptr(), list.len(), seeds, checks.as_mut_ptr()) }
}
