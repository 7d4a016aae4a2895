// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/arguments/arguments.hpp"

#include "app/session/options/ranges.hpp"
#include "app/session/options/run_options.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <filesystem>
#include <limits>

namespace app::cli {

using engine::Bytes;
using engine::Error;
using engine::text;

std::string choice(const Arguments::Word& word, std::string_view flag, const std::vector<std::string>& choices,
                   const std::string& fallback) {
    return word ? fields::chosen(*word, std::string{flag}, choices) : fallback;
}

std::string chosenFormat(const Arguments& arguments, const Formats& formats) {
    return choice(arguments.format, "--format", formats, formats.front());
}

const std::vector<std::string>& wordsOf(const Arguments& arguments, std::size_t least, std::size_t most,
                                        std::string_view usage) {
    const auto& words = arguments.words;
    if (words.size() > most) {
        const std::string& extra = words[most];
        const bool isNumber = !extra.empty() && extra.find_first_not_of("0123456789") == std::string::npos;
        throw Error{text("unexpected word '", extra, "'; ",
                         isNumber ? text("the number of ranks is given as -n ", extra, "; ") : "", "usage: collscope ",
                         usage)};
    }
    if (words.size() < least) {
        const std::vector<std::string> parts = engine::split(usage, ' ');  // the command, then what must follow
        const std::string& next = parts.at(words.size() + 1);
        throw Error{
            text(parts.front(), ": ", next.substr(0, next.find("...")), " is missing; usage: collscope ", usage)};
    }
    return words;
}

traces::Opening readOpening(const Arguments& arguments) {
    constexpr Bytes least = Bytes{64} << 20;
    traces::Opening opening;
    if (arguments.memory) {
        const Bytes memory = engine::readBytes(*arguments.memory, "--memory");
        if (memory < least) throw Error{text("--memory: ", *arguments.memory, " is too little; give 64MiB or more")};
        opening.memory.bytes = static_cast<std::uint64_t>(memory);
    }
    const std::string where = choice(arguments.index, "--index", {"cache", "beside", "none"}, "cache");
    opening.keep = where == "cache"    ? traces::Keep::inCache
                   : where == "beside" ? traces::Keep::besideTrace
                                       : traces::Keep::nowhere;
    return opening;
}

void refuseReadingFlags(const Arguments& arguments) {
    const std::pair<const char*, const Arguments::Word*> flags[]{
        {"--memory", &arguments.memory}, {"--index", &arguments.index}, {"--clocks", &arguments.clocks}};
    for (const auto& [flag, word] : flags)
        if (*word) throw Error{text(flag, ": no trace is read here; leave the flag out, or name a trace")};
}

analysis::Clocks readClocks(const Arguments& arguments) {
    if (!arguments.clocks) return analysis::Clocks::fittedWhereNeeded;
    return choice(arguments.clocks, "--clocks", {"recorded", "fitted"}, "recorded") == "fitted"
               ? analysis::Clocks::fitted
               : analysis::Clocks::recorded;
}

namespace {

/// "3,7..9,64.." as ranges; without a last number there is none above.
std::vector<analysis::NumberRange> readNumberRanges(std::string_view words, std::string_view what,
                                                    const ReadNumber& read) {
    std::vector<analysis::NumberRange> all;
    for (const std::string& word : engine::split(words, ',')) {
        const auto dots = word.find("..");
        if (dots == 0) throw Error{text(what, ": the range '", word, "' lacks a begin; write for example 0", word)};
        analysis::NumberRange one{read(word.substr(0, dots), what), std::numeric_limits<std::int64_t>::max()};
        if (dots == std::string::npos) one.high = one.low;
        else if (dots + 2 < word.size()) one.high = read(word.substr(dots + 2), what);
        if (one.high < one.low) throw Error{text(what, ": the first number of ", word, " must not exceed the second")};
        all.push_back(one);
    }
    return all;
}

}  // namespace

analysis::Part readPart(const Arguments& arguments) {
    analysis::Part part;
    if (arguments.from) part.from = engine::readTime(*arguments.from, "--from");
    if (arguments.to) part.to = engine::readTime(*arguments.to, "--to");
    if (part.from && part.to && *part.to <= *part.from)
        throw Error{text("--to: ", *arguments.to, " is not after --from ", *arguments.from)};
    if (const auto ranks = arguments.asked.word("ranks"))
        for (const std::int64_t rank : readRange(*ranks, "--ranks", fields::named("root").number))
            part.ranks.emplace_back(static_cast<std::int32_t>(rank));
    if (arguments.tags)
        part.tags = readNumberRanges(*arguments.tags, "--tags", [](std::string_view words, std::string_view what) {
            return engine::readInteger(words, what, 0, std::numeric_limits<std::uint32_t>::max());
        });
    if (arguments.messageSizes)
        part.bytes = readNumberRanges(*arguments.messageSizes, "--message-sizes", engine::readBytes);
    return part;
}

analysis::AnalysisOptions readAnswerWish(const Arguments& arguments) {
    analysis::AnalysisOptions wish;
    wish.part = readPart(arguments);
    if (arguments.communicators) wish.communicators = engine::split(*arguments.communicators, ',');
    Asked assumptions = arguments.asked;
    assumptions.drop("ranks");  // a part of the trace
    Specification assumed;
    take(assumed, assumptions);
    wish.topology = assumed.run.network.topology;
    wish.placement = assumed.run.network.placement;
    if (!wish.placement.empty() && wish.topology.empty())
        throw Error{"--placement: places of ranks need a network; add --topology"};
    const auto given = [&](std::string_view key) { return arguments.asked.has(key); };
    if (given("alpha")) wish.alpha = assumed.run.model.alpha;
    if (given("beta") || given("bandwidth")) wish.beta = assumed.run.model.beta;
    if (arguments.windows) wish.windows = engine::readInteger(*arguments.windows, "--windows", 1, 100'000);
    return wish;
}

void refuseRunFlags(const Arguments& arguments) {
    for (const fields::Entry& entry : fields::all())
        // Ranks choose a part of a trace.
        if (entry.key != "ranks" && arguments.asked.has(entry.key))
            throw Error{text(entry.field(),
                             ": a trace determines what ran; leave the flag out, or name an algorithm in ",
                             "place of the trace")};
}

const engine::Algorithm* algorithmOf(const std::string& word) {
    const std::string id = word.substr(0, word.find(':'));
    if (engine::schedules::isAlgorithmFile(id)) {
        try {
            return &engine::algorithmNamed(id);
        } catch (const Error& error) {
            // Where the ending is not that of an algorithm's file, a trace may be meant.
            if (engine::schedules::isPath(std::filesystem::path{id}.filename().string())) throw;
            throw Error{text("'", id, "' is neither a trace nor the file of an algorithm; ", error.words())};
        }
    }
    for (const engine::Algorithm* algorithm : engine::catalogue())
        if (algorithm->id == id) return algorithm;
    return nullptr;
}

bool isTrace(const std::string& word) { return std::filesystem::exists(word) && algorithmOf(word) == nullptr; }

}  // namespace app::cli
