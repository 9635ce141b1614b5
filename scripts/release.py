"""Makes a release: checks the tree, makes what is published, builds and tests it from the tarball alone, and tags.
SPDX-License-Identifier: MIT

usage: release.py [--dry-run] [--url URL] FOLDER

Writes to FOLDER, for the version that meson.build says:
  onesum-VERSION.tar.gz               the sources of HEAD
  onesum-amalgamation-VERSION.tar.gz  onesum.h, onesum.c and the two files of packets, for people who vendor
  onesum.wrap                         for Meson's subprojects; the tarball is looked for at URL, without one in
                                      subprojects/packagefiles
  SHA256SUMS
Then everything is built from the tarball, in a folder that knows of no repository, and ./test runs there. If all of that
held, HEAD gets the tag vVERSION. Nothing is pushed.

--dry-run makes no tag, takes the tree as it is (what is not committed, too), does not mind a version that is not released,
and runs only the API's tests.
"""
import argparse
import email.utils
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

import amalgamate

ROOT = pathlib.Path(__file__).resolve().parent.parent


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def version():
    return re.search(r"version: '([^']+)'", (ROOT / 'meson.build').read_text(encoding='utf-8'))[1]


def versions_elsewhere():
    """Every other place that tells the version, and what it says."""
    header = (ROOT / 'include/onesum/onesum.h').read_text(encoding='utf-8')
    yield 'onesum.h', '.'.join(re.search(rf'#define ONESUM_VERSION_{part} (\d+)', header)[1]
                               for part in ('MAJOR', 'MINOR', 'PATCH'))
    news = (ROOT / 'NEWS.md').read_text(encoding='utf-8')
    yield 'NEWS.md', re.search(r'^## (\S+)', news, flags=re.M)[1]
    changelog = (ROOT / 'packaging/debian/changelog').read_text(encoding='utf-8')
    yield 'packaging/debian/changelog', re.match(r'onesum \(([^-)]+)-', changelog)[1]
    manual = (ROOT / 'docs/onesum.3').read_text(encoding='utf-8')
    yield 'docs/onesum.3', re.search(r'^\.TH .*"onesum ([0-9.]+)"', manual, flags=re.M)[1]


def date():
    """When the version was made, in seconds: what packaging/debian/changelog says."""
    changelog = (ROOT / 'packaging/debian/changelog').read_text(encoding='utf-8')
    return int(email.utils.parsedate_to_datetime(re.search(r'^ -- .*>  (.*)', changelog, flags=re.M)[1]).timestamp())


def sources():
    """The files of the tree, in a fixed order."""
    if (ROOT / '.git').exists():
        listed = output('git', 'ls-files', '--cached', '--others', '--exclude-standard').splitlines()
        return [pathlib.Path(name) for name in sorted(set(listed)) if (ROOT / name).is_file()]
    left_out = re.compile(r'build.*|__pycache__')
    return [path.relative_to(ROOT) for path in sorted(ROOT.rglob('*')) if path.is_file()
            and not any(left_out.fullmatch(part) for part in path.relative_to(ROOT).parts)]


def pack(target, prefix, files):
    """A tar.gz of (name, path) pairs which is the same for the same bytes, whoever makes it and when."""
    with open(target, 'wb') as file, gzip.GzipFile(fileobj=file, mode='wb', filename='', mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode='w', format=tarfile.GNU_FORMAT) as tar:
        for name, path in files:
            info = tarfile.TarInfo(f'{prefix}/{name}')
            data = path.read_bytes()
            info.size = len(data)
            info.mtime = date()
            info.mode = 0o755 if os.access(path, os.X_OK) else 0o644
            tar.addfile(info, io.BytesIO(data))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wrap(tarball, url):
    """The text of onesum.wrap."""
    name = tarball.name
    return '\n'.join(['[wrap-file]', f'directory = {name.removesuffix(".tar.gz")}',
                      *([f'source_url = {url.rstrip("/")}/{name}'] if url else []), f'source_filename = {name}',
                      f'source_hash = {digest(tarball)}', '', '[provide]', 'dependency_names = onesum', ''])


def publish(folder, url=None):
    """Writes all that is published to `folder`, and returns the tarball's path."""
    folder.mkdir(parents=True, exist_ok=True)
    tarball = folder / f'onesum-{version()}.tar.gz'
    pack(tarball, f'onesum-{version()}', [(path, ROOT / path) for path in sources()])
    amalgamation = folder / f'onesum-amalgamation-{version()}.tar.gz'
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        subprocess.run([sys.executable, ROOT / 'scripts/amalgamate.py', made], check=True)
        pack(amalgamation, f'onesum-amalgamation-{version()}',
             [(name, made / name) for name in amalgamate.FILES] + [('LICENSE', ROOT / 'LICENSE')])
    (folder / 'onesum.wrap').write_text(wrap(tarball, url), encoding='utf-8')
    (folder / 'SHA256SUMS').write_text(''.join(f'{digest(path)}  {path.name}\n' for path in (tarball, amalgamation)),
                                       encoding='utf-8')
    return tarball


def check_tree(dry_run):
    for place, said in versions_elsewhere():
        if said != version():
            sys.exit(f'onesum: meson.build says version {version()}, {place} says {said}')
    if dry_run:
        return
    if output('git', 'status', '--porcelain'):
        sys.exit('onesum: there are changes that are not committed')
    if '(not released)' in (ROOT / 'NEWS.md').read_text(encoding='utf-8'):
        sys.exit('onesum: NEWS.md says that it is not released')
    if output('git', 'tag', '--list', f'v{version()}'):
        sys.exit(f'onesum: there is a tag v{version()} already')


def check_tarball(tarball, dry_run):
    """Builds and tests from the tarball alone."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(tarball) as tar:
            tar.extractall(folder)
        tree = pathlib.Path(folder) / tarball.name.removesuffix('.tar.gz')
        commands = [['./test']]
        if dry_run:
            commands = [['meson', 'setup', 'build', '-Dprogram=disabled', '-Dbench=disabled'],
                        ['ninja', '-C', 'build', 'tests/api-test'],
                        ['meson', 'test', '-C', 'build', '--no-rebuild', 'api']]
        for command in commands:
            done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  env={**os.environ, 'GIT_CEILING_DIRECTORIES': folder})
            if done.returncode != 0:
                sys.exit(f'{done.stdout}\nonesum: from the tarball, this failed: {" ".join(command)}')
            print(f'from the tarball: {" ".join(command)}: {done.stdout.rstrip().rpartition(chr(10))[2]}', flush=True)


def main():
    parser = argparse.ArgumentParser(description='Makes a release; see the head of this file.')
    parser.add_argument('--dry-run', action='store_true')
    parser.add_argument('--url')
    parser.add_argument('folder', type=pathlib.Path)
    arguments = parser.parse_args()
    check_tree(arguments.dry_run)
    tarball = publish(arguments.folder, arguments.url)
    check_tarball(tarball, arguments.dry_run)
    if not arguments.dry_run:
        output('git', 'tag', '--annotate', f'v{version()}', '--message', f'onesum {version()}')
        print(f'tagged v{version()}; publish it with: git push origin v{version()}')
    print(f'{tarball.name}: {digest(tarball)}')


if __name__ == '__main__':
    main()
