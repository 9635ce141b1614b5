"""Changes a line of the library, and looks whether a test notices. SPDX-License-Identifier: MIT

usage: mutate.py BUILD [N] [--seed TEXT] [--file PART] [--log FILE] [--list]

A mutant is one small change of one line: an operator, a bound by one, a mask, a shift, a condition, a register, a carry
dropped, a statement or an instruction left out. A share of the lines has one each, always the same. A mutant is judged by
the tests of the file it is in (PLACES below): only what that file is part of is compiled again, and linked in front of the
objects of BUILD, or of those of another processor below build-all/, where tests run under qemu. One whose object code is
that of the original is not run: it is equivalent, or of lines for another processor. One that does not compile, or whose
test crashes or does not end, is noticed as well.

With N so many of them, drawn by the seed; without, all. What no test notices is printed, unless it stands with the reason
why nothing can notice it in mutants.tsv: file, line with one space between words, change, reason. The exit status is 1
where one survives without. What only a test that this CPU cannot run could notice is skipped. With --log each result is
kept in FILE, and what stands there is not tried again; runs with seeds of their own may share it.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
AMALGAMATION = ROOT / 'src' / 'amalgamation' / 'onesum.c'
CPU_SECONDS = 300  # after which a test of what is not changed does not end; one of a mutant in 5 times what that took
X86_64_VECTORS = ['avx512_vnni', 'avx512', 'avx2', 'ssse3']  # not avx_vnni, which few CPUs have, and which is in the first
HUGE = 'more than * GiB*'


def kernels(*names):
    """What takes longest comes last."""
    return [(f'kernel {name}', [which + HUGE]) for which in ('-tce=', '-tc=') for name in names]


def on(processor, tests):
    return [(*test, processor) for test in tests]


AMALGAMATED = [('amalgamated api', []), ('amalgamated headers', []),
               *[(f'amalgamated {name}', ['-tce=' + HUGE]) for name in ('adc', 'avx2', 'avx512', 'avx512_vnni')]]

# A file; the share of its lines that are changed; the units that are compiled anew, where that is not the file itself; and
# the tests that judge it, one after the other, by their names in Meson with what is added to their arguments; and the
# processor, if it is another one, or the program where the file is compiled in another way. Those judge what none before
# has noticed.
PLACES = [
    ('src/asm/aarch64/fused.S', 0.3, None, on('aarch64', kernels('fused'))),
    ('src/asm/aarch64/neon.S', 0.3, None, on('aarch64', kernels('neon'))),
    ('src/asm/aarch64/sve.S', 0.3, None, on('aarch64', [*kernels('sve'), ('vector lengths', [])])),
    ('src/asm/riscv64/rvv.S', 0.3, None, on('riscv64', [('kernel rvv in short rounds', ['-tce=' + HUGE])])),
    ('src/asm/x86_64/carry_chains.S', 0.5, None, [*kernels('adc', 'adx'), ('checked call', [])]),
    ('src/asm/x86_64/jump_table.S', 0.5, None, [*kernels('jump_table'), ('checked call', [])]),
    ('src/kernels/generic.c', 1, None, kernels('generic')),
    ('src/kernels/highway.cc', 0.5, None, [('lists', ['-tc=segment*']), ('checked call', []), *kernels(*X86_64_VECTORS),
                                            *on('vnni-test', [('kernel avx_vnni by avx512', ['-tce=' + HUGE])])]),
    ('include/onesum/onesum.h', 1, 'src/dispatch/inline.c', [('api', []), ('updates', []), *on('riscv64', [('api', []), ('updates', [])])]),
    ('include/onesum/gso.h', 1, 'src/dispatch/inline_gso.c', [('gso', [])]),
    ('src/amalgamation/[!ao]*', 0.3, 'src/amalgamation/onesum.c', AMALGAMATED),
    ('src/capture/*.h', 1, 'src/capture/*.cc tests/capture_test.cc', [('capture', [])]),
    ('src/capture/*.cc', 1, None, [('capture', [])]),
    ('src/dispatch/active.cc', 0.7, None, [('dispatch', []), ('api', []), ('library', ['-tce=loaded*'])]),
    ('src/dispatch/cpu.cc', 0.3, None, [('dispatch', []), ('highway rows', []), *on('aarch64', [('dispatch', [])]), *on('riscv64', [('dispatch', [])])]),
    ('src/dispatch/kernel.h', 1, 'tests/dispatch_test.cc', [('dispatch', [])]),
    ('src/dispatch/right.c', 1, None, [('dispatch', [])]),
    ('src/dispatch/selftest.cc', 0.3, None, [('dispatch', [])]),
    ('src/lists/batch.c', 1, None, [('lists', ['-tc=batches*'])]),
    ('src/lists/blocks.h', 0.3, 'src/lists/headers*.cc', [('headers', [])]),
    ('src/lists/changes.c', 1, None, [('updates', [])]),
    ('src/lists/gso.cc', 0.4, None, [('gso', [])]),
    ('src/lists/headers*.cc', 0.5, None, [('headers', [])]),
    ('src/lists/iov.c', 0.7, None, [('lists', ['-tce=millions of random*']), ('lists', [])]),
    ('src/lists/segment*.c*', 1, None, [('lists', ['-tc=segment*'])]),
    ('src/lists/stream.c', 1, None, [('api', []), ('lists', ['-tc=every split of 0*'])]),
    ('src/packet/*.h', 0.4, 'src/packet/*.cc', [('packet', []), ('packet properties', [])]),
    ('src/packet/*.cc', 0.4, None, [('packet', []), ('packet properties', [])]),
    ('tests/proofs/models.py', 0.5, None, []),
]

# ---- Changes ---------------------------------------------------------------------------------------------------


def plus(number):
    return lambda found: found.group().replace(found.group(1), str(int(found.group(1)) + number))


C_CHANGES = [
    (r'(?<![<>=!+\-*/&|])<=(?!>)', '<'), (r'(?<![<>=!\-])>=', '>'), (r'(?<= )<(?= )', '<='), (r'(?<= )>(?= )', '>='),
    (r'==', '!='), (r'!=', '=='), (r'(?<= )\+(?= )', '-'), (r'(?<= )-(?= )', '+'), (r'(?<= )&(?= )', '|'),
    (r'(?<= )\|(?= )', '&'), (r'(?<= )\*(?= )', '+'), (r'(?<= )/(?= )', '*'), (r'(?<= )%(?= )', '/'), (r'(?<= )\^(?= )', '|'),
    (r'>>(?=[ =])', '<<'), (r'<<(?=[ =])', '>>'), (r'&&', '||'), (r'\|\|', '&&'), (r'\+=', '-='), (r'-=', '+='), (r'\|=', '&='), (r'&=', '|='),
    (r'~(?=[\w(])', ''), (r'!(?=[\w(])', ''), (r'\bif \((?!constexpr)', 'if (!('), (r'\bwhile \(', 'while (!('),
    (r'\b0x([0-9a-f]+)\b', lambda found: f'0x{int(found.group(1), 16) ^ 1:x}'),
    (r'(?<![\w.<])(\d+)\b(?![.\'"])', plus(1)), (r'(?<![\w.<])([1-9]\d*)\b(?![.\'"])', plus(-1)),
    (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'), (r'\bmin\b', 'max'), (r'\bmax\b', 'min'), (r'\bcontinue\b', 'break'),
]
X86_64_REGISTERS = ['rax', 'rcx', 'rdx', 'rsi', 'rdi', 'r8', 'r9', 'r10', 'r11', 'rax']
X86_64_CHANGES = [
    (r'\badc(?=[lq]\b)', 'add'), (r'\badcx', 'adox'), (r'\badox', 'adcx'), (r'\badd(?=[lq]\b)', 'adc'), (r'\bcmovz', 'cmovnz'),
    (r'\bcmovnz', 'cmovz'), (r'\bcmovb', 'cmovbe'), (r'\bjb\b', 'jbe'), (r'\bjbe\b', 'jb'), (r'\bja\b', 'jae'), (r'\bjae\b', 'ja'),
    (r'\bje\b', 'jne'), (r'\bjne\b', 'je'), (r'\bjnz\b', 'jz'), (r'\bjz\b', 'jnz'), (r'\bshr', 'shl'), (r'\bshl', 'shr'),
    (r'\brol', 'shl'), (r'\band(?=[lq]\b)', 'or'), (r'\btest(?=[blq]\b)', 'cmp'), (r'\$(\d+)', plus(1)),
    (r'(?<![\w$])(\d+)(?=\(%)', plus(8)), (r'\bmovzb', 'movsb'), (r'\bmovzw', 'movsw'),
    *[(f'%{one}\\b', f'%{other}') for one, other in zip(X86_64_REGISTERS, X86_64_REGISTERS[1:])],
]
AARCH64_CHANGES = [
    (r'\badcs\b', 'adds'), (r'\badc\b', 'add'), (r'\badds\b', 'add'), (r'\bands\b', 'and'), (r'\bne\b', 'eq'), (r'\blo\b', 'ls'),
    (r'\bb\.hi\b', 'b.hs'), (r'\bb\.hs\b', 'b.hi'), (r'\bb\.lo\b', 'b.ls'), (r'\btbz\b', 'tbnz'), (r'\bcbz\b', 'cbnz'), (r'\bcbnz\b', 'cbz'),
    (r'\blsr\b', 'lsl'), (r'\blsl\b', 'lsr'), (r'\buaddw2\b', 'uaddw'), (r'#(-?\d+)', plus(8)), (r'#(\d+)\b', plus(1)),
    (r'\bx4\b', 'x5'), (r'\bx12\b', 'x13'), (r'\bx3\b', 'x4'), (r'\bx15\b', 'x14'), (r'\bv16\b', 'v17'), (r'\bv22\b', 'v23'),
]
RISCV64_CHANGES = [
    (r'\badd\b', 'sub'), (r'\bsub\b', 'add'), (r'\baddw\b', 'add'), (r'\bsrli\b', 'slli'), (r'\bslli\b', 'srli'), (r'\bbgtu\b', 'bgeu'),
    (r'\bbgeu\b', 'bgtu'), (r'\bbltu\b', 'bleu'), (r'\bbgez\b', 'bgtz'), (r'\bbeqz\b', 'bnez'), (r'\bm4\b', 'm2'), (r'\bm8\b', 'm4'),
    (r'\be32\b', 'e16'), (r'\be64\b', 'e32'), (r'\be8\b', 'e16'), (r'\btu\b', 'ta'), (r'\bvwaddu\b', 'vwadd'), (r'\bvwredsumu\b', 'vwredsum'),
    (r'(?<=, )(\d+)\b', plus(1)), (r'\ba0\b', 'a1'), (r'\ba3\b', 'a2'), (r'\bt1\b', 't2'), (r'\bv8\b', 'v16'), (r'\bv4\b', 'v0'),
]
ASSEMBLY = {'aarch64': AARCH64_CHANGES, 'riscv64': RISCV64_CHANGES, 'x86_64': X86_64_CHANGES}


def blank(found):
    return re.sub(r'[^\n]', ' ', found.group())


def mutants_of_line(path, line, code):
    """(new line, what changed) for each change that fits; `code` is the line without comments and strings."""
    assembly = path.suffix == '.S'
    changes = ASSEMBLY[path.parent.name] if assembly else C_CHANGES
    texts = [(code, changes)]
    if not assembly and re.search(r'"[^"]*\b(add|adc|test|cmp|cmov|vpdp|rep)\w*[^"]*"', line):
        texts.append((line, X86_64_CHANGES))  # assembly in a string
    for text, changes in texts:
        for pattern, new in changes:
            for found in re.finditer(pattern, text):
                changed = found.expand(new) if isinstance(new, str) else new(found)
                rest = line[found.end():]
                if changed.endswith('(!('):  # a condition, negated: up to the parenthesis that closes it
                    depth = 1
                    for at, letter in enumerate(code[found.end():]):
                        depth += {'(': 1, ')': -1}.get(letter, 0)
                        if depth == 0:
                            rest = rest[:at] + ')' + rest[at:]
                            break
                    else:
                        continue
                yield line[:found.start()] + changed + rest, f'{found.group()} to {changed or "nothing"} at {found.start()}'
    if assembly and re.match(r'\s+[a-z{]', code) or re.match(r'\s+[\w.>\[\]-]+(\(.*\)| [-+|&^*]?= .*);\s*$', code):
        yield '\\' if line.endswith('\\') else '', 'left out'


def mutants_of(path, share):
    """(rank, (line number, the line, the new one, what changed)) of a file."""
    text = path.read_text(encoding='utf-8')
    code = re.sub(r'/\*.*?\*/', blank, text, flags=re.S)
    if path.suffix == '.py':
        code = re.sub(r'""".*?"""|#[^\n]*', blank, code, flags=re.S)
    elif path.suffix != '.S':
        code = re.sub(r'"(\\.|[^"\\\n])*"|//[^\n]*', blank, code)
    else:
        code = re.sub(r'//[^\n]*', blank, code)
    passed_over = r'\s*(#|\.|FUNCTION|using|namespace|static_assert|import|from|def |struct|class|template|extern|alignas|$)'
    seen = collections.Counter()
    for number, (line, bare) in enumerate(zip(text.split('\n'), code.split('\n'))):
        if re.match(passed_over, bare):
            continue
        found = {new: (number, line, new, change) for new, change in mutants_of_line(path, line, bare) if new != line}
        seen[line] += 1
        # Which of them, and whether the line has one: as good as any other, but the same as long as the line is.
        def draw(*what):
            return int.from_bytes(hashlib.sha256(repr((str(path.name), line.strip(), seen[line], *what)).encode()).digest()[:4], 'big') / 2**32
        if found and draw() < share:
            yield draw(), min(found.values(), key=lambda one: draw(one[3]))


# ---- Judging ---------------------------------------------------------------------------------------------------


# qemu's models of other processors, with vectors that some kernel wants.
MODELS = {'aarch64': 'max,pauth-impdef=on', 'riscv64': 'rv64,v=true,vext_spec=v1.0,rvv_ta_all_1s=true,vlen=128'}


class Build:
    """A build folder whose objects stand beside the mutants, and a folder for these."""

    def __init__(self, folder, scratch, processor=None):
        self.folder, self.scratch = pathlib.Path(folder).resolve(), pathlib.Path(scratch)
        self.wrapper, self.environment = [], {}
        if processor in MODELS:
            self.wrapper = [f'qemu-{processor}-static', '-L', f'/usr/{processor}-linux-gnu']
            self.environment = {'QEMU_CPU': MODELS[processor]}
        commands = json.loads((self.folder / 'compile_commands.json').read_text(encoding='utf-8'))
        # Of what is compiled more than once: what most tests have, and rvv with the short rounds that its test has.
        self.compiled = {pathlib.Path(os.path.normpath(self.folder / one['file'])): one for one in commands
                         if ('vnni-test' in one['output'] if processor == 'vnni-test' else
                             not re.search('vnni-test|amalgam', one['output']))}
        for one in commands:
            if one['output'].startswith('tests/libamalgamated') and one['file'].endswith('/onesum.c'):
                self.compiled[AMALGAMATION] = one  # which is the same in one file
        listed = json.loads(subprocess.check_output(['meson', 'introspect', '--tests', str(self.folder)]))
        self.tests = {test['name']: test for test in listed}
        self.links = {}
        self.originals = {}
        self.took = {}  # the seconds that each test takes

    def run(self, command, seconds=None, **options):
        """The exit status. So many seconds of CPU at most; of others more, for a test may wait for what never comes."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if seconds:
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        return subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit,
                              timeout=60 + 10 * (seconds or CPU_SECONDS), **options).returncode

    def compile(self, unit):
        """The object of a file, with what is in the scratch folder before what is in the tree; None if it fails."""
        unit = ROOT / unit
        one = self.compiled[unit]
        source = os.path.normpath(self.folder / one['file'])
        words = shlex.split(one['command'])
        words = words[1:] if 'ccache' in words[0] else words
        mine = self.scratch / unit.relative_to(ROOT)
        output = self.scratch / (unit.name + '.o')
        output.unlink(missing_ok=True)
        command = [words[0], f'-I{self.scratch}/src', f'-I{self.scratch}/include', '-w']
        skip = False
        for word in words[1:]:
            if skip or word in ('-MD', '-MQ', '-MF', '-o', '-c'):
                skip = word in ('-MQ', '-MF', '-o') and not skip
            elif os.path.normpath(self.folder / word) != source:
                command.append(word)
        command += [f'-I{unit.parent}', f'-I{ROOT}/src', f'-I{ROOT}/include', '-O2', '-g0', '-c', str(mine if mine.exists() else unit), '-o', str(output)]
        return output if self.run(command) == 0 else None

    def link(self, target, mutants):
        """The program with the mutants in place of the units' objects: in front of the archive that holds them."""
        if target not in self.links:
            lines = subprocess.check_output(['ninja', '-C', str(self.folder), '-t', 'commands', target], text=True)
            self.links[target] = shlex.split([line for line in lines.split('\n') if line][-1])
        command = list(self.links[target])
        output = self.scratch / pathlib.Path(target).name
        at = command.index('-o')
        if AMALGAMATION in {ROOT / unit for unit in mutants}:
            command.append('-Wl,--allow-multiple-definition')  # of its archive all is linked, behind it
        command[at + 1] = str(output)
        for unit, mutant in mutants.items():
            object_ = self.compiled[ROOT / unit]['output']
            if object_ in command:
                command[command.index(object_)] = str(mutant)
            else:
                command.insert(at + 2, str(mutant))
            for own in ('tests/api-test.p/api_test.cc.o', 'tests/updates-test.p/updates_test.cc.o', 'tests/gso-test.p/gso_test.cc.o'):
                if own in command and 'inline' in unit:
                    command[command.index(own)] = str(self.with_calls(own))
        return output if self.run(command) == 0 else None

    def with_calls(self, own):
        """A test's object with calls where inline functions were, so that the library's symbols, and mutants, are used."""
        kept = self.scratch / (self.folder.name + '-' + pathlib.Path(own).name)
        if not kept.exists():
            one = next(one for one in self.compiled.values() if one['output'] == own)
            words = shlex.split(one['command'])
            words = [str(kept) if word == own else word for word in (words[1:] if 'ccache' in words[0] else words)]
            subprocess.run([*words, '-O0', '-fno-inline'], cwd=self.folder, check=True)
        return kept

    def judge(self, units, tests):
        """What notices what lies in the scratch folder, None, or 'equivalent'."""
        mutants = {unit: self.compile(unit) for unit in units}
        if not all(mutants.values()):
            return 'the compiler'
        mutants = {unit: mutant for unit, mutant in mutants.items() if mutant.read_bytes() != self.originals.get(unit)}
        if not mutants:
            return 'equivalent'
        programs, skipped = {}, False
        for name, more in tests:
            test = self.tests.get(name)
            if not test:
                continue
            target = os.path.relpath(test['cmd'][0], self.folder)
            if target not in programs:
                programs[target] = self.link(target, mutants)
                if not programs[target]:
                    return 'the linker'
            environment = {**os.environ, **self.environment, **test['env']}
            if 'ONESUM_LIBRARY' in environment:
                library = os.path.relpath(environment['ONESUM_LIBRARY'], self.folder)
                environment['ONESUM_LIBRARY'] = str(self.link(library, mutants))
            took = self.took.get((name, *more))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            status = self.run([*self.wrapper, str(programs[target]), *test['cmd'][1:], '--abort-after=1', *more],
                              CPU_SECONDS if took is None else 2 + int(5 * took), env=environment)
            if took is None:
                self.took[(name, *more)] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            if status not in (0, 77):
                return f'{name} ({status})'
            skipped |= status == 77
        return 'not here' if skipped else None

    def judge_models(self):
        """The same for the models of the proofs."""
        for part in ['--compare', '--inputs', '3000', '--emulated', str(ROOT / 'build-all')], ['--prove']:
            if self.run(['/usr/bin/python3', str(self.scratch / 'tests/proofs/prove.py'), '--abort', *part, 'tests/proof-steps'], 600):
                return 'the comparison' if part[0] == '--compare' else 'a proof'
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('sample', type=int, nargs='?')
    parser.add_argument('--seed', default='1624')
    parser.add_argument('--file', default='', help='only files whose path holds this')
    parser.add_argument('--log', type=pathlib.Path)
    parser.add_argument('--list', action='store_true', help='print the mutants, and try none')
    given = parser.parse_args()

    known = {}
    reasons = ROOT / 'tests' / 'mutants.tsv'
    if reasons.exists():
        for row in reasons.read_text(encoding='utf-8').splitlines():
            if row and not row.startswith('#'):
                file, line, change, reason = row.split('\t')
                known[file, line, change] = reason

    todo = []
    for place, share, units, tests in PLACES:
        for path in sorted(ROOT.glob(place)):
            name = str(path.relative_to(ROOT))
            if given.file in name:
                all_units = [str(unit.relative_to(ROOT)) for one in (units or name).split() for unit in sorted(ROOT.glob(one))]
                todo += [(rank, name, all_units, tests, *mutant) for rank, mutant in mutants_of(path, share)]
    todo = [one[1:] for one in sorted(todo, key=lambda one: one[0])]
    total = len(todo)
    if given.sample:
        todo = random.Random(given.seed).sample(todo, min(given.sample, total))
    if given.list:
        for (name, _, _, number, line, new, change) in todo:
            print(f'{name}:{number + 1}: {change}: {line.strip()} => {new.strip()}')
        return 0
    def is_done(key):  # perhaps by another run meanwhile
        return given.log and given.log.exists() and any(
            row.startswith('\t'.join(key) + '\t') for row in given.log.read_text(encoding='utf-8').splitlines())

    counts, start = collections.Counter(), time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        builds = {None: Build(given.build, scratch)}
        shutil.copytree(ROOT / 'tests' / 'proofs', builds[None].scratch / 'tests' / 'proofs')
        passing = set()
        for name, units, tests, number, line, new, change in todo:
            key = (name, line.strip(), f'{number}: {change}')
            if is_done(key):
                continue
            models, judges = name.endswith('.py'), []
            for processor in dict.fromkeys(test[2] if len(test) > 2 else None for test in tests):
                if processor not in builds:
                    folder = ROOT / 'build-all' / processor if processor in MODELS else given.build
                    builds[processor] = Build(folder, scratch, processor)
                build = builds[processor]
                mine = [test[:2] for test in tests if (test[2] if len(test) > 2 else None) == processor]
                judges.append((build, mine))
                # Without a change everything must pass, or nothing below means anything.
                if not all(unit in build.originals for unit in units):
                    noticed = build.judge(units, [] if (processor, str(mine)) in passing else mine)
                    if noticed not in (None, 'not here'):
                        sys.exit(f'mutate: without a change of {name} there fails: {noticed}')
                    passing.add((processor, str(mine)))
                    for unit in units:
                        build.originals[unit] = (build.scratch / (pathlib.Path(unit).name + '.o')).read_bytes()
            text = (ROOT / name).read_text(encoding='utf-8').split('\n')
            text[number] = new
            changed = builds[None].scratch / name
            changed.parent.mkdir(parents=True, exist_ok=True)
            changed.write_text('\n'.join(text), encoding='utf-8')
            try:
                noticed = builds[None].judge_models() if models else 'equivalent'
                for build, mine in judges:
                    one = build.judge(units, mine)
                    if one != 'equivalent':
                        noticed = one
                    if one not in ('equivalent', 'not here', None):
                        break
            except subprocess.TimeoutExpired:
                noticed = 'no end'
            if models:
                shutil.copy(ROOT / name, changed)
            else:
                changed.unlink()
            if noticed is None:
                noticed = 'excused' if (name, ' '.join(line.split()), change.rpartition(' at ')[0] or change) in known else 'survived'
            counts[noticed if noticed in ('equivalent', 'excused', 'survived', 'not here') else 'noticed'] += 1
            if noticed == 'survived':
                print(f'survived: {name}:{number + 1}: {change}: {line.strip()}', flush=True)
            if given.log:
                with open(given.log, 'a', encoding='utf-8') as log:
                    log.write('\t'.join((*key, noticed)) + '\n')
    print(f'{sum(counts.values())} of {total} mutants in {time.monotonic() - start:.0f} s: {counts["noticed"]} noticed, '
          f'{counts["equivalent"]} with the same object code, {counts["excused"]} that nothing can notice, '
          f'{counts["not here"]} for another CPU, {counts["survived"]} survived')
    passed = counts['noticed'] + counts['equivalent'] + counts['excused']
    print(f'{passed} passed, {counts["survived"]} failed, {counts["not here"]} skipped')
    return 1 if counts['survived'] else 0


if __name__ == '__main__':
    sys.exit(main())
