"""What must hold of `onesum fix` for every capture. SPDX-License-Identifier: MIT

ONESUM_CORPUS names a folder of folders of captures; without it the sample capture is taken. What tshark, where there is one,
still calls bad in a copy of `fix --partial --zero-udp6` is explained in fix-exceptions.tsv.
"""
import json
import os
import shutil
import subprocess
import unittest

from program import SAMPLE, Folder, run

CORPUS = os.environ.get('ONESUM_CORPUS')
EXCEPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'fix-exceptions.tsv')
STATUSES = [name + '.checksum.status' for name in ('ip', 'tcp', 'udp', 'icmp', 'icmp.ext', 'icmpv6', 'igmp', 'gre', 'vrrp', 'dccp', 'carp')]
CHECKING = [word for name in ('ip', 'tcp', 'udp') for word in ('-o', name + '.check_checksum:TRUE')]


def captures():
    """(name, path) of each."""
    if not CORPUS:
        return [('sample', SAMPLE)]
    return [(f'{folder}/{name}', os.path.join(CORPUS, folder, name)) for folder in sorted(os.listdir(CORPUS))
            if folder != 'oracle' and os.path.isdir(os.path.join(CORPUS, folder))
            for name in sorted(os.listdir(os.path.join(CORPUS, folder)))]


def read(name):
    with open(name, 'rb') as file:
        return file.read()


class Fix(Folder):
    def fix(self, path, *options):
        """(the lines of the report, what the copy should be), or None for what is no capture."""
        status, out, err = run('fix', '--json', *options, path, '-o', 'out')
        if status == 2:
            self.assertRegex(err, 'neither pcap nor pcapng')
            return None
        *frames, last = [json.loads(line) for line in out.splitlines()]
        expected = bytearray(read(path))
        for change in (change for frame in frames for change in frame['changed']):
            field = slice(change['file_offset'], change['file_offset'] + 2)
            self.assertEqual(expected[field].hex(), change['from'][2:])
            expected[field] = bytes.fromhex(change['to'][2:])
        return last['summary'], expected, frames

    def test_every_capture(self):
        done = 0
        for name, path in captures():
            for options in [], ['--partial', '--zero-udp6']:
                with self.subTest(name, options=options):
                    found = self.fix(path, *options)
                    if not found:
                        continue
                    summary, expected, frames = found
                    done += 1
                    # The copy differs in just the fields that are named; not at all where none is.
                    self.assertEqual(read('out'), expected)
                    if not frames:
                        self.assertEqual(read('out'), read(path))
                    # Nothing bad is left but what the report counts.
                    after = json.loads(run('check', '--json', 'out')[1].splitlines()[-1])['summary']
                    after.pop('frames')
                    bad = sum(verdicts.get(verdict, 0) for verdicts in after.values() for verdict in ('bad', 'illegal_zero'))
                    left = sum(count for why, count in summary['left'].items() if why.startswith(('bad', 'illegal_zero')))
                    self.assertEqual(bad, left)
                    if options:
                        self.assertEqual(bad, 0)
                    # A second time there is nothing to do.
                    os.rename('out', 'first')
                    self.assertEqual(self.fix('first', *options)[2], [])
                    self.assertEqual(read('out'), read('first'))
        self.assertGreater(done, 0)

    @unittest.skipUnless(shutil.which('tshark'), 'no tshark here')
    def test_tshark_agrees(self):
        with open(EXCEPTIONS, encoding='utf-8') as rows:
            explained = {tuple(row.split('\t')[:2]) for row in rows if row.strip() and not row.startswith('#')}
        still_bad, seen = set(), set()
        for name, path in captures():
            seen.add(name)
            if not self.fix(path, '--partial', '--zero-udp6'):
                continue
            done = subprocess.run(['tshark', '-n', '-r', 'out', *CHECKING, '-Y', ' || '.join(name + ' == 0' for name in STATUSES),
                                   '-T', 'fields', '-e', 'frame.number'], capture_output=True, check=False)
            self.assertIn(done.returncode, (0, 2), done.stderr)  # 2 where the capture is cut off
            still_bad |= {(name, frame) for frame in done.stdout.decode().split()}
        self.assertEqual(still_bad, {one for one in explained if one[0] in seen})


if __name__ == '__main__':
    unittest.main()
