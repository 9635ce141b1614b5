"""Packets cut by the library, as tshark judges them. SPDX-License-Identifier: MIT"""
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CAPTURE = os.environ['ONESUM_SEGMENTS_CAPTURE']
TSHARK = shutil.which('tshark')
FIELDS = ['ip.checksum.status', 'tcp.checksum.status', 'udp.checksum.status', '_ws.malformed', 'frame.len', 'ip.len',
          'ipv6.plen', 'tcp.seq_raw', 'tcp.len', 'udp.length']
GOOD, BAD = '1', '0'


def judged(*options):
    """A dictionary of fields for each frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'segments.pcap'
        subprocess.run([CAPTURE, path, *options], check=True)
        command = [TSHARK, '-n', '-r', path, '-T', 'fields', '-E', 'separator=/t']
        for protocol in ('ip', 'tcp', 'udp'):
            command += ['-o', f'{protocol}.check_checksum:TRUE']
        for field in FIELDS:
            command += ['-e', field]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [dict(zip(FIELDS, line.split('\t'))) for line in done.stdout.splitlines()]


def count(frames, field):
    return collections.Counter(frame[field] for frame in frames if frame[field])


class Segments(unittest.TestCase):
    def test_no_checksum_is_bad(self):
        frames = judged()
        for field in ('ip', 'tcp', 'udp'):
            self.assertEqual(set(count(frames, f'{field}.checksum.status')), {GOOD}, field)
        self.assertFalse(count(frames, '_ws.malformed'))
        # 5 templates of TCP and 2 of UDP on Ethernet, 46 + 15 + 3 + 15 + 1 packets of each; 46 and 66 by hand.
        self.assertEqual(count(frames, 'tcp.checksum.status')[GOOD], 5 * 80)
        self.assertEqual(count(frames, 'udp.checksum.status')[GOOD], 2 * 80 + 46 + 66)

    def test_a_changed_byte_is_noticed(self):
        frames = judged('--spoil')
        # The first packet of each that has a payload.
        self.assertEqual(count(frames, 'tcp.checksum.status')[BAD], 5 * 4)
        self.assertEqual(count(frames, 'udp.checksum.status')[BAD], 2 * 4)

    def test_sequence_numbers_follow_the_payload(self):
        tcp = [frame for frame in judged() if frame['tcp.seq_raw']]
        self.assertTrue(tcp)
        expected = None
        for frame in tcp:
            sequence, length = int(frame['tcp.seq_raw']), int(frame['tcp.len'])
            if sequence != 0xfffff000:  # where every template begins
                self.assertEqual(sequence, expected)
            expected = (sequence + length) % 2**32


if __name__ == '__main__':
    if TSHARK is None:
        print('skipped: no tshark here')
        sys.exit(77)
    unittest.main()
