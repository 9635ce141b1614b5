"""The Internet checksum (RFC 1071), by libonesum. SPDX-License-Identifier: MIT

Two kinds of value, both plain ints:

- A *partial sum* of at most 32 bits: the one's complement sum of 16-bit words in the machine's byte order, not
  complemented. It is what a sum over more bytes goes on from. Two runs on different machines may give different partial
  sums for the same bytes; their checksums are equal.
- A *checksum* of 16 bits, as people write it and struct.pack('!H', ...) stores it: in network order.

Bytes may be bytes, bytearray, memoryview, mmap, array, NumPy arrays and whatever else has the buffer protocol. They are
read where they are and never copied; what is not contiguous is refused with a BufferError.

All functions may be called from any thread, and let other threads run while they sum.
"""
import ctypes
import enum
import ipaddress
import socket
import sys
from typing import TYPE_CHECKING, Any, Iterable, List, NamedTuple, Optional, Sequence, Union

from ._library import Change as _Change
from ._library import GsoPacket as _GsoPacket
from ._library import ImplementationInfo as _ImplementationInfo
from ._library import Memories as _Memories
from ._library import Memory as _Memory
from ._library import StateFields as _StateFields
from ._library import library as _lib

if TYPE_CHECKING:
    if sys.version_info >= (3, 12):
        from collections.abc import Buffer as Bytes
    else:
        Bytes = Any
Address = Union[str, 'Bytes', ipaddress.IPv4Address, ipaddress.IPv6Address]

from . import packet  # noqa: E402

__version__: str = _lib.onesum_version().decode()
__all__ = [
    'partial', 'copy', 'checksum', 'fold', 'add', 'sub', 'rotate', 'block_add', 'block_sub', 'replace16', 'replace32',
    'replace', 'replace_diff', 'diff', 'Change', 'pull', 'push', 'outer', 'pseudo_ipv4', 'pseudo_ipv6', 'ipv4_header',
    'ipv4_headers', 'ipv4_headers_fill', 'State', 'partial_list', 'copy_list', 'segments', 'gso', 'batch',
    'Implementation', 'implementation', 'implementations', 'select', 'Forced', 'forced_status', 'selftest', 'version',
    'packet',
]

_LITTLE = sys.byteorder == 'little'


def _network(value: int) -> int:
    """A 16-bit value from the machine's byte order to network order, or back."""
    return (value & 0xff) << 8 | value >> 8 if _LITTLE else value


def _seed(sum: int) -> int:
    if not 0 <= sum <= 0xffffffff:
        raise ValueError(f'{sum} is no partial sum: it has 32 bits')
    return sum


def _check(value: int, bits: int = 16) -> int:
    if not 0 <= value < 1 << bits:
        raise ValueError(f'{value} has more than {bits} bits, or is negative')
    return value


def _length(value: int) -> int:
    if not 0 <= value <= sys.maxsize:
        raise ValueError(f'{value} is no length or offset')
    return value


# ---- Sums over bytes --------------------------------------------------------------------------------------------


def partial(data: 'Bytes', sum: int = 0) -> int:
    """The partial sum of `data`, added to the partial sum `sum`. No bytes return `sum`. To go on after an odd number of
    bytes, use block_add(), State or partial_list()."""
    _seed(sum)
    if type(data) is bytes:
        return _lib.onesum_partial(data, len(data), sum)
    with _Memory(data) as memory:
        return _lib.onesum_partial(memory.address, memory.size, sum)


def checksum(data: 'Bytes') -> int:
    """The checksum of `data`, in network order. Over bytes that contain their own checksum it is 0 where that one is
    right (RFC 1071 section 1)."""
    if type(data) is bytes:
        return _network(_lib.onesum_checksum(data, len(data)))
    with _Memory(data) as memory:
        return _network(_lib.onesum_checksum(memory.address, memory.size))


def copy(dst: 'Bytes', src: 'Bytes', sum: int = 0) -> int:
    """Copies `src` to the beginning of `dst`, which is writable and as long or longer, and returns partial(src, sum),
    reading the bytes once. The two may not overlap."""
    _seed(sum)
    with _Memory(dst, writable=True) as to, _Memory(src) as source:
        if to.size < source.size:
            raise ValueError(f'{source.size} bytes do not fit into {to.size}')
        if source.size and to.address < source.address + source.size and source.address < to.address + source.size:
            raise ValueError('source and destination overlap')
        return _lib.onesum_copy(to.address, source.address, source.size, sum)


# ---- Arithmetic on partial sums (RFC 1071 section 2) --------------------------------------------------------------


def fold(sum: int, udp: bool = False) -> int:
    """The checksum of what the partial sum `sum` covers: folded to 16 bits and complemented, in network order. With
    `udp` a 0 comes as 0xffff, which is the same value there (RFC 768)."""
    if sum < 0:
        raise ValueError('a partial sum is never negative')
    value = 0xfffe - (sum - 1) % 0xffff if sum else 0xffff
    return _network(value) or (0xffff if udp else 0)


def add(a: int, b: int) -> int:
    """The sum of two partial sums, the second over bytes at an even offset from the first's."""
    sum = _seed(a) + _seed(b)
    return (sum & 0xffffffff) + (sum >> 32)


def sub(a: int, b: int) -> int:
    """The partial sum `a` without the bytes that `b` covers, at an even offset. Good enough for a verdict; whether the
    rest is 0 or 0xffff it cannot tell."""
    return add(a, _seed(b) ^ 0xffffffff)


def rotate(sum: int, offset: int) -> int:
    """A partial sum as it counts `offset` bytes further on; only whether that is odd matters."""
    _seed(sum)
    return (sum << 8 & 0xffffffff) | sum >> 24 if offset & 1 else sum


def block_add(sum: int, block: int, offset: int) -> int:
    """Adds the partial sum `block` of bytes that begin `offset` bytes after the first byte that `sum` covers."""
    return add(sum, rotate(block, offset))


def block_sub(sum: int, block: int, offset: int) -> int:
    """Takes them away; see sub()."""
    return sub(sum, rotate(block, offset))


# ---- Updates of a stored checksum (RFC 1624 equation 3) -----------------------------------------------------------


class Change(NamedTuple):
    """Bytes under a checksum that change: as many as before, at a place `offset` bytes after the first that it covers
    (only whether that is odd matters)."""
    before: 'Bytes'
    after: 'Bytes'
    offset: int = 0


def diff(changes: Iterable[Change]) -> int:
    """What the changes together make of a sum, for replace_diff() of each checksum over them: a new IPv4 address
    changes the header's own and, through the pseudo-header, that of TCP or UDP."""
    changes = list(changes)
    with _Memories(change[0] for change in changes) as before, _Memories(change[1] for change in changes) as after:
        array = (_Change * len(changes))()
        for i, (old, new, change) in enumerate(zip(before, after, changes)):
            if old.size != new.size:
                raise ValueError(f'{old.size} bytes cannot become {new.size}')
            array[i] = (old.address, new.address, old.size, (change[2] if len(change) > 2 else 0) & 1)
        return _lib.onesum_diff(array, len(changes))


def replace_diff(check: int, diff: int, udp: bool = False) -> int:
    """The checksum after the bytes under it have changed by `diff`: what diff() returns, or sub(partial sum of the new
    bytes, partial sum of the old). With `udp` a 0, which means that there is none, stays, and a computed 0 is stored
    as 0xffff (RFC 768)."""
    if udp and not check:
        return 0
    return fold(add(_network(_check(check)) ^ 0xffff, diff), udp)


def replace(check: int, before: 'Bytes', after: 'Bytes', offset: int = 0, udp: bool = False) -> int:
    """The checksum after the bytes `before` under it have become `after`: an address, a port, a whole header."""
    return replace_diff(check, diff([Change(before, after, offset)]), udp)


def replace16(check: int, before: int, after: int, udp: bool = False) -> int:
    """The checksum after a 16-bit number at an even offset, such as a port, has changed. All in network order, as
    people write them."""
    return replace_diff(check, sub(_network(_check(after)), _network(_check(before))), udp)


def replace32(check: int, before: int, after: int, udp: bool = False) -> int:
    """The same for 32 bits, such as a TCP sequence number."""
    return replace_diff(check, sub(socket.htonl(_check(after, 32)), socket.htonl(_check(before, 32))), udp)


# ---- Headers that come and go -----------------------------------------------------------------------------------


def pull(sum: int, header: 'Bytes') -> int:
    """The partial sum `sum` of some bytes after `header`, with which they begin, is taken off."""
    with _Memory(header) as memory:
        return rotate(sub(sum, _lib.onesum_partial(memory.address, memory.size, 0)), memory.size)


def push(sum: int, header: 'Bytes') -> int:
    """The partial sum `sum` of some bytes after `header` is put in front."""
    with _Memory(header) as memory:
        return block_add(_lib.onesum_partial(memory.address, memory.size, 0), sum, memory.size)


def outer(headers: 'Bytes', inner: int, sum: int = 0) -> int:
    """Local checksum offload: the partial sum, added to `sum`, of an outer packet whose inner one has a right checksum,
    without reading that. `headers` are the bytes from the outer TCP or UDP header up to the inner one; `inner` is the
    partial sum of the inner pseudo-header."""
    _seed(sum)
    with _Memory(headers) as memory:
        return block_add(_lib.onesum_partial(memory.address, memory.size, sum), _seed(inner) ^ 0xffffffff,
                         memory.size)


# ---- Headers ----------------------------------------------------------------------------------------------------


def _address(address: Address, family: int, size: int) -> bytes:
    if isinstance(address, str):
        return socket.inet_pton(family, address)
    packed = address.packed if isinstance(address, (ipaddress.IPv4Address, ipaddress.IPv6Address)) else bytes(address)
    if len(packed) != size:
        raise ValueError(f'{address!r} is no address of {size} bytes')
    return packed


def pseudo_ipv4(src: Address, dst: Address, length: int, protocol: int, sum: int = 0) -> int:
    """Adds the pseudo-header of TCP and UDP over IPv4 (RFC 9293 section 3.1) to the partial sum `sum`. Addresses as
    4 bytes, text or ipaddress objects; `length` of the TCP or UDP header and its payload, or 0 for the seed that a
    network card wants for segmentation."""
    return _lib.onesum_pseudo_ipv4(_address(src, socket.AF_INET, 4), _address(dst, socket.AF_INET, 4),
                                       _check(length, 32), _check(protocol, 8), _seed(sum))


def pseudo_ipv6(src: Address, dst: Address, length: int, next_header: int, sum: int = 0) -> int:
    """The same for IPv6 (RFC 8200 section 8.1): `length` of the upper-layer packet, and its own protocol number, not
    that of an extension header before it."""
    return _lib.onesum_pseudo_ipv6(_address(src, socket.AF_INET6, 16), _address(dst, socket.AF_INET6, 16),
                                       _check(length, 32), _check(next_header, 8), _seed(sum))


def ipv4_header(header: 'Bytes', ihl: Optional[int] = None) -> int:
    """The checksum of the IPv4 header with which `header` begins, of `ihl` 32-bit words (None: as its IHL field says):
    0 where its own is right, and with that field zeroed the value to store."""
    with _Memory(header) as memory:
        if ihl is None:
            if not memory.size:
                raise ValueError('there is no header in 0 bytes')
            ihl = ctypes.c_uint8.from_address(memory.address).value & 15
        if memory.size < _check(ihl, 4) * 4:
            raise ValueError(f'a header of {ihl} words does not fit into {memory.size} bytes')
        return _network(_lib.onesum_ipv4_header(memory.address, ihl))


def _headers(memory: _Memory, stride: int, count: Optional[int]) -> int:
    """How many headers; not one of them may pass the end, whatever its IHL says."""
    if stride < 20:
        raise ValueError('IPv4 headers are 20 bytes apart or more')
    if count is None:
        count = (memory.size - 20) // stride + 1 if memory.size >= 20 else 0
    if _length(count) and (count - 1) * stride + 20 > memory.size:
        raise ValueError(f'{count} headers do not fit into {memory.size} bytes')
    for i in range(max((memory.size - 60) // stride, 0), count):
        words = ctypes.c_uint8.from_address(memory.address + i * stride).value & 15
        if i * stride + words * 4 > memory.size:
            raise ValueError(f'header {i} of {words} words passes the end of {memory.size} bytes')
    return count


def ipv4_headers(data: 'Bytes', stride: int = 20, count: Optional[int] = None) -> List[int]:
    """What ipv4_header() returns for each of `count` headers, `stride` bytes apart (None: as many as there are): 0
    where the checksum is right. A header whose IHL is below 5 is none: 0xffff."""
    with _Memory(data) as memory:
        count = _headers(memory, stride, count)
        results = (ctypes.c_uint16 * count)()
        _lib.onesum_ipv4_headers(memory.address, stride, count, results)
        return [_network(result) for result in results]


def ipv4_headers_fill(data: 'Bytes', stride: int = 20, count: Optional[int] = None) -> None:
    """Stores the right checksum in each of them, whatever was there; those with an IHL below 5 stay as they are."""
    with _Memory(data, writable=True) as memory:
        _lib.onesum_ipv4_headers_fill(memory.address, stride, _headers(memory, stride, count))


# ---- Bytes in pieces --------------------------------------------------------------------------------------------


class State:
    """A sum over pieces that come one after the other, of any length, used as hashlib's objects are. One thread at a
    time for one state."""
    __slots__ = ('_fields',)

    def __init__(self, data: 'Bytes' = b'', sum: int = 0):
        self._fields = _StateFields(_seed(sum), 0)
        self.update(data)

    def update(self, data: 'Bytes') -> 'State':
        """Adds the next bytes; returns the state itself."""
        if type(data) is bytes:
            _lib.onesum_update(self._fields, data, len(data))
        else:
            with _Memory(data) as memory:
                _lib.onesum_update(self._fields, memory.address, memory.size)
        return self

    def partial(self) -> int:
        """The partial sum so far; update() may go on after it."""
        return rotate(self._fields.sum, self._fields.odd)

    def checksum(self, udp: bool = False) -> int:
        """The checksum so far, in network order."""
        return fold(self.partial(), udp)

    def copy(self) -> 'State':
        """Another state that goes on from here."""
        other = State()
        other._fields = _StateFields(self._fields.sum, self._fields.odd)
        return other


def partial_list(pieces: Iterable['Bytes'], offset: int = 0, size: Optional[int] = None, sum: int = 0) -> int:
    """The partial sum of `size` bytes (None: all that follow) from byte `offset` of the bytes that the pieces give when
    joined, added to `sum`. Where they end earlier, what is there counts."""
    _seed(sum)
    with _Memories(pieces) as memories:
        return _lib.onesum_partial_iov(memories.array, len(memories), _length(offset),
                                           memories.size if size is None else _length(size), sum)


def copy_list(dst: Iterable['Bytes'], src: Iterable['Bytes'], dst_offset: int = 0, src_offset: int = 0,
              size: Optional[int] = None, sum: int = 0) -> int:
    """Copies `size` bytes from byte `src_offset` of the joined pieces `src` to byte `dst_offset` of the joined pieces
    `dst`, and returns partial_list(src, src_offset, size, sum), reading them once. Where one of the lists ends
    earlier, the bytes up to there are copied and counted. They may be cut differently, and may not overlap."""
    _seed(sum)
    with _Memories(dst, writable=True) as to, _Memories(src) as source:
        for a in to:
            for b in source:
                if a.address < b.address + b.size and b.address < a.address + a.size:
                    raise ValueError('source and destination overlap')
        return _lib.onesum_copy_iov(to.array, len(to), _length(dst_offset), source.array, len(source),
                                        _length(src_offset), source.size if size is None else _length(size), sum)


def segments(dst: 'Bytes', stride: int, room: int, payload: 'Bytes', segment_size: int) -> List[int]:
    """Cuts `payload` into segments of `segment_size` bytes and copies segment i into `dst` from byte i * stride + room
    on; returns the partial sum of each."""
    with _Memory(dst, writable=True) as to, _Memory(payload) as source:
        if segment_size <= 0 or not 0 <= room <= stride - segment_size:
            raise ValueError('a stride holds the room for headers and a segment, which is not empty')
        count = -(-source.size // segment_size)
        if count and (count - 1) * stride + room + source.size - (count - 1) * segment_size > to.size:
            raise ValueError(f'{count} segments do not fit into {to.size} bytes')
        if to.address < source.address + source.size and source.address < to.address + to.size:
            raise ValueError('payload and destination overlap')
        sums = (ctypes.c_uint32 * count)()
        _lib.onesum_segments(to.address, stride, room, source.address, source.size, segment_size, sums)
        return list(sums)


def gso(headers: 'Bytes', network: int, payload: 'Bytes', segment_size: int) -> List[bytearray]:
    """Software segmentation of TCP and UDP: the payload behind the template `headers`, in packets with lengths, sequence
    numbers and checksums finished. From byte `network` of the template on there is IPv4 or IPv6 and then TCP or UDP,
    and nothing else. An empty list: what cannot be cut so (onesum/gso.h)."""
    with _Memory(headers) as template, _Memory(payload) as source:
        if segment_size <= 0:
            return []
        segment_size = min(segment_size, max(source.size, 1))
        packet = _GsoPacket(template.address, template.size, _length(network), source.address, source.size, segment_size)
        stride, most = template.size + segment_size, max(-(-source.size // segment_size), 1)
        memory = (ctypes.c_uint8 * (most * stride))()
        count = _lib.onesum_gso(packet, memory, stride)
        view = memoryview(memory).cast('B')
        return [bytearray(view[i * stride:i * stride + _lib.onesum_gso_size(packet, i)]) for i in range(count)]


def batch(pieces: Iterable['Bytes'], sums: Optional[Sequence[int]] = None) -> List[int]:
    """The checksum of each of the pieces, added to its partial sum in `sums`, such as that of a pseudo-header."""
    with _Memories(pieces) as memories:
        count = len(memories)
        if sums is not None and len(sums) != count:
            raise ValueError(f'{len(sums)} partial sums for {count} pieces')
        seeds = None if sums is None else (ctypes.c_uint32 * count)(*map(_seed, sums))
        checks = (ctypes.c_uint16 * count)()
        _lib.onesum_batch(memories.array, count, seeds, checks)
        return [_network(check) for check in checks]


# ---- Implementations --------------------------------------------------------------------------------------------


class Implementation(NamedTuple):
    """Code for some processor: its name, the CPU features it needs, whether this CPU has them, whether it is in use."""
    name: str
    needs: str
    supported: bool
    active: bool


class Forced(enum.IntEnum):
    """What became of the variable ONESUM_FORCE_IMPLEMENTATION."""
    NONE = 0
    ACTIVE = 1
    UNKNOWN = 2
    UNSUPPORTED = 3


def implementation() -> str:
    """The name of the implementation in use, such as 'avx2'."""
    return _lib.onesum_implementation().decode()


def implementations() -> List[Implementation]:
    """Those that were built for this architecture, best first."""
    count = _lib.onesum_implementations(None, 0)
    infos = (_ImplementationInfo * count)()
    _lib.onesum_implementations(infos, count)
    return [Implementation(info.name.decode(), info.needs.decode(), bool(info.supported), bool(info.active))
            for info in infos]


def select(name: Optional[str]) -> None:
    """Uses that implementation from now on, in the whole process; None goes back to the automatic choice. For tests and
    measurements. LookupError: there is none of this name; RuntimeError: this CPU cannot run it."""
    status = _lib.onesum_select(None if name is None else name.encode())
    if status == -1:
        raise LookupError(f'there is no implementation named {name}')
    if status != 0:
        raise RuntimeError(f'this CPU cannot run {name}')


def forced_status() -> Forced:
    """What became of ONESUM_FORCE_IMPLEMENTATION when the library was loaded."""
    return Forced(_lib.onesum_forced_status())


def selftest() -> Optional[str]:
    """Holds every implementation that this CPU can run against the definition, in some milliseconds: None, or the name of
    the first that is wrong."""
    wrong = _lib.onesum_selftest()
    return None if wrong is None else wrong.decode()


def version() -> str:
    """The library's version, such as '0.1.0'."""
    return __version__
