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
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Werror']

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


class Amalgamation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ('onesum.c', 'onesum.h'):
            shutil.copy(SOURCE / name, self.folder)
        (self.folder / 'consumer.c').write_text(CONSUMER)

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

    def test_needs_libc_only_and_defines_just_the_functions(self):
        subprocess.run([*CC, '-O2', '-c', 'onesum.c'], cwd=self.folder, check=True)
        lines = subprocess.run(['nm', '-g', 'onesum.o'], cwd=self.folder, check=True, capture_output=True,
                               text=True).stdout.splitlines()
        allowed = {'memcpy', 'memset', 'memcmp', 'strcmp', 'getenv', 'secure_getenv', '__stack_chk_fail',
                   '__cpu_model', '__cpu_indicator_init', '_GLOBAL_OFFSET_TABLE_'}
        undefined = {line.split()[-1] for line in lines if ' U ' in line}
        self.assertEqual(undefined - allowed, set())
        defined = {line.split()[-1] for line in lines if ' U ' not in line}
        self.assertEqual([name for name in defined if not name.startswith('onesum_')], [])
        self.assertGreater(len(defined), 20)

    def test_as_a_part_of_another_library_it_can_be_hidden(self):
        subprocess.run([*CC, '-O2', '-shared', '-fPIC', '-fvisibility=hidden', '-DONESUM_API=', 'onesum.c', '-o', 'x.so'],
                       cwd=self.folder, check=True)
        exports = subprocess.run(['nm', '-D', '--defined-only', 'x.so'], cwd=self.folder, check=True,
                                 capture_output=True, text=True).stdout
        self.assertNotIn('onesum', exports)

    @unittest.skipUnless(shutil.which('tcc'), 'there is no tcc')
    def test_without_extensions_it_is_portable(self):
        self.assertEqual(self.build('tcc'), 'generic')


if __name__ == '__main__':
    unittest.main()
