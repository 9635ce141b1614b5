"""What the assembly of arm64 and RISC-V is made of. SPDX-License-Identifier: MIT

ONESUM_OBJECTS is the archive of the library's objects, ONESUM_OBJDUMP the disassembler of the target."""
import os
import re
import subprocess
import sys
import unittest

OBJECTS = os.environ['ONESUM_OBJECTS']
OBJDUMP = os.environ['ONESUM_OBJDUMP']
ARM64 = os.environ['ONESUM_ARCHITECTURE'] == 'aarch64'

KERNELS = ['fused', 'neon', 'sve'] if ARM64 else ['rvv']
NAMES = [f'onesum_{what}_{kernel}' for kernel in KERNELS for what in ('sum', 'copy')]

# Registers that belong to the caller: x18 to the system, x19 to x29 and v8 to v15; ra, gp, tp and s0 to s11.
CALLERS = (r'\b([xw](1[89]|2\d)|[vzqd]([89]|1[0-5]))\b' if ARM64 else r'\b(ra|gp|tp|s\d+)\b')
VECTORS = r'\b[vzqdshb]\d+\b|\{' if ARM64 else r'\bv\d+\b'
BRANCH = r'(b|b\..*|cbn?z|tbn?z|br)$' if ARM64 else r'(b.+|j.*)$'


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def functions():
    """[(instruction, operands)] of each function, by its name."""
    name, found = None, {}
    for line in run(OBJDUMP, '-d', '--no-show-raw-insn', OBJECTS).split('\n'):
        if head := re.fullmatch(r'[0-9a-f]+ <(.+)>:', line):
            if not head.group(1).startswith('.L'):  # a label is a place in its function
                name = head.group(1)
                found[name] = []
        elif name and (code := re.match(r'\s+[0-9a-f]+:\s+(\S+)\s*([^<#/]*)', line)):
            found[name].append(code.groups())
    return found


class Assembly(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.functions = functions()

    def test_the_callers_registers_are_left_alone(self):
        for name in NAMES:
            with self.subTest(function=name):
                self.assertEqual([line for line in self.functions[name] if re.search(CALLERS, line[1])], [])

    def test_vectors_are_where_they_should_be(self):
        for name in NAMES:
            with self.subTest(function=name):
                found = any(re.search(VECTORS, operands) for _, operands in self.functions[name])
                self.assertEqual(found, not name.endswith('_fused'))

    def test_short_sizes_do_not_branch(self):
        """One branch tells short sizes from longer ones; what follows for the short ones has no other."""
        for name in NAMES:
            if name.endswith(('_neon', '_sve')):
                continue
            with self.subTest(function=name):
                code = [word for word, _ in self.functions[name]]
                short = code[:next(i for i, word in enumerate(code) if word in ('ret', 'j'))]
                self.assertEqual(len([word for word in short if re.match(BRANCH, word)]), 1)

    @unittest.skipUnless(ARM64, 'arm64 only')
    def test_marks(self):
        """Every object may run under branch target identification and pointer authentication."""
        notes = re.split(r'^File: ', run('readelf', '-n', OBJECTS), flags=re.M)[1:]
        self.assertGreater(len(notes), len(KERNELS))
        self.assertEqual([note.split('\n')[0] for note in notes if 'BTI, PAC' not in note], [])

    @unittest.skipUnless(ARM64, 'arm64 only')
    def test_landings(self):
        for name in NAMES:
            with self.subTest(function=name):
                self.assertEqual(self.functions[name][0][0], 'bti')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])  # other suites of the same run get options
