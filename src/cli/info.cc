// onesum info: the CPU, and what the library can do with it. SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/text.h"
#include "dispatch/cpu.h"
#include "onesum/onesum.h"

namespace onesum::cli {

namespace {

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

// The members of a JSON array or object.
template <class List, class Text>
std::string joined(const List &list, Text text) {
    std::string all;
    for (const auto &one : list) {
        if (!all.empty()) all += ',';
        all += text(one);
    }
    return all;
}

void print_json() {
    const auto truth = [](bool is) { return is ? "true" : "false"; };
    const char *const forced = forced_name();
    const std::string list = joined(implementations(), [&](const onesum_implementation_info &one) {
        return "{\"name\":" + json_string(one.name) + ",\"supported\":" + truth(one.supported) +
               ",\"active\":" + truth(one.active) + '}';
    });
    std::printf(
        "{\"version\":%s,\"cpu\":%s,\"features\":[%s],\"implementations\":[%s],"
        "\"forced\":{\"name\":%s,\"status\":\"%s\"}}\n",
        json_string(onesum_version()).c_str(), json_string(cpu_name()).c_str(),
        joined(features(), json_string).c_str(), list.c_str(), forced ? json_string(forced).c_str() : "null",
        forced_status());
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

int info(const InfoOptions &options) {
    options.json ? print_json() : print_text();
    return good;
}

}  // namespace onesum::cli
