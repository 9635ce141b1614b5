// The program onesum. SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/file.h"
#include "onesum/onesum.h"

using namespace onesum::cli;

namespace {

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

// A file that is opened must not become a standard stream that was closed, and get what is meant for that. What
// takes such a place can neither be read from standard input nor written to the others.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;  // nothing to take it with
}

int run(const Request &request) {
    const bool holds = forced_name_holds();
    // info is where one looks for the reason.
    if (!holds && request.command != "info") return trouble;
    const int status = request.run();
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        complain(std::string("standard output: ") + std::strerror(errno));
        return trouble;
    }
    return holds ? status : trouble;
}

}  // namespace

int main(int argc, char **argv) try {
    std::signal(SIGBUS, shrunk);
    occupy_standard_streams();
    const Request request = parse(argc, argv);
    return request.command.empty() ? request.status : run(request);
} catch (const std::exception &error) {  // memory is all that can run out here
    complain(error.what());
    return trouble;
}
