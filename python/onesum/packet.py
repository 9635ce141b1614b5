"""A verdict on every Internet checksum in a packet, and filling them. SPDX-License-Identifier: MIT

check() finds the checksums through tunnels and into the packets that ICMP errors quote, and says of each whether it is
right, and why if that cannot be said. fill() puts the right values where wrong ones are; no field need be zeroed
beforehand. A packet is one object with its bytes, or a list or tuple of them that give it when joined.

    >>> for result in onesum.packet.check(frame):
    ...     print(result.protocol.name, result.verdict.name, hex(result.stored))
"""
import ctypes
import enum
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, List, Optional, Sequence, Tuple, Union

from ._library import Memories as _Memories
from ._library import Memory as _Memory
from ._library import PacketOptions as _PacketOptions
from ._library import PacketResult as _PacketResult
from ._library import library as _lib

if TYPE_CHECKING:
    from . import Bytes
Packet = Union['Bytes', Sequence['Bytes']]

__all__ = ['Link', 'Protocol', 'Verdict', 'Reason', 'Result', 'check', 'fill', 'link_known']


class _Open(enum.IntEnum):
    """Numbers that a newer library may add to: one that is not known here has a name like UNKNOWN_200."""

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_, member._value_ = f'UNKNOWN_{value}', value
        return member


class Link(enum.IntEnum):
    """Where a packet's bytes begin: the link types of pcap files. Any other number may be passed as well."""
    NULL = 0
    ETHERNET = 1
    PPP = 9
    PPP_HDLC = 50
    PPPOE = 51
    LLC = 100
    RAW = 101
    CISCO_HDLC = 104
    IEEE802_11 = 105
    FRAME_RELAY = 107
    LOOP = 108
    ENC = 109
    LINUX_COOKED = 113
    PFLOG = 117
    RADIOTAP = 127
    PPI = 192
    PPP_DIRECTION = 204
    HDLC_DIRECTION = 205
    FRAME_DIRECTION = 206
    MPLS = 219
    IPV4 = 228
    IPV6 = 229
    NFLOG = 239
    PKTAP = 258
    LINUX_COOKED2 = 276
    BROADCOM_TAG = 281
    BROADCOM_TAG_FIRST = 282
    DSA_TAG = 283
    EDSA_TAG = 284


class Protocol(_Open):
    """Whose checksum it is. ESP has none, and stands for those that it encrypts; SCTP's is a CRC32c, and not judged."""
    IPV4 = 0
    TCP = 1
    UDP = 2
    UDPLITE = 3
    ICMP = 4
    ICMPV6 = 5
    ICMP_EXT = 6
    IGMP = 7
    GRE = 8
    OSPF = 9
    OSPFV3 = 10
    PIM = 11
    VRRP = 12
    CARP = 13
    DCCP = 14
    MH = 15
    RSVP = 16
    ESP = 17
    SCTP = 18
    EIGRP = 19
    OSPF_LLS = 20
    NHRP = 21
    PGM = 22
    HIP = 23


class Verdict(_Open):
    GOOD = 0
    BAD = 1
    PARTIAL = 2  #: just the pseudo-header's sum: the rest was left to the network card
    ABSENT = 3  #: 0 where that means that none was sent, as in UDP over IPv4
    ILLEGAL_ZERO = 4  #: 0 where one is required, as in UDP over IPv6
    UNVERIFIABLE = 5  #: see the reason
    MALFORMED = 6  #: a header contradicts itself


class Reason(_Open):
    """Why a checksum is unverifiable."""
    NONE = 0
    FRAGMENT = 1
    TRUNCATED = 2
    ENCRYPTED = 3
    PRESUMED_TSO = 4
    OPTION = 5
    CRC32C = 6


@dataclass(frozen=True)
class Result:
    """One checksum. Offsets count from the packet's first byte; checksums are in network order."""
    protocol: Protocol
    verdict: Verdict
    reason: Reason
    offset: int  #: of the field of two bytes
    stored: int
    expected: Optional[int]  #: the right value, or None where it cannot be known
    covered: Tuple[Tuple[int, int], ...]  #: what is summed: offset and size of one range, of two in OSPFv2
    pseudo_header: bool  #: a pseudo-header is summed besides
    quoted: bool  #: inside a packet that an ICMP error quotes; never filled
    presumed_tso: bool  #: an IP length of 0: the captured length counts
    filled: bool  #: fill() has stored `expected`
    followed: bool  #: it was good, and covers bytes that were filled


_MOST = 16  # ONESUM_PACKET_LAYERS
_LITTLE = sys.byteorder == 'little'


def _network(value: int) -> int:
    return (value & 0xff) << 8 | value >> 8 if _LITTLE else value


def _result(raw: _PacketResult) -> Result:
    flags = raw.flags
    return Result(Protocol(raw.protocol), Verdict(raw.verdict), Reason(raw.reason), raw.offset, _network(raw.stored),
                  _network(raw.expected) if flags & 1 else None,
                  tuple((part.offset, part.size) for part in raw.covered if part.size),
                  bool(flags & 4), bool(flags & 2), bool(flags & 8), bool(flags & 16), bool(flags & 32))


def _bits(values: Optional[Iterable[int]], what: str) -> int:
    """0, the library's "all", for None; and never by an empty collection."""
    if values is None:
        return 0
    bits = 0
    for value in values:
        bits |= 1 << value
    if not bits:
        raise ValueError(f'no {what} to fill: None stands for the usual ones')
    return bits


def _options(allow_zero_udp6: Union[bool, Iterable[int]], ignore_zero_ipv4: bool, judge_tso: bool, protocols: int = 0,
             verdicts: int = 0) -> _PacketOptions:
    options = _PacketOptions((2 if ignore_zero_ipv4 else 0) | (4 if judge_tso else 0), protocols, verdicts, None, 0)
    if isinstance(allow_zero_udp6, bool):
        options.flags |= 1 if allow_zero_udp6 else 0
    else:
        ports = list(allow_zero_udp6)
        if any(not 0 <= port <= 0xffff for port in ports):
            raise ValueError('a port has 16 bits')
        if ports:
            options.flags |= 1
            options.zero_udp6_ports = (ctypes.c_uint16 * len(ports))(*ports)
            options.zero_udp6_port_count = len(ports)
    return options


def _pieces(packet: Packet) -> bool:
    return isinstance(packet, (list, tuple))


def check(packet: Packet, link: int = Link.ETHERNET, *, allow_zero_udp6: Union[bool, Iterable[int]] = False,
          ignore_zero_ipv4: bool = False, judge_tso: bool = False) -> List[Result]:
    """Judges every checksum of the packet, outermost first. `link` says what its first byte is.

    allow_zero_udp6: a UDP checksum of 0 over IPv6 is absent, not illegal (RFC 6935): True, or for these ports only.
    ignore_zero_ipv4: an IPv4 header checksum of 0 that is not right is partial, not bad. judge_tso: a packet of presumed
    TSO is one segment of the captured length."""
    options = _options(allow_zero_udp6, ignore_zero_ipv4, judge_tso)
    results = (_PacketResult * _MOST)()
    if _pieces(packet):
        with _Memories(packet) as memories:
            count = _lib.onesum_packet_check_iov(memories.array, len(memories), link, options, results, _MOST)
    else:
        with _Memory(packet) as memory:
            count = _lib.onesum_packet_check(memory.address, memory.size, link, options, results, _MOST)
    return [_result(results[i]) for i in range(min(count, _MOST))]


def fill(packet: Packet, link: int = Link.ETHERNET, *, protocols: Optional[Iterable[Protocol]] = None,
         verdicts: Optional[Iterable[Verdict]] = None, allow_zero_udp6: Union[bool, Iterable[int]] = False,
         ignore_zero_ipv4: bool = False, judge_tso: bool = False) -> List[Result]:
    """Judges as check() does and stores the right value, innermost first, in each field that is of one of `protocols`
    (None: all) and has one of `verdicts` (None: BAD, PARTIAL and ILLEGAL_ZERO; ABSENT may be asked for), and in good ones
    over bytes that changed. Quoted packets and what cannot be judged are left alone, and no other byte changes. The
    packet is writable: a bytearray, say. The verdicts returned are those from before."""
    options = _options(allow_zero_udp6, ignore_zero_ipv4, judge_tso, _bits(protocols, 'protocols'),
                       _bits(verdicts, 'verdicts'))
    results = (_PacketResult * _MOST)()
    if _pieces(packet):
        with _Memories(packet, writable=True) as memories:
            count = _lib.onesum_packet_fill_iov(memories.array, len(memories), link, options, results, _MOST)
    else:
        with _Memory(packet, writable=True) as memory:
            count = _lib.onesum_packet_fill(memory.address, memory.size, link, options, results, _MOST)
    return [_result(results[i]) for i in range(min(count, _MOST))]


def link_known(link: int) -> bool:
    """Whether packets that begin with this link type can be read; in others nothing is ever found."""
    return bool(_lib.onesum_packet_link_known(link))
