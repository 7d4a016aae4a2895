// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a trace, as `list tables` and resources/docs/questions.md say it.
#pragma once

#include "app/cli/output/json.hpp"

#include <iosfwd>

namespace app::cli {

/// [{"name", "meaning", "how", "columns": [{"name", "unit", "meaning"}]}], in the order of reading.
Json questionsJson();

/// Two tables: the questions, and the columns of their answers.
void writeQuestionsMarkdown(std::ostream& out);

}  // namespace app::cli
