// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/question_words.hpp"

#include "app/analysis/tables/table_definition.hpp"

#include <ostream>

namespace app::cli {
namespace {

std::string_view unitOf(engine::Content content) {
    switch (content) {
        case engine::Content::words: return "words";
        case engine::Content::rank: return "rank";
        case engine::Content::round: return "round";
        case engine::Content::count: return "number";
        case engine::Content::bytes: return "bytes";
        case engine::Content::time: return "s";
        case engine::Content::rate: return "s/byte";
        case engine::Content::share: return "0..1";
        case engine::Content::number: return "factor";
    }
    return {};
}

}  // namespace

Json questionsJson() {
    Json all = Json::array();
    for (const analysis::Question& question : analysis::allQuestions()) {
        Json columns = Json::array();
        for (const analysis::AskedColumn& column : question.columns)
            columns.push_back({{"name", column.name}, {"unit", unitOf(column.content)}, {"meaning", column.meaning}});
        all.push_back(
            {{"name", question.name}, {"meaning", question.meaning}, {"how", question.how}, {"columns", columns}});
    }
    return all;
}

void writeQuestionsMarkdown(std::ostream& out) {
    out << "| table | columns | how it is found |\n|---|---|---|\n";
    for (const analysis::Question& question : analysis::allQuestions()) {
        out << "| " << question.name << " |";
        for (const analysis::AskedColumn& column : question.columns) out << ' ' << column.name;
        out << " | " << question.how << (question.how.empty() ? "|\n" : " |\n");
    }
    out << "\n| table | column | unit | meaning |\n|---|---|---|---|\n";
    for (const analysis::Question& question : analysis::allQuestions()) {
        std::string_view table = question.name;
        for (const analysis::AskedColumn& column : question.columns) {
            out << "| " << table << (table.empty() ? "| " : " | ") << column.name << " | " << unitOf(column.content)
                << " | " << column.meaning << " |\n";
            table = {};
        }
    }
}

}  // namespace app::cli
