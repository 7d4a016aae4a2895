// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/rules_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>

namespace app::tune {
namespace {

using engine::text;

constexpr std::int64_t mostBytes = std::int64_t{16} << 20;

/// The first character that is no white space or comment of Open MPI; 0 for none.
char firstOf(std::string_view words) {
    for (const std::string& line : engine::split(words, '\n')) {
        const std::size_t at = line.find_first_not_of(" \t\r\v\f");
        if (at != std::string::npos && line[at] != '#') return line[at];
    }
    return '\0';
}

/// Rules of Open MPI in a format of another version, which is named.
OpenMpiRules newerRules(const std::string& format) {
    OpenMpiRules file;
    file.findings.push_back(
        {.line = 1,
         .words =
             text("the file has ", format, "; Open MPI 4.1.4 cannot read it and ignores the whole file; write it as ",
                  "numbers: collectives, communicator sizes, and four numbers for each message size")});
    return file;
}

}  // namespace

std::string_view name(Finding::Kind kind) {
    switch (kind) {
        case Finding::Kind::syntax: return "syntax";
        case Finding::Kind::gap: return "gap";
        case Finding::Kind::unreachable: return "unreachable";
        case Finding::Kind::algorithm: return "algorithm";
        case Finding::Kind::segment: return "segment";
        case Finding::Kind::scope: return "scope";
    }
    return "";
}

std::vector<engine::live::Extent> rangesOf(const std::vector<std::int64_t>& starts) {
    std::vector<engine::live::Extent> all;
    std::int64_t highest = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        highest = std::max(highest, starts[i]);
        engine::live::Extent range;
        if (i > 0) range.low = highest;
        if (i + 1 < starts.size()) range.high = (i == 0 ? std::max(starts[0], starts[1]) : starts[i + 1]) - 1;
        all.push_back(range);
    }
    return all;
}

std::vector<engine::live::Extent> rangesFrom(const std::set<std::int64_t>& starts) {
    std::vector<engine::live::Extent> all;
    for (auto at = starts.begin(); at != starts.end(); ++at)
        all.push_back({*at, std::next(at) == starts.end() ? unlimited : *std::next(at) - 1});
    return all;
}

void addEnds(std::set<std::int64_t>& starts, const engine::live::Extent& range, std::int64_t least) {
    starts.insert(std::max(range.low, least));
    if (range.high < unlimited && range.high >= least) starts.insert(range.high + 1);
}

std::string callOf(std::int64_t collective) {
    if (collective < 0 || collective >= static_cast<std::int64_t>(engine::live::blockingCalls)) return {};
    return std::string{engine::live::name(static_cast<engine::live::Called>(collective))};
}

MpichVariables mpichVariablesFrom(std::string_view words) {
    MpichVariables file;
    int number = 0;
    for (const std::string& line : engine::split(words, '\n')) {
        ++number;
        std::vector<std::string> all = engine::wordsOfLine(line.substr(0, line.find('#')));
        if (!all.empty() && (all[0] == "export" || all[0] == "-genv")) all.erase(all.begin());
        if (all.empty()) continue;
        std::string whole = all[0];
        if (all.size() == 2 && whole.find('=') == std::string::npos) whole += '=' + all[1];  // of mpiexec's -genv
        const std::size_t equals = whole.find('=');
        if (equals == std::string::npos || equals == 0 || !whole.starts_with("MPIR_CVAR_") || all.size() > 2) {
            file.findings.push_back(
                {.line = number, .words = text("'", engine::joined(all, " "), "' is not MPIR_CVAR_NAME=VALUE")});
            continue;
        }
        file.variables.push_back({whole.substr(0, equals), whole.substr(equals + 1), number});
    }
    return file;
}

CollscopeRules collscopeRulesFrom(std::string_view words) {
    CollscopeRules file;
    int number = 0;
    for (const std::string& line : engine::split(words, '\n')) {
        ++number;
        try {
            for (engine::live::Rule& rule : engine::live::rulesFromText(line, "rules"))
                file.rules.push_back({std::move(rule), number});
        } catch (const engine::Error& error) {
            // Each line is read as a file of one line, whose name and number the sentence begins with.
            constexpr std::string_view start = "rules:1: ";
            std::string sentence = error.words();
            if (sentence.starts_with(start)) sentence.erase(0, start.size());
            file.findings.push_back({.line = number, .words = sentence});
        }
    }
    if (file.rules.size() > engine::live::mostRules)
        file.findings.push_back({.line = file.rules[engine::live::mostRules].line,
                                 .words = text(file.rules.size(), " rules; at most ", engine::live::mostRules,
                                               " can be distinguished, and the file is rejected")});
    return file;
}

RulesFile rulesFileFrom(std::string_view words) {
    const char first = firstOf(words);
    if (first == '{' || first == '[' || first == '/') {  // a comment of json begins with the last of these
        const auto has = [&](std::string_view key) { return words.find(key) != std::string_view::npos; };
        if (has("\"rule_file_version\"") || (has("\"collectives\"") && !has("collective=")))
            return newerRules("the json format of the development branch of Open MPI (rule_file_version 3)");
        return mpichSelectionFrom(words);
    }
    if (words.starts_with("rule-file-version-") && !words.starts_with("rule-file-version-1\n"))
        return newerRules("the format of Open MPI 5.0 (" + std::string{words.substr(0, words.find_first_of(" \r\n"))} +
                          ')');
    // A damaged first line must not make another kind of file of it: whichever kind the most lines have decides.
    int variables = 0;
    int numbers = 0;
    int others = 0;
    for (const std::string& line : engine::split(words, '\n')) {
        const std::vector<std::string> all = engine::wordsOfLine(line.substr(0, line.find('#')));
        if (all.empty()) continue;
        const std::string& word = all[0];
        if (word.starts_with("MPIR_") || word == "export" || word == "-genv") ++variables;
        else if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-' || word[0] == '+') ++numbers;
        else ++others;
    }
    if (variables > 0 && variables >= std::max(numbers, others)) return mpichVariablesFrom(words);
    if (numbers > 0 && numbers >= others) return openMpiRulesFrom(words);
    return collscopeRulesFrom(words);
}

RulesFile rulesFileIn(const std::string& path) {
    const std::string words = engine::contentOf(path, mostBytes, text("cannot read '", path, "'"));
    if (words.find_first_not_of(" \t\r\n") == std::string::npos) throw engine::Error{text(path, ": the file is empty")};
    if (firstOf(words) == '\0') return CollscopeRules{};  // comments, as in rules of which none was worth it
    if (words.find('\0') != std::string::npos) throw engine::Error{text(path, ": not a text file (it has zero bytes)")};
    return rulesFileFrom(words);
}

Format formatOf(const RulesFile& file) {
    struct Of {
        Format operator()(const OpenMpiRules&) const { return {"Open MPI", "dynamic rules of coll/tuned"}; }
        Format operator()(const MpichSelection&) const { return {"MPICH", "selection file"}; }
        Format operator()(const MpichVariables&) const { return {"MPICH", "control variables"}; }
        Format operator()(const CollscopeRules&) const { return {"Collscope", "rules of the drop-in library"}; }
    };
    return std::visit(Of{}, file);
}

}  // namespace app::tune
