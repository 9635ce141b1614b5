// The command line of the program. SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace onesum::cli {

// What the command line asks for.
struct Request {
    std::string command;       // its name; "" if all has been said: help, the version, or what is wrong
    std::function<int()> run;  // returns the exit status
    int status = 0;            // without a command: the exit status
};

Request parse(int argc, char **argv);

}  // namespace onesum::cli
