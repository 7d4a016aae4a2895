// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/goal.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/replay/tags.hpp"

#include <limits>
#include <map>
#include <utility>

namespace emulation {

using engine::Picoseconds;
using engine::Round;
using engine::Turn;

namespace {

constexpr std::int64_t picosecondsPerNanosecond = 1000;

constexpr Tagging tagging{.format = "GOAL",
                          .most = std::int64_t{std::numeric_limits<std::uint32_t>::max()} + 1,
                          .perRound = [](const engine::Facts&) { return std::int64_t{1}; }};

/// Labels that what comes next requires, all of them.
using Front = std::vector<std::int64_t>;

/// The lines of one rank.
class GoalOfRank {
public:
    GoalOfRank(const Program& program, TaggedCollectives& collectives, Rank rank, std::ostream& out)
        : program_{program}, collectives_{collectives}, rank_{rank}, out_{out} {}

    void write() {
        out_ << "\nrank " << rank_.value << " {\n";
        const Operations& doings = program_.ranks[rank_];
        const PointToPoint& messages = program_.messages;
        for (std::size_t at = 0; at < doings.size(); ++at) {
            const std::int64_t number = doings.number(at);
            const auto index = engine::asSize(number);
            switch (doings.what(at)) {
                case Does::computes: compute(front_, Picoseconds{number}); break;
                case Does::lingers:
                    if (program_.collectives[engine::asSize(doings.number(at - 1))].schedule == nullptr)
                        compute(front_, Picoseconds{number});
                    break;
                // GOAL has no messages to oneself: such a receive requires what its send would.
                case Does::sends:
                    sent_[number] = messages.to[index] == rank_
                                        ? line(front_, "calc 0")
                                        : send(front_, messages.to[index], messages.bytes[index], number);
                    break;
                case Does::receives:
                    if (messages.from[index] != rank_)
                        received_[number] = receive(front_, messages.from[index], messages.bytes[index], number);
                    break;
                case Does::awaitsSend: awaitSend(number); break;
                case Does::awaitsReceive: awaitReceive(number); break;
                case Does::enters: front_ = through(front_, index); break;
                case Does::starts: started_[number] = through(front_, index); break;
                case Does::ends: require(front_, started_.at(number)), started_.erase(number); break;
                case Does::reaches:
                case Does::passes: break;  // of chains, which no recorded program has
            }
        }
        out_ << "}\n";
    }

private:
    [[nodiscard]] bool isOwn(std::int64_t message) const {
        const auto at = engine::asSize(message);
        return program_.messages.from[at] == program_.messages.to[at];
    }
    void awaitSend(std::int64_t number) {
        // One to oneself may have been received before: then the rank is behind it.
        const auto found = sent_.find(number);
        if (found == sent_.end()) return;
        front_.push_back(found->second);
        if (!isOwn(number)) sent_.erase(found);
    }
    /// A message to oneself that is awaited before it is sent never comes; nothing can be required of it then.
    void awaitReceive(std::int64_t number) {
        auto& labels = isOwn(number) ? sent_ : received_;
        const auto found = labels.find(number);
        if (found == labels.end()) return;
        front_.push_back(found->second);
        labels.erase(found);
    }

    static void require(Front& front, const Front& more) { front.insert(front.end(), more.begin(), more.end()); }

    /// A new line, which requires `front`.
    template <class... Words>
    std::int64_t line(const Front& front, const Words&... words) {
        const std::int64_t label = next_++;
        out_ << 'l' << label << ": ";
        (out_ << ... << words) << '\n';
        for (const std::int64_t before : front) out_ << 'l' << label << " requires l" << before << '\n';
        return label;
    }
    /// So that what many lines require is not said at each of them.
    void join(Front& front) {
        if (front.size() > 1) front = {line(front, "calc 0")};
    }
    std::int64_t send(Front& front, Rank to, engine::Bytes bytes, std::int64_t tag) {
        join(front);
        return line(front, "send ", bytes, "b to ", to.value, " tag ", tag);
    }
    std::int64_t receive(Front& front, Rank from, engine::Bytes bytes, std::int64_t tag) {
        join(front);
        return line(front, "recv ", bytes, "b from ", from.value, " tag ", tag);
    }
    void compute(Front& front, Picoseconds time) {
        const std::int64_t before = computed_ / picosecondsPerNanosecond;
        computed_ = later(Picoseconds{computed_}, time).count();
        const std::int64_t nanoseconds = computed_ / picosecondsPerNanosecond - before;
        if (nanoseconds > 0) front = {line(front, "calc ", nanoseconds)};
    }

    /// Through a collective that begins after `front`; what its end requires.
    Front through(Front& front, std::size_t number) {
        const CollectiveDone& collective = program_.collectives[number];
        const engine::Schedule& schedule = collectives_.scheduleOf(collective);
        const engine::Rounds& apart = schedule.facts().uncoupled;
        const Rank place = collectives_.placeOf(collective, rank_);
        join(front);
        Front now = front;
        Front receives;  // where they go apart from the sends
        for (Round round{0}; round.value < schedule.facts().rounds; ++round) {
            schedule.turn(place, round, turn_);
            const bool isApart = apart.contains(round);
            if (isApart && round == apart.first) receives = now;
            Front& ofReceives = isApart ? receives : now;
            Front sent, received;
            for (const engine::Message& message : turn_.sends())
                sent.push_back(send(now, (*collective.members)[message.peer.index()], message.bytes,
                                    collectives_.tagOf(number, round)));
            for (const engine::Message& message : turn_.receives())
                received.push_back(receive(ofReceives, (*collective.members)[message.peer.index()], message.bytes,
                                           collectives_.tagOf(number, round)));
            if (isApart) {
                if (!sent.empty()) now = std::move(sent);
                if (!received.empty()) receives = std::move(received);
                if (schedule.facts().joins(round)) require(now, receives);
                continue;
            }
            require(sent, received);
            if (!sent.empty()) now = std::move(sent);
            combine(now, collective.gamma);
        }
        return now;
    }

    /// What the turn receives with what is there.
    void combine(Front& front, engine::Rate gamma) {
        Picoseconds time{};
        for (const engine::Message& message : turn_.receives())
            time = later(time, gamma * combinedBytes(message.slots, message.action, message.bytes));
        compute(front, time);
    }

    const Program& program_;
    TaggedCollectives& collectives_;
    Rank rank_;
    std::ostream& out_;
    Turn turn_;
    Front front_;
    std::map<std::int64_t, std::int64_t> sent_, received_;  // labels by message, until they are awaited
    std::map<std::int64_t, Front> started_;                 // by collective
    std::int64_t next_ = 1;
    std::int64_t computed_ = 0;  // picoseconds
};

}  // namespace

void writeGoal(const Program& program, std::ostream& out, const engine::Progress& progress) {
    TaggedCollectives collectives{program, tagging};
    out << "num_ranks " << program.ranks.size() << '\n';
    for (const Rank rank : program.ranks.ids()) {
        progress.at(static_cast<double>(rank.value) / static_cast<double>(program.ranks.size()));
        GoalOfRank{program, collectives, rank, out}.write();
    }
}

}  // namespace emulation
