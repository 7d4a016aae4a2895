// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/stored.hpp"

#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
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

SchedulePtr scheduleOf(const Stored& stored) {
    // Shared, since the kernel is asked by value.
    return schedule(stored.facts, [kernel = std::make_shared<const Kernel>(stored)](Rank rank, Round round, auto& out) {
        (*kernel)(rank, round, out);
    });
}

}  // namespace engine::schedules
