"""Programs of strangers, built against what is installed, by each way to find it. SPDX-License-Identifier: MIT

ONESUM_BUILD is a build folder whose targets are built. What it installs is moved elsewhere first: nothing that a consumer is
told may depend on where the prefix was.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / 'tests/consumers'
sys.path.insert(0, str(ROOT / 'scripts'))
import release  # noqa: E402

CC = os.environ.get('CC', 'cc').split()
CXX = os.environ.get('CXX', 'c++').split()
COMPILERS = {'c': [*CC, '-std=c11'], 'cc': [*CXX, '-std=c++20']}
EXPECTED = f'220d {release.version()}\n'


class Consumers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        staged = cls.folder / 'staged'
        subprocess.run(['meson', 'install', '-C', os.environ['ONESUM_BUILD'], '--no-rebuild', '--destdir', staged],
                       check=True, capture_output=True)
        header = next(staged.rglob('onesum/onesum.h'))
        cls.prefix = cls.folder / 'moved'
        header.parents[2].rename(cls.prefix)
        cls.libraries = next(cls.prefix.rglob('libonesum.so')).parent

    def run_in(self, folder, *command, **environment):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def run_program(self, program, shared):
        """The program works, and needs the shared library if it is `shared`, or else does without."""
        needed = self.run_in(self.folder, 'readelf', '-dW', program)
        (self.assertIn if shared else self.assertNotIn)('libonesum.so.0', needed)
        self.assertEqual(self.run_in(self.folder, program, LD_LIBRARY_PATH=self.libraries if shared else ''), EXPECTED)

    def compile(self, language, options, shared):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / 'program'
            self.run_in(folder, *COMPILERS[language], SOURCES / f'consumer.{language}', *options, '-o', program)
            self.run_program(program, shared)

    def pkg_config(self, *options):
        return self.run_in(self.folder, 'pkg-config', f'--define-variable=prefix={self.prefix}', *options, 'onesum',
                           PKG_CONFIG_PATH=str(self.libraries / 'pkgconfig')).split()

    def test_what_is_installed(self):
        names = {str(path.relative_to(self.prefix)).replace(str(self.libraries.relative_to(self.prefix)), 'LIB')
                 for path in self.prefix.rglob('*') if not path.is_dir()}
        version = release.version()
        for name in ('LIB/libonesum.a', 'LIB/libonesum.so', 'LIB/libonesum.so.0', f'LIB/libonesum.so.{version}',
                     'LIB/pkgconfig/onesum.pc', 'LIB/cmake/onesum/onesumConfig.cmake',
                     'LIB/cmake/onesum/onesumConfigVersion.cmake', 'include/onesum/onesum.h', 'include/onesum/onesum.hpp',
                     'include/onesum/packet.h', 'include/onesum/gso.h', 'share/man/man3/onesum.3', 'bin/onesum',
                     'share/licenses/onesum/LICENSE'):
            self.assertIn(name, names)
        # No tool of the build, no test, nothing that is not onesum's.
        self.assertEqual([name for name in names if 'onesum' not in name], [])
        self.assertEqual([name for name in names if 'test' in name], [])

    def test_the_program(self):
        self.assertEqual(self.run_in(self.folder, self.prefix / 'bin/onesum', '--version',
                                     LD_LIBRARY_PATH=self.libraries).split()[-1], release.version())

    def test_pkg_config(self):
        self.assertEqual(self.pkg_config('--modversion'), [release.version()])
        for language in COMPILERS:
            with self.subTest(language):
                self.compile(language, self.pkg_config('--cflags', '--libs'), shared=True)

    def test_pkg_config_static(self):
        for language in COMPILERS:
            with self.subTest(language):
                self.compile(language, ['-static', *self.pkg_config('--static', '--cflags', '--libs')], shared=False)

    def test_plain(self):
        for language in COMPILERS:
            with self.subTest(language):
                self.compile(language, [f'-I{self.prefix}/include', f'-L{self.libraries}', '-lonesum'], shared=True)

    def test_cmake(self):
        for name, options in (('shared', []), ('static', ['-DBUILD_SHARED_LIBS=OFF'])):
            with self.subTest(name):
                folder = self.folder / f'cmake-{name}'
                self.run_in(self.folder, 'cmake', '-S', SOURCES, '-B', folder, f'-DCMAKE_PREFIX_PATH={self.prefix}',
                            f'-DCMAKE_C_COMPILER={CC[-1]}', f'-DCMAKE_CXX_COMPILER={CXX[-1]}', *options)
                self.run_in(self.folder, 'cmake', '--build', folder)
                for kind in ('onesum', 'onesum_shared', 'onesum_static'):
                    shared = kind == 'onesum_shared' or kind == 'onesum' and name == 'shared'
                    for language in COMPILERS:
                        self.run_program(folder / f'{kind}-{language}', shared)

    def test_cmake_components(self):
        """What is asked for by name must be there; what is not known is not."""
        static_is_gone = self.folder / 'without-archive'
        shutil.copytree(self.prefix, static_is_gone, symlinks=True)
        next(static_is_gone.rglob('libonesum.a')).unlink()
        for prefix, wanted, found in ((self.prefix, 'shared static', True), (self.prefix, 'static', True),
                                      (self.prefix, 'packets', False), (static_is_gone, 'shared', True),
                                      (static_is_gone, 'static', False)):
            with self.subTest(wanted, prefix=prefix.name):
                folder = self.folder / f'cmake-{prefix.name}-{wanted.replace(" ", "-")}'
                folder.mkdir()
                (folder / 'CMakeLists.txt').write_text(
                    f'cmake_minimum_required(VERSION 3.16)\nproject(consumer C)\n'
                    f'find_package(onesum 0.1 REQUIRED COMPONENTS {wanted})\n')
                done = subprocess.run(['cmake', '-S', folder, '-B', folder / 'build', f'-DCMAKE_PREFIX_PATH={prefix}'],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                (self.assertEqual if found else self.assertNotEqual)(done.returncode, 0, done.stdout)

    def test_cmake_wants_another_version(self):
        folder = self.folder / 'cmake-version'
        folder.mkdir()
        text = (SOURCES / 'CMakeLists.txt').read_text()
        (folder / 'CMakeLists.txt').write_text(text.replace('find_package(onesum 0.1', 'find_package(onesum 1.0'))
        done = subprocess.run(['cmake', '-S', folder, '-B', folder / 'build', f'-DCMAKE_PREFIX_PATH={self.prefix}'],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(re.sub(r'\s+', ' ', done.stdout), 'compatible with requested version "1.0"')

    def test_meson_installed(self):
        self.meson('installed', PKG_CONFIG_PATH=str(self.libraries / 'pkgconfig'))

    def test_meson_subproject(self):
        """The wrap that a release makes, and its tarball; both kinds of library."""
        subprojects = self.folder / 'subproject/subprojects'
        subprojects.mkdir(parents=True)
        tarball = release.publish(self.folder / 'release')
        shutil.copytree(tarball.parent, subprojects / 'packagefiles')
        shutil.copy(tarball.parent / 'onesum.wrap', subprojects)
        self.meson('subproject', '--wrap-mode=forcefallback', '-Donesum:default_library=static')

    def meson(self, name, *options, **environment):
        folder = self.folder / name
        shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
        if environment:  # Meson's own call of pkg-config knows just one way to a moved prefix: a root folder for all
            prefix = self.run_in(folder, 'pkg-config', '--variable=prefix', 'onesum', **environment).strip()
            shutil.copytree(self.prefix, pathlib.Path(f'{self.folder}/root{prefix}'), symlinks=True)
            environment['PKG_CONFIG_SYSROOT_DIR'] = f'{self.folder}/root'
        self.run_in(folder, 'meson', 'setup', 'build', *options, **environment)
        self.run_in(folder, 'ninja', '-C', 'build', 'c', 'cc')
        for language in COMPILERS:
            self.run_program(folder / 'build' / language, shared=name == 'installed')

    def test_python(self):
        self.assertEqual(self.run_in(self.folder, sys.executable, SOURCES / 'consumer.py', PYTHONPATH=str(ROOT / 'python'),
                                     ONESUM_LIBRARY=str(self.libraries / 'libonesum.so.0')), EXPECTED)

    def test_release(self):
        """A dry run writes what a release would, from which the library builds, and leaves the repository alone."""
        folder = self.folder / 'dry-run'
        tags = subprocess.run(['git', 'tag'], cwd=ROOT, capture_output=True, text=True).stdout
        self.run_in(self.folder, sys.executable, ROOT / 'scripts/release.py', '--dry-run', '--url', 'https://example.org/',
                    folder)
        self.assertEqual(tags, subprocess.run(['git', 'tag'], cwd=ROOT, capture_output=True, text=True).stdout)
        self.run_in(folder, 'sha256sum', '-c', 'SHA256SUMS')
        name = f'onesum-{release.version()}.tar.gz'
        self.assertIn(f'source_url = https://example.org/{name}', (folder / 'onesum.wrap').read_text())
        # The same sources give the same bytes, so that anybody can check a release.
        again = release.publish(self.folder / 'again', 'https://example.org/')
        self.assertEqual(again.read_bytes(), (folder / name).read_bytes())

    def test_amalgamation(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_in(folder, sys.executable, ROOT / 'scripts/amalgamate.py', folder)
            shutil.copy(SOURCES / 'consumer.c', folder)
            self.run_in(folder, *CXX, '-std=c++17', '-O2', '-c', 'onesum_packet.cc')
            self.run_in(folder, *CC, '-O2', 'consumer.c', 'onesum.c', 'onesum_packet.o', '-o', 'program')
            self.run_program(pathlib.Path(folder) / 'program', shared=False)


if __name__ == '__main__':
    unittest.main()
