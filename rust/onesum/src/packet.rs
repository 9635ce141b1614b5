//! A verdict on every Internet checksum in a packet, and filling them. SPDX-License-Identifier: MIT
//!
//! [`check`] finds the checksums through tunnels and into the packets that ICMP errors quote, and says of each whether it
//! is right, and why if that cannot be said. [`fill`] puts the right values where wrong ones are; no field need be zeroed
//! beforehand. Nothing outside the packet is read, whatever it says.
//!
//! ```
//! use onesum::packet::{check, fill, link, Options, Protocol, Verdict};
//!
//! let mut packet = *b"\x45\0\0\x1e\0\x01\0\0\x40\x11\x66\xcc\x0a\0\0\x01\x0a\0\0\x02\x12\x34\x56\x78\0\x0a\x12\x34\x83\x2b";
//! let results = check(&packet, link::IPV4, &Options::default());
//! assert_eq!((results[1].protocol(), results[1].verdict()), (Protocol::Udp, Verdict::Bad));
//! fill(&mut packet, link::IPV4, &Options::default());
//! assert!(check(&packet, link::IPV4, &Options::default()).iter().all(|one| one.verdict() == Verdict::Good));
//! ```

use core::fmt;
use core::ops::{Deref, Range};

use crate::lists::{Buffer, Writable};
use crate::{ffi, Checksum};

/// Link types: what a packet's first byte is. Those of pcap files; any other number may be passed as well.
pub mod link {
    #![allow(missing_docs)]
    pub const NULL: u32 = 0;
    pub const ETHERNET: u32 = 1;
    pub const PPP: u32 = 9;
    pub const PPP_HDLC: u32 = 50;
    pub const PPPOE: u32 = 51;
    pub const LLC: u32 = 100;
    pub const RAW: u32 = 101;
    pub const CISCO_HDLC: u32 = 104;
    pub const IEEE802_11: u32 = 105;
    pub const FRAME_RELAY: u32 = 107;
    pub const LOOP: u32 = 108;
    pub const ENC: u32 = 109;
    pub const LINUX_COOKED: u32 = 113;
    pub const PFLOG: u32 = 117;
    pub const RADIOTAP: u32 = 127;
    pub const PPI: u32 = 192;
    pub const PPP_DIRECTION: u32 = 204;
    pub const HDLC_DIRECTION: u32 = 205;
    pub const FRAME_DIRECTION: u32 = 206;
    pub const MPLS: u32 = 219;
    pub const IPV4: u32 = 228;
    pub const IPV6: u32 = 229;
    pub const NFLOG: u32 = 239;
    pub const PKTAP: u32 = 258;
    pub const LINUX_COOKED2: u32 = 276;
    pub const BROADCOM_TAG: u32 = 281;
    pub const BROADCOM_TAG_FIRST: u32 = 282;
    pub const DSA_TAG: u32 = 283;
    pub const EDSA_TAG: u32 = 284;
}

/// Whether packets that begin with this link type can be read; in others nothing is ever found.
#[must_use]
pub fn link_known(link: u32) -> bool {
    // SAFETY: no pointers.
    unsafe { ffi::onesum_packet_link_known(link) != 0 }
}

/// Whose checksum it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Protocol {
    Ipv4,
    Tcp,
    Udp,
    UdpLite,
    Icmp,
    Icmpv6,
    IcmpExt,
    Igmp,
    Gre,
    Ospf,
    Ospfv3,
    Pim,
    Vrrp,
    Carp,
    Dccp,
    Mh,
    Rsvp,
    /// No checksum: stands for those that are encrypted.
    Esp,
    /// A CRC32c, which is no Internet checksum: named, not judged.
    Sctp,
    Eigrp,
    /// The link-local signaling block behind an OSPF packet.
    OspfLls,
    Nhrp,
    Pgm,
    Hip,
    /// One that this crate does not know, of a newer library.
    Unknown,
}
use Protocol::*;
const PROTOCOLS: [Protocol; 24] = [
    Ipv4, Tcp, Udp, UdpLite, Icmp, Icmpv6, IcmpExt, Igmp, Gre, Ospf, Ospfv3, Pim, Vrrp, Carp, Dccp, Mh, Rsvp,
    Esp, Sctp, Eigrp, OspfLls, Nhrp, Pgm, Hip,
];

/// What is said of a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It is right.
    Good,
    /// It is not.
    Bad,
    /// Just the pseudo-header's sum: the rest was left to the network card.
    Partial,
    /// 0 where that means that none was sent, as in UDP over IPv4.
    Absent,
    /// 0 where one is required, as in UDP over IPv6.
    IllegalZero,
    /// See the reason.
    Unverifiable,
    /// A header contradicts itself.
    Malformed,
    /// One that this crate does not know, of a newer library.
    Unknown,
}
const VERDICTS: [Verdict; 7] = [
    Verdict::Good,
    Verdict::Bad,
    Verdict::Partial,
    Verdict::Absent,
    Verdict::IllegalZero,
    Verdict::Unverifiable,
    Verdict::Malformed,
];

/// Why a checksum is unverifiable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The packet is a fragment, and the rest is elsewhere.
    Fragment,
    /// A length passes the bytes that are there.
    Truncated,
    /// ESP.
    Encrypted,
    /// An IP length of 0: taken before the network card cut the packet in segments.
    PresumedTso,
    /// An unknown option or routing header for which the packet must be discarded.
    Option,
    /// SCTP.
    Crc32c,
    /// One that this crate does not know, of a newer library.
    Unknown,
}
const REASONS: [Reason; 6] = [
    Reason::Fragment,
    Reason::Truncated,
    Reason::Encrypted,
    Reason::PresumedTso,
    Reason::Option,
    Reason::Crc32c,
];

#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Covered {
    offset: usize,
    size: usize,
}

/// One checksum. Offsets count from the first byte of the packet, in joined pieces too.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Found {
    offset: usize,
    covered: [Covered; 2],
    stored: Checksum,
    expected: Checksum,
    protocol: u8,
    verdict: u8,
    reason: u8,
    flags: u8,
}

impl Found {
    /// Whose checksum it is.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        PROTOCOLS.get(usize::from(self.protocol)).copied().unwrap_or(Protocol::Unknown)
    }
    /// What is said of it.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        VERDICTS.get(usize::from(self.verdict)).copied().unwrap_or(Verdict::Unknown)
    }
    /// Why, where it is unverifiable.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        let at = usize::from(self.reason).checked_sub(1)?;
        Some(REASONS.get(at).copied().unwrap_or(Reason::Unknown))
    }
    /// Where the field of two bytes is.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
    /// What the field holds (before [`fill`]).
    #[must_use]
    pub fn stored(&self) -> Checksum {
        self.stored
    }
    /// The right value, where it can be known.
    #[must_use]
    pub fn expected(&self) -> Option<Checksum> {
        (self.flags & 1 != 0).then_some(self.expected)
    }
    /// The bytes summed; the second range is empty, but in OSPFv2.
    #[must_use]
    pub fn covered(&self) -> [Range<usize>; 2] {
        self.covered.map(|range| range.offset..range.offset + range.size)
    }
    /// Inside a packet that an ICMP error quotes; never filled.
    #[must_use]
    pub fn quoted(&self) -> bool {
        self.flags & 2 != 0
    }
    /// A pseudo-header is summed besides.
    #[must_use]
    pub fn pseudo_header(&self) -> bool {
        self.flags & 4 != 0
    }
    /// The packet's length is that of the buffer: an IP length of 0.
    #[must_use]
    pub fn presumed_tso(&self) -> bool {
        self.flags & 8 != 0
    }
    /// [`fill`] has stored the right value.
    #[must_use]
    pub fn filled(&self) -> bool {
        self.flags & 16 != 0
    }
    /// It was good, and covers bytes that were filled.
    #[must_use]
    pub fn followed(&self) -> bool {
        self.flags & 32 != 0
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("protocol", &self.protocol())
            .field("verdict", &self.verdict())
            .field("reason", &self.reason())
            .field("offset", &self.offset)
            .field("stored", &self.stored)
            .field("expected", &self.expected())
            .finish_non_exhaustive()
    }
}

const MOST: usize = 16; // ONESUM_PACKET_LAYERS

/// What was found, outermost first: a slice of [`Found`].
#[derive(Clone, Copy)]
pub struct Results {
    list: [Found; MOST],
    count: usize,
}

impl Deref for Results {
    type Target = [Found];
    fn deref(&self) -> &[Found] {
        &self.list[..self.count]
    }
}
impl<'a> IntoIterator for &'a Results {
    type Item = &'a Found;
    type IntoIter = core::slice::Iter<'a, Found>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// How to judge, and what to fill.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// A UDP checksum of 0 over IPv6 is absent, not illegal (RFC 6935, RFC 6936) ...
    pub allow_zero_udp6: bool,
    /// ... only for datagrams from or to one of these ports; empty: for all.
    pub zero_udp6_ports: &'a [u16],
    /// An IPv4 header checksum of 0 that is not right is partial, not bad: left to the network card.
    pub ignore_zero_ipv4: bool,
    /// Judge (and fill) a packet of presumed TSO as one segment of the captured length.
    pub judge_tso: bool,
    /// Which to fill; empty: all.
    pub fill_protocols: &'a [Protocol],
    /// Fill those of these verdicts; empty: [`Verdict::Bad`], [`Verdict::Partial`] and [`Verdict::IllegalZero`].
    /// [`Verdict::Absent`] may be among them.
    pub fill_verdicts: &'a [Verdict],
}

impl Options<'_> {
    fn raw(&self) -> ffi::PacketOptions {
        // Unknown ones have bits that the library knows nothing by, so that a list of them is not empty.
        ffi::PacketOptions {
            flags: u32::from(self.allow_zero_udp6)
                | u32::from(self.ignore_zero_ipv4) << 1
                | u32::from(self.judge_tso) << 2,
            fill_protocols: self.fill_protocols.iter().fold(0, |bits, one| bits | 1 << *one as u32),
            fill_verdicts: self.fill_verdicts.iter().fold(0, |bits, one| bits | 1 << *one as u32),
            zero_udp6_ports: self.zero_udp6_ports.as_ptr(),
            zero_udp6_port_count: self.zero_udp6_ports.len(),
        }
    }
}

fn results(call: impl FnOnce(*mut Found) -> usize) -> Results {
    let mut list = [Found::default(); MOST];
    let count = call(list.as_mut_ptr()).min(MOST);
    Results { list, count }
}

/// Judges every checksum of a packet, of whose first byte `link` says what it is.
#[must_use]
pub fn check(packet: &[u8], link: u32, options: &Options) -> Results {
    // SAFETY: the slice's bytes, and MOST results.
    results(|list| unsafe {
        ffi::onesum_packet_check(packet.as_ptr(), packet.len(), link, &options.raw(), list, MOST)
    })
}

/// Judges as [`check`] does and stores the right value, innermost first, in each field that the options choose, and in
/// good ones that cover a byte so changed. Quoted packets and what cannot be judged are left alone; no other byte changes.
/// The verdicts are those from before.
pub fn fill(packet: &mut [u8], link: u32, options: &Options) -> Results {
    // SAFETY: the slice's bytes, and MOST results.
    results(|list| unsafe {
        ffi::onesum_packet_fill(packet.as_mut_ptr(), packet.len(), link, &options.raw(), list, MOST)
    })
}

/// [`check`] for the packet that a list of pieces gives when joined. Even a header may lie across several of them.
#[must_use]
pub fn check_list(list: &[Buffer], link: u32, options: &Options) -> Results {
    // SAFETY: pieces are slices, and MOST results.
    results(|found| unsafe {
        ffi::onesum_packet_check_iov(list.as_ptr(), list.len(), link, &options.raw(), found, MOST)
    })
}

/// [`fill`] for the packet that a list of pieces gives when joined.
pub fn fill_list(list: &mut [Writable], link: u32, options: &Options) -> Results {
    // SAFETY: pieces are slices, and MOST results.
    results(|found| unsafe {
        ffi::onesum_packet_fill_iov(list.as_ptr(), list.len(), link, &options.raw(), found, MOST)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::String;

    /// "illegal_zero" of the library is IllegalZero here.
    fn plain(name: &str) -> String {
        name.replace('_', "").to_lowercase()
    }

    #[test]
    fn numbers_are_those_of_the_library() {
        let name = |text| unsafe { ffi::text(text) };
        for (i, one) in PROTOCOLS.iter().enumerate() {
            assert_eq!(
                name(unsafe { ffi::onesum_protocol_name(i as i32) }).map(plain),
                Some(plain(&format!("{one:?}")))
            );
            assert_eq!(*one as usize, i);
        }
        for (i, one) in VERDICTS.iter().enumerate() {
            assert_eq!(
                name(unsafe { ffi::onesum_verdict_name(i as i32) }).map(plain),
                Some(plain(&format!("{one:?}")))
            );
            assert_eq!(*one as usize, i);
        }
        for (i, one) in REASONS.iter().enumerate() {
            assert_eq!(
                name(unsafe { ffi::onesum_reason_name(i as i32 + 1) }).map(plain),
                Some(plain(&format!("{one:?}")))
            );
        }
        assert_eq!(name(unsafe { ffi::onesum_protocol_name(PROTOCOLS.len() as i32) }), None);
        assert_eq!(name(unsafe { ffi::onesum_verdict_name(VERDICTS.len() as i32) }), None);
        assert_eq!(name(unsafe { ffi::onesum_reason_name(REASONS.len() as i32 + 1) }), None);
    }
}
