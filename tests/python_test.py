"""The Python package over the shared library. SPDX-License-Identifier: MIT

Expectations are literals or the definition, byte by byte. NumPy's arrays are tested where NumPy is.
"""
import array
import ctypes
import importlib.util
import ipaddress
import mmap
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'python'))
import onesum
import onesum._library
from onesum.packet import Link, Protocol, Reason, Verdict

try:
    import numpy
except ImportError:
    numpy = None


def defined(data, seed=0):
    """The definition: the canonical partial sum, 0 only for nothing but zeros."""
    data = bytes(data)
    low, high = (0, 8) if sys.byteorder == 'little' else (8, 0)
    total = seed + sum(byte << (low if i % 2 == 0 else high) for i, byte in enumerate(data))
    return canonical(total)


def canonical(value):
    return (value - 1) % 0xffff + 1 if value else 0


def network(value):
    return int.from_bytes(value.to_bytes(2, sys.byteorder), 'big')


def noise(size, seed=1):
    return random.Random(seed).randbytes(size)


UDP = bytes.fromhex('4500001e00010000401166cc0a0000010a00000212345678000affff832b')


class Sums(unittest.TestCase):
    def test_literals(self):
        self.assertEqual(onesum.checksum(bytes.fromhex('0001f203f4f5f6f7')), 0x220d)  # RFC 1071 section 3
        self.assertEqual(onesum.checksum(b'\0\1'), 0xfffe)
        self.assertEqual(onesum.checksum(b'\1'), 0xfeff)
        self.assertEqual(onesum.checksum(b''), 0xffff)
        self.assertEqual(onesum.checksum(bytes.fromhex('aabbccddee')), 0x9a65)

    def test_every_size_and_seed(self):
        for kind in (noise(300), bytes(300), b'\xff' * 300):
            for size in range(300):
                data = kind[:size]
                expected = defined(data)
                self.assertEqual(onesum.checksum(data), network(0xffff - expected))
                for seed in (0, 1, 0xffff, 0xffffffff):
                    self.assertEqual(canonical(onesum.partial(data, seed)), canonical(expected + seed))

    def test_kinds_of_memory(self):
        data = noise(4096)
        expected, check = defined(data), onesum.checksum(data)
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                self.assertEqual(canonical(onesum.partial(mapped)), expected)
                with memoryview(mapped) as view:
                    self.assertEqual(onesum.checksum(view), check)
        for kind in (bytearray(data), memoryview(data), memoryview(bytearray(data)), array.array('I', data),
                     (ctypes.c_uint64 * 512).from_buffer_copy(data), memoryview(data).cast('H').cast('B', [64, 64])):
            self.assertEqual(canonical(onesum.partial(kind)), expected)
            self.assertEqual(onesum.checksum(kind), check)
        self.assertEqual(canonical(onesum.partial(memoryview(data)[1:1000])), defined(data[1:1000]))

    def test_what_is_no_memory_is_refused(self):
        for wrong in ('text', 5, None, [1, 2], object()):
            with self.assertRaisesRegex(TypeError, 'expected bytes or another object.*' + type(wrong).__name__):
                onesum.partial(wrong)
        with self.assertRaisesRegex(BufferError, 'C-contiguous.*contiguous copy'):
            onesum.partial(memoryview(bytes(10))[::2])
        for seed in (-1, 1 << 32):
            with self.assertRaisesRegex(ValueError, 'partial sum'):
                onesum.partial(b'', seed)

    def test_memory_is_given_back(self):
        data = bytearray(100)
        count = sys.getrefcount(data)
        for _ in range(100):
            onesum.partial(data)
            onesum.State(data)
            onesum.partial_list([data, data])
            with self.assertRaises(BufferError):
                onesum.copy(b'x' * 100, data)
            with self.assertRaises(TypeError):
                onesum.partial_list([data, 5])
        self.assertEqual(sys.getrefcount(data), count)
        data.append(1)  # which would fail while a buffer is exported

    def test_copy(self):
        data = noise(200)
        for size in range(200):
            to = bytearray(b'\xa5' * 202)
            sum = onesum.copy(memoryview(to)[1:], data[:size], 7)
            self.assertEqual(canonical(sum), defined(data[:size], 7))
            self.assertEqual(bytes(to), b'\xa5' + data[:size] + b'\xa5' * (201 - size))
        both = bytearray(100)
        with self.assertRaisesRegex(ValueError, 'overlap'):
            onesum.copy(memoryview(both)[10:], memoryview(both)[:20])
        onesum.copy(memoryview(both)[20:], memoryview(both)[:20])
        with self.assertRaisesRegex(ValueError, 'fit'):
            onesum.copy(bytearray(3), b'four')
        with self.assertRaisesRegex(BufferError, 'cannot be written'):
            onesum.copy(bytes(5), b'four')

    def test_other_threads_run_meanwhile(self):
        data = mmap.mmap(-1, 1 << 28)
        turns, done = [0], threading.Event()

        def count():
            while not done.is_set():
                turns[0] += 1
                time.sleep(0)
        thread = threading.Thread(target=count)
        thread.start()
        interval = sys.getswitchinterval()
        sys.setswitchinterval(60)  # nobody takes the lock by force, so only a call that gives it up lets others run
        try:
            before = turns[0]
            onesum.partial(data)
            after = turns[0]
        finally:
            sys.setswitchinterval(interval)
            done.set()
            thread.join()
        self.assertGreater(after, before)

    def test_arithmetic(self):
        self.assertEqual(onesum.add(0xffffffff, 1), 1)
        self.assertEqual(onesum.add(0, 0), 0)
        self.assertEqual(onesum.fold(0), 0xffff)
        self.assertEqual(onesum.fold(0xffff), 0)
        self.assertEqual(onesum.fold(0xffff, udp=True), 0xffff)
        library = onesum._library.library
        for name, *arguments in [('fold', 1), ('add', 2), ('sub', 2)]:
            function = getattr(library, 'onesum_' + name)
            function.argtypes = [ctypes.c_uint32] * arguments[0]
            function.restype = ctypes.c_uint16 if name == 'fold' else ctypes.c_uint32
        draw = random.Random(2)
        edges = [0, 1, 0xfffe, 0xffff, 0x10000, 0x1fffe, 0xfffffffe, 0xffffffff]
        for _ in range(3000):
            a, b = (draw.choice(edges) if draw.random() < .3 else draw.getrandbits(32) for _ in 'ab')
            self.assertEqual(onesum.fold(a), network(library.onesum_fold(a)))
            self.assertEqual(onesum.add(a, b), library.onesum_add(a, b))
            self.assertEqual(onesum.sub(a, b), library.onesum_sub(a, b))
        with self.assertRaises(ValueError):
            onesum.fold(-1)

    def test_pieces(self):
        data = noise(100)
        whole = defined(data)
        for cut in range(101):
            head, tail = onesum.partial(data[:cut]), onesum.partial(data[cut:])
            self.assertEqual(canonical(onesum.block_add(head, tail, cut)), whole)
            self.assertEqual(onesum.block_sub(whole, tail, cut) % 0xffff, head % 0xffff)
            self.assertEqual(onesum.fold(onesum.pull(whole, data[:cut])) % 0xffff, onesum.fold(tail) % 0xffff)
            self.assertEqual(canonical(onesum.push(tail, data[:cut])), whole)
            self.assertEqual(canonical(onesum.partial_list([data[:cut], b'', bytearray(data[cut:])])), whole)
            state = onesum.State(data[:cut])
            other = state.copy().update(data[cut:])
            self.assertEqual(canonical(other.partial()), whole)
            self.assertEqual(canonical(state.partial()), defined(data[:cut]))
            self.assertEqual(other.checksum(), onesum.checksum(data))
            self.assertEqual(canonical(onesum.partial_list([data[:7], data[7:]], cut)), defined(data[cut:]))
            self.assertEqual(canonical(onesum.partial_list([data[:7], data[7:]], cut, 9, 5)),
                             defined(data[cut:cut + 9], 5))
        self.assertEqual(onesum.partial_list([]), 0)
        self.assertEqual(canonical(onesum.partial_list([data], 0, 10**9)), whole)

    def test_copies_between_lists(self):
        data = noise(90)
        for cut in range(1, 90):
            to = [bytearray(cut), bytearray(100 - cut)]
            sum = onesum.copy_list(to, [data[:31], data[31:]], 3, 5, 60, 9)
            self.assertEqual(canonical(sum), defined(data[5:65], 9))
            self.assertEqual(b''.join(to), bytes(3) + data[5:65] + bytes(37))
        with self.assertRaisesRegex(ValueError, 'overlap'):
            onesum.copy_list([to[0]], [data, to[0]])

    def test_batch(self):
        pieces = [noise(size, size) for size in range(70)]
        self.assertEqual(onesum.batch(pieces), [onesum.checksum(piece) for piece in pieces])
        self.assertEqual(onesum.batch(pieces, range(70)), [onesum.fold(onesum.partial(piece, i))
                                                            for i, piece in enumerate(pieces)])
        self.assertEqual(onesum.batch([]), [])
        with self.assertRaises(ValueError):
            onesum.batch(pieces, [1])


@unittest.skipIf(numpy is None, 'no NumPy here')
class NumPy(unittest.TestCase):
    def test_arrays_are_read_where_they_are(self):
        for kind in ('u1', 'i2', '>u4', 'f8', 'S7'):
            data = numpy.frombuffer(noise(8 * 7 * 50), dtype=kind)
            self.assertEqual(canonical(onesum.partial(data)), defined(data.tobytes()))
            writable = data.copy()
            with onesum._library.Memory(data) as memory, onesum._library.Memory(writable, writable=True) as other:
                self.assertEqual(memory.address, data.__array_interface__['data'][0])
                self.assertEqual(other.address, writable.ctypes.data)
        square = numpy.arange(64, dtype='u2').reshape(8, 8)
        self.assertEqual(canonical(onesum.partial(square)), defined(square.tobytes()))
        self.assertEqual(canonical(onesum.partial(square[3])), defined(square[3].tobytes()))

    def test_what_is_not_contiguous_is_refused(self):
        square = numpy.arange(64, dtype='u2').reshape(8, 8)
        for wrong in (square[:, 1], square.T, square[::2], numpy.asfortranarray(square)):
            with self.assertRaisesRegex(BufferError, 'ndarray.*C-contiguous'):
                onesum.checksum(wrong)

    def test_writing(self):
        to, data = numpy.zeros(100, 'u1'), numpy.frombuffer(noise(60), 'u1')
        self.assertEqual(canonical(onesum.copy(to, data)), defined(data))
        self.assertEqual(to.tobytes(), data.tobytes() + bytes(40))
        to.flags.writeable = False
        with self.assertRaisesRegex(BufferError, 'ndarray cannot be written'):
            onesum.copy(to, data)


class Headers(unittest.TestCase):
    def test_pseudo_headers(self):
        for source, destination in [('10.0.0.1', '10.0.0.2'), (b'\x0a\0\0\1', bytearray(b'\x0a\0\0\2')),
                                    (ipaddress.ip_address('10.0.0.1'), ipaddress.ip_address('10.0.0.2'))]:
            sum = onesum.pseudo_ipv4(source, destination, 10, 17)
            self.assertEqual(onesum.fold(onesum.partial(UDP[20:], sum)), 0)
        for source, destination in [('fe80::1', 'fe80::2'),
                                    (ipaddress.ip_address('fe80::1'), ipaddress.ip_address('fe80::2').packed)]:
            sum = onesum.pseudo_ipv6(source, destination, 8, 58)
            self.assertEqual(onesum.fold(onesum.partial(bytes.fromhex('8000000012340001'), sum)), 0xffff - 0x8f7c)
        for wrong in ('10.0.0', b'\1\2\3', ipaddress.ip_address('::1')):
            with self.assertRaises((OSError, ValueError)):
                onesum.pseudo_ipv4(wrong, '10.0.0.2', 10, 17)
        with self.assertRaises(ValueError):
            onesum.pseudo_ipv4('10.0.0.1', '10.0.0.2', 10, 256)

    def test_ipv4_headers(self):
        self.assertEqual(onesum.ipv4_header(UDP), 0)
        empty = UDP[:10] + b'\0\0' + UDP[12:20]
        self.assertEqual(onesum.ipv4_header(empty), 0x66cc)
        self.assertEqual(onesum.ipv4_header(bytes.fromhex('4600002300010000401163c50a0000010a00000201010101')), 0)
        for wrong in (b'', b'\x45', b'\x46' + bytes(22)):
            with self.assertRaises(ValueError):
                onesum.ipv4_header(wrong)
        many = bytearray((UDP[:20] + b'between') * 50)
        self.assertEqual(onesum.ipv4_headers(many, 27), [0] * 50)
        many[27 * 3 + 8] ^= 1
        many[27 * 5] = 0x44
        self.assertEqual([i for i, check in enumerate(onesum.ipv4_headers(many, 27)) if check], [3, 5])
        self.assertEqual(onesum.ipv4_headers(many, 27)[5], 0xffff)
        onesum.ipv4_headers_fill(many, 27)
        self.assertEqual([i for i, check in enumerate(onesum.ipv4_headers(many, 27)) if check], [5])
        self.assertEqual(onesum.ipv4_headers(b''), [])
        with self.assertRaisesRegex(ValueError, 'passes the end'):  # never a byte outside
            onesum.ipv4_headers(b'\x45' + bytes(19) + b'\x4f' + bytes(39))
        with self.assertRaises(ValueError):
            onesum.ipv4_headers(UDP, 20, 2)
        with self.assertRaises(ValueError):
            onesum.ipv4_headers(UDP, 19)

    def test_updates(self):
        self.assertEqual(onesum.replace16(0xdd2f, 0x5555, 0x3285), 0)  # RFC 1624 section 4
        draw = random.Random(3)
        for _ in range(300):
            data = bytearray(noise(60, draw.random()))
            check = onesum.checksum(data)
            at, size = draw.randrange(40), draw.randrange(1, 20)
            before = data[at:at + size]
            data[at:at + size] = draw.randbytes(size)
            self.assertEqual(onesum.replace(check, before, data[at:at + size], at), onesum.checksum(data))
        self.assertEqual(onesum.replace32(0x66cc, 0x0a000001, 0xc0a80001), 0xb023)
        self.assertEqual(onesum.replace(0x66cc, bytes([10, 0, 0, 1]), bytes([192, 168, 0, 1])), 0xb023)
        # One difference for two checksums, and UDP's none stays none.
        change = onesum.diff([(b'\x0a\0\0\1', b'\xc0\xa8\0\1'), onesum.Change(b'\x12', b'\x21', 1)])
        self.assertEqual(onesum.replace_diff(0, change, udp=True), 0)
        self.assertNotEqual(onesum.replace_diff(0, change), 0)
        with self.assertRaisesRegex(ValueError, 'cannot become'):
            onesum.replace(0, b'12', b'123')

    def test_tunnels(self):
        inner = bytearray(UDP)
        headers = noise(16)
        self.assertEqual(onesum.fold(onesum.outer(headers, onesum.pseudo_ipv4('10.0.0.1', '10.0.0.2', 10, 17), 5)),
                         onesum.fold(onesum.partial(headers + bytes(inner[20:]), 5)))

    def test_segmentation(self):
        payload = noise(1000)
        template = bytearray(UDP[:28])
        packets = onesum.gso(template, 0, payload, 300)
        self.assertEqual([len(packet) for packet in packets], [328, 328, 328, 128])
        self.assertEqual(b''.join(packet[28:] for packet in packets), payload)
        for packet in packets:
            self.assertEqual([result.verdict for result in onesum.packet.check(packet, Link.IPV4)], [Verdict.GOOD] * 2)
        self.assertEqual(onesum.gso(b'nonsense', 0, payload, 300), [])
        self.assertEqual([len(packet) for packet in onesum.gso(template, 0, payload, 1 << 60)], [1028])
        room = bytearray(4 * 310)
        sums = onesum.segments(room, 310, 10, payload, 300)
        self.assertEqual([canonical(sum) for sum in sums], [defined(payload[i:i + 300]) for i in range(0, 1000, 300)])
        self.assertEqual(room[320:620], payload[300:600])
        with self.assertRaises(ValueError):
            onesum.segments(bytearray(900), 310, 10, payload, 300)


class Packets(unittest.TestCase):
    def test_check(self):
        good = onesum.packet.check(UDP, Link.IPV4)
        self.assertEqual([(r.protocol, r.verdict, r.offset, r.stored, r.expected) for r in good],
                         [(Protocol.IPV4, Verdict.GOOD, 10, 0x66cc, 0x66cc), (Protocol.UDP, Verdict.GOOD, 26, 0xffff, 0xffff)])
        self.assertEqual(good[1].covered, ((20, 10),))
        self.assertTrue(good[1].pseudo_header)
        self.assertFalse(good[0].pseudo_header or good[0].quoted or good[0].filled)
        bad = bytearray(UDP)
        bad[28] ^= 1
        self.assertEqual([r.verdict for r in onesum.packet.check(bad, Link.IPV4)], [Verdict.GOOD, Verdict.BAD])
        self.assertEqual(onesum.packet.check([bad[:9], b'', bad[9:27], bad[27:]], Link.IPV4),
                         onesum.packet.check(bad, Link.IPV4))
        cut = onesum.packet.check(UDP[:29], Link.RAW)
        self.assertEqual((cut[1].verdict, cut[1].reason, cut[1].expected), (Verdict.UNVERIFIABLE, Reason.TRUNCATED, None))
        self.assertEqual(onesum.packet.check(UDP, 12345), [])
        self.assertTrue(onesum.packet.link_known(Link.ETHERNET))
        self.assertFalse(onesum.packet.link_known(12345))

    def test_fill_changes_what_is_asked_for_and_no_more(self):
        bad = bytearray(UDP)
        bad[10] ^= 1
        bad[26:28] = b'\x12\x34'
        packet = bytearray(bad)
        results = onesum.packet.fill(packet, Link.IPV4)
        self.assertEqual(bytes(packet), UDP)
        self.assertEqual([(r.verdict, r.filled, r.followed) for r in results], [(Verdict.BAD, True, False)] * 2)
        packet = bytearray(bad)
        results = onesum.packet.fill(packet, Link.IPV4, protocols=[Protocol.UDP])
        self.assertEqual(bytes(packet), bytes(bad[:26]) + UDP[26:])
        self.assertEqual([r.filled for r in results], [False, True])
        packet[26:28] = b'\0\0'
        onesum.packet.fill(packet, Link.IPV4, verdicts=[Verdict.ABSENT])
        self.assertEqual(bytes(packet), bytes(bad[:26]) + UDP[26:])
        pieces = [bytearray(bad[:11]), bytearray(bad[11:27]), bytearray(bad[27:])]
        onesum.packet.fill(pieces, Link.IPV4)
        self.assertEqual(b''.join(pieces), UDP)
        with self.assertRaisesRegex(BufferError, 'cannot be written'):
            onesum.packet.fill(UDP, Link.IPV4)
        with self.assertRaises(ValueError):
            onesum.packet.fill(packet, Link.IPV4, protocols=[])

    def test_zeros_over_ipv6(self):
        packet = (bytes.fromhex('60000000000a1140') + ipaddress.ip_address('fe80::1').packed
                  + ipaddress.ip_address('fe80::2').packed + bytes.fromhex('12345678000a00006162'))
        verdict = lambda **options: onesum.packet.check(packet, Link.IPV6, **options)[0].verdict
        self.assertEqual(verdict(), Verdict.ILLEGAL_ZERO)
        self.assertEqual(verdict(allow_zero_udp6=True), Verdict.ABSENT)
        self.assertEqual(verdict(allow_zero_udp6=[0x5678]), Verdict.ABSENT)
        self.assertEqual(verdict(allow_zero_udp6=[4789]), Verdict.ILLEGAL_ZERO)
        self.assertEqual(verdict(allow_zero_udp6=[]), Verdict.ILLEGAL_ZERO)

    def test_names_are_the_librarys(self):
        library = onesum._library.library
        for kind, function in [(Protocol, library.onesum_protocol_name), (Verdict, library.onesum_verdict_name),
                               (Reason, library.onesum_reason_name)]:
            names = [(function(member) or b'none').decode().upper() for member in kind]
            self.assertEqual(names, [member.name for member in kind])
            self.assertIsNone(function(len(kind)))
            self.assertEqual((kind(200).name, kind(200) == 200, len(kind)), ('UNKNOWN_200', True, len(names)))
        header = (ROOT / 'include/onesum/packet.h').read_text()
        links = {name: int(value) for name, value in re.findall(r'ONESUM_LINK_(\w+) = (\d+)', header)}
        self.assertEqual({link.name: link.value for link in Link}, links)
        self.assertIn(f'ONESUM_PACKET_LAYERS = {onesum.packet._MOST} ', header)


class Library(unittest.TestCase):
    def test_version(self):
        version = re.search(r"version: '(.*)'", (ROOT / 'meson.build').read_text()).group(1)
        self.assertEqual(onesum.version(), version)
        self.assertIn(f'\nversion = "{version}"\n', (ROOT / 'python/pyproject.toml').read_text())

    def test_implementations(self):
        known = onesum.implementations()
        self.assertIn('generic', [one.name for one in known])
        self.assertEqual([one.name for one in known if one.active], [onesum.implementation()])
        try:
            for one in known:
                if one.supported:
                    onesum.select(one.name)
                    self.assertEqual(onesum.implementation(), one.name)
                    self.assertEqual(onesum.checksum(UDP[:20]), 0)
                else:
                    self.assertRaises(RuntimeError, onesum.select, one.name)
            self.assertRaises(LookupError, onesum.select, 'nonsense')
        finally:
            onesum.select(None)
        self.assertIsNone(onesum.selftest())

    def test_every_function_is_bound_or_done_in_python(self):
        """Of what the headers declare, what the package leaves out is named here."""
        done_in_python = {'fold', 'fold_udp', 'add', 'sub', 'rotate', 'block_add', 'block_sub', 'replace16', 'replace32',
                          'replace128', 'replace', 'replace_udp', 'replace_diff', 'replace_diff_udp', 'pull', 'push',
                          'outer', 'init', 'final'}
        of_c_only = {'load32', 'load64', 'fold64', 'add64', 'add_addresses', 'sum20', 'network32',
                     'ipv4_headers_list', 'ipv4_headers_fill_list', 'protocol_named'}
        names = set()
        for header in ROOT.glob('include/onesum/*.h'):
            text = re.sub(r'/\*.*?\*/', '', header.read_text(), flags=re.S)
            names |= set(re.findall(r'^ONESUM_(?:API|INLINE) [^;{(]*?\bonesum_(\w+)\(', text, flags=re.M))
        bound = {name for name in names if getattr(onesum._library.library, 'onesum_' + name).argtypes is not None
                 or name in ('implementation', 'forced_status', 'selftest', 'version')}
        self.assertEqual(names - bound - done_in_python - of_c_only, set())

    def run_python(self, code, **environment):
        environment = {**os.environ, 'PYTHONPATH': str(ROOT / 'python'), **environment}
        return subprocess.run([sys.executable, '-c', code], env=environment, capture_output=True, text=True)

    def test_forced_names(self):
        code = 'import onesum; print(onesum.forced_status().name, onesum.implementation())'
        self.assertEqual(self.run_python(code, ONESUM_FORCE_IMPLEMENTATION='generic').stdout, 'ACTIVE generic\n')
        self.assertIn('UNKNOWN ', self.run_python(code, ONESUM_FORCE_IMPLEMENTATION='nonsense').stdout)

    def test_a_library_that_is_not_there(self):
        done = self.run_python('import onesum', ONESUM_LIBRARY='/nowhere/libonesum.so')
        self.assertRegex(done.stderr, r'ImportError: onesum: the library libonesum was not found.*\n.*/nowhere/libonesum.so:')

    def test_the_library_beside_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / 'onesum'
            place.mkdir()
            for file in (ROOT / 'python/onesum').glob('*.py'):
                (place / file.name).write_bytes(file.read_bytes())
            (place / 'libonesum.so.0').symlink_to(onesum._library.library._name)
            done = self.run_python('import onesum._library as l; print(l.library._name)', PYTHONPATH=folder,
                                   ONESUM_LIBRARY='')
            self.assertEqual(done.stdout, f'{place}/libonesum.so.0\n')

    @unittest.skipUnless(all(importlib.util.find_spec(name) for name in ('pip', 'setuptools', 'wheel')),
                         'no pip, setuptools and wheel here')
    def test_pip_installs_it_without_a_network(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / 'python', f'{folder}/source')  # pip leaves files beside what it installs
            done = subprocess.run([sys.executable, '-m', 'pip', 'install', '--no-build-isolation', '--no-index',
                                   '--root-user-action=ignore', '--target', f'{folder}/there', f'{folder}/source'],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertTrue(pathlib.Path(folder, 'there/onesum/py.typed').exists())
            code = 'import onesum, onesum.packet; print(onesum.__file__, onesum.__version__)'
            done = self.run_python(code, PYTHONPATH=f'{folder}/there',
                                   ONESUM_LIBRARY=onesum._library.library._name)
            self.assertEqual(done.stdout, f'{folder}/there/onesum/__init__.py {onesum.__version__}\n', done.stderr)


if __name__ == '__main__':
    unittest.main()
