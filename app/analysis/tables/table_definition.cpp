// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/tables/table_definition.hpp"

#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/error.hpp"
#include "engine/base/field.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <tuple>

// Written by the build:
//   #define EACH_QUESTION(X) X(algorithms) X(bounds) ...
#include "questions.inc"

namespace app::analysis {

namespace questions {
#define DECLARE(file)        \
    namespace about_##file { \
        Question question(); \
    }
EACH_QUESTION(DECLARE)
#undef DECLARE
}  // namespace questions

std::span<const Question> allQuestions() {
    static const std::vector<Question> all = [] {
#define CALL(file) questions::about_##file::question(),
        std::vector<Question> found{EACH_QUESTION(CALL)};
#undef CALL
        std::sort(found.begin(), found.end(), [](const Question& a, const Question& b) {
            return std::tie(a.page, a.name) < std::tie(b.page, b.name);
        });
        return found;
    }();
    return all;
}

const Question& questionNamed(std::string_view name) {
    std::vector<std::string> names;
    for (const Question& question : allQuestions()) {
        if (question.name == name) return question;
        names.emplace_back(question.name);
    }
    const std::string hint = engine::didYouMean(name, names);
    throw engine::Error{
        engine::text(engine::field::tables, ": unknown table '", name, "'",
                     hint.empty() ? engine::text("; ", engine::listing::questions, " lists them all") : hint)};
}

engine::Table answerTo(const Question& question, TraceAnalysis& analysis) {
    analysis.progress().at(0);
    engine::Table table{
        .name = std::string{question.name}, .title = std::string{question.title}, .columns = {}, .rows = {}};
    for (const AskedColumn& column : question.columns)
        table.columns.push_back({std::string{column.name}, column.content});
    question.answer(analysis, table);
    if (std::any_of(question.columns.begin(), question.columns.end(),
                    [](const AskedColumn& column) { return column.leads == Leads::instance; }))
        remarkOnCut(analysis, table);
    for (const auto& row : table.rows)
        ENSURE(row.size() == table.columns.size(), "a row of an answer has another number of cells than columns");
    return table;
}

}  // namespace app::analysis
