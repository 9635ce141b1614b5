// A filter expression as tcpdump has it. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "capture/reader.h"

struct bpf_program;

namespace onesum::cli {

// Compiled by libpcap, once for each link type that comes along.
class Filter {
  public:
    explicit Filter(const std::string &expression) : expression_(expression) {}

    // Whether the packet fits. Nothing where the expression cannot be: see error().
    std::optional<bool> fits(const capture::Packet &packet);

    // What is wrong with the expression, for that link type.
    const std::string &error() const { return error_; }

  private:
    struct Free {
        void operator()(bpf_program *program) const;
    };
    using Program = std::unique_ptr<bpf_program, Free>;

    Program compile(std::uint32_t link);

    const std::string expression_;
    std::map<std::uint32_t, Program> programs_;
    std::string error_;
};

}  // namespace onesum::cli
