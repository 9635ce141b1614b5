"""Makes the amalgamation: the library in two files, for people who vendor it. SPDX-License-Identifier: MIT

usage: amalgamate.py FOLDER [DEPFILE]

Writes FOLDER/onesum.h and FOLDER/onesum.c. The second is src/amalgamation/onesum.c with every file of this project that it
includes in place: .h and .c files once, .inc files wherever they are named. DEPFILE is for build systems: a rule that names
all that was read.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'#include "(.+)"\n?')
PUBLIC = 'onesum/onesum.h'


def expanded(path, seen):
    """The lines of a file with what it includes."""
    for line in (ROOT / 'src' / path).read_text(encoding='utf-8').splitlines(keepends=True):
        found = INCLUDE.fullmatch(line)
        if not found:
            yield line
        elif found[1].endswith('.inc') or found[1] not in seen:
            seen.add(found[1])
            if found[1] == PUBLIC:
                yield '#include "onesum.h"\n'
            else:
                yield from expanded(found[1], seen)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.split('\n\n')[1])
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'onesum.h').write_bytes((ROOT / 'include' / PUBLIC).read_bytes())
    seen = {'amalgamation/onesum.c'}
    text = ''.join(expanded('amalgamation/onesum.c', seen)).replace('/* clang-format off */\n/* Each stands on those before it. */\n', '')
    (folder / 'onesum.c').write_text(re.sub(r'\n{3,}', '\n\n', text), encoding='utf-8')
    if len(sys.argv) == 3:
        read = sorted(str(ROOT / ('include' if name == PUBLIC else 'src') / name) for name in seen)
        pathlib.Path(sys.argv[2]).write_text(f'{folder}/onesum.c: {" ".join(read)}\n', encoding='utf-8')


if __name__ == '__main__':
    main()
