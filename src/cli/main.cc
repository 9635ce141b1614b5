// The program onesum. SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "onesum/onesum.h"

using namespace onesum::cli;

namespace {

struct Command {
    const char *name, *description;
    Run (*add)(CLI::App &);
};

constexpr Command commands[] = {
    {"check", "Verify every checksum in captures", add_check},
    {"fix", "Copy a capture with its checksums repaired", add_fix},
    {"sum", "Print the checksum of files", add_sum},
    {"info", "Show the CPU and the implementations for it", add_info},
    {"selftest", "Hold every implementation against the definition", add_selftest},
    {"bench", "Measure every implementation on this machine", add_bench},
};

constexpr const char *examples =
    "Examples:\n"
    "  onesum check capture.pcapng      which checksums are wrong?\n"
    "  tcpdump -w - | onesum check      the same for what comes along now\n"
    "  onesum fix IN -o OUT             a copy with the right ones\n"
    "  onesum sum FILE                  the checksum of a file\n"
    "  ONESUM_FORCE_IMPLEMENTATION=generic onesum info\n"
    "\n"
    "Exit status: 0 if all is good, 1 if something is bad, 2 for wrong usage and for files that cannot be "
    "read.";

// A forced name that could not be followed is an error here, though the library goes on without it.
bool forced_name_holds() {
    const int status = onesum_forced_status();
    if (status != ONESUM_FORCED_UNKNOWN && status != ONESUM_FORCED_UNSUPPORTED) return true;
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    onesum_implementations(list.data(), list.size());
    std::string names;
    for (const onesum_implementation_info &one : list)
        if (one.supported) names += (names.empty() ? "" : ", ") + std::string(one.name);
    const char *forced = std::getenv("ONESUM_FORCE_IMPLEMENTATION");
    complain(
        "ONESUM_FORCE_IMPLEMENTATION=" + std::string(forced ? forced : "") +
        (status == ONESUM_FORCED_UNKNOWN ? ": there is no such implementation" : ": this CPU cannot run it") +
        "; choose one of: " + names);
    return false;
}

// A file that shrinks while it is mapped. Nothing but this is allowed in a handler.
void shrunk(int) {
    constexpr std::string_view text = "onesum: a file was cut short while it was being read\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    _exit(trouble);
}

int run(const std::string &name, const Run &command) {
    const bool holds = forced_name_holds();
    // info is where one looks for the reason.
    if (!holds && name != "info") return trouble;
    const int status = command();
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        complain(std::string("standard output: ") + std::strerror(errno));
        return trouble;
    }
    return holds ? status : trouble;
}

}  // namespace

int main(int argc, char **argv) try {
    std::signal(SIGBUS, shrunk);

    CLI::App app("onesum: the Internet checksum (RFC 1071) of files and in captures", "onesum");
    app.set_version_flag("--version", std::string("onesum ") + onesum_version());
    app.require_subcommand(1);
    app.footer(examples);
    std::vector<std::pair<CLI::App *, Run>> all;
    for (const Command &command : commands) {
        CLI::App *const sub = app.add_subcommand(command.name, command.description);
        all.emplace_back(sub, command.add(*sub));
    }

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError &error) {
        app.exit(error);
        return trouble;
    }
    for (const auto &[sub, command] : all)
        if (sub->parsed()) return run(sub->get_name(), command);
    return trouble;
} catch (const std::exception &error) {  // memory is all that can run out here
    complain(error.what());
    return trouble;
}
