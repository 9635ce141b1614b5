"""Makes of the headers' plain comments what Doxygen reads. SPDX-License-Identifier: MIT

usage: doxygen-filter.py FILE, as Doxygen calls it for each

The comment above a declaration, or behind a member, is its documentation; declarations that stand together without an empty
line share the first one's. The comment at the head is the file's, and lines of dashes make groups. In onesum.hpp a function
that has none is that of the same name in C.
"""
import re
import sys

SECTION = re.compile(r'/\* -{3,} (.*?)(?: -+)?(?:\n \*)?[ -]*\*/\n', re.S)
COMMENT = re.compile(r'^([ \t]*)/\*(?!\*)(.*?)\*/[ \t]*\n', re.S | re.M)
TRAILING = re.compile(r'(?<=[;,{a-z0-9\])])([ \t]+)/\*(?!\*)(.*?)\*/(?=[ \t]*\n)', re.S)
CPP = re.compile(r'^((?:[ \t]*//(?!/).*\n)+)', re.M)
# A member of a struct without a comment of its own, behind one that has or at the beginning.
FIELD = re.compile(r'(?:(?<=;\n)|(?<=\{\n))(    (?:const )?(?:void|size_t|uint\d+_t|unsigned) [\w *]+;)(?=\n)')
FUNCTION = re.compile(r'^(#define ONESUM_VERSION|ONESUM_API|ONESUM_INLINE|static inline|inline|template|enum|struct|typedef|class|    [a-z].*\)\s*(const )?'
                      r'(noexcept )?\{)')


def shared(lines, is_cpp):
    """Repeats a declaration's comment before those that stand right below it, bodies and all."""
    comment, adjacent, depth, output, i = None, False, 0, [], 0
    while i < len(lines):
        line = lines[i]
        if depth <= 0 and line.startswith('/**') and '@name' not in line and '@{' not in line and '@}' not in line:
            end = i
            while '*/' not in lines[end]:
                end += 1
            comment = lines[i:end + 1]
            output += comment
            adjacent, i = False, end + 1
            continue
        if depth <= 0 and FUNCTION.match(line):
            if adjacent and comment and lines[i - 1].strip():
                output += comment
            elif is_cpp and (not output or '*/' not in output[-1]):
                name = re.search(r'(\w+)\(', line)
                if name and line.startswith('inline'):
                    output.append(f'/** As onesum_{name[1]}(). */\n')
            adjacent = True
        elif not line.strip():
            adjacent, comment = False, None
        if not line.startswith(('extern "C"', 'namespace')) and not line.startswith('}  // namespace'):
            depth += line.count('{') - line.count('}')
        if line.startswith('}') or line.startswith('#'):
            depth = 0
        output.append(line)
        i += 1
    return output


def anchor(heading):
    return re.sub(r'[^a-z0-9 -]', '', heading.lower()).replace(' ', '-')


def main():
    path = sys.argv[1]
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if path.endswith('.md'):
        text = re.sub(r'<!-- .*? -->\n', '', text, flags=re.S)
        text = re.sub(r'^(#+ )(.*)', lambda found: f'{found[0]} {{#{anchor(found[2])}}}', text, flags=re.M)
        # Links to what is no page there are plain text.
        sys.stdout.write(re.sub(r'\[([^]]*)\]\((?!https?:|#|guide-)[^)]*\)', r'\1', text))
        return
    text = SECTION.sub('\n', text)
    if path.endswith('.hpp'):
        text = CPP.sub(lambda found: '/** ' + re.sub(r'\s*//', '', found[1]).strip() + ' */\n', text)
        text = text.replace('/** ', '/** @file\n * ', 1)
    text = TRAILING.sub(r'\1/**<\2*/', text)
    text = FIELD.sub(r'\1 /**< As above. */', text)
    text = COMMENT.sub(r'\1/**\2*/\n', text)
    if not path.endswith('.hpp'):
        text = text.replace('/** ', '/** @file\n * ', 1)
    text = text.replace(' SPDX-License-Identifier: MIT', '')
    sys.stdout.write(''.join(shared(text.splitlines(keepends=True), path.endswith('.hpp'))))


if __name__ == '__main__':
    main()
