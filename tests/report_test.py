"""The page of `onesum report`. SPDX-License-Identifier: MIT"""
import html.parser
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import unittest

from program import (ADDRESSES, IPV4_BAD, IPV4_GOOD, PROGRAM, RAW, SAMPLE, UDP6_ZERO, UDP_BAD, UDP_PARTIAL, Folder, checksum, pcap, run)

EMPTY = {'meta', 'line', 'rect', 'br'}  # elements without an end


class Page(html.parser.HTMLParser):
    """A page taken apart: tables by heading, and of each packet its table, its marked bytes and its lines."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.text = [], [], ''
        self.tables, self.heading, self.bars, self.packets, self.links, self.ids = {}, '', 0, [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in 'src', 'href', 'action', 'data':
            if name in attributes:
                self.links.append(attributes[name])
        if 'id' in attributes:
            self.ids.append(attributes['id'])
        if tag == 'rect':
            self.bars += 1
        if tag in EMPTY:
            return
        self.open.append(tag)
        if tag in ('h1', 'h2', 'h3', 'th', 'td'):
            self.text = ''
        if tag == 'section':
            self.packets.append({'rows': [], 'field': '', 'covered': '', 'pre': ''})
        if tag == 'tr':
            self.row = []
        if tag == 'mark':
            self.mark = 'field' if attributes.get('class') == 'field' else 'covered'
            self.packets[-1][self.mark] += ' '
        if tag == 'span':
            self.span = attributes.get('class')

    def handle_startendtag(self, tag, attributes):  # <rect/>
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
        if tag in ('h1', 'h2'):
            self.heading = self.text
            self.tables.setdefault(self.heading, [])
        if tag in ('th', 'td'):
            self.row.append(self.text)
        if tag == 'tr':
            (self.packets[-1]['rows'] if 'section' in self.open else self.tables[self.heading]).append(self.row)
        if tag == 'span':
            self.span = None

    def handle_data(self, data):
        self.text += data
        if 'pre' in self.open:
            self.packets[-1]['pre'] += data
            if 'mark' in self.open and self.span != 'text':
                self.packets[-1][self.mark] += data


def vxlan(inner):
    """An Ethernet frame in VXLAN over IPv4 whose outer checksums are right."""
    udp = struct.pack('>HHHH', 1, 4789, 16 + len(inner), 0) + bytes.fromhex('0800000000000100') + inner
    pseudo = bytes.fromhex(ADDRESSES) + struct.pack('>HH', 17, len(udp))
    udp = udp[:6] + checksum(pseudo + udp) + udp[8:]
    header = bytes.fromhex('4500') + struct.pack('>H', 20 + len(udp)) + bytes.fromhex('0001000040110000' + ADDRESSES)
    return header[:10] + checksum(header) + header[12:] + udp


class Report(Folder):
    def report(self, *packets, options=(), name='in'):
        """(exit status, the page, standard error)"""
        self.write(name, pcap(RAW, *packets))
        status, out, err = run('report', name, '-o', 'out.html', *options)
        self.assertEqual(out, '')
        with open('out.html', encoding='utf-8') as file:
            return status, Page(file.read()), err

    def test_counts(self):
        with open(SAMPLE, 'rb') as file:
            sample = bytearray(file.read())
        at = 0
        while at < len(sample):
            kind, size = struct.unpack_from('<II', sample, at)
            captured = struct.unpack_from('<I', sample, at + 20)[0]
            if kind == 6 and captured > 60 and at % 5 == 0:
                sample[at + 28 + captured - 3] ^= 0x5a
            at += size
        self.write('in', sample)
        self.assertEqual(run('report', 'in', '-o', 'out.html'), (1, '', ''))
        with open('out.html', encoding='utf-8') as file:
            text = file.read()
        page = Page(text)
        head, *rows = page.tables['By protocol']
        found = {row[0]: {verdict.replace(' ', '_'): int(cell.replace(',', ''))
                          for verdict, cell in zip(head[1:], row[1:]) if cell != '–'} for row in rows}
        summary = json.loads(run('check', '--json', 'in')[1].splitlines()[-1])['summary']
        frames = summary.pop('frames')
        self.assertEqual(found, summary)
        self.assertGreater(summary['tcp']['bad'], 3)
        self.assertIn(f'{frames} frames', text)
        # Each part of the timeline tells its numbers.
        bars = re.findall(r'<title>[^<]*: ([\d,]+) good, ([\d,]+) others, ([\d,]+) bad</title>', text)
        total = sum(sum(verdicts.values()) for verdicts in summary.values())
        self.assertEqual(sum(int(cell.replace(',', '')) for bar in bars for cell in bar), 2 * total)  # in both charts
        # Nothing is fetched from elsewhere, and what is linked to is there.
        self.assertTrue(all(link.startswith('#') and link[1:] in page.ids for link in page.links))
        self.assertNotRegex(text, r'(?i)<script|<link|@import|url\(|https?:')

    def test_conversations(self):
        # TCP behind hop-by-hop options.
        tcp6 = bytes.fromhex('60000000 0024 00 40 20010db8000000000000000000000001 20010db8000000000000000000000002'
                             '06 00 01 04 00000000 1f90 c000 0000000000000000 5010 0000 1234 0000 0000000000000000')
        inner = bytes(12) + b'\x86\xdd' + tcp6
        status, page, err = self.report(UDP_BAD, UDP_PARTIAL, tcp6, UDP_BAD, IPV4_BAD, UDP6_ZERO, vxlan(inner))
        self.assertEqual((status, err), (1, ''))
        udp, there = '10.0.0.1:4660 → 10.0.0.2:22136', '[2001:db8::1]:8080 → [2001:db8::2]:49152'
        self.assertEqual(page.tables['Worst conversations'],
                         [['from → to', 'protocol', 'bad', 'partial', 'in frames'],
                          [udp, 'udp', '2', '1', '1–4'],
                          [there, 'tcp', '2', '–', '3–7'],
                          ['10.0.0.1 → 10.0.0.2', 'ipv4', '1', '–', '5'],
                          ['[fe80::1]:4660 → [fe80::2]:22136', 'udp', '1', '–', '6']])

    def test_packets(self):
        swapped = IPV4_GOOD[:10] + IPV4_GOOD[11:9:-1] + IPV4_GOOD[12:]
        status, page, err = self.report(IPV4_GOOD, UDP_BAD, swapped, UDP6_ZERO)
        self.assertEqual((status, err, page.ids), (1, '', ['frame-2', 'frame-3', 'frame-4']))
        first, second, third = page.packets
        self.assertEqual(first['rows'],
                         [['checksum', 'offset', 'stored', 'expected', 'verdict'],
                          ['ipv4', '10', '0x66cc', '0x66cc', 'good'],
                          ['udp', '26', '0x1234', '0xffff', 'bad']])
        self.assertEqual((first['field'].split(), first['covered'].split()), (['12', '34'], '12 34 56 78 00 0a 83 2b'.split()))
        self.assertEqual(first['pre'],
                         '0000  45 00 00 1e 00 01 00 00  40 11 66 cc 0a 00 00 01   E·······@·f·····\n'
                         '0010  0a 00 00 02 12 34 56 78  00 0a 12 34 83 2b         ·····4Vx···4·+\n')
        self.assertEqual(second['rows'][1], ['ipv4', '10', '0xcc66', '0x66cc', 'bad: the right bytes, swapped'])
        self.assertEqual(second['field'].split(), ['cc', '66'])
        self.assertEqual(third['rows'][1], ['udp', '46', '0x0000', '0x16fe', 'illegal zero'])

    def test_long_packets_are_shortened(self):
        payload = bytes(range(256)) * 8
        header = bytes.fromhex('4500') + struct.pack('>H', 28 + len(payload)) + bytes.fromhex('0001000040110000' + ADDRESSES)
        header = header[:10] + checksum(header) + header[12:]
        packet = header + struct.pack('>HHHH', 1, 2, 8 + len(payload), 7) + payload
        page = self.report(packet)[1]
        lines = page.packets[0]['pre'].splitlines()
        self.assertEqual([line[:4] for line in lines[:-1]], ['%04x' % (16 * row) for row in range(6)])
        self.assertEqual(lines[-1], '  ⋮ 1,980 bytes')

    def test_first(self):
        for first, shown in (0, 0), (2, 2), (5, 3):
            page = self.report(UDP_BAD, UDP_BAD, IPV4_GOOD, UDP_BAD, options=['--first', str(first)])[1]
            self.assertEqual(len(page.packets), shown)
        self.assertEqual(run('report', 'in', '-o', 'out.html', '--first', '1001')[0], 2)

    def test_nothing_bad(self):
        status, page, err = self.report(IPV4_GOOD)
        self.assertEqual((status, err, page.packets), (0, '', []))
        self.assertEqual(page.tables['By protocol'][1:], [['ipv4', '1', '–'], ['udp', '1', '–']])
        self.assertEqual(self.report()[0], 0)  # a capture without packets

    def test_what_is_bad_by_option(self):
        self.assertEqual(self.report(UDP6_ZERO, options=['--allow-zero-udp6'])[0], 0)
        status, page, err = self.report(UDP_BAD, UDP6_ZERO, options=['-F', 'ip6 and not udp port 7 or len < 5'])
        self.assertEqual((status, page.ids), (1, ['frame-2']))
        status, out, err = run('report', 'in', '-o', 'other.html', '-F', 'nonsense (')
        self.assertEqual((status, out), (2, ''))
        self.assertIn('onesum: in: -F, for link type 101: ', err)
        self.assertFalse(os.path.exists('other.html'))

    def test_text_that_looks_like_tags(self):
        name = '<b>&"\'\udcff.pcap'
        packet = IPV4_GOOD[:28] + b'<i'
        status, page, err = self.report(packet, options=['-F', 'udp and len < 100'], name=name)
        self.assertEqual((status, err), (1, ''))
        self.assertIn('Checksums of <b>&"\'\ufffd.pcap', page.tables)
        self.assertTrue(page.packets[0]['pre'].endswith('<i\n'))
        with open('out.html', encoding='utf-8') as file:
            self.assertIn('<code>udp and len &lt; 100</code>', file.read())

    def test_times(self):
        def timed(*times):
            length = len(IPV4_GOOD)
            self.write('in', pcap(RAW) + b''.join(struct.pack('<IIII', time, 0, length, length) + IPV4_GOOD for time in times))

        for times in [range(0, 100_000, 7), [0, 4_000_000_000, 5], range(1_700_000_000, 1_700_000_100)]:
            timed(*times)
            self.assertEqual(run('report', 'in', '-o', 'out.html')[0], 0)
            with open('out.html', encoding='utf-8') as file:
                text = file.read()
            bars = [int(good.replace(',', '')) for good in re.findall(r': ([\d,]+) good, 0 others, 0 bad</title>', text)]
            self.assertEqual(sum(bars), 2 * len(times))
            self.assertLessEqual(len(bars), 150)
        self.assertIn('2023-11-14 22:13:20.000', text)

    def test_output(self):
        self.write('in', pcap(RAW, UDP_BAD))
        os.symlink('in', 'link')
        self.write('text', b'Hello, world\n')
        for name in 'in', 'link':
            self.assertEqual(run('report', 'in', '-o', name),
                             (2, '', f'onesum: {name}: is the input itself: name another file for the page\n'))
        for name, message in [('missing', 'No such file or directory'),
                              ('text', 'neither pcap nor pcapng: it begins with 48 65 6c 6c')]:
            self.assertEqual(run('report', name, '-o', 'out.html'), (2, '', f'onesum: {name}: {message}\n'))
        self.assertEqual(run('report', 'in', '-o', '/dev/full'), (2, '', 'onesum: /dev/full: No space left on device\n'))
        self.assertEqual(run('report', 'in', '-o', 'nowhere/out')[0], 2)
        self.assertEqual(sorted(os.listdir('.')), ['in', 'link', 'text'])
        status, out, err = run('report', '-', '-o', '-', data=pcap(RAW, UDP_BAD))
        self.assertEqual((status, err), (1, ''))
        self.assertIn('Checksums of standard input', Page(out).tables)
        for arguments in ['in'], ['-o', 'out.html'], ['in', 'in', '-o', 'out.html']:
            self.assertEqual(run('report', *arguments)[:2], (2, ''))

    def test_a_file_that_is_cut_off(self):
        self.write('in', pcap(RAW, UDP_BAD, UDP_BAD)[:-1])
        status, out, err = run('report', 'in', '-o', 'out.html')
        message = 'frame 2 at offset 70: the file is cut off: the record has 46 bytes, 45 are there'
        self.assertEqual((status, err), (1, f'onesum: in: {message}; the page is about what comes before\n'))
        with open('out.html', encoding='utf-8') as file:
            self.assertIn(message, file.read())


@unittest.skipUnless(shutil.which('chromium'), 'no Chromium here')
class Browser(Folder):
    FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
             '--disable-component-update', '--disable-sync', '--allow-file-access-from-files', '--virtual-time-budget=5000']

    def test_it_fits_two_window_sizes(self):
        # Frames of two widths, and a script beside them that says how wide their content is and where its parts are.
        self.write('in', pcap(RAW, *[UDP_BAD, UDP6_ZERO, vxlan(bytes(12) + b'\x08\0' + UDP_BAD)] * 9))
        self.assertEqual(run('report', 'in', '-o', 'page.html')[0], 1)
        self.write('frames.html', b'''<!DOCTYPE html><html><body>
            <iframe width="1280" height="900" src="page.html"></iframe><iframe width="390" height="800" src="page.html"></iframe>
            <pre id="out"></pre><script>onload = () => { out.textContent = "BEGIN" + JSON.stringify([...document.querySelectorAll("iframe")].map(
              frame => { const page = frame.contentDocument, size = one => page.querySelector(one).getBoundingClientRect();
                return {wide: page.documentElement.scrollWidth, main: size("main").width, chart: size(".chart").height,
                        tiles: [...page.querySelectorAll(".tile")].map(one => one.getBoundingClientRect().top),
                        field: getComputedStyle(page.querySelector("mark.field")).backgroundColor}; })) + "END"; }</script></body></html>''')
        command = ['chromium', *self.FLAGS, '--user-data-dir=' + os.path.abspath('profile'), '--dump-dom',
                   'file://' + os.path.abspath('frames.html')]
        with open('dom', 'wb') as dom:
            browser = subprocess.Popen(command, stdout=dom, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                browser.wait(timeout=60)
            finally:
                if browser.poll() is None:
                    os.killpg(browser.pid, signal.SIGKILL)
        with open('dom', encoding='utf-8') as dom:
            wide, narrow = json.loads(re.search('BEGIN(.*)END</pre>', dom.read()).group(1))
        self.assertLessEqual(wide['wide'], 1280)
        self.assertLessEqual(narrow['wide'], 390)
        self.assertGreater(wide['main'], 1000)
        for one in wide, narrow:
            self.assertGreater(one['chart'], 100)
            self.assertEqual(one['field'], 'rgb(207, 47, 60)')
        # Tiles stand in one row where there is room.
        self.assertEqual(len(set(wide['tiles'])), 1)
        self.assertGreater(len(set(narrow['tiles'])), 1)


if __name__ == '__main__':
    unittest.main()
