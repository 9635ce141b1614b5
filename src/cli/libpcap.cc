// libpcap, for filter expressions and live capture only. SPDX-License-Identifier: MIT
#include "cli/libpcap.h"

#include <dlfcn.h>

#include <optional>
#include <type_traits>

namespace onesum::cli {

namespace {

// Debian's name, and everybody else's.
constexpr const char *names[] = {"libpcap.so.0.8", "libpcap.so.1", "libpcap.so"};

std::optional<Libpcap> load(std::string &error) {
    void *library = nullptr;
    for (const char *const name : names)
        if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error = "needs libpcap, which is not installed (package libpcap0.8 or libpcap)";
        return std::nullopt;
    }
    Libpcap all{};
    const auto find = [&](auto &function, const char *name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (!function && error.empty()) error = "needs a newer libpcap, one with " + std::string(name);
    };
#define ONESUM_FIND(name) find(all.name, "pcap_" #name);
    ONESUM_LIBPCAP(ONESUM_FIND)
#undef ONESUM_FIND
    if (!error.empty()) return std::nullopt;
    return all;
}

}  // namespace

const Libpcap *libpcap(std::string &error) {
    static std::string why;
    static const std::optional<Libpcap> loaded = load(why);
    error = why;
    return loaded ? &*loaded : nullptr;
}

}  // namespace onesum::cli
