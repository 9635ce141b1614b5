/* System calls that fail on demand, for LD_PRELOAD. SPDX-License-Identifier: MIT
 *
 * FAULT names the call, and after colons what is to happen:
 *   read:N:E, write:N:E   reads, or writes to files that the program has opened, fail with errno E after N bytes
 *   short:N               reads and writes move at most N bytes, and every other one is interrupted
 *   shrink:FILE           FILE is cut to nothing as soon as a file is mapped
 *   mmap:E, tmpfile:E, rename:E, linkat:E, fstat:E, thread:E   these fail with errno E */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) (__extension__(__typeof__(name) *)dlsym(RTLD_NEXT, #name))

/* What stands behind `name:` in FAULT, or NULL. */
static const char *fault(const char *name) {
    const char *set = getenv("FAULT");
    const size_t length = strlen(name);
    return set && strncmp(set, name, length) == 0 && set[length] == ':' ? set + length + 1 : NULL;
}

/* Whether the call `name` shall fail; errno is then set. */
static int fails(const char *name) {
    const char *what = fault(name);
    if (what) errno = atoi(what);
    return what != NULL;
}

/* How many of `size` bytes may be moved, of all that `name` has moved so far; -1 where that fails. */
static ssize_t allowed(const char *name, size_t size, size_t *moved) {
    static int turn;
    const char *what = fault("short");
    if (what) {
        errno = EINTR;
        const size_t most = (size_t)atoi(what);
        return turn++ % 2 ? -1 : (ssize_t)(size < most ? size : most);
    }
    what = fault(name);
    if (!what) return (ssize_t)size;
    char *end;
    const size_t limit = strtoul(what, &end, 10);
    if (size == 0 || *moved < limit) {
        if (size > limit - *moved) size = limit - *moved;
        *moved += size;
        return (ssize_t)size;
    }
    errno = atoi(end + 1);
    return -1;
}

static size_t bytes_read;

ssize_t read(int descriptor, void *data, size_t size) {
    const ssize_t may = allowed("read", size, &bytes_read);
    return may < 0 ? -1 : REAL(read)(descriptor, data, (size_t)may);
}

ssize_t pread(int descriptor, void *data, size_t size, off_t offset) {
    const ssize_t may = allowed("read", size, &bytes_read);
    return may < 0 ? -1 : REAL(pread)(descriptor, data, (size_t)may, offset);
}

ssize_t write(int descriptor, const void *data, size_t size) {
    static size_t moved;
    if (descriptor <= STDERR_FILENO) return REAL(write)(descriptor, data, size);
    const ssize_t may = allowed("write", size, &moved);
    return may < 0 ? -1 : REAL(write)(descriptor, data, (size_t)may);
}

void *mmap(void *where, size_t size, int protection, int flags, int descriptor, off_t offset) {
    if (descriptor >= 0 && fails("mmap")) return MAP_FAILED;
    void *const mapped = REAL(mmap)(where, size, protection, flags, descriptor, offset);
    const char *file = fault("shrink");
    if (descriptor >= 0 && file && truncate(file, 0) != 0) abort();
    return mapped;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE && fails("tmpfile")) return -1;
    return REAL(open)(path, flags, mode);
}

int rename(const char *from, const char *to) { return fails("rename") ? -1 : REAL(rename)(from, to); }

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    return fails("linkat") ? -1 : REAL(linkat)(from_folder, from, to_folder, to, flags);
}

int fstat(int descriptor, struct stat *status) { return fails("fstat") ? -1 : REAL(fstat)(descriptor, status); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *of) {
    return fails("thread") ? errno : REAL(pthread_create)(thread, attributes, run, of);
}
