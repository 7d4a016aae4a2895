// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/reachability.hpp"

#include <algorithm>
#include <optional>

namespace app::analysis {

using engine::Bytes;
using engine::Picoseconds;
using engine::Problem;
using engine::Range;
using engine::Rank;
using engine::Run;

namespace {

/// A rank's end of a message, when it matters: a send begins, or a receive is over. What comes at the moment in which
/// a send begins can be in it.
struct End {
    Picoseconds at{};
    bool isSend = false;
    std::uint32_t message = 0;

    friend auto operator<=>(const End&, const End&) = default;
};

std::vector<std::vector<End>> endsOf(const Run& run) {
    std::vector<std::vector<End>> ends(engine::asSize(run.ranks));
    const engine::Messages& m = run.messages;
    for (std::uint32_t i = 0; i < m.size(); ++i) {
        ends[m.from()[i].index()].push_back({m.sendBegin()[i], true, i});
        ends[m.to()[i].index()].push_back({m.receiveEnd()[i], false, i});
    }
    for (auto& its : ends) std::sort(its.begin(), its.end());
    return ends;
}

/// What messages in flight tell, each in a place that the next one takes once it has come.
class UnderWay {
public:
    UnderWay(std::size_t messages, std::size_t words) : place_(messages, none), words_{words} {}

    [[nodiscard]] bool has(std::uint32_t message) const { return place_[message] != none; }
    void send(std::uint32_t message, const std::uint64_t* what) {
        if (free_.empty()) free_.push_back(told_.size() / words_), told_.resize(told_.size() + words_);
        place_[message] = static_cast<std::uint32_t>(free_.back());
        free_.pop_back();
        std::copy_n(what, words_, &told_[place_[message] * words_]);
    }
    void come(std::uint32_t message, std::uint64_t* to) {
        for (std::size_t word = 0; word < words_; ++word) to[word] |= told_[place_[message] * words_ + word];
        free_.push_back(place_[message]);
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> place_;  ///< by message
    std::vector<std::uint64_t> told_;
    std::vector<std::size_t> free_;
    std::size_t words_;
};

bool meet(const Range& one, const std::vector<Range>& rising) {
    const auto at =
        std::partition_point(rising.begin(), rising.end(), [&](const Range& other) { return other.end <= one.begin; });
    return at != rising.end() && at->begin < one.end;
}

/// How many bytes of `wanted` do not lie in `own`.
Bytes beyond(const std::vector<Range>& wanted, const Range& own) {
    Bytes bytes = 0;
    for (const Range& range : wanted)
        bytes += range.size() - std::max<Bytes>(0, std::min(range.end, own.end) - std::max(range.begin, own.begin));
    return bytes;
}

}  // namespace

Reachability::Reachability(const Run& run)
    : ranks_{run.ranks}, words_{static_cast<std::size_t>(std::min(run.ranks, followed) + 63) / 64} {
    const std::int32_t count = std::min(run.ranks, followed);
    for (std::int64_t i = 0; i < count; ++i) origins_.push_back(Rank{static_cast<std::int32_t>(i * run.ranks / count)});
    known_.resize(engine::asSize(run.ranks) * words_);
    for (std::size_t i = 0; i < origins_.size(); ++i)
        known_[origins_[i].index() * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
    received_.resize(engine::asSize(run.ranks));
    for (std::size_t i = 0; i < run.messages.size(); ++i)
        received_[run.messages.to()[i].index()] += run.messages.bytes()[i];
    spread(run);
}

void Reachability::spread(const Run& run) {
    const std::vector<std::vector<End>> ends = endsOf(run);
    std::vector<std::size_t> next(ends.size());
    UnderWay underWay{run.messages.size(), words_};
    std::size_t left = 2 * run.messages.size();
    std::vector<Rank> ready;
    for (Rank rank{run.ranks - 1}; rank.value >= 0; --rank.value) ready.push_back(rank);
    // A rank goes on until it needs a message that is not yet in flight; who sends that wakes it.
    while (!ready.empty()) {
        const Rank rank = ready.back();
        ready.pop_back();
        std::uint64_t* const its = &known_[rank.index() * words_];
        for (std::size_t& at = next[rank.index()]; at < ends[rank.index()].size(); ++at, --left) {
            const End& end = ends[rank.index()][at];
            if (!end.isSend) {
                if (!underWay.has(end.message)) break;
                underWay.come(end.message, its);
                continue;
            }
            underWay.send(end.message, its);
            const Rank to = run.messages.to()[end.message];
            const auto& others = ends[to.index()];
            if (next[to.index()] < others.size() && others[next[to.index()]].message == end.message && to != rank)
                ready.push_back(to);
        }
    }
    ordered_ = left == 0;
}

bool Reachability::sufficesFor(const Problem& problem) const {
    const engine::Contract contract{problem};
    for (Rank rank{0}; rank.value < ranks_; ++rank)
        if (!(engine::isReduction(problem.collective) ? hasResult(rank, problem, contract) : hasBytes(rank, contract)))
            return false;
    return true;
}

bool Reachability::hasBytes(Rank rank, const engine::Contract& contract) const {
    const std::vector<Range> wanted = contract.after(rank);
    if (received_[rank.index()] < beyond(wanted, contract.before(rank))) return false;
    for (std::size_t i = 0; ordered_ && i < origins_.size(); ++i)
        if (!knows(rank, i) && meet(contract.before(origins_[i]), wanted)) return false;
    return true;
}

bool Reachability::hasResult(Rank rank, const Problem& problem, const engine::Contract& contract) const {
    const std::optional<Range> result = contract.result(rank);
    if (!result) return true;
    const engine::Contributors whose = contract.contributors(rank);
    const bool ofItself = whose.first == rank.value && whose.end == rank.value + 1;
    // A barrier's sign of life may have no bytes.
    if (!ofItself && engine::combinesVectors(problem.collective) && received_[rank.index()] < result->size())
        return false;
    for (std::size_t i = 0; ordered_ && i < origins_.size(); ++i)
        if (whose.first <= origins_[i].value && origins_[i].value < whose.end && !knows(rank, i)) return false;
    return true;
}

}  // namespace app::analysis
