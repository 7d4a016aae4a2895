// SPDX-License-Identifier: BSD-3-Clause
// Calls the command line as a shell would, without a process.
#pragma once

#include "app/cli/cli.hpp"
#include "engine/base/text.hpp"

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

namespace app::cli {

struct Answer {
    int code = 0;
    std::string out;
    std::string err;
};

/// `line` is split at spaces.
inline Answer command(const std::string& line, const Surroundings& around = {}) {
    std::ostringstream out;
    std::ostringstream err;
    const auto words = line.empty() ? std::vector<std::string>{} : engine::split(line, ' ');
    const int code = run(words, out, err, around);
    return {code, out.str(), err.str()};
}

/// Text whose ends of lines, with the indentation behind them, are one space each.
inline std::string joined(const std::string& text) {
    std::string words;
    bool atStart = false;  // of a line
    for (const char c : text) {
        if (c == '\n' || (c == ' ' && atStart)) {
            if (!atStart) words += ' ';
            atStart = true;
        } else {
            words += c;
            atStart = false;
        }
    }
    return words;
}

inline nlohmann::json jsonOf(const std::string& line) { return nlohmann::json::parse(command(line).out); }

}  // namespace app::cli
