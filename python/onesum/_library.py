"""Finds libonesum and declares its functions. SPDX-License-Identifier: MIT"""
import ctypes
import os
import pathlib
import sys
from ctypes import POINTER, Structure, c_char_p, c_int, c_size_t, c_ssize_t, c_uint, c_uint8, c_uint16, c_uint32, c_void_p

_NAMES = {
    'win32': ['libonesum-0.dll', 'onesum-0.dll', 'libonesum.dll', 'onesum.dll'],
    'darwin': ['libonesum.0.dylib', 'libonesum.dylib'],
}.get(sys.platform, ['libonesum.so.0', 'libonesum.so'])


def _places():
    """Where the library may be, best first: a file that was named, the package's own folder, the build folder of the
    checkout that the package lies in, and what the system's loader knows."""
    named = os.environ.get('ONESUM_LIBRARY')
    if named:
        return [named]
    package = pathlib.Path(__file__).resolve().parent
    folders = [package]
    checkout = package.parent.parent
    if (checkout / 'include/onesum/onesum.h').is_file():
        folders.append(checkout / 'build/src')
    found = [str(folder / name) for folder in folders for name in _NAMES if (folder / name).is_file()]
    return found + _NAMES


def _load():
    problems = []
    for place in _places():
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            problems.append(f'{place}: {error}')
    raise ImportError('onesum: the library libonesum was not found. Install it, or name its file in the variable '
                      'ONESUM_LIBRARY. Tried:\n  ' + '\n  '.join(problems))


class Buffer(Structure):
    """struct onesum_buffer, and struct onesum_writable."""
    _fields_ = [('data', c_void_p), ('size', c_size_t)]


class Change(Structure):
    _fields_ = [('before', c_void_p), ('after', c_void_p), ('size', c_size_t), ('offset', c_size_t)]


class StateFields(Structure):
    _fields_ = [('sum', c_uint32), ('odd', c_uint32)]


class GsoPacket(Structure):
    _fields_ = [('headers', c_void_p), ('header_size', c_size_t), ('network', c_size_t), ('payload', c_void_p),
                ('size', c_size_t), ('segment_size', c_size_t)]


class ImplementationInfo(Structure):
    _fields_ = [('name', c_char_p), ('needs', c_char_p), ('supported', c_int), ('active', c_int)]


class Range(Structure):
    _fields_ = [('offset', c_size_t), ('size', c_size_t)]


class PacketResult(Structure):
    _fields_ = [('offset', c_size_t), ('covered', Range * 2), ('stored', c_uint16), ('expected', c_uint16),
                ('protocol', c_uint8), ('verdict', c_uint8), ('reason', c_uint8), ('flags', c_uint8)]


class PacketOptions(Structure):
    _fields_ = [('flags', c_uint32), ('fill_protocols', c_uint32), ('fill_verdicts', c_uint32),
                ('zero_udp6_ports', POINTER(c_uint16)), ('zero_udp6_port_count', c_size_t)]


library = _load()

# Name, result, arguments. A c_void_p takes bytes as they are, or an address.
_u16, _u32, _at, _size = c_uint16, c_uint32, c_void_p, c_size_t
for _name, _result, *_arguments in [
    ('partial', _u32, _at, _size, _u32),
    ('copy', _u32, _at, _at, _size, _u32),
    ('checksum', _u16, _at, _size),
    ('diff', _u32, POINTER(Change), _size),
    ('pseudo_ipv4', _u32, _at, _at, _u32, c_uint8, _u32),
    ('pseudo_ipv6', _u32, _at, _at, _u32, c_uint8, _u32),
    ('ipv4_header', _u16, _at, c_uint),
    ('update', None, POINTER(StateFields), _at, _size),
    ('partial_iov', _u32, POINTER(Buffer), _size, _size, _size, _u32),
    ('copy_iov', _u32, POINTER(Buffer), _size, _size, POINTER(Buffer), _size, _size, _size, _u32),
    ('segments', _size, _at, _size, _size, _at, _size, _size, POINTER(_u32)),
    ('gso', _size, POINTER(GsoPacket), _at, _size),
    ('gso_size', _size, POINTER(GsoPacket), _size),
    ('batch', None, POINTER(Buffer), _size, POINTER(_u32), POINTER(_u16)),
    ('ipv4_headers', _size, _at, _size, _size, POINTER(_u16)),
    ('ipv4_headers_fill', None, _at, _size, _size),
    ('implementation', c_char_p),
    ('implementations', _size, POINTER(ImplementationInfo), _size),
    ('select', c_int, c_char_p),
    ('forced_status', c_int),
    ('selftest', c_char_p),
    ('version', c_char_p),
    ('packet_link_known', c_int, _u32),
    ('protocol_name', c_char_p, c_int),
    ('verdict_name', c_char_p, c_int),
    ('reason_name', c_char_p, c_int),
    ('packet_check', _size, _at, _size, _u32, POINTER(PacketOptions), POINTER(PacketResult), _size),
    ('packet_fill', _size, _at, _size, _u32, POINTER(PacketOptions), POINTER(PacketResult), _size),
    ('packet_check_iov', _size, POINTER(Buffer), _size, _u32, POINTER(PacketOptions), POINTER(PacketResult), _size),
    ('packet_fill_iov', _size, POINTER(Buffer), _size, _u32, POINTER(PacketOptions), POINTER(PacketResult), _size),
]:
    _function = getattr(library, 'onesum_' + _name)
    _function.restype, _function.argtypes = _result, _arguments


# ---- Memory of other objects, without copying: the buffer protocol -----------------------------------------------


class _PyBuffer(Structure):
    """Py_buffer of Python's C API, which has been the same since Python 3.0."""
    _fields_ = [('buf', c_void_p), ('obj', c_void_p), ('len', c_ssize_t), ('itemsize', c_ssize_t),
                ('readonly', c_int), ('ndim', c_int), ('format', c_char_p), ('shape', c_void_p),
                ('strides', c_void_p), ('suboffsets', c_void_p), ('internal', c_void_p)]


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes, _get_buffer.restype = [ctypes.py_object, POINTER(_PyBuffer), c_int], c_int
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes, _release.restype = [POINTER(_PyBuffer)], None
_SIMPLE, _WRITABLE = 0, 1


class Memory:
    """The memory of an object as long as the `with` lasts: its address and its size in bytes. The object cannot be
    resized meanwhile."""
    __slots__ = ('_view', 'address', 'size')

    def __init__(self, data, writable=False):
        view = self._view = _PyBuffer()
        try:
            _get_buffer(data, view, _WRITABLE if writable else _SIMPLE)
        except TypeError:
            raise TypeError('expected bytes or another object with contiguous memory, not '
                            f'{type(data).__name__}') from None
        except (BufferError, ValueError) as error:
            try:
                contiguous = memoryview(data).c_contiguous
            except (TypeError, BufferError, ValueError):
                raise error from None
            if not contiguous:
                raise BufferError(f'the bytes of this {type(data).__name__} do not lie one after the other (it is not '
                                  'C-contiguous): pass a contiguous copy of it, such as bytes() makes') from None
            raise BufferError(f'this {type(data).__name__} cannot be written to') from None
        self.address = view.buf or 0
        self.size = view.len

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        _release(self._view)


class Memories:
    """The same for several objects: `array` lists them as C structures."""
    __slots__ = ('_memories', 'array', 'size')

    def __init__(self, pieces, writable=False):
        self._memories = []
        try:
            for piece in pieces:
                self._memories.append(Memory(piece, writable))
        except BaseException:
            self.__exit__()
            raise
        self.array = (Buffer * len(self._memories))(*((memory.address, memory.size) for memory in self._memories))
        self.size = sum(memory.size for memory in self._memories)

    def __len__(self):
        return len(self._memories)

    def __iter__(self):
        return iter(self._memories)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for memory in self._memories:
            memory.__exit__()
