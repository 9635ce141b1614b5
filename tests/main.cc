// main() of every doctest suite. SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <onesum/onesum.h>

#include <cstdio>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>

#include <ostream>
#include <streambuf>

// The sanitizer does not see libstdc++ write the digits of a number, which reach standard output through this.
namespace {
class Seen : public std::streambuf {
    [[clang::no_sanitize("memory")]] std::streamsize xsputn(const char *text, std::streamsize size) override {
        __msan_unpoison(text, static_cast<std::size_t>(size));
        return static_cast<std::streamsize>(std::fwrite(text, 1, static_cast<std::size_t>(size), stdout));
    }
    [[clang::no_sanitize("memory")]] int overflow(int letter) override { return std::putchar(letter); }
} seen;
std::ostream output(&seen);
}  // namespace
#define ONESUM_OUTPUT &output
#endif
#endif

// A suite that is run for one implementation must not quietly test another: an unknown name is a failure, one
// that this CPU cannot run a visible skip (exit status 77, as Meson understands it).
int main(int argc, char **argv) {
    const char *forced = std::getenv("ONESUM_FORCE_IMPLEMENTATION");
    if (onesum_forced_status() == ONESUM_FORCED_UNKNOWN) {
        std::fprintf(stderr, "there is no implementation named %s\n", forced);
        return 1;
    }
    if (onesum_forced_status() == ONESUM_FORCED_UNSUPPORTED) {
        std::printf("skipped: this CPU cannot run %s\n", forced);
        return 77;
    }
    std::printf("implementation: %s\n", onesum_implementation());
    doctest::Context context(argc, argv);
    // What takes long where everything takes long: names with *, separated by commas.
    if (const char *left_out = std::getenv("ONESUM_LEAVE_OUT"))
        context.addFilter("test-case-exclude", left_out);
#ifdef ONESUM_OUTPUT
    context.setCout(ONESUM_OUTPUT);
#endif
    return context.run();
}
