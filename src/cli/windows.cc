// The program onesum for Windows, where it has no captures: sum, info and selftest. SPDX-License-Identifier:
// MIT
#include <fcntl.h>
#include <io.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/forced.h"
#include "cli/text.h"
#include "onesum/onesum.h"

namespace onesum::cli {

namespace {

bool sum(const std::string &name) {
    const File file(name);
    int error = file.error();
    onesum_state state;
    onesum_init(&state, 0);
    std::vector<char> buffer(512 << 10);
    while (error == 0) {
        const int got = read(file.descriptor(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (got == 0) break;
        if (got < 0)
            error = errno;
        else
            onesum_update(&state, buffer.data(), static_cast<std::size_t>(got));
    }
    if (error != 0) {
        complain(name + ": " + std::strerror(error));
        return false;
    }
    std::printf("0x%04x  %s\n", in_network_order(onesum_fold(onesum_final(&state))), name.c_str());
    return true;
}

}  // namespace

int sum(const SumOptions &options) {
    int status = good;
    for (const std::string &name : options.files.empty() ? std::vector<std::string>{"-"} : options.files)
        if (!sum(name)) status = trouble;
    return status;
}

}  // namespace onesum::cli

using namespace onesum::cli;

int main(int argc, char **argv) try {
    setmode(STDIN_FILENO, O_BINARY);
    SumOptions sums;
    InfoOptions about;
    CLI::App app("onesum: the Internet checksum (RFC 1071) of files", "onesum");
    app.set_version_flag("--version", std::string("onesum ") + onesum_version());
    app.allow_windows_style_options(false);  // a file's name may begin with a slash
    app.require_subcommand(1);
    app.footer("Captures are checked and repaired by onesum for other systems.");
    CLI::App *const sum_command = app.add_subcommand("sum", "Print the checksum of files, in network order");
    sum_command->add_option("FILE", sums.files, "Files to sum; - is standard input, and so is none");
    sum_command->add_flag("--quiet", sums.quiet, "No progress, as there never is here");
    CLI::App *const info_command = app.add_subcommand("info", "Show the CPU and the implementations for it");
    info_command->add_flag("--json", about.json, "One line of JSON");
    app.add_subcommand("selftest", "Hold every implementation against the definition");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &asked) {  // --help, --version
        const int status = app.exit(asked);
        return std::cout.flush() ? status : failed_output();
    } catch (const CLI::ParseError &error) {
        app.exit(error);
        return trouble;
    }
    const bool holds = forced_name_holds();
    // info is where one looks for the reason.
    if (!holds && !info_command->parsed()) return trouble;
    const int status = sum_command->parsed() ? sum(sums) : info_command->parsed() ? info(about) : selftest();
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) return failed_output();
    return holds ? status : trouble;
} catch (const std::exception &error) {  // memory is all that can run out here
    complain(error.what());
    return trouble;
}
