"""The export list of the DLL: what the public headers declare. SPDX-License-Identifier: MIT

usage: exports.py HEADER... > onesum.def
"""
import pathlib
import re
import sys


def declared(headers):
    """The functions of the public headers: each stands behind one of two words."""
    names = set()
    for header in headers:
        text = re.sub(r'/\*.*?\*/', '', pathlib.Path(header).read_text(encoding='utf-8'), flags=re.S)
        names |= set(re.findall(r'^ONESUM_(?:API|INLINE) [^;{(]*?\b(onesum_\w+)\(', text, flags=re.M))
    return names


if __name__ == '__main__':
    print('EXPORTS', *sorted(declared(sys.argv[1:])), sep='\n')
