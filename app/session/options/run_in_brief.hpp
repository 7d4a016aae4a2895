// SPDX-License-Identifier: BSD-3-Clause
// A run in a few words, each of one field: what everybody asks first, then what is unusual.
#pragma once

#include "app/session/options/run_options.hpp"

#include <string>
#include <vector>

namespace app {

struct Chip {
    const fields::Entry* field;
    std::string label;  ///< short: "p", "each", "Root"
    std::string words;  ///< as the field reads them: "64KiB"; of a toggle as the set-up says it
};

/// Of every field of the run that has a chip or is asked for, in the order of the table; not how real processes are
/// started and measured.
std::vector<Chip> chipsOf(const RunWish& wish, engine::Collective collective);

}  // namespace app
