"""Every block of code in the pages is compiled, and what it prints is what the page says. SPDX-License-Identifier: MIT

A block of C is statements, or declarations if its first line is not indented and ends a function; what they stand on is in a
comment before the block, which readers do not see:  <!-- given: declarations -->. A block of text right after one of C is
what it prints. A block of C++ is a whole file, named in a comment: <!-- file: name -->. It is compiled where it would be.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('guide*.md'))]
LIBRARY = pathlib.Path(os.environ['ONESUM_LIBRARY'])
CC = os.environ.get('ONESUM_CC', 'cc').split()
CXX = os.environ.get('ONESUM_CXX', 'c++').split()
WARNINGS = ['-Wall', '-Wextra', '-Wno-unused-variable', '-Wno-unused-but-set-variable', '-Werror', f'-I{ROOT}/include']
BLOCK = re.compile(r'(?:<!-- (given|file): (.*?) -->\n)?```(\w*)\n(.*?)```\n(?:```text\n(.*?)```\n)?', re.S)


def blocks(page):
    text = page.read_text(encoding='utf-8')
    for found in BLOCK.finditer(text):
        yield text[:found.start()].count('\n') + 1, *found.groups()


def program(given, code):
    """A block of statements as a program: its includes, the declarations given, and a function."""
    lines = code.splitlines()
    includes = [line for line in lines if line.startswith('#include')]
    body = '\n'.join(line for line in lines if not line.startswith('#include'))
    return '\n'.join(['#include <onesum/onesum.h>', '#include <stdio.h>', *includes, given or '', 'int main(void) {', body,
                      'return 0;', '}', ''])


class Guide(unittest.TestCase):
    def run_here(self, *command, **environment):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_c(self):
        printed = 0
        for page in PAGES:
            for line, kind, extra, language, code, output in blocks(page):
                if language != 'c':
                    continue
                with self.subTest(f'{page.name}:{line}'):
                    (self.folder / 'block.c').write_text(program(extra if kind == 'given' else None, code))
                    self.run_here(*CC, '-std=c11', '-O1', *WARNINGS, 'block.c', str(LIBRARY), '-o', 'block')
                    if output is not None:
                        printed += 1
                        self.assertEqual(self.run_here('./block', LD_LIBRARY_PATH=str(LIBRARY.parent)), output)
        self.assertGreater(printed, 8)

    def test_cpp(self):
        for page in PAGES:
            for line, kind, name, language, code, _ in blocks(page):
                if language == 'cpp':
                    with self.subTest(f'{page.name}:{line}'):
                        self.assertEqual(kind, 'file')
                        source = self.folder / pathlib.Path(name).name
                        source.write_text(code)
                        self.run_here(*CXX, '-std=c++20', *WARNINGS, f'-I{ROOT}/src', '-c', str(source))

    def test_no_other_language_goes_unseen(self):
        for page in PAGES:
            for line, _, _, language, _, _ in blocks(page):
                self.assertIn(language, ('c', 'cpp', 'sh', 'text'), f'{page.name}:{line}')

    def test_links_between_pages(self):
        for page in PAGES:
            text = page.read_text(encoding='utf-8')
            for target in re.findall(r'\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)', text):
                if target:
                    self.assertTrue((page.parent / target).exists(), f'{page.name}: {target}')
            headings = {re.sub(r'[^a-z0-9 -]', '', heading.lower()).replace(' ', '-')
                        for heading in re.findall(r'^#+ (.*)', text, flags=re.M)}
            for anchor in re.findall(r'\]\(#([^)]*)\)', text):
                self.assertIn(anchor, headings, page.name)


if __name__ == '__main__':
    unittest.main()
