"""Which lines and branches of the library the tests reach. SPDX-License-Identifier: MIT

usage: coverage.py

Builds below build-coverage/ with gcov, runs the library's suites but for the sums of gigabytes there, those that depend
on the processor under qemu as well, and prints what gcovr says of src/ without the program, of the public headers as the
library compiles them, and the totals. What is asked for is at least LINES and BRANCHES percent. A branch that only an
exception would take is none: the library throws none. Nor is there one for each place that a function is inlined into,
where half of its branches are known not to be taken: no function is inlined here.
The reason for each line that no test reaches stands in docs/trust.md.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build-coverage'
LINES, BRANCHES = 98, 95
NOT_INLINE = '-Dalways_inline=__unused__'
DEPENDS_ON_CPU = ['dispatch', 'highway rows']
LEFT_OUT = 'more than * GiB*,millions of*,every split of 0 to 64*'


def quietly(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f'{done.stdout}\nonesum: this failed: {" ".join(command)}')
    return done.stdout


def main():
    if not (BUILD / 'build.ninja').exists():
        # Without optimization a line is a line.
        quietly('meson', 'setup', str(BUILD), '-Db_coverage=true', '-Doptimization=0', '-Ddebug=true', '-Dbench=disabled',
                '-Dc_args=' + NOT_INLINE, '-Dcpp_args=' + NOT_INLINE, cwd=ROOT)
    quietly('ninja', '-C', str(BUILD), 'build.ninja')
    # Not the program's, nor those of the amalgamation, which is other files; nor that of registers, which are as they must
    # be only where a compiler optimizes.
    listed = json.loads(quietly('meson', 'introspect', '--tests', str(BUILD)))
    tests = {test['name']: os.path.relpath(test['cmd'][0], BUILD) for test in listed
             if 'python' not in pathlib.Path(test['cmd'][0]).name and not test['name'].startswith(('amalgam', 'example'))
             and test['name'] != 'checked call'}
    libraries = {os.path.relpath(test['env']['ONESUM_LIBRARY'], BUILD) for test in listed if 'ONESUM_LIBRARY' in test['env']}
    quietly('ninja', '-C', str(BUILD), *sorted({*tests.values(), *libraries}))
    for counted in BUILD.rglob('*.gcda'):
        counted.unlink()
    quietly('meson', 'test', '-C', str(BUILD), '--no-rebuild', '--timeout-multiplier', '10', *tests,
            env={**os.environ, 'ONESUM_LEAVE_OUT': LEFT_OUT})
    for model in 'qemu64', 'Nehalem', 'Haswell', 'Skylake-Client':
        for name in DEPENDS_ON_CPU:
            quietly('qemu-x86_64-static', '-cpu', model, str(BUILD / tests[name]))
    quietly('gcovr', '--root', str(ROOT), '--object-directory', str(BUILD), '--filter', 'src/', '--filter', 'include/', '--exclude', 'src/cli/',
            '--exclude-throw-branches', '--exclude-unreachable-branches', '--gcov-ignore-parse-errors', '--json', str(BUILD / 'coverage.json'),
            '--json-summary', str(BUILD / 'summary.json'), '--html-details', str(BUILD / 'coverage.html'), str(BUILD))
    summary = json.loads((BUILD / 'summary.json').read_text(encoding='utf-8'))
    for file in summary['files']:
        print('{filename:<36} {line_covered:>5} of {line_total:>5} lines, {branch_covered:>5} of {branch_total:>5} branches'.format(**file))
    for file in json.loads((BUILD / 'coverage.json').read_text(encoding='utf-8'))['files']:
        missing = [line['line_number'] for line in file['lines'] if line['count'] == 0 and not line.get('gcovr/noncode')]
        if missing:
            print(f'{file["file"]}: not reached:', ', '.join(map(str, missing)))
    lines, branches = summary['line_percent'], summary['branch_percent']
    print(f'{lines} % of {summary["line_total"]} lines, {branches} % of {summary["branch_total"]} branches; '
          f'asked for are {LINES} % and {BRANCHES} % (build-coverage/coverage.html)')
    passed = (lines >= LINES) + (branches >= BRANCHES)
    print(f'{passed} passed, {2 - passed} failed, 0 skipped')
    return 0 if passed == 2 else 1


if __name__ == '__main__':
    sys.exit(main())
