"""What the shared library and its headers promise to linkers and compilers. SPDX-License-Identifier: MIT"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'scripts'))
import exports

LIBRARY = os.environ['ONESUM_LIBRARY']
INCLUDE = ROOT / 'include'
HEADERS = sorted(INCLUDE.glob('onesum/*.h'))
STAND_ALONE = HEADERS + [INCLUDE / 'onesum/compat/linux.h', INCLUDE / 'onesum/compat/lwip.h']
CC = os.environ.get('ONESUM_CC', 'cc').split()
CXX = os.environ.get('ONESUM_CXX', 'c++').split()
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wcast-qual', '-Werror', '-fsyntax-only']


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Symbols(unittest.TestCase):
    def test_exports_are_just_the_declared_functions(self):
        lines = output('nm', '-D', '--defined-only', LIBRARY).split('\n')
        exported = {line.split()[-1].split('@')[0] for line in lines if line}
        declared = exports.declared(HEADERS)
        self.assertGreater(len(declared), 20)
        self.assertEqual(exported, declared)

    def test_needs_libc_only(self):
        needed = re.findall(r'\(NEEDED\).*\[(.*)\]', output('readelf', '-dW', LIBRARY))
        self.assertEqual([name for name in needed if not re.match(r'libc\.so|ld-linux|ld64', name)], [])

    def test_soname(self):
        self.assertEqual(re.findall(r'\(SONAME\).*\[(.*)\]', output('readelf', '-dW', LIBRARY)), ['libonesum.so.0'])

    def test_no_executable_stack_no_text_relocations_full_relro(self):
        headers = output('readelf', '-lW', LIBRARY)
        stack = re.search(r'GNU_STACK\s.*', headers).group()
        self.assertNotIn('E', stack.split()[-2])
        self.assertIn('GNU_RELRO', headers)
        dynamic = output('readelf', '-dW', LIBRARY)
        self.assertNotIn('TEXTREL', dynamic)
        self.assertIn('NOW', dynamic)

    def test_nothing_runs_before_main_but_one_constructor(self):
        size = int(re.search(r'INIT_ARRAYSZ\)\s+(\d+)', output('readelf', '-dW', LIBRARY)).group(1))
        pointer = 8 if 'ELF64' in output('readelf', '-hW', LIBRARY) else 4
        self.assertLessEqual(size, 2 * pointer)  # the compiler's frame_dummy and ours

    @unittest.skipUnless('X86-64' in output('readelf', '-hW', LIBRARY), 'x86-64 only')
    def test_shadow_stack_and_landings_of_indirect_branches(self):
        """The library is marked for a shadow stack. All of its own code could also run under indirect branch tracking:
        what may be reached through a pointer begins with endbr64, assembly included. SECURITY.md says why it is not
        marked so."""
        self.assertIn('SHSTK', output('readelf', '-nW', LIBRARY))
        first, taken, function = {}, set(), None
        for line in output('objdump', '-d', '--no-show-raw-insn', LIBRARY).split('\n'):
            head = re.match(r'([0-9a-f]+) <(.+)>:$', line)
            if head:
                function, start = head.group(2), int(head.group(1), 16)
                continue
            if function and start not in first and '\t' in line:
                first[start] = (function, line.split('\t')[1].split()[0])
            address = re.search(r'\tlea .*# ([0-9a-f]+) <', line)
            if address:
                taken.add(int(address.group(1), 16))
        # Addresses in tables of pointers, such as that of the kernels, and what the library exports.
        relocations = output('readelf', '-rW', LIBRARY)
        taken |= {int(value, 16) for value in re.findall(r'R_X86_64_RELATIVE\s+([0-9a-f]+)', relocations)}
        exports = output('nm', '-D', LIBRARY)
        taken |= {int(value, 16) for value in re.findall(r'^([0-9a-f]+) T onesum_', exports, flags=re.M)}
        ours = re.compile('onesum_|_ZN6onesum|_ZN12_GLOBAL__N_1')
        reached = [first[address] for address in taken if address in first and ours.match(first[address][0])]
        self.assertGreater(len(reached), 30)
        self.assertEqual([name for name, instruction in reached if instruction != 'endbr64'], [])

    def test_no_writable_code(self):
        for flags in re.findall(r'^  LOAD .*? ([R ][W ][E ]) 0x', output('readelf', '-lW', LIBRARY), flags=re.M):
            self.assertFalse('W' in flags and 'E' in flags)


class Headers(unittest.TestCase):
    """Each public header compiles by itself, without a warning, in each language it is written for."""

    def compile(self, compiler, standard, language, text):
        with tempfile.NamedTemporaryFile('w', suffix='.' + language) as source:
            source.write(text)
            source.flush()
            done = subprocess.run([*compiler, f'-std={standard}', *WARNINGS, f'-I{INCLUDE}', source.name],
                                  capture_output=True, text=True)
            self.assertEqual(done.stdout + done.stderr, '')
            self.assertEqual(done.returncode, 0)

    def test_c(self):
        for header in STAND_ALONE:
            for standard in ('c99', 'c11', 'gnu89', 'gnu17'):
                if standard == 'gnu89' and 'clang' in CC[0]:
                    continue
                with self.subTest(header=header.name, standard=standard):
                    self.compile(CC, standard, 'c', f'#include <{header.relative_to(INCLUDE)}>\n')

    def test_cpp(self):
        for header in STAND_ALONE:
            for standard in ('c++11', 'c++17', 'c++20'):
                with self.subTest(header=header.name, standard=standard):
                    self.compile(CXX, standard, 'cc', f'#include <{header.relative_to(INCLUDE)}>\n')

    def test_hpp(self):
        self.compile(CXX, 'c++20', 'cc', '#include <onesum/onesum.hpp>\n')

    def test_hpp_wraps_every_function_and_its_test_calls_every_one(self):
        text = (INCLUDE / 'onesum/onesum.hpp').read_text()
        # What the inline functions are made of: of use for pointers to a fixed number of bytes only.
        without = {'onesum_load32', 'onesum_load64', 'onesum_add64', 'onesum_add_addresses', 'onesum_fold64',
                   'onesum_network32', 'onesum_sum20'}
        called = set(re.findall(r'\b(onesum_\w+)\(', re.sub(r'//.*', '', text)))
        self.assertEqual(exports.declared(HEADERS) - called, without)
        wrappers = set(re.findall(r'^inline [^(]*?(\w+)\(', text, flags=re.M))
        self.assertGreater(len(wrappers), 40)
        tests = (ROOT / 'tests/hpp_test.cc').read_text()
        self.assertEqual({name for name in wrappers if f'onesum::{name}(' not in tests}, set())

    def test_debian_knows_every_symbol(self):
        text = (ROOT / 'packaging/debian/libonesum0.symbols').read_text()
        self.assertEqual(set(re.findall(r'^ (onesum_\w+)@', text, flags=re.M)), exports.declared(HEADERS))


if __name__ == '__main__':
    unittest.main()
