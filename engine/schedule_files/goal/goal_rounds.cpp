// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/goal/goal_rounds.hpp"

#include "engine/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace engine::schedules::goal {
namespace {

constexpr std::size_t mostNamed = 6;

/// Whether a receive may go in one round with a send of its rank that it waits for.
enum class Eager : std::uint8_t { no, yes };

/// All operations, counted through all ranks, and which of them are the ends of one message.
class Operations {
public:
    Operations(const File& goal, std::string_view file) : partners_{partnersOf(goal, file)} {
        for (std::size_t r = 0; r < goal.ranks.size(); ++r)
            for (const Operation& one : goal.ranks[r]) {
                all_.push_back(&one);
                ranks_.push_back(Rank{static_cast<std::int32_t>(r)});
                firsts_.push_back(all_.size() - 1 - static_cast<std::size_t>(&one - goal.ranks[r].data()));
            }
        listWaiting();
    }

    [[nodiscard]] std::size_t count() const { return all_.size(); }
    [[nodiscard]] const Operation& operator[](std::size_t i) const { return *all_[i]; }
    [[nodiscard]] Rank rankOf(std::size_t i) const { return ranks_[i]; }
    /// The other end of its message.
    [[nodiscard]] std::optional<std::size_t> partnerOf(std::size_t i) const {
        return partners_[i] == noPartner ? std::nullopt : std::optional{partners_[i]};
    }
    /// What it waits for, `at`-th.
    [[nodiscard]] std::size_t waitedFor(std::size_t i, std::size_t at) const {
        return firsts_[i] + all_[i]->waited(at);
    }
    /// Those that wait for it.
    [[nodiscard]] std::span<const std::size_t> waitingFor(std::size_t i) const {
        return std::span{waiting_}.subspan(firstWaiting_[i], firstWaiting_[i + 1] - firstWaiting_[i]);
    }

private:
    void listWaiting() {
        firstWaiting_.assign(all_.size() + 1, 0);
        for (std::size_t i = 0; i < all_.size(); ++i)
            for (std::size_t at = 0; at < all_[i]->waits(); ++at) ++firstWaiting_[waitedFor(i, at) + 1];
        std::partial_sum(firstWaiting_.begin(), firstWaiting_.end(), firstWaiting_.begin());
        waiting_.resize(firstWaiting_.back());
        std::vector<std::size_t> next{firstWaiting_.begin(), firstWaiting_.end() - 1};
        for (std::size_t i = 0; i < all_.size(); ++i)
            for (std::size_t at = 0; at < all_[i]->waits(); ++at) waiting_[next[waitedFor(i, at)]++] = i;
    }

    std::vector<const Operation*> all_;
    std::vector<Rank> ranks_;
    std::vector<std::size_t> firsts_;  // of the rank
    std::vector<std::size_t> partners_;
    std::vector<std::size_t> firstWaiting_;
    std::vector<std::size_t> waiting_;
};

/// Follows who is ready when.
class Walk {
public:
    Walk(const Operations& operations, Eager eager)
        : operations_{operations},
          eager_{eager},
          ready_(operations.count(), Round{0}),
          pending_(operations.count()),
          isReady_(operations.count()),
          isThrough_(operations.count()) {
        for (std::size_t i = 0; i < operations.count(); ++i) {
            pending_[i] = operations[i].waits();
            if (pending_[i] == 0) queue_.push_back(i);
        }
        while (!queue_.empty()) {
            const std::size_t i = queue_.back();
            queue_.pop_back();
            reached(i);
        }
    }

    [[nodiscard]] bool done() const {
        return std::find(isThrough_.begin(), isThrough_.end(), false) == isThrough_.end();
    }

    [[nodiscard]] std::vector<Delivery> deliveries() const {
        std::vector<Delivery> all;
        for (std::size_t i = 0; i < operations_.count(); ++i)
            if (operations_[i].kind == Kind::send && isThrough_[i])
                all.push_back({roundOf(i), operations_.rankOf(i), operations_[i].peer, operations_[i].bytes,
                               operations_[i].line});
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.round < b.round; });
        return all;
    }

    /// Why it is not done: an end without another, else those that wait for each other.
    [[nodiscard]] CounterExample why() const {
        for (std::size_t i = 0; i < operations_.count(); ++i)
            if (isReady_[i] && operations_[i].kind != Kind::calculate && !operations_.partnerOf(i)) return alone(i);
        return inACircle();
    }

private:
    [[nodiscard]] Round roundOf(std::size_t i) const { return std::max(ready_[i], ready_[*operations_.partnerOf(i)]); }
    /// Whether who waits for `other` may begin with it, not after it.
    [[nodiscard]] bool goesWith(std::size_t waiting, std::size_t other) const {
        if (operations_[other].kind == Kind::calculate) return true;
        return eager_ == Eager::yes && operations_[other].kind == Kind::send &&
               operations_[waiting].kind == Kind::receive;
    }

    void reached(std::size_t i) {
        isReady_[i] = true;
        settle(i, true, ready_[i]);
        if (operations_[i].kind == Kind::calculate) {
            isThrough_[i] = true;
            return;
        }
        const auto partner = operations_.partnerOf(i);
        if (!partner || !isReady_[*partner]) return;
        for (const std::size_t end : {i, *partner}) {
            isThrough_[end] = true;
            settle(end, false, roundOf(i) + 1);
        }
    }

    /// Tells those who begin with `i`, or after it, that they may from `round` on.
    void settle(std::size_t i, bool with, Round round) {
        for (const std::size_t waiting : operations_.waitingFor(i)) {
            if (goesWith(waiting, i) != with) continue;
            ready_[waiting] = std::max(ready_[waiting], round);
            if (--pending_[waiting] == 0) queue_.push_back(waiting);
        }
    }

    [[nodiscard]] CounterExample alone(std::size_t i) const {
        const Operation& one = operations_[i];
        const Rank rank = operations_.rankOf(i);
        const std::string tagged = one.tag == 0 ? std::string{} : text(" with tag ", one.tag);
        if (one.kind == Kind::send)
            return {text("rank ", rank, " sends a message to rank ", one.peer, tagged, " in line ", one.line, "; rank ",
                         one.peer, " does not receive it"),
                    {.round = ready_[i], .rank = rank, .from = rank, .to = one.peer}};
        return {text("rank ", rank, " waits in line ", one.line, " for a message from rank ", one.peer, tagged,
                     " that is not sent"),
                {.round = ready_[i], .rank = rank, .from = one.peer, .to = rank}};
    }

    /// What an operation that is not ready waits for, as another one that is not ready.
    [[nodiscard]] std::size_t behind(std::size_t i) const {
        for (std::size_t at = 0; at < operations_[i].waits(); ++at) {
            const std::size_t other = operations_.waitedFor(i, at);
            if (!isReady_[other]) return other;
            if (!goesWith(i, other) && !isThrough_[other]) return *operations_.partnerOf(other);
        }
        throw Defect{"an operation of a GOAL text is blocked without a reason"};
    }

    [[nodiscard]] CounterExample inACircle() const {
        std::size_t i = 0;
        while (isReady_[i]) ++i;
        std::vector<bool> seen(operations_.count());
        for (; !seen[i]; i = behind(i)) seen[i] = true;
        std::string lines;
        const std::size_t first = i;
        Place place{.rank = operations_.rankOf(first)};
        do {
            const std::size_t next = behind(i);
            const std::size_t named = place.circle.size();
            if (named < mostNamed)
                lines += text(named == 0 ? "" : ", ", "rank ", operations_.rankOf(i), " in line ", operations_[i].line);
            place.circle.push_back({operations_.rankOf(i), operations_.rankOf(next), text("line ", operations_[i].line),
                                    text("line ", operations_[next].line)});
            i = next;
        } while (i != first);
        if (place.circle.size() > mostNamed) lines += text(" and ", place.circle.size() - mostNamed, " more");
        return {text("these wait for each other, a deadlock: ", lines), std::move(place)};
    }

    const Operations& operations_;
    Eager eager_;
    std::vector<Round> ready_;          // from when on it may begin, as far as it is known
    std::vector<std::size_t> pending_;  // of those it waits for
    std::vector<bool> isReady_;
    std::vector<bool> isThrough_;
    std::vector<std::size_t> queue_;
};

}  // namespace

std::vector<std::size_t> partnersOf(const File& goal, std::string_view file) {
    struct End {
        std::tuple<Rank, Rank, std::int64_t> key;  ///< sender, receiver and tag
        std::size_t number = 0;
        const Operation* operation = nullptr;
    };
    std::vector<End> sends, receives;
    std::size_t count = 0;
    for (std::size_t r = 0; r < goal.ranks.size(); ++r)
        for (const Operation& one : goal.ranks[r]) {
            const Rank rank{static_cast<std::int32_t>(r)};
            if (one.kind == Kind::send) sends.push_back({{rank, one.peer, one.tag}, count, &one});
            if (one.kind == Kind::receive) receives.push_back({{one.peer, rank, one.tag}, count, &one});
            ++count;
        }
    const auto before = [](const End& a, const End& b) { return a.key < b.key; };
    std::stable_sort(sends.begin(), sends.end(), before);
    std::stable_sort(receives.begin(), receives.end(), before);
    std::vector<std::size_t> partners(count, noPartner);
    for (auto s = sends.begin(), r = receives.begin(); s != sends.end() && r != receives.end();) {
        if (before(*s, *r)) {
            ++s;
        } else if (before(*r, *s)) {
            ++r;
        } else {
            if (s->operation->bytes != r->operation->bytes)
                throw Error{text(file, ':', r->operation->line, ": rank ", std::get<1>(r->key), " receives ",
                                 r->operation->bytes, " bytes, but line ", s->operation->line, " sends ",
                                 s->operation->bytes)};
            partners[s->number] = r->number;
            partners[r->number] = s->number;
            ++s, ++r;
        }
    }
    return partners;
}

Course courseOf(const File& goal, std::string_view file) {
    const Operations operations{goal, file};
    const Walk strict{operations, Eager::no};
    if (strict.done()) return {.deliveries = strict.deliveries()};
    const Walk eager{operations, Eager::yes};
    Course course{.deliveries = eager.deliveries()};
    if (course.deliveries.size() > strict.deliveries().size())
        course.remarks.emplace_back("receives that wait for a send of their own rank may go in one round with it");
    if (!eager.done()) course.wrong = eager.why();
    return course;
}

}  // namespace engine::schedules::goal
