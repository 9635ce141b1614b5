"""What the tests of the program onesum share. SPDX-License-Identifier: MIT

ONESUM_PROGRAM names the program, ONESUM_SAMPLE the sample capture.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ['ONESUM_PROGRAM'])
SAMPLE = os.path.abspath(os.environ['ONESUM_SAMPLE'])
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'docs')


def run(*arguments, data=b'', **environment):
    """(exit status, standard output, standard error) of the program."""
    names = dict(os.environ, LC_ALL='C')
    names.pop('ONESUM_FORCE_IMPLEMENTATION', None)
    names.update(environment)
    done = subprocess.run([PROGRAM, *arguments], input=data, capture_output=True, env=names, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def peak(*arguments, data=None):
    """(the end of the standard output, the most memory used in KiB) of the program, which reads the file `data` from a pipe."""
    cat = subprocess.Popen(['cat'], stdin=data or subprocess.DEVNULL, stdout=subprocess.PIPE)
    program = subprocess.Popen([PROGRAM, *arguments], stdin=cat.stdout, stdout=subprocess.PIPE)
    cat.stdout.close()
    end = b''
    with program.stdout:
        for part in iter(lambda: program.stdout.read(1 << 20), b''):
            end = (end + part)[-200:]
    _, program.returncode, usage = os.wait4(program.pid, 0)
    cat.wait()
    assert program.returncode == 0
    return end, usage.ru_maxrss


TYPES = {'object': dict, 'array': list, 'string': str, 'integer': int, 'null': type(None)}


def fits(value, schema, root):
    """Whether a value fits a JSON schema, as far as the schemas in docs/ go; an unknown keyword is an error."""
    def one(keyword, rule):
        if keyword in ('title', 'description', '$schema', '$defs'):
            return True
        if keyword == '$ref':
            return fits(value, root['$defs'][rule.removeprefix('#/$defs/')], root)
        if keyword == 'oneOf':
            return sum(fits(value, other, root) for other in rule) == 1
        if keyword == 'type':
            return isinstance(value, TYPES[rule]) and not isinstance(value, bool)
        if keyword == 'const':
            return value is rule or value == rule
        if keyword == 'enum':
            return value in rule
        if keyword == 'pattern':
            return re.search(rule, value) is not None
        if keyword == 'minimum':
            return value >= rule
        if keyword == 'minItems':
            return len(value) >= rule
        if keyword == 'items':
            return all(fits(item, rule, root) for item in value)
        if keyword == 'required':
            return all(name in value for name in rule)
        if keyword == 'properties':
            return all(fits(value[name], other, root) for name, other in rule.items() if name in value)
        if keyword == 'propertyNames':
            return all(fits(name, rule, root) for name in value)
        if keyword == 'additionalProperties':
            others = [value[name] for name in value if name not in schema.get('properties', {})]
            return not others if rule is False else all(fits(other, rule, root) for other in others)
        raise ValueError(keyword)

    return all(one(keyword, rule) for keyword, rule in schema.items())


def schema(name):
    with open(os.path.join(DOCS, name), encoding='utf-8') as file:
        return json.load(file)


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


def checksum(data):
    """RFC 1071, word by word."""
    words = sum(data[i] << 8 | (data[i + 1] if i + 1 < len(data) else 0) for i in range(0, len(data), 2))
    while words >> 16:
        words = (words & 0xffff) + (words >> 16)
    return struct.pack('>H', words ^ 0xffff)


def pcap(link, *packets):
    """A pcap file of these packets."""
    parts = [struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 262144, link)]
    for packet in packets:
        parts += [struct.pack('<IIII', 1700000000, 0, len(packet), len(packet)), packet]
    return b''.join(parts)


RAW = 101
# A UDP datagram of 2 bytes over IPv4 whose right checksum is written 0xffff, and its neighbours.
ADDRESSES = '0a0000010a000002'
IPV4_GOOD = bytes.fromhex('4500001e00010000401166cc' + ADDRESSES + '12345678000affff832b')
UDP_ABSENT = bytes.fromhex('4500001e00010000401166cc' + ADDRESSES + '12345678000a0000832b')
UDP_PARTIAL = bytes.fromhex('4500001e00010000401166cc' + ADDRESSES + '12345678000a141e832b')
UDP_BAD = bytes.fromhex('4500001e00010000401166cc' + ADDRESSES + '12345678000a1234832b')
IPV4_BAD = bytes.fromhex('4500001e00010000401166cd' + ADDRESSES + '12345678000affff832b')
IPV4_ZERO = bytes.fromhex('4500001e0001000040110000' + ADDRESSES + '12345678000affff832b')
FRAGMENT = bytes.fromhex('4500001e00012000401146cc' + ADDRESSES + '12345678000affff832b')
# The same over IPv6; the right checksum would be 0x16fe.
UDP6_ZERO = bytes.fromhex('60000000000a1140fe800000000000000000000000000001fe800000000000000000000000000002'
                          '12345678000a0000832b')
