// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/arguments.hpp"

#include "app/session/live.hpp"
#include "app/session/models.hpp"
#include "app/session/ranges.hpp"
#include "engine/natives.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace app::cli {
namespace {

using engine::Bytes;
using engine::Error;
using engine::text;

std::int64_t readCount(std::string_view words, std::string_view what) {
    return engine::readInteger(words, what, 1, std::numeric_limits<std::int32_t>::max() - 8);
}
std::int64_t readRoot(std::string_view words, std::string_view what) {
    return engine::readInteger(words, what, 0, std::numeric_limits<std::int32_t>::max());
}
std::int64_t readPorts(std::string_view words, std::string_view what) {
    return engine::readInteger(words, what, 1, 64);
}

/// The part of a problem that never is a range.
ProblemWish readFixed(const Arguments& arguments) {
    ProblemWish wish;
    if (arguments.sizes) wish.sizes = *arguments.sizes;
    if (arguments.operation)
        wish.operation = engine::operationNamed(choice(arguments.operation, "--op", {"sum", "min", "max"}, "sum"));
    if (arguments.element)
        wish.element =
            engine::elementNamed(choice(arguments.element, "--type", {"int32", "int64", "float", "double"}, "int32"));
    return wish;
}

/// Replaces every wish by one copy for each number in `word`.
template <class Set>
void multiply(std::vector<ProblemWish>& wishes, const Arguments::Word& word, std::string_view flag,
              const ReadNumber& read, Set set) {
    if (!word) return;
    constexpr std::size_t most = 1'000'000;
    const std::vector<std::int64_t> numbers = readRange(*word, flag, read);
    if (wishes.size() * numbers.size() > most)
        throw Error{text("the ranges make more than ", most, " problems; choose smaller ones")};
    std::vector<ProblemWish> all;
    for (const ProblemWish& wish : wishes)
        for (const std::int64_t number : numbers) set(all.emplace_back(wish), number);
    wishes = std::move(all);
}

}  // namespace

std::string choice(const Arguments::Word& word, std::string_view flag, const std::vector<std::string>& choices,
                   const std::string& fallback) {
    if (!word) return fallback;
    if (std::find(choices.begin(), choices.end(), *word) != choices.end()) return *word;
    std::string all;
    for (std::size_t i = 0; i < choices.size(); ++i)
        all += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
    const std::string hint = choices.size() > 1 ? engine::didYouMean(*word, choices) : "";
    throw Error{text(flag, ": unknown value '", *word, "'", hint.empty() ? "; choose " + all : hint)};
}

std::string chosenFormat(const Arguments& arguments, const Formats& formats) {
    return choice(arguments.format, "--format", formats, formats.front());
}

const std::vector<std::string>& wordsOf(const Arguments& arguments, std::size_t least, std::size_t most,
                                        std::string_view usage) {
    const auto& words = arguments.words;
    if (words.size() > most) throw Error{text("unexpected word '", words[most], "'; write collscope ", usage)};
    if (words.size() < least) throw Error{text("something is missing; write collscope ", usage)};
    return words;
}

ProblemWish readProblem(const Arguments& arguments) {
    const auto number = [](const Arguments::Word& word, std::string_view flag, const ReadNumber& read) {
        return word ? std::optional{read(*word, flag)} : std::nullopt;
    };
    ProblemWish wish = readFixed(arguments);
    wish.ranks = number(arguments.ranks, "--ranks", readCount);
    wish.groupA = number(arguments.groupA, "--group-a", readCount);
    wish.groupB = number(arguments.groupB, "--group-b", readCount);
    wish.size = number(arguments.size, "--size", engine::readBytes).value_or(wish.size);
    wish.sizeB = number(arguments.sizeB, "--size-b", engine::readBytes);
    wish.root = number(arguments.root, "--root", readRoot).value_or(0);
    wish.ports = static_cast<int>(number(arguments.ports, "--ports", readPorts).value_or(1));
    return wish;
}

std::vector<ProblemWish> readProblems(const Arguments& arguments, bool intergroup) {
    std::vector<ProblemWish> wishes{readFixed(arguments)};
    if (intergroup) {
        multiply(wishes, arguments.groupA, "--group-a", readCount, [](auto& wish, auto p) { wish.groupA = p; });
        multiply(wishes, arguments.groupB, "--group-b", readCount, [](auto& wish, auto q) { wish.groupB = q; });
    } else {
        multiply(wishes, arguments.ranks, "--ranks", readCount, [](auto& wish, auto n) { wish.ranks = n; });
    }
    multiply(wishes, arguments.size, "--size", engine::readBytes, [](auto& wish, auto size) { wish.size = size; });
    multiply(wishes, arguments.sizeB, "--size-b", engine::readBytes, [](auto& wish, auto size) { wish.sizeB = size; });
    multiply(wishes, arguments.ports, "--ports", readPorts,
             [](auto& wish, auto ports) { wish.ports = static_cast<int>(ports); });
    const std::size_t before = wishes.size();
    multiply(wishes, arguments.root, "--root", readRoot, [](auto& wish, auto root) { wish.root = root; });
    if (wishes.size() > before)
        std::erase_if(wishes, [](const ProblemWish& wish) { return wish.ranks && wish.root >= *wish.ranks; });
    return wishes;
}

std::map<std::string, std::string> readOptions(const Arguments& arguments) {
    std::map<std::string, std::string> options;
    for (const std::string& setting : arguments.settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error{text("--set: '", setting, "' is not key=value; write for example --set segments=4")};
        if (!options.emplace(setting.substr(0, equals), setting.substr(equals + 1)).second)
            throw Error{text("--set: '", setting.substr(0, equals), "' is set twice")};
    }
    return options;
}

NetworkWish readNetwork(const Arguments& arguments) {
    return {.topology = arguments.topology.value_or(""),
            .placement = arguments.placement.value_or(""),
            .neighboursOnly = arguments.neighboursOnly};
}

engine::Model readModel(const Arguments& arguments) {
    const engine::Model named = arguments.model ? modelNamed(*arguments.model) : engine::Model{};
    engine::Model model = named;
    if (arguments.beta && arguments.bandwidth)
        throw Error{"--beta and --bandwidth say the same thing; give one of them"};
    if (arguments.logGP) model.logGP = engine::readLogGP(*arguments.logGP, "--loggp");
    if (model.logGP && (arguments.alpha || arguments.beta || arguments.bandwidth))
        throw Error{text(arguments.alpha  ? "--alpha"
                         : arguments.beta ? "--beta"
                                          : "--bandwidth",
                         " does not go with LogGP, which has L, o, g, G and O; set them with --loggp")};
    if (arguments.alpha) model.alpha = engine::readTime(*arguments.alpha, "--alpha");
    if (arguments.beta) model.beta = engine::readRate(*arguments.beta, "--beta");
    if (arguments.bandwidth) model.beta = engine::readBandwidth(*arguments.bandwidth, "--bandwidth");
    if (arguments.gamma) model.gamma = engine::readRate(*arguments.gamma, "--gamma");
    if (arguments.eager) {
        model.eagerLimit.reset();
        if (*arguments.eager != "all") model.eagerLimit = engine::readBytes(*arguments.eager, "--eager");
    }
    if (arguments.model && model != named) model.name += "-changed";
    return model;
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

analysis::Part readPart(const Arguments& arguments) {
    analysis::Part part;
    if (arguments.from) part.from = engine::readTime(*arguments.from, "--from");
    if (arguments.to) part.to = engine::readTime(*arguments.to, "--to");
    if (part.from && part.to && *part.to <= *part.from)
        throw Error{text("--to: ", *arguments.to, " is not after --from ", *arguments.from)};
    if (arguments.ranks)
        for (const std::int64_t rank : readRange(*arguments.ranks, "--ranks", readRoot))
            part.ranks.emplace_back(static_cast<std::int32_t>(rank));
    return part;
}

analysis::AnswerWish readAnswerWish(const Arguments& arguments) {
    analysis::AnswerWish wish;
    wish.part = readPart(arguments);
    if (arguments.communicators) wish.communicators = engine::split(*arguments.communicators, ',');
    wish.topology = arguments.topology.value_or("");
    wish.placement = arguments.placement.value_or("");
    if (!wish.placement.empty() && wish.topology.empty())
        throw Error{"--placement says where ranks stand on a network; name it with --topology"};
    if (arguments.alpha) wish.alpha = engine::readTime(*arguments.alpha, "--alpha");
    if (arguments.beta && arguments.bandwidth)
        throw Error{"--beta and --bandwidth say the same thing; give one of them"};
    if (arguments.beta) wish.beta = engine::readRate(*arguments.beta, "--beta");
    if (arguments.bandwidth) wish.beta = engine::readBandwidth(*arguments.bandwidth, "--bandwidth");
    if (arguments.windows) wish.windows = engine::readInteger(*arguments.windows, "--windows", 1, 100'000);
    return wish;
}

namespace {

struct Given {
    Arguments::Word Arguments::*word;
    std::string_view flag;
};

/// Not --ranks, which chooses a part of a trace.
constexpr std::array<Given, 11> problemFlags{{{&Arguments::groupA, "--group-a"},
                                              {&Arguments::groupB, "--group-b"},
                                              {&Arguments::size, "--size"},
                                              {&Arguments::sizeB, "--size-b"},
                                              {&Arguments::sizes, "--sizes"},
                                              {&Arguments::root, "--root"},
                                              {&Arguments::operation, "--op"},
                                              {&Arguments::element, "--type"},
                                              {&Arguments::ports, "--ports"},
                                              {&Arguments::topology, "--topology"},
                                              {&Arguments::placement, "--placement"}}};

/// What virtual time alone can do.
constexpr std::array<Given, 9> virtualFlags{{{&Arguments::logGP, "--loggp"},
                                             {&Arguments::eager, "--eager"},
                                             {&Arguments::stepping, "--progress"},
                                             {&Arguments::sharing, "--sharing"},
                                             {&Arguments::header, "--header"},
                                             {&Arguments::detached, "--detached"},
                                             {&Arguments::arrival, "--arrival"},
                                             {&Arguments::slowRanks, "--slow-ranks"},
                                             {&Arguments::slowLinks, "--slow-links"}}};

/// Over MPI these say what the bound is to be.
constexpr std::array<Given, 5> costFlags{{{&Arguments::model, "--model"},
                                          {&Arguments::alpha, "--alpha"},
                                          {&Arguments::beta, "--beta"},
                                          {&Arguments::bandwidth, "--bandwidth"},
                                          {&Arguments::gamma, "--gamma"}}};

void refuse(const Arguments& arguments, std::span<const Given> flags, std::string_view reason) {
    for (const Given& given : flags)
        if ((arguments.*given.word).has_value()) throw Error{text(given.flag, ": ", reason)};
}

}  // namespace

void refuseRunFlags(const Arguments& arguments) {
    constexpr std::string_view reason =
        "a trace says itself what ran; leave the flag out, or name an algorithm in place of the trace";
    refuse(arguments, problemFlags, reason);
    refuse(arguments, virtualFlags, reason);
    refuse(arguments, costFlags, reason);
    if (arguments.on) throw Error{text("--on: ", reason)};
    if (arguments.neighboursOnly) throw Error{text("--neighbours-only: ", reason)};
    if (!arguments.settings.empty()) throw Error{text("--set: ", reason)};
}

RunWish readRun(const Arguments& arguments, const std::string& id) {
    RunWish wish;
    wish.on = choice(arguments.on, "--on", {"virtual", "threads", "mpi"}, "virtual");
    const bool native = wish.on == "mpi" && engine::live::nativeNamed(id) != nullptr;
    wish.algorithm = native ? id : engine::algorithmNamed(id).id;
    if (wish.on != "virtual")
        refuse(arguments, virtualFlags, text("it is about virtual time; leave it out, or --on ", wish.on));
    if (wish.on == "threads")
        refuse(arguments, costFlags, "costs are of virtual time; threads take the time they take");
    if (arguments.size && id.starts_with("barrier/")) throw Error{"--size: a barrier moves no bytes; leave it out"};
    wish.problem = readProblem(arguments);
    wish.options = readOptions(arguments);
    const NetworkWish network = readNetwork(arguments);
    wish.topology = network.topology;
    wish.placement = network.placement;
    wish.neighboursOnly = network.neighboursOnly;
    wish.model = readModel(arguments);
    if (arguments.arrival) wish.perturbation.arrival = emulation::readArrival(*arguments.arrival);
    if (arguments.slowRanks) wish.perturbation.slowRanks = emulation::readSlowRanks(*arguments.slowRanks);
    if (arguments.slowLinks) wish.perturbation.slowLinks = emulation::readSlowLinks(*arguments.slowLinks);
    wish.stepping = choice(arguments.stepping, "--progress", {"free", "lockstep"}, "free") == "free"
                        ? emulation::Stepping::free
                        : emulation::Stepping::lockstep;
    std::vector<std::string> sharings;
    for (const auto& [kind, name] : emulation::sharingNames) sharings.emplace_back(name);
    wish.sharing = emulation::sharingFromText(choice(arguments.sharing, "--sharing", sharings, "bottleneck")).sharing;
    if (arguments.header) wish.protocol.header = engine::readBytes(*arguments.header, "--header");
    if (arguments.detached) wish.protocol.detached = engine::readBytes(*arguments.detached, "--detached");
    return wish;
}

namespace {

/// How an allreduce runs in two halves, if that is wished for.
std::optional<engine::splitphase::Settings> readSplit(const Arguments& arguments, const RunWish& run) {
    if (!arguments.splitPhase) {
        const std::array<std::pair<const Arguments::Word*, const char*>, 3> flags{
            {{&arguments.transport, "--transport"}, {&arguments.compute, "--compute"}, {&arguments.tests, "--tests"}}};
        for (const auto& [word, flag] : flags)
            if (*word) throw Error{text(flag, " is about split-phase runs; add --split-phase")};
        return std::nullopt;
    }
    if (run.on == "virtual") throw Error{"--split-phase is about real ranks; add --on threads or --on mpi"};
    if (run.neighboursOnly) throw Error{"--split-phase runs schedules as they are; leave --neighbours-only out"};
    engine::splitphase::Settings settings;
    if (arguments.transport) settings.by = engine::splitphase::byNamed(*arguments.transport);
    if (run.on == "threads" && settings.by == engine::splitphase::By::twoSided)
        throw Error{"--transport two-sided is about runs over MPI; threads write into each other's memory"};
    if (arguments.compute)
        settings.compute =
            engine::splitphase::Nanoseconds{engine::readTime(*arguments.compute, "--compute").count() / 1000};
    if (arguments.tests)
        settings.tests = static_cast<std::int32_t>(engine::readInteger(*arguments.tests, "--tests", 1, 1'000'000));
    return settings;
}

}  // namespace

LiveWish readLive(const Arguments& arguments, const RunWish& run) {
    const auto refuse = [&](bool given, std::string_view flag) {
        if (given && run.on != "mpi") throw Error{text(flag, " is about runs over MPI; add --on mpi")};
    };
    const auto split = readSplit(arguments, run);
    refuse(arguments.repeats.has_value() && !split, "--repeat");
    refuse(arguments.warmUps.has_value() && !split, "--warm-ups");
    refuse(arguments.against.has_value(), "--against");
    refuse(arguments.mpirun.has_value(), "--mpirun");
    refuse(arguments.hostfile.has_value(), "--hostfile");
    refuse(arguments.noCheck && !split, "--no-check");
    refuse(arguments.onLab, "--lab");
    LiveWish wish{.run = run, .check = !arguments.noCheck, .split = split};
    constexpr std::int64_t mostRepeats = 100'000;
    const auto number = [](const Arguments::Word& word, std::string_view flag, std::int64_t low,
                           std::int64_t fallback) {
        return static_cast<std::int32_t>(word ? engine::readInteger(*word, flag, low, mostRepeats) : fallback);
    };
    constexpr std::int64_t splitRepeats = 10;  // one pair of times says little
    const bool paired = split && split->compute.count() > 0;
    wish.repeats = number(arguments.repeats, "--repeat", 1, paired ? splitRepeats : 1);
    wish.warmUps = number(arguments.warmUps, "--warm-ups", 0, wish.repeats > 1 ? 2 : 1);
    if (arguments.against) wish.against = engine::split(*arguments.against, ',');
    if (arguments.model || arguments.alpha || arguments.beta || arguments.bandwidth || arguments.gamma)
        wish.model = run.model;
    return wish;
}

}  // namespace app::cli
