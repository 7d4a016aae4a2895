// SPDX-License-Identifier: BSD-3-Clause
// Papers as files: one file under resources/papers is one paper, in the paper's order; the build puts their texts into
// the program, so that it finds them wherever it stands. resources/docs/write-your-own.md explains the keys.
#pragma once

#include "app/cli/figures/item.hpp"

#include <string>
#include <string_view>

namespace app::figures {

/// Of the text of such a file. Its name without ending and leading digits is the paper's. Throws Error{"FILE:LINE:
/// ..."} for a key that is unknown, missing or given twice, and for a value that cannot be read; runs are read when
/// they are made.
Paper readPaper(std::string_view words, const std::string& file);

}  // namespace app::figures
