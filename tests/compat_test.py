"""The headers of onesum/compat/ beside what they stand in for, from Debian. SPDX-License-Identifier: MIT

ONESUM_BUILD is the build folder, with the library and the program. What Debian has is fetched into build-all/debian and not
installed; where that cannot be had, the tests show as skipped.
"""
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'compat'))
import debian

ROOT = pathlib.Path(__file__).resolve().parent.parent
HERE = ROOT / 'tests/compat'
FETCHED = ROOT / 'build-all/debian'
BUILD = pathlib.Path(os.environ.get('ONESUM_BUILD', ROOT / 'build')).resolve()
LIBRARY = BUILD / 'src/libonesum.so'
CC, CXX = os.environ.get('CC', 'cc').split(), os.environ.get('CXX', 'c++').split()
INCLUDE = ['-I', ROOT / 'include']
WARNINGS = ['-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Werror']


def run(*command, **options):
    command = [str(word) for word in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f'{" ".join(command)}\nended with {done.returncode}:\n{done.stdout}')
    return done.stdout


class Compat(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        FETCHED.mkdir(parents=True, exist_ok=True)

    def doctest(self, *command):
        """Builds a suite over the shared library, and runs it."""
        suite = self.folder / 'suite'
        run(*CXX, '-std=c++20', '-O1', *WARNINGS, *INCLUDE, '-I', ROOT / 'tests', *command, ROOT / 'tests/main.cc',
            LIBRARY, f'-Wl,-rpath,{LIBRARY.parent}', '-o', suite)
        output = run(suite)
        self.assertRegex(output, r'test cases: +[1-9]')
        print('\n'.join(line for line in output.split('\n') if 'MESSAGE' in line))


class Linux(Compat):
    @unittest.skipUnless(platform.machine() == 'x86_64', 'the headers of x86 are inline, and of no other')
    def test_beside_the_kernels_own_inline_functions(self):
        try:
            package = debian.unpacked(debian.newest(r'linux-headers-6\.1\.[\d.-]+-common'), FETCHED)
        except debian.Unavailable as reason:
            self.skipTest(f'no kernel headers: {reason}')
        kernel, = package.glob('usr/src/linux-headers-*')
        calls = HERE / 'kernel_calls.c'
        run(*CC, '-O2', '-w', '-DREAL', '-DCALLS=real_calls', '-I', HERE / 'kernel', '-I', kernel / 'include',
            '-I', kernel / 'arch/x86/include', '-c', calls, '-o', self.folder / 'real.o')
        run(*CC, '-O2', *WARNINGS, '-DCALLS=onesum_calls', *INCLUDE, '-c', calls, '-o', self.folder / 'onesum.o')
        self.doctest(HERE / 'kernel_test.cc', self.folder / 'real.o', self.folder / 'onesum.o')


class Dpdk(Compat):
    def test_beside_rte_ip(self):
        root = pathlib.Path('/usr/include')
        if not (root / 'dpdk/rte_ip.h').exists():
            try:
                root = debian.unpacked('libdpdk-dev', FETCHED) / 'usr/include'
            except debian.Unavailable as reason:
                self.skipTest(f'no DPDK headers: {reason}')
        folders = [root / 'dpdk', *root.glob('*-linux-gnu*/dpdk')]
        options = [word for folder in folders for word in ('-isystem', folder)]
        self.doctest(*options, '-DALLOW_EXPERIMENTAL_API', HERE / 'dpdk_test.cc', HERE / 'dpdk_replace.cc')
        # The same headers in C.
        (self.folder / 'header.c').write_text('#include <rte_config.h>\n#include <onesum/compat/dpdk.h>\n')
        run(*CC, '-std=gnu11', *WARNINGS, *INCLUDE, *options, '-fsyntax-only', self.folder / 'header.c')


class Lwip(Compat):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            lwip = debian.source('lwip', FETCHED)
        except debian.Unavailable as reason:
            raise unittest.SkipTest(f'no lwIP sources: {reason}') from None
        sources = [path for part in ('core', 'core/ipv4', 'core/ipv6') for path in sorted((lwip / 'src' / part).glob('*.c'))]
        for name, options in ('onesum', ['-DONESUM', *INCLUDE]), ('lwip', []):
            folder = cls.folder / name
            folder.mkdir()
            run(*CC, '-O1', '-w', *options, '-I', HERE / 'lwip', '-I', lwip / 'src/include', '-c', *sources,
                HERE / 'lwip/loopback.c', cwd=folder)
            run(*CC, *folder.glob('*.o'), LIBRARY, f'-Wl,-rpath,{LIBRARY.parent}', '-o', folder / 'loopback')

    def loopback(self, name, *every):
        """What one program printed, and the capture."""
        capture = self.folder / f'{name}{"".join(every)}.pcap'
        return run(self.folder / name / 'loopback', capture, *every), capture

    def bad(self, capture):
        done = subprocess.run([BUILD / 'onesum', 'check', '--quiet', capture], stdout=subprocess.PIPE, text=True)
        return done.stdout.count('expected'), done.returncode

    def test_lwip_sums_and_copies_by_onesum(self):
        folder = self.folder / 'onesum'
        self.assertIn('U onesum_partial', run('nm', folder / 'inet_chksum.o'))
        self.assertIn('U onesum_copy', run('nm', folder / 'tcp_out.o'))
        self.assertNotIn('lwip_standard_chksum', run('nm', folder / 'inet_chksum.o'))

    def test_transfers_arrive_and_every_packet_is_the_same(self):
        printed, capture = self.loopback('onesum')
        self.assertEqual(printed.split('\n')[:4], [
            'TCP over IPv4: 300001 of 300001 bytes', 'TCP over IPv6: 300001 of 300001 bytes',
            'UDP over IPv4: 400 of 400 datagrams', 'UDP over IPv6: 400 of 400 datagrams'])
        self.assertRegex(printed, r'packets: \d{4}, flipped: 0, refused for their checksum: 0\n')
        self.assertEqual(self.bad(capture), (0, 0))
        own, its_capture = self.loopback('lwip')
        self.assertEqual(printed, own)
        self.assertEqual(capture.read_bytes(), its_capture.read_bytes())

    def test_a_flipped_bit_is_noticed_and_sent_again(self):
        printed, capture = self.loopback('onesum', '7')
        self.assertIn('TCP over IPv4: 300001 of 300001 bytes\nTCP over IPv6: 300001 of 300001 bytes\n', printed)
        counts = printed.split('packets: ')[1]
        flipped, refused = (int(part.split(': ')[1]) for part in counts.strip().split(', ')[1:])
        self.assertGreater(flipped, 100)
        self.assertEqual(refused, flipped)
        self.assertEqual(self.bad(capture), (flipped, 1))
        self.assertEqual(printed, self.loopback('lwip', '7')[0])


if __name__ == '__main__':
    unittest.main()
