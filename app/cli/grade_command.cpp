// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/grade_command.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/output/subprocess.hpp"
#include "app/cli/output/tables.hpp"
#include "app/teaching/exercises.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// One file, with a mark for each check.
struct Graded {
    std::string file;
    std::vector<Outcome> marks;

    [[nodiscard]] std::int64_t points(const Task& task) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < marks.size(); ++i) sum += marks[i].held ? task.checks[i].points : 0;
        return sum;
    }
    [[nodiscard]] bool allHeld() const {
        return std::all_of(marks.begin(), marks.end(), [](const Outcome& mark) { return mark.held; });
    }
};

Allowance readAllowance(const Arguments& arguments) {
    Allowance allowance;
    if (arguments.seconds)
        allowance.time = std::chrono::seconds{engine::readInteger(*arguments.seconds, "--seconds", 1, 3600)};
    if (arguments.memory) {
        allowance.memory = engine::readBytes(*arguments.memory, "--memory");
        constexpr std::int64_t least = std::int64_t{64} << 20;
        if (allowance.memory < least)
            throw Error{text("--memory: ", *arguments.memory, " is too little; give 64MiB or more")};
    }
    return allowance;
}

/// What a process says of a check: whether it held, and why not, on one line.
std::string markInOneLine(const Outcome& mark) {
    std::string said = spoken(mark.said);
    std::replace(said.begin(), said.end(), '\n', ' ');
    return text(mark.held ? '+' : '-', said);
}

Graded gradeOne(const Task& task, const std::string& file, const Allowance& allowance,
                const engine::Progress& progress) {
    const Apart apart =
        inAProcess([&](const auto& say) { grade(task, file, [&](const Outcome& mark) { say(markInOneLine(mark)); }); },
                   allowance, progress);
    Graded graded{.file = file, .marks = {}};
    for (const std::string& line : apart.lines)
        if (!line.empty() && graded.marks.size() < task.checks.size())
            graded.marks.push_back({line.front() == '+', line.substr(1), {}});
    const std::string trouble = apart.trouble.empty() ? "it did not end" : apart.trouble;
    if (graded.marks.size() < task.checks.size()) graded.marks.push_back({false, trouble, {}});
    while (graded.marks.size() < task.checks.size()) graded.marks.push_back({false, "not reached: " + trouble, {}});
    return graded;
}

void writeText(const Task& task, const std::vector<Graded>& all, const Console& console) {
    for (const Graded& one : all) {
        console.out << console.paint(Tone::strong, visibleName(one.file)) << ": " << one.points(task) << " of "
                    << pointsOf(task) << " points\n";
        for (std::size_t i = 0; i < one.marks.size(); ++i) {
            const Outcome& mark = one.marks[i];
            console.out << "  " << console.paint(mark.held ? Tone::good : Tone::bad, mark.held ? "holds" : "fails")
                        << "  " << task.checks[i].words << (task.checks[i].hidden ? " (hidden)" : "") << '\n';
            if (!mark.held) console.out << "         " << visibleName(mark.said) << '\n';
        }
        console.requireOutput();
    }
    for (const Check& check : task.checks)
        if (!check.leftOut.empty()) console.write(text(check.words, ": ", check.leftOut));
    if (all.size() < 2) return;
    console.out << '\n';
    for (std::size_t i = 0; i < task.checks.size(); ++i)
        console.out << "  " << std::count_if(all.begin(), all.end(), [&](const Graded& g) { return g.marks[i].held; })
                    << " of " << all.size() << "  " << task.checks[i].words << '\n';
}

engine::Table tableOf(const Task& task, const std::vector<Graded>& all) {
    engine::Table table;
    for (const char* column : {"file", "check", "hidden", "held", "points", "of", "said"})
        table.columns.push_back({column, engine::Content::words});
    for (const Graded& one : all)
        for (std::size_t i = 0; i < one.marks.size(); ++i) {
            const Check& check = task.checks[i];
            const bool held = one.marks[i].held;
            table.rows.push_back({engine::cell(one.file), engine::cell(check.words),
                                  engine::cell(std::string{check.hidden ? "yes" : "no"}),
                                  engine::cell(std::string{held ? "yes" : "no"}),
                                  engine::cell(std::to_string(held ? check.points : 0)),
                                  engine::cell(std::to_string(check.points)), engine::cell(one.marks[i].said)});
        }
    return table;
}

Json gradedJson(const Task& task, const Graded& one) {
    Json checks = Json::array();
    for (std::size_t i = 0; i < one.marks.size(); ++i) {
        const Check& check = task.checks[i];
        const Outcome& mark = one.marks[i];
        checks.push_back({{"check", check.words},
                          {"hidden", check.hidden},
                          {"held", mark.held},
                          {"points", mark.held ? check.points : 0},
                          {"of", check.points},
                          {"said", mark.said.empty() ? Json{} : Json(mark.said)},
                          {"left_out", check.leftOut.empty() ? Json{} : Json(check.leftOut)}});
    }
    return {{"file", one.file}, {"points", one.points(task)}, {"of", pointsOf(task)}, {"checks", checks}};
}

/// What Gradescope's autograders leave in results.json.
Json gradescopeJson(const Task& task, const Graded& one) {
    Json tests = Json::array();
    for (std::size_t i = 0; i < one.marks.size(); ++i) {
        const Check& check = task.checks[i];
        const Outcome& mark = one.marks[i];
        tests.push_back({{"name", check.words},
                         {"score", mark.held ? check.points : 0},
                         {"max_score", check.points},
                         {"status", mark.held ? "passed" : "failed"},
                         {"output", mark.said},
                         {"visibility", check.hidden ? "after_published" : "visible"}});
    }
    return {{"score", one.points(task)}, {"output", task.title}, {"tests", tests}};
}

}  // namespace

int gradeFiles(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 2, 10'000, "grade TASK FILE...");
    const std::string format = chosenFormat(arguments, {"text", "csv", "json", "gradescope"});
    if (format == "gradescope" && words.size() > 2)
        throw Error{text("--format gradescope is about one file, not ", words.size() - 1)};
    const Task task = taskIn(words[0]);
    // Where nothing exists the command is wrong; among other files a missing one is that file's result.
    const auto isMissing = [](const std::string& file) {
        std::error_code ignored;
        return std::filesystem::symlink_status(file, ignored).type() == std::filesystem::file_type::not_found;
    };
    if (std::all_of(words.begin() + 1, words.end(), isMissing))
        throw Error{text("cannot read '", words[1], "': it does not exist")};
    const Allowance allowance = readAllowance(arguments);
    std::vector<Graded> all;
    {
        ProgressLine line{console, "grading"};
        solve(task, {.stop = console.around.stop});  // the processes of the files inherit the optima
        for (std::size_t i = 1; i < words.size(); ++i) {
            line.progress().at(static_cast<double>(i - 1) / static_cast<double>(words.size() - 1));
            all.push_back(gradeOne(task, words[i], allowance, {.stop = console.around.stop}));
        }
    }
    if (format == "csv") {
        analysis::writeCsv(tableOf(task, all), console.out);
    } else if (format == "gradescope") {
        console.out << gradescopeJson(task, all.front()).dump(2, ' ', false, lenient) << '\n';
    } else if (format == "json") {
        Json json = Json::array();
        for (const Graded& one : all) json.push_back(gradedJson(task, one));
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else {
        writeText(task, all, console);
    }
    return std::all_of(all.begin(), all.end(), [](const Graded& one) { return one.allHeld(); }) ? done : checkFailed;
}

}  // namespace app::cli
