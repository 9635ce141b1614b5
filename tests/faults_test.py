"""The program onesum where files, memory and the system fail it. SPDX-License-Identifier: MIT

ONESUM_PROGRAM names the program, ONESUM_SAMPLE the sample capture, ONESUM_FAULTS the shim that makes system calls fail.
Whatever happens, the program ends by itself with one of its exit statuses, says why, and leaves no part of a file.
"""
import errno
import json
import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = os.path.abspath(os.environ['ONESUM_PROGRAM'])
SAMPLE = os.path.abspath(os.environ['ONESUM_SAMPLE'])
SHIM = os.path.abspath(os.environ['ONESUM_FAULTS'])
SANITIZED = bool(os.environ.get('ONESUM_SANITIZED'))
RAW = 101
faults = 0

with open(SAMPLE, 'rb') as sample_file:
    CAPTURE = sample_file.read()


def packet(good):
    """An IPv4 packet of 30 bytes with a UDP datagram of 10."""
    def check(data):
        total = sum(struct.unpack(f'!{len(data) // 2}H', data))
        while total >> 16:
            total = (total & 0xffff) + (total >> 16)
        return struct.pack('!H', total ^ 0xffff)
    ends = bytes([10, 0, 0, 1, 10, 0, 0, 2])
    ip = bytes.fromhex('4500001e0001000040110000') + ends
    udp = bytes.fromhex('00351234000a0000') + b'hi'
    stored = check(ends + bytes([0, 17, 0, 10]) + udp) if good else b'\x12\x34'
    return ip[:10] + check(ip) + ip[12:] + udp[:6] + stored + udp[8:]


def pcap(*packets):
    return struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, RAW) + b''.join(
        struct.pack('<IIII', 1700000000, 0, len(one), len(one)) + one for one in packets)


MANY = 40_000  # packets: 1.8 MB, more than a window of what is read
IN, OUT = pcap(packet(False)) + pcap(packet(False))[24:] * (MANY - 1), pcap(packet(True)) + pcap(packet(True))[24:] * (MANY - 1)


class Folder(unittest.TestCase):
    def setUp(self):
        before, folder = os.getcwd(), tempfile.mkdtemp()
        os.chdir(folder)
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.addCleanup(os.chdir, before)

    def write(self, name, data):
        with open(name, 'wb') as file:
            file.write(data)
        return name

    def run_program(self, *arguments, fault=None, data=b'', **options):
        """(exit status, standard output, standard error); it may not die, nor take long."""
        global faults
        faults += 1
        environment = {**os.environ, 'LC_ALL': 'C'}
        environment.pop('ONESUM_FORCE_IMPLEMENTATION', None)
        if fault:
            environment.update(LD_PRELOAD=SHIM, FAULT=fault)
        done = subprocess.run([PROGRAM, *arguments], input=data, capture_output=True, env=environment, timeout=120, **options)
        self.assertIn(done.returncode, (0, 1, 2), (arguments, fault, done.stderr))
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def assert_left(self, *names):
        self.assertEqual(sorted(os.listdir('.')), sorted(names))


def preloading(test):
    return unittest.skipIf(SANITIZED, 'a sanitizer wants to be loaded first')(test)


class Calls(Folder):
    """System calls that fail, one by one."""

    @preloading
    def test_a_file_that_shrinks_while_it_is_mapped(self):
        message = 'onesum: a file was cut short while it was being read\n'
        for arguments in ['sum', 'in'], ['check', 'in'], ['check', '--json', 'in'], ['check', '-F', 'udp', 'in']:
            self.write('in', IN)
            status, _, err = self.run_program(*arguments, fault='shrink:in')
            self.assertEqual((status, err), (2, message))

    def test_a_file_that_shrinks_or_grows_while_it_is_read(self):
        # Through a pipe no size is known before; a file's may change between two reads.
        for change in -1_000_000, 1_000_000:
            self.write('in', IN)
            stop = threading.Event()

            def flicker():
                while not stop.is_set():
                    os.truncate('in', len(IN) + change)
                    os.truncate('in', len(IN))
            thread = threading.Thread(target=flicker)
            thread.start()
            try:
                for _ in range(5):
                    for arguments in ['sum', 'in'], ['check', '--quiet', 'in'], ['fix', '--quiet', 'in', '-o', 'out']:
                        self.run_program(*arguments)
            finally:
                stop.set()
                thread.join()

    @preloading
    def test_reads_that_fail(self):
        self.write('in', IN)
        self.write('out', b'before')
        for after in 0, 1, 23, 24, 40, 1000, 600_000, len(IN) - 1, len(IN):
            for number in errno.EIO, errno.ESTALE:
                fault, said = f'read:{after}:{number}', os.strerror(number)
                for arguments in ['sum'], ['check'], ['check', '--json']:
                    status, out, err = self.run_program(*arguments, data=IN, fault=fault)
                    self.assertEqual(status, 2, (arguments, fault))
                    self.assertIn(said, err)
                    if arguments[-1] == '--json':
                        self.assertIn(said, json.loads(out.splitlines()[-1])['error'])
                for arguments in ['fix', '--quiet', 'in', '-o', 'out'], ['check', '--threads', '2', 'in']:
                    status, _, err = self.run_program(*arguments, fault=fault)
                    self.assertEqual(status, 2, (arguments, fault))
                    self.assertIn(said, err)
                with open('out', 'rb') as out:
                    self.assertEqual(out.read(), b'before')
        self.assert_left('in', 'out')

    @preloading
    def test_a_file_that_cannot_be_mapped_is_read(self):
        self.write('in', IN)
        plain = [self.run_program(*arguments) for arguments in (['sum', 'in'], ['check', 'in'])]
        for number in errno.ENODEV, errno.ENOMEM, errno.EACCES:
            self.assertEqual([self.run_program(*arguments, fault=f'mmap:{number}')
                              for arguments in (['sum', 'in'], ['check', 'in'])], plain)

    @preloading
    def test_short_and_interrupted_calls(self):
        self.write('in', IN[:24 + 46 * 100])
        whole = self.run_program('sum', data=IN[:24 + 46 * 100])
        for most in 1, 7, 4096:
            self.assertEqual(self.run_program('sum', data=IN[:24 + 46 * 100], fault=f'short:{most}'), whole)
            self.assertEqual(self.run_program('fix', '--quiet', 'in', '-o', 'out', fault=f'short:{most}')[0], 0)
            with open('out', 'rb') as out:
                self.assertEqual(out.read(), OUT[:24 + 46 * 100])

    @preloading
    def test_no_thread_to_write(self):
        self.write('in', IN)
        self.assertEqual(self.run_program('fix', '--quiet', 'in', '-o', 'out', fault=f'thread:{errno.EAGAIN}'), (0, '', ''))
        with open('out', 'rb') as out:
            self.assertEqual(out.read(), OUT)

    @preloading
    def test_writes_and_names_that_fail(self):
        self.write('in', IN)
        self.write('out', b'before')
        for fault, number in [(f'write:{after}:{number}', number) for after in (0, 1, 24, 600_000, len(IN) - 1)
                              for number in (errno.ENOSPC, errno.EIO, errno.EDQUOT)] + [
                                  (f'{name}:{errno.EACCES}', errno.EACCES) for name in ('rename', 'linkat')]:
            status, _, err = self.run_program('fix', '--quiet', 'in', '-o', 'out', fault=fault)
            self.assertEqual((status, err), (2, f'onesum: out: {os.strerror(number)}\n'), fault)
            with open('out', 'rb') as out:
                self.assertEqual(out.read(), b'before')
            self.assert_left('in', 'out')
        # No file without a name on this file system: one with a hidden name.
        for number in errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL:
            self.assertEqual(self.run_program('fix', '--quiet', 'in', '-o', 'out', fault=f'tmpfile:{number}')[0], 0)
            self.assert_left('in', 'out')
            with open('out', 'rb') as out:
                self.assertEqual(out.read(), OUT)
        for command in ['sum', 'in'], ['check', 'in'], ['fix', 'in', '-o', 'new']:
            self.assertEqual(self.run_program(*command, fault=f'fstat:{errno.EIO}')[0], 2)
        self.assert_left('in', 'out')


class Disk(Folder):
    def test_full(self):
        """On a file system of 256 KiB, in a namespace of its own: the output is 1.8 MB."""
        script = f'''
            mount -t tmpfs -o size=256k none small || exit 77
            printf before >small/out
            "{PROGRAM}" fix --quiet in -o small/out; echo $?
            "{PROGRAM}" fix --quiet in -o small/new; echo $?
            "{PROGRAM}" fix --quiet in -o - >small/direct; echo $?
            rm small/direct
            ls -A small; cat small/out'''
        self.write('in', IN)
        os.mkdir('small')
        done = subprocess.run(['unshare', '--mount', '--user', '--map-root-user', 'sh', '-c', script], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest('no file system can be mounted here: ' + done.stderr.strip())
        self.assertEqual(done.stdout, '2\n2\n2\nout\nbefore')
        self.assertEqual(done.stderr.splitlines(), [f'onesum: {name}: No space left on device' for name in ('small/out', 'small/new', '-')])


class Killed(Folder):
    def test_fix(self):
        """At any moment: nothing is there, or what was there before, or all of it."""
        global faults
        self.write('in', IN)
        draw = random.Random(9)
        begun = time.monotonic()
        self.run_program('fix', '--quiet', 'in', '-o', 'out')
        whole = time.monotonic() - begun
        seen = set()
        for before in None, b'before':
            for turn in range(20):
                for leftover in os.listdir('.'):
                    if leftover != 'in':
                        os.remove(leftover)
                if before:
                    self.write('out', before)
                program = subprocess.Popen([PROGRAM, 'fix', '--quiet', 'in', '-o', 'out'])
                time.sleep(draw.uniform(0, 1.2 * whole))
                program.send_signal((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[turn % 3])
                program.wait()
                faults += 1
                found = None
                if os.path.exists('out'):
                    with open('out', 'rb') as out:
                        found = out.read()
                self.assertIn(found, (before, OUT))
                seen.add(found == before)
                # At worst, where it dies between giving a name and moving: the whole under a hidden name.
                self.assertLessEqual(len(os.listdir('.')), 3)
        self.assertIn(True, seen)

    def test_fix_of_a_stream(self):
        global faults
        for sent in 0, 10, 24, 1000, len(IN) // 2:
            program = subprocess.Popen([PROGRAM, 'fix', '--quiet', '-', '-o', 'out'], stdin=subprocess.PIPE)
            program.stdin.write(IN[:sent])
            program.stdin.flush()
            time.sleep(0.02)
            program.kill()
            program.wait()
            program.stdin.close()
            faults += 1
            self.assert_left()


class Memory(Folder):
    @unittest.skipIf(SANITIZED, 'a sanitizer reserves more than there is')
    def test_none_left(self):
        """However little address space: the right answer, or an error."""
        self.write('in', IN)
        whole = {arguments: self.run_program(*arguments)[:2] for arguments in (('sum', 'in'), ('check', 'in'), ('fix', '--quiet', 'in', '-o', 'out'))}
        os.remove('out')
        seen = set()
        # From what the loader and the libraries need on.
        for megabytes in *range(4, 24, 1), *range(24, 64, 8):
            for arguments, result in whole.items():
                global faults
                faults += 1
                size = megabytes << 20
                done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
                if done.returncode == 127 or 'error while loading shared libraries' in done.stderr or 'cannot allocate memory' in done.stderr:
                    continue  # the loader's own words
                if done.returncode == -signal.SIGSEGV and done.stdout == '' and megabytes < 8:
                    continue  # the system could not even start it
                seen.add(done.returncode)
                self.assertIn(done.returncode, (result[0], 2), (megabytes, arguments, done.stderr))
                if done.returncode == 2:
                    self.assertRegex(done.stderr, '^onesum: ')
                    self.assertFalse(os.path.exists('out'))
                else:
                    self.assertEqual(done.stdout, result[1])
                if os.path.exists('out'):
                    os.remove('out')
                self.assert_left('in')
        self.assertIn(0, seen)


class Streams(Folder):
    def test_closed_pipe(self):
        """The reader goes away: the program ends without a word."""
        self.write('in', IN)
        for arguments in ['check', '--json', 'in'], ['check', '--verbose', 'in'], ['fix', '--quiet', 'in', '-o', '-'], ['fix', 'in', '-o', 'out']:
            global faults
            faults += 1
            program = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            program.stdout.read(100)
            program.stdout.close()
            report = program.stderr.read()
            self.assertEqual(program.wait(), -signal.SIGPIPE)
            program.stderr.close()
            self.assertEqual(report, b'')
            self.assertFalse(os.path.exists('out'))
        # Where the signal is ignored, the error is reported, and nothing goes on for nothing.
        def ignore():
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        for arguments in ['check', '--json', 'in'], ['fix', '--quiet', 'in', '-o', '-']:
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE, preexec_fn=ignore)
            os.close(writing)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b'Broken pipe', done.stderr)

    def test_closed_descriptors(self):
        """What is opened first gets the numbers of the standard streams, if these are closed; nothing else goes there."""
        self.write('in', pcap(packet(False), packet(False)))
        right = pcap(packet(True), packet(True))
        for closed in '<&-', '>&-', '2>&-', '<&- >&-', '<&- 2>&-', '>&- 2>&-', '<&- >&- 2>&-':
            for command in 'fix in -o out', 'fix in -o out --json', 'check in', 'sum in missing':
                global faults
                faults += 1
                done = subprocess.run(['sh', '-c', f'"$0" {command} {closed}', PROGRAM], capture_output=True)
                self.assertIn(done.returncode, (0, 1, 2), (command, closed, done.stderr))
                if '>&-' in closed.split():
                    self.assertEqual(done.returncode, 2, (command, closed))
                if os.path.exists('out'):
                    with open('out', 'rb') as out:
                        self.assertEqual(out.read(), right, (command, closed))
                    os.remove('out')
                with open('in', 'rb') as same:
                    self.assertEqual(same.read(), pcap(packet(False), packet(False)))
        self.assert_left('in')


class Special(Folder):
    def test_unreadable(self):
        self.write('in', IN)
        os.chmod('in', 0)
        os.chmod('.', 0o777)
        program = PROGRAM
        if os.geteuid() == 0:
            # For root nothing is unreadable: as nobody, who may not be able to reach the program where it is.
            program = shutil.copy(PROGRAM, 'program')
        def nobody():
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
        library = os.path.join(os.path.dirname(PROGRAM), 'src')
        for file in os.listdir(library):
            if file.startswith('libonesum.so') and os.path.isfile(os.path.join(library, file)):
                shutil.copy(os.path.join(library, file), file)
        for arguments in ['sum', 'in'], ['check', 'in'], ['fix', 'in', '-o', 'out']:
            done = subprocess.run([os.path.abspath(program), *arguments], capture_output=True, text=True, preexec_fn=nobody,
                                  env={**os.environ, 'LD_LIBRARY_PATH': os.getcwd(), 'LC_ALL': 'C'})
            self.assertEqual((done.returncode, done.stderr), (2, 'onesum: in: Permission denied\n'))
        self.assertFalse(os.path.exists('out'))

    def test_devices_and_the_like(self):
        self.assertEqual(self.run_program('check', '/dev/zero'), (2, '', 'onesum: /dev/zero: neither pcap nor pcapng: it begins with 00 00 00 00\n'))
        self.assertEqual(self.run_program('check', '/dev/null'), (2, '', 'onesum: /dev/null: the file is empty\n'))
        self.assertEqual(self.run_program('sum', '/dev/null'), (0, '0xffff  /dev/null\n', ''))
        for command in ['sum'], ['check'], ['fix', '-o', 'out']:
            status, out, err = self.run_program(*command, '/proc/self/mem')
            self.assertEqual((status, out), (2, ''))
            self.assertRegex(err, '^onesum: /proc/self/mem: (offset 0: )?Input/output error\n$')
            self.assertEqual(self.run_program(*command, '.'), (2, '', 'onesum: .: Is a directory\n'))
        with socket.socket(socket.AF_UNIX) as one:
            one.bind('socket')
            self.assertEqual(self.run_program('check', 'socket'), (2, '', 'onesum: socket: No such device or address\n'))
        with open('/proc/version', 'rb') as version:  # a file of size 0 with bytes in it
            text = version.read()
        out = self.run_program('sum', '/proc/version')[1]
        self.assertEqual(out.split()[0], self.run_program('sum', data=text)[1].split()[0])
        self.assert_left('socket')

    def test_pipes_with_names(self):
        os.mkfifo('pipe')
        for arguments, status in (['check', '--quiet', 'pipe'], 1), (['fix', '--quiet', 'pipe', '-o', 'out'], 0):
            thread = threading.Thread(target=self.write, args=('pipe', IN))
            thread.start()
            self.assertEqual(self.run_program(*arguments)[0], status)
            thread.join()
        with open('out', 'rb') as out:
            self.assertEqual(out.read(), OUT)

    def test_an_endless_stream_stops_at_a_signal(self):
        with open('/dev/zero', 'rb') as zeros:
            program = subprocess.Popen([PROGRAM, 'sum'], stdin=zeros, stdout=subprocess.PIPE)
            time.sleep(0.2)
            with open(f'/proc/{program.pid}/status', encoding='utf-8') as status:
                resident = [int(line.split()[1]) for line in status if line.startswith('VmRSS')][0]
            program.terminate()
            self.assertEqual(program.wait(), -signal.SIGTERM)
            program.stdout.close()
            if not SANITIZED:
                self.assertLess(resident, 40_000)


def block(kind, body, order='<'):
    body += bytes(-len(body) % 4)
    return struct.pack(order + 'II', kind, 12 + len(body)) + body + struct.pack(order + 'I', 12 + len(body))


def option(code, value):
    return struct.pack('<HH', code, len(value)) + value + bytes(-len(value) % 4)


END = struct.pack('<HH', 0, 0)
SECTION = block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1) + option(4, b'a test') + END)
INTERFACE = block(1, struct.pack('<HHI', RAW, 0, 65535) + option(2, b'eth0') + option(9, b'\6') + option(14, bytes(8)) + END)


def enhanced(data, interface=0):
    return block(6, struct.pack('<IIIII', interface, 0, 0, len(data), len(data)) + data + bytes(-len(data) % 4) + option(2, bytes(4)) + END)


def blocks_of_all_kinds():
    one = packet(False)
    return [SECTION, INTERFACE, INTERFACE, enhanced(one), enhanced(one, 1),
            block(3, struct.pack('<I', len(one)) + one),
            block(2, struct.pack('<HHIIII', 1, 0, 0, 0, len(one), len(one)) + one),
            block(4, struct.pack('<HH', 1, 8) + bytes(8) + END),
            block(5, struct.pack('<III', 0, 0, 0) + option(4, bytes(8)) + END),
            block(0xbad, struct.pack('<I', 32473) + b'whatever'), enhanced(one)]


ABSURD = [0, 1, 2, 3, 4, 8, 0x7fff, 0xffff, 0x10000, 0x01000001, 0x02000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xfffffffc, 0xffffffff]


class Lengths(Folder):
    def try_all(self, files):
        """Checks all files in one process with little memory, each of which must be reported; repairs some."""
        global faults
        names = []
        for number, data in enumerate(files):
            names.append(self.write(f'{number}', data))
        faults += len(names)
        room = (256 << 20) if not SANITIZED else resource.RLIM_INFINITY
        done = subprocess.run([PROGRAM, 'check', '--json', *names], capture_output=True, text=True, timeout=300,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
        self.assertIn(done.returncode, (0, 1, 2), done.stderr[-2000:])
        last = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([one['file'] for one in last if 'summary' in one], names)
        for name, data in list(zip(names, files))[::17]:
            status = self.run_program('fix', '--quiet', name, '-o', 'out')[0]
            if status != 2:
                with open('out', 'rb') as out:
                    self.assertEqual(len(out.read()), len(data))
                os.remove('out')
        return [one for one in last if 'summary' in one]

    def test_every_field_of_pcapng(self):
        whole = b''.join(blocks_of_all_kinds())
        files = [whole]
        for at in range(0, len(whole), 2):
            for value in ABSURD:
                if value <= 0xffff:
                    files.append(whole[:at] + struct.pack('<H', value) + whole[at + 2:])
                if at % 4 == 0:
                    files.append(whole[:at] + struct.pack('<I', value) + whole[at + 4:])
        reports = self.try_all(files)
        self.assertEqual(reports[0]['summary'], {'frames': 5, 'ipv4': {'good': 5}, 'udp': {'bad': 5}})
        self.assertTrue(any('error' in one for one in reports))

    def test_every_field_of_pcap(self):
        whole = pcap(packet(False), packet(True), packet(False))
        files = [whole]
        for at in range(0, len(whole), 2):
            files += [whole[:at] + struct.pack('<I', value)[:len(whole) - at] + whole[at + 4:] for value in ABSURD]
        self.assertEqual(self.try_all(files)[0]['summary'], {'frames': 3, 'ipv4': {'good': 3}, 'udp': {'bad': 2, 'good': 1}})

    def test_a_million_interfaces(self):
        plain = block(1, struct.pack('<HHI', RAW, 0, 0))
        many = 1_000_000
        self.write('sections', (SECTION + plain + enhanced(packet(True))) * 50_000)
        status, out, _ = self.run_program('check', 'sections')
        self.assertEqual(status, 0)
        self.assertIn('50000 frames', out)
        self.write('most', SECTION + plain * 65536 + enhanced(packet(True), 65535))
        self.assertEqual(self.run_program('check', '--quiet', 'most'), (0, '', ''))
        self.write('beyond', SECTION + plain * 65536 + enhanced(packet(True), 65536))
        self.assertEqual(self.run_program('check', '--quiet', 'beyond')[0], 2)
        self.write('many', SECTION + plain * many + enhanced(packet(True)))
        status, out, err = self.run_program('check', 'many')
        self.assertEqual((status, out), (2, ''))
        self.assertIn('more than 65536 interfaces in one section', err)
        self.assertEqual(self.run_program('fix', '--quiet', 'many', '-o', 'out')[0], 1)
        with open('out', 'rb') as fixed, open('many', 'rb') as same:
            self.assertEqual(fixed.read(), same.read())


if __name__ == '__main__':
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    outcome = unittest.main(exit=False)
    print(f'{faults} faults', file=sys.stderr)
    sys.exit(not outcome.result.wasSuccessful())
