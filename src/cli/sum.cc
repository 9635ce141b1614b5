// onesum sum: the checksum of files. SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "capture/input.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "onesum/onesum.h"

namespace onesum::cli {

namespace {

bool sum_of(const std::string &name, bool quiet) {
    File file(name);
    int error = file.error();
    onesum_state state;
    onesum_init(&state, 0);
    if (error == 0) {
        capture::Input input(file.descriptor());
        Progress progress(name, quiet);
        for (auto bytes = input.ahead(1); !bytes.empty(); bytes = input.ahead(1)) {
            onesum_update(&state, bytes.data(), bytes.size());
            input.pass(bytes.size());
            progress.tick(input);
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

int sum(const SumOptions &options) {
    const std::vector<std::string> standard_input{"-"};
    int status = good;
    for (const std::string &name : options.files.empty() ? standard_input : options.files)
        if (!sum_of(name, options.quiet)) status = trouble;
    return status;
}

}  // namespace onesum::cli
