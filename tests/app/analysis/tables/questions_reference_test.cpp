// SPDX-License-Identifier: BSD-3-Clause
// Questions against plain definitions of what the headers say, on many small runs.
#include "app/analysis/bounds/bound_gap.hpp"
#include "app/analysis/bounds/cost_model_fit.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_waits.hpp"

#include <gtest/gtest.h>

#include <map>

namespace app::analysis {
namespace {

using engine::Bytes;
using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;
using engine::Round;

int below(std::mt19937& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

TEST(CriticalPathJudged, isAChainOfMessagesWithoutHoles) {
    std::mt19937 random{1};
    for (int trial = 0; trial < 2000; ++trial) {
        // What takes no time is no step, but may lie between two.
        const int shortest = trial % 4 < 2 ? 1 : 0;
        const engine::Run run = slow::randomRun(random, trial % 2 == 0, shortest);
        const std::vector<PathStep> path = criticalPath(run);
        ASSERT_FALSE(path.empty());
        Picoseconds at{};
        for (std::size_t i = 0; i < path.size(); ++i) {
            const PathStep& step = path[i];
            ASSERT_EQ(step.begin, at) << "trial " << trial << ", step " << i;
            ASSERT_LT(step.begin, step.end);
            at = step.end;
            if (i > 0) {
                const PathStep& former = path[i - 1];
                ASSERT_TRUE(shortest == 0 || former.isMessage || step.isMessage) << "one pause, not two";
                const auto meets = [&](Rank rank) { return rank == former.rank || rank == former.to; };
                ASSERT_TRUE(shortest == 0 || meets(step.rank) || meets(step.to)) << "trial " << trial << ", step " << i;
            }
            bool known = !step.isMessage;
            for (std::size_t m = 0; m < run.messages.size() && !known; ++m) {
                const MessageRecord one = run.messages[m];
                known = one.from == step.rank && one.to == step.to && one.bytes == step.bytes &&
                        one.round == step.round && step.end <= std::max(one.sendEnd, one.receiveEnd) &&
                        (step.begin == one.sendBegin || step.begin == one.receiveBegin);
            }
            ASSERT_TRUE(known) << "trial " << trial << ", step " << i << " is no message of the run";
            if (step.isMessage || shortest == 0 || trial % 2 == 0) continue;  // calls overlap in any way
            // In a pause the rank does nothing else from begin to end, but for messages that are steps themselves.
            for (const slow::End& end : slow::endsOn(run, step.rank)) {
                const MessageRecord other = run.messages[end.message];
                const bool isStep = std::any_of(path.begin(), path.end(), [&](const PathStep& one) {
                    return one.isMessage && one.rank == other.from && one.to == other.to && one.bytes == other.bytes;
                });
                ASSERT_TRUE(isStep || end.begin < step.begin || step.end < end.end)
                    << "trial " << trial << ": rank " << step.rank.value << " moves message " << end.message << " at "
                    << end.begin.count() << ".." << end.end.count() << " in its pause " << step.begin.count() << ".."
                    << step.end.count();
            }
        }
        ASSERT_EQ(at, run.duration);
    }
}

TEST(CriticalPathJudged, addsUpToTheTimeOfItsMessagesInVirtualTime) {
    std::mt19937 random{2};
    for (int trial = 0; trial < 300; ++trial) {
        const int ranks = 2 + below(random, 5);
        const engine::Plan plan = support::planOf(support::randomSchedule(random, ranks, 1 + below(random, 6), 1, 40));
        emulation::Conditions conditions;
        conditions.model = {.alpha = Picoseconds{3}, .beta = engine::Rate{2000}};
        const engine::Run run = emulation::emulate(plan, *emulation::makeNetwork("full", ranks), conditions).run;
        if (run.messages.empty()) continue;
        const PathTotals totals = totalsOf(criticalPath(run));
        ASSERT_EQ(totals.between, Picoseconds{}) << "nobody is late: every moment is spent on a message";
        ASSERT_EQ(totals.moving, run.duration);
        ASSERT_EQ(conditions.model.alpha * totals.messages + conditions.model.beta * totals.bytes, run.duration);
    }
}

TEST(GapJudged, addsUpToTheTimeAboveTheBound) {
    std::mt19937 random{3};
    for (int trial = 0; trial < 500; ++trial) {
        const engine::Run run = slow::randomRun(random, false);
        const std::vector<PathStep> path = criticalPath(run);
        const engine::Cost least{.startups = below(random, 4), .volume = below(random, 20)};
        const engine::Model model{.alpha = Picoseconds{below(random, 9)},
                                  .beta = engine::Rate{1000 * below(random, 3)}};
        const Gap gap = gapAlong(path, least, least.under(model), model);
        ASSERT_EQ(gap.sum(), run.duration - least.under(model));
        Picoseconds moving{};
        Picoseconds free{};  // what the rounds of the path would take by themselves
        std::map<engine::Round, engine::Bytes> largest;
        Picoseconds between{};
        for (const PathStep& step : path) {
            (step.isMessage ? moving : between) += step.end - step.begin;
            if (step.isMessage) largest[step.round] = std::max(largest[step.round], step.bytes);
        }
        for (const auto& [round, bytes] : largest) free += model.alpha + model.beta * bytes;
        // What costs less than the bound is not all that the bound is of: the rest is missing elsewhere.
        const Picoseconds bound = least.under(model);
        const auto rounds = static_cast<std::int64_t>(largest.size());
        const Picoseconds beyond = moving - std::max(free, bound);
        ASSERT_EQ(gap.congestion, beyond < Picoseconds{} ? std::min(beyond + between, Picoseconds{}) : beyond);
        ASSERT_EQ(gap.waiting, std::max(between + std::min(beyond, Picoseconds{}), Picoseconds{}));
        ASSERT_EQ(gap.extraRounds, free < bound ? Picoseconds{} : model.alpha * (rounds - least.startups));
        ASSERT_EQ(gap.extraRounds + gap.extraBytes, std::max(free - bound, Picoseconds{}));
        ASSERT_EQ(gap.combining + gap.perturbation + gap.unexplained, Picoseconds{});
    }
}

TEST(RoundsJudged, areCountedPicosecondByPicosecond) {
    std::mt19937 random{4};
    for (int trial = 0; trial < 1000; ++trial) {
        const engine::Run run = slow::randomRun(random, trial % 2 == 0);
        const std::vector<RoundRow> rows = rounds(run);
        auto row = rows.begin();
        for (Round round{0}; round.value < run.rounds; ++round) {
            std::vector<MessageRecord> its;
            for (std::size_t i = 0; i < run.messages.size(); ++i)
                if (run.messages.round()[i] == round) its.push_back(run.messages[i]);
            if (its.empty()) continue;
            ASSERT_NE(row, rows.end());
            Bytes bytes = 0;
            Bytes largest = 0;
            Picoseconds begin = Picoseconds::max();
            Picoseconds end{};
            for (const MessageRecord& m : its) {
                bytes += m.bytes;
                largest = std::max(largest, m.bytes);
                begin = std::min({begin, m.sendBegin, m.receiveBegin});
                end = std::max({end, m.sendEnd, m.receiveEnd});
            }
            ASSERT_EQ(row->round, round);
            ASSERT_EQ(row->messages, static_cast<std::int64_t>(its.size()));
            ASSERT_EQ(row->bytes, bytes);
            ASSERT_EQ(row->largest, largest);
            ASSERT_EQ(row->begin, begin);
            ASSERT_EQ(row->end, end);
            double still = 0;
            for (Rank rank{0}; rank.value < run.ranks; ++rank)
                for (Picoseconds at = begin; at < end; at += Picoseconds{1})
                    still += std::none_of(its.begin(), its.end(), [&](const MessageRecord& m) {
                        return (m.from == rank && m.sendBegin <= at && at < m.sendEnd) ||
                               (m.to == rank && m.receiveBegin <= at && at < m.receiveEnd);
                    });
            const double all = static_cast<double>((end - begin).count()) * run.ranks;
            ASSERT_TRUE(row->idleShare.has_value());
            ASSERT_NEAR(*row->idleShare, all > 0 ? still / all : 0, 1e-9) << "trial " << trial;
            ++row;
        }
        ASSERT_EQ(row, rows.end());
    }
}

/// What each pair of messages says of their rounds: 1 where the second one follows, 0 where it is not before the first,
/// nothing where they have nothing to do with each other.
std::optional<int> follows(const MessageRecord& x, const MessageRecord& y, bool xIsFirst) {
    std::optional<int> least;
    const auto onPort = [&](Picoseconds xBegin, Picoseconds xEnd, Picoseconds yBegin, Picoseconds yEnd) {
        if (xBegin < yBegin && xEnd <= yBegin) least = 1;
        else if (std::tuple{xBegin, xEnd, !xIsFirst} < std::tuple{yBegin, yEnd, xIsFirst})
            least = std::max(least.value_or(0), 0);
    };
    if (x.from == y.from) onPort(x.sendBegin, x.sendEnd, y.sendBegin, y.sendEnd);
    if (x.to == y.to) onPort(x.receiveBegin, x.receiveEnd, y.receiveBegin, y.receiveEnd);
    if (x.to == y.from && x.receiveEnd <= y.sendBegin) least = 1;
    return least;
}

/// Rounds as the longest chains of messages: longest paths by Floyd and Warshall; nothing where chains go round.
std::optional<std::vector<Round>> longestChains(const engine::Run& run) {
    const std::size_t count = run.messages.size();
    std::vector<std::vector<int>> path(count, std::vector<int>(count, -1));
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b)
            if (a != b) path[a][b] = follows(run.messages[a], run.messages[b], a < b).value_or(-1);
    for (std::size_t over = 0; over < count; ++over)
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b)
                if (path[a][over] >= 0 && path[over][b] >= 0)
                    // No chain is longer; one that goes round would grow for ever.
                    path[a][b] = std::max(path[a][b], std::min(path[a][over] + path[over][b], static_cast<int>(count)));
    std::vector<Round> found(count, Round{0});
    for (std::size_t b = 0; b < count; ++b) {
        if (path[b][b] >= 0) return std::nullopt;
        for (std::size_t a = 0; a < count; ++a) found[b] = std::max(found[b], Round{path[a][b]});
    }
    return found;
}

TEST(LogicalRoundsJudged, areTheLongestChains) {
    std::mt19937 random{5};
    int judged = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const engine::Run run = slow::randomRun(random, trial % 2 == 0, trial % 3 == 0 ? 1 : 0);
        const auto expected = longestChains(run);
        if (!expected) continue;
        ++judged;
        ASSERT_EQ(logicalRounds(run), *expected) << "trial " << trial;
    }
    EXPECT_GT(judged, 1000);
}

TEST(FitJudged, isTheMedianOfSlopes) {
    std::mt19937 random{6};
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<Transfer> transfers;
        const int count = 4 + below(random, 30);
        for (int i = 0; i < count; ++i) {
            const Bytes bytes = 8 * (i < 2 ? i : below(random, 6));
            const int stray = below(random, 5) == 0 ? below(random, 5000) : below(random, 20);
            transfers.push_back({bytes, Picoseconds{1000 + 7 * bytes + stray}});
        }
        std::vector<double> slopes;
        for (const Transfer& a : transfers)
            for (const Transfer& b : transfers)
                if (a.bytes < b.bytes)
                    slopes.push_back(static_cast<double>((b.time - a.time).count()) /
                                     static_cast<double>(b.bytes - a.bytes));
        std::sort(slopes.begin(), slopes.end());
        const engine::Rate beta{std::llround(1000 * std::max(0.0, slopes[(slopes.size() - 1) / 2]))};
        std::vector<Picoseconds> left;
        for (const Transfer& one : transfers) left.push_back(one.time - beta * one.bytes);
        std::sort(left.begin(), left.end());
        std::string why;
        const auto fit = fitted(transfers, why);
        ASSERT_TRUE(fit.has_value()) << why;
        ASSERT_EQ(fit->model.beta, beta) << "trial " << trial;
        ASSERT_EQ(fit->model.alpha, std::max(Picoseconds{}, left[static_cast<std::size_t>(count) / 2]));
        ASSERT_EQ(fit->samples, count);
        ASSERT_LE(fit->betaLow, beta);
        ASSERT_GE(fit->betaHigh, beta);
        ASSERT_LE(fit->alphaLow, fit->model.alpha);
        ASSERT_GE(fit->alphaHigh, fit->model.alpha);
    }
}

TEST(FitJudged, takesTheTimeFromWhenBothEndsAreThere) {
    std::mt19937 random{7};
    for (int trial = 0; trial < 500; ++trial) {
        const bool calls = trial % 2 == 0;
        const engine::Run run = slow::randomRun(random, calls);
        std::vector<Transfer> expected;
        for (std::size_t i = 0; i < run.messages.size(); ++i) {
            const MessageRecord m = run.messages[i];
            const Picoseconds time = m.receiveEnd - std::max(m.sendBegin, m.receiveBegin);
            const bool late = calls && m.receiveBegin > m.sendBegin;
            if (!late && time > Picoseconds{}) expected.push_back({m.bytes, time});
        }
        ASSERT_EQ(transfersOf(run), expected);
    }
}

/// Every rank came somewhere within ten picoseconds; some were not recorded.
Instance randomInstance(std::mt19937& random, const std::string& operation) {
    Instance instance;
    instance.operation = operation;
    const int ranks = 1 + below(random, 6);
    for (int r = 0; r < ranks; ++r) {
        instance.ranks.push_back(Rank{r});
        instance.stays.emplace_back();
        const Picoseconds begin{below(random, 10)};
        if (below(random, 6) != 0) instance.stays.back() = {begin, begin + Picoseconds{below(random, 12)}};
    }
    if (below(random, 5) != 0) instance.root = Rank{below(random, ranks)};
    return instance;
}

TEST(ArrivalsJudged, waitForWhomScalascaSays) {
    const std::vector<std::pair<std::string, CollectiveWait>> kinds{
        {"barrier", CollectiveWait::atBarrier},      {"bcast", CollectiveWait::lateBroadcast},
        {"scatterv", CollectiveWait::lateBroadcast}, {"reduce", CollectiveWait::earlyReduce},
        {"gather", CollectiveWait::earlyReduce},     {"allreduce", CollectiveWait::atNxN},
        {"alltoallw", CollectiveWait::atNxN},        {"reduce-scatter", CollectiveWait::atNxN},
        {"scan", CollectiveWait::earlyScan},         {"messages", CollectiveWait::none}};
    std::mt19937 random{8};
    for (int trial = 0; trial < 3000; ++trial) {
        const auto& [operation, kind] = kinds[static_cast<std::size_t>(below(random, 10))];
        const Instance instance = randomInstance(random, operation);
        const Arrivals found = arrivalsOf(instance);
        std::vector<std::size_t> there;
        for (std::size_t r = 0; r < instance.stays.size(); ++r)
            if (instance.stays[r]) there.push_back(r);
        const auto came = [&](std::size_t rank) { return instance.stays[rank]->begin; };
        std::vector<Picoseconds> expected(instance.stays.size());
        Picoseconds first = Picoseconds::max();
        Picoseconds last{};
        for (const std::size_t rank : there) first = std::min(first, came(rank)), last = std::max(last, came(rank));
        const bool collective = operation != "messages" && !there.empty();
        const bool several = collective && there.size() > 1;
        ASSERT_EQ(found.spread, several ? std::optional{last - first} : std::nullopt) << operation;
        const bool rooted = kind == CollectiveWait::lateBroadcast || kind == CollectiveWait::earlyReduce;
        const bool rootThere = instance.root && instance.stays[instance.root->index()];
        const bool known = collective && kind != CollectiveWait::none && (!rooted || rootThere);
        ASSERT_EQ(found.kind, known ? kind : CollectiveWait::none) << operation;
        if (known)
            for (const std::size_t rank : there) {
                Picoseconds until = last;
                if (kind == CollectiveWait::lateBroadcast) until = came(instance.root->index());
                if (kind == CollectiveWait::earlyScan) {
                    until = came(rank);
                    for (const std::size_t other : there)
                        if (other < rank) until = std::max(until, came(other));
                }
                if (kind == CollectiveWait::earlyReduce) {
                    if (rank != instance.root->index()) continue;
                    until = Picoseconds::max();
                    for (const std::size_t other : there)
                        if (other != rank) until = std::min(until, came(other));
                    if (until == Picoseconds::max()) continue;
                }
                expected[rank] = std::max(Picoseconds{}, std::min(until, instance.stays[rank]->end) - came(rank));
            }
        ASSERT_EQ(found.perRank, expected) << operation << ", trial " << trial;
        ASSERT_EQ(found.waiting, std::accumulate(expected.begin(), expected.end(), Picoseconds{}));
        // Beyond that, in a rooted collective, until all have entered who do so while the rank is in it: of a reduce or
        // gather first the root. A rank that left before another one entered did not wait for it.
        std::map<std::size_t, Picoseconds> further;
        for (const std::size_t rank : there) {
            if (!known || !rooted) break;
            const Picoseconds left = instance.stays[rank]->end;
            Picoseconds until = came(rank) + expected[rank];
            const Picoseconds since = until;
            for (const std::size_t other : there)
                if (other != rank && came(other) <= left) until = std::max(until, came(other));
            if (until > since) further[rank] = until - since;
        }
        std::map<std::size_t, Picoseconds> told;
        for (const Arrivals::FurtherWait& more : found.further) {
            told[more.place] += more.time;
            ASSERT_EQ(came(more.late), more.begin + more.time);
            ASSERT_EQ(more.whom == Arrivals::FurtherWait::For::root, more.late == instance.root->index());
        }
        ASSERT_EQ(told, further) << operation << ", trial " << trial;
        for (const auto& [rank, time] : further) expected[rank] += time;
        ASSERT_EQ(waitedIn(instance), expected);
        if (!collective || last == first) {
            ASSERT_FALSE(found.last.has_value());
        } else {
            ASSERT_EQ(came(found.last.value().index()), last);
        }
    }
}

}  // namespace
}  // namespace app::analysis
