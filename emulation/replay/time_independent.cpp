// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/time_independent.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace emulation {

using engine::Message;
using engine::Picoseconds;
using engine::Round;

namespace {

constexpr Tagging mpiTagging{
    .format = "MPI", .most = std::int64_t{1} << 31, .perRound = [](const engine::Facts& facts) {
        return static_cast<std::int64_t>(std::max(1, facts.ports));
    }};

/// The lines of one rank.
class ActionsOfRank {
public:
    ActionsOfRank(const Program& program, TaggedCollectives& collectives, Rank rank, std::ostream& out)
        : program_{program}, collectives_{collectives}, rank_{rank}, out_{out} {}

    void write() {
        line("init");
        const Operations& doings = program_.ranks[rank_];
        for (std::size_t at = 0; at < doings.size(); ++at) {
            const std::int64_t number = doings.number(at);
            switch (doings.what(at)) {
                case Does::computes: compute(Picoseconds{number}); break;
                case Does::lingers:
                    if (program_.collectives[engine::asSize(doings.number(at - 1))].schedule == nullptr)
                        compute(Picoseconds{number});
                    break;
                case Does::enters: pass(engine::asSize(number)); break;
                case Does::sends: message("isend", number, program_.messages.to); break;
                case Does::receives: message("irecv", number, program_.messages.from); break;
                case Does::awaitsSend:
                case Does::awaitsReceive: await(number); break;
                case Does::starts:
                case Does::ends:  // refused before
                case Does::reaches:
                case Does::passes: break;  // of chains, which no recorded program has
            }
        }
        line("finalize");
    }

private:
    template <class... Words>
    void line(const Words&... words) {
        out_ << rank_.value;
        ((out_ << ' ' << words), ...);
        out_ << '\n';
    }

    /// Nanoseconds, one operation each.
    void compute(Picoseconds time) {
        if (time.count() == 0) return;
        std::array<char, 32> words{};
        std::snprintf(words.data(), words.size(), "%lld.%03lld", static_cast<long long>(time.count() / 1000),
                      static_cast<long long>(time.count() % 1000));
        line("compute", words.data());
    }

    void message(const char* action, std::int64_t number, const std::vector<Rank>& peers) {
        const auto at = engine::asSize(number);
        if (peers[at] != rank_) line(action, peers[at].value, number, program_.messages.bytes[at]);
    }
    void await(std::int64_t number) {
        const Rank from = program_.messages.from[engine::asSize(number)];
        const Rank to = program_.messages.to[engine::asSize(number)];
        if (from != to) line("wait", from.value, to.value, number);
    }

    /// Round by round.
    void pass(std::size_t number) {
        const CollectiveDone& collective = program_.collectives[number];
        const std::vector<Rank>& members = *collective.members;
        const engine::Schedule& schedule = collectives_.scheduleOf(collective);
        const Rank place = collectives_.placeOf(collective, rank_);
        const auto each = [&](std::span<const Message> messages, Round round, auto tell) {
            for (std::size_t i = 0; i < messages.size(); ++i)
                tell(members[messages[i].peer.index()].value,
                     collectives_.tagOf(number, round) + static_cast<std::int64_t>(engine::ordinalOf(messages, i)),
                     messages[i].bytes);
        };
        using engine::Bytes;
        for (Round round{0}; round.value < schedule.facts().rounds; ++round) {
            schedule.turn(place, round, turn_);
            each(turn_.receives(), round,
                 [&](std::int32_t peer, std::int64_t tag, Bytes bytes) { line("irecv", peer, tag, bytes); });
            each(turn_.sends(), round,
                 [&](std::int32_t peer, std::int64_t tag, Bytes bytes) { line("isend", peer, tag, bytes); });
            each(turn_.receives(), round,
                 [&](std::int32_t peer, std::int64_t tag, Bytes) { line("wait", peer, rank_.value, tag); });
            each(turn_.sends(), round,
                 [&](std::int32_t peer, std::int64_t tag, Bytes) { line("wait", rank_.value, peer, tag); });
            Picoseconds combining{};
            for (const Message& message : turn_.receives())
                combining = later(
                    combining, collective.gamma * engine::combinedBytes(message.slots, message.action, message.bytes));
            compute(combining);
        }
    }

    const Program& program_;
    TaggedCollectives& collectives_;
    Rank rank_;
    std::ostream& out_;
    engine::Turn turn_;
};

}  // namespace

TimeIndependent::TimeIndependent(const Program& program) : program_{program}, collectives_{program, mpiTagging} {
    for (const Operations& doings : program.ranks)
        for (std::size_t at = 0; at < doings.size(); ++at)
            if (doings.what(at) == Does::starts)
                throw engine::Error{
                    "SimGrid's time-independent traces have no nonblocking collectives, which this program uses; GOAL "
                    "text has them"};
}

void TimeIndependent::write(Rank rank, std::ostream& out) { ActionsOfRank{program_, collectives_, rank, out}.write(); }

}  // namespace emulation
