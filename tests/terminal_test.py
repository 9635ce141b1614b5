"""What the program shows on a terminal, and that it does not elsewhere. SPDX-License-Identifier: MIT"""
import os
import pty
import select
import subprocess
import time
import unittest

from program import IPV4_GOOD, PROGRAM, RAW, UDP_BAD, UDP_PARTIAL, Folder, pcap


class Terminal:
    """A terminal that a program writes to."""

    def __init__(self):
        self.ours, self.theirs = pty.openpty()

    def close(self):
        os.close(self.ours)
        if self.theirs is not None:
            os.close(self.theirs)

    def text(self):
        """All that has been written, once nobody else has the terminal open."""
        os.close(self.theirs)
        self.theirs = None
        text = b''
        while True:
            try:
                part = os.read(self.ours, 65536)
            except OSError:  # as Linux says that the other end is closed
                part = b''
            if not part:
                return text.decode()
            text += part

    def so_far(self, seconds):
        """What is written until there is a pause of that length."""
        text = b''
        while select.select([self.ours], [], [], seconds)[0]:
            text += os.read(self.ours, 65536)
        return text.decode()


class Colours(Folder):
    def colours(self, *arguments, **environment):
        """Standard output of the program on a terminal."""
        terminal = Terminal()
        names = dict(os.environ, TERM='xterm')
        names.pop('NO_COLOR', None)
        names.update(environment)
        try:
            subprocess.run([PROGRAM, *arguments], stdout=terminal.theirs, env=names, timeout=60, check=False)
            return terminal.text()
        finally:
            terminal.close()

    def test_check(self):
        self.write('a.pcap', pcap(RAW, UDP_BAD, UDP_PARTIAL))
        red, green, yellow, none = '\033[31m', '\033[32m', '\033[33m', '\033[m'
        text = self.colours('check', 'a.pcap').replace('\r\n', '\n')
        self.assertIn(f'a.pcap: frame 1: udp at offset 26: stored {red}0x1234{none}, expected {green}0xffff{none}\n', text)
        self.assertIn(f'{red}             1{none}{yellow}             1{none}\n', text)
        for arguments, environment in [(['--quiet'], {}), ([], {'NO_COLOR': '1'}), ([], {'TERM': 'dumb'}), (['--json'], {})]:
            self.assertNotIn('\033', self.colours('check', *arguments, 'a.pcap', **environment), arguments)
        self.assertIn('\033', self.colours('check', 'a.pcap', NO_COLOR=''))

    def test_fix(self):
        self.write('in', pcap(RAW, UDP_BAD))
        text = self.colours('fix', 'in', '-o', 'out')
        self.assertIn('\033[31m0x1234\033[m -> \033[32m0xffff\033[m, bad', text)
        self.assertNotIn('\033', self.colours('fix', '--quiet', 'in', '-o', 'out'))
        self.assertNotIn('\033', self.colours('fix', 'in', '-o', 'out', NO_COLOR='1'))

    def test_help_and_others_have_none(self):
        for arguments in ['--help'], ['info'], ['selftest']:
            self.assertNotIn('\033', self.colours(*arguments))


class Progress(Folder):
    """Standard error is a terminal; the program is made to wait by a standard output that nobody reads."""

    def setUp(self):
        super().setUp()
        record = pcap(RAW, IPV4_GOOD)[24:]
        self.write('large', pcap(RAW) + record * 100_000)

    def progress(self, *arguments, data=None):
        terminal = Terminal()
        program = subprocess.Popen([PROGRAM, *arguments], stdin=data, stdout=subprocess.PIPE, stderr=terminal.theirs)
        try:
            time.sleep(1.2)
            out, _ = program.communicate(timeout=60)
            return out, terminal.text()
        finally:
            program.kill()
            terminal.close()

    def test_bar(self):
        out, err = self.progress('check', '--json', 'large')
        self.assertEqual(len(out.splitlines()), 100_001)
        self.assertRegex(err, r'\r\x1b\[Klarge: \[#*\.+\] +\d+ %, \d+ MB, \d+ MB/s, \d+ (s|min \d+ s) left')
        self.assertTrue(err.endswith('\r\033[K'))  # and gone in the end

    def test_threads_share_it(self):
        self.assertIn('% ', self.progress('check', '--json', '--threads', '2', 'large')[1].replace('%,', '% '))

    def test_no_bar_where_the_size_is_not_known(self):
        with open('large', 'rb') as large:
            cat = subprocess.Popen(['cat'], stdin=large, stdout=subprocess.PIPE)
        out, err = self.progress('check', '--json', '-', data=cat.stdout)
        cat.stdout.close()
        cat.wait()
        self.assertRegex(err, r'\r\x1b\[K-: \d+ MB, \d+ MB/s')
        self.assertNotIn('left', err)

    def test_none_if_quiet(self):
        self.assertEqual(self.progress('check', '--json', '--quiet', 'large')[1], '')

    def test_none_for_short_work(self):
        self.write('small', pcap(RAW, IPV4_GOOD))
        self.assertEqual(self.progress('check', '--json', 'small')[1], '')

    def test_fix(self):
        out, err = self.progress('fix', 'large', '-o', '/dev/stdout')
        self.assertEqual(out[:pcap(RAW).__len__()], pcap(RAW))
        self.assertRegex(err, r'large: \[#*\.+\] +\d+ %')


class Interactive(Folder):
    def test_lines_appear_at_once(self):
        # Standard output is a terminal; the input goes on for a while.
        terminal = Terminal()
        program = subprocess.Popen([PROGRAM, 'check', '-'], stdin=subprocess.PIPE, stdout=terminal.theirs)
        try:
            program.stdin.write(pcap(RAW, UDP_BAD))
            program.stdin.flush()
            for _ in range(100):
                text = terminal.so_far(0.1)
                if text:
                    break
            self.assertIn('-: frame 1: udp at offset 26', text)
            program.stdin.close()
            self.assertEqual(program.wait(timeout=60), 1)
        finally:
            program.kill()
            terminal.close()

    def test_a_terminal_is_no_capture(self):
        terminal = Terminal()
        try:
            done = subprocess.run([PROGRAM, 'check'], stdin=terminal.theirs, capture_output=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, b''))
            self.assertIn(b'standard input is a terminal', done.stderr)
            self.write('in', pcap(RAW, UDP_BAD))
            for command in 'fix', 'report':
                done = subprocess.run([PROGRAM, command, 'in', '-o', '-'], stdout=terminal.theirs, stderr=subprocess.PIPE,
                                      timeout=60, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn(b'standard output is a terminal', done.stderr)
        finally:
            terminal.close()


if __name__ == '__main__':
    unittest.main()
