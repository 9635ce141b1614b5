"""The amalgamation as a stranger compiles it. SPDX-License-Identifier: MIT"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ['ONESUM_AMALGAMATION'])
CC = os.environ.get('ONESUM_CC', 'cc').split()
CXX = os.environ.get('ONESUM_CXX', 'c++').split()
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wcast-qual', '-Werror']

# RFC 1071 section 3, its sum and that of one byte less; then what was summed by.
CONSUMER = r'''
#include <stdio.h>
#include "onesum.h"
int main(void) {
    const unsigned char bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    const uint16_t even = onesum_checksum(bytes, 8), odd = onesum_checksum(bytes, 7);
    printf("%02x%02x ", ((const unsigned char *)&even)[0], ((const unsigned char *)&even)[1]);
    printf("%02x%02x ", ((const unsigned char *)&odd)[0], ((const unsigned char *)&odd)[1]);
    printf("%s %s\n", onesum_selftest() ? onesum_selftest() : "right", onesum_implementation());
    return 0;
}
'''

# An IPv4 header whose checksum is wrong, and filled.
PACKETS = r'''
#include <stdio.h>
#include "onesum_packet.h"
int main(void) {
    unsigned char header[20] = {0x45, 0, 0, 20, 0, 1, 0, 0, 64, 253, 0x65, 0xeb, 10, 0, 0, 1, 10, 0, 0, 2};
    struct onesum_packet_result result;
    if (onesum_packet_fill(header, 20, ONESUM_LINK_IPV4, NULL, &result, 1) != 1) return 1;
    printf("%s %02x%02x\n", onesum_verdict_name(result.verdict), header[10], header[11]);
    return 0;
}
'''


class Amalgamation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ('onesum.c', 'onesum.h', 'onesum_packet.cc', 'onesum_packet.h'):
            shutil.copy(SOURCE / name, self.folder)
        (self.folder / 'consumer.c').write_text(CONSUMER)
        (self.folder / 'packets.c').write_text(PACKETS)

    def build(self, *command):
        done = subprocess.run([*command, 'consumer.c', 'onesum.c', '-o', 'consumer'], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.stdout + done.stderr, '')
        self.assertEqual(done.returncode, 0)
        words = subprocess.run([self.folder / 'consumer'], check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(words[:3], ['220d', '2304', 'right'])
        return words[3]

    def test_c(self):
        for options in (['-std=c99', '-O0'], ['-std=c11', '-O2'], ['-std=gnu17', '-O3', '-flto=auto']):
            with self.subTest(options):
                if 'clang' in CC[0] and '-flto=auto' in options:
                    options = options[:-1]
                self.build(*CC, *options, *WARNINGS)

    def test_cpp(self):
        for standard in ('c++11', 'c++20'):
            with self.subTest(standard):
                self.build(*CXX, f'-std={standard}', '-O2', '-x', 'c++', *WARNINGS)

    def test_as_a_part_of_another_file(self):
        (self.folder / 'consumer.c').write_text(CONSUMER.replace('"onesum.h"', '"onesum.c"'))
        for compiler in [*CC, '-std=c99'], [*CC, '-std=gnu17'], [*CXX, '-std=c++11', '-x', 'c++']:
            subprocess.run([*compiler, *WARNINGS, 'consumer.c', '-o', 'consumer'], cwd=self.folder, check=True)
            words = subprocess.run([self.folder / 'consumer'], check=True, capture_output=True, text=True,
                                   env={**os.environ, 'ONESUM_FORCE_IMPLEMENTATION': 'generic'}).stdout.split()
            self.assertEqual(words, ['220d', '2304', 'right', 'generic'])

    def test_packets(self):
        """Compiled as C++, and linked as C."""
        for options in (['-std=c++17', '-O0'], ['-std=c++20', '-O2']):
            with self.subTest(options):
                done = subprocess.run([*CXX, *options, *WARNINGS, '-c', 'onesum_packet.cc'], cwd=self.folder,
                                      capture_output=True, text=True)
                self.assertEqual(done.stdout + done.stderr, '')
                self.assertEqual(done.returncode, 0)
                subprocess.run([*CC, '-O2', 'packets.c', 'onesum.c', 'onesum_packet.o', '-o', 'packets'], cwd=self.folder,
                               check=True)
                said = subprocess.run([self.folder / 'packets'], check=True, capture_output=True, text=True).stdout
                self.assertEqual(said, 'bad 65ea\n')

    def test_needs_libc_only_and_defines_just_the_functions(self):
        allowed = {'memcpy', 'memmove', 'memset', 'memcmp', 'bcmp', 'strcmp', 'getenv', 'secure_getenv', '__stack_chk_fail',
                   '__cpu_model', '__cpu_features2', '__cpu_indicator_init', '_GLOBAL_OFFSET_TABLE_'}
        for compiler, source, least in ((CC, 'onesum.c', 20), ([*CXX, '-std=c++17'], 'onesum_packet.cc', 10)):
            with self.subTest(source):
                subprocess.run([*compiler, '-O2', '-c', source, '-o', 'x.o'], cwd=self.folder, check=True)
                names = {line.split()[-1]: line.split()[-2] for line in subprocess.run(
                    ['nm', '-g', 'x.o'], cwd=self.folder, check=True, capture_output=True, text=True).stdout.splitlines()}
                undefined = {name for name, kind in names.items() if kind == 'U' and not name.startswith('onesum_')}
                self.assertEqual(undefined - allowed, set())
                defined = {name for name, kind in names.items() if kind != 'U' and not name.startswith('_ZN6onesum')
                           and not name.startswith('_ZNK6onesum')}
                self.assertEqual([name for name in defined if not name.startswith('onesum_')], [])
                self.assertGreater(len(defined), least)

    def test_as_a_part_of_another_library_only_public_functions_are_exported_or_none(self):
        options = ['-O2', '-fPIC', '-c']
        for hidden in [], ['-fvisibility=hidden', '-DONESUM_API=']:
            for compiler, source in (CC, 'onesum.c'), ([*CXX, '-std=c++17'], 'onesum_packet.cc'):
                subprocess.run([*compiler, *options, *hidden, source], cwd=self.folder, check=True)
            subprocess.run([*CC, '-shared', 'onesum.o', 'onesum_packet.o', '-o', 'x.so'], cwd=self.folder, check=True)
            exports = [line.split()[-1] for line in subprocess.run(
                ['nm', '-D', '--defined-only', 'x.so'], cwd=self.folder, check=True, capture_output=True,
                text=True).stdout.splitlines()]
            if hidden:
                self.assertEqual(exports, [])
            else:
                self.assertEqual([name for name in exports if not name.startswith('onesum_')], [])
                self.assertIn('onesum_partial', exports)
                self.assertIn('onesum_packet_check', exports)

    @unittest.skipUnless(shutil.which('tcc'), 'there is no tcc')
    def test_without_extensions_it_is_portable(self):
        self.assertEqual(self.build('tcc'), 'generic')


if __name__ == '__main__':
    unittest.main()
