"""Makes Scapy sum by onesum. SPDX-License-Identifier: MIT

    import onesum.scapy
    onesum.scapy.enable()

From then on whatever Scapy builds or takes apart has its checksums from libonesum, in layers that are loaded already and
in those that come later, and is the same to the byte. disable() takes that back; `with onesum.scapy.enabled():` holds for
a block. What is replaced are scapy.utils.checksum, in4_chksum and in6_chksum, wherever a module of Scapy, or __main__,
has them under a name of its own.
"""
import contextlib
import socket
import sys
from typing import Any, Callable, Dict, Iterator

import scapy.layers.inet as _inet
import scapy.layers.inet6 as _inet6
import scapy.utils as _utils

from . import checksum as _checksum
from . import fold as _fold
from . import partial as _partial

__all__ = ['enable', 'disable', 'enabled', 'is_enabled']


def checksum(pkt: bytes) -> int:
    """The checksum of some bytes, as scapy.utils.checksum gives it: in network order."""
    return _checksum(pkt)


def _sum(header: bytes) -> int:
    """The partial sum of a pseudo-header: as 2^16 is 1 modulo 0xffff, the number that all its bytes make is congruent to
    the sum of its words. 0 only for nothing but zeros."""
    number = int.from_bytes(header, sys.byteorder)
    return (number - 1) % 0xffff + 1 if number else 0


def in4_chksum(proto: int, u: Any, p: bytes) -> int:
    """The checksum of the upper-layer packet `p` over the IPv4 layer `u`, without joining it and its pseudo-header."""
    if not isinstance(u, _inet.IP):
        return _in4_chksum(proto, u, p)
    return _fold(_partial(p, _sum(_inet.in4_pseudoheader(proto, u, len(p)))))


def in6_chksum(nh: int, u: Any, p: bytes) -> int:
    """The same over IPv6. Right above an IPv6 header the addresses are its own; with extension headers between, Scapy
    says which count."""
    if isinstance(u, _inet6.IPv6):
        try:
            addresses = socket.inet_pton(socket.AF_INET6, u.src) + socket.inet_pton(socket.AF_INET6, u.dst)
            return _fold(_partial(p, _sum(addresses + len(p).to_bytes(4, 'big') + nh.to_bytes(4, 'big'))))
        except (OSError, TypeError, ValueError):
            pass  # a name or a range of addresses
    header = _inet6.in6_pseudoheader(nh, u, len(p))
    return 0 if header is None else _fold(_partial(p, _sum(bytes(header))))


_in4_chksum = _inet.in4_chksum
_REPLACEMENTS = {_utils.checksum: checksum, _inet.in4_chksum: in4_chksum, _inet6.in6_chksum: in6_chksum}


def _exchange(functions: Dict[Callable, Callable]) -> None:
    by_identity = {id(old): new for old, new in functions.items()}
    for name, module in list(sys.modules.items()):
        if name == '__main__' or name.partition('.')[0] == 'scapy':
            for attribute, value in list(vars(module).items()):
                if id(value) in by_identity:
                    setattr(module, attribute, by_identity[id(value)])


def is_enabled() -> bool:
    return _utils.checksum is checksum


def enable() -> None:
    """Scapy sums by onesum from now on."""
    _exchange(_REPLACEMENTS)


def disable() -> None:
    """Scapy sums by itself again."""
    _exchange({new: old for old, new in _REPLACEMENTS.items()})


@contextlib.contextmanager
def enabled() -> Iterator[None]:
    """Scapy sums by onesum in the `with` block, and as it did before after that."""
    before = is_enabled()
    enable()
    try:
        yield
    finally:
        if not before:
            disable()
