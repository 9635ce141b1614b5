"""Scapy by onesum and by itself: the same packets over every layer that it sums. SPDX-License-Identifier: MIT

usage: python_scapy_test.py [unittest arguments]
       python_scapy_test.py --measure [KIND]...

--measure prints what building and dissecting 100,000 packets takes both ways.
"""
import importlib
import logging
import pathlib
import random
import re
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'python'))
try:
    logging.getLogger('scapy').setLevel(logging.ERROR)  # warnings of things this machine lacks
    import scapy
    from scapy import utils
    from scapy.layers import inet, inet6
except ImportError as problem:
    print(f'skipped: no Scapy here ({problem})')
    sys.exit(77)
import onesum.scapy
from scapy.contrib import carp, cdp, eigrp, icmp_extensions, igmp, igmpv3, ospf, pim, rsvp
from scapy.layers import l2, vrrp
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_LSRR, IPerror, UDPerror, fragment
from scapy.layers.inet6 import *
from scapy.layers.l2 import GRE, Ether
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw, fuzz

conf = inet.conf
conf.route6  # resolved before anything is compared

V4 = dict(src='10.0.0.1', dst='10.0.0.2')
V6 = dict(src='2001:db8::1', dst='2001:db8::2')


def noise(size):
    return random.Random(size).randbytes(size)


def of_every_layer():
    """(name, packet) for every layer that Scapy sums; each call makes new ones."""
    for size in (0, 1, 2, 7, 100, 1399, 1400):
        load = Raw(noise(size)) if size else Raw()
        for transport in (TCP(sport=1, dport=2, seq=3, options=[('Timestamp', (1, 2))]), UDP(sport=5, dport=6)):
            yield f'{transport.name} over IPv4, {size}', IP(**V4) / transport / load
            yield f'{transport.name} over IPv6, {size}', IPv6(**V6) / transport / load
        yield f'ICMP, {size}', IP(**V4) / ICMP(id=1, seq=2) / load
        yield f'ICMPv6 echo, {size}', IPv6(**V6) / ICMPv6EchoRequest(id=1, seq=2, data=noise(size))
        yield f'GRE, {size}', IP(**V4) / GRE(chksum_present=1) / IP(**V4) / UDP() / load
    yield 'UDP that sums to 0', IP(**V4) / UDP(sport=0x1234, dport=0x5678) / Raw(b'\x83\x2b')
    yield 'UDP over IPv6 that sums to 0', IPv6(src='::1', dst='::2') / UDP(sport=0, dport=0) / Raw(b'\xff\xd5')
    yield 'TCP of zeros', IP(src='0.0.0.0', dst='0.0.0.0') / TCP(sport=0, dport=0, dataofs=0, flags=0, window=0)
    yield 'ICMP of zeros', IP(**V4) / ICMP(type=0)
    yield 'IPv4 options', IP(**V4, options=[IPOption_LSRR(routers=['10.9.9.9', '10.8.8.8'])]) / UDP() / Raw(b'odd')
    yield 'IPv4 with its own length', IP(**V4, len=40) / UDP() / Raw(b'surplus bytes')
    yield 'ICMP error', IP(**V4) / ICMP(type=3, code=1) / IPerror(**V4) / UDPerror() / Raw(b'quoted')
    yield 'ICMP extension', (IP(**V4) / ICMP(type=11) / Raw(noise(128))
                             / icmp_extensions.ICMPExtensionHeader() / icmp_extensions.ICMPExtensionMPLS())
    yield 'tunnels', (Ether(src='02:00:00:00:00:01', dst='02:00:00:00:00:02') / IP(**V4) / UDP() / VXLAN(vni=1)
                      / Ether(src='02:00:00:00:00:01', dst='02:00:00:00:00:02') / IPv6(**V6) / TCP() / Raw(noise(333)))
    yield '6in4', IP(**V4) / IPv6(**V6) / UDP() / Raw(b'six in four')

    for name, extension in [('hop by hop', IPv6ExtHdrHopByHop(options=[PadN(optdata=b'\0' * 4)])),
                            ('routing', IPv6ExtHdrRouting(addresses=['2001:db8::8', '2001:db8::9'])),
                            ('segment routing', IPv6ExtHdrSegmentRouting(addresses=['2001:db8::8', '2001:db8::9'])),
                            ('home address', IPv6ExtHdrDestOpt(options=[HAO(hoa='2001:db8::7')]))]:
        yield f'UDP behind {name}', IPv6(**V6) / extension / UDP() / Raw(b'payload')
        yield f'ICMPv6 behind {name}', IPv6(**V6) / extension / ICMPv6EchoReply(data=b'payload')
    for layer in (ICMPv6DestUnreach, ICMPv6PacketTooBig, ICMPv6TimeExceeded, ICMPv6ParamProblem):
        yield layer.__name__, IPv6(**V6) / layer() / IPv6(**V6) / UDP() / Raw(b'quoted')
    for layer in (ICMPv6MLQuery, ICMPv6MLReport, ICMPv6MLDone, ICMPv6MLQuery2, ICMPv6MLReport2, ICMPv6ND_RS, ICMPv6ND_RA,
                  ICMPv6ND_NS, ICMPv6ND_NA, ICMPv6ND_Redirect, ICMPv6NIQueryNOOP, ICMPv6NIQueryName, ICMPv6NIQueryIPv6,
                  ICMPv6NIQueryIPv4, ICMPv6NIReplyNOOP, ICMPv6NIReplyName, ICMPv6NIReplyIPv6, ICMPv6NIReplyIPv4,
                  ICMPv6NIReplyRefuse, ICMPv6NIReplyUnknown, ICMPv6MRD_Advertisement, ICMPv6MRD_Solicitation,
                  ICMPv6MRD_Termination, ICMPv6HAADRequest, ICMPv6HAADReply, ICMPv6MPSol, ICMPv6MPAdv,
                  ICMPv6RPL):
        fixed = {'nonce': b'12345678'} if layer.__name__.startswith('ICMPv6NI') else {}  # random otherwise
        yield layer.__name__, IPv6(**V6) / layer(**fixed)
    yield 'neighbour advertisement', (IPv6(**V6) / ICMPv6ND_NA(tgt='2001:db8::1')
                                      / ICMPv6NDOptDstLLAddr(lladdr='02:00:00:00:00:01'))
    for layer in (MIP6MH_BRR, MIP6MH_HoTI, MIP6MH_CoTI, MIP6MH_HoT, MIP6MH_CoT, MIP6MH_BU, MIP6MH_BA, MIP6MH_BE):
        yield layer.__name__, IPv6(**V6) / layer()

    yield 'IGMP', IP(**V4) / igmp.IGMP(type=0x16, gaddr='224.1.2.3')
    yield 'IGMPv3 query', IP(**V4) / igmpv3.IGMPv3() / igmpv3.IGMPv3mq(gaddr='224.1.2.3', srcaddrs=['10.1.1.1'])
    yield 'IGMPv3 report', (IP(**V4) / igmpv3.IGMPv3()
                            / igmpv3.IGMPv3mr(records=[igmpv3.IGMPv3gr(maddr='224.1.2.3', srcaddrs=['10.1.1.1'])]))
    yield 'PIM', IP(**V4) / pim.PIMv2Hdr(type=0) / pim.PIMv2Hello()
    yield 'OSPF hello', IP(**V4) / ospf.OSPF_Hdr(src='1.1.1.1') / ospf.OSPF_Hello(neighbors=['2.2.2.2'])
    yield 'OSPF with authentication', IP(**V4) / ospf.OSPF_Hdr(authtype=1, authdata=99) / ospf.OSPF_Hello()
    yield 'OSPF update', IP(**V4) / ospf.OSPF_Hdr() / ospf.OSPF_LSUpd(lsalist=[ospf.OSPF_Router_LSA()])
    yield 'OSPF LLS', IP(**V4) / ospf.OSPF_Hdr() / ospf.OSPF_Hello(options=0x10) / ospf.OSPF_LLS_Hdr()
    yield 'OSPFv3', IPv6(**V6) / ospf.OSPFv3_Hdr(src='1.1.1.1') / ospf.OSPFv3_Hello(router='3.3.3.3')
    yield 'VRRP', IP(**V4) / vrrp.VRRP(addrlist=['10.0.0.9'])
    yield 'VRRPv3', IP(**V4) / vrrp.VRRPv3(addrlist=['10.0.0.9'])
    yield 'VRRPv3 over IPv6', IPv6(**V6) / vrrp.VRRPv3(addrlist=['2001:db8::9'])
    yield 'CARP', IP(**V4) / carp.CARP()
    yield 'RSVP', IP(**V4) / rsvp.RSVP(Class=1) / rsvp.RSVP_Object() / Raw(b'data')
    yield 'EIGRP', IP(**V4) / eigrp.EIGRP(tlvlist=[eigrp.EIGRPParam()])
    for size in (0, 1, 2, 3):
        yield f'CDP, {size}', cdp.CDPv2_HDR(msg=[cdp.CDPMsgDeviceID(val=noise(size))])
    yield 'without an underlayer', UDP() / Raw(b'none')
    yield 'IPv4 fragments', fragment(IP(**V4) / UDP() / Raw(noise(3000)), 1000)[1]
    yield 'IPv6 fragments', fragment6(IPv6(**V6) / IPv6ExtHdrFragment(id=1) / UDP() / Raw(noise(3000)), 1280)[0]


def built(packets):
    random.seed(1)  # of which Scapy makes identifiers
    return {name: bytes(packet) for name, packet in packets}


def dissected(packets):
    """What Scapy makes of the bytes, with every field's value, and the bytes that it builds of those again."""
    seen = {}
    for name, data in packets.items():
        first = {4: IP, 6: IPv6}.get(data[0] >> 4, Raw) if not name.startswith(('CDP', 'tunnels', 'without')) else \
            {'C': cdp.CDPv2_HDR, 't': Ether, 'w': UDP}[name[0]]
        packet = first(data)
        again = packet.copy()
        for layer in again.layers():
            one = again[layer]
            for field in ('chksum', 'cksum', 'len', 'plen'):
                if hasattr(one, field) and field in one.fields:
                    delattr(one, field)
        try:
            rebuilt = bytes(again)
        except OSError as problem:  # Scapy cannot build everything that it has taken apart
            rebuilt = str(problem)
        seen[name] = repr(packet), bytes(packet), rebuilt
    return seen


class Layers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.by_itself = built(of_every_layer())
        with onesum.scapy.enabled():
            cls.by_onesum = built(of_every_layer())

    def test_packets_built(self):
        self.assertGreater(len(self.by_itself), 100)
        for name, packet in self.by_itself.items():
            with self.subTest(name):
                self.assertEqual(self.by_onesum[name].hex(), packet.hex())

    def test_packets_dissected_and_built_again(self):
        by_itself = dissected(self.by_itself)
        with onesum.scapy.enabled():
            by_onesum = dissected(self.by_itself)
        self.assertGreater(sum(isinstance(rebuilt, bytes) for _, _, rebuilt in by_itself.values()), 100)
        for name, seen in by_itself.items():
            with self.subTest(name):
                self.assertEqual(by_onesum[name], seen)

    def test_the_checksums_were_onesums(self):
        """Every one of those layers sums through the functions that were exchanged."""
        calls = []
        before = onesum.scapy._checksum, onesum.scapy._partial
        onesum.scapy._checksum = lambda data: calls.append(1) or before[0](data)
        onesum.scapy._partial = lambda data, sum: calls.append(1) or before[1](data, sum)
        try:
            with onesum.scapy.enabled():
                for name, packet in of_every_layer():
                    calls.clear()
                    bytes(packet)
                    if name not in ('without an underlayer', 'IPv4 fragments', 'IPv6 fragments'):
                        self.assertTrue(calls, name)
        finally:
            onesum.scapy._checksum, onesum.scapy._partial = before

    def test_the_packets_are_right(self):
        """What the library says of them, where it is not Scapy that is wrong."""
        for name, data in self.by_onesum.items():
            if data[0] >> 4 in (4, 6) and not name.startswith(('CDP', 'tunnels', 'without', 'IPv4 with its own')):
                for result in onesum.packet.check(data, onesum.packet.Link.RAW):
                    self.assertNotIn(result.verdict.name, ('BAD', 'ILLEGAL_ZERO'), f'{name}: {result}')

    def test_random_fields(self):
        random.seed(1)
        for layers in (lambda: IP() / fuzz(TCP() / Raw(b'abc')), lambda: IPv6(**V6) / fuzz(UDP() / Raw(b'ab')),
                       lambda: IP() / fuzz(ICMP()) / Raw(b'x')):
            for _ in range(100):
                packet = layers()
                packet = packet.__class__(bytes(packet))
                packet[packet.layers()[1]].chksum = None
                by_itself = bytes(packet)
                with onesum.scapy.enabled():
                    self.assertEqual(bytes(packet), by_itself)

    def test_bytes_of_every_size(self):
        for size in range(600):
            for data in (noise(size), bytes(size), b'\xff' * size):
                self.assertEqual(onesum.scapy.checksum(data), utils.checksum(data))


class Exchange(unittest.TestCase):
    def tearDown(self):
        onesum.scapy.disable()

    def holders(self):
        """Every name in Scapy's modules that means one of its own functions."""
        own = [id(function) for function in onesum.scapy._REPLACEMENTS]
        return {(name, attribute) for name, module in list(sys.modules.items()) if name.startswith('scapy')
                for attribute, value in list(vars(module).items()) if id(value) in own}

    def test_on_and_off(self):
        before = self.holders()
        self.assertIn(('scapy.layers.l2', 'checksum'), before)
        self.assertIn(('scapy.contrib.ospf', 'in6_chksum'), before)
        self.assertFalse(onesum.scapy.is_enabled())
        onesum.scapy.enable()
        self.assertTrue(onesum.scapy.is_enabled())
        self.assertEqual(self.holders(), set())
        onesum.scapy.enable()
        onesum.scapy.disable()
        self.assertEqual(self.holders(), before)
        with onesum.scapy.enabled():
            with onesum.scapy.enabled():
                pass
            self.assertTrue(onesum.scapy.is_enabled())
        self.assertFalse(onesum.scapy.is_enabled())
        with self.assertRaises(ZeroDivisionError):
            with onesum.scapy.enabled():
                1 / 0
        self.assertEqual(self.holders(), before)

    def test_layers_that_are_loaded_later(self):
        for name in ('scapy.contrib.igmp', 'scapy.contrib.carp'):
            saved = sys.modules.pop(name)
            try:
                onesum.scapy.enable()
                self.assertIs(importlib.import_module(name).checksum, onesum.scapy.checksum)
                onesum.scapy.disable()
                self.assertIs(sys.modules[name].checksum, utils.checksum)
            finally:
                sys.modules[name] = saved

    def test_every_module_of_scapy_that_sums_was_tried(self):
        """Scapy's own sources say which modules take one of the functions."""
        users = set()
        folder = pathlib.Path(scapy.__file__).parent
        for path in folder.rglob('*.py'):
            text = path.read_text(encoding='utf-8')
            if re.search(r'\b(?:checksum|in4_chksum|in6_chksum)\(', text) and re.search(
                    r'^from scapy\.(?:utils|layers\.inet6?) import[^#]*?\b(?:checksum|in4_chksum|in6_chksum)\b', text, re.M):
                users.add('.'.join(path.relative_to(folder.parent).with_suffix('').parts))
        self.assertGreater(len(users), 8)
        self.assertEqual(users - set(sys.modules), set())


ROUNDS = 10
ETHER = dict(src='02:00:00:00:00:01', dst='02:00:00:00:00:02')
SMALL, LARGE, SIX = noise(536), noise(1460), noise(1200)
KINDS = {
    'TCP over IPv4, no payload': lambda i: Ether(**ETHER) / IP(**V4, id=i) / TCP(seq=i),
    'TCP over IPv4, 536 bytes': lambda i: Ether(**ETHER) / IP(**V4, id=i) / TCP(seq=i) / Raw(SMALL),
    'TCP over IPv4, 1460 bytes': lambda i: Ether(**ETHER) / IP(**V4, id=i) / TCP(seq=i) / Raw(LARGE),
    'UDP over IPv6, 1200 bytes': lambda i: Ether(**ETHER) / IPv6(**V6, fl=i) / UDP() / Raw(SIX),
}


def measure(kinds):
    """Building and dissecting 100,000 packets, 25,000 of each kind: ten times the best of ten rounds, by turns so that
    both ways see the same machine."""
    for kind in kinds:
        build, dissect = {False: [], True: []}, {False: [], True: []}
        for turn in range(ROUNDS):
            for by_onesum in (turn % 2 == 0, turn % 2 == 1):
                onesum.scapy.enable() if by_onesum else onesum.scapy.disable()
                start = time.perf_counter()
                frames = [bytes(KINDS[kind](i)) for i in range(25_000 // ROUNDS)]
                middle = time.perf_counter()
                for frame in frames:
                    Ether(frame)
                build[by_onesum].append(middle - start)
                dissect[by_onesum].append(time.perf_counter() - middle)
        onesum.scapy.disable()
        times = [ROUNDS * min(rounds[by_onesum]) for rounds in (build, dissect) for by_onesum in (False, True)]
        print('{}: 25,000 built in {:.2f} s, by onesum {:.2f} s; dissected in {:.2f} s and {:.2f} s'.format(kind, *times),
              flush=True)


if __name__ == '__main__':
    if sys.argv[1:2] == ['--measure']:
        measure(sys.argv[2:] or KINDS)
    else:
        unittest.main()
