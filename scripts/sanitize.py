"""Runs the suites under sanitizers and valgrind. SPDX-License-Identifier: MIT

usage: sanitize.py BUILD [--short] [--only PART]

BUILD is the native build folder, built. The others are built below build-sanitize/:

address, undefined  every suite
thread              the suites that have more than one; the load for a minute
memory              every suite of the library that `generic` runs, and the fuzz targets on their small inputs and
                    on random ones, with clang: the sanitizer does not see what assembly writes
valgrind            every suite of BUILD that is a program, the kernels' for each up to AVX2 (valgrind stops at AVX-512, and
                    hides ADX)

Left out everywhere are the sums of gigabytes. A line for each, and the counts last. With --short what finds most in two
minutes: address and undefined on every suite of the library and of the reader but for the long cases, and threads in
three seconds of load.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import count

ROOT = pathlib.Path(__file__).resolve().parent.parent
HUGE = ['more than * GiB*']
LONG = ['long buffers*', 'millions of*', 'every split of 0 to 64*', 'a sum at every alignment*', 'a copy between*']
# They look at the library's file, and at registers that a compiler leaves as they must be where it optimizes more.
NOT_SUITES = ('symbols', 'instructions', 'checked call')
THREADED = ['load', 'dispatch']  # the others have one thread
# Without what tells the processor's features, by cpu_features; without processes of many threads; and without the
# reader's own, which goes past the sanitizer to the system's calls (its target does not).
SUITES = ['kernel generic', 'api', 'gso', 'headers', 'hpp', 'lists', 'packet', 'updates', 'compat_linux', 'packet properties']
TARGETS = ['fuzz kernels', 'fuzz packet', 'fuzz reader']
CLANG = {'CC': 'clang-19', 'CXX': 'clang++-19'}
VALGRIND = 'valgrind -q --error-exitcode=9'
LEAKS = ' --leak-check=full --errors-for-leak-kinds=definite'


def quietly(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f'{done.stdout}\nonesum: this failed: {" ".join(command)}')
    return done.stdout


def tests(folder):
    """The suites as (name, whether it is a program of its own)."""
    listed = json.loads(quietly('meson', 'introspect', '--tests', str(folder)))
    return [(test['name'], 'python' not in pathlib.Path(test['cmd'][0]).name) for test in listed
            if test['name'] not in NOT_SUITES]


def build(name, names, *options, env=None):
    """The build folder with what these suites need; none named: everything."""
    folder = ROOT / 'build-sanitize' / name
    if not (folder / 'build.ninja').exists():
        quietly('meson', 'setup', str(folder), '-Db_lundef=false', '-Doptimization=1', '-Ddebug=true', '-Dbench=disabled',
                *options, cwd=ROOT, env={**os.environ, **(env or {})})
    quietly('ninja', '-C', str(folder), 'build.ninja')
    listed = json.loads(quietly('meson', 'introspect', '--tests', str(folder)))
    wanted = [os.path.relpath(test['cmd'][0], folder) for test in listed if names and test['name'] in names]
    quietly('ninja', '-C', str(folder), *sorted(set(wanted)))
    return folder


def run(label, folder, names, left_out, env=None, wrapper=None):
    """Runs suites; prints the line and what failed; returns the counts."""
    start = time.monotonic()
    base = 'sanitize-' + re.sub(r'\W+', '-', label)
    command = ['meson', 'test', '-C', str(folder), '--no-rebuild', '--logbase', base, '--timeout-multiplier', '20']
    if wrapper:
        command += ['--wrapper', wrapper]
    log = folder / 'meson-logs' / (base + ('-valgrind' if wrapper else '') + '.json')
    log.unlink(missing_ok=True)
    done = subprocess.run(command + names, env={**os.environ, **(env or {}), 'ONESUM_LEAVE_OUT': ','.join(left_out)},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
    runs = [json.loads(line) for line in log.read_text(encoding='utf-8').splitlines()] if log.exists() else []
    total = [sum(column) for column in zip(*map(count.counts, runs))]
    if not runs:
        print(done.stdout)
        total = [0, 1, 0]
    print(f'{label}: {len(runs)} suites: {total[0]} passed, {total[1]} failed, {total[2]} skipped, '
          f'{time.monotonic() - start:.0f} s', flush=True)
    for one in runs:
        if count.counts(one)[1]:
            print(f'--- {one["name"]}: {one["result"]}', (one.get('stdout', '') + one.get('stderr', ''))[-6000:], sep='\n')
    return total


def address(native, short):
    programs = [name for name, is_program in tests(native) if is_program]
    folder = build('address', programs if short else None, '-Db_sanitize=address,undefined')
    environment = {'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1', 'ASAN_OPTIONS': 'detect_stack_use_after_return=1',
                   'ONESUM_SANITIZED': '1'}
    yield run('address, undefined', folder, programs, HUGE + LONG if short else HUGE, environment)
    if not short:
        scripts = [name for name, is_program in tests(folder) if not is_program]
        # What is kept after it was freed is not the program's use of memory, which a test limits.
        environment['ASAN_OPTIONS'] += ':quarantine_size_mb=1'
        yield run('address, undefined: the program', folder, scripts, [], environment)


def thread(_, short):
    folder = build('thread', THREADED, '-Db_sanitize=thread', '-Dprogram=disabled')
    yield run('thread', folder, THREADED, HUGE + LONG,
              {'TSAN_OPTIONS': 'halt_on_error=1', 'ONESUM_LOAD_SECONDS': '3' if short else '60'})


def memory(_, short):
    if short:
        return
    # Not instrumented are cpu_features and Debian's libstdc++. So what comes of the one is not looked at, and where
    # there is doctest, which writes by the other, neither it nor the C++ library's headers are.
    for label, names, ignored in (('memory', TARGETS, ['memory-ignored.txt']),
                                  ('memory: suites', SUITES, ['memory-ignored.txt', 'memory-ignored-doctest.txt'])):
        lists = ' '.join(f'-fsanitize-ignorelist={ROOT}/tests/{name}' for name in ignored)
        folder = build(re.sub(r'\W+', '-', label), names, '-Db_sanitize=memory', f'-Dcpp_args={lists}', env=CLANG)
        yield run(label, folder, names, HUGE, {'ONESUM_FORCE_IMPLEMENTATION': 'generic', 'MSAN_OPTIONS': 'intercept_memcmp=0'})


def valgrind(native, short):
    if short:
        return
    names = [name for name, is_program in tests(native) if is_program and 'avx512' not in name]
    # A child that a process of many threads forks has lost what those held.
    loads = [name for name in names if name.endswith('load')]
    rest = [name for name in names if name not in loads]
    # It reads all symbols of a library whenever that is loaded, which other cases do as well.
    yield run('valgrind', native, rest, HUGE + LONG + ['loaded and unloaded*'], wrapper=VALGRIND + LEAKS)
    yield run('valgrind: threads', native, loads, HUGE + LONG, {'ONESUM_LOAD_SECONDS': '20'}, VALGRIND + ' --fair-sched=yes')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--short', action='store_true')
    parser.add_argument('--only', default='')
    given = parser.parse_args()
    totals = [0, 0, 0]
    for way in address, thread, memory, valgrind:
        if given.only in way.__name__:
            for total in way(given.build.resolve(), given.short):
                totals = [a + b for a, b in zip(totals, total)]
    print('{} passed, {} failed, {} skipped'.format(*totals))
    return 1 if totals[1] or not totals[0] else 0


if __name__ == '__main__':
    sys.exit(main())
