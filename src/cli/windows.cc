// The program onesum for Windows, where it has no captures: sum, info and selftest. SPDX-License-Identifier:
// MIT
#include <fcntl.h>
#include <io.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/run.h"
#include "onesum/onesum.h"

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
    if (sum_command->parsed()) return run({"sum", [&] { return sum(sums); }});
    if (info_command->parsed()) return run({"info", [&] { return info(about); }});
    return run({"selftest", selftest});
} catch (const std::exception &error) {  // memory is all that can run out here
    complain(error.what());
    return trouble;
}
