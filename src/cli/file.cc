// Files, and complaints about them. SPDX-License-Identifier: MIT
#include "cli/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/command.h"

namespace onesum::cli {

namespace {

#if defined(_WIN32)
constexpr int reading = O_RDONLY | O_BINARY | O_NOINHERIT;
#else
constexpr int reading = O_RDONLY | O_CLOEXEC;
#endif

}  // namespace

void complain(const std::string &text) {
    // What has been found so far comes first where both go to one place.
    std::fflush(stdout);
    std::fprintf(stderr, "onesum: %s\n", text.c_str());
}

int failed_output() {
    complain(std::string("standard output: ") + std::strerror(errno));
    return trouble;
}

File::File(const std::string &name) : descriptor_(name == "-" ? STDIN_FILENO : open(name.c_str(), reading)) {
    struct stat status;
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
        error_ = errno;
    else if (S_ISDIR(status.st_mode))
        error_ = EISDIR;
}

File::~File() {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

}  // namespace onesum::cli
