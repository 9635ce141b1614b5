"""The program onesum: exit statuses, messages, output. SPDX-License-Identifier: MIT

ONESUM_PROGRAM names the program.
"""
import json
import os
import resource
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ['ONESUM_PROGRAM'])


def run(*arguments, data=b'', **environment):
    """(exit status, standard output, standard error) of the program."""
    names = dict(os.environ, LC_ALL='C')
    names.pop('ONESUM_FORCE_IMPLEMENTATION', None)
    done = subprocess.run([PROGRAM, *arguments], input=data, capture_output=True, env=dict(names, **environment), timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Folder(unittest.TestCase):
    """Each test in a folder of its own."""

    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.mkdtemp()
        os.chdir(self.folder)

    def tearDown(self):
        os.chdir(self.before)
        shutil.rmtree(self.folder)

    def write(self, name, data):
        with open(name, 'wb') as file:
            file.write(data)
        return name


class Usage(unittest.TestCase):
    def test_version(self):
        status, out, err = run('--version')
        self.assertEqual((status, err), (0, ''))
        self.assertRegex(out, r'^onesum \d+\.\d+\.\d+\n$')

    def test_help(self):
        for arguments in ['--help'], ['info', '--help'], ['sum', '--help'], ['selftest', '--help']:
            status, out, err = run(*arguments)
            self.assertEqual((status, err), (0, ''))
            self.assertIn('Usage: onesum', out)
        self.assertIn('Examples:\n  onesum', run('--help')[1])
        self.assertIn('Examples:\n  onesum sum', run('sum', '--help')[1])

    def test_wrong(self):
        for arguments in [], ['nonsense'], ['--nonsense'], ['info', '--nonsense'], ['info', 'nonsense'], ['sum', '--json'], ['selftest', 'x']:
            status, out, err = run(*arguments)
            self.assertEqual((status, out), (2, ''), arguments)
            self.assertNotEqual(err, '')

    def test_output_that_cannot_be_written(self):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, 'info'], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (2, b'onesum: standard output: No space left on device\n'))


class Info(unittest.TestCase):
    def test_json(self):
        status, out, err = run('info', '--json')
        self.assertEqual((status, err, out.count('\n')), (0, '', 1))
        info = json.loads(out)
        self.assertEqual(list(info), ['version', 'cpu', 'features', 'implementations', 'forced'])
        self.assertEqual('onesum ' + info['version'] + '\n', run('--version')[1])
        self.assertIsInstance(info['cpu'], str)
        self.assertTrue(all(isinstance(name, str) for name in info['features']))
        for one in info['implementations']:
            self.assertEqual(list(one), ['name', 'supported', 'active'])
        self.assertEqual(info['implementations'][-1]['name'], 'generic')
        self.assertTrue(info['implementations'][-1]['supported'])
        active = [one for one in info['implementations'] if one['active']]
        self.assertEqual(len(active), 1)
        self.assertTrue(active[0]['supported'])
        self.assertEqual(info['forced'], {'name': None, 'status': 'none'})

    def test_text(self):
        status, out, err = run('info')
        self.assertEqual((status, err), (0, ''))
        info = json.loads(run('info', '--json')[1])
        self.assertIn('CPU       ' + (info['cpu'] or 'unknown') + '\n', out)
        self.assertIn('forced    none\n', out)
        for one in info['implementations']:
            yes_or_no = ('yes' if one['supported'] else 'no', 'yes' if one['active'] else '')
            self.assertIn('%-14s  %-9s  %-6s' % (one['name'], *yes_or_no), out)


class Forced(unittest.TestCase):
    def test_followed(self):
        for one in json.loads(run('info', '--json')[1])['implementations']:
            if not one['supported']:
                continue
            status, out, err = run('info', '--json', ONESUM_FORCE_IMPLEMENTATION=one['name'])
            self.assertEqual((status, err), (0, ''))
            info = json.loads(out)
            self.assertEqual(info['forced'], {'name': one['name'], 'status': 'active'})
            self.assertEqual([other['name'] for other in info['implementations'] if other['active']], [one['name']])
            self.assertEqual(run('sum', data=b'\0\1', ONESUM_FORCE_IMPLEMENTATION=one['name'])[:2], (0, '0xfffe  -\n'))

    def test_empty_is_none(self):
        status, out, err = run('info', '--json', ONESUM_FORCE_IMPLEMENTATION='')
        self.assertEqual((status, err), (0, ''))
        self.assertEqual(json.loads(out)['forced'], {'name': None, 'status': 'none'})

    def assert_refused(self, name, status_word, text):
        names = [one['name'] for one in json.loads(run('info', '--json')[1])['implementations'] if one['supported']]
        message = f'onesum: ONESUM_FORCE_IMPLEMENTATION={name}: {text}; choose one of: {", ".join(names)}\n'
        for arguments in ['info'], ['sum'], ['selftest']:
            status, out, err = run(*arguments, ONESUM_FORCE_IMPLEMENTATION=name)
            self.assertEqual((status, err), (2, message))
            if arguments != ['info']:
                self.assertEqual(out, '')
        status, out, err = run('info', '--json', ONESUM_FORCE_IMPLEMENTATION=name)
        self.assertEqual((status, err), (2, message))
        self.assertEqual(json.loads(out)['forced'], {'name': name, 'status': status_word})

    def test_unknown(self):
        self.assert_refused('nonsense', 'unknown', 'there is no such implementation')

    def test_unsupported(self):
        missing = [one['name'] for one in json.loads(run('info', '--json')[1])['implementations'] if not one['supported']]
        if not missing:
            self.skipTest('this CPU can run every implementation')
        self.assert_refused(missing[0], 'unsupported', 'this CPU cannot run it')


class Selftest(unittest.TestCase):
    def test_right(self):
        status, out, err = run('selftest')
        self.assertEqual((status, err), (0, ''))
        self.assertIn('generic: right\n', out)


class Sum(Folder):
    def test_literals(self):
        for data, text in [(b'', '0xffff'), (b'\0\1', '0xfffe'), (b'\1', '0xfeff'), (b'\xff\xff', '0x0000'),
                           (b'\x80\0' * 3, '0x7ffe'),
                           (bytes.fromhex('0001f203f4f5f6f7'), '0x220d'),  # RFC 1071 section 3
                           (bytes.fromhex('45000073000040004011b861c0a80001c0a800c7'), '0x0000')]:
            self.assertEqual(run('sum', data=data), (0, text + '  -\n', ''))
            self.assertEqual(run('sum', '-', data=data), (0, text + '  -\n', ''))
            self.assertEqual(run('sum', self.write('file', data)), (0, text + '  file\n', ''))

    def test_many_files_and_some_that_cannot_be_read(self):
        self.write('one', b'\0\1')
        self.write('sum', b'\0\2')
        os.mkdir('folder')
        status, out, err = run('sum', 'one', 'missing', 'sum', 'folder', '-', data=b'\0\3')
        self.assertEqual(status, 2)
        self.assertEqual(out, '0xfffe  one\n0xfffd  sum\n0xfffc  -\n')
        self.assertEqual(err, 'onesum: missing: No such file or directory\nonesum: folder: Is a directory\n')

    def test_names_after_two_dashes(self):
        self.write('-x', b'\0\1')
        self.assertEqual(run('sum', '--', '-x'), (0, '0xfffe  -x\n', ''))

    def test_any_size_in_constant_memory(self):
        # 150 MB and a byte, in odd pieces: 0xff everywhere is 0 modulo 0xffff, the last byte is 0xff00.
        size, piece = 150_000_001, b'\xff' * 99_991

        def feed(to):
            with to:
                for left in range(size, 0, -len(piece)):
                    to.write(piece[:left])

        feed(open('large', 'wb'))
        for arguments in ['sum'], ['sum', 'large']:
            program = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            if arguments == ['sum']:
                feed(program.stdin)
            program.stdin.close()
            with program.stdout:
                self.assertEqual(program.stdout.read()[:8], b'0x00ff  ')
            _, status, usage = os.wait4(program.pid, 0)
            program.returncode = status
            self.assertEqual(status, 0)
            self.assertLess(usage.ru_maxrss, 40_000)  # KiB; this process counts until it is the program


if __name__ == '__main__':
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unittest.main()
