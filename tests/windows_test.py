"""The DLL and the program for Windows. SPDX-License-Identifier: MIT"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'scripts'))
import exports

LIBRARY = os.environ['ONESUM_LIBRARY']
PROGRAM = os.environ['ONESUM_PROGRAM']
OBJDUMP = os.environ['ONESUM_OBJDUMP']
WINE = os.environ['ONESUM_WINE'].split()
COMPILER = 'x86_64-w64-mingw32-gcc-posix'
HEADERS = (ROOT / 'include/onesum').glob('*.h')


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def onesum(*arguments, stdin=b'', forced=None):
    """(exit status, output, messages) of a run of the program."""
    environment = {**os.environ, 'WINEDEBUG': '-all', 'WINEPATH': str(pathlib.Path(LIBRARY).parent)}
    environment.pop('ONESUM_FORCE_IMPLEMENTATION', None)
    if forced is not None:
        environment['ONESUM_FORCE_IMPLEMENTATION'] = forced
    done = subprocess.run([*WINE, PROGRAM, *arguments], input=stdin, capture_output=True, env=environment)
    return done.returncode, done.stdout.decode().replace('\r\n', '\n'), done.stderr.decode()


class Windows(unittest.TestCase):
    def test_exports_are_just_the_declared_functions(self):
        table = output(OBJDUMP, '-p', LIBRARY).partition('[Ordinal/Name Pointer] Table')[2]
        exported = set(re.findall(r'^\s*\[\s*\d+\][^\n]*?(\w+)$', table, flags=re.M))
        self.assertGreater(len(exported), 20)
        self.assertEqual(exported, exports.declared(HEADERS))

    def test_needs_the_system_only(self):
        needed = set(re.findall(r'DLL Name: (\S+)', output(OBJDUMP, '-p', LIBRARY)))
        self.assertEqual(needed - {'KERNEL32.dll', 'msvcrt.dll'}, set())

    def test_no_vector_is_expected_to_be_aligned(self):
        """The stack is aligned to 16 bytes only, whatever the compiler takes it for."""
        code = output(OBJDUMP, '-d', '--no-show-raw-insn', LIBRARY)
        self.assertIn('%zmm', code)
        self.assertEqual(re.findall(r'.*vmov(?:dqa|aps|apd|ntdq)\S* [^#\n]*\([^#\n]*%[yz]mm.*|'
                                    r'.*vmov(?:dqa|aps|apd|ntdq)\S* [^#\n]*%[yz]mm[^#\n]*\(.*', code), [])

    def test_sum(self):
        self.assertEqual(onesum('sum', stdin=b'\x00\x01'), (0, '0xfffe  -\n', ''))
        # RFC 1071 section 3; and bytes that a text file would not bring through: the end of a file, and of a line.
        self.assertEqual(onesum('sum', stdin=bytes.fromhex('0001f203f4f5f6f7'))[1], '0x220d  -\n')
        self.assertEqual(onesum('sum', stdin=b'\x1a\r\n\x00')[1], '0xdbf2  -\n')
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'file'
            path.write_bytes(b'\xff\xfe\x0d\x0a\x1a' * 300001)
            status, text, _ = onesum('sum', str(path))
            words = path.read_bytes() + b'\0'
            total = sum(int.from_bytes(words[at:at + 2], 'big') for at in range(0, len(words), 2))
            self.assertEqual((status, text.split()[0]), (0, f'0x{0xffff - ((total - 1) % 0xffff + 1):04x}'))
            status, text, message = onesum('sum', str(path) + '-absent')
            self.assertEqual((status, text), (2, ''))
            self.assertIn('No such file', message)

    def test_info_and_each_implementation_forced(self):
        status, text, _ = onesum('info', '--json')
        self.assertEqual(status, 0)
        info = json.loads(text)
        names = [one['name'] for one in info['implementations']]
        self.assertEqual(names, ['avx512_vnni', 'avx512', 'avx_vnni', 'avx2', 'ssse3', 'adc', 'adx', 'jump_table', 'generic'])
        self.assertEqual(sum(one['active'] for one in info['implementations']), 1)
        self.assertEqual(next(one['name'] for one in info['implementations'] if one['supported']),
                         next(one['name'] for one in info['implementations'] if one['active']))
        for one in info['implementations']:
            with self.subTest(name=one['name']):
                status, text, message = onesum('sum', stdin=b'\x00\x01', forced=one['name'])
                self.assertEqual((status, text), (0, '0xfffe  -\n') if one['supported'] else (2, ''))
                self.assertEqual('this CPU cannot run it' in message, not one['supported'])
        status, _, message = onesum('sum', forced='nonsense')
        self.assertEqual(status, 2)
        self.assertIn('there is no such implementation; choose one of: ', message)

    @unittest.skipUnless(pathlib.Path('/proc/cpuinfo').exists(), 'no /proc/cpuinfo')
    def test_the_probe_finds_what_the_system_finds(self):
        flags = set(re.search(r'^flags\s*:(.*)', pathlib.Path('/proc/cpuinfo').read_text(), flags=re.M)[1].split())
        flags |= {'lzcnt'} if 'abm' in flags else set()
        found = set(json.loads(onesum('info', '--json')[1])['features'])
        known = {'ssse3', 'sse4_1', 'sse4_2', 'pclmulqdq', 'aes', 'adx', 'bmi1', 'bmi2', 'lzcnt', 'fma', 'f16c', 'avx',
                 'avx2', 'avx_vnni', 'avx512f', 'avx512cd', 'avx512dq', 'avx512bw', 'avx512vl', 'avx512_vnni'}
        self.assertEqual(found, flags & known)

    def test_selftest(self):
        status, text, _ = onesum('selftest')
        self.assertEqual(status, 0)
        self.assertIn('generic: right\n', text)

    @unittest.skipUnless(shutil.which('cmake') and shutil.which(COMPILER), 'no cmake here, or no mingw-w64')
    def test_a_program_that_finds_what_is_installed_by_cmake(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run(['meson', 'install', '-C', pathlib.Path(LIBRARY).parents[1], '--no-rebuild', '--destdir', folder],
                           check=True, capture_output=True)
            prefix = next(folder.rglob('onesum/onesum.h')).parents[2]
            (folder / 'CMakeLists.txt').write_text(
                'cmake_minimum_required(VERSION 3.16)\nproject(consumer C)\nfind_package(onesum 0.1 REQUIRED)\n'
                'foreach(kind shared static)\n'
                f'  add_executable(${{kind}} {ROOT}/tests/consumers/consumer.c)\n'
                '  target_link_libraries(${kind} PRIVATE onesum::onesum_${kind})\nendforeach()\n')
            subprocess.run(['cmake', '-S', folder, '-B', folder / 'build', '-DCMAKE_SYSTEM_NAME=Windows',
                            f'-DCMAKE_C_COMPILER={COMPILER}', f'-DCMAKE_PREFIX_PATH={prefix}'], check=True, capture_output=True)
            subprocess.run(['cmake', '--build', folder / 'build'], check=True, capture_output=True)
            for kind, dll in ('shared', True), ('static', False):
                program = folder / f'build/{kind}.exe'
                (self.assertIn if dll else self.assertNotIn)('libonesum-0.dll', output(OBJDUMP, '-p', program))
                done = subprocess.run([*WINE, program], capture_output=True, text=True, env={
                    **os.environ, 'WINEDEBUG': '-all', 'WINEPATH': str(prefix / 'bin')})
                self.assertEqual((done.returncode, done.stdout.split()[0]), (0, '220d'))

    def test_wrong_usage(self):
        self.assertEqual(onesum('check', 'a.pcap')[0], 2)
        self.assertEqual(onesum()[0], 2)
        self.assertEqual(onesum('--version')[1], 'onesum 0.1.0\n')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])  # other suites of the same run get options
