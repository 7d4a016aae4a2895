// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/stored_schedule.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace engine::schedules {
namespace {

/// Finds the messages of a rank and round by bisection, so that rounds without messages cost nothing.
class Kernel {
public:
    explicit Kernel(const Stored& stored) : messages_{stored.messages}, ranges_{stored.ranges} {
        std::stable_sort(messages_.begin(), messages_.end(),
                         [](const auto& a, const auto& b) { return departure(a) < departure(b); });
        received_.resize(messages_.size());
        std::iota(received_.begin(), received_.end(), std::uint32_t{0});
        std::stable_sort(received_.begin(), received_.end(),
                         [this](std::uint32_t a, std::uint32_t b) { return arrival(a) < arrival(b); });
    }

    template <class Out>
    void operator()(Rank rank, Round round, Out& out) const {
        const std::pair key{round, rank};
        for (auto m = std::partition_point(messages_.begin(), messages_.end(),
                                           [&](const auto& message) { return sender(message) < key; });
             m != messages_.end() && sender(*m) == key; ++m) {
            if (m->slot == 0) out.send(m->to, rangesOf(*m));
            else if (m->whole) out.sendPartial(m->to, std::countr_zero(m->slot), m->bytes);
            else out.sendPartial(m->to, std::countr_zero(m->slot), rangesOf(*m));
        }
        for (auto r =
                 std::partition_point(received_.begin(), received_.end(), [&](auto at) { return receiver(at) < key; });
             r != received_.end() && receiver(*r) == key; ++r) {
            const StoredMessage& message = messages_[*r];
            if (message.slot == 0) out.receive(message.from, rangesOf(message));
            else if (message.whole) out.receivePartial(message.from, message.into, message.action, message.bytes);
            else out.receivePartial(message.from, message.into, message.action, rangesOf(message));
        }
    }

private:
    static std::pair<Round, Rank> sender(const StoredMessage& message) { return {message.round, message.from}; }
    static std::tuple<Round, Rank, std::int32_t> departure(const StoredMessage& message) {
        return {message.round, message.from, message.turn};
    }
    [[nodiscard]] std::pair<Round, Rank> receiver(std::uint32_t at) const {
        return {messages_[at].round, messages_[at].to};
    }
    [[nodiscard]] std::tuple<Round, Rank, std::int32_t> arrival(std::uint32_t at) const {
        return {messages_[at].round, messages_[at].to, messages_[at].place};
    }
    [[nodiscard]] std::span<const Range> rangesOf(const StoredMessage& message) const {
        return {ranges_.data() + message.firstRange, message.rangeCount};
    }

    std::vector<StoredMessage> messages_;  // by round, sender and turn
    std::vector<Range> ranges_;
    std::vector<std::uint32_t> received_;  // by round, receiver and place
};

}  // namespace

Stored inBytes(Stored stored, Bytes each) {
    Layout& layout = stored.problem.layout;
    const Bytes before = layout.largest() / stored.chunks;
    const Bytes after = each / stored.chunks;
    for (Range& range : stored.ranges) range = {range.begin / before * after, range.end / before * after};
    for (StoredMessage& message : stored.messages) message.bytes = message.bytes / before * after;
    if (stored.facts.wrong.place.byte) stored.facts.wrong.place.byte = *stored.facts.wrong.place.byte / before * after;
    layout = Layout::regular(layout.count(), each);
    stored.facts.remarks.push_back(text("the file does not state the size of a chunk; ", showBytes(after), " is used"));
    return stored;
}

namespace {

std::span<const Range> rangesOf(const Stored& stored, const StoredMessage& one) {
    return std::span{stored.ranges}.subspan(one.firstRange, one.rangeCount);
}

/// The same, with an explicit range in messages that carry the whole vector.
Stored withRanges(Stored stored) {
    for (StoredMessage& one : stored.messages)
        if (one.slot != 0 && one.rangeCount == 0) {
            one.firstRange = stored.ranges.size();
            one.rangeCount = 1;
            stored.ranges.push_back({0, stored.problem.layout.largest()});
        }
    return stored;
}

/// Rounds after which the next piece can begin. Where trying takes long, the next one begins after the last round.
std::int64_t strideOf(const Stored& stored) {
    constexpr std::int64_t mostSteps = std::int64_t{1} << 27;
    using Load = std::vector<std::pair<std::int64_t, int>>;  // messages by round
    std::map<std::pair<Rank, bool>, std::map<std::int64_t, int>> counts;
    for (const StoredMessage& one : stored.messages) {
        ++counts[{one.from, true}][one.round.value];
        ++counts[{one.to, false}][one.round.value];
    }
    const std::int64_t ports = std::max(stored.facts.ports, 1);
    const std::int64_t last = std::max<std::int64_t>(stored.facts.rounds, 1);
    std::int64_t least = 1;
    std::vector<Load> loads;
    for (const auto& [end, rounds] : counts) {
        loads.emplace_back(rounds.begin(), rounds.end());
        std::int64_t all = 0;
        for (const auto& [round, messages] : rounds) all += messages;
        least = std::max(least, (all + ports - 1) / ports);
    }
    if (last > mostSteps / 8) return last;
    std::vector<int> folded(asSize(last));
    std::int64_t steps = 0;
    const auto fits = [&](const Load& load, std::int64_t stride) {
        std::size_t seen = 0;
        bool fit = true;
        for (; fit && seen < load.size(); ++seen)
            fit = (folded[asSize(load[seen].first % stride)] += load[seen].second) <= ports;
        for (std::size_t i = 0; i < seen; ++i) folded[asSize(load[i].first % stride)] = 0;
        steps += static_cast<std::int64_t>(seen);
        return fit;
    };
    for (std::int64_t stride = least; stride < last && steps < mostSteps; ++stride) {
        const auto misfit =
            std::find_if_not(loads.begin(), loads.end(), [&](const Load& one) { return fits(one, stride); });
        if (misfit == loads.end()) return stride;
        std::swap(*misfit, loads.front());  // it may well not fit the next one either
    }
    return last;
}

}  // namespace

namespace {

/// Repeats the messages of a schedule over pieces of their ranges. Which of them a turn has is worked out when it is
/// asked for, so that a number of pieces costs neither time nor memory by itself.
class Pieces {
public:
    Pieces(const Stored& stored, std::int64_t times, std::int64_t stride, Bytes unit, std::set<Bytes> ends)
        : stored_{stored}, times_{times}, stride_{stride}, unit_{unit}, ends_{ends.begin(), ends.end()} {
        std::vector<StoredMessage>& all = stored_.messages;
        // Of one rank and turn of the stride, those of earlier pieces come first: they are of later rounds.
        std::stable_sort(all.begin(), all.end(), [this](const auto& a, const auto& b) {
            return std::tuple{turnOf(a.round), a.from, b.round, a.turn} <
                   std::tuple{turnOf(b.round), b.from, a.round, b.turn};
        });
        received_.resize(all.size());
        std::iota(received_.begin(), received_.end(), std::uint32_t{0});
        std::stable_sort(received_.begin(), received_.end(), [&](std::uint32_t x, std::uint32_t y) {
            const StoredMessage& a = all[x];
            const StoredMessage& b = all[y];
            return std::tuple{turnOf(a.round), a.to, b.round, a.place} <
                   std::tuple{turnOf(b.round), b.to, a.round, b.place};
        });
    }

    template <class Out>
    void operator()(Rank rank, Round round, Out& out) const {
        const std::vector<StoredMessage>& all = stored_.messages;
        const std::pair key{turnOf(round), rank};
        std::vector<Range> ranges;
        const auto sender = [this](const StoredMessage& one) { return std::pair{turnOf(one.round), one.from}; };
        for (auto m = std::partition_point(all.begin(), all.end(), [&](const auto& one) { return sender(one) < key; });
             m != all.end() && sender(*m) == key; ++m) {
            if (!cut(*m, round, ranges)) continue;
            if (m->slot == 0) out.send(m->to, std::span<const Range>{ranges});
            else out.sendPartial(m->to, std::countr_zero(m->slot), std::span<const Range>{ranges});
        }
        const auto receiver = [&](std::uint32_t at) { return std::pair{turnOf(all[at].round), all[at].to}; };
        for (auto r =
                 std::partition_point(received_.begin(), received_.end(), [&](auto at) { return receiver(at) < key; });
             r != received_.end() && receiver(*r) == key; ++r) {
            const StoredMessage& one = all[*r];
            if (!cut(one, round, ranges)) continue;
            if (one.slot == 0) out.receive(one.from, std::span<const Range>{ranges});
            else out.receivePartial(one.from, one.into, one.action, std::span<const Range>{ranges});
        }
    }

private:
    [[nodiscard]] std::int64_t turnOf(Round round) const { return round.value % stride_; }
    /// What the message carries in this round; false: it has none, or its piece is empty.
    bool cut(const StoredMessage& message, Round round, std::vector<Range>& ranges) const {
        const std::int64_t k = (round.value - message.round.value) / stride_;
        if (round < message.round || k >= times_) return false;
        ranges.clear();
        for (const Range range : rangesOf(stored_, message))
            for (auto end = std::upper_bound(ends_.begin(), ends_.end(), range.begin);
                 end != ends_.end() && *end <= range.end; ++end) {
                const Bytes begin = *std::prev(end);
                const std::int64_t size = (*end - begin) / unit_;
                // size * piece / times_, without a product that may be too large
                const auto until = [&](std::int64_t piece) {
                    return begin + (size / times_ * piece + size % times_ * piece / times_) * unit_;
                };
                const Range part{until(k), k + 1 == times_ ? *end : until(k + 1)};
                if (part.empty()) continue;
                if (!ranges.empty() && ranges.back().end == part.begin) ranges.back().end = part.end;
                else ranges.push_back(part);
            }
        return !ranges.empty() || message.bytes == 0;
    }

    Stored stored_;  // its messages by turn of the stride, sender and piece
    std::int64_t times_;
    std::int64_t stride_;
    Bytes unit_;
    std::vector<Bytes> ends_;
    std::vector<std::uint32_t> received_;  // by turn of the stride, receiver and piece
};

}  // namespace

SchedulePtr inPieces(const Stored& whole, std::int64_t times) {
    if (times <= 1 || whole.facts.rounds == 0) return scheduleOf(whole);
    const Stored stored = withRanges(whole);
    // Where a range begins or ends, so that each part between them is cut in one way in all messages.
    std::set<Bytes> ends;
    for (const StoredMessage& one : stored.messages)
        for (const Range range : rangesOf(stored, one)) ends.insert({range.begin, range.end});
    for (std::int32_t b = 0; stored.facts.slots == 1 && b < stored.problem.layout.count(); ++b)
        ends.insert(stored.problem.layout.block(b).begin);
    const Bytes unit = isReduction(stored.problem.collective) ? unitOf(stored.problem) : 1;
    std::int64_t units = 1;  // of the largest part
    for (const StoredMessage& one : stored.messages)
        for (const Range range : rangesOf(stored, one))
            for (auto end = ends.upper_bound(range.begin); end != ends.end() && *end <= range.end; ++end)
                units = std::max(units, (*end - *std::prev(end)) / unit);
    const std::int64_t asked = std::exchange(times, std::min(times, units));
    const std::int64_t stride = strideOf(stored);
    Facts facts = stored.facts;
    facts.rounds = stored.facts.rounds + stride * (times - 1);
    facts.pieces = isReduction(stored.problem.collective);
    facts.stages.clear();
    facts.uncoupled = {};
    if (facts.rounds * facts.ranks > mostTurns)
        throw Error{text(facts.rounds, " rounds of ", facts.ranks, " ranks: the product is at most ", mostTurns,
                         "; use fewer pieces")};
    facts.remarks.push_back(text("repeated over ", times, times == 1 ? " piece" : " pieces",
                                 " of each chunk, one every ", stride, stride == 1 ? " round" : " rounds"));
    if (times < asked)
        facts.remarks.back() +=
            text(": ", asked, " pieces were requested, and the largest chunk has ", showBytes(times * unit),
                 unit > 1 ? text(" in elements of ", showBytes(unit)) : "");
    return schedule(facts, [kernel = std::make_shared<const Pieces>(stored, times, stride, unit, std::move(ends))](
                               Rank rank, Round round, auto& out) { (*kernel)(rank, round, out); });
}

void requireTurns(const Facts& facts, std::string_view file) {
    if (facts.rounds * facts.ranks > mostTurns)
        throw Error{text(file, ": ", facts.rounds, " rounds of ", facts.ranks, " ranks are more than is read; at most ",
                         mostTurns, " turns")};
}

SchedulePtr scheduleOf(const Stored& stored) {
    // Shared, since the kernel is asked by value.
    return schedule(stored.facts, [kernel = std::make_shared<const Kernel>(stored)](Rank rank, Round round, auto& out) {
        (*kernel)(rank, round, out);
    });
}

}  // namespace engine::schedules
