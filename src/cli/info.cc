// onesum info: the CPU, and what the library can do with it. SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "dispatch/cpu.h"
#include "onesum/onesum.h"

namespace onesum::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string cpu_name() {
    char name[128];
    dispatch::cpu_name(name, sizeof name);
    std::string trimmed = name;
    trimmed.erase(trimmed.find_last_not_of(' ') + 1);
    return trimmed;
}

std::vector<std::string> features() {
    std::vector<std::string> names;
    const dispatch::Features have = dispatch::probe();
    for (unsigned bit = 0; const char *name = dispatch::feature_name(bit); ++bit)
        if (have >> bit & 1) names.push_back(name);
    return names;
}

std::vector<onesum_implementation_info> implementations() {
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    onesum_implementations(list.data(), list.size());
    return list;
}

const char *forced_status() {
    switch (onesum_forced_status()) {
        case ONESUM_FORCED_ACTIVE:
            return "active";
        case ONESUM_FORCED_UNKNOWN:
            return "unknown";
        case ONESUM_FORCED_UNSUPPORTED:
            return "unsupported";
        default:
            return "none";
    }
}

// nullptr where no name is forced.
const char *forced_name() {
    return onesum_forced_status() == ONESUM_FORCED_NONE ? nullptr : std::getenv("ONESUM_FORCE_IMPLEMENTATION");
}

void print_json() {
    Json list = Json::array();
    for (const onesum_implementation_info &one : implementations())
        list.push_back({{"name", one.name}, {"supported", one.supported != 0}, {"active", one.active != 0}});
    const char *const forced = forced_name();
    const Json all = {{"version", onesum_version()},
                      {"cpu", cpu_name()},
                      {"features", features()},
                      {"implementations", list},
                      {"forced", {{"name", forced ? Json(forced) : Json()}, {"status", forced_status()}}}};
    std::printf("%s\n", all.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
}

void print_text() {
    const std::string cpu = cpu_name();
    std::printf("onesum %s\n\nCPU       %s\nfeatures ", onesum_version(),
                cpu.empty() ? "unknown" : cpu.c_str());
    const std::vector<std::string> names = features();
    for (const std::string &name : names) std::printf(" %s", name.c_str());
    std::printf("%s\nforced    ", names.empty() ? " none known" : "");
    if (const char *const forced = forced_name())
        std::printf("%s (%s)\n", forced, forced_status());
    else
        std::printf("none\n");
    std::printf("\n%-14s  %-9s  %-6s  %s\n", "implementation", "supported", "active", "needs");
    for (const onesum_implementation_info &one : implementations())
        std::printf("%-14s  %-9s  %-6s  %s\n", one.name, one.supported ? "yes" : "no", one.active ? "yes" : "",
                    *one.needs ? one.needs : "nothing");
}

}  // namespace

Run add_info(CLI::App &command) {
    const auto json = std::make_shared<bool>(false);
    command.add_flag("--json", *json, "One line of JSON");
    command.footer(
        "Examples:\n"
        "  onesum info\n"
        "  ONESUM_FORCE_IMPLEMENTATION=generic onesum info --json");
    return [json] {
        *json ? print_json() : print_text();
        return good;
    };
}

}  // namespace onesum::cli
