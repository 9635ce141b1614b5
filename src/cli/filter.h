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

struct Libpcap;

// Compiled by libpcap, once for each link type that comes along.
class Filter {
  public:
    // Without an expression every packet fits.
    explicit Filter(const std::string &expression) : expression_(expression) {}

    // Whether the packet fits. Nothing where that cannot be said: see error().
    std::optional<bool> fits(const capture::Packet &packet) { return expression_.empty() ? true : run(packet); }

    // What is wrong, in words that begin with the option.
    const std::string &error() const { return error_; }

  private:
    struct Free {
        const Libpcap *libpcap;
        void operator()(bpf_program *program) const;
    };
    using Program = std::unique_ptr<bpf_program, Free>;

    std::optional<bool> run(const capture::Packet &packet);
    Program compile(std::uint32_t link);

    const std::string expression_;
    const Libpcap *libpcap_ = nullptr;
    std::map<std::uint32_t, Program> programs_;
    std::string error_;
};

}  // namespace onesum::cli
