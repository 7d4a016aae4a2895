// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/verify.hpp"

#include "engine/base/bounded.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/proof/partials.hpp"
#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace engine {
namespace {

/// "block 4": how people call the place `at` in `range` of the line. What is one block in all is the message, whose
/// pieces nobody numbered: "the message", "byte 4096 of the message".
std::string placeName(const Layout& layout, Range range, Bytes at) {
    if (layout.count() > 1) return text("block ", layout.blockAt(at));
    return range == layout.whole() && at == range.begin ? "the message" : text("byte ", at, " of the message");
}

/// Follows what every rank holds.
class Proof {
public:
    Proof(const Schedule& schedule, const Problem& problem)
        : pairing_{schedule},
          facts_{schedule.facts()},
          problem_{problem},
          contract_{problem},
          ranks_{pairing_.ranks()} {
        if (contract_.demand() == Demand::bytes) {
            holdings_.resize(ranks_);
            arrived_.resize(ranks_);
            for (std::size_t r = 0; r < ranks_; ++r) holdings_[r].add(contract_.before(rankAt(r)));
        } else {
            partials_.emplace(facts_, problem);
        }
    }

    void step(Round round, Verdict& verdict) {
        Bytes largest = 0;
        const std::int64_t before = verdict.messages;
        for (std::size_t r = 0; r < ranks_; ++r) {
            const Turn& turn = pairing_.ask(rankAt(r), round);
            checkPorts(round, rankAt(r));
            for (const Message& message : turn.sends()) {
                checkSend(round, rankAt(r), message);
                largest = std::max(largest, message.bytes);
                ++verdict.messages;
                addBytes(verdict.bytes, message.bytes);
            }
        }
        pairing_.checkBothEnds(round);
        const Bytes combined = apply(round);
        if (verdict.messages > before) ++verdict.lockstep.startups;
        verdict.lockstep.volume += largest;
        verdict.lockstep.combined += combined;
        ++verdict.rounds;
    }

    void conclude() const {
        for (std::size_t r = 0; r < ranks_ && static_cast<std::int32_t>(r) < problem_.ranks(); ++r) {
            if (contract_.demand() == Demand::bytes) {
                for (const Range wanted : contract_.after(rankAt(r)))
                    if (const auto at = holdings_[r].missing(wanted))
                        throw CounterExample{
                            text("after the last round rank ", r, " lacks ",
                                 placeName(problem_.layout, holdings_[r].intervals().empty() ? wanted : Range{}, *at)),
                            {.rank = rankAt(r), .byte = *at}};
            } else {
                concludeReduction(rankAt(r));
            }
        }
    }

private:
    static Rank rankAt(std::size_t r) { return Rank{static_cast<std::int32_t>(r)}; }
    const Turn& turnOf(Rank rank) const { return pairing_.turnOf(rank); }

    void checkPorts(Round round, Rank rank) const {
        const auto ports = asSize(facts_.ports);
        const Turn& turn = turnOf(rank);
        if (turn.sends().size() > ports)
            refute({.round = round, .rank = rank}, "rank ", rank, " sends ", turn.sends().size(),
                   " messages in one round with ", ports, ports == 1 ? " port" : " ports");
        if (turn.receives().size() > ports)
            refute({.round = round, .rank = rank}, "rank ", rank, " receives ", turn.receives().size(),
                   " messages in one round with ", ports, ports == 1 ? " port" : " ports");
    }

    void checkSend(Round round, Rank rank, const Message& message) const {
        const auto place = [&](std::optional<Bytes> byte = {}) {
            return Place{.round = round, .rank = rank, .from = rank, .to = message.peer, .byte = byte};
        };
        if (message.peer.value < 0 || message.peer.value >= facts_.ranks)
            refute(place(), "rank ", rank, " sends to rank ", message.peer, ", which does not exist");
        if (message.peer == rank) refute(place(), "rank ", rank, " sends to itself");
        if (!facts_.wiring.adjacent(rank, message.peer))
            refute(place(), "rank ", rank, " sends to rank ", message.peer, ", which is no neighbour on ",
                   facts_.wiring.name());
        if (contract_.demand() == Demand::bytes) {
            const bool uncoupled = facts_.uncoupled.contains(round);
            for (const Range range : turnOf(rank).ranges(message)) {
                if (range.begin < 0 || range.end > problem_.layout.total())
                    refute(place(), "rank ", rank, " sends bytes ", range.begin, " to ", range.end - 1,
                           ", which are not on the line of ", problem_.layout.total(), " bytes");
                if (const auto at = holdings_[rank.index()].missing(range))
                    refute(place(*at), "rank ", rank, " sends ", placeName(problem_.layout, range, *at), " to rank ",
                           message.peer,
                           uncoupled ? text(", which it does not have before round ", facts_.uncoupled.first.value + 1,
                                            ", from where on its sends do not wait for its receives")
                                     : std::string{" before it has it"});
            }
        } else {
            checkPartial(round, rank, message);
        }
    }

    void checkPartial(Round round, Rank rank, const Message& message) const {
        const auto place = [&](std::optional<Bytes> byte = {}) {
            return Place{.round = round, .rank = rank, .from = rank, .to = message.peer, .byte = byte};
        };
        if (facts_.uncoupled.contains(round))
            refute(place(), "rank ", rank, " sends a partial result where its sends do not wait for its receives");
        if (message.slots == 0) refute(place(), "rank ", rank, " sends no partial result to rank ", message.peer);
        if (std::countr_zero(message.slots) >= facts_.slots)
            refute(place(), "rank ", rank, " sends a partial result it does not keep to rank ", message.peer);
        if (message.whole) return;
        if (!facts_.pieces)
            refute(place(), "rank ", rank, " sends part of a vector to rank ", message.peer,
                   ", though vectors are not cut");
        const Bytes vector = problem_.layout.largest();
        ByteSet sent;
        for (const Range range : turnOf(rank).ranges(message)) {
            if (range.begin < 0 || range.end > vector)
                refute(place(), "rank ", rank, " sends bytes ", range.begin, " to ", range.end - 1,
                       ", which are not in the vector of ", vector, " bytes");
            if (range.begin % unitOf(problem_) != 0 || range.end % unitOf(problem_) != 0)
                refute(place(), "rank ", rank, " sends bytes ", range.begin, " to ", range.end - 1, ", which cut ",
                       problem_.operation == Operation::ordered ? "a matrix" : "an element", " of ", unitOf(problem_),
                       " bytes");
            if (const auto at = sent.present(range))
                refute(place(*at), "rank ", rank, " sends byte ", *at, " of the vector twice in a message to rank ",
                       message.peer);
            sent.add(range);
            if (const auto at = partials_->read(rank, message).missing(range))
                refute(place(*at), "rank ", rank, " sends byte ", *at, " of the vector to rank ", message.peer,
                       " before it has a partial result of it");
        }
    }

    /// Applies all receives of the round; the most bytes that any rank combined.
    Bytes apply(Round round) {
        if (contract_.demand() == Demand::bytes) {
            for (std::size_t r = 0; r < ranks_; ++r) applyBytes(round, rankAt(r));
            return 0;
        }
        return partials_->apply(pairing_.turns());
    }

    void applyBytes(Round round, Rank rank) {
        ByteSet& held = holdings_[rank.index()];
        ByteSet& arrived = arrived_[rank.index()];
        for (const Message& receive : turnOf(rank).receives())
            for (const Range range : turnOf(rank).ranges(receive)) {
                if (facts_.repeats.empty())
                    for (const ByteSet* known : {&held, &arrived})
                        if (const auto at = known->present(range))
                            refute({.round = round, .rank = rank, .from = receive.peer, .to = rank, .byte = *at},
                                   "rank ", rank, " receives ", placeName(problem_.layout, range, *at), " from rank ",
                                   receive.peer, " although it already has it");
                arrived.add(range);
            }
        if (facts_.joins(round)) held.take(arrived);
    }

    void concludeReduction(Rank rank) const {
        const std::optional<Range> wanted = contract_.result(rank);
        if (!wanted) return;
        const PartialVector& result = partials_->result(rank);
        if (!facts_.pieces) return concludePartial(rank, result.whole(), "", {.rank = rank});
        if (const auto at = result.missing(*wanted))
            throw CounterExample{text("after the last round rank ", rank, " has no result of byte ", *at),
                                 {.rank = rank, .byte = *at}};
        const PartialVector part = result.in({&*wanted, 1});
        for (const auto& [range, partial] : part.pieces())
            concludePartial(rank, partial, text(" in bytes ", range.begin, " to ", range.end - 1),
                            {.rank = rank, .byte = range.begin});
    }

    /// `where`: in which part of the vector.
    void concludePartial(Rank rank, const Partial& result, const std::string& where, Place place) const {
        const auto about = [&](std::int32_t term) {
            place.term = term;
            return place;
        };
        const auto [first, end] = contract_.contributors(rank);
        if (const auto contribution = result.missing(first, end))
            throw CounterExample{text("after the last round rank ", rank, " lacks contribution ", *contribution, where),
                                 about(*contribution)};
        if (const auto foreign = result.foreign(first, end))
            throw CounterExample{text("after the last round rank ", rank, " has contribution ", *foreign, where,
                                      ", which does not belong to its result"),
                                 about(*foreign)};
        if (contract_.demand() == Demand::atLeastOnce) return;
        if (const auto twice = result.repeated())
            throw CounterExample{text("after the last round rank ", rank, " has contribution ", twice->first, " ",
                                      twice->second == 2 ? std::string{"twice"} : text(twice->second, " times"), where),
                                 about(twice->first)};
        if (contract_.demand() == Demand::inOrder && !result.rises())
            throw CounterExample{text("after the last round the contributions on rank ", rank,
                                      " are combined in another order than that of the ranks", where),
                                 place};
    }

    Pairing pairing_;
    const Facts& facts_;
    const Problem& problem_;
    Contract contract_;
    std::size_t ranks_;
    std::vector<ByteSet> holdings_;     // by rank, at the last join of its strands
    std::vector<ByteSet> arrived_;      // since then
    std::optional<Partials> partials_;  // reductions
};

}  // namespace

Verdict verify(const Schedule& schedule, const Problem& problem, const Progress& progress) {
    Verdict verdict;
    try {
        Proof proof{schedule, problem};
        const std::int64_t rounds = schedule.facts().rounds;
        for (Round round{0}; round.value < rounds; ++round) {
            proof.step(round, verdict);
            progress.at(static_cast<double>(round.value + 1) / static_cast<double>(rounds));
        }
        proof.conclude();
        verdict.proved = true;
    } catch (const CounterExample& found) {
        verdict.counterExample = found.sentence;
        verdict.place = found.place;
    }
    // The messages end where something else is wrong: unless they are wrong themselves before, that is it.
    const CounterExample& wrong = schedule.facts().wrong;
    const bool before = wrong.place.round && verdict.place.round && *verdict.place.round <= *wrong.place.round;
    if (!wrong.sentence.empty() && !before) {
        verdict.proved = false;
        verdict.counterExample = wrong.sentence;
        verdict.place = wrong.place;
    }
    return verdict;
}

}  // namespace engine
