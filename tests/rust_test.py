"""The Rust crate, built offline by Debian's cargo. SPDX-License-Identifier: MIT

ONESUM_BUILD is the build folder, with the library. CARGO, RUSTC and RUSTDOC name other tools than those in /usr/bin.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATE = ROOT / 'rust/onesum'
BUILD = pathlib.Path(os.environ.get('ONESUM_BUILD', ROOT / 'build')).resolve()
TOOLS = {name.upper(): os.environ.get(name.upper(), f'/usr/bin/{name}') for name in ('cargo', 'rustc', 'rustdoc')}


def cargo(*arguments, folder=CRATE, library=True, **environment):
    environment = {**os.environ, **TOOLS, 'CARGO_TARGET_DIR': str(ROOT / 'build-all/rust'), 'CARGO_NET_OFFLINE': 'true',
                   'RUSTFLAGS': '-D warnings', 'PATH': f'/usr/bin:{os.environ["PATH"]}', **environment}
    if library:
        environment['ONESUM_LIB_DIR'] = environment['LD_LIBRARY_PATH'] = str(BUILD / 'src')
    return subprocess.run([TOOLS['CARGO'], *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


@unittest.skipUnless(os.access(TOOLS['CARGO'], os.X_OK), f'no {TOOLS["CARGO"]} here')
class Rust(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        (CRATE / 'Cargo.lock').unlink(missing_ok=True)

    def passes(self, least, *arguments, **options):
        """At least so many tests, those of the documentation among them, and none fails."""
        done = cargo('test', *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stdout)
        suites = [int(count) for count in re.findall(r'^test result: ok\. (\d+) passed', done.stdout, re.M)]
        self.assertEqual(len(suites), 4, done.stdout)
        self.assertGreaterEqual(sum(suites), least, done.stdout)
        self.assertGreaterEqual(suites[-1], 3, 'tests in the documentation')

    def test_with_the_library(self):
        self.passes(24)

    def test_without_std(self):
        self.passes(23, '--no-default-features')

    def test_with_the_amalgamation(self):
        self.passes(24, '--features', 'vendored', library=False)

    def test_with_pkg_config(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'onesum.pc').write_text(
                f'Name: onesum\nDescription: x\nVersion: 0\nLibs: -L{BUILD / "src"} -lonesum\n')
            done = cargo('test', '--lib', library=False, PKG_CONFIG_PATH=folder, LD_LIBRARY_PATH=str(BUILD / 'src'))
            self.assertIn('test result: ok. 1 passed', done.stdout)

    def test_a_program_that_depends_on_it(self):
        version = re.search(r"version: '(.*)'", (ROOT / 'meson.build').read_text()).group(1)
        with tempfile.TemporaryDirectory() as folder:
            project = pathlib.Path(folder) / 'rust'
            shutil.copytree(ROOT / 'tests/consumers/rust', project)
            (project.parent / 'onesum').symlink_to(CRATE)
            done = cargo('run', '--quiet', folder=project)
            self.assertEqual(done.stdout, f'220d {version}\n')

    def test_version(self):
        version = re.search(r"version: '(.*)'", (ROOT / 'meson.build').read_text()).group(1)
        self.assertIn(f'\nversion = "{version}"\n', (CRATE / 'Cargo.toml').read_text())

    @unittest.skipUnless(shutil.which('cargo-clippy', path=str(pathlib.Path(TOOLS['CARGO']).parent)), 'no clippy here')
    def test_clippy_has_nothing_to_say(self):
        for features in [], ['--no-default-features'], ['--features', 'vendored']:
            done = cargo('clippy', '--all-targets', *features, '--', '-D', 'warnings')
            self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == '__main__':
    unittest.main()
