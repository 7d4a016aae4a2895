// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/stored.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"

#include <algorithm>
#include <bit>
#include <limits>
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

constexpr std::size_t mostPieces = std::size_t{1} << 24;  // ranges of all messages

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

Stored inPieces(const Stored& stored, std::int64_t times) {
    if (times <= 1 || stored.facts.rounds == 0) return stored;
    const Range vector{0, stored.problem.layout.largest()};
    const auto rangesOf = [&](const StoredMessage& one) {
        return one.rangeCount > 0 ? std::span{stored.ranges}.subspan(one.firstRange, one.rangeCount)
                                  : std::span{&vector, one.slot != 0 ? 1U : 0U};
    };
    // Where a range begins or ends, so that each part between them is cut in one way in all messages.
    std::set<Bytes> ends;
    for (const StoredMessage& one : stored.messages)
        for (const Range range : rangesOf(one)) ends.insert({range.begin, range.end});
    for (std::int32_t b = 0; stored.facts.slots == 1 && b < stored.problem.layout.count(); ++b)
        ends.insert(stored.problem.layout.block(b).begin);
    const Bytes unit = isReduction(stored.problem.collective) ? unitOf(stored.problem) : 1;
    std::int64_t units = 1;  // of the largest part
    for (const StoredMessage& one : stored.messages)
        for (const Range range : rangesOf(one))
            for (auto end = ends.upper_bound(range.begin); end != ends.end() && *end <= range.end; ++end)
                units = std::max(units, (*end - *std::prev(end)) / unit);
    const std::int64_t asked = std::exchange(times, std::min(times, units));
    if (stored.ranges.size() + stored.messages.size() > mostPieces / asSize(times))
        throw Error{text(times, " pieces of ", stored.messages.size(), " messages: at most ", mostPieces,
                         " messages and ranges are possible; use fewer pieces")};
    const std::int64_t stride = strideOf(stored);
    Stored all = stored;
    all.messages.clear();
    all.ranges.clear();
    Facts& facts = all.facts;
    facts.rounds = stored.facts.rounds + stride * (times - 1);
    facts.pieces = isReduction(stored.problem.collective);
    facts.stages.clear();
    facts.uncoupled = {};
    if (facts.rounds * facts.ranks > mostTurns)
        throw Error{text(facts.rounds, " rounds of ", facts.ranks, " ranks: the product is at most ", mostTurns,
                         "; use fewer pieces")};
    std::int32_t places = 1;
    std::int32_t turns = 1;
    for (const StoredMessage& one : stored.messages) {
        places = std::max(places, one.place + 1);
        turns = std::max(turns, one.turn + 1);
    }
    if (std::max(places, turns) > std::numeric_limits<std::int32_t>::max() / times)
        throw Error{text(times, " pieces of a round with ", std::max(places, turns),
                         " messages of a rank, one after the other, are too many; use fewer pieces")};
    for (std::int64_t k = 0; k < times; ++k)
        for (const StoredMessage& one : stored.messages) {
            StoredMessage message = one;
            message.round.value += k * stride;
            message.place += static_cast<std::int32_t>(k) * places;
            message.turn += static_cast<std::int32_t>(k) * turns;
            message.firstRange = all.ranges.size();
            message.rangeCount = 0;
            message.bytes = 0;
            message.whole = false;
            for (const Range range : rangesOf(one))
                for (auto end = ends.upper_bound(range.begin); end != ends.end() && *end <= range.end; ++end) {
                    const Bytes begin = *std::prev(end);
                    const std::int64_t size = (*end - begin) / unit;
                    const Range part{begin + size * k / times * unit,
                                     k + 1 == times ? *end : begin + size * (k + 1) / times * unit};
                    if (part.empty()) continue;
                    message.bytes += part.size();
                    if (message.rangeCount > 0 && all.ranges.back().end == part.begin) {
                        all.ranges.back().end = part.end;
                        continue;
                    }
                    all.ranges.push_back(part);
                    ++message.rangeCount;
                }
            if (message.bytes > 0 || one.bytes == 0) all.messages.push_back(message);
        }
    facts.remarks.push_back(text("repeated over ", times, times == 1 ? " piece" : " pieces",
                                 " of each chunk, one every ", stride, stride == 1 ? " round" : " rounds"));
    if (times < asked)
        facts.remarks.back() +=
            text(": ", asked, " pieces were requested, and the largest chunk has ", showBytes(times * unit),
                 unit > 1 ? text(" in elements of ", showBytes(unit)) : "");
    return all;
}

SchedulePtr scheduleOf(const Stored& stored) {
    // Shared, since the kernel is asked by value.
    return schedule(stored.facts, [kernel = std::make_shared<const Kernel>(stored)](Rank rank, Round round, auto& out) {
        (*kernel)(rank, round, out);
    });
}

}  // namespace engine::schedules
