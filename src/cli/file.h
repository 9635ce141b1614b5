// Files, and complaints about them. SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace onesum::cli {

// "onesum: TEXT" on standard error.
void complain(const std::string &text);

// Complains that standard output failed, by errno, and returns the exit status.
int failed_output();

// A file to read from, or standard input for "-". Closed at the end, unless it is standard input.
class File {
  public:
    explicit File(const std::string &name);
    ~File();
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    // The errno of opening it, or 0. A directory is EISDIR.
    int error() const { return error_; }
    int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
    int error_ = 0;
};

}  // namespace onesum::cli
