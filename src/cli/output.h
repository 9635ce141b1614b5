// A file that is written whole or not at all. SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace onesum::cli {

// Whether writing to `name` (or standard output, for "-") would write to that very file, by whatever name.
bool is_output(const std::string &name, const struct stat &file);

// What is written shows under its name only with commit(). Until then it is in a file without a name where the
// file system has that, or else in a hidden one beside it, so that the name never stands for a part, even if
// the process is killed. Standard output ("-"), and a name that already is a device or a pipe, are written to
// as they are.
class Output {
  public:
    // To stand for `name`, with these permissions or, without, those that new files get. error() tells of
    // failure.
    Output(const std::string &name, std::optional<mode_t> mode);
    ~Output();
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;

    void write(std::span<const std::byte> bytes);

    // Puts the file in its place. True if all went well since the beginning.
    bool commit();

    // The errno of what failed first, or 0.
    int error() const { return error_; }

  private:
    bool open_hidden(mode_t mode);
    bool link_unnamed(const std::string &as) const;
    void fail();

    std::string name_;    // with symbolic links resolved
    std::string hidden_;  // the temporary name, where there is one
    int descriptor_ = -1;
    bool direct_ = false;
    bool unnamed_ = false;
    int error_ = 0;
};

}  // namespace onesum::cli
