// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/search_problem.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace engine::synthesis {
namespace {

constexpr std::int64_t mostChunks = 4096;

void requireFew(std::int64_t chunks) {
    if (chunks > mostChunks)
        throw Error{text("the problem has ", chunks, " chunks; a search takes at most ", mostChunks,
                         ", so choose fewer ranks or chunks")};
}

/// Contributions, cut into chunks of about one size.
std::vector<Chunk> ofBytes(const Problem& problem, std::int32_t chunks) {
    const Layout& layout = problem.layout;
    if (layout.largest() < chunks)
        throw Error{text("the largest contribution has ", layout.largest(), " bytes, too few for ",
                         chunks == 1 ? std::string{"a chunk"} : text(chunks, " chunks"))};
    const Bytes each = (layout.largest() + chunks - 1) / chunks;
    requireFew((layout.total() + each - 1) / each);
    const auto ranks = asSize(problem.ranks());
    const Contract contract{problem};
    std::vector<std::vector<Range>> after;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        after.push_back(contract.after(Rank{static_cast<std::int32_t>(rank)}));
    std::vector<Chunk> all;
    for (std::int32_t block = 0; block < layout.count(); ++block) {
        const Range whole = layout.block(block);
        const std::int64_t count = (whole.size() + each - 1) / each;
        for (std::int64_t i = 0; i < count; ++i) {
            Chunk chunk{.range = piece(whole, count, i), .owner = ownerOf(problem, Block{block}).value, .block = block};
            for (const std::vector<Range>& ranges : after)
                chunk.needed.push_back(std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
                    return range.begin <= chunk.range.begin && chunk.range.end <= range.end;
                }));
            all.push_back(std::move(chunk));
        }
    }
    return all;
}

/// The vector, cut into chunks whose results begin at `owner`: for reduce the root, else each rank those of its block.
std::vector<Chunk> ofVector(const Problem& problem, std::int32_t chunks) {
    const Bytes unit = unitOf(problem);
    const bool rooted = problem.collective == Collective::reduce;
    const VectorCut blocks = rooted ? VectorCut{problem.layout.largest(), unit, 1} : blocksOf(problem);
    if (blocks.largest() / unit < chunks)
        throw Error{text("the largest block has ", blocks.largest() / unit, " elements, too few for ",
                         chunks == 1 ? std::string{"a chunk"} : text(chunks, " chunks"))};
    requireFew(std::int64_t{blocks.count()} * chunks);
    std::vector<Chunk> all;
    for (std::int32_t block = 0; block < blocks.count(); ++block) {
        const Range whole = blocks[block];
        const VectorCut cut{whole.size(), unit, chunks};
        for (std::int32_t i = 0; i < chunks; ++i)
            if (const Range part = cut[i]; !part.empty())
                all.push_back({.range = {whole.begin + part.begin, whole.begin + part.end},
                               .owner = rooted ? problem.root.value : block,
                               .needed = std::vector<bool>(asSize(problem.ranks()), true),
                               .block = block});
    }
    return all;
}

}  // namespace

bool isSearched(Collective collective) {
    switch (collective) {
        case Collective::scan:
        case Collective::barrier:
        case Collective::intergroupReduce:
        case Collective::intergroupAllreduce: return false;
        default: return true;
    }
}

SearchProblem searchProblemOf(const Problem& problem, std::int32_t chunks) {
    if (!isSearched(problem.collective)) {
        std::vector<std::string> searched;
        for (const Collective one : collectives())
            if (isSearched(one)) searched.emplace_back(name(one));
        throw Error{text(name(problem.collective),
                         ": its schedules cannot be searched, so that its optimum is unknown; ", "supported are ",
                         joined(searched, ", "))};
    }
    switch (problem.collective) {
        case Collective::reduce:
        case Collective::reduceScatter: return {Kind::reversed, ofVector(problem, chunks)};
        case Collective::allreduce: return {Kind::composed, ofVector(problem, chunks)};
        default: return {Kind::forward, ofBytes(problem, chunks)};
    }
}

Fabric reversed(const Fabric& fabric) {
    Fabric other = fabric;
    for (Channel& channel : other.channels) {
        std::swap(channel.from, channel.to);
        std::reverse(channel.links.begin(), channel.links.end());
    }
    return other;
}

schedules::Stored storedOf(const Problem& problem, const SearchProblem& question, std::int32_t steps,
                           const std::vector<Send>& sends, const std::vector<Send>& back) {
    using Place = std::tuple<std::int64_t, std::int32_t, std::int32_t>;  // round, from, to
    std::map<Place, std::vector<Range>> combining;
    std::map<Place, std::vector<Range>> kept;
    const auto add = [&](std::map<Place, std::vector<Range>>& messages, Place place, std::int32_t chunk) {
        messages[place].push_back(question.chunks[asSize(chunk)].range);
    };
    if (question.kind != Kind::forward)
        for (const Send& send : question.kind == Kind::reversed ? sends : back)
            add(combining, {steps - 1 - send.step, send.to, send.from}, send.chunk);
    if (question.kind != Kind::reversed)
        for (const Send& send : sends)
            add(kept, {send.step + (question.kind == Kind::composed ? steps : 0), send.from, send.to}, send.chunk);

    schedules::Stored stored{.problem = problem};
    Facts& facts = stored.facts;
    facts.ranks = problem.ranks();
    facts.rounds = question.kind == Kind::composed ? 2 * steps : steps;
    facts.pieces = question.kind != Kind::forward;
    if (question.kind == Kind::composed)
        facts.stages = {{.name = "reduce-scatter", .first = Round{0}, .rounds = steps},
                        {.name = "allgather", .first = Round{steps}, .rounds = steps}};
    std::map<std::tuple<std::int64_t, std::int32_t, bool>, int> ports;
    const auto write = [&](std::map<Place, std::vector<Range>>& messages, Action action) {
        for (auto& [place, ranges] : messages) {
            const auto [round, from, to] = place;
            std::sort(ranges.begin(), ranges.end());
            schedules::StoredMessage message{.round = Round{round},
                                             .from = Rank{from},
                                             .to = Rank{to},
                                             .firstRange = stored.ranges.size(),
                                             .slot = facts.pieces ? Slots{1} : Slots{0},
                                             .into = facts.pieces ? Slots{1} : Slots{0},
                                             .action = action};
            for (const Range& range : ranges) {
                message.bytes += range.size();
                if (message.rangeCount > 0 && stored.ranges.back().end == range.begin) {
                    stored.ranges.back().end = range.end;
                    continue;
                }
                stored.ranges.push_back(range);
                ++message.rangeCount;
            }
            stored.messages.push_back(message);
            facts.ports = std::max({facts.ports, ++ports[{round, from, true}], ++ports[{round, to, false}]});
        }
    };
    write(combining, Action::append);
    write(kept, Action::keep);
    stored.problem.ports = std::max(problem.ports, facts.ports);
    return stored;
}

}  // namespace engine::synthesis
