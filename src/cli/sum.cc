// onesum sum: the checksum of files. SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/text.h"
#include "onesum/onesum.h"
#if defined(_WIN32)
#include <unistd.h>
#else
#include "capture/input.h"
#include "cli/progress.h"
#endif

namespace onesum::cli {

namespace {

// Adds a file that could be opened to `state`; 0, or the errno of reading it.
#if defined(_WIN32)
int add(onesum_state &state, const File &file, const std::string &, bool) {
    std::vector<char> buffer(512 << 10);
    for (;;) {
        const int got = read(file.descriptor(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (got <= 0) return got < 0 ? errno : 0;
        onesum_update(&state, buffer.data(), static_cast<std::size_t>(got));
    }
}
#else
int add(onesum_state &state, const File &file, const std::string &name, bool quiet) {
    capture::Input input(file.descriptor());
    Progress progress(name, quiet);
    for (auto bytes = input.ahead(1); !bytes.empty(); bytes = input.ahead(1)) {
        onesum_update(&state, bytes.data(), bytes.size());
        input.pass(bytes.size());
        progress.tick(input);
    }
    return input.error();
}
#endif

bool sum_of(const std::string &name, bool quiet) {
    const File file(name);
    onesum_state state;
    onesum_init(&state, 0);
    const int error = file.error() ? file.error() : add(state, file, name, quiet);
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
