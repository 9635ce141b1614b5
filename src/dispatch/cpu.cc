// The only probe. SPDX-License-Identifier: MIT
#include "dispatch/cpu.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(_WIN32)
#include <cpuid.h>
#elif defined(__x86_64__)
#include <cpu_features/cpuinfo_x86.h>
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#elif defined(__riscv) && defined(__LP64__) && defined(__linux__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace onesum::dispatch {

namespace {

constexpr const char *names[] = {
#define ONESUM_NAME(name) #name,
    ONESUM_FEATURES(ONESUM_NAME)
#undef ONESUM_NAME
};

}  // namespace

const char *feature_name(unsigned bit) { return bit < feature::count ? names[bit] : nullptr; }

#if defined(__x86_64__) && defined(_WIN32)

// cpu_features is not packaged for mingw-w64.

namespace {

// Which registers the system saves: bit 1 those of SSE, 2 AVX, 5 to 7 AVX-512.
unsigned saved() {
    unsigned low, high;
    asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

}  // namespace

Features probe() {
    Features found = 0;
    const auto note = [&found](unsigned bits, unsigned bit, Features feature) {
        if (bits & bit) found |= feature;
    };
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    note(c, bit_SSSE3, feature::ssse3);
    note(c, bit_SSE4_1, feature::sse4_1);
    note(c, bit_SSE4_2, feature::sse4_2);
    note(c, bit_PCLMUL, feature::pclmulqdq);
    note(c, bit_AES, feature::aes);
    const unsigned registers = c & bit_OSXSAVE ? saved() : 0;
    const bool avx = (registers & 0x06) == 0x06, avx512 = (registers & 0xe6) == 0xe6;
    if (avx) {
        note(c, bit_AVX, feature::avx);
        note(c, bit_FMA, feature::fma);
        note(c, bit_F16C, feature::f16c);
    }
    if (__get_cpuid(0x80000001, &a, &b, &c, &d)) note(c, bit_LZCNT, feature::lzcnt);
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
    note(b, bit_ADX, feature::adx);
    note(b, bit_BMI, feature::bmi1);
    note(b, bit_BMI2, feature::bmi2);
    if (avx) note(b, bit_AVX2, feature::avx2);
    if (avx512) {
        note(b, bit_AVX512F, feature::avx512f);
        note(b, bit_AVX512CD, feature::avx512cd);
        note(b, bit_AVX512DQ, feature::avx512dq);
        note(b, bit_AVX512BW, feature::avx512bw);
        note(b, bit_AVX512VL, feature::avx512vl);
        note(c, bit_AVX512VNNI, feature::avx512_vnni);
    }
    if (found & feature::avx2 && __get_cpuid_count(7, 1, &a, &b, &c, &d))
        note(a, bit_AVXVNNI, feature::avx_vnni);
    return found;
}

void cpu_name(char *name, std::size_t size) {
    unsigned words[12] = {};
    for (unsigned leaf = 0; leaf < 3; ++leaf) {
        unsigned *const part = words + 4 * leaf;
        if (!__get_cpuid(0x80000002 + leaf, part, part + 1, part + 2, part + 3)) break;
    }
    char text[sizeof words + 1] = {};
    std::memcpy(text, words, sizeof words);
    if (size == 0) return;
    const std::size_t length = std::min(std::strlen(text), size - 1);
    std::memcpy(name, text, length);
    name[length] = '\0';
}

#elif defined(__x86_64__)

namespace {

// Every x86-64 system saves these registers. Where there is no XSAVE, cpu_features 0.7 reads /proc/cpuinfo for
// the features, which under an emulator speaks of another CPU.
Features sse_features() {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    return (c & bit_SSSE3 ? feature::ssse3 : 0) | (c & bit_SSE4_1 ? feature::sse4_1 : 0) |
           (c & bit_SSE4_2 ? feature::sse4_2 : 0);
}

// What cpu_features 0.7 does not ask for. Both are features of registers that it has found usable.
bool has_lzcnt() {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & 1u << 5);
}
bool has_avx_vnni() {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}

}  // namespace

Features probe() {
    const cpu_features::X86Features has = cpu_features::GetX86Info().features;
    Features found = sse_features();
    // The library's flags are one-bit signed fields: true is -1.
    const auto note = [&found](int flag, Features bit) { found |= flag ? bit : 0; };
    note(has.pclmulqdq, feature::pclmulqdq);
    note(has.aes, feature::aes);
    note(has.adx, feature::adx);
    note(has.bmi1, feature::bmi1);
    note(has.bmi2, feature::bmi2);
    note(has_lzcnt(), feature::lzcnt);
    note(has.fma3, feature::fma);
    note(has.f16c, feature::f16c);
    note(has.avx, feature::avx);
    note(has.avx2, feature::avx2);
    note(has.avx2 && has_avx_vnni(), feature::avx_vnni);
    note(has.avx512f, feature::avx512f);
    note(has.avx512cd, feature::avx512cd);
    note(has.avx512dq, feature::avx512dq);
    note(has.avx512bw, feature::avx512bw);
    note(has.avx512vl, feature::avx512vl);
    note(has.avx512vnni, feature::avx512_vnni);
    return found;
}

void cpu_name(char *name, std::size_t size) {
    if (size == 0) return;
    const cpu_features::X86Info info = cpu_features::GetX86Info();
    const std::size_t length = std::min(std::strlen(info.brand_string), size - 1);
    std::memcpy(name, info.brand_string, length);
    name[length] = '\0';
}

#else

#if defined(__aarch64__) && defined(__linux__)

Features probe() {
    const unsigned long has = getauxval(AT_HWCAP);
    Features found = 0;
    if (has & HWCAP_ASIMD) found |= feature::asimd;
    if (has & HWCAP_SVE) {
        found |= feature::sve;
        // The bytes of a vector, with flags above them.
        const int length = prctl(PR_SVE_GET_VL);
        if (length > 0 && (length & PR_SVE_VL_LEN_MASK) >= 32) found |= feature::sve_wide;
    }
    return found;
}

#elif defined(__riscv) && defined(__LP64__) && defined(__linux__)

namespace {

// Linux since 6.5; a process may have vectors turned off though the CPU has them.
constexpr int pr_riscv_v_get_control = 70;
constexpr int current_mask = 3, off = 1;

// Cores with the vectors of draft 0.7.1 say V as well. They know no tail policy, and take this for an illegal
// type, which they note in the highest bit.
bool vectors_are_of_1_0() {
    long type;
    asm(".option push\n\t"
        ".option arch, +v\n\t"
        "vsetvli %0, zero, e8, m1, ta, ma\n\t"
        "csrr %0, vtype\n\t"
        ".option pop"
        : "=r"(type));
    return type >= 0;
}

}  // namespace

Features probe() {
    if (!(getauxval(AT_HWCAP) & 1ul << ('V' - 'A'))) return 0;
    const int control = prctl(pr_riscv_v_get_control);
    if (control >= 0 && (control & current_mask) == off) return 0;
    return vectors_are_of_1_0() ? feature::v : feature::none;
}

#else

Features probe() { return feature::none; }

#endif

void cpu_name(char *name, std::size_t size) {
    if (size != 0) name[0] = '\0';
}

#endif

#if defined(__x86_64__)

// Against memcpy alone, at 32 KiB to 1 MiB: on Zen 5 (family 26) 1.25 to 0.94 by the string instruction,
// and 1.75 to 1.0 in one pass; on Zen 4 (family 25) 1.28 to 1.22, and 1.0. That no AMD processor before Zen 5
// gains by it is what the C library has found as well, which uses it there no more (2.39). It does on Intel's,
// from some KiB on.
bool string_copy_wins() {
    unsigned highest, vendor[3], a, b, c, d;
    if (!__get_cpuid(0, &highest, &vendor[0], &vendor[2], &vendor[1])) return true;
    const bool amd =
        std::memcmp(vendor, "AuthenticAMD", 12) == 0 || std::memcmp(vendor, "HygonGenuine", 12) == 0;
    if (!amd || !__get_cpuid(1, &a, &b, &c, &d)) return true;
    const unsigned family = (a >> 8 & 15) + (a >> 20 & 255);
    return family >= 26;
}

#endif

}  // namespace onesum::dispatch
