// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the catalogue in place of the library's own, byte for byte the same result.
#include "tests/app/mpi/bench.hpp"

#include <numeric>

using namespace support;
using engine::Bytes;
using engine::Collective;
using engine::Layout;
using engine::Problem;

namespace {

std::vector<Bytes> unevenSizes(Bytes total, int ranks) {
    std::vector<Bytes> sizes;
    for (int i = 0; i < ranks; ++i) sizes.push_back(i % 3 == 1 ? 0 : total / (ranks * 2) / 4 * 4 * (i % 2 + 1));
    sizes[0] += total - std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
    return sizes;
}

TEST(Pmpi, broadcastsByEveryAlgorithmFromEveryRoot) {
    const int n = sizeOf(MPI_COMM_WORLD);
    forEach(Collective::bcast, [&](const engine::Algorithm& algorithm, std::size_t index) {
        const Bytes bytes = someBytesFor(index);
        const auto count = static_cast<std::size_t>(bytes / 4);
        for (int root = 0; root < n; ++root) {
            auto data = numbers(count, rankIn(MPI_COMM_WORLD));
            const Problem problem{.collective = Collective::bcast,
                                  .groupA = n,
                                  .layout = Layout::regular(1, bytes),
                                  .root = engine::Rank{root}};
            expectReplaced(algorithm, canPlan(algorithm, problem), [&] {
                EXPECT_EQ(MPI_Bcast(data.data(), static_cast<int>(count), MPI_INT32_T, root, MPI_COMM_WORLD),
                          MPI_SUCCESS);
            });
            EXPECT_EQ(data, numbers(count, root)) << algorithm.id << " from " << root;
        }
    });
}

TEST(Pmpi, gathersByEveryAlgorithm) {
    const int n = sizeOf(MPI_COMM_WORLD);
    forEach(Collective::allgatherv, [&](const engine::Algorithm& algorithm, std::size_t index) {
        const auto each = static_cast<int>(someBytesFor(index) / n / 4);
        const auto own = numbers(static_cast<std::size_t>(each), rankIn(MPI_COMM_WORLD));
        std::vector<std::int32_t> ours(static_cast<std::size_t>(each * n), untouched);
        auto native = ours;
        const Problem problem{
            .collective = Collective::allgatherv, .groupA = n, .layout = Layout::regular(n, Bytes{each} * 4)};
        expectReplaced(algorithm, canPlan(algorithm, problem), [&] {
            MPI_Allgather(own.data(), each, MPI_INT32_T, ours.data(), each, MPI_INT32_T, MPI_COMM_WORLD);
        });
        PMPI_Allgather(own.data(), each, MPI_INT32_T, native.data(), each, MPI_INT32_T, MPI_COMM_WORLD);
        EXPECT_EQ(ours, native) << algorithm.id;
    });
}

TEST(Pmpi, gathersUnevenSizesInAnyPlaces) {
    const int n = sizeOf(MPI_COMM_WORLD);
    const int rank = rankIn(MPI_COMM_WORLD);
    forEach(Collective::allgatherv, [&](const engine::Algorithm& algorithm, std::size_t index) {
        for (const bool apart : {false, true}) {
            const std::vector<Bytes> sizes = unevenSizes(someBytesFor(index), n);
            std::vector<int> counts;
            std::vector<int> places(static_cast<std::size_t>(n));
            for (const Bytes size : sizes) counts.push_back(static_cast<int>(size / 4));
            int end = 0;
            for (int i = 0; i < n; ++i) {
                const int r = apart ? n - 1 - i : i;  // the other way round, with gaps
                places[static_cast<std::size_t>(r)] = end;
                end += counts[static_cast<std::size_t>(r)] + (apart ? 3 : 0);
            }
            const auto own = numbers(static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]), rank);
            std::vector<std::int32_t> ours(static_cast<std::size_t>(end), untouched);
            auto native = ours;
            const Problem problem{
                .collective = Collective::allgatherv, .groupA = n, .layout = Layout::irregular(sizes)};
            expectReplaced(algorithm, canPlan(algorithm, problem), [&] {
                MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_INT32_T, ours.data(), counts.data(),
                               places.data(), MPI_INT32_T, MPI_COMM_WORLD);
            });
            PMPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_INT32_T, native.data(), counts.data(),
                            places.data(), MPI_INT32_T, MPI_COMM_WORLD);
            EXPECT_EQ(ours, native) << algorithm.id << (apart ? ", apart" : ", end to end");
            // In place: each begins with its own part only.
            auto inPlace = std::vector<std::int32_t>(ours.size(), untouched);
            std::copy(own.begin(), own.end(), inPlace.begin() + places[static_cast<std::size_t>(rank)]);
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, inPlace.data(), counts.data(), places.data(),
                           MPI_INT32_T, MPI_COMM_WORLD);
            EXPECT_EQ(inPlace, native) << algorithm.id << " in place";
        }
    });
}

TEST(Pmpi, reducesByEveryAlgorithm) {
    const int n = sizeOf(MPI_COMM_WORLD);
    forEach(Collective::allreduce, [&](const engine::Algorithm& algorithm, std::size_t index) {
        const Bytes bytes = someBytesFor(index);
        const auto own = numbers(static_cast<std::size_t>(bytes / 4), rankIn(MPI_COMM_WORLD));
        for (const MPI_Op operation : {MPI_SUM, MPI_MIN, MPI_MAX, MPI_BXOR, MPI_PROD, MPI_LAND}) {
            const bool repeats = operation == MPI_MIN || operation == MPI_MAX || operation == MPI_LAND;
            const Problem problem{.collective = Collective::allreduce,
                                  .groupA = n,
                                  .layout = Layout::regular(n, bytes),
                                  .operation = repeats ? engine::Operation::min : engine::Operation::sum};
            std::vector<std::int32_t> ours(own.size(), untouched);
            auto native = ours;
            expectReplaced(algorithm, canPlan(algorithm, problem), [&] {
                MPI_Allreduce(own.data(), ours.data(), static_cast<int>(own.size()), MPI_INT32_T, operation,
                              MPI_COMM_WORLD);
            });
            PMPI_Allreduce(own.data(), native.data(), static_cast<int>(own.size()), MPI_INT32_T, operation,
                           MPI_COMM_WORLD);
            EXPECT_EQ(ours, native) << algorithm.id;
            auto inPlace = own;
            MPI_Allreduce(MPI_IN_PLACE, inPlace.data(), static_cast<int>(own.size()), MPI_INT32_T, operation,
                          MPI_COMM_WORLD);
            EXPECT_EQ(inPlace, native) << algorithm.id << " in place";
        }
    });
}

TEST(Pmpi, gathersBetweenGroupsByEveryAlgorithm) {
    if (sizeOf(MPI_COMM_WORLD) < 2) GTEST_SKIP() << "two groups need two processes";
    const TwoGroups groups;
    forEach(Collective::intergroupAllgatherv, [&](const engine::Algorithm& algorithm, std::size_t index) {
        const int all = groups.p() + groups.q();
        // The group A brings twice as much each; all together lie in the range of the rule.
        const auto unit = static_cast<int>(someBytesFor(index) / (all + groups.p()) / 4);
        const int own = groups.inA() ? 2 * unit : unit;
        const int theirs = groups.inA() ? unit : 2 * unit;
        const int sources = groups.inA() ? groups.q() : groups.p();
        std::vector<Bytes> sizes(static_cast<std::size_t>(groups.p()), Bytes{unit} * 8);
        sizes.resize(static_cast<std::size_t>(all), Bytes{unit} * 4);
        const Problem problem{.collective = Collective::intergroupAllgatherv,
                              .groupA = groups.p(),
                              .groupB = groups.q(),
                              .layout = Layout::irregular(sizes)};
        const auto data = numbers(static_cast<std::size_t>(own), rankIn(MPI_COMM_WORLD));
        std::vector<std::int32_t> ours(static_cast<std::size_t>(theirs * sources), untouched);
        auto native = ours;
        expectReplaced(algorithm, canPlan(algorithm, problem), [&] {
            MPI_Allgather(data.data(), own, MPI_INT32_T, ours.data(), theirs, MPI_INT32_T, groups.comm());
        });
        PMPI_Allgather(data.data(), own, MPI_INT32_T, native.data(), theirs, MPI_INT32_T, groups.comm());
        EXPECT_EQ(ours, native) << algorithm.id;

        const std::vector<int> counts(static_cast<std::size_t>(sources), theirs);
        std::vector<int> places;
        for (int i = 0; i < sources; ++i) places.push_back((sources - 1 - i) * (theirs + 1));
        std::vector<std::int32_t> oursV(static_cast<std::size_t>((theirs + 1) * sources), untouched);
        auto nativeV = oursV;
        expectReplaced(algorithm, canPlan(algorithm, problem), [&] {
            MPI_Allgatherv(data.data(), own, MPI_INT32_T, oursV.data(), counts.data(), places.data(), MPI_INT32_T,
                           groups.comm());
        });
        PMPI_Allgatherv(data.data(), own, MPI_INT32_T, nativeV.data(), counts.data(), places.data(), MPI_INT32_T,
                        groups.comm());
        EXPECT_EQ(oursV, nativeV) << algorithm.id;
    });
}

TEST(Pmpi, gathersOneWayInBothDirections) {
    if (sizeOf(MPI_COMM_WORLD) < 2) GTEST_SKIP() << "two groups need two processes";
    const TwoGroups groups;
    forEach(Collective::halfduplexAllgather, [&](const engine::Algorithm& algorithm, std::size_t index) {
        for (const bool fromA : {true, false}) {
            const int senders = fromA ? groups.p() : groups.q();
            const auto each = static_cast<int>(someBytesFor(index) / senders / 4);
            const bool sends = groups.inA() == fromA;
            const Problem problem{.collective = Collective::halfduplexAllgather,
                                  .groupA = senders,
                                  .groupB = groups.p() + groups.q() - senders,
                                  .layout = Layout::regular(senders, Bytes{each} * 4)};
            const auto data = numbers(static_cast<std::size_t>(each), rankIn(MPI_COMM_WORLD));
            std::vector<std::int32_t> ours(static_cast<std::size_t>(sends ? 1 : each * senders), untouched);
            auto native = ours;
            const int own = sends ? each : 0;
            const int theirs = sends ? 0 : each;
            expectReplaced(algorithm, canPlan(algorithm, problem), [&] {
                MPI_Allgather(data.data(), own, MPI_INT32_T, ours.data(), theirs, MPI_INT32_T, groups.comm());
            });
            PMPI_Allgather(data.data(), own, MPI_INT32_T, native.data(), theirs, MPI_INT32_T, groups.comm());
            EXPECT_EQ(ours, native) << algorithm.id << (fromA ? " from A" : " from B");
        }
    });
}

TEST(Pmpi, keepsEveryoneAtTheBarrier) {
    const std::int64_t before = messages();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(messages() > before, sizeOf(MPI_COMM_WORLD) > 1);
    std::int64_t latest = 0;
    const auto come = static_cast<std::int64_t>(MPI_Wtime() * 1e6);
    MPI_Barrier(MPI_COMM_WORLD);
    const auto gone = static_cast<std::int64_t>(MPI_Wtime() * 1e6);
    PMPI_Allreduce(&come, &latest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_GE(gone, latest - 1000) << "left before the last one came";
}

}  // namespace
