"""The manual page and the completions know every command and option that --help knows. SPDX-License-Identifier: MIT"""
import os
import re
import shutil
import subprocess
import unittest

from program import Folder, run

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
BASH, ZSH, FISH = (os.path.join(TOP, 'completions', name) for name in ('onesum.bash', '_onesum', 'onesum.fish'))
MANUAL = os.path.join(TOP, 'docs', 'onesum.1')


def read(name):
    with open(name, encoding='utf-8') as file:
        return file.read()


def options(*command):
    """The options in the help of a command: {('-o', '--output'), ...}."""
    found = re.findall(r'^  (-[^ ]+)', run(*command, '--help')[1].split('Options:\n')[1].split('\n\n')[0], re.M)
    return {tuple(names.split(',')) for names in found}


def commands():
    return re.findall(r'^  (\w+) ', run('--help')[1].split('Subcommands:\n')[1].split('\n\n')[0], re.M)


class Manual(unittest.TestCase):
    def test_it_names_everything(self):
        text = re.sub(r'\\f[BIRP]', '', read(MANUAL).replace('\\-', '-'))
        sections = dict(re.findall(r'^\.SS ([^\n]*)\n(.*?)(?=^\.S[SH])', text, re.M | re.S))
        self.assertEqual(list(sections), ['onesum ' + name for name in commands()] + ['All commands'])
        for name in commands():
            for names in options(name) - {('-h', '--help')}:
                for option in names:
                    self.assertRegex(sections['onesum ' + name], rf'\n\.B[IR]* .*(?<![\w-]){option}(?![\w-])', name)
        for option in '--help', '-h', '--version':
            self.assertIn(option, sections['All commands'])
        # And nothing that is not there.
        known = {option for name in commands() for names in options(name) for option in names} | {'--version'}
        self.assertEqual(set(re.findall(r'(?<![\w-])--[a-z][\w-]*', text)) - known, set())

    @unittest.skipUnless(shutil.which('man'), 'no man here')
    def test_it_renders(self):
        done = subprocess.run(['man', '--warnings', '-l', '-Tutf8', MANUAL], capture_output=True, check=False,
                              env=dict(os.environ, MANWIDTH='80', LC_ALL='C.UTF-8', MAN_KEEP_FORMATTING=''))
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ''))
        text = re.sub(r'.\x08|\x1b\[[\d;]*m', '', done.stdout.decode())
        self.assertIn('onesum check --live interface [option]...', text)
        self.assertIn('EXIT STATUS', text)

    def test_help_has_examples(self):
        for name in commands():
            self.assertIn(f'Examples:\n  onesum {name}', run(name, '--help')[1])


class Completions(Folder):
    def bash(self, *words):
        """What bash offers for the last of the words."""
        script = f'source {BASH}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _onesum; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(['bash', '-c', script, 'bash', *words], capture_output=True, check=False)
        self.assertEqual(done.stderr, b'')
        return set(done.stdout.decode().split())

    def test_bash(self):
        self.assertEqual(subprocess.run(['bash', '-n', BASH], check=False).returncode, 0)
        self.assertEqual(self.bash('onesum', ''), set(commands()))
        self.assertEqual(self.bash('onesum', 'se'), {'selftest'})
        self.assertEqual(self.bash('onesum', '-'), {'-h', '--help', '--version'})
        for name in commands():
            self.assertEqual(self.bash('onesum', name, '-'), {option for names in options(name) for option in names}, name)
        self.assertEqual(self.bash('onesum', 'check', '--protocol', 'ud'), {'udp', 'udplite'})
        self.assertEqual(self.bash('onesum', 'check', '--verdict', 'bad,pa'), {'bad,partial'})
        self.assertEqual(self.bash('onesum', 'check', '--live', 'l') & {'lo'}, {'lo'} if os.path.exists('/sys/class/net/lo') else set())
        self.write('a.pcap', b'')
        for words in ['check', ''], ['fix', 'a'], ['fix', 'b', '-o', 'a'], ['sum', 'x', 'a']:
            self.assertEqual(self.bash('onesum', *words), {'a.pcap'}, words)
        self.assertEqual(self.bash('onesum', 'info', 'a'), set())
        self.assertEqual(self.bash('onesum', 'check', '--first', ''), set())

    def test_zsh_names_everything(self):
        text = read(ZSH)
        for name in commands():
            self.assertIn(f"'{name}:", text)
            part = re.search(rf'^ +{name}\)(.*?);;', text, re.M | re.S).group(1)
            judging = re.search(r'judging=\((.*?)^    \)', text, re.M | re.S).group(1) if '$judging' in part else ''
            for names in options(name):
                self.assertIn('{' + ','.join(names) + '}' if len(names) > 1 else "'" + names[0], part + judging, name)

    @unittest.skipUnless(shutil.which('zsh'), 'no zsh here')
    def test_zsh_reads_it(self):
        self.assertEqual(subprocess.run(['zsh', '-n', ZSH], check=False).returncode, 0)

    def test_fish_names_everything(self):
        lines = read(FISH).splitlines()
        for name in commands():
            self.assertTrue(any(f'-a {name} ' in line for line in lines), name)
            for names in options(name) - {('-h', '--help')}:
                wanted = ' '.join(('-l ' + one[2:]) if one.startswith('--') else '-s ' + one[1:] for one in names)
                self.assertTrue(any(re.search(rf'from [a-z ]*\b{name}\b', line) and f' {wanted} ' in line for line in lines), (name, names))

    @unittest.skipUnless(shutil.which('fish'), 'no fish here')
    def test_fish(self):
        def offered(line):
            done = subprocess.run(['fish', '--no-config', '-c', f'source {FISH}; complete --do-complete "{line}"'],
                                  capture_output=True, check=False, env=dict(os.environ, HOME=os.getcwd()))
            self.assertEqual(done.stderr, b'')
            return {one.split('\t')[0] for one in done.stdout.decode().splitlines()}

        self.assertEqual(offered('onesum s'), {'sum', 'selftest'})
        self.assertEqual(offered('onesum check --verb'), {'--verbose'})
        self.assertTrue({'--output', '--only', '--partial'} <= offered('onesum fix --'))
        self.assertNotIn('--live', offered('onesum fix --'))
        self.write('a.pcap', b'')
        self.assertIn('a.pcap', offered('onesum check a'))


if __name__ == '__main__':
    unittest.main()
