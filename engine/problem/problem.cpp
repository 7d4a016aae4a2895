// SPDX-License-Identifier: BSD-3-Clause
#include "engine/problem/problem.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace engine {
namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

/// What a collective moves.
enum class Content : std::uint8_t { bytes, vectors, signs };

/// Everything that depends on the kind of collective alone.
struct Kind {
    Collective collective;
    std::string_view name;
    std::string_view title;
    std::string_view promise;
    Content content = Content::bytes;
    bool intergroup = false;
    bool rooted = false;
    bool uneven = false;
};

constexpr std::array kinds{
    Kind{.collective = Collective::bcast,
         .name = "bcast",
         .title = "Broadcast",
         .promise = "every rank receives the root's message",
         .rooted = true},
    Kind{.collective = Collective::reduce,
         .name = "reduce",
         .title = "Reduce",
         .promise = "the root receives the combination of all ranks' vectors",
         .content = Content::vectors,
         .rooted = true},
    Kind{.collective = Collective::gatherv,
         .name = "gatherv",
         .title = "Gather",
         .promise = "the root receives the contributions of all ranks",
         .rooted = true,
         .uneven = true},
    Kind{.collective = Collective::scatterv,
         .name = "scatterv",
         .title = "Scatter",
         .promise = "each rank receives its own part from the root",
         .rooted = true,
         .uneven = true},
    Kind{.collective = Collective::allgatherv,
         .name = "allgatherv",
         .title = "Allgather",
         .promise = "each rank receives the contributions of all ranks",
         .uneven = true},
    Kind{.collective = Collective::alltoallv,
         .name = "alltoallv",
         .title = "All-to-all",
         .promise = "each rank sends a different contribution to each rank",
         .uneven = true},
    Kind{.collective = Collective::allreduce,
         .name = "allreduce",
         .title = "Allreduce",
         .promise = "each rank receives the combination of all ranks' vectors",
         .content = Content::vectors},
    Kind{.collective = Collective::reduceScatter,
         .name = "reduce-scatter",
         .title = "Reduce-scatter",
         .promise = "each rank receives one block of the combination of all ranks' vectors",
         .content = Content::vectors},
    Kind{.collective = Collective::scan,
         .name = "scan",
         .title = "Scan",
         .promise = "rank r receives the combination of the vectors of ranks 0 to r",
         .content = Content::vectors},
    Kind{.collective = Collective::barrier,
         .name = "barrier",
         .title = "Barrier",
         .promise = "no rank leaves before all ranks have entered",
         .content = Content::signs},
    Kind{.collective = Collective::intergroupBcast,
         .name = "intergroup-bcast",
         .title = "Broadcast between groups",
         .promise = "each rank of the other group receives the root's message",
         .intergroup = true,
         .rooted = true},
    Kind{.collective = Collective::intergroupReduce,
         .name = "intergroup-reduce",
         .title = "Reduce between groups",
         .promise = "the root receives the combination of the other group's vectors",
         .content = Content::vectors,
         .intergroup = true,
         .rooted = true},
    Kind{.collective = Collective::intergroupAllreduce,
         .name = "intergroup-allreduce",
         .title = "Allreduce between groups",
         .promise = "each rank receives the combination of the other group's vectors",
         .content = Content::vectors,
         .intergroup = true},
    Kind{.collective = Collective::intergroupAllgatherv,
         .name = "intergroup-allgatherv",
         .title = "Allgather between groups",
         .promise = "each rank receives all contributions of the other group",
         .intergroup = true,
         .uneven = true},
    Kind{.collective = Collective::intergroupAlltoallv,
         .name = "intergroup-alltoallv",
         .title = "All-to-all between groups",
         .promise = "each rank sends a different contribution to each rank of the other group",
         .intergroup = true,
         .uneven = true},
    Kind{.collective = Collective::halfduplexAllgather,
         .name = "halfduplex-allgather",
         .title = "Half-duplex allgather",
         .promise = "each rank of group B receives all contributions of group A",
         .intergroup = true,
         .uneven = true},
};

constexpr bool inTheirOrder() {
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (static_cast<std::size_t>(kinds[i].collective) != i) return false;
    return true;
}
static_assert(inTheirOrder());

const Kind& kindOf(Collective collective) { return kinds[static_cast<std::size_t>(collective)]; }

constexpr Names<Operation, 5> operations{{{Operation::sum, "sum"},
                                          {Operation::min, "min"},
                                          {Operation::max, "max"},
                                          {Operation::user, "user"},
                                          {Operation::ordered, "ordered"}}};
constexpr Names<Element, 6> elements{{{Element::int32, "int32"},
                                      {Element::int64, "int64"},
                                      {Element::uint32, "uint32"},
                                      {Element::uint64, "uint64"},
                                      {Element::float32, "float"},
                                      {Element::float64, "double"}}};

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
    const std::string hint = didYouMean(words, known);
    throw Error{
        text("unknown ", kind, " '", words, "'", hint.empty() ? text("; choose from ", joined(known, ", ")) : hint)};
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

/// How many contributions there are; more than can be numbered are the least number above those.
std::int64_t contributionsOf(const Problem& problem) {
    const std::int64_t p = problem.groupA;
    const std::int64_t q = problem.groupB;
    switch (problem.collective) {
        case Collective::bcast:
        case Collective::intergroupBcast: return 1;
        case Collective::barrier: return 0;
        case Collective::halfduplexAllgather: return p;
        case Collective::alltoallv: return p * p;
        case Collective::intergroupAlltoallv: return 2 * p * q;
        default: return p + q;
    }
}

/// Messages may carry each byte some times over before they are more than can be counted.
constexpr Bytes mostTaken = Bytes{1} << 58;

/// How many ranks take in each contribution, at most.
std::int64_t takersOf(const Problem& problem) {
    switch (problem.collective) {
        case Collective::bcast:
        case Collective::allgatherv: return problem.groupA;
        case Collective::intergroupBcast:
        case Collective::intergroupAllgatherv: return std::max(problem.groupA, problem.groupB);
        case Collective::halfduplexAllgather: return problem.groupB;
        default: return 1;
    }
}

void validateVectors(const Problem& problem) {
    if (!problem.layout.isRegular())
        throw Error{field::sizes, text(name(problem.collective), " combines vectors of one size; the sizes differ")};
    const bool matrices = problem.operation == Operation::ordered;
    if (matrices && (problem.element == Element::float32 || problem.element == Element::float64))
        throw Error{field::element,
                    text(field::operation, " ordered multiplies matrices of whole numbers; choose int32 or int64, not ",
                         name(problem.element))};
    const Bytes unit = unitOf(problem), size = problem.layout.largest();
    if (size % unit != 0)
        throw Error{text(field::size, ": ", size, " B is not a multiple of ",
                         matrices ? text("a 2 x 2 matrix of ", name(problem.element))
                                  : text("an element of type ", name(problem.element)),
                         " (", unit, " B); write for example ", size / unit * unit + unit)};
}

}  // namespace

std::span<const Collective> collectives() {
    static constexpr auto all = [] {
        std::array<Collective, kinds.size()> each{};
        for (std::size_t i = 0; i < kinds.size(); ++i) each[i] = kinds[i].collective;
        return each;
    }();
    return all;
}

std::string_view name(Collective collective) { return kindOf(collective).name; }
std::string_view title(Collective collective) { return kindOf(collective).title; }
std::string_view promise(Collective collective) { return kindOf(collective).promise; }
std::string_view promise(const Problem& problem) {
    return problem.exclusive
               ? "rank r receives the combination of the vectors of ranks 0 to r - 1; rank 0 receives nothing"
               : promise(problem.collective);
}
std::string_view name(Operation operation) { return nameOf(operations, operation); }
std::string_view name(Element element) { return nameOf(elements, element); }
Collective collectiveNamed(std::string_view words) {
    static constexpr auto names = [] {
        Names<Collective, kinds.size()> all{};
        for (std::size_t i = 0; i < kinds.size(); ++i) all[i] = {kinds[i].collective, kinds[i].name};
        return all;
    }();
    for (const std::string_view ofEqualSizes : {"allgather", "alltoall", "gather", "scatter"})
        if (words == ofEqualSizes) return valueOf(names, text(words, 'v'), "collective");
    return valueOf(names, words, "collective");
}
Operation operationNamed(std::string_view words) { return valueOf(operations, words, "operation"); }
Element elementNamed(std::string_view words) { return valueOf(elements, words, "element type"); }

Bytes sizeOf(Element element) {
    return element == Element::int32 || element == Element::uint32 || element == Element::float32 ? 4 : 8;
}

bool isIntergroup(Collective collective) { return kindOf(collective).intergroup; }
bool isReduction(Collective collective) { return kindOf(collective).content != Content::bytes; }
bool combinesVectors(Collective collective) { return kindOf(collective).content == Content::vectors; }
bool hasRoot(Collective collective) { return kindOf(collective).rooted; }
bool isUneven(Collective collective) { return kindOf(collective).uneven; }

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
    if (contributionsOf(problem) > most)
        throw Error{isIntergroup(problem.collective) ? field::groupA : field::ranks,
                    text(name(problem.collective), " has ", contributionsOf(problem),
                         " contributions, one for each pair of ranks; at most ", most, " can be numbered")};
    if (problem.layout.count() != contributionsOf(problem))
        throw Error{text(problem.layout.count(), " sizes were given for ", contributionsOf(problem), " contributions")};
    if (problem.root.value < 0 || problem.root.value >= ranks)
        throw Error{field::root, text("root ", problem.root, " is outside 0..", ranks - 1)};
    if (problem.ports < 1 || problem.ports > 64)
        throw Error{field::ports, text(problem.ports, " ports: a rank has between 1 and 64")};
    if (static_cast<__int128>(problem.layout.total()) * takersOf(problem) > mostTaken)
        throw Error{field::size,
                    text("what all ranks take in together is more than 2^58 bytes, for ", problem.layout.count(),
                         problem.layout.count() == 1 ? " contribution" : " contributions", " of up to ",
                         showBytes(problem.layout.largest()), "; choose a smaller one or fewer ranks")};
    if (combinesVectors(problem.collective)) validateVectors(problem);
    if (problem.exclusive && problem.collective != Collective::scan)
        throw Error{text("only scan can be exclusive, not ", name(problem.collective))};
    if (!problem.torus.empty()) {
        std::int64_t product = 1;
        for (const int length : problem.torus) product *= length;
        if (product != ranks)
            throw Error{field::topology, text("torus:", showDimensions(problem.torus), " has ", product, " places for ",
                                              ranks, " ranks")};
    }
}

Rank ownerOf(const Problem& problem, Block block) {
    const std::int32_t p = problem.groupA;
    const std::int32_t q = problem.groupB;
    switch (problem.collective) {
        case Collective::bcast:
        case Collective::intergroupBcast:
        case Collective::scatterv: return problem.root;
        case Collective::alltoallv: return Rank{block.value / p};
        case Collective::intergroupAlltoallv:
            return Rank{block.value < p * q ? block.value / q : p + (block.value - p * q) / p};
        default: return Rank{block.value};
    }
}

std::optional<Rank> receiverOf(const Problem& problem, Block block) {
    const std::int32_t p = problem.groupA;
    const std::int32_t q = problem.groupB;
    switch (problem.collective) {
        case Collective::gatherv: return problem.root;
        case Collective::scatterv: return Rank{block.value};
        case Collective::alltoallv: return Rank{block.value % p};
        case Collective::intergroupAlltoallv:
            return Rank{block.value < p * q ? p + block.value % q : (block.value - p * q) % p};
        default: return std::nullopt;
    }
}

Block blockBetween(const Problem& problem, Rank from, Rank to) {
    const std::int32_t p = problem.groupA;
    const std::int32_t q = problem.groupB;
    if (problem.collective == Collective::alltoallv) return Block{from.value * p + to.value};
    return Block{from.value < p ? from.value * q + (to.value - p) : p * q + (from.value - p) * p + to.value};
}

Bytes unitOf(const Problem& problem) {
    constexpr Bytes entries = 4;  // of a 2 x 2 matrix
    if (problem.grain > 0) return problem.grain;
    return sizeOf(problem.element) * (problem.operation == Operation::ordered ? entries : 1);
}

VectorCut blocksOf(const Problem& problem) { return {problem.layout.largest(), unitOf(problem), problem.ranks()}; }

std::string toText(const Problem& problem) {
    std::string line{name(problem.collective)};
    line += isIntergroup(problem.collective) ? text(" p=", problem.groupA, " q=", problem.groupB)
                                             : text(" n=", problem.groupA);
    if (problem.layout.count() > 0) line += " sizes=" + sizesToText(problem.layout);
    if (hasRoot(problem.collective)) line += text(" root=", problem.root);
    if (problem.exclusive) line += " exclusive=yes";
    if (combinesVectors(problem.collective))
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
        else if (key == "exclusive") problem.exclusive = value == "yes";
        else if (key == "ports") problem.ports = count();
        else if (key == "torus") problem.torus = readDimensions(value, key);
        else throw Error{text("problem line: unknown key '", key, "'")};
    }
    validate(problem);
    return problem;
}

}  // namespace engine
