// SPDX-License-Identifier: BSD-3-Clause
#include "engine/problem.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace engine {
namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

constexpr Names<Collective, 6> collectives{{{Collective::bcast, "bcast"},
                                            {Collective::allgatherv, "allgatherv"},
                                            {Collective::allreduce, "allreduce"},
                                            {Collective::barrier, "barrier"},
                                            {Collective::intergroupAllgatherv, "intergroup-allgatherv"},
                                            {Collective::halfduplexAllgather, "halfduplex-allgather"}}};
constexpr Names<Operation, 4> operations{
    {{Operation::sum, "sum"}, {Operation::min, "min"}, {Operation::max, "max"}, {Operation::user, "user"}}};
constexpr Names<Element, 4> elements{
    {{Element::int32, "int32"}, {Element::int64, "int64"}, {Element::float32, "float"}, {Element::float64, "double"}}};

template <class E, std::size_t N>
std::string_view nameOf(const Names<E, N>& names, E value) {
    return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == value; })->second;
}

template <class E, std::size_t N>
E valueOf(const Names<E, N>& names, std::string_view words, std::string_view kind) {
    std::vector<std::string> known;
    for (const auto& [value, spelling] : names) {
        if (spelling == words) return value;
        known.emplace_back(spelling);
    }
    throw Error{text("unknown ", kind, " '", words, "'", didYouMean(words, known))};
}

/// Runs of equal sizes, "3x1024,0,2x17": short for what occurs, exact for the rest.
std::string sizesToText(const Layout& layout) {
    std::string words;
    for (std::int32_t i = 0; i < layout.count();) {
        std::int32_t next = i + 1;
        if (layout.isRegular()) next = layout.count();
        else
            while (next < layout.count() && layout.size(next) == layout.size(i)) ++next;
        if (!words.empty()) words += ',';
        if (next - i > 1) words += std::to_string(next - i) + "x";
        words += std::to_string(layout.size(i));
        i = next;
    }
    return words;
}

Layout sizesFromText(std::string_view words) {
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    std::vector<std::pair<std::int64_t, Bytes>> runs;
    std::int64_t count = 0;
    for (const std::string& part : split(words, ',')) {
        const auto by = part.find('x');
        const std::int64_t run = by == std::string::npos ? 1 : readInteger(part.substr(0, by), "sizes", 1, most);
        runs.emplace_back(run, readBytes(by == std::string::npos ? part : part.substr(by + 1), "sizes"));
        count += run;
    }
    if (count > most) throw Error{"sizes: more than 2^31-1 contributions"};
    if (runs.size() == 1) return Layout::regular(static_cast<std::int32_t>(count), runs.front().second);
    std::vector<Bytes> sizes;
    for (const auto& [run, size] : runs) sizes.insert(sizes.end(), asSize(run), size);
    return Layout::irregular(sizes);
}

std::int32_t contributionsOf(const Problem& problem) {
    switch (problem.collective) {
        case Collective::bcast: return 1;
        case Collective::barrier: return 0;
        case Collective::halfduplexAllgather: return problem.groupA;
        default: return problem.ranks();
    }
}

}  // namespace

std::string_view name(Collective collective) { return nameOf(collectives, collective); }
std::string_view name(Operation operation) { return nameOf(operations, operation); }
std::string_view name(Element element) { return nameOf(elements, element); }
Collective collectiveNamed(std::string_view words) { return valueOf(collectives, words, "collective"); }
Operation operationNamed(std::string_view words) { return valueOf(operations, words, "operation"); }
Element elementNamed(std::string_view words) { return valueOf(elements, words, "element type"); }

Bytes sizeOf(Element element) { return element == Element::int32 || element == Element::float32 ? 4 : 8; }

bool isIntergroup(Collective collective) {
    return collective == Collective::intergroupAllgatherv || collective == Collective::halfduplexAllgather;
}

bool isReduction(Collective collective) {
    return collective == Collective::allreduce || collective == Collective::barrier;
}

void validate(const Problem& problem) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 8;  // room for dummy processes
    if (isIntergroup(problem.collective)) {
        if (problem.groupA < 1)
            throw Error{field::groupA, text("group A has ", problem.groupA, " ranks; it needs at least 1")};
        if (problem.groupB < 1)
            throw Error{field::groupB, text("group B has ", problem.groupB, " ranks; it needs at least 1")};
    } else {
        if (problem.groupA < 1)
            throw Error{field::ranks, text("there are ", problem.groupA, " ranks; at least 1 is needed")};
        if (problem.groupB != 0) throw Error{text(name(problem.collective), " has one group of ranks, not two")};
    }
    const std::int64_t ranks = std::int64_t{problem.groupA} + problem.groupB;
    if (ranks > most) throw Error{text(ranks, " ranks are too many; at most ", most, " can be numbered")};
    if (problem.layout.count() != contributionsOf(problem))
        throw Error{text(problem.layout.count(), " sizes were given for ", contributionsOf(problem), " contributions")};
    if (problem.root.value < 0 || problem.root.value >= ranks)
        throw Error{field::root, text("root ", problem.root, " is outside 0..", ranks - 1)};
    if (problem.ports < 1 || problem.ports > 64)
        throw Error{field::ports, text(problem.ports, " ports: a rank has between 1 and 64")};
    if (problem.collective == Collective::allreduce) {
        if (!problem.layout.isRegular())
            throw Error{field::sizes, "allreduce combines vectors of one size; the sizes differ"};
        if (problem.layout.largest() % sizeOf(problem.element) != 0)
            throw Error{field::size, text("a vector of ", problem.layout.largest(), " bytes is no whole number of ",
                                          name(problem.element), " elements of ", sizeOf(problem.element), " bytes")};
    }
    if (!problem.torus.empty()) {
        std::int64_t product = 1;
        for (const int length : problem.torus) product *= length;
        if (product != ranks)
            throw Error{field::topology, text("torus:", showDimensions(problem.torus), " has ", product, " places for ",
                                              ranks, " ranks")};
    }
}

Rank ownerOf(const Problem& problem, Block block) {
    return problem.collective == Collective::bcast ? problem.root : Rank{block.value};
}

std::string toText(const Problem& problem) {
    std::string line{name(problem.collective)};
    line += isIntergroup(problem.collective) ? text(" p=", problem.groupA, " q=", problem.groupB)
                                             : text(" n=", problem.groupA);
    if (problem.layout.count() > 0) line += " sizes=" + sizesToText(problem.layout);
    if (problem.collective == Collective::bcast) line += text(" root=", problem.root);
    if (problem.collective == Collective::allreduce)
        line += text(" op=", name(problem.operation), " type=", name(problem.element));
    if (problem.ports != 1) line += text(" ports=", problem.ports);
    if (!problem.torus.empty()) line += " torus=" + showDimensions(problem.torus);
    return line;
}

Problem problemFromText(std::string_view line) {
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    const auto words = split(line, ' ');
    Problem problem;
    problem.collective = collectiveNamed(words.front());
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        const std::string key = words[i].substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : words[i].substr(equals + 1);
        const auto count = [&] { return static_cast<std::int32_t>(readInteger(value, key, 0, most)); };
        if (key == "n" || key == "p") problem.groupA = count();
        else if (key == "q") problem.groupB = count();
        else if (key == "sizes") problem.layout = sizesFromText(value);
        else if (key == "root") problem.root = Rank{count()};
        else if (key == "op") problem.operation = operationNamed(value);
        else if (key == "type") problem.element = elementNamed(value);
        else if (key == "ports") problem.ports = count();
        else if (key == "torus") problem.torus = readDimensions(value, key);
        else throw Error{text("problem line: unknown key '", key, "'")};
    }
    validate(problem);
    return problem;
}

}  // namespace engine
