/* Choosing an implementation, for the amalgamation. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "dispatch/calls.h"

#if defined(__GLIBC__) && !defined(__USE_GNU)
/* Declared by the C library only where _GNU_SOURCE came before its first header. */
extern char *secure_getenv(const char *name);
#endif

struct onesum_row {
    const char *name, *needs;
    int (*supported)(void);
    struct onesum_calls calls;
};

static int runs_everywhere(void) { return 1; }

/* Best first; the last one runs everywhere. */
static const struct onesum_row rows[] = {
#if defined(ONESUM_X86_64_VECTORS)
    {"avx512_vnni",
     "avx512f|avx512bw|avx512_vnni|bmi2",
     runs_avx512_vnni,
     {onesum_sum_avx512_vnni, onesum_copy_avx512_vnni}},
    {"avx512", "avx512f|avx512bw|bmi2", runs_avx512, {onesum_sum_avx512, onesum_copy_avx512}},
    {"avx2", "avx2", runs_avx2, {onesum_sum_avx2, onesum_copy_avx2}},
#endif
#if defined(ONESUM_X86_64)
    {"adc", "", runs_everywhere, {onesum_sum_adc, onesum_copy_adc}},
#endif
#if defined(ONESUM_AARCH64)
    {"neon", "", runs_everywhere, {onesum_sum_neon, onesum_copy_neon}},
#endif
    {"generic", "", runs_everywhere, {onesum_sum_generic, onesum_copy_generic}}};

#define ONESUM_ROWS (sizeof rows / sizeof rows[0])

/* Until somebody asks, a row that asks first is in use: a call is a load and a jump. */
static uint32_t resolving_sum(const void *data, size_t size, uint32_t sum);
static uint32_t resolving_copy(void *dst, const void *src, size_t size, uint32_t sum);
static const struct onesum_row resolving = {"", "", runs_everywhere, {resolving_sum, resolving_copy}};

/* The row in use, and what the forced name came to. Every thread that resolves stores the same. Without GNU's
 * atomic accesses a pointer is taken to be read and written in one piece. */
#if defined(__GNUC__)
static const struct onesum_row *active = &resolving;
static int forced;
#define ONESUM_LOAD(from) __atomic_load_n(&(from), __ATOMIC_ACQUIRE)
#define ONESUM_STORE(to, value) __atomic_store_n(&(to), value, __ATOMIC_RELEASE)
#else
static const struct onesum_row *volatile active = &resolving;
static volatile int forced;
#define ONESUM_LOAD(from) (from)
#define ONESUM_STORE(to, value) ((to) = (value))
#endif

/* The row of that name, or NULL. */
static const struct onesum_row *find_row(const char *name) {
    size_t i;
    for (i = 0; i < ONESUM_ROWS; ++i)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static const struct onesum_row *best_row(void) {
    const struct onesum_row *row = rows;
    while (!row->supported()) ++row;
    return row;
}

static const struct onesum_row *resolve(void) {
#if defined(__GLIBC__)
    const char *name = secure_getenv("ONESUM_FORCE_IMPLEMENTATION");
#else
    const char *name = getenv("ONESUM_FORCE_IMPLEMENTATION");
#endif
    const struct onesum_row *row = name && *name ? find_row(name) : NULL;
    int status = ONESUM_FORCED_NONE;
    if (name && *name)
        status = !row               ? ONESUM_FORCED_UNKNOWN
                 : row->supported() ? ONESUM_FORCED_ACTIVE
                                    : ONESUM_FORCED_UNSUPPORTED;
    if (status != ONESUM_FORCED_ACTIVE) row = best_row();
    ONESUM_STORE(forced, status);
#if defined(__GNUC__)
    {
        /* Another thread may have called onesum_select() meanwhile: that one stands. */
        const struct onesum_row *before = &resolving;
        if (!__atomic_compare_exchange_n(&active, &before, row, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            row = before;
    }
#else
    active = row;
#endif
    return row;
}

static const struct onesum_row *row_in_use(void) {
    const struct onesum_row *row = ONESUM_LOAD(active);
    return row != &resolving ? row : resolve();
}

static uint32_t resolving_sum(const void *data, size_t size, uint32_t sum) {
    return row_in_use()->calls.sum(data, size, sum);
}
static uint32_t resolving_copy(void *dst, const void *src, size_t size, uint32_t sum) {
    return row_in_use()->calls.copy(dst, src, size, sum);
}

#if defined(__GNUC__)
__attribute__((constructor)) static void warm(void) { row_in_use(); }
#endif

ONESUM_INTERNAL struct onesum_calls onesum_calls_in_use(void) { return row_in_use()->calls; }
ONESUM_INTERNAL uint32_t (*onesum_segment_copy_in_use(size_t size))(void *, const void *, size_t, uint32_t) {
    (void)size;
    return row_in_use()->calls.copy;
}

uint32_t onesum_partial(const void *data, size_t size, uint32_t sum) {
    return ONESUM_LOAD(active)->calls.sum(data, size, sum);
}

uint32_t onesum_copy(void *dst, const void *src, size_t size, uint32_t sum) {
    return ONESUM_LOAD(active)->calls.copy(dst, src, size, sum);
}

uint16_t onesum_checksum(const void *data, size_t size) { return onesum_fold(onesum_partial(data, size, 0)); }

const char *onesum_implementation(void) { return row_in_use()->name; }

size_t onesum_implementations(struct onesum_implementation_info *list, size_t capacity) {
    const struct onesum_row *row = row_in_use();
    size_t i;
    for (i = 0; i < ONESUM_ROWS && i < capacity; ++i) {
        list[i].name = rows[i].name;
        list[i].needs = rows[i].needs;
        list[i].supported = rows[i].supported();
        list[i].active = &rows[i] == row;
    }
    return ONESUM_ROWS;
}

int onesum_select(const char *name) {
    const struct onesum_row *row;
    row_in_use();
    row = name ? find_row(name) : best_row();
    if (!row) return ONESUM_UNKNOWN;
    if (!row->supported()) return ONESUM_UNSUPPORTED;
    ONESUM_STORE(active, row);
    return 0;
}

int onesum_forced_status(void) {
    row_in_use();
    return ONESUM_LOAD(forced);
}

const char *onesum_selftest(void) {
    size_t i;
    for (i = 0; i < ONESUM_ROWS; ++i)
        if (rows[i].supported() && !onesum_calls_are_right(rows[i].calls)) return rows[i].name;
    return NULL;
}

#define ONESUM_TEXT(x) #x
#define ONESUM_VERSION_TEXT(major, minor, patch) \
    ONESUM_TEXT(major) "." ONESUM_TEXT(minor) "." ONESUM_TEXT(patch)

const char *onesum_version(void) {
    return ONESUM_VERSION_TEXT(ONESUM_VERSION_MAJOR, ONESUM_VERSION_MINOR, ONESUM_VERSION_PATCH);
}
