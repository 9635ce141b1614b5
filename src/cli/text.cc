// Values as the program prints them. SPDX-License-Identifier: MIT
#include "cli/text.h"

#include <nlohmann/json.hpp>

namespace onesum::cli {

std::string json_string(const std::string &text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace onesum::cli
