// The shared library as a program loads it. SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "onesum/onesum.h"  // the constants; the functions come from the library that is loaded

namespace {

const char *path() {
    const char *set = std::getenv("ONESUM_LIBRARY");
    REQUIRE(set != nullptr);
    return set;
}

// Runs `body` in a child process, in which the library is loaded with ONESUM_FORCE_IMPLEMENTATION set to
// `forced` (nullptr: unset); returns what it returns, or -1 where the child dies.
int in_child(const char *forced, const std::function<int(void *library)> &body) {
    std::fflush(stdout);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (forced)
            setenv("ONESUM_FORCE_IMPLEMENTATION", forced, 1);
        else
            unsetenv("ONESUM_FORCE_IMPLEMENTATION");
        void *library = dlopen(path(), RTLD_NOW | RTLD_LOCAL);
        _exit(library ? body(library) : 100);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

template <typename Function>
Function *symbol(void *library, const char *name) {
    return reinterpret_cast<Function *>(dlsym(library, name));
}

int status_of(void *library) { return symbol<int()>(library, "onesum_forced_status")(); }
std::string name_of(void *library) { return symbol<const char *()>(library, "onesum_implementation")(); }

}  // namespace

TEST_CASE("each kind of forced name") {
    CHECK(in_child(nullptr, status_of) == ONESUM_FORCED_NONE);
    CHECK(in_child("", status_of) == ONESUM_FORCED_NONE);
    CHECK(in_child("generic", status_of) == ONESUM_FORCED_ACTIVE);
    CHECK(in_child("generic", [](void *library) { return name_of(library) == "generic" ? 7 : 0; }) == 7);
    for (const char *unknown : {"nonsense", "GENERIC", "generi", "generic ", "genericgeneric"}) {
        CHECK(in_child(unknown, status_of) == ONESUM_FORCED_UNKNOWN);
        // The automatic choice stands, and sums: the example of RFC 1071 section 3.
        CHECK(in_child(unknown, [](void *library) {
                  const auto checksum = symbol<decltype(onesum_checksum)>(library, "onesum_checksum");
                  const unsigned char data[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7, 0x22, 0x0d};
                  return !name_of(library).empty() && checksum(data, sizeof data) == 0 ? 7 : 0;
              }) == 7);
    }
}

TEST_CASE("every implementation of the table, forced") {
    const int count = in_child(nullptr, [](void *library) {
        return static_cast<int>(
            symbol<decltype(onesum_implementations)>(library, "onesum_implementations")(nullptr, 0));
    });
    REQUIRE(count >= 1);
    for (int i = 0; i < count; ++i) {
        CAPTURE(i);
        // The child learns the name, then a second one is forced to it: 7 where status and name are as they
        // must be.
        const int result = in_child(nullptr, [i](void *library) {
            onesum_implementation_info list[64];
            symbol<decltype(onesum_implementations)>(library, "onesum_implementations")(list, 64);
            const std::string name = list[i].name;
            const bool supported = list[i].supported;
            dlclose(library);
            setenv("ONESUM_FORCE_IMPLEMENTATION", name.c_str(), 1);
            library = dlopen(path(), RTLD_NOW | RTLD_LOCAL);
            if (!library) return 1;
            if (supported)
                return status_of(library) == ONESUM_FORCED_ACTIVE && name_of(library) == name ? 7 : 2;
            return status_of(library) == ONESUM_FORCED_UNSUPPORTED && name_of(library) != name ? 7 : 3;
        });
        CHECK(result == 7);
    }
}

TEST_CASE("loaded and unloaded again and again") {
    const int rounds = std::getenv("ONESUM_LOAD_SECONDS") ? 10000 : 200;
    for (int round = 0; round < rounds; ++round) {
        void *library = dlopen(path(), RTLD_NOW | RTLD_LOCAL);
        REQUIRE(library != nullptr);
        const auto checksum = symbol<decltype(onesum_checksum)>(library, "onesum_checksum");
        REQUIRE((checksum != nullptr));
        const unsigned char data[] = {0xff, 0xff, 0xff};
        unsigned char stored[2];
        const std::uint16_t value = checksum(data, 3);
        std::memcpy(stored, &value, 2);
        REQUIRE(stored[0] == 0x00);
        REQUIRE(stored[1] == 0xff);
        REQUIRE(dlclose(library) == 0);
    }
    CHECK(dlopen(path(), RTLD_NOW | RTLD_NOLOAD) == nullptr);  // nothing keeps it in the process
}
