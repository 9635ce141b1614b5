// The program onesum. SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/file.h"
#include "cli/run.h"

using namespace onesum::cli;

namespace {

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
