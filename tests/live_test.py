"""`onesum check --live` on a pair of virtual interfaces. SPDX-License-Identifier: MIT

Needs root, and `ip` of iproute2; without, most of it is skipped. They live in a network namespace of their own.
"""
import ctypes
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

from program import IPV4_GOOD, PROGRAM, UDP_BAD, Folder, fits, run, schema

NAMESPACE = f'onesum-test-{os.getpid()}'
CAP_NET_RAW, PR_CAPBSET_DROP = 13, 24
ETHERNET = bytes(12) + b'\x08\0'


def ip(*arguments):
    return subprocess.run(['ip', *arguments], capture_output=True, check=False).returncode == 0


def inside(*command):
    return ['ip', 'netns', 'exec', NAMESPACE, *command]


def send(*packets):
    """Sends Ethernet frames with these IP packets into the one end."""
    script = ('import socket, sys\n'
              's = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)\n'
              's.bind(("here", 0))\n'
              'for frame in sys.argv[1:]: s.send(bytes.fromhex(frame))')
    subprocess.run(inside(sys.executable, '-c', script, *[(ETHERNET + packet).hex() for packet in packets]), check=True)


def possible():
    try:
        made = ip('netns', 'add', NAMESPACE)
    except FileNotFoundError:
        return False
    # IPv6 would send packets of its own.
    quiet = subprocess.run(inside('sh', '-c', 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'), check=False,
                           capture_output=True) if made else None
    return (made and quiet.returncode == 0 and ip('-n', NAMESPACE, 'link', 'add', 'here', 'type', 'veth', 'peer', 'name', 'there')
            and ip('-n', NAMESPACE, 'link', 'set', 'here', 'up') and ip('-n', NAMESPACE, 'link', 'set', 'there', 'up'))


class Live(Folder):
    @classmethod
    def setUpClass(cls):
        if not possible():
            cls.tearDownClass()
            raise unittest.SkipTest('no network namespace can be made here')

    @classmethod
    def tearDownClass(cls):
        try:
            ip('netns', 'del', NAMESPACE)
        except FileNotFoundError:
            pass

    def wait_for_capture(self, program):
        """Until its socket receives."""
        for _ in range(600):
            sockets = pathlib.Path(f'/proc/{program.pid}/net/packet').read_text(encoding='ascii').splitlines()[1:]
            if any(line.split()[5] == '1' for line in sockets):
                return
            time.sleep(0.05)

    def until(self, output, frames):
        """The lines up to the counts of so many frames, without counts of fewer: they may come seconds later."""
        lines = []
        for _ in range(60):
            lines.append(output.readline())
            counts = re.search(rb' s: (\d+) frame|"frames":(\d+).*"seconds"', lines[-1])
            if counts and int(counts[1] or counts[2]) == frames:
                break
            if counts:
                lines.pop()
        return lines

    def capture(self, *arguments, packets=(), frames=None, end=signal.SIGINT):
        """(exit status, lines, standard error) of a check of the other end, from before the packets to long enough after."""
        program = subprocess.Popen(inside(PROGRAM, 'check', '--live', 'there', *arguments), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        try:
            lines = []
            self.wait_for_capture(program)
            if '--quiet' not in arguments:
                lines.append(program.stdout.readline())  # of the first second
            send(*packets)
            if '--quiet' in arguments:
                lines.append(program.stdout.readline())
            else:
                lines += self.until(program.stdout, len(packets) if frames is None else frames)
            program.send_signal(end)
            out, err = program.communicate(timeout=30)
        finally:
            program.kill()
        return program.returncode, b''.join(lines + [out]).decode().splitlines(), err.decode()

    def test_text(self):
        status, lines, err = self.capture(packets=[IPV4_GOOD, UDP_BAD, IPV4_GOOD])
        self.assertEqual((status, err), (1, ''))
        self.assertEqual(lines[0], 'there: 1 s: 0 frames, 0 good, 0 bad')
        self.assertEqual(lines[1], 'there: frame 2: udp at offset 40: stored 0x1234, expected 0xffff')
        self.assertRegex(lines[2], r'^there: \d s: 3 frames, 5 good, 1 bad$')
        self.assertEqual(lines[-4:], ['there: 3 frames', '                    good           bad',
                                      'ipv4                   3             -', 'udp                    2             1'])

    def test_json(self):
        status, lines, err = self.capture('--json', packets=[UDP_BAD], end=signal.SIGTERM)
        self.assertEqual((status, err), (1, ''))
        root = schema('check.schema.json')
        lines = [json.loads(line) for line in lines]
        self.assertTrue(all(fits(line, root, root) for line in lines))
        self.assertEqual(lines[0], {'file': 'there', 'summary': {'frames': 0}, 'seconds': 1})
        self.assertEqual(lines[1]['checksums'][1], {'protocol': 'udp', 'offset': 40, 'stored': '0x1234', 'expected': '0xffff',
                                                    'verdict': 'bad'})
        self.assertEqual(lines[-1], {'file': 'there', 'summary': {'frames': 1, 'ipv4': {'good': 1}, 'udp': {'bad': 1}}, 'dropped': 0})

    def test_good_and_filter(self):
        other = UDP_BAD[:9] + b'\x11' + UDP_BAD[10:20] + b'\0\1' + UDP_BAD[22:]  # from port 1
        status, lines, err = self.capture('-F', 'udp src port 4660', packets=[IPV4_GOOD, other], frames=1)
        self.assertEqual((status, err, lines[-4]), (0, '', 'there: 1 frame'))
        status, lines, err = self.capture('--quiet', '--first', '1', packets=[UDP_BAD, UDP_BAD])
        self.assertEqual((status, lines, err), (1, ['there: frame 1: udp at offset 40: stored 0x1234, expected 0xffff'], ''))

    def test_what_cannot_be(self):
        for arguments, message in [(['missing'], 'onesum: missing: there is no such interface; there are: .*there'),
                                   (['there', '-F', 'nonsense ('], 'onesum: there: -F: .*syntax error')]:
            done = subprocess.run(inside(PROGRAM, 'check', '--live', *arguments), capture_output=True, timeout=30, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, b''))
            self.assertRegex(done.stderr.decode(), message)

    def test_an_interface_that_goes_away(self):
        self.assertTrue(ip('-n', NAMESPACE, 'link', 'add', 'left', 'type', 'veth', 'peer', 'name', 'right'))
        self.assertTrue(ip('-n', NAMESPACE, 'link', 'set', 'right', 'up'))
        program = subprocess.Popen(inside(PROGRAM, 'check', '--live', 'right'), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        program.stdout.readline()
        ip('-n', NAMESPACE, 'link', 'del', 'right')
        out, err = program.communicate(timeout=30)
        self.assertEqual(program.returncode, 2)
        self.assertRegex(err.decode(), r'^onesum: right: .*(down|disappeared)')


class WithoutPermission(Folder):
    def test_message(self):
        drop = None
        if os.geteuid() == 0:
            libc = ctypes.CDLL(None, use_errno=True)

            def drop():
                assert libc.prctl(PR_CAPBSET_DROP, CAP_NET_RAW, 0, 0, 0) == 0
        else:
            try:
                socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
                self.skipTest('who runs this may capture')
            except PermissionError:
                pass
        done = subprocess.run([PROGRAM, 'check', '--live', 'lo'], capture_output=True, preexec_fn=drop, timeout=30, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b''))
        self.assertRegex(done.stderr.decode(), r'^onesum: lo: to capture needs root or the capability CAP_NET_RAW, as from '
                                               r'`setcap cap_net_raw\+ep .*onesum`\n$')


class WithoutLibpcap(Folder):
    def test_message(self):
        for name in 'libpcap.so.0.8', 'libpcap.so.1', 'libpcap.so':
            self.write(name, b'not a library')
        self.write('in', b'')
        for arguments in ['--live', 'lo'], ['-F', 'udp', os.environ['ONESUM_SAMPLE']]:
            status, out, err = run('check', '--quiet', *arguments, LD_LIBRARY_PATH=os.getcwd())
            self.assertEqual((status, out), (2, ''))
            self.assertIn(arguments[0] + ' needs libpcap, which is not installed', err)
        # Nothing else needs it.
        self.assertEqual(run('check', '--quiet', os.environ['ONESUM_SAMPLE'], LD_LIBRARY_PATH=os.getcwd()), (0, '', ''))


class Usage(Folder):
    def test_what_does_not_go_together(self):
        for arguments in ['--live', 'lo', 'file'], ['--live', 'lo', '--threads', '2'], ['--live']:
            status, out, err = run('check', *arguments)
            self.assertEqual((status, out), (2, ''), arguments)
            self.assertIn('--live', err)


if __name__ == '__main__':
    unittest.main()
