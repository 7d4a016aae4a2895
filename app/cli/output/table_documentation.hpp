// SPDX-License-Identifier: BSD-3-Clause
// The tables of traces, as `list tables` and resources/docs/questions.md say it.
#pragma once

#include "app/cli/output/json.hpp"

#include <iosfwd>

namespace app::cli {

/// [{"name", "meaning", "how", "columns": [{"name", "unit", "meaning"}]}], in the order of reading.
Json questionsJson();

/// Two tables: all tables, and their columns.
void writeQuestionsMarkdown(std::ostream& out);

}  // namespace app::cli
