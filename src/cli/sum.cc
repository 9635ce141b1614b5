// onesum sum: the checksum of files. SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "capture/input.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "onesum/onesum.h"

namespace onesum::cli {

namespace {

bool sum(const std::string &name, bool quiet) {
    File file(name);
    int error = file.error();
    onesum_state state;
    onesum_init(&state, 0);
    if (error == 0) {
        capture::Input input(file.descriptor());
        Progress progress(name, input, quiet);
        for (auto bytes = input.ahead(1); !bytes.empty(); bytes = input.ahead(1)) {
            onesum_update(&state, bytes.data(), bytes.size());
            input.pass(bytes.size());
            progress.tick();
        }
        error = input.error();
    }
    if (error != 0) {
        complain(name + ": " + std::strerror(error));
        return false;
    }
    std::printf("0x%04x  %s\n", in_network_order(onesum_fold(onesum_final(&state))), name.c_str());
    return true;
}

}  // namespace

Run add_sum(CLI::App &command) {
    const auto files = std::make_shared<std::vector<std::string>>();
    command.add_option("FILE", *files, "Files to sum; - is standard input, and so is none");
    const auto quiet = std::make_shared<bool>(false);
    command.add_flag("--quiet", *quiet, "No progress");
    command.footer(
        "The checksum is printed in network order: the bytes 00 01 give 0xfffe.\n\n"
        "Examples:\n"
        "  onesum sum firmware.bin\n"
        "  printf '\\000\\001' | onesum sum");
    return [files, quiet] {
        int status = good;
        if (files->empty()) files->push_back("-");
        for (const std::string &name : *files)
            if (!sum(name, *quiet)) status = trouble;
        return status;
    };
}

}  // namespace onesum::cli
