"""Which functions of the library use which instructions. SPDX-License-Identifier: MIT

A CPU without a feature must never meet one of its instructions outside of a kernel that needs it, whatever the compiler
inlines, and whatever a link-time optimizer moves."""
import os
import re
import subprocess
import unittest

LIBRARY = os.environ['ONESUM_LIBRARY']

# Kernels, and the sums of many headers at once.
AVX512 = r'N_AVX3|_avx512|FoldAvx512'
AVX2 = AVX512 + r'|N_AVX2|_avx2|_avx_vnni|FoldAvx2'

# What an instruction looks like, and the functions that may have it.
RULES = {
    'AVX-512': (r'%zmm|%k[0-7]|%[xy]mm(1[6-9]|2\d|3[01])', AVX512),
    'AVX': (r'%ymm|^v', AVX2),
    'VNNI': (r'^(\{vex\} )?vpdp', r'ByVnni|_vnni'),
    'BMI': (r'^(andn|bextr|bls[a-z]+|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|tzcnt|lzcnt)\s', AVX2),
    'SSSE3 or SSE4': (r'^(pshufb|palignr|phadd|pabs|psign|pmulhrsw|pmadd?ubsw|pextr[bdq]|pinsr[bdq]|pblend|pm(in|ax)[us][bdw]|pmovz|pmovs|ptest|pcmpeqq|pcmpgtq)',
                      AVX2 + r'|N_SSSE3|_ssse3'),
    'ADX': (r'^ad[co]x', r'_adx'),
}


def functions(library):
    """The instructions of each function, by its name."""
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', library], check=True, capture_output=True,
                          text=True).stdout
    name, found = None, {}
    for line in text.split('\n'):
        if head := re.fullmatch(r'[0-9a-f]+ <(.+)>:', line):
            name = head.group(1)
            found[name] = []
        elif name and (code := re.match(r'\s+[0-9a-f]+:\s+(.*)', line)):
            found[name].append(code.group(1))
    return found


class Instructions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.functions = functions(LIBRARY)

    def test_only_where_they_may_be(self):
        for feature, (instruction, allowed) in RULES.items():
            users = {name for name, code in self.functions.items()
                     if any(re.search(instruction, line.split('#')[0]) for line in code)}
            with self.subTest(feature=feature):
                self.assertEqual({name for name in users if not re.search(allowed, name)}, set())

    def test_the_kernels_have_them(self):
        """Else the rules above would look for the wrong thing."""
        for kernel, feature in [('avx512_vnni', 'AVX-512'), ('avx512', 'AVX-512'), ('avx_vnni', 'AVX'), ('avx2', 'AVX'),
                                ('adx', 'ADX')]:
            for what in ('sum', 'copy'):
                code = self.functions[f'onesum_{what}_{kernel}']
                with self.subTest(kernel=kernel, what=what):
                    self.assertTrue(any(re.search(RULES[feature][0], line) for line in code))
        self.assertTrue(any('vpdpwssd' in line for code in self.functions.values() for line in code))

    def test_wide_registers_are_left_clean(self):
        """The caller's SSE code would be slow otherwise."""
        for name, code in self.functions.items():
            if any(re.search(r'%[yz]mm', line) for line in code):
                with self.subTest(function=name):
                    self.assertTrue(any(line.startswith('vzeroupper') for line in code))

    def test_no_two_kernels_are_the_same(self):
        kernels = {}
        for name, code in self.functions.items():
            if re.fullmatch(r'onesum_sum_(?!tail)\w+', name):
                kernels.setdefault('\n'.join(re.sub(r'[0-9a-f]+ <.*', '', line) for line in code), []).append(name)
        self.assertEqual([names for names in kernels.values() if len(names) > 1], [])


if __name__ == '__main__':
    unittest.main()
