"""The library's ABI against the last release's. SPDX-License-Identifier: MIT"""
import os
import pathlib
import platform
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / 'packaging/abi/x86_64.abi'


@unittest.skipUnless(shutil.which('abidiff') and platform.machine() == 'x86_64', 'no abidiff here, or no x86-64')
class Abi(unittest.TestCase):
    def check(self, kept):
        done = subprocess.run([ROOT / 'scripts/check-abi'], env={**os.environ, 'ONESUM_ABI': str(kept)}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def changed(self, before, after):
        """A release which had something that is otherwise now."""
        text = KEPT.read_text()
        self.assertIn(before, text)
        with tempfile.NamedTemporaryFile('w', suffix='.abi') as file:
            file.write(text.replace(before, after))
            file.flush()
            return self.check(file.name)

    def test_is_the_last_releases_or_more(self):
        status, output = self.check(KEPT)
        self.assertEqual(status, 0, output)

    def test_what_would_break_programs_is_noticed(self):
        size = "class-decl name='onesum_gso_packet' size-in-bits='"
        for before, after, said in (('onesum_fold_udp', 'onesum_fold_gone', 'onesum_fold_gone'),
                                    (f"{size}384'", f"{size}320'", 'onesum_gso_packet')):
            with self.subTest(said):
                status, output = self.changed(before, after)
                self.assertNotEqual(status, 0)
                self.assertIn(said, output)


if __name__ == '__main__':
    unittest.main()
