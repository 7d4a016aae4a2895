// SPDX-License-Identifier: BSD-3-Clause
// Fields of the problem, and of the network on which it is solved.
#include "app/session/options/run_options_parts.hpp"
#include "emulation/networks/network.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/error.hpp"
#include "engine/problem/sizes.hpp"

#include <limits>

namespace app::fields {
namespace {

using engine::Collective;
using engine::Error;
using engine::text;
using Spec = Specification;
using Line = const std::string&;
using View = std::string_view;

/// Throws Error for a range or a list, which only some commands take, and split before.
void requireOne(View words, View what) {
    if (words.find("..") == View::npos && words.find(',') == View::npos) return;
    throw Error{text(what, ": '", words,
                     "' is more than one value; give one, or use 'collscope sweep' or 'collscope "
                     "verify', which take ranges")};
}

std::int64_t readCount(View words, View what) {
    requireOne(words, what);
    return engine::readInteger(words, what, 1, std::numeric_limits<std::int32_t>::max() - 8);
}

std::int64_t readRoot(View words, View what) {
    requireOne(words, what);
    return engine::readInteger(words, what, 0, std::numeric_limits<std::int32_t>::max());
}

std::int64_t readPorts(View words, View what) {
    requireOne(words, what);
    return engine::readInteger(words, what, 1, 64);
}

std::int64_t readSize(View words, View what) {
    requireOne(words, what);
    return engine::readBytes(words, what);
}

bool within(Collective collective) { return !isIntergroup(collective); }
bool movesBytes(Collective collective) { return collective != Collective::barrier; }
bool exchanges(Collective collective) {
    return collective == Collective::intergroupAllgatherv || collective == Collective::intergroupAlltoallv;
}
std::string oneGroup() { return text("it has one group of ranks, given by ", engine::field::ranks); }
std::string combinesNothing() { return "it combines nothing"; }
Words distributionNames() {
    Words names;
    for (const engine::Distribution& one : engine::distributions()) names.emplace_back(one.name);
    return names;
}

std::vector<Offer> distributionOffers() {
    std::vector<Offer> offers;
    for (const engine::Distribution& one : engine::distributions())
        offers.push_back({.words = std::string{one.name}, .tip = std::string{one.meaning}});
    return offers;
}

Words operationNames() { return {"sum", "min", "max", "user", "ordered"}; }
Words elementNames() { return {"int32", "int64", "uint32", "uint64", "float", "double"}; }
Words networkNames() {
    Words names;
    for (const emulation::Topology& one : emulation::topologies()) names.push_back(one.name);
    return names;
}

Words placementNames() { return {emulation::placementNames.begin(), emulation::placementNames.end()}; }

void takeOption(Spec& spec, Line words, Line what) {
    const auto equals = words.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error{text(what, ": '", words, "' is not key=value; write for example ", what, " segments=4")};
    if (!spec.run.options.emplace(words.substr(0, equals), words.substr(equals + 1)).second)
        throw Error{text(what, ": '", words.substr(0, equals), "' is set twice")};
}

Words printOptions(const Spec& spec) {
    Words words;
    for (const auto& [key, value] : spec.run.options) words.push_back(text(key, '=', value));
    return words;
}

}  // namespace

std::vector<Entry> problemFields() {
    return {
        {.key = "ranks",
         .letter = 'n',
         .label = "Ranks",
         .type = "N",
         .help = "number of ranks, for collectives within one group",
         .kind = Kind::number,
         .several = Several::range,
         .print = [](const Spec& s) { return counted(s.run.problem.ranks); },
         .number = readCount,
         .put = [](ProblemWish& wish, std::int64_t n) { wish.ranks = n; },
         .concerns = within,
         .otherwise =
             [] { return text("it has two groups, given by ", engine::field::groupA, " and ", engine::field::groupB); },
         .edited = {.chip = "n"}},
        {.key = "group-a",
         .letter = 'p',
         .label = "Group A",
         .type = "P",
         .help = "number of ranks of group A (the senders in half-duplex collectives)",
         .kind = Kind::number,
         .several = Several::range,
         .print = [](const Spec& s) { return counted(s.run.problem.groupA); },
         .number = readCount,
         .put = [](ProblemWish& wish, std::int64_t p) { wish.groupA = p; },
         .concerns = engine::isIntergroup,
         .otherwise = oneGroup,
         .edited = {.chip = "p"}},
        {.key = "group-b",
         .letter = 'q',
         .label = "Group B",
         .type = "Q",
         .help = "number of ranks of group B",
         .kind = Kind::number,
         .several = Several::range,
         .print = [](const Spec& s) { return counted(s.run.problem.groupB); },
         .number = readCount,
         .put = [](ProblemWish& wish, std::int64_t q) { wish.groupB = q; },
         .concerns = engine::isIntergroup,
         .otherwise = oneGroup,
         .edited = {.chip = "q"}},
        {.key = "size",
         .label = "Size",
         .type = "BYTES",
         .help = "size of each contribution, such as 64KiB (the default)",
         .tip = "Bytes of each contribution, for example 64 KiB",
         .kind = Kind::bytes,
         .several = Several::range,
         .fallback = "64KiB",
         .print =
             [](const Spec& s) { return unless(s.run.algorithm.starts_with("barrier/"), exactly(s.run.problem.size)); },
         .number = readSize,
         .put = [](ProblemWish& wish, std::int64_t size) { wish.size = size; },
         .concerns = movesBytes,
         .otherwise = [] { return std::string{"it moves no bytes"}; },
         .edited = {.section = Section::problem, .needed = true, .chip = "each"}},
        {.key = "size-b",
         .label = "Size in B",
         .type = "BYTES",
         .help = "size of group B's contributions, if it differs",
         .tip = "Bytes of each contribution of group B, if it differs",
         .kind = Kind::bytes,
         .several = Several::range,
         .print = [](const Spec& s) { return s.run.problem.sizeB ? Words{exactly(*s.run.problem.sizeB)} : Words{}; },
         .number = readSize,
         .put = [](ProblemWish& wish, std::int64_t size) { wish.sizeB = size; },
         .concerns = exchanges,
         .otherwise =
             [] {
                 return std::string{
                     "only intergroup-allgatherv and intergroup-alltoallv have contributions of two groups"};
             },
         .edited = {.section = Section::problem, .unset = "as in group A"}},
        {.key = "sizes",
         .label = "Distribution",
         .type = "RULE",
         .help =
             "regular, broadcast, spike, half-full, linear, rising or geometric, with --size as base; or @FILE with "
             "one size per line (alltoallv: one line of sizes per rank)",
         .tip = "How the contributions differ in size; @FILE has one size per line",
         .kind = Kind::choice,
         .several = Several::list,
         .fallback = "regular",
         .choices = distributionNames,
         .take = [](Spec& s, Line words, Line) { s.run.problem.sizes = words; },
         .print = [](const Spec& s) { return unless(s.run.problem.sizes == "regular", s.run.problem.sizes); },
         .concerns = engine::isUneven,
         .otherwise = [] { return std::string{"its contributions are all of one size"}; },
         .edited = {.section = Section::problem, .offers = distributionOffers(), .anythingElse = true}},
        {.key = "root",
         .label = "Root",
         .type = "R",
         .help = "rank that broadcasts, scatters, gathers or reduces; 0 by default",
         .tip = "The rank that has, or gets, everything",
         .kind = Kind::number,
         .several = Several::range,
         .fallback = "0",
         .print = [](const Spec& s) { return unless(s.run.problem.root == 0, text(s.run.problem.root)); },
         .number = readRoot,
         .put = [](ProblemWish& wish, std::int64_t root) { wish.root = root; },
         .concerns = engine::hasRoot,
         .otherwise = [] { return std::string{"it has no root"}; },
         .edited = {.section = Section::problem}},
        {.key = "op",
         .label = "Operation",
         .type = "OP",
         .help =
             "sum, min, max, user (any other commutative operation), or ordered (a product of 2 x 2 integer matrices, "
             "which does not commute)",
         .tip = "How two vectors become one",
         .kind = Kind::choice,
         .fallback = "sum",
         .choices = operationNames,
         .take =
             [](Spec& s, Line words, Line what) {
                 s.run.problem.operation = engine::operationNamed(chosen(words, what, operationNames()));
             },
         .print =
             [](const Spec& s) {
                 return unless(s.run.problem.operation == engine::Operation::sum,
                               std::string{name(s.run.problem.operation)});
             },
         .concerns = engine::combinesVectors,
         .otherwise = combinesNothing,
         .edited = {.section = Section::problem, .offers = offersOf(operationNames())}},
        {.key = "type",
         .label = "Element",
         .type = "TYPE",
         .help = "int32, int64, uint32, uint64, float or double",
         .tip = "What the vectors are made of",
         .kind = Kind::choice,
         .fallback = "int32",
         .choices = elementNames,
         .take = [](Spec& s, Line words,
                    Line what) { s.run.problem.element = engine::elementNamed(chosen(words, what, elementNames())); },
         .print =
             [](const Spec& s) {
                 return unless(s.run.problem.element == engine::Element::int32,
                               std::string{name(s.run.problem.element)});
             },
         .concerns = engine::combinesVectors,
         .otherwise = combinesNothing,
         .edited = {.section = Section::problem, .offers = offersOf(elementNames())}},
        {.key = "ports",
         .label = "Ports",
         .type = "K",
         .help = "messages a rank can send, and receive, at one time; 1 by default",
         .tip = "Messages a rank can send, and receive, at one time",
         .kind = Kind::number,
         .several = Several::range,
         .fallback = "1",
         .print = [](const Spec& s) { return unless(s.run.problem.ports == 1, text(s.run.problem.ports)); },
         .number = readPorts,
         .put = [](ProblemWish& wish, std::int64_t ports) { wish.ports = static_cast<int>(ports); },
         .edited = {.section = Section::problem, .low = 1, .high = 64}},
        {.key = "topology",
         .label = "Network",
         .type = "NAME",
         .help = "network, such as full, ring or torus:4x4; by default the one that the algorithm needs, else full",
         .tip = "Network that carries the messages: full, ring or torus:AxBxC",
         .choices = networkNames,
         .take = [](Spec& s, Line words, Line) { s.run.network.topology = words; },
         .print = [](const Spec& s) { return said(s.run.network.topology); },
         .edited = {.section = Section::machine, .unset = "the algorithm's own", .anythingElse = true, .chip = "on"}},
        {.key = "placement",
         .label = "Placement",
         .type = "HOW",
         .help =
             "places of the ranks: block (in order), round-robin, snake, spread, random:SEED, or @FILE with one "
             "place per rank; other places of the network remain unused; block by default; without this option, all places of "
             "hypercube, cluster and dgx1 must have a rank",
         .tip = "Places of the ranks on the network; @FILE has one place per rank, other places remain unused",
         .choices = placementNames,
         .take = [](Spec& s, Line words, Line) { s.run.network.placement = words; },
         .print = [](const Spec& s) { return said(s.run.network.placement); },
         .edited = {.section = Section::placing,
                    .unset = "in order",
                    .offers = offersOf(Words{"block", "round-robin", "snake", "spread", "random:1"}),
                    .anythingElse = true}},
        {.key = "neighbours-only",
         .label = "Messages",
         .help = "messages are relayed from neighbour to neighbour",
         .tip = "Whether a message goes straight to its receiver, or is relayed by the ranks between",
         .kind = Kind::toggle,
         .take = [](Spec& s, Line, Line) { s.run.network.neighboursOnly = true; },
         .print = [](const Spec& s) { return ifSo(s.run.network.neighboursOnly); },
         .edited = {.section = Section::placing,
                    .offers = {{"", "straight to their receiver"},
                               {std::string{toggledOn}, "from neighbour to neighbour"}}}},
        {.key = "set",
         .label = "Option",
         .type = "KEY=VALUE",
         .help = "an option of the algorithm; may be repeated",
         .kind = Kind::list,
         .take = takeOption,
         .print = printOptions},
    };
}

}  // namespace app::fields
