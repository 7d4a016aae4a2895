// SPDX-License-Identifier: BSD-3-Clause
// What the first page of a program says, held against its waits, instances and parts, on many random programs.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/missing_data.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/wait_states/root_causes.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/programs/late_program.hpp"
#include "tests/support/programs/thread_program.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace app::analysis::on_first_pages {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::showTime;
using engine::text;

using samples::traceOf;

std::string joinedPage(const std::vector<std::string>& page) { return engine::joined(page, "\n"); }
std::string joinedPage(const std::vector<Finding>& page) { return joinedPage(inWords(page)); }

/// One finding about where waits came from.
struct Origin {
    Rank rank;
    double share = 0;  ///< of all waits
    std::optional<Picoseconds> time{};
    bool isPart = false;  ///< its sentence calls it a part of what the first one reports
};

std::vector<Origin> originsOn(const std::vector<Finding>& page) {
    std::vector<Origin> origins;
    for (const Finding& finding : page) {
        if (finding.kind != FindingKind::waitStates && finding.kind != FindingKind::rootCause) continue;
        const auto rank = finding.fact<std::int64_t>("origin");
        if (!rank) continue;
        // All that the first rank caused, then single causes.
        const bool isFirst = finding.kind == FindingKind::waitStates;
        origins.push_back({Rank{static_cast<std::int32_t>(*rank)},
                           *finding.fact<double>(isFirst ? "caused_share" : "part_share"),
                           finding.fact<Picoseconds>(isFirst ? "caused_s" : "time_s"),
                           finding.words.starts_with("The waiting time caused by ")});
    }
    return origins;
}

/// By wait, where each came from; what is said of ranks are pieces of it that lie beside each other, and what is said
/// of the first rank again is a part of what was said.
TEST(FirstPageJudged, tellsSharesThatAddUp) {
    std::mt19937 random{81};
    int parts = 0, others = 0;
    for (int trial = 0; trial < 250; ++trial) {
        const Trace trace = traceOf(trial % 5 == 0 ? samples::ThreadPlay{static_cast<unsigned>(trial)}.play().recording
                                                   : support::lateProgram(random, {.regions = trial % 4 != 0}));
        TraceAnalysis analysis{trace, {}};
        const std::vector<Finding> page = firstPage(analysis);
        const std::vector<Origin> told = originsOn(page);
        Picoseconds all{};
        std::map<Rank, Picoseconds> from;
        const auto counts = [](const Wait& wait) {
            return wait.kind != WaitKind::completionNxN && wait.kind != WaitKind::completionBarrier;
        };
        for (const Wait& wait : analysis.waits())
            if (counts(wait)) from[wait.origin] += wait.time, all += wait.time;
        for (const WaitShare& share : analysis.keptWaits()->shares) {
            const Wait& wait = analysis.waits()[share.wait];
            if (counts(wait)) from[wait.origin] -= share.time, from[share.origin] += share.time;
        }
        if (all.count() == 0) {
            EXPECT_TRUE(told.empty()) << joinedPage(page);
            continue;
        }
        if (joinedPage(page).find("one after the other (see Serialization)") != std::string::npos)
            continue;  // nobody is late there
        if (joinedPage(page).find("No rank stands out") != std::string::npos) {
            EXPECT_TRUE(told.empty()) << joinedPage(page);
            for (const auto& [rank, time] : from) EXPECT_LT(2 * time, all) << joinedPage(page);
            continue;
        }
        ASSERT_FALSE(told.empty()) << joinedPage(page);
        const auto shareFrom = [&](Rank rank) {
            return static_cast<double>(from[rank].count()) / static_cast<double>(all.count());
        };
        constexpr double rounding = 1e-9;
        const Rank worst = told.front().rank;
        EXPECT_NEAR(told.front().share, shareFrom(worst), rounding) << joinedPage(page);
        EXPECT_EQ(told.front().time, from[worst]) << joinedPage(page);
        for (const auto& [rank, time] : from) EXPECT_LE(time, from[worst]) << joinedPage(page);
        double apart = told.front().share, ofWorst = 0;
        std::map<Rank, double> ofRank;
        for (std::size_t i = 1; i < told.size(); ++i) {
            const Origin& one = told[i];
            EXPECT_EQ(one.isPart, std::any_of(told.begin(), told.begin() + static_cast<std::ptrdiff_t>(i),
                                              [&](const Origin& before) { return before.rank == one.rank; }))
                << joinedPage(page);
            (one.isPart ? parts : others) += 1;
            (one.rank == worst ? ofWorst : apart) += one.share;
            ofRank[one.rank] += one.share;
            ASSERT_TRUE(one.time) << joinedPage(page);
            EXPECT_NEAR(static_cast<double>(one.time->count()) / static_cast<double>(all.count()), one.share, rounding)
                << joinedPage(page);
        }
        EXPECT_LE(apart, 1 + rounding) << joinedPage(page);
        // The place that was named first has at least as much as any other.
        EXPECT_LE(ofWorst, told.front().share + rounding) << joinedPage(page);
        for (const auto& [rank, share] : ofRank) EXPECT_LE(share, shareFrom(rank) + rounding) << joinedPage(page);
    }
    EXPECT_GT(parts, 50);
    EXPECT_GT(others, 50);
}

/// Each of eight ranks comes late to every eighth barrier, or three ranks alone do so in turn.
TEST(FirstPageJudged, blamesNoRankWhereAllDelayTheOthersAlike) {
    const auto page = [](int late) {
        constexpr int ranks = 8, steps = 48;
        traces::RecordingBuilder b{ranks};
        Picoseconds now{};
        const auto us = [](int time) { return Picoseconds{time * 1'000'000}; };
        for (int step = 0; step < steps; ++step, now += us(200)) {
            std::vector<traces::Participant> parts;
            for (int rank = 0; rank < ranks; ++rank) {
                const Picoseconds came = now + us(rank == step % late ? 100 + step % 3 : 10);
                b.enter(rank, came, "MPI_Barrier");
                b.leave(rank, now + us(110));
                parts.push_back({.rank = Rank{rank}, .begin = came, .end = now + us(110)});
            }
            b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
        }
        const Trace trace = traceOf(b.finish());
        TraceAnalysis analysis{trace, {}};
        return joinedPage(support::firstPageInWords(analysis));
    };
    EXPECT_NE(page(8).find("No rank stands out: ranks 0, 1, 2, 3, 4, 5, 6 and 7 caused 12.5% of the waiting time each"),
              std::string::npos)
        << page(8);
    EXPECT_EQ(page(3).find("No rank stands out"), std::string::npos) << page(3);
    EXPECT_EQ(page(1).find("No rank stands out"), std::string::npos) << page(1);
}

/// Whatever makes instances one kind, they do the same among as many ranks.
void expectAlikeWithinKinds(TraceAnalysis& analysis) {
    std::map<std::size_t, std::size_t> first;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& one = analysis.instances()[i];
        const Instance& other = analysis.instances()[first.try_emplace(analysis.kindOf(i), i).first->second];
        ASSERT_EQ(one.operation, other.operation) << i;
        ASSERT_EQ(one.ranks.size(), other.ranks.size()) << i << ", " << one.operation;
    }
}

/// What a finding reports of a kind of instances.
struct KindTold {
    std::string operation;
    std::int64_t ranks = 0;
    std::int64_t communicators = 1;
    std::int64_t times = 1;
    Picoseconds time{};

    friend auto operator<=>(const KindTold&, const KindTold&) = default;
};

std::vector<KindTold> kindsOn(const std::vector<Finding>& page) {
    std::vector<KindTold> told;
    for (const Finding& finding : page) {
        if (finding.kind != FindingKind::instances) continue;
        const auto count = [&](const char* name) { return finding.fact<std::int64_t>(name).value_or(-1); };
        const auto time = finding.fact<Picoseconds>(count("instances") > 1 ? "in_calls_s" : "duration_s");
        told.push_back({finding.fact<std::string>("operation").value_or(""), count("ranks"), count("communicators"),
                        count("instances"), time.value_or(Picoseconds{-1})});
    }
    return told;
}

/// Of what was written, not of what was found: which communicator a collective was on.
TEST(FirstPageJudged, joinsNoInstancesOfDifferentNumbersOfRanks) {
    std::mt19937 random{82};
    int several = 0;
    for (int trial = 0; trial < 250; ++trial) {
        const Trace trace =
            traceOf(support::lateProgram(random, {.regions = false, .messages = false, .communicators = 5}));
        const traces::Recording& recording = *trace.recording;
        TraceAnalysis analysis{trace, {}};
        const std::vector<Finding> page = firstPage(analysis);
        expectAlikeWithinKinds(analysis);
        // By operation and ranks: nobody says what the bytes of an allreduce mean.
        using Key = std::pair<std::string, std::int64_t>;
        struct Sum {
            std::set<std::int32_t> communicators;
            std::int64_t times = 0;
            Picoseconds time{};
            Picoseconds ofRanks{};
        };
        std::map<Key, Sum> sums;
        for (const traces::Collective& one : recording.collectives.instances) {
            const auto its = recording.collectives.of(one);
            Picoseconds first = its.front().begin, last = its.front().end;
            for (const traces::Participant& part : its)
                first = std::min(first, part.begin), last = std::max(last, part.end);
            Sum& sum = sums[{std::string{traces::nameOf(one.operation)}, static_cast<std::int64_t>(its.size())}];
            sum.communicators.insert(one.communicator);
            ++sum.times;
            sum.time += last - first;
            for (const traces::Participant& part : its) sum.ofRanks += part.end - part.begin;
        }
        std::vector<KindTold> expected;
        for (const auto& [key, sum] : sums)
            expected.push_back({key.first, key.second, static_cast<std::int64_t>(sum.communicators.size()), sum.times,
                                sum.times > 1 ? sum.ofRanks : sum.time});
        const std::vector<KindTold> told = kindsOn(page);
        ASSERT_FALSE(told.empty()) << joinedPage(page);
        for (const KindTold& kind : told) {
            EXPECT_EQ(std::count(expected.begin(), expected.end(), kind), 1)
                << kind.operation << ' ' << kind.ranks << ' ' << kind.communicators << ' ' << kind.times << ' '
                << kind.time.count() << '\n'
                << joinedPage(page);
            if (kind.communicators > 1) ++several;
        }
        const std::size_t others = sums.size() - told.size();
        const std::string more =
            text(" ", others, others == 1 ? " more kind" : " more kinds", " of collectives and exchanges take");
        EXPECT_EQ(joinedPage(page).find(more) != std::string::npos, others > 0) << more << '\n' << joinedPage(page);
    }
    EXPECT_GT(several, 100);
}

/// There are more different ones than are compared with the catalogue: one message each, of as many bytes as no other.
TEST(FirstPageJudged, joinsNoInstancesThatItDoesNotLookAtEither) {
    traces::RecordingBuilder b{4};
    b.communicator("two", {Rank{0}, Rank{1}});
    b.communicator("three", {Rank{0}, Rank{1}, Rank{2}});
    constexpr int steps = 420;
    for (int step = 0; step < steps; ++step) {
        const Picoseconds begin{step * 1000}, end{step * 1000 + 100};
        b.message({.from = Rank{0},
                   .to = Rank{1},
                   .communicator = step % 3,
                   .bytes = step + 1,
                   .sendBegin = begin,
                   .sendEnd = end,
                   .receiveBegin = begin,
                   .receiveEnd = end});
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < std::array{4, 2, 3}[static_cast<std::size_t>(step % 3)]; ++rank)
            parts.push_back({.rank = Rank{rank}, .begin = end + Picoseconds{50}, .end = end + Picoseconds{60}});
        b.collective(traces::Operation::barrier, step % 3, traces::noRank, parts);
    }
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const std::string page = joinedPage(support::firstPageInWords(analysis));
    ASSERT_EQ(analysis.instances().size(), static_cast<std::size_t>(2 * steps));
    expectAlikeWithinKinds(analysis);
    for (const char* kind :
         {"messages among 2 ranks (two): 140 exchanges,", "messages among 3 ranks (three): 140 exchanges,",
          "messages among 4 ranks: 140 exchanges,"})
        EXPECT_NE(page.find(kind), std::string::npos) << kind << '\n' << page;
}

/// Whatever chooses a part, what lacks is said of the trace: nothing tells which of it lies in the part.
TEST(FirstPageJudged, saysOfWhatItIsThatSomethingLacks) {
    std::mt19937 random{83};
    const std::string begin = "Limitations of ", scope = "the whole trace";
    int told = 0;
    for (int trial = 0; trial < 60; ++trial) {
        traces::Recording recording = support::lateProgram(random, {.communicators = 2});
        recording.absences.push_back({.what = traces::Absence::interval,
                                      .location = 0,
                                      .count = 1,
                                      .end = recording.duration / 3,
                                      .words = "rank 0 did not record for a while"});
        const Trace trace = traceOf(std::move(recording));
        const Picoseconds end = trace.recording->duration;
        const std::vector<AnalysisOptions> parts{{},
                                                 {.part = {.from = end / 4}},
                                                 {.part = {.to = end / 2}},
                                                 {.part = {.from = end / 2, .to = end * 3 / 4}},
                                                 {.part = {.ranks = {Rank{0}, Rank{1}}}},
                                                 {.part = {.bytes = {{16, 1 << 20}}}},
                                                 {.part = {.tags = {{0, 7}}}},
                                                 {.communicators = {"0"}},
                                                 {.topology = "full"}};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            TraceAnalysis analysis{trace, parts[i]};
            const std::vector<std::string> page = support::firstPageInWords(analysis);
            const bool whole = i == 0 || i + 1 == parts.size();
            for (const std::string& sentence : page) {
                if (!sentence.starts_with(begin)) continue;
                EXPECT_EQ(sentence.substr(begin.size()).starts_with(scope), !whole) << i << ": " << sentence;
                EXPECT_NE(sentence.find("rank 0 did not record for a while"), std::string::npos) << sentence;
                ++told;
            }
        }
    }
    EXPECT_EQ(told, 60 * 9);
}

/// Delays of less than a tenth of the longest one are not counted.
TEST(FirstPageJudged, tellsHowLateAsTheHeadlineDoes) {
    std::mt19937 random{84};
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int varied = 0, alike = 0, once = 0;
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<std::int64_t> late(static_cast<std::size_t>(1 + 2 * below(6)));
        for (std::int64_t& one : late) one = 200 + below(below(2) == 0 ? 150 : 40);
        if (below(2) == 0) late[static_cast<std::size_t>(below(static_cast<int>(late.size())))] = 230 + below(2000);
        std::vector<std::int64_t> sorted = late;
        std::sort(sorted.begin(), sorted.end());
        const std::int64_t longest = sorted.back();
        std::erase_if(sorted, [&](std::int64_t one) { return 10 * one < longest; });
        // Of an even number, between the two in the middle.
        const std::int64_t middle = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
        const std::int64_t second = sorted.size() > 1 ? sorted[sorted.size() - 2] : 0;
        std::int64_t since = 0;  // when others began to wait for the longest
        for (std::size_t i = 0; i < late.size(); since += late[i] + 10, ++i)
            if (since += 3000; late[i] == longest) break;
        // In the middle of calls that nobody is late to.
        for (int k = below(3); k > 0; --k) late.push_back(0);
        const auto us = [](std::int64_t microseconds) { return showTime(Picoseconds{microseconds * 1'000'000}); };
        const std::string on = text("at ", showTime(Picoseconds{since * 1'000'000}, engine::ofPoints), " of the trace"),
                          times = text(sorted.size(), " times");
        std::string there, above;
        if (sorted.size() == 1) {
            there = text(": late once, by ", us(longest), " (", on, ")"),
            above = text("NxN, late once by ", us(longest), "); ");
            ++once;
        } else if (2 * longest > 3 * middle) {
            there = longest > 3 * second ? text(": late ", times, ": once by ", us(longest), " (", on,
                                                "), otherwise by at most ", us(second))
                                         : text(": late ", times, ", typically by ", us(middle), " and at most by ",
                                                us(longest), " (", on, ")");
            above = text("NxN, late ", times, ", at most by ", us(longest), "); ");
            ++varied;
        } else {
            // The first of those that are as long.
            there = us(middle) == us(longest)
                        ? text(": late ", times, ", by ", us(middle), " each (the longest ", on, ")")
                        : text(": late ", times, ", typically by ", us(middle), " and at most by ", us(longest), " (",
                               on, ")");
            above = text("NxN, late ", times, ", typically by ", us(middle), "); ");
            ++alike;
        }
        const Trace trace = traceOf(support::lateBy(late));
        TraceAnalysis analysis{trace, {}};
        const TracedProgram program{analysis};
        EXPECT_NE(program.besides().find(above), std::string::npos) << above << '\n' << program.besides();
        TraceAnalysis another{trace, {}};
        const std::string page = joinedPage(support::firstPageInWords(another));
        if (page.find("; the delay ") != std::string::npos) continue;  // the page reports a trend instead
        EXPECT_NE(page.find(there), std::string::npos) << there << '\n' << page;
    }
    for (const int count : {varied, alike, once}) EXPECT_GT(count, 20);
}

/// Where the page tells of the headline's cause first, both say how late that made a rank in the same words.
TEST(FirstPageJudged, saysNothingElseThanTheHeadline) {
    static const std::regex onPage{
        R"(\. Rank (\d+) caused \S+% of the waiting time(?: \([^)]*\))?, mostly (?:in )?(.*?): late \S+(?: times)?, (?:typically )?by (\S+ [a-z]+)(?: and at most by (\S+ [a-z]+))?)"};
    static const std::regex inHeadline{
        R"(^[^;]*?, late (?:once|\d+ times,) (?:(?:typically|at most) )?by (\S+ [a-z]+)\);)"};
    std::mt19937 random{85};
    int compared = 0, chains = 0;
    for (int trial = 0; trial < 250; ++trial) {
        const Trace trace =
            traceOf(support::lateProgram(random, {.regions = trial % 2 == 0, .messages = trial % 3 == 0}));
        TraceAnalysis analysis{trace, {}};
        const TracedProgram program{analysis};
        if (program.causes().empty()) continue;
        const Cause& worst = program.causes().front();
        TraceAnalysis another{trace, {}};
        const std::string page = joinedPage(support::firstPageInWords(another)), beside = program.besides();
        if (const std::string headline = program.headline();
            page.find("No significant wait states") == std::string::npos &&
            headline.find("is unknown") == std::string::npos) {
            const bool isChain = page.find("one after the other (see Serialization)") != std::string::npos,
                       isInTurn = page.find(" were late in turn") != std::string::npos ||
                                  page.find(" were late one after the other") != std::string::npos,
                       namesNobody = page.find("No rank stands out") != std::string::npos;
            EXPECT_EQ(headline.find(" one after the other") != std::string::npos, isChain) << headline << '\n' << page;
            EXPECT_EQ(headline.find(" are late") != std::string::npos, isInTurn && !isChain) << headline << '\n'
                                                                                             << page;
            EXPECT_EQ(headline.find("no rank stands out") != std::string::npos, namesNobody && !isInTurn && !isChain)
                << headline << '\n'
                << page;
            chains += isChain ? 1 : 0;
        }
        std::smatch told, said;
        if (!std::regex_search(page, told, onPage) || !std::regex_search(beside, said, inHeadline)) continue;
        if (std::stoi(told[1]) != worst.rank.value || told[2] != nameOf(worst, program.paths())) continue;
        ++compared;
        EXPECT_EQ(beside.find(", at most by ") != std::string::npos ? told[4] : told[3], said[1]) << beside << '\n'
                                                                                                  << page;
    }
    EXPECT_GT(compared, 60);
    EXPECT_GT(chains, 0);
}

}  // namespace
}  // namespace app::analysis::on_first_pages
