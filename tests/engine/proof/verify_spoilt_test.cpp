// SPDX-License-Identifier: BSD-3-Clause
// Right schedules, spoilt in one place: each kind of fault must be refused, with the reason that fits it, wherever it
// is. The sentence is put together here from where the fault was planted.
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/verify.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/script.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>

namespace engine {
namespace {

using namespace support;

std::string verdictOn(const Script& script, const Problem& problem) {
    return verify(*script.schedule(), problem).counterExample;
}

class EverySpoiltAlgorithm : public testing::TestWithParam<const Algorithm*> {
protected:
    /// Calls spoil(problem, script, spot) for messages of small plans, spread over all of them.
    template <class Spoil>
    void onMessages(Spoil spoil) {
        int spoilt = 0;
        for (const Problem& problem : problemsFor(GetParam()->collective, 6)) {
            const Options options{GetParam()->id, GetParam()->options, {}};
            if (GetParam()->objects != nullptr && GetParam()->objects(problem, options)) continue;
            const Script script{*makePlan(*GetParam(), problem, {}).schedule};
            const std::vector<Spot> sends = script.sends();
            for (std::size_t i = 0; i < sends.size(); i += 1 + sends.size() / 8) {
                Script copy = script;
                copy.facts.stages.clear();
                spoilt += spoil(problem, copy, sends[i]) ? 1 : 0;
                if (HasFailure()) return;
            }
        }
        EXPECT_GT(spoilt, 0) << GetParam()->id << " has nothing to spoil";
    }
    /// The same for messages with bytes.
    template <class Spoil>
    void onBytes(Spoil spoil) {
        onMessages([&](const Problem& problem, Script& script, Spot at) {
            if (script.send(at).bytes == 0) return false;
            spoil(problem, script, at);
            return true;
        });
    }
    static std::size_t countTo(const Script& script, Spot at) {
        const auto& sends = script.turns[at.round][at.rank].sends;
        return static_cast<std::size_t>(
            std::count_if(sends.begin(), sends.end(), [&](const End& e) { return e.peer == sends[at.place].peer; }));
    }
    static std::string round(Spot at) { return text("round ", at.round + 1, ": "); }
};

/// Those that move bytes, not partial results.
class EverySpoiltGathering : public EverySpoiltAlgorithm {};

TEST_P(EverySpoiltAlgorithm, isRefusedWithoutAReceive) {
    onMessages([](const Problem& problem, Script& script, Spot at) {
        if (countTo(script, at) > 1) return false;  // the second send would match
        const Rank to = script.send(at).peer;
        script.eraseReceive(script.receiveOf(at));
        EXPECT_EQ(verdictOn(script, problem),
                  text(round(at), "rank ", at.rank, " sends to rank ", to, ", which does not receive it"));
        return true;
    });
}

TEST_P(EverySpoiltAlgorithm, isRefusedWithoutASend) {
    onMessages([](const Problem& problem, Script& script, Spot at) {
        if (countTo(script, at) > 1) return false;
        const Rank to = script.send(at).peer;
        script.eraseSend(at);
        const std::string expected =
            text(round(at), "rank ", to, " expects a message from rank ", at.rank, " that is not sent; rank ");
        EXPECT_EQ(verdictOn(script, problem).substr(0, expected.size()), expected);
        return true;
    });
}

TEST_P(EverySpoiltGathering, isRefusedWhereTheEndsDifferInSize) {
    onBytes([](const Problem& problem, Script& script, Spot at) {
        const Bytes bytes = script.send(at).bytes;
        const Rank to = script.send(at).peer;
        --script.receive(script.receiveOf(at)).what.back().end;
        EXPECT_EQ(verdictOn(script, problem), text(round(at), "rank ", at.rank, " sends ", bytes, " bytes to rank ", to,
                                                   ", which expects ", bytes - 1));
    });
}

TEST_P(EverySpoiltGathering, isRefusedWhereTheEndsMeanOtherBytes) {
    onBytes([](const Problem& problem, Script& script, Spot at) {
        Range& expected = script.receive(script.receiveOf(at)).what.back();
        expected = {expected.begin + 1, expected.end + 1};
        EXPECT_EQ(verdictOn(script, problem), text(round(at), "rank ", at.rank, " sends ", script.send(at).bytes,
                                                   " bytes to rank ", script.send(at).peer, ", which expects others"));
    });
}

TEST_P(EverySpoiltGathering, isRefusedWhereBytesAreOffTheLine) {
    onBytes([](const Problem& problem, Script& script, Spot at) {
        const Bytes total = problem.layout.total();
        script.send(at).what = {{total, total + 1}};
        EXPECT_EQ(verdictOn(script, problem), text(round(at), "rank ", at.rank, " sends bytes ", total, " to ", total,
                                                   ", which are not on the line of ", total, " bytes"));
        script.send(at).what = {{-1, 0}};
        EXPECT_EQ(
            verdictOn(script, problem),
            text(round(at), "rank ", at.rank, " sends bytes -1 to -1, which are not on the line of ", total, " bytes"));
    });
}

TEST_P(EverySpoiltAlgorithm, isRefusedWithMoreMessagesThanPorts) {
    onMessages([](const Problem& problem, Script& script, Spot at) {
        auto& sends = script.turns[at.round][at.rank].sends;
        const auto ports = static_cast<std::size_t>(script.facts.ports);
        Script sender = script;
        while (sender.turns[at.round][at.rank].sends.size() <= ports)
            sender.turns[at.round][at.rank].sends.push_back(sends[at.place]);
        EXPECT_EQ(verdictOn(sender, problem),
                  text(round(at), "rank ", at.rank, " sends ", ports + 1, " messages in one round with ", ports,
                       ports == 1 ? " port" : " ports"));
        // Ranks are asked in order, and a rank's sends before its receives: of the ranks that have too many, the first.
        const Spot there = script.receiveOf(at);
        Script receiver = script;
        auto& receives = receiver.turns[there.round][there.rank].receives;
        while (receives.size() <= ports) receives.push_back(End{script.receive(there)});
        EXPECT_EQ(verdictOn(receiver, problem),
                  text(round(at), "rank ", there.rank, " receives ", ports + 1, " messages in one round with ", ports,
                       ports == 1 ? " port" : " ports"));
        return true;
    });
}

TEST_P(EverySpoiltAlgorithm, isRefusedWithAPeerThatDoesNotExist) {
    onMessages([](const Problem& problem, Script& script, Spot at) {
        for (const Rank nobody : {Rank{-1}, Rank{script.facts.ranks}}) {
            Script sender = script;
            sender.send(at).peer = nobody;
            EXPECT_EQ(verdictOn(sender, problem),
                      text(round(at), "rank ", at.rank, " sends to rank ", nobody, ", which does not exist"));
            Script receiver = script;
            const Spot there = receiver.receiveOf(at);
            receiver.receive(there).peer = nobody;
            EXPECT_EQ(verdictOn(receiver, problem),
                      text(round(at), "rank ", there.rank, " receives from rank ", nobody, ", which does not exist"));
        }
        Script self = script;
        self.send(at).peer = Rank{static_cast<std::int32_t>(at.rank)};
        EXPECT_EQ(verdictOn(self, problem), text(round(at), "rank ", at.rank, " sends to itself"));
        return true;
    });
}

TEST_P(EverySpoiltAlgorithm, isRefusedOnAWiringThatLacksOneOfItsLinks) {
    onMessages([](const Problem& problem, Script& script, Spot at) {
        const Rank from{static_cast<std::int32_t>(at.rank)};
        const Rank to = script.send(at).peer;
        script.facts.wiring = Wiring::named("torn", [=](Rank a, Rank b) { return a != b && !(a == from && b == to); });
        // The same two ranks may have exchanged a message before.
        std::size_t first = at.round;
        for (const Spot other : script.sends())
            if (other.rank == at.rank && script.send(other).peer == to) first = std::min(first, other.round);
        EXPECT_EQ(verdictOn(script, problem),
                  text("round ", first + 1, ": rank ", from, " sends to rank ", to, ", which is no neighbour on torn"));
        return true;
    });
}

/// What `at` is called where all of `range` is looked for: where there is but one block, that is the message.
std::string called(const Problem& problem, Range range, Bytes at) {
    if (problem.layout.count() > 1) return text("block ", problem.layout.blockAt(at));
    const bool all = range.begin == 0 && range.end == problem.layout.total() && at == 0;
    return all ? "the message" : text("byte ", at, " of the message");
}

/// The same in those ranges of `sent` that `at` lies in.
std::string calledIn(const Problem& problem, const End& sent, Bytes at) {
    for (const Range range : sent.what)
        if (range.begin <= at && at < range.end) return called(problem, range, at);
    return {};
}

/// The first byte of `sent` that `rank` did not bring itself.
std::optional<Bytes> firstForeign(const Problem& problem, Spot at, const End& sent) {
    for (const Range range : sent.what)
        for (Bytes byte = range.begin; byte < range.end; ++byte)
            if (ownerOf(problem, Block{problem.layout.blockAt(byte)}).index() != at.rank) return byte;
    return std::nullopt;
}

TEST_P(EverySpoiltGathering, isRefusedWhereBytesAreSentBeforeTheyCome) {
    onMessages([](const Problem& problem, Script& script, Spot at) {
        const End sent = script.send(at);
        script.facts.ports = 99;
        if (sent.bytes == 0 || script.facts.uncoupled.count > 0) return true;
        const auto foreign = firstForeign(problem, at, sent);
        if (!foreign) return true;  // held from the beginning
        // The message leaves in the first round, when its sender holds nothing but its own.
        const Spot there = script.receiveOf(at);
        const End end = script.receive(there);
        script.eraseSend(at);
        script.eraseReceive(there);
        script.turns[0][at.rank].sends.push_back(sent);
        script.turns[0][there.rank].receives.push_back(end);
        const std::string expected = text("round 1: rank ", at.rank, " sends ", calledIn(problem, sent, *foreign),
                                          " to rank ", sent.peer, " before it has it");
        EXPECT_EQ(verdictOn(script, problem), expected);
        return true;
    });
}

TEST_P(EverySpoiltGathering, isRefusedWhereAMessageComesTwice) {
    onMessages([](const Problem& problem, Script& script, Spot at) {
        if (!script.facts.repeats.empty() || script.send(at).bytes == 0) return true;
        const End sent = script.send(at);
        const Spot there = script.receiveOf(at);
        script.turns.emplace_back(static_cast<std::size_t>(script.facts.ranks));
        script.turns.back()[at.rank].sends.push_back(sent);
        script.turns.back()[there.rank].receives.push_back(script.receive(there));
        EXPECT_EQ(verdictOn(script, problem), text("round ", script.turns.size(), ": rank ", sent.peer, " receives ",
                                                   called(problem, sent.what.front(), sent.what.front().begin),
                                                   " from rank ", at.rank, " although it already has it"));
        return true;
    });
}

/// Whether `rank` must hold contribution `block` in the end, as MPI says it of each collective.
bool needs(const Problem& problem, Rank rank, Block block) {
    const auto inA = [&](Rank r) { return r.value < problem.groupA; };
    switch (problem.collective) {
        case Collective::bcast:
        case Collective::allgatherv: return true;
        case Collective::gatherv: return rank == problem.root;
        case Collective::scatterv: return block.value == rank.value;
        case Collective::alltoallv: return block.value % problem.groupA == rank.value;
        case Collective::intergroupBcast: return inA(rank) != inA(problem.root);
        case Collective::intergroupAllgatherv: return inA(rank) != inA(Rank{block.value});
        case Collective::intergroupAlltoallv: {
            const std::int32_t fromA = problem.groupA * problem.groupB;
            if (block.value < fromA) return rank.value == problem.groupA + block.value % problem.groupB;
            return rank.value == (block.value - fromA) % problem.groupA;
        }
        case Collective::halfduplexAllgather: return !inA(rank);
        default: return false;
    }
}

/// Follows every byte by itself, as slowly as that is: the sentence on the first send of what its rank does not hold,
/// or on the first rank that lacks bytes in the end; empty where there is none.
std::string followed(const Script& script, const Problem& problem) {
    std::vector<std::set<Bytes>> held(static_cast<std::size_t>(script.facts.ranks));
    for (std::int32_t b = 0; b < problem.layout.count(); ++b)
        for (Bytes at = problem.layout.offset(b); at < problem.layout.offset(b + 1); ++at)
            held[ownerOf(problem, Block{b}).index()].insert(at);
    for (std::size_t t = 0; t < script.turns.size(); ++t) {
        for (std::size_t r = 0; r < held.size(); ++r)
            for (const End& send : script.turns[t][r].sends)
                for (const Range range : send.what)
                    for (Bytes at = range.begin; at < range.end; ++at)
                        if (!held[r].contains(at))
                            return text("round ", t + 1, ": rank ", r, " sends ", called(problem, range, at),
                                        " to rank ", send.peer, " before it has it");
        for (std::size_t r = 0; r < held.size(); ++r)
            for (const End& receive : script.turns[t][r].receives)
                for (const Range range : receive.what)
                    for (Bytes at = range.begin; at < range.end; ++at) held[r].insert(at);
    }
    for (Rank rank{0}; rank.value < problem.ranks(); ++rank)
        for (Bytes at = 0; at < problem.layout.total(); ++at)
            if (needs(problem, rank, Block{problem.layout.blockAt(at)}) && !held[rank.index()].contains(at))
                return text(
                    "after the last round rank ", rank, " lacks ",
                    called(problem, held[rank.index()].empty() ? Range{0, problem.layout.total()} : Range{}, at));
    return {};
}

TEST_P(EverySpoiltGathering, isRefusedWithoutAMessageThatMatters) {
    int refused = 0;
    onMessages([&](const Problem& problem, Script& script, Spot at) {
        script.eraseReceive(script.receiveOf(at));
        script.eraseSend(at);
        script.facts.uncoupled = {};
        EXPECT_EQ(verdictOn(script, problem), followed(script, problem));
        refused += followed(script, problem).empty() ? 0 : 1;
        return true;
    });
    EXPECT_GT(refused, 0);
}

TEST_P(EverySpoiltGathering, isRefusedWithoutItsLastRounds) {
    int refused = 0;
    for (const Problem& problem : problemsFor(GetParam()->collective, 6)) {
        const Options options{GetParam()->id, GetParam()->options, {}};
        if (GetParam()->objects != nullptr && GetParam()->objects(problem, options)) continue;
        Script script{*makePlan(*GetParam(), problem, {}).schedule};
        script.facts.stages.clear();
        script.facts.uncoupled = {};
        while (!script.turns.empty()) {
            EXPECT_EQ(verdictOn(script, problem), followed(script, problem)) << toText(problem);
            refused += verdictOn(script, problem).empty() ? 0 : 1;
            script.turns.pop_back();
        }
    }
    EXPECT_GT(refused, 0);
}

std::vector<const Algorithm*> gatherings() {
    std::vector<const Algorithm*> all;
    for (const Algorithm* algorithm : catalogue())
        if (!isReduction(algorithm->collective)) all.push_back(algorithm);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Gatherings, EverySpoiltGathering, testing::ValuesIn(gatherings()),
                         [](const auto& instance) { return testName(instance.param); });
INSTANTIATE_TEST_SUITE_P(Catalogue, EverySpoiltAlgorithm, testing::ValuesIn(catalogue()),
                         [](const auto& instance) { return testName(instance.param); });

/// Reductions: what is sent and kept is a slot.
struct Reduction {
    Facts facts{.ranks = 3, .rounds = 2};
    Problem problem = allreduce(3, 4);

    /// Rank 2 gives to 1, rank 1 to 0 the sum; then 0 has all of it. `change` alters that.
    template <class Change>
    std::string verdict(Change change) {
        Script script{*schedule(facts, [](Rank rank, Round round, auto& out) {
            const int sender = 2 - static_cast<int>(round.value);
            if (rank.value == sender) out.sendPartial(rank - 1, 0, 4);
            if (rank.value == sender - 1) out.receivePartial(rank + 1, 1, Action::append, 4);
        })};
        change(script);
        return verdictOn(script, problem);
    }
};

TEST(VerifySpoilt, reductionsNameTheContributionThatARankLacks) {
    EXPECT_EQ(Reduction{}.verdict([](Script&) {}), "after the last round rank 1 lacks contribution 0");
    EXPECT_EQ(Reduction{}.verdict([](Script& s) { s.turns[1][0].receives[0].action = Action::keep; }),
              "after the last round rank 0 lacks contribution 0");
    EXPECT_EQ(Reduction{}.verdict([](Script& s) { s.turns[0][1].receives[0].action = Action::keep; }),
              "after the last round rank 0 lacks contribution 1");
}

TEST(VerifySpoilt, reductionsNameAContributionThatCountsTooOften) {
    const auto again = [](int times) {
        return [=](Script& script) {
            // Everyone tells everyone in the end; rank 0 hears of rank 1's contribution `times` more often.
            for (int i = 0; i < times; ++i) {
                script.turns.emplace_back(3);
                script.turns.back()[1].sends.push_back({.peer = Rank{0}, .bytes = 4, .slots = 1});
                script.turns.back()[0].receives.push_back(
                    {.peer = Rank{1}, .bytes = 4, .slots = 1, .action = Action::prepend});
            }
        };
    };
    EXPECT_EQ(Reduction{}.verdict(again(1)), "after the last round rank 0 has contribution 1 twice");
    EXPECT_EQ(Reduction{}.verdict(again(2)), "after the last round rank 0 has contribution 1 3 times");
    Reduction heard;
    heard.problem = barrier(3);
    EXPECT_EQ(heard.verdict(again(1)), "after the last round rank 1 lacks contribution 0") << "rank 0 may hear twice";
    for (const Operation operation : {Operation::min, Operation::max, Operation::sum, Operation::user}) {
        Reduction one;
        one.problem.operation = operation;
        const bool mindsRepeats = operation == Operation::sum || operation == Operation::user;
        EXPECT_EQ(one.verdict(again(1)), mindsRepeats ? "after the last round rank 0 has contribution 1 twice"
                                                      : "after the last round rank 1 lacks contribution 0")
            << name(operation);
    }
}

TEST(VerifySpoilt, reductionsAgreeOnTheSizeOfWhatMoves) {
    EXPECT_EQ(Reduction{}.verdict([](Script& s) { s.turns[1][0].receives[0].bytes = 3; }),
              "round 2: rank 1 sends 4 bytes to rank 0, which expects 3");
}

TEST(VerifySpoilt, reductionsSendOnlySlotsThatTheyKeep) {
    EXPECT_EQ(Reduction{}.verdict([](Script& s) { s.turns[0][2].sends[0].slots = 2; }),
              "round 1: rank 2 sends a partial result it does not keep to rank 1");
    Reduction two;
    two.facts.slots = 2;
    EXPECT_EQ(two.verdict([](Script& s) { s.turns[0][2].sends[0].slots = 4; }),
              "round 1: rank 2 sends a partial result it does not keep to rank 1");
    EXPECT_EQ(Reduction{}.verdict([](Script& s) { s.turns[0][2].sends[0].slots = 0; }),
              "round 1: rank 2 sends no partial result to rank 1");
    Reduction uncoupled;
    uncoupled.facts.uncoupled = {Round{1}, 1};
    EXPECT_EQ(uncoupled.verdict([](Script&) {}),
              "round 2: rank 1 sends a partial result where its sends do not wait for its receives");
}

}  // namespace
}  // namespace engine
