"""Makes the amalgamation: the library in a few files, for people who vendor it. SPDX-License-Identifier: MIT

usage: amalgamate.py FOLDER [DEPFILE]

Writes to FOLDER onesum.h and onesum.c, all of onesum.h in C; and onesum_packet.h and onesum_packet.cc, all of packet.h and
gso.h, in C++ that needs the first two beside it and no library of its own. The sources are those in src/amalgamation with
every file of this project that they include in place: .inc files wherever they are named, others once. DEPFILE is for build
systems: a rule that names all that was read.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'#include ["<](.+)[">]\n?')
# What each public header becomes a part of.
HEADERS = {'onesum/onesum.h': 'onesum.h', 'onesum/gso.h': 'onesum_packet.h', 'onesum/packet.h': 'onesum_packet.h'}
SOURCES = ('onesum.c', 'onesum_packet.cc')
FILES = tuple(sorted({*HEADERS.values(), *SOURCES}))


def where(name):
    return ROOT / ('include' if name in HEADERS else 'src') / name


def header(target, read):
    """The text of a header; one that needs another names it once."""
    text, named = '', set()
    for name in (name for name, part_of in HEADERS.items() if part_of == target):
        read.add(name)
        for line in where(name).read_text(encoding='utf-8').splitlines(keepends=True):
            found = INCLUDE.fullmatch(line)
            if found and found[1] in HEADERS:
                line = '' if HEADERS[found[1]] in named else f'#include "{HEADERS[found[1]]}"\n'
                named.add(HEADERS[found[1]])
            text += line
        text += '\n'
    return text


def expanded(name, seen):
    """The lines of a source with what it includes."""
    for line in where(name).read_text(encoding='utf-8').splitlines(keepends=True):
        found = INCLUDE.fullmatch(line)
        if line == '#pragma once\n':
            continue
        if not found or not where(found[1]).is_file():
            yield line
        elif found[1] in HEADERS:
            if HEADERS[found[1]] not in seen:
                yield f'#include "{HEADERS[found[1]]}"\n'
            seen |= {HEADERS[found[1]], found[1]}
        elif found[1].endswith('.inc') or found[1] not in seen:
            seen.add(found[1])
            yield from expanded(found[1], seen)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.split('\n\n')[1])
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    read = set()
    texts = {target: header(target, read) for target in sorted(set(HEADERS.values()))}
    for source in SOURCES:
        seen = {f'amalgamation/{source}'}
        text = ''.join(expanded(f'amalgamation/{source}', seen))
        texts[source] = re.sub(r'^(/\* clang-format off \*/|// clang-format off)\n.*\n', '', text, flags=re.M)
        read |= seen - set(HEADERS.values())
    for name, text in texts.items():
        (folder / name).write_text(re.sub(r'\n{3,}', '\n\n', text).rstrip('\n') + '\n', encoding='utf-8')
    if len(sys.argv) == 3:
        names = ' '.join(sorted(str(where(name)) for name in read))
        pathlib.Path(sys.argv[2]).write_text(f'{folder}/onesum.c: {names}\n', encoding='utf-8')


if __name__ == '__main__':
    main()
