"""The program onesum: exit statuses, messages, output. SPDX-License-Identifier: MIT"""
import json
import os
import resource
import signal
import struct
import subprocess
import unittest

from program import (ADDRESSES, FRAGMENT, IPV4_BAD, IPV4_GOOD, IPV4_ZERO, PROGRAM, RAW, SAMPLE, UDP6_ZERO, UDP_ABSENT, UDP_BAD,
                     UDP_PARTIAL, Folder, checksum, fits, pcap, peak, run, schema)


class Bench(unittest.TestCase):
    def test_table(self):
        status, out, err = run('bench', '--seconds', '0.1')
        self.assertEqual((status, err), (0, ''))
        info = json.loads(run('info', '--json')[1])
        names = [one['name'] for one in info['implementations'] if one['supported']]
        tables = out.split('\n\n')[1:]
        self.assertEqual([table.split(names[0])[0].strip() for table in tables], ['sum', 'copy and sum'])
        for table in tables:
            head, *rows = table.splitlines()
            self.assertEqual(head.split()[-len(names) - 1:], names + ['fastest'])
            self.assertEqual(len(rows), 12)
            for row in rows:
                *times, fastest = row.split()[-len(names) - 1:]
                times = [float(time) for time in times]
                self.assertTrue(all(time >= 0 for time in times), row)
                self.assertEqual(times[names.index(fastest)], min(times))

    def test_wrong(self):
        for arguments in ['--seconds', '0'], ['--seconds', 'x'], ['--seconds', 'nan'], ['x']:
            status, out, err = run('bench', *arguments)
            self.assertEqual((status, out), (2, ''), arguments)
            self.assertNotEqual(err, '')


class Usage(unittest.TestCase):
    def test_version(self):
        status, out, err = run('--version')
        self.assertEqual((status, err), (0, ''))
        self.assertRegex(out, r'^onesum \d+\.\d+\.\d+\n$')

    def test_help(self):
        for arguments in ['--help'], ['info', '--help'], ['sum', '--help'], ['check', '--help'], ['fix', '--help'], ['selftest', '--help'], ['bench', '--help']:
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
        for arguments in ['info'], ['--help'], ['--version'], ['fix', '--help']:
            with open('/dev/full', 'wb') as full:
                done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (2, b'onesum: standard output: No space left on device\n'), arguments)

    def test_an_unknown_option_is_named_before_what_is_missing(self):
        for arguments in ['fix', '--nosuch'], ['fix', '--nosuch', '-o', 'out'], ['report', '--nosuch', 'in']:
            status, out, err = run(*arguments)
            self.assertEqual((status, out), (2, ''), arguments)
            self.assertIn('--nosuch', err)
            self.assertNotIn('required', err)
        self.assertIn('IN is required', run('fix')[2])
        self.assertEqual(run(), (2, '', 'onesum: name a command; onesum --help lists them\n'))


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
        for arguments in ['info'], ['sum'], ['check'], ['fix', '--dry-run', '-'], ['selftest']:
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
        with open('large', 'wb') as large:
            for left in range(size, 0, -len(piece)):
                large.write(piece[:left])
        base = peak('sum', '/dev/null')[1]
        with open('large', 'rb') as large:
            for arguments, data in (['large'], None), ([], large):
                out, memory = peak('sum', *arguments, data=data)
                self.assertEqual(out[:8], b'0x00ff  ')
                self.assertLess(memory, base + 15_000)


class Check(Folder):
    def check(self, *packets, options=()):
        """(exit status, the frames' checksums, the summary, standard error)"""
        status, out, err = run('check', '--json', *options, self.write('a.pcap', pcap(RAW, *packets)))
        lines = [json.loads(line) for line in out.splitlines()]
        return status, {line['frame']: line['checksums'] for line in lines[:-1]}, lines[-1]['summary'], err

    def test_json(self):
        status, out, err = run('check', '--json', self.write('a.pcap', pcap(RAW, IPV4_GOOD, b'', UDP_BAD, FRAGMENT)))
        self.assertEqual((status, err), (1, ''))
        self.assertEqual(
            out,
            '{"file":"a.pcap","frame":1,"checksums":['
            '{"protocol":"ipv4","offset":10,"stored":"0x66cc","expected":"0x66cc","verdict":"good"},'
            '{"protocol":"udp","offset":26,"stored":"0xffff","expected":"0xffff","verdict":"good"}]}\n'
            '{"file":"a.pcap","frame":3,"checksums":['
            '{"protocol":"ipv4","offset":10,"stored":"0x66cc","expected":"0x66cc","verdict":"good"},'
            '{"protocol":"udp","offset":26,"stored":"0x1234","expected":"0xffff","verdict":"bad"}]}\n'
            '{"file":"a.pcap","frame":4,"checksums":['
            '{"protocol":"ipv4","offset":10,"stored":"0x46cc","expected":"0x46cc","verdict":"good"},'
            '{"protocol":"udp","offset":26,"stored":"0xffff","expected":null,"verdict":"unverifiable","reason":"fragment"}]}\n'
            '{"file":"a.pcap","summary":{"frames":4,"ipv4":{"good":3},"udp":{"good":1,"bad":1,"unverifiable":1}}}\n')

    def test_text(self):
        self.write('a.pcap', pcap(RAW, UDP_BAD, IPV4_BAD, UDP6_ZERO, UDP_ABSENT))
        bad = ('a.pcap: frame 1: udp at offset 26: stored 0x1234, expected 0xffff\n'
               'a.pcap: frame 2: ipv4 at offset 10: stored 0x66cd, expected 0x66cc\n'
               'a.pcap: frame 3: udp at offset 46: stored 0x0000, expected 0x16fe, illegal_zero\n')
        table = ('a.pcap: 4 frames\n'
                 '                    good           bad        absent  illegal_zero\n'
                 'ipv4                   2             1             -             -\n'
                 'udp                    1             1             1             1\n')
        self.assertEqual(run('check', 'a.pcap'), (1, bad + table, ''))
        self.assertEqual(run('check', '--quiet', 'a.pcap'), (1, bad, ''))
        self.write('b.pcap', pcap(RAW, IPV4_GOOD))
        self.assertEqual(run('check', '--quiet', 'b.pcap'), (0, '', ''))
        self.assertEqual(run('check', 'b.pcap')[1].splitlines()[0], 'b.pcap: 1 frame')

    def test_statuses(self):
        for packet, status in [(IPV4_GOOD, 0), (UDP_ABSENT, 0), (UDP_PARTIAL, 0), (FRAGMENT, 0), (UDP_BAD, 1), (IPV4_BAD, 1),
                               (UDP6_ZERO, 1)]:
            self.assertEqual(self.check(packet)[0], status, packet.hex())
        self.assertEqual(self.check(UDP_PARTIAL)[2], {'frames': 1, 'ipv4': {'good': 1}, 'udp': {'partial': 1}})

    def test_zero_over_ipv6(self):
        for option, status in [('--allow-zero-udp6', 0), ('--allow-zero-udp6=4660', 0), ('--allow-zero-udp6=1,22136', 0),
                               ('--allow-zero-udp6=1,4661', 1)]:
            self.assertEqual(self.check(UDP6_ZERO, options=[option])[0], status, option)
        self.assertEqual(self.check(UDP6_ZERO, options=['--allow-zero-udp6'])[2], {'frames': 1, 'udp': {'absent': 1}})
        for ports in 'x', '65536', '-1', '1,,2':
            status, out, err = run('check', '--allow-zero-udp6=' + ports, 'a.pcap')
            self.assertEqual((status, out), (2, ''), ports)
            self.assertIn('port number', err)

    def test_zero_ipv4(self):
        self.assertEqual(self.check(IPV4_ZERO)[2]['ipv4'], {'bad': 1})
        self.assertEqual(self.check(IPV4_ZERO, options=['--ignore-zero-ipv4'])[2]['ipv4'], {'partial': 1})

    def test_quoted_packets_do_not_count(self):
        # An ICMP error that quotes UDP_BAD with a broken IPv4 header.
        quoted = UDP_BAD[:11] + b'\0' + UDP_BAD[12:]
        icmp = bytes.fromhex('0303') + b'\0\0' + bytes(4) + quoted
        icmp = icmp[:2] + checksum(icmp) + icmp[4:]
        packet = bytes.fromhex('4500003a00010000400166c0' + ADDRESSES) + icmp
        status, frames, summary, err = self.check(packet)
        self.assertEqual((status, err), (0, ''))
        self.assertEqual(summary, {'frames': 1, 'ipv4': {'good': 1}, 'icmp': {'good': 1}})
        self.assertEqual([(one['protocol'], one.get('quoted'), one['verdict']) for one in frames[1]][:3],
                         [('ipv4', None, 'good'), ('icmp', None, 'good'), ('ipv4', True, 'bad')])
        self.assertEqual(run('check', '--quiet', 'a.pcap'), (0, '', ''))

    def test_standard_input(self):
        for arguments in [], ['-']:
            status, out, err = run('check', '--json', *arguments, data=pcap(RAW, IPV4_GOOD))
            self.assertEqual((status, err, len(out.splitlines())), (0, '', 2))
            self.assertEqual(json.loads(out.splitlines()[0])['file'], '-')

    def test_files_that_cannot_be_read(self):
        os.mkdir('folder')
        self.write('empty', b'')
        self.write('text', b'Hello, world\n')
        self.write('packed', b'\x1f\x8b\x08\x00')
        self.write('short', pcap(RAW)[:20])
        self.write('short section', bytes.fromhex('0a0d0d0a 1c000000 4d3c'))
        self.write('cut', pcap(RAW, IPV4_GOOD, UDP_BAD)[:-1])
        self.write('good', pcap(RAW, IPV4_GOOD))
        for name, message in [('missing', 'No such file or directory'), ('folder', 'Is a directory'),
                              ('empty', 'the file is empty'),
                              ('text', 'neither pcap nor pcapng: it begins with 48 65 6c 6c'),
                              ('packed', 'compressed: unpack it first, as in `gzip -dc FILE | onesum check -`'),
                              ('short', 'offset 0: the file is cut off: the file header has 24 bytes, 20 are there'),
                              ('short section', 'offset 0: the file is cut off: a block has 12 bytes, 10 are there'),
                              ('cut', 'frame 2 at offset 70: the file is cut off: the record has 46 bytes, 45 are there')]:
            status, out, err = run('check', name, 'good')
            expected = 0 if name == 'cut' else 2
            self.assertEqual((status, err), (expected, f'onesum: {name}: {message}\n'))
            # The others are still checked, and so is what came before the fault.
            self.assertIn('good: 1 frame\n', out)
            self.assertEqual('cut: 1 frame\n' in out, name == 'cut')
            status, out, err = run('check', '--json', name)
            self.assertEqual((status, err), (expected, f'onesum: {name}: {message}\n'))
            last = json.loads(out.splitlines()[-1])
            self.assertEqual(list(last), ['file', 'summary', 'error'])
            self.assertEqual((last['file'], last['error']), (name, message))
            self.assertEqual(last['summary'], {'frames': 1, 'ipv4': {'good': 1}, 'udp': {'good': 1}} if name == 'cut' else {'frames': 0})

    def test_damage_is_more_than_a_cut(self):
        self.write('cut', pcap(RAW, UDP_BAD, IPV4_GOOD)[:-1])
        self.assertEqual(run('check', '--quiet', 'cut')[0], 1)
        damaged = bytearray(pcap(RAW, IPV4_GOOD, IPV4_GOOD))
        damaged[70 + 11] = 0xff  # the second record's length
        self.write('damaged', damaged)
        status, out, err = run('check', '--quiet', 'damaged')
        self.assertEqual((status, out), (2, ''))
        self.assertIn('a record cannot hold 4278190110 bytes', err)

    def test_trouble_outweighs_bad(self):
        self.write('bad', pcap(RAW, UDP_BAD))
        self.assertEqual(run('check', 'bad', 'missing')[0], 2)
        self.assertEqual(run('check', 'missing', 'bad')[0], 2)

    def test_unknown_link_type(self):
        self.write('a.pcap', pcap(147, IPV4_GOOD, IPV4_GOOD))
        status, out, err = run('check', '--json', 'a.pcap')
        self.assertEqual((status, out), (0, '{"file":"a.pcap","summary":{"frames":2}}\n'))
        self.assertEqual(err, 'onesum: a.pcap: link type 147 is not known, 2 frames were not looked into\n')

    def test_name_in_json(self):
        name = 'a "b"\\\n\u00e9\udcff'  # the last one is no UTF-8
        self.write(name, pcap(RAW, IPV4_GOOD))
        status, out, err = run('check', '--json', name)
        self.assertEqual((status, err), (0, ''))
        self.assertEqual(json.loads(out.splitlines()[0])['file'], 'a "b"\\\n\u00e9\ufffd')

    def test_any_size_in_constant_memory(self):
        packet = struct.pack('<IIII', 1700000000, 0, 30, 30) + IPV4_GOOD
        count = 1_000_000
        with open('large.pcap', 'wb') as large:
            large.write(pcap(RAW))
            for _ in range(count // 10_000):
                large.write(packet * 10_000)
        base = peak('check', self.write('small.pcap', pcap(RAW)))[1]
        with open('large.pcap', 'rb') as large:
            for arguments, data in (['large.pcap'], None), ([], large):
                out, memory = peak('check', '--json', *arguments, data=data)
                self.assertTrue(out.endswith(b'"summary":{"frames":1000000,"ipv4":{"good":1000000},"udp":{"good":1000000}}}\n'))
                self.assertLess(memory, base + 15_000)

    def test_what_is_listed(self):
        self.write('a.pcap', pcap(RAW, UDP_BAD, FRAGMENT, IPV4_BAD, UDP_PARTIAL))
        bad = ['a.pcap: frame 1: udp at offset 26: stored 0x1234, expected 0xffff',
               'a.pcap: frame 3: ipv4 at offset 10: stored 0x66cd, expected 0x66cc']
        fragment = 'a.pcap: frame 2: udp at offset 26: stored 0xffff, unverifiable (fragment)'
        partial = 'a.pcap: frame 4: udp at offset 26: stored 0x141e, expected 0xffff, partial'

        def listed(*options):
            status, out, err = run('check', '--quiet', *options, 'a.pcap')
            self.assertEqual(err, '')
            return status, out.splitlines()

        self.assertEqual(listed(), (1, bad))
        self.assertEqual(listed('--first', '1'), (1, bad[:1]))
        self.assertEqual(listed('--first', '0'), (1, []))
        self.assertEqual(listed('--protocol', 'ipv4,tcp'), (1, bad[1:]))
        self.assertEqual(listed('--protocol', 'tcp'), (0, []))
        self.assertEqual(listed('--verdict', 'partial,unverifiable'), (0, [fragment, partial]))
        status, lines = listed('--verbose')
        self.assertEqual((status, len(lines)), (1, 8))
        self.assertEqual(lines[0], 'a.pcap: frame 1: ipv4 at offset 10: stored 0x66cc, expected 0x66cc, good')
        self.assertIn(fragment, lines)
        # The table and the JSON go with the choice; --first only shortens the list.
        self.assertIn('udp                    -             -             1\n', run('check', '--verdict', 'partial', 'a.pcap')[1])
        status, out, err = run('check', '--json', '--first', '1', '--protocol', 'udp', 'a.pcap')
        self.assertEqual(out.splitlines()[1:], ['{"file":"a.pcap","summary":{"frames":4,"udp":{"good":1,"bad":1,"partial":1,"unverifiable":1}}}'])
        for option in ['--protocol', 'nonsense'], ['--verdict', 'nonsense'], ['--protocol='], ['--verdict='], ['--first', 'x'], ['--first', '-1']:
            self.assertEqual(run('check', *option, 'a.pcap')[:2], (2, ''))
        self.assertIn('onesum: --verdict: there is no "evil"; there are good bad partial absent illegal_zero unverifiable malformed\n',
                      run('check', '--verdict', 'good,evil', 'a.pcap')[2])
        self.assertIn('onesum: --protocol: there is no "TCP"; there are ipv4 tcp udp ', run('check', '--protocol', 'TCP', 'a.pcap')[2])

    def test_threads(self):
        # Some batches of packets that are good and bad in turn, of small and large ones; whole, and cut off.
        large = bytes.fromhex('4500ea60000100004011000000000000' '00000000' '12345678ea4c1234') + bytes(59960)
        packets = pcap(RAW, *([UDP_BAD, IPV4_GOOD, UDP6_ZERO, large, FRAGMENT, IPV4_BAD] * 40 + [IPV4_GOOD, UDP_PARTIAL] * 20_000))
        for data in packets, packets[:-1]:
            self.write('in', data)
            for options in [], ['--json'], ['--json', '--first', '77'], ['--verbose', '-F', 'ip6'], ['-F', 'nonsense (']:
                alone = run('check', *options, 'in')
                self.assertEqual(alone[0], 2 if 'nonsense (' in options else 1)
                for threads in '2', '5':
                    self.assertEqual(run('check', '--threads', threads, *options, 'in'), alone)
            self.assertEqual(run('check', '--threads', '2', '--json', data=data)[1], run('check', '--json', data=data)[1])
        for threads in '0', '-1', '257', 'x':
            self.assertEqual(run('check', '--threads', threads, 'in')[:2], (2, ''))

    def test_filter(self):
        frames = self.check(IPV4_GOOD, UDP6_ZERO, UDP_BAD, options=['-F', 'ip6'])
        self.assertEqual((frames[0], list(frames[1]), frames[2]), (1, [2], {'frames': 1, 'udp': {'illegal_zero': 1}}))
        self.assertEqual(self.check(IPV4_GOOD, UDP_BAD, options=['-F', 'udp port 1'])[::2], (0, {'frames': 0}))
        status, out, err = run('check', '-F', 'nonsense (', 'a.pcap')
        self.assertEqual(status, 2)
        self.assertIn('onesum: a.pcap: -F, for link type 101: ', err)
        # Each link type has its own program.
        status, out, err = run('check', '--json', '-F', 'icmp', SAMPLE)
        self.assertEqual((status, err), (0, ''))
        self.assertEqual(json.loads(out.splitlines()[-1])['summary']['frames'], 15)

    def test_schema(self):
        root = schema('check.schema.json')
        self.write('bad', pcap(RAW, IPV4_GOOD, UDP_BAD, UDP6_ZERO, FRAGMENT, UDP_PARTIAL, UDP_ABSENT, b'E'))
        self.write('cut', pcap(RAW, IPV4_GOOD)[:-1])
        status, out, err = run('check', '--json', SAMPLE, 'bad', 'cut', 'missing')
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertTrue(all(fits(line, root, root) for line in lines))
        # It is not one that fits everything.
        frame, file = lines[0], lines[-1]
        for wrong in [dict(frame, frame=0), dict(frame, more=1), dict(frame, checksums=[]), dict(file, frame=1), {'file': 'x'},
                      dict(file, summary={'frames': 1, 'ipv4': {'nonsense': 1}}), dict(file, summary={}),
                      dict(frame, checksums=[dict(frame['checksums'][0], stored='1234')])]:
            self.assertFalse(fits(wrong, root, root), wrong)

    def test_sample(self):
        status, out, err = run('check', '--json', SAMPLE)
        self.assertEqual((status, err), (0, ''))
        # As tshark has it, but for partial sums, which it calls bad, and fragments, of which it says nothing.
        self.assertEqual(json.loads(out.splitlines()[-1])['summary'],
                         {'frames': 232, 'ipv4': {'good': 158}, 'tcp': {'good': 64, 'partial': 30},
                          'udp': {'good': 83, 'partial': 13, 'absent': 3, 'unverifiable': 4},
                          'icmp': {'good': 18}, 'icmpv6': {'good': 69}})


class Fix(Folder):
    """`fix` of pcap(RAW, ...) in the file `in` to the file `out`."""

    RIGHT_UDP = IPV4_GOOD[26:28]
    FILLED_UDP6 = UDP6_ZERO[:46] + bytes.fromhex('16fe') + UDP6_ZERO[48:]

    def fix(self, *packets, options=('-o', 'out')):
        self.write('in', pcap(RAW, *packets))
        return run('fix', 'in', *options)

    def assert_out(self, *packets):
        with open('out', 'rb') as out:
            self.assertEqual(out.read(), pcap(RAW, *packets))

    def assert_no_leftovers(self, *names):
        self.assertEqual(sorted(os.listdir('.')), sorted(names))

    def test_what_is_bad(self):
        status, out, err = self.fix(UDP_BAD, IPV4_GOOD, IPV4_BAD, UDP_ABSENT, UDP_PARTIAL, FRAGMENT)
        self.assertEqual((status, err), (0, ''))
        self.assert_out(IPV4_GOOD, IPV4_GOOD, IPV4_GOOD, UDP_ABSENT, UDP_PARTIAL, FRAGMENT)
        self.assertEqual(out,
                         'in: frame 1: udp at offset 26 (66 in the file): 0x1234 -> 0xffff, bad\n'
                         'in: frame 3: ipv4 at offset 10 (142 in the file): 0x66cd -> 0x66cc, bad\n'
                         'in: 6 frames\n'
                         'changed: 2 bad\n'
                         'left: 1 partial: --partial completes them\n'
                         'left: 1 unverifiable: fragment\n')
        self.assert_no_leftovers('in', 'out')

    def test_any_size_in_constant_memory(self):
        # More than waits to be written at a time, a packet that is larger than what may wait, and padding that differs.
        paddings = [number.to_bytes(4, 'big') * (size // 4) for number, size in enumerate([0, 1500, 5 << 18, *range(0, 4000, 17)])]
        bad, right = (pcap(RAW, *(one + padding for padding in paddings))[24:] for one in (UDP_BAD, IPV4_GOOD))
        with open('large', 'wb') as large:
            large.write(pcap(RAW))
            for _ in range(60):
                large.write(bad)
        base = peak('fix', '--quiet', self.write('small', pcap(RAW)), '-o', 'out')[1]
        with open('large', 'rb') as large:
            for name, data in ('large', None), ('-', large):
                memory = peak('fix', '--quiet', name, '-o', 'out', data=data)[1]
                with open('out', 'rb') as out:
                    self.assertEqual(out.read(24), pcap(RAW))
                    self.assertTrue(all(out.read(len(right)) == right for _ in range(60)))
                    self.assertEqual(out.read(), b'')
                self.assertLess(memory, base + 15_000)

    def test_what_is_good_stays(self):
        for option in [], ['--partial'], ['--zero-udp6'], ['--only', 'tcp']:
            status, out, err = self.fix(IPV4_GOOD, UDP_ABSENT, options=['-o', 'out', *option])
            self.assertEqual((status, out, err), (0, 'in: 2 frames\nchanged: nothing\nleft: nothing\n', ''))
            self.assert_out(IPV4_GOOD, UDP_ABSENT)
        self.assertEqual(run('fix', SAMPLE, '-o', 'out')[0], 0)
        with open(SAMPLE, 'rb') as sample, open('out', 'rb') as out:
            self.assertEqual(sample.read(), out.read())

    def test_partial(self):
        self.assertEqual(self.fix(UDP_PARTIAL, options=['--partial', '-o', 'out'])[0], 0)
        self.assert_out(IPV4_GOOD)

    def test_a_tunnel_around_a_partial_one(self):
        # The outer checksum is right as soon as the inner one is.
        tunnel = bytes.fromhex('4500006500010000401166850a0000010a000002 03e812b50051aacd 0800000000002a00'
                               '0200000000040200000000030800 4500003300010000400666c20a0000010a000002'
                               '03e80050000000050000000050182000 1428 000068656c6c6f20776f726c64')
        status, out, err = self.fix(tunnel)
        self.assertEqual((status, out, err),
                         (0, 'in: 1 frame\nchanged: nothing\nleft: 2 partial: --partial completes them\n', ''))
        self.assert_out(tunnel)
        status, out, err = self.fix(tunnel, options=['--partial', '-o', 'out'])
        self.assertEqual((status, out.splitlines()[1:], err), (0, ['in: 1 frame', 'changed: 1 partial', 'left: nothing'], ''))
        self.assert_out(tunnel[:86] + b'\xe5\xb3' + tunnel[88:])

    def test_what_is_allowed_is_left(self):
        for option in '--allow-zero-udp6', '--allow-zero-udp6=4660':
            for others in [], ['--zero-udp6']:
                status, out, err = self.fix(UDP6_ZERO, options=[option, *others, '-o', 'out'])
                self.assertEqual((status, out, err), (0, 'in: 1 frame\nchanged: nothing\nleft: nothing\n', ''))
                self.assert_out(UDP6_ZERO)
        self.assertEqual(self.fix(UDP6_ZERO, options=['--allow-zero-udp6=1', '-o', 'out'])[0], 1)
        self.assertEqual(self.fix(IPV4_ZERO, options=['--ignore-zero-ipv4', '-o', 'out'])[1].splitlines()[1:],
                         ['changed: nothing', 'left: 1 partial: --partial completes them'])
        self.assert_out(IPV4_ZERO)

    def test_zero_udp6(self):
        status, out, err = self.fix(UDP6_ZERO)
        self.assertEqual((status, err), (1, ''))
        self.assertIn('in: frame 1: udp at offset 46 (86 in the file): 0x0000 left, illegal_zero: --zero-udp6 fills them\n', out)
        self.assert_out(UDP6_ZERO)
        self.assertEqual(self.fix(UDP6_ZERO, options=['--zero-udp6', '-o', 'out'])[0], 0)
        self.assert_out(self.FILLED_UDP6)

    def test_only(self):
        both = IPV4_BAD[:26] + UDP_BAD[26:]
        status, out, err = self.fix(both, options=['--only', 'tcp,udp', '-o', 'out'])
        self.assertEqual((status, err), (1, ''))
        self.assert_out(IPV4_BAD)
        self.assertIn('in: frame 1: ipv4 at offset 10 (50 in the file): 0x66cd left, bad: not in --only\n', out)
        self.assertEqual(self.fix(both, options=['--only', 'ipv4', '-o', 'out', '--quiet']),
                         (1, 'in: frame 1: udp at offset 26 (66 in the file): 0x1234 left, bad: not in --only\n', ''))
        self.assert_out(UDP_BAD)
        status, out, err = self.fix(both, options=['--only', 'nonsense', '-o', 'out'])
        self.assertEqual((status, out), (2, ''))
        self.assertIn('there is no "nonsense"', err)

    def test_followed(self):
        # VXLAN over UDP with a right checksum, and in it UDP with a wrong one.
        inner = bytes(12) + b'\x08\0' + UDP_BAD
        udp = struct.pack('>HHHH', 1, 4789, 16 + len(inner), 0) + bytes.fromhex('0800000000000100') + inner
        pseudo = bytes.fromhex(ADDRESSES) + struct.pack('>HH', 17, len(udp))
        header = bytes.fromhex('4500') + struct.pack('>H', 20 + len(udp)) + bytes.fromhex('0001000040110000' + ADDRESSES)
        header = header[:10] + checksum(header) + header[12:]

        def packet(udp):
            return header + udp[:6] + checksum(pseudo + udp) + udp[8:]

        status, out, err = self.fix(packet(udp))
        self.assertEqual((status, err), (0, ''))
        self.assertIn(', bad\n', out)
        self.assertIn(', followed\n', out)
        self.assertIn('changed: 1 bad\nchanged: 1 followed\nleft: nothing\n', out)
        self.assert_out(packet(udp[:-len(UDP_BAD)] + IPV4_GOOD))
        self.assertEqual(run('check', 'out')[0], 0)

    def test_json_names_every_byte_that_changes(self):
        with open(SAMPLE, 'rb') as file:
            sample = bytearray(file.read())
        # Spoil the sample all over, only inside packets, so that many checksums are wrong.
        at, spoiled = 0, 0
        while at < len(sample):
            kind, size = struct.unpack_from('<II', sample, at)
            captured = struct.unpack_from('<I', sample, at + 20)[0]
            if kind == 6 and captured > 60:
                sample[at + 28 + captured - 3] ^= 0x5a
                spoiled += 1
            at += size
        self.write('in', sample)
        status, out, err = run('fix', '--json', '--partial', 'in', '-o', 'out')
        self.assertEqual((status, err), (0, ''))
        lines = [json.loads(line) for line in out.splitlines()]
        root = schema('fix.schema.json')
        self.assertTrue(all(fits(line, root, root) for line in lines))
        self.assertEqual(list(lines[-1]), ['file', 'summary'])
        self.assertEqual(lines[-1]['summary']['frames'], 232)
        self.assertGreater(lines[-1]['summary']['changed']['bad'], spoiled // 2)
        expected = bytes(sample)
        for line in lines[:-1]:
            self.assertEqual(list(line), ['file', 'frame', 'changed'])
            for one in line['changed']:
                self.assertEqual(list(one), ['protocol', 'offset', 'file_offset', 'from', 'to', 'why'])
                field = one['file_offset']
                self.assertEqual(expected[field:field + 2].hex(), one['from'][2:])
                expected = expected[:field] + bytes.fromhex(one['to'][2:]) + expected[field + 2:]
        with open('out', 'rb') as file:
            self.assertEqual(file.read(), expected)
        status, out, err = run('check', '--json', 'out')
        self.assertEqual((status, err), (0, ''))
        for verdicts in json.loads(out.splitlines()[-1])['summary'].values():
            self.assertFalse(isinstance(verdicts, dict) and 'partial' in verdicts)

    def test_everything_else_of_a_pcapng_file_stays(self):
        # Big endian: a comment on the section, an interface with options, a block of no known type, a packet with
        # options after it, padding that is not zero, and another section in the other byte order.
        def block(order, kind, body):
            size = struct.pack(order + 'I', 12 + len(body))
            return struct.pack(order + 'I', kind) + size + body + size

        def file(packet):
            comment = struct.pack('>HH4sI', 1, 4, b'hey!', 0)
            return (block('>', 0x0a0d0d0a, bytes.fromhex('1a2b3c4d 0001 0000 ffffffffffffffff') + comment)
                    + block('>', 1, struct.pack('>HHI', RAW, 0, 0) + comment)
                    + block('>', 0x0bad, b'12345678')
                    + block('>', 6, struct.pack('>IIIII', 0, 0, 0, len(packet), len(packet)) + packet + b'xy' + comment)
                    + block('<', 0x0a0d0d0a, bytes.fromhex('4d3c2b1a 0100 0000 ffffffffffffffff'))
                    + block('<', 1, struct.pack('<HHI', RAW, 0, 0))
                    + block('<', 3, struct.pack('<I', len(packet)) + packet + b'zz'))

        self.write('in', file(UDP_BAD))
        status, out, err = run('fix', 'in', '-o', 'out')
        self.assertEqual((status, err), (0, ''))
        with open('out', 'rb') as out:
            self.assertEqual(out.read(), file(IPV4_GOOD))

    def test_json_says_why_what_was_left(self):
        def left(*packets, options=()):
            self.write('in', pcap(RAW, *packets))
            out = run('fix', '--json', 'in', '-o', 'out', *options)[1]
            last = json.loads(out.splitlines()[-1])
            self.assertTrue(fits(last, root, root), last)
            return last['summary']['left']

        root = schema('fix.schema.json')
        packets = UDP_BAD, UDP6_ZERO, UDP6_ZERO, UDP_PARTIAL, FRAGMENT, UDP_ABSENT, IPV4_GOOD
        self.assertEqual(left(*packets), {'illegal_zero_not_asked_for': 2, 'partial_not_asked_for': 1, 'unverifiable_fragment': 1})
        self.assertEqual(left(*packets, options=['--only', 'tcp', '--partial', '--zero-udp6']),
                         {'bad_not_in_only': 1, 'illegal_zero_not_in_only': 2, 'partial_not_in_only': 1, 'unverifiable_fragment': 1})
        self.assertEqual(left(IPV4_GOOD), {})
        self.write('in', pcap(147, UDP_BAD))
        self.assertIn('left: 1 frame of link type 147, which is not known\n', run('fix', 'in', '-o', 'out')[1])
        last = json.loads(run('fix', '--json', 'in', '-o', 'out')[1])
        self.assertEqual(last['summary']['left'], {'frames_of_unknown_link_type': 1})
        self.assertTrue(fits(last, root, root))
        self.assertFalse(fits(dict(last, summary=dict(last['summary'], left={'nonsense': 1})), root, root))

    def test_json_when_there_is_no_copy(self):
        self.write('text', b'no capture')
        self.write('in', pcap(RAW, UDP_BAD))
        root = schema('fix.schema.json')
        for name, out, said in [('missing', 'out', 'No such file or directory'),
                                ('text', 'out', 'neither pcap nor pcapng: it begins with 6e 6f 20 63'),
                                ('in', 'missing/out', 'missing/out: No such file or directory'),
                                ('in', 'in', 'in: is the input itself: name another file for the output')]:
            status, lines, err = run('fix', '--json', name, '-o', out)
            self.assertEqual((status, err.count('\n')), (2, 1))
            last = json.loads(lines.splitlines()[-1])
            self.assertTrue(fits(last, root, root), last)
            self.assertEqual((last['file'], last['error']), (name, said if name != out else said[4:]))
            self.assertIn(said, err)

    def test_a_file_that_is_cut_off(self):
        whole = pcap(RAW, UDP_BAD, UDP_BAD)
        self.write('in', whole[:-1])
        status, out, err = run('fix', 'in', '-o', 'out')
        self.assertEqual((status, err), (1, 'onesum: in: frame 2 at offset 70: the file is cut off: the record has 46 bytes, '
                                            '45 are there; what follows is copied as it is\n'))
        self.assertTrue(out.endswith('\nleft: 1 rest of the file, which cannot be read\n'), out)
        with open('out', 'rb') as file:
            self.assertEqual(file.read(), pcap(RAW, IPV4_GOOD) + whole[70:-1])
        last = json.loads(run('fix', '--json', 'in', '-o', 'out')[1].splitlines()[-1])
        self.assertEqual(list(last), ['file', 'summary', 'error'])

    def test_dry_run(self):
        status, out, err = self.fix(UDP_BAD, options=['--dry-run'])
        self.assertEqual((status, err), (0, ''))
        self.assertIn('would change: 1 bad\n', out)
        self.assertEqual(self.fix(UDP_BAD, options=['--dry-run', '-o', 'out'])[0], 0)
        self.assert_no_leftovers('in')

    def test_standard_streams(self):
        self.write('in', pcap(RAW, UDP_BAD))
        done = subprocess.run([PROGRAM, 'fix', '-', '-o', '-'], input=pcap(RAW, UDP_BAD), capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (0, pcap(RAW, IPV4_GOOD)))
        self.assertIn(b'-: frame 1: udp', done.stderr)
        self.assertEqual(run('fix', '-', '-o', 'out', data=pcap(RAW, UDP_BAD))[0], 0)
        self.assert_out(IPV4_GOOD)

    def test_output_may_not_be_the_input(self):
        data = pcap(RAW, UDP_BAD)
        self.write('in', data)
        os.symlink('in', 'symbolic')
        os.link('in', 'hard')
        os.mkdir('folder')
        for name in 'in', './in', 'folder/../in', 'symbolic', 'hard':
            self.assertEqual(run('fix', 'in', '-o', name),
                             (2, '', f'onesum: {name}: is the input itself: name another file for the output\n'))
            self.assertEqual(run('fix', name, '-o', 'in')[0], 2)
        with open('in', 'ab') as end:
            self.assertEqual(subprocess.run([PROGRAM, 'fix', 'in', '-o', '-'], stdout=end, stderr=subprocess.PIPE).returncode, 2)
        with open('in', 'rb') as source:
            self.assertEqual(subprocess.run([PROGRAM, 'fix', '-', '-o', 'in'], stdin=source, stderr=subprocess.PIPE).returncode, 2)
        for name in 'in', 'symbolic', 'hard':
            with open(name, 'rb') as file:
                self.assertEqual(file.read(), data)
        self.assert_no_leftovers('in', 'symbolic', 'hard', 'folder')

    def test_mode_and_place(self):
        os.umask(0o022)
        self.write('in', pcap(RAW, UDP_BAD))
        for mode in 0o640, 0o666, 0o600:
            os.chmod('in', mode)
            self.assertEqual(run('fix', 'in', '-o', 'out')[0], 0)  # a new file, then one that was there
            self.assertEqual(os.stat('out').st_mode & 0o7777, mode)
            self.assert_out(IPV4_GOOD)
        self.assertEqual(run('fix', '-', '-o', 'new', data=pcap(RAW, UDP_BAD))[0], 0)
        self.assertEqual(os.stat('new').st_mode & 0o7777, 0o644)
        # What a symbolic link stands for is replaced, not the link.
        os.mkdir('folder')
        os.symlink('folder/target', 'link')
        self.write('folder/target', b'old')
        self.assertEqual(run('fix', 'in', '-o', 'link')[0], 0)
        self.assertTrue(os.path.islink('link'))
        with open('folder/target', 'rb') as target:
            self.assertEqual(target.read(), pcap(RAW, IPV4_GOOD))
        self.assertEqual(os.listdir('folder'), ['target'])
        # A device stays one.
        self.assertEqual(run('fix', 'in', '-o', '/dev/null')[0], 0)
        self.assertFalse(os.path.isfile('/dev/null'))

    def assert_failed(self, message, *arguments, **options):
        done = subprocess.run([PROGRAM, 'fix', *arguments], capture_output=True, **options)
        self.assertEqual((done.returncode, done.stdout, done.stderr.decode()), (2, b'', message))

    def test_failures_leave_the_output_alone(self):
        os.mkdir('folder')
        self.write('in', pcap(RAW, *[UDP_BAD] * 1000))
        self.write('out', b'before')
        self.write('text', b'Hello, world\n')
        self.write('empty', b'')
        os.symlink('nowhere', 'dangling')
        for name, message in [('missing', 'No such file or directory'), ('folder', 'Is a directory'), ('empty', 'the file is empty'),
                              ('text', 'neither pcap nor pcapng: it begins with 48 65 6c 6c')]:
            self.assert_failed(f'onesum: {name}: {message}\n', name, '-o', 'out')
        self.assert_failed('onesum: folder: Is a directory\n', 'in', '-o', 'folder')
        self.assert_failed('onesum: nowhere/out: No such file or directory\n', 'in', '-o', 'nowhere/out')
        self.assert_failed('onesum: dangling: No such file or directory\n', 'in', '-o', 'dangling')
        self.assert_failed('onesum: /dev/full: No space left on device\n', '--quiet', 'in', '-o', '/dev/full')

        # A file that may not grow, as on a full disk; and the same with a signal that kills.
        def small(action):
            signal.signal(signal.SIGXFSZ, action)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

        self.assert_failed('onesum: out: File too large\n', '--quiet', 'in', '-o', 'out', preexec_fn=lambda: small(signal.SIG_IGN))
        done = subprocess.run([PROGRAM, 'fix', '--quiet', 'in', '-o', 'out'], preexec_fn=lambda: small(signal.SIG_DFL))
        self.assertEqual(done.returncode, -signal.SIGXFSZ)
        with open('out', 'rb') as out:
            self.assertEqual(out.read(), b'before')
        self.assert_no_leftovers('in', 'out', 'text', 'empty', 'folder', 'dangling')

    def test_usage(self):
        self.write('in', pcap(RAW, UDP_BAD))
        for arguments in [], ['in'], ['-o', 'out'], ['in', 'other', '-o', 'out']:
            status, out, err = run('fix', *arguments)
            self.assertEqual((status, out), (2, ''), arguments)
            self.assertTrue(err.startswith('onesum: '), err)
        self.assertEqual(run('mend', 'in'), (2, '', 'onesum: there is no command "mend"; onesum --help lists them\n'))
        status, out, err = run('check', '--first', '-1', 'in')
        self.assertEqual((status, out), (2, ''))
        self.assertIn('onesum: --first: ', err)
        self.assert_no_leftovers('in')


if __name__ == '__main__':
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unittest.main()
