//! The implementations for this architecture, and which is in use. SPDX-License-Identifier: MIT

use core::fmt;

use crate::ffi;

/// Code for some processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implementation {
    /// Such as `"avx2"`.
    pub name: &'static str,
    /// The CPU features it needs, such as `"avx2|bmi2"`.
    pub needs: &'static str,
    /// Whether this CPU has them.
    pub supported: bool,
    /// Whether it is in use.
    pub active: bool,
}

/// The name of the implementation in use.
#[must_use]
pub fn current() -> &'static str {
    // SAFETY: a static string.
    unsafe { ffi::text(ffi::onesum_implementation()) }.unwrap_or("")
}

/// Those that were built, best first.
pub fn all() -> impl Iterator<Item = Implementation> {
    const MOST: usize = 32;
    let mut list = [ffi::ImplementationInfo {
        name: core::ptr::null(),
        needs: core::ptr::null(),
        supported: 0,
        active: 0,
    }; MOST];
    // SAFETY: the list has that capacity.
    let count = unsafe { ffi::onesum_implementations(list.as_mut_ptr(), MOST) };
    // SAFETY: static strings.
    IntoIterator::into_iter(list).take(count).map(|info| unsafe {
        Implementation {
            name: ffi::text(info.name).unwrap_or(""),
            needs: ffi::text(info.needs).unwrap_or(""),
            supported: info.supported != 0,
            active: info.active != 0,
        }
    })
}

/// Why an implementation was not selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectError {
    /// There is none of this name.
    Unknown,
    /// This CPU cannot run it.
    Unsupported,
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SelectError::Unknown => "there is no implementation of this name",
            SelectError::Unsupported => "this CPU cannot run this implementation",
        })
    }
}
#[cfg(feature = "std")]
impl std::error::Error for SelectError {}

/// Uses the implementation of this name from now on, in all threads; `None` goes back to the automatic choice. For
/// tests and measurements.
///
/// # Errors
/// For a name that is unknown or that this CPU cannot run; nothing has changed then.
pub fn select(name: Option<&str>) -> Result<(), SelectError> {
    let mut text = [0; 64];
    let pointer = match name {
        None => core::ptr::null(),
        Some(name) => {
            let bytes = name.as_bytes();
            if bytes.len() >= text.len() || bytes.contains(&0) {
                return Err(SelectError::Unknown);
            }
            text[..bytes.len()].copy_from_slice(bytes);
            text.as_ptr()
        }
    };
    // SAFETY: null, or a string with a zero at its end.
    match unsafe { ffi::onesum_select(pointer) } {
        0 => Ok(()),
        -2 => Err(SelectError::Unsupported),
        _ => Err(SelectError::Unknown),
    }
}

/// What became of the variable ONESUM_FORCE_IMPLEMENTATION.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced {
    /// It is not set, or empty.
    None,
    /// It was followed.
    Active,
    /// There is no implementation of its name: the automatic choice stands.
    Unknown,
    /// This CPU cannot run it: the automatic choice stands.
    Unsupported,
}

/// What became of the variable ONESUM_FORCE_IMPLEMENTATION when the library was loaded.
#[must_use]
pub fn forced() -> Forced {
    // SAFETY: no arguments.
    match unsafe { ffi::onesum_forced_status() } {
        1 => Forced::Active,
        2 => Forced::Unknown,
        3 => Forced::Unsupported,
        _ => Forced::None,
    }
}

/// Holds every implementation that this CPU can run against the definition, in some milliseconds: `None`, or the name
/// of the first that is wrong.
#[must_use]
pub fn selftest() -> Option<&'static str> {
    // SAFETY: a static string or null.
    unsafe { ffi::text(ffi::onesum_selftest()) }
}

/// The library's version, such as `"0.1.0"`.
#[must_use]
pub fn version() -> &'static str {
    // SAFETY: a static string.
    unsafe { ffi::text(ffi::onesum_version()) }.unwrap_or("")
}
