// SPDX-License-Identifier: BSD-3-Clause
// Arguments of collectives that disagree are found, and arguments that the MPI standard allows are not called so:
// random calls that agree by construction, with and without one number changed.
#include "app/analysis/collectives/mismatches.hpp"

#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/first_page.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace app::analysis {
namespace {

using engine::Bytes;
using engine::Rank;
using engine::live::Disagreement;
using traces::Operation;
using traces::Participant;

/// A call that agrees: of two groups where q > 0, the root in the first.
struct Call {
    Operation operation = Operation::barrier;
    int p = 0, q = 0;
    int root = -1;
    std::vector<Participant> parts{};

    [[nodiscard]] int ranks() const { return p + q; }
    [[nodiscard]] bool inB(int i) const { return i >= p; }
};

bool isRooted(Operation operation) {
    using enum Operation;
    return operation == bcast || operation == gather || operation == gatherv || operation == scatter ||
           operation == scatterv || operation == reduce;
}
bool reduces(Operation operation) {
    using enum Operation;
    return operation == reduce || operation == allreduce || operation == scan || operation == exscan ||
           operation == reduceScatter || operation == reduceScatterBlock;
}

/// From what each rank sends to each one of the other group, or of its own. As the drop-in library counts: what the
/// arguments of a call name.
Call agreeing(std::mt19937& random, Operation operation) {
    using enum Operation;
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Call call{.operation = operation, .p = 2 + below(5)};
    if (below(3) == 0 && operation != scan && operation != exscan) call.q = 1 + below(4);
    const bool inter = call.q > 0;
    if (isRooted(operation)) call.root = below(call.p);
    const Bytes m = below(4) == 0 ? 0 : 1 + below(1000);
    const Bytes other = inter ? (below(3) == 0 ? 0 : 1 + below(1000)) : m;
    std::vector<Bytes> own;  // of irregular calls
    for (int i = 0; i < call.ranks(); ++i) own.push_back(below(3) == 0 ? 0 : below(1000));
    const auto sum = [&](int first, int last) {
        return std::accumulate(own.begin() + first, own.begin() + last, Bytes{0});
    };
    const Bytes total = inter ? sum(0, call.p) : sum(0, call.ranks());
    std::vector<std::vector<Bytes>> pairs(own.size(), std::vector<Bytes>(own.size()));
    for (int i = 0; i < call.ranks(); ++i)
        for (int j = 0; j < call.ranks(); ++j)
            if (!inter || call.inB(i) != call.inB(j)) pairs[engine::asSize(i)][engine::asSize(j)] = below(100);
    for (int i = 0; i < call.ranks(); ++i) {
        const bool isRoot = i == call.root, b = call.inB(i), aside = inter && call.root >= 0 && !b && !isRoot;
        const Bytes mine = own[engine::asSize(i)];
        const int others = inter ? (b ? call.p : call.q) : call.p;
        Participant part{.rank = Rank{i}, .begin = engine::Picoseconds{100 + i}, .end = engine::Picoseconds{200}};
        if (isRooted(operation))
            part.root = !inter   ? call.root
                        : isRoot ? Participant::rootSelf
                        : aside  ? Participant::rootSameGroup
                                 : call.root;
        const bool brings = inter ? b : true;  // to the root
        switch (operation) {
            case barrier: break;
            case bcast:
                part.sent = isRoot ? m : 0;
                part.received = (inter && !b) ? 0 : m;
                break;
            case reduce:
                part.sent = brings ? m : 0;
                part.received = isRoot ? m : 0;
                break;
            case gather:
                part.sent = brings ? m : 0;
                part.received = isRoot ? m * others : 0;
                break;
            case scatter:
                part.received = brings ? m : 0;
                part.sent = isRoot ? m * others : 0;
                break;
            case gatherv:
                part.sent = brings ? mine : 0;
                part.received = isRoot ? sum(inter ? call.p : 0, call.ranks()) : 0;
                break;
            case scatterv:
                part.received = brings ? mine : 0;
                part.sent = isRoot ? sum(inter ? call.p : 0, call.ranks()) : 0;
                break;
            case allreduce:
            case scan: part.sent = part.received = m; break;
            case exscan:
                part.sent = m;
                part.received = i == 0 ? 0 : m;
                break;
            case allgather:
                part.sent = b ? other : m;
                part.received = others * (inter ? (b ? m : other) : m);
                break;
            case allgatherv:
                part.sent = mine;
                part.received = !inter ? total : b ? sum(0, call.p) : sum(call.p, call.ranks());
                break;
            case alltoall:
                part.sent = b ? other : m;
                part.received = inter ? (b ? m : other) : m;
                break;
            case alltoallv:
            case alltoallw:
                for (int j = 0; j < call.ranks(); ++j) {
                    part.sent += pairs[engine::asSize(i)][engine::asSize(j)];
                    part.received += pairs[engine::asSize(j)][engine::asSize(i)];
                }
                break;
            case reduceScatter:
                part.sent = total;
                part.received = mine;
                break;
            case reduceScatterBlock:
                part.sent = m * call.p * std::max(call.q, 1);
                part.received = part.sent / (b ? call.q : call.p);
                break;
            default: break;
        }
        if (reduces(operation)) part.reduction = 0;
        call.parts.push_back(part);
    }
    return call;
}

std::vector<Mismatch> found(const Call& call, const char* creator = traces::own::creator) {
    traces::RecordingBuilder builder{call.ranks()};
    builder.rest().creator = creator;
    builder.rest().reductions = {"sum", "max"};
    std::int32_t communicator = 0;
    std::vector<Rank> a, b;
    for (int i = 0; i < call.ranks(); ++i) (call.inB(i) ? b : a).push_back(Rank{i});
    if (call.q > 0) communicator = builder.communicator("inter", a, b);
    builder.collective(call.operation, communicator, call.root < 0 ? traces::noRank : Rank{call.root}, call.parts);
    return mismatchesOf(builder.finish(), {});
}

constexpr int operations = static_cast<int>(Operation::reduceScatterBlock) + 1;

TEST(Mismatches, whatTheStandardAllowsIsNone) {
    std::mt19937 random{1};
    for (int k = 0; k < 20'000; ++k) {
        const Call call = agreeing(random, static_cast<Operation>(k % operations));
        const auto none = found(call);
        ASSERT_TRUE(none.empty()) << nameOf(call.operation) << " p " << call.p << " q " << call.q << ": "
                                  << none.front().sentence();
    }
}

/// The odd one names another number of bytes, where the standard has it agree with others.
bool changeBytes(std::mt19937& random, Call& call, int odd) {
    using enum Operation;
    Participant& part = call.parts[engine::asSize(odd)];
    const bool isRoot = odd == call.root, inter = call.q > 0, b = call.inB(odd);
    const Bytes more = (1 + static_cast<Bytes>(random() % 50)) * call.p * std::max(call.q, 1);
    if (isRooted(call.operation) && inter && !b && !isRoot) return false;  // passes nothing that means anything
    switch (call.operation) {
        case barrier: return false;
        case bcast: (isRoot ? part.sent : part.received) += more; return true;
        case scatter:
        case scatterv: (isRoot && inter ? part.sent : part.received) += more; return true;
        case reduce:
        case gather:
        case gatherv: (isRoot && inter ? part.received : part.sent) += more; return true;
        case allgatherv: (random() % 2 == 0 ? part.sent : part.received) += more; return true;
        case allgather:
        case alltoall:
        case alltoallv:
        case alltoallw: (random() % 2 == 0 ? part.sent : part.received) += more; return true;
        default: part.sent += more; return true;
    }
}

TEST(Mismatches, otherBytesOfOneRankAreFound) {
    std::mt19937 random{2};
    int changed = 0;
    for (int k = 0; k < 20'000; ++k) {
        Call call = agreeing(random, static_cast<Operation>(k % operations));
        const int odd = static_cast<int>(random() % static_cast<unsigned>(call.ranks()));
        if (!changeBytes(random, call, odd)) continue;
        ++changed;
        const auto one = found(call);
        ASSERT_EQ(one.size(), 1U) << nameOf(call.operation) << " p " << call.p << " q " << call.q << " odd " << odd;
        EXPECT_EQ(one.front().disagreement.about, Disagreement::About::bytes);
        EXPECT_GE(one.front().disagreement.sides.size(), 2U);
    }
    EXPECT_GT(changed, 15'000);
}

TEST(Mismatches, anotherRootOfOneRankIsFoundAndTheOddOneComesFirst) {
    std::mt19937 random{3};
    for (int k = 0; k < 5'000; ++k) {
        const auto operation = static_cast<Operation>(k % operations);
        if (!isRooted(operation)) continue;
        Call call = agreeing(random, operation);
        if (call.q > 0 || call.p < 3) continue;
        const int odd = static_cast<int>(random() % static_cast<unsigned>(call.p));
        call.parts[engine::asSize(odd)].root = (call.root + 1) % call.p;
        const auto one = found(call);
        ASSERT_EQ(one.size(), 1U) << nameOf(operation);
        const Disagreement& about = one.front().disagreement;
        EXPECT_EQ(about.about, Disagreement::About::root);
        ASSERT_EQ(about.sides.size(), 2U);
        EXPECT_EQ(about.sides[0].who, std::vector<std::size_t>{engine::asSize(odd)});
        EXPECT_EQ(about.sides[0].value, (call.root + 1) % call.p);
        EXPECT_EQ(about.sides[1].value, call.root);
    }
}

TEST(Mismatches, anotherOperationOfOneRankIsFound) {
    std::mt19937 random{4};
    for (int k = 0; k < 2'000; ++k) {
        const auto operation = static_cast<Operation>(k % operations);
        if (!reduces(operation)) continue;
        Call call = agreeing(random, operation);
        if (call.ranks() < 3) continue;
        const auto odd = engine::asSize(static_cast<int>(random() % static_cast<unsigned>(call.ranks())));
        call.parts[odd].reduction = 1;
        const auto one = found(call);
        ASSERT_EQ(one.size(), 1U) << nameOf(operation);
        EXPECT_EQ(one.front().disagreement.about, Disagreement::About::operation);
        EXPECT_EQ(one.front().disagreement.sides[0].who, std::vector<std::size_t>{odd});
        EXPECT_EQ(one.front().disagreement.sides[0].what, "operation max");
    }
}

TEST(Mismatches, countsOfOtherRecordersRaiseNoFalseAlarm) {
    // As Score-P counts a broadcast of 100 bytes of 4 ranks, and a gather with the root's own part in place.
    Call bcast{.operation = Operation::bcast, .p = 4, .root = 0};
    Call gather{.operation = Operation::gather, .p = 4, .root = 1};
    for (int i = 0; i < 4; ++i) {
        bcast.parts.push_back({.rank = Rank{i}, .sent = i == 0 ? 400 : 0, .received = 100, .root = 0});
        gather.parts.push_back({.rank = Rank{i}, .sent = i == 1 ? 0 : 50, .received = i == 1 ? 150 : 0, .root = 1});
    }
    for (const char* creator : {"Score-P 7.1", "EZTrace 2"}) {
        EXPECT_TRUE(found(bcast, creator).empty());
        EXPECT_TRUE(found(gather, creator).empty());
    }
    bcast.parts[2].received = 80;
    ASSERT_EQ(found(bcast, "Score-P 7.1").size(), 1U);
    EXPECT_EQ(found(bcast, "Score-P 7.1").front().sentence(), "rank 2 expects 80 B, ranks 1, 3 expect 100 B");
    bcast.parts[2].received = 100;
    bcast.parts[0].sent = 200;
    EXPECT_EQ(found(bcast, "Score-P 7.1").front().sentence(), "rank 0 sends 50 B to each, ranks 1, 2, 3 expect 100 B");
}

/// Three ranks: a barrier together, then rank 1 calls something else than the others, as one instance each.
traces::Recording disordered() {
    traces::RecordingBuilder builder{3};
    builder.rest().creator = traces::own::creator;
    const auto part = [](int rank, int begin) {
        return Participant{
            .rank = Rank{rank}, .begin = engine::Picoseconds{begin}, .end = engine::Picoseconds{begin + 5}};
    };
    builder.collective(Operation::barrier, 0, traces::noRank, {part(0, 1), part(1, 1), part(2, 1)});
    builder.collective(Operation::bcast, 0, Rank{0}, {part(0, 20)});
    builder.collective(Operation::reduce, 0, Rank{0}, {part(1, 21)});
    builder.collective(Operation::bcast, 0, Rank{0}, {part(2, 22)});
    traces::Recording recording = builder.finish();
    std::vector<traces::Collective> instances{recording.collectives.instances.begin(),
                                              recording.collectives.instances.end()};
    for (std::size_t i = 1; i < instances.size(); ++i) instances[i].ordered = false;
    recording.collectives.instances = traces::Column<traces::Collective>{std::move(instances)};
    return recording;
}

TEST(Mismatches, anotherOrderOfCallsIsFound) {
    const auto one = mismatchesOf(disordered(), {});
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one.front().disagreement.about, Disagreement::About::call);
    EXPECT_EQ(one.front().call, 2);
    EXPECT_EQ(one.front().sentence(), "rank 1 calls MPI_Reduce, ranks 0, 2 call MPI_Bcast");
}

TEST(Mismatches, whereARankDidNotRecordTheOrderOfCallsIsNotJudged) {
    traces::Recording recording = disordered();
    recording.absences.push_back({.what = traces::Absence::interval, .location = 1, .words = {}});
    EXPECT_TRUE(mismatchesOf(recording, {}).empty());
}

TEST(Mismatches, comeFirstOnThePageBehindWhereAProgramStands) {
    traces::Recording recording = disordered();
    recording.properties[traces::own::standing] =
        "3 ranks\n\nworld, 3 ranks\n  missing  rank 2     outside of MPI since MPI_Bcast, call 2, at main, a.c:3\n"
        "  waiting  ranks 0-1  in MPI_Barrier, call 3\n\nother calls, and ranks outside of MPI\n"
        "    ranks 0-1  outside of MPI since MPI_Send of pairs, peer 1, tag 7";
    auto kept = std::make_shared<const traces::Recording>(std::move(recording));
    const Trace trace{reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept};
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    ASSERT_GE(page.size(), 2U);
    EXPECT_EQ(
        page[0],
        "The program did not finish. Ranks 0-1 waited in MPI_Barrier, call 3 of world. Rank 2 was missing there. It "
        "was in no MPI call and did not call MPI_Finalize. Its last call was MPI_Bcast, call 2 of world, at main, "
        "a.c:3. Ranks 0-1 were in no MPI call and did not call MPI_Finalize. Their last call was MPI_Send of pairs, peer 1, tag 7.");
    EXPECT_NE(page[1].find("rank 1 calls MPI_Reduce"), std::string::npos) << page[1];
    EXPECT_EQ(computeTable(tableNamed("mismatches"), analysis).rows.size(), 2U);
}

}  // namespace
}  // namespace app::analysis
