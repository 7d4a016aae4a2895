// SPDX-License-Identifier: BSD-3-Clause
// Golden vectors: numbers worked out apart from this program, kept in tests/golden.
#pragma once

#include "tests/support/places.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace support {

/// All cases of `file` for one of its algorithms; throws if there is none, so that no test passes for want of cases.
inline std::vector<nlohmann::json> goldenCases(const std::string& file, std::string_view algorithm) {
    std::ifstream in{goldenFolder() / file};
    const auto all = nlohmann::json::parse(in);
    std::vector<nlohmann::json> found;
    for (const auto& one : all.at("cases"))
        if (one.at("algorithm") == algorithm) found.push_back(one);
    if (found.empty()) throw std::runtime_error{file + " has no case of " + std::string{algorithm}};
    return found;
}

}  // namespace support
