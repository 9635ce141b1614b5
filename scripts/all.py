"""Runs the suites as other processors would, under qemu. SPDX-License-Identifier: MIT

usage: all.py BUILD

BUILD is the native build folder, its own tests already run. Builds every target of cross/ below build-all/, runs its
suites on each of its models, and the native ones on models of x86-64. A line for each says which implementation was
chosen, which ran and which the model lacks; the last line counts everything, the native run included.
"""
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import time

import count

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What is shown, the file in cross/, and qemu's models; None is the one that qemu chooses itself.
FAST_PAC = ',pauth-impdef=on'  # else qemu computes the architecture's cipher for each return address
# Else qemu says that 1.0 is what it takes, and leaves a tail as it was even where the code allows it to be anything.
VECTORS_1_0 = ',vext_spec=v1.0,rvv_ta_all_1s=true'
RVV = f'rv64,v=true{VECTORS_1_0},vlen='
WINDOWS = 'x86_64-w64-mingw32'
TARGETS = [
    ('arm64, g++', 'aarch64', ['max' + FAST_PAC, 'max,sve=off' + FAST_PAC, 'max,sve-max-vq=1' + FAST_PAC,
                               'max,sve-max-vq=2' + FAST_PAC, 'max,sve-max-vq=4' + FAST_PAC,
                               'cortex-a53', 'neoverse-n1', 'a64fx']),
    ('arm64, clang', 'aarch64-clang', ['max' + FAST_PAC]),
    ('s390x', 's390x', [None]),
    ('ppc64le', 'ppc64le', [None]),
    ('riscv64', 'riscv64', ['rv64', RVV + '128', RVV + '256', RVV + '512']),
    ('armhf', 'armhf', [None]),
    ('i386', 'i386', [None]),
    ('Windows, by wine', WINDOWS, [None]),
]
X86_64_MODELS = ['max', 'max,-adx', 'max,-avx2', 'max,-bmi2', 'max,-xsave', 'qemu64', 'Nehalem', 'Haswell', 'Broadwell',
                 'Skylake-Client']

# Every suite runs on the first model of a target; on the others those that the model can make a difference to, and
# without the sums of gigabytes. What takes longest under emulation and depends on no processor runs natively only.
DEPENDS_ON_MODEL = re.compile(r'kernel .*|api|dispatch|headers|library')
NATIVE_CASES = ['more than 16 GiB*', 'millions of*', 'every split of 0 to 64*']
FIRST_MODEL_CASES = ['more than 4 GiB*']


def run(*command, **options):
    """Runs a command; where it fails, shows what it printed and ends."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f'{done.stdout}\nonesum: this failed: {" ".join(command)}')
    return done.stdout


def build(cross):
    folder = ROOT / 'build-all' / cross
    if not (folder / 'build.ninja').exists():
        program = 'enabled' if cross == WINDOWS else 'disabled'  # it is a smaller one there
        run('meson', 'setup', str(folder), '--cross-file', str(ROOT / 'cross' / f'{cross}.ini'), f'-Dprogram={program}',
            cwd=ROOT)
    run('ninja', '-C', str(folder))
    return folder


def suites(folder, wrapper):
    """The names of the tests, without those that are long and look for races and carries, which emulation does not change;
    and for a wrapper only programs, not scripts of this machine."""
    tests = json.loads(run('meson', 'introspect', '--tests', str(folder)))
    return [test['name'] for test in tests if test['name'] != 'load' and not test['name'].startswith('fuzz ')
            and not (wrapper and 'python' in pathlib.Path(test['cmd'][0]).name)]


def test(label, folder, model, first, wrapper=None):
    """Runs the suites once and prints the line; returns the counts."""
    base = 'all-' + (model or 'default')
    command = ['meson', 'test', '-C', str(folder), '--no-rebuild', '--logbase', base, '--timeout-multiplier', '10']
    if wrapper:
        command += ['--wrapper', wrapper]
    names = suites(folder, wrapper)
    if not first:
        names = list(filter(DEPENDS_ON_MODEL.fullmatch, names))
    left_out = NATIVE_CASES if first else NATIVE_CASES + FIRST_MODEL_CASES
    command.append('--test-args=' + shlex.quote('-tce=' + ','.join(left_out)))
    log = folder / 'meson-logs' / (base + (f'-{wrapper}' if wrapper else '') + '.json')  # as Meson names it
    log.unlink(missing_ok=True)
    environment = {**os.environ, **({'QEMU_CPU': model} if model else {}), 'WINEDEBUG': '-all',
                   'WINEPREFIX': str(ROOT / 'build-all' / 'wine')}
    start = time.monotonic()
    done = subprocess.run(command + names, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    took = time.monotonic() - start
    runs = [json.loads(line) for line in log.read_text(encoding='utf-8').splitlines()] if log.exists() else []
    if not runs:
        print(done.stdout)
        return 0, 1, 0

    chosen, ran, lacks = '?', [], []
    for one in sorted(runs, key=lambda one: names.index(one['name'].rpartition(' / ')[2])):
        name = one['name'].rpartition(' / ')[2]
        if name.startswith('kernel '):
            {'OK': ran, 'SKIP': lacks}.get(one['result'], []).append(name.removeprefix('kernel '))
        elif one['stdout'].startswith('implementation: '):
            chosen = one['stdout'].splitlines()[0].removeprefix('implementation: ')
    total = tuple(sum(column) for column in zip(*map(count.counts, runs)))
    print('{:<30} chosen {}; ran {}{}: {} passed, {} failed, {} skipped, {:.0f} s'.format(
        f'{label}: {model.replace(FAST_PAC, "").replace(VECTORS_1_0, "")}' if model else label, chosen, ', '.join(ran) or 'none',
        '; lacks ' + ', '.join(lacks) if lacks else '', *total, took), flush=True)
    for one in runs:
        if count.counts(one)[1]:
            print(f'--- {one["name"]}: {one["result"]}', (one.get('stdout', '') + one.get('stderr', ''))[-4000:], sep='\n')
    return total


def script(label, path, **environment):
    """Runs a test script that takes no emulator but some time; returns the counts."""
    start = time.monotonic()
    done = subprocess.run([sys.executable, str(path), '-v'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, **environment})
    total = count.counts({'result': 'FAIL' if done.returncode else 'OK', 'stdout': done.stdout})
    print('{}: {} passed, {} failed, {} skipped, {:.0f} s'.format(label, *total, time.monotonic() - start), flush=True)
    for reason in re.findall(r" \.\.\. skipped (['\"].*)", done.stdout):
        print('skipped:', reason)
    if total[1]:
        print(done.stdout[-8000:])
    return total


def main():
    native = pathlib.Path(sys.argv[1])
    with open(native / 'meson-logs' / 'testlog.json', encoding='utf-8') as log:
        totals = [count.counts(json.loads(line)) for line in log]
    for label, cross, models in TARGETS:
        folder = build(cross)
        totals += [test(label, folder, model, model == models[0]) for model in models]
    if platform.machine() == 'x86_64':
        totals += [test('x86-64', native.resolve(), model, model == X86_64_MODELS[0], 'qemu-x86_64-static')
                   for model in X86_64_MODELS]
    for label, name in ('ABI', 'abi'), ('consumers', 'consumers'), ('drop-ins', 'compat'), ('Scapy', 'python_scapy'), ('Rust', 'rust'):
        totals.append(script(label, ROOT / f'tests/{name}_test.py', ONESUM_BUILD=str(native.resolve()),
                             ONESUM_LIBRARY=str(native.resolve() / 'src/libonesum.so')))
    passed, failed, skipped = (sum(column) for column in zip(*totals))
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
