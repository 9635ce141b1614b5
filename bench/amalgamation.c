/* How fast the amalgamation is beside the library, both as their users get them. SPDX-License-Identifier: MIT
 *
 *   scripts/amalgamate.py F
 *   cc -O2 -fPIC -shared F/onesum.c -o F/onesum.so
 *   cc -O2 bench/amalgamation.c -o F/speed
 *   F/speed build/src/libonesum.so F/onesum.so [IMPLEMENTATION [ITS_NAME_THERE]]
 *
 * Nanoseconds for a call, the least of many rounds in which the two take turns, and their ratio. A size that
 * begins with ~ is the largest of a mix of random lengths. IMPLEMENTATION is what both are forced to. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint32_t Sum(const void *data, size_t size, uint32_t sum);
typedef uint32_t Copy(void *dst, const void *src, size_t size, uint32_t sum);

enum { bytes = 65536, lengths = 131072, rounds = 60 };
static unsigned char from[bytes], to[bytes];
static uint32_t mix[lengths];
static volatile uint32_t sink;

struct Side {
    Sum *sum;
    Copy *copy;
};

static struct Side side_of(const char *path, const char *implementation) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct Side side = {0};
    if (library) {
        side.sum = (Sum *)dlsym(library, "onesum_partial");
        side.copy = (Copy *)dlsym(library, "onesum_copy");
        int (*select)(const char *) = (int (*)(const char *))dlsym(library, "onesum_select");
        const char *(*name)(void) = (const char *(*)(void))dlsym(library, "onesum_implementation");
        if (implementation && select(implementation) != 0) {
            fprintf(stderr, "%s does not run %s here\n", path, implementation);
            exit(2);
        }
        printf("%s: %s\n", path, name());
    } else {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return side;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One round: nanoseconds for a call. `mixed`: of lengths from 1 to `size`. */
static double one_round(struct Side side, int copying, size_t size, int mixed) {
    const uint32_t calls = mixed ? lengths : (uint32_t)(200000 / (20 + size / 16)) + 100;
    uint32_t sum = 0;
    const double begin = seconds();
    for (uint32_t i = 0; i < calls; ++i) {
        const size_t now = mixed ? mix[i] % size + 1 : size;
        sum ^= copying ? side.copy(to, from, now, 1) : side.sum(from, now, 1);
    }
    const double end = seconds();
    sink = sum;
    return (end - begin) / calls * 1e9;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s LIBRARY AMALGAMATION [IMPLEMENTATION [ITS_NAME_THERE]]\n", argv[0]);
        return 2;
    }
    const char *wanted = argc > 3 ? argv[3] : NULL;
    const struct Side sides[2] = {side_of(argv[1], wanted), side_of(argv[2], argc > 4 ? argv[4] : wanted)};
    srand(1);
    for (size_t i = 0; i < bytes; ++i) from[i] = (unsigned char)rand();
    for (size_t i = 0; i < lengths; ++i) mix[i] = (uint32_t)rand();

    static const size_t sizes[] = {8, 20, 40, 64, 128, 256, 576, 1024, 1500, 4096, 32768, 65535};
    static const size_t mixes[] = {64, 256, 1500};
    const int count = sizeof sizes / sizeof *sizes, all = count + (int)(sizeof mixes / sizeof *mixes);
    for (int copying = 0; copying < 2; ++copying) {
        printf("%-5s %7s  %9s %12s %6s\n", copying ? "copy" : "sum", "size", "library", "amalgamation",
               "ratio");
        for (int i = 0; i < all; ++i) {
            const int mixed = i >= count;
            const size_t size = mixed ? mixes[i - count] : sizes[i];
            double best[2] = {1e9, 1e9};
            for (int round = 0; round < (mixed ? rounds / 4 : rounds); ++round)
                for (int side = 0; side < 2; ++side) {
                    const double took = one_round(sides[side], copying, size, mixed);
                    if (took < best[side]) best[side] = took;
                }
            printf("%-5s %s%6zu  %9.2f %12.2f %6.2f\n", "", mixed ? "~" : " ", size, best[0], best[1],
                   best[1] / best[0]);
        }
    }
    return 0;
}
