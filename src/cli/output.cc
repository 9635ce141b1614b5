// A file that is written whole or not at all. SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace onesum::cli {

namespace {

std::string folder_of(const std::string &name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string::npos ? "." : name.substr(0, slash + 1);
}

// A name beside `name` that is not taken yet, most likely; the caller tries again if it is.
std::string hidden_name(const std::string &name, unsigned attempt) {
    const std::string folder = folder_of(name);
    return (folder == "." ? "" : folder) + ".onesum-" + std::to_string(getpid()) + '-' +
           std::to_string(attempt);
}

constexpr unsigned attempts = 100;

}  // namespace

bool is_output(const std::string &name, const struct stat &file) {
    struct stat other;
    const bool known = name == "-" ? fstat(STDOUT_FILENO, &other) == 0 : stat(name.c_str(), &other) == 0;
    return known && S_ISREG(other.st_mode) && file.st_dev == other.st_dev && file.st_ino == other.st_ino;
}

Output::Output(const std::string &name, std::optional<mode_t> mode) : name_(name) {
    if (name == "-") {
        descriptor_ = STDOUT_FILENO;
        direct_ = true;
        return;
    }
    struct stat status;
    if (stat(name.c_str(), &status) == 0) {
        if (!S_ISREG(status.st_mode)) {
            descriptor_ = open(name.c_str(), O_WRONLY | O_CLOEXEC);
            direct_ = true;
            if (descriptor_ < 0) fail();
            return;
        }
        // Through symbolic links the file itself is replaced.
        if (char *const resolved = realpath(name.c_str(), nullptr)) {
            name_ = resolved;
            std::free(resolved);
        }
    } else if (lstat(name.c_str(), &status) == 0) {  // a symbolic link to nothing
        error_ = ENOENT;
        return;
    }

    // Giving it a name afterwards goes through /proc.
    if (access("/proc/self/fd", X_OK) == 0)
        descriptor_ = open(folder_of(name_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    unnamed_ = descriptor_ >= 0;
    if (!unnamed_ && !open_hidden(0666))
        fail();
    else if (mode && fchmod(descriptor_, *mode) != 0)
        fail();
}

Output::~Output() {
    if (!hidden_.empty()) unlink(hidden_.c_str());
    if (descriptor_ > STDOUT_FILENO) close(descriptor_);
}

void Output::fail() {
    if (error_ == 0) error_ = errno;
}

// Where the file system knows no files without a name.
bool Output::open_hidden(mode_t mode) {
    for (unsigned attempt = 0; attempt < attempts; ++attempt) {
        const std::string name = hidden_name(name_, attempt);
        descriptor_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor_ >= 0) hidden_ = name;
        if (descriptor_ >= 0 || errno != EEXIST) break;
    }
    return descriptor_ >= 0;
}

void Output::write(std::span<const std::byte> bytes) {
    while (!bytes.empty() && error_ == 0) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written >= 0)
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            fail();
    }
}

bool Output::link_unnamed(const std::string &as) const {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, as.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

bool Output::commit() {
    if (error_ != 0) return false;
    if (direct_) return true;
    if (unnamed_) {
        if (link_unnamed(name_)) return true;
        // The name is taken: only renaming replaces a file at once, and only a file with a name can be renamed.
        for (unsigned attempt = 0; errno == EEXIST && hidden_.empty() && attempt < attempts; ++attempt) {
            const std::string name = hidden_name(name_, attempt);
            if (link_unnamed(name)) hidden_ = name;
        }
        if (hidden_.empty()) fail();
    } else {
        // Some file systems, over a network, tell only now that they are full.
        if (close(descriptor_) != 0) fail();
        descriptor_ = -1;
    }
    if (error_ != 0) return false;
    if (rename(hidden_.c_str(), name_.c_str()) != 0)
        fail();
    else
        hidden_.clear();
    return error_ == 0;
}

}  // namespace onesum::cli
