// SPDX-License-Identifier: BSD-3-Clause
// Programs as GOAL text: what its graph takes is what their replay takes.
#include "emulation/replay/goal.hpp"
#include "emulation/replay/goal_program.hpp"
#include "emulation/replay/replay.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/schedule_files/goal/goal_file.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/programs/replay_programs.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace emulation {
namespace {

using engine::Picoseconds;
using support::Making;

std::string goalOf(const Program& program) {
    std::ostringstream out;
    writeGoal(program, out);
    return out.str();
}

/// Reads GOAL and says when each rank is done, if a message of m bytes takes 10 + m ns from when it is sent, and its
/// receive as long from when both ends are there. Nothing waits for ports.
class Graph {
public:
    explicit Graph(const std::string& text) {
        std::istringstream in{text};
        std::string word;
        std::size_t rank = 0;
        in >> word >> count;
        EXPECT_EQ(word, "num_ranks");
        for (std::string line; std::getline(in, line);) {
            std::istringstream words{line};
            std::string first, what, bytes, direction, tag;
            if (!(words >> first) || first == "}") continue;
            words >> what;
            if (first == "rank") {
                rank = std::stoul(what);
                continue;
            }
            const std::string name = first.substr(0, first.find(':'));
            if (what == "requires") {
                words >> bytes;
                operations.at({rank, name}).after.push_back(bytes);
                EXPECT_TRUE(operations.contains({rank, bytes})) << line;
                continue;
            }
            Operation operation{.what = what};
            words >> bytes;
            operation.number = std::stoll(bytes);
            if (what != "calc") {
                std::size_t peer = 0;
                words >> direction >> peer >> what >> tag;
                EXPECT_EQ(direction, operation.what == "send" ? "to" : "from") << line;
                auto& ends = operation.what == "send" ? sends[{rank, peer, tag}] : receives[{peer, rank, tag}];
                ends.emplace_back(rank, name);
            }
            EXPECT_TRUE(operations.emplace(std::pair{rank, name}, operation).second) << line;
        }
        EXPECT_EQ(sends.size(), receives.size());
        for (const auto& [which, ends] : receives) {
            const auto& other = sends.at(which);
            EXPECT_EQ(other.size(), ends.size());
            for (std::size_t i = 0; i < ends.size(); ++i) operations.at(ends[i]).sender = other[i];
        }
    }

    std::int64_t end(std::size_t rank) {
        std::int64_t latest = 0;
        for (auto& [name, operation] : operations)
            if (name.first == rank) latest = std::max(latest, endOf(name));
        return latest;
    }

private:
    using Name = std::pair<std::size_t, std::string>;
    struct Operation {
        std::string what;
        std::int64_t number = 0;
        std::vector<std::string> after{};
        Name sender{};
        std::int64_t known = -1;
    };

    std::int64_t begin(const Name& name) {
        std::int64_t latest = 0;
        for (const std::string& before : operations.at(name).after)
            latest = std::max(latest, endOf({name.first, before}));
        return latest;
    }
    std::int64_t endOf(const Name& name) {
        Operation& operation = operations.at(name);
        if (operation.known >= 0) return operation.known;
        std::int64_t from = begin(name);
        if (operation.what == "recv") from = std::max(from, begin(operation.sender));
        return operation.known = from + operation.number + (operation.what == "calc" ? 0 : 10);
    }

    std::size_t count = 0;
    std::map<Name, Operation> operations;
    std::map<std::tuple<std::size_t, std::size_t, std::string>, std::deque<Name>> sends, receives;
};

/// Messages that a replay moved, and how many of them were to oneself.
class Moving : public ReplayObserver {
public:
    void message(const engine::MessageRecord& message, std::int64_t) override {
        if (message.from == message.to) ++toSelf;
        else all.insert({message.from.value, message.to.value, message.bytes});
    }
    void did(Rank, std::size_t, Picoseconds, Picoseconds) override {}

    std::multiset<std::tuple<int, int, engine::Bytes>> all;
    int toSelf = 0;
};

TEST(Goal, saysWhoRequiresWhom) {
    Making making{2};
    making.add(0, Does::computes, 1'600);
    const auto first = making.message(0, 1, 5);
    const auto second = making.message(0, 1, 7);
    making.add(0, Does::sends, first).add(0, Does::sends, second);
    making.add(0, Does::awaitsSend, first).add(0, Does::awaitsSend, second).add(0, Does::computes, 1'600);
    making.receive(1, first);
    making.receive(1, second);
    EXPECT_EQ(goalOf(making.made), R"(num_ranks 2

rank 0 {
l1: calc 1
l2: send 5b to 1 tag 0
l2 requires l1
l3: send 7b to 1 tag 1
l3 requires l1
l4: calc 2
l4 requires l1
l4 requires l2
l4 requires l3
}

rank 1 {
l1: recv 5b from 0 tag 0
l2: recv 7b from 0 tag 1
l2 requires l1
}
)");
}

TEST(Goal, takesWhatItsReplayTakes) {
    std::mt19937 random{7};
    const Conditions nanoseconds{.model = {.alpha = Picoseconds{10'000}, .beta = engine::Rate{1'000'000}}, .ports = 0};
    for (int trial = 0; trial < 2000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 1 + static_cast<int>(random() % 5);
        const Program program =
            support::randomProgram(random, ranks, {.meetings = false, .unit = 1000, .toSelf = false});
        const NetworkPtr full = makeNetwork("full", ranks);
        const Replayed replayed = replay(program, *full, nanoseconds);
        if (!replayed.stuck.empty()) continue;
        Graph graph{goalOf(program)};
        // What is read back of it takes as long, in chains instead of one thing after the other.
        const GoalProgram read =
            programOf(engine::schedules::goal::fileFrom(goalOf(program), "program.goal"), "program.goal");
        const Replayed again = replay(read.program, *full, nanoseconds);
        ASSERT_TRUE(again.stuck.empty());
        for (const Rank rank : program.ranks.ids()) {
            ASSERT_EQ(graph.end(rank.index()) * 1000, replayed.ranks[rank].end.count()) << "rank " << rank.value;
            ASSERT_EQ(again.ranks[rank].end, replayed.ranks[rank].end) << "rank " << rank.value;
        }
    }
}

/// Every algorithm of the catalogue, those among them whose sends and receives go apart, and computing behind it.
TEST(Goal, takesWhatCollectivesTake) {
    const engine::Rate nanosecond{1'000'000};
    const Conditions nanoseconds{.model = {.alpha = Picoseconds{10'000}, .beta = nanosecond}, .ports = 0};
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (const engine::Problem& problem : support::problemsFor(algorithm->collective, 4)) {
            if (algorithm->objects != nullptr &&
                algorithm->objects(problem, engine::Options{"", algorithm->options, {}}))
                continue;
            SCOPED_TRACE(testing::Message() << algorithm->id << " " << engine::toText(problem));
            const engine::Plan plan = engine::makePlan(*algorithm, problem, {});
            const std::int32_t ranks = plan.schedule->facts().ranks;
            Making making{ranks};
            std::vector<Rank> members;
            for (std::int32_t rank = 0; rank < ranks; ++rank) {
                members.emplace_back(rank);
                making.add(rank, Does::computes, 1000 * rank)
                    .add(rank, Does::enters, 0)
                    .add(rank, Does::computes, 7000);
            }
            making.made.collectives.push_back({.members = std::make_shared<const std::vector<Rank>>(members),
                                               .schedule = plan.schedule,
                                               .gamma = nanosecond});
            const Replayed replayed = replay(making.made, *makeNetwork("full", ranks), nanoseconds);
            Graph graph{goalOf(making.made)};
            for (const Rank rank : making.made.ranks.ids())
                ASSERT_EQ(graph.end(rank.index()) * 1000, replayed.ranks[rank].end.count()) << "rank " << rank.value;
        }
}

/// What our own reader of GOAL finds is what the replay moved, but for messages to oneself.
TEST(Goal, isReadBack) {
    std::mt19937 random{11};
    int withSelf = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 1 + static_cast<int>(random() % 5);
        const Program program = support::randomProgram(random, ranks, {.meetings = false, .unit = 1000});
        Moving moved;
        const Replayed replayed =
            replay(program, *makeNetwork("full", ranks), {.model = {.alpha = Picoseconds{10'000}}}, {}, &moved);
        if (!replayed.stuck.empty()) continue;
        withSelf += moved.toSelf;
        const engine::schedules::goal::File file = engine::schedules::goal::fileFrom(goalOf(program), "program.goal");
        ASSERT_EQ(file.ranks.size(), engine::asSize(ranks));
        std::multiset<std::tuple<int, int, engine::Bytes>> read;
        for (int rank = 0; rank < ranks; ++rank)
            for (const auto& operation : file.ranks[engine::asSize(rank)])
                if (operation.kind == engine::schedules::goal::Kind::send)
                    read.insert({rank, operation.peer.value, operation.bytes});
        ASSERT_EQ(read, moved.all);
    }
    EXPECT_GT(withSelf, 100);
}

TEST(Goal, letsMessagesToOneselfTakeNoTime) {
    Making making{1};
    const auto m = making.message(0, 0, 5);
    making.add(0, Does::receives, m).add(0, Does::computes, 2000).add(0, Does::sends, m);
    making.add(0, Does::awaitsSend, m).add(0, Does::awaitsReceive, m).add(0, Does::computes, 3000);
    EXPECT_EQ(goalOf(making.made), R"(num_ranks 1

rank 0 {
l1: calc 2
l2: calc 0
l2 requires l1
l3: calc 3
l3 requires l1
l3 requires l2
l3 requires l2
}
)");
}

/// All come before anybody goes.
TEST(Goal, writesMeetingsAsBarriers) {
    Making making{3};
    making.made.collectives.push_back(
        {.members = std::make_shared<const std::vector<Rank>>(std::vector{Rank{2}, Rank{0}, Rank{1}}),
         .schedule = nullptr});
    for (const int rank : {0, 1, 2})
        making.add(rank, Does::computes, 1000 * rank).add(rank, Does::enters, 0).add(rank, Does::lingers, 5000);
    Graph graph{goalOf(making.made)};
    for (const std::size_t rank : {0U, 1U, 2U}) EXPECT_GE(graph.end(rank), 2 + 10 + 5);
}

}  // namespace
}  // namespace emulation
