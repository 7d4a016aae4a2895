// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/rank_events.hpp"

#include "engine/base/error.hpp"

#include <algorithm>
#include <tuple>

namespace traces::otf2 {

using engine::Picoseconds;
using engine::Round;
using engine::Run;
using engine::Stage;
using engine::StageSpan;

RankEvents::RankEvents(const Run& run)
    : run_{run},
      sends_{sorted(run.messages.size(), [&](std::size_t i) { return run.messages.from()[i].value; })},
      receives_{sorted(run.messages.size(), [&](std::size_t i) { return run.messages.to()[i].value; })},
      spans_{sorted(run.spans.size(), [&](std::size_t i) { return run.spans[i].rank.value; })},
      combining_{sorted(run.combining.size(), [&](std::size_t i) { return run.combining[i].rank.value; })} {
    findPlaces();
}

std::span<const std::size_t> RankEvents::ByRank::of(std::int32_t rank) const {
    const auto r = engine::asSize(rank);
    return std::span{order}.subspan(start[r], start[r + 1] - start[r]);
}

template <class RankAt>
RankEvents::ByRank RankEvents::sorted(std::size_t count, RankAt rankAt) const {
    ByRank index;
    index.start.resize(engine::asSize(run_.ranks) + 2);
    index.order.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        ENSURE(rankAt(i) >= 0 && rankAt(i) < run_.ranks, "a run names a rank it does not have");
        ++index.start[engine::asSize(rankAt(i)) + 2];
    }
    for (std::size_t r = 2; r < index.start.size(); ++r) index.start[r] += index.start[r - 1];
    for (std::size_t i = 0; i < count; ++i) index.order[index.start[engine::asSize(rankAt(i)) + 1]++] = i;
    return index;
}

/// Messages of a turn lie side by side. Their sends go out in the order of time if they never step back; so do the
/// receives if none that goes to the same rank ends before an earlier one.
void RankEvents::findPlaces() {
    const engine::Messages& messages = run_.messages;
    const std::size_t count = messages.size();
    firstOfTurn_.resize(count);
    needsPlace_.resize(count);
    struct Latest {
        std::size_t turn = 0;  ///< first message of the turn + 1
        Picoseconds end{};
    };
    std::vector<Latest> latest(engine::asSize(run_.ranks));
    for (std::size_t first = 0, next = 0; first < count; first = next) {
        std::uint8_t needs = 0;
        for (; next < count && messages.round()[next] == messages.round()[first] &&
               messages.from()[next] == messages.from()[first];
             ++next) {
            firstOfTurn_[next] = first;
            if (next > first && messages.sendBegin()[next] < messages.sendBegin()[next - 1]) needs |= 1;
            Latest& before = latest[messages.to()[next].index()];
            if (before.turn == first + 1 && messages.receiveEnd()[next] < before.end) needs |= 2;
            before = {first + 1, messages.receiveEnd()[next]};
        }
        std::fill(needsPlace_.begin() + static_cast<std::ptrdiff_t>(first),
                  needsPlace_.begin() + static_cast<std::ptrdiff_t>(next), needs);
    }
}

std::int32_t RankEvents::stageOf(Round round) const {
    const auto next = std::upper_bound(run_.stages.begin(), run_.stages.end(), round,
                                       [](Round r, const Stage& stage) { return r < stage.first; });
    return static_cast<std::int32_t>(next - run_.stages.begin() - 1);
}

std::span<const Event> RankEvents::of(std::int32_t rank) {
    const engine::Messages& messages = run_.messages;
    events_.clear();
    for (const std::size_t i : spans_.of(rank)) {
        const StageSpan& span = run_.spans[i];
        ENSURE(span.begin.count() >= 0 && span.begin <= span.end, "a stage begins before the run or after its own end");
        events_.push_back({span.begin, span.stage, EventKind::enter, 0});
        events_.push_back({span.end, span.stage, EventKind::leave, 0});
    }
    const auto combine = static_cast<std::int32_t>(run_.stages.size());
    for (const std::size_t i : combining_.of(rank)) {
        ENSURE(run_.combining[i].begin.count() >= 0 && run_.combining[i].begin < run_.combining[i].end,
               "a rank combines before the run or for no time");
        events_.push_back({run_.combining[i].begin, combine, EventKind::enter, 0});
        events_.push_back({run_.combining[i].end, combine, EventKind::leave, 0});
    }
    for (const std::size_t i : sends_.of(rank)) {
        ENSURE(messages.sendBegin()[i].count() >= 0 && messages.sendBegin()[i] <= messages.sendEnd()[i],
               "a send begins before the run or after its own end");
        events_.push_back({messages.sendBegin()[i], stageOf(messages.round()[i]), EventKind::send, i});
    }
    for (const std::size_t i : receives_.of(rank)) {
        ENSURE(messages.receiveBegin()[i].count() >= 0 && messages.receiveBegin()[i] <= messages.receiveEnd()[i],
               "a receive begins before the run or after its own end");
        events_.push_back({messages.receiveEnd()[i], stageOf(messages.round()[i]), EventKind::receive, i});
    }
    // At one time a stage is left before the next is entered, and messages lie within theirs. Combining comes behind
    // messages that end, and before whatever begins.
    const auto key = [combine](const Event& event) {
        const int phase = event.kind == EventKind::enter ? 0 : event.kind == EventKind::leave ? 2 : 1;
        const std::int32_t stage = event.stage == combine && phase == 2 ? -2 : event.stage;
        return std::tuple{event.time, stage, phase, event.index, event.kind};
    };
    std::sort(events_.begin(), events_.end(), [&](const Event& a, const Event& b) { return key(a) < key(b); });
    return events_;
}

}  // namespace traces::otf2
