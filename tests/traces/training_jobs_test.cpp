// SPDX-License-Identifier: BSD-3-Clause
// What names in traces of PyTorch mean, and clocks fitted by the ends of collectives. Whole jobs are read by
// tests/scripts/traces/training_test.py.
#include "traces/clocks/clock_ends.hpp"
#include "traces/kineto/collective_matching.hpp"
#include "traces/kineto/kernels.hpp"
#include "traces/recording/copied_unrecorded_data.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace traces {
namespace {

using kineto::CollectiveCall;
using kineto::communicationKernel;
using kineto::communicationNamed;

TEST(TrainingJobs, kernelsOfNcclAreKnownByTheirNamesInEveryVersion) {
    struct Case {
        const char* name;
        Operation operation;
        const char* algorithm;
        const char* protocol;
    };
    for (const Case& one : {
             Case{"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
                  Operation::allreduce, "RING", "LL"},
             {"ncclDevKernel_AllReduce_Sum_f32_TREE_LL128(ncclDevKernelArgsStorage<4096ul>)", Operation::allreduce,
              "TREE", "LL128"},
             {"ncclDevKernel_AllGather_RING_SIMPLE(ncclDevComm*, unsigned long, ncclWork*)", Operation::allgather,
              "RING", "SIMPLE"},
             {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_Simple(x)", Operation::reduceScatterBlock, "RING", "SIMPLE"},
             {"ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*)", Operation::bcast, "RING", "LL"},
             {"ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", Operation::unknown, "", ""},
             {"ncclKernel_AllReduce_COLLNET_DIRECT_LL_Sum_half(ncclDevComm*)", Operation::allreduce, "COLLNET_DIRECT",
              "LL"},
             {"ncclDevKernel_AllReduce_Sum_f32_NVLS_TREE_SIMPLE(x)", Operation::allreduce, "NVLS_TREE", "SIMPLE"},
             {"ncclSymkDevKernel_AllReduce_RSxLDMC_AGxSTMC_sum_bf16(x)", Operation::allreduce, "", ""},
             // before 2.8
             {"ncclAllReduceRingLLKernel_sum_f32(ncclColl)", Operation::allreduce, "RING", "LL"},
             {"ncclAllReduceTreeLL128Kernel_sum_f16(ncclColl)", Operation::allreduce, "TREE", "LL128"},
             {"ncclAllReduceCollNetKernel_max_i32(ncclColl)", Operation::allreduce, "COLLNET", ""},
             {"ncclReduceScatterRingLLKernel_sum_f32(ncclColl)", Operation::reduceScatterBlock, "RING", "LL"},
             {"ncclReduceRingLLKernel_sum_f64(ncclColl)", Operation::reduce, "RING", "LL"},
             {"ncclAllGatherRingLLKernel_copy_i8(ncclColl)", Operation::allgather, "RING", "LL"},
             {"ncclBroadcastRingLLKernel_copy_i8(ncclColl)", Operation::bcast, "RING", "LL"},
             {"ncclAllReduceLLKernel_sum_i8(ncclColl)", Operation::allreduce, "", "LL"},
             // RCCL
             {"rccl_main_kernel(ncclDevComm*, unsigned long, ncclWork*)", Operation::unknown, "", ""},
             {"mscclKernel_Sum_half_Simple_false(ncclDevComm*, mscclAlgo*, mscclWork*)", Operation::unknown, "",
              "SIMPLE"},
             {"ncclDevKernel_AllReduceWithBias_Sum_f32_RING_LL(x)", Operation::allreduce, "RING", "LL"},
             {"ncclKernel_AllToAllPivot_RING_SIMPLE_Sum_int8_t(x)", Operation::alltoall, "RING", "SIMPLE"},
         }) {
        const auto kernel = communicationKernel(one.name);
        ASSERT_TRUE(kernel) << one.name;
        EXPECT_EQ(kernel->does.operation, one.operation) << one.name;
        EXPECT_EQ(kernel->ran.algorithm, one.algorithm) << one.name;
        EXPECT_EQ(kernel->ran.protocol, one.protocol) << one.name;
    }
    EXPECT_EQ(communicationKernel("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(x)")->does.call, Call::sendReceive);
    EXPECT_EQ(communicationKernel("ncclSendRecvKernel_copy_i8(ncclColl)")->does.call, Call::sendReceive);
    // Called so whatever sends and receives are for, by whichever protocol.
    EXPECT_EQ(communicationKernel("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(x)")->ran, Ran{});
    EXPECT_FALSE(communicationKernel("void at::native::elementwise_kernel<4>(int)"));
    EXPECT_FALSE(communicationKernel("ncclGroupEnd"));
    EXPECT_FALSE(communicationKernel("Kernel"));
    EXPECT_FALSE(communicationKernel("nccKernel"));
}

TEST(TrainingJobs, operationsAreKnownByPyTorchsNames) {
    EXPECT_EQ(communicationNamed("allreduce")->operation, Operation::allreduce);
    EXPECT_EQ(communicationNamed("nccl:_all_gather_base")->operation, Operation::allgather);
    EXPECT_EQ(communicationNamed("_reduce_scatter_base")->name, "reduce_scatter");
    EXPECT_EQ(communicationNamed("gloo:all_to_all")->operation, Operation::alltoall);
    EXPECT_EQ(communicationNamed("nccl:send 0->1")->call, Call::send);
    EXPECT_FALSE(communicationNamed("wait"));
    EXPECT_EQ(kineto::elementBytes("BFloat16"), 2);
    EXPECT_EQ(kineto::elementBytes("unsigned char"), 1);
    EXPECT_EQ(kineto::elementBytes("long"), 8);
    EXPECT_EQ(kineto::elementBytes("Quaternion"), 0);
    EXPECT_EQ(kineto::shortName("void at::native::(anonymous namespace)::copy<float>(float*)"), "at::native::copy");
}

TEST(TrainingJobs, bandwidthsAreThoseOfNcclTests) {
    // n = 4: all_reduce moves 2 (n - 1) / n = 1.5, all_gather and reduce_scatter (n - 1) / n = 0.75 of the whole
    // vector.
    EXPECT_DOUBLE_EQ(busTraffic(Operation::allreduce, 4, 100, 100)->factor, 1.5);
    EXPECT_DOUBLE_EQ(busTraffic(Operation::allgather, 4, 25, 100)->factor, 0.75);
    EXPECT_EQ(busTraffic(Operation::allgather, 4, 25, 100)->size, 100);
    EXPECT_EQ(busTraffic(Operation::reduceScatterBlock, 4, 100, 25)->size, 100);
    EXPECT_DOUBLE_EQ(busTraffic(Operation::bcast, 4, 100, 100)->factor, 1);
    EXPECT_FALSE(busTraffic(Operation::barrier, 4, 0, 0));
    const Ran ran{"RING", "", "Float"};
    EXPECT_EQ(Ran::from(ran.words()), ran);
}

TEST(TrainingJobs, clocksAreFittedByEndsWithinWhatIsSaid) {
    std::mt19937 random{7};
    for (int job = 0; job < 20; ++job) {
        const std::int32_t ranks = 6;
        std::vector<std::int64_t> ahead(ranks);  // ps
        for (std::int64_t& one : ahead) one = std::uniform_int_distribution<std::int64_t>{0, 40'000'000'000}(random);
        RecordingBuilder builder{ranks};
        // Ranks 0..2 and 2..5 have groups of their own: 5 follows 0 by way of 2.
        const std::int32_t first = builder.communicator("first", {Rank{0}, Rank{1}, Rank{2}});
        const std::int32_t second = builder.communicator("second", {Rank{2}, Rank{3}, Rank{4}, Rank{5}});
        std::uniform_int_distribution<std::int64_t> late{0, 3'000'000'000}, noise{-2'000'000, 2'000'000};
        for (int k = 0; k < 41; ++k)
            for (const std::int32_t group : {first, second}) {
                std::vector<Participant> parts;
                const std::int64_t end = 60'000'000'000 + 10'000'000'000LL * k;
                for (std::int32_t rank = group == first ? 0 : 2; rank <= (group == first ? 2 : 5); ++rank) {
                    const std::int64_t offset = ahead[engine::asSize(rank)];
                    parts.push_back({.rank = Rank{rank},
                                     .begin = Picoseconds{end - 4'000'000'000 + late(random) + offset},
                                     .end = Picoseconds{end + noise(random) + offset},
                                     .sent = 8,
                                     .received = 8});
                }
                builder.collective(Operation::allreduce, group, noRank, parts);
            }
        const Recording recording = builder.finish();
        const ClockFit fit = fitClocksByEnds(recording);
        for (std::size_t rank = 0; rank < ahead.size(); ++rank) {
            EXPECT_TRUE(fit.tied[rank]);
            const std::int64_t off = fit.byRank[rank].offset.count() + ahead[rank] - ahead[0];
            EXPECT_LE(std::abs(off), fit.slack[rank].count()) << "rank " << rank << " of job " << job;
            EXPECT_LT(fit.slack[rank].count(), 20'000'000);  // two ways of noise of at most 4 us between two ranks
        }
        EXPECT_NE(describe(fit, recording), "");
    }
}

/// Clocks gain up to 50 parts in a million, which comes to a millisecond in 20 s.
TEST(TrainingJobs, driftsOfClocksAreFitted) {
    std::mt19937 random{11};
    constexpr std::int32_t ranks = 5;
    for (int job = 0; job < 10; ++job) {
        std::vector<std::int64_t> ahead(ranks);
        std::vector<double> gains(ranks);
        for (std::int64_t& one : ahead) one = std::uniform_int_distribution<std::int64_t>{0, 40'000'000'000}(random);
        for (double& one : gains) one = std::uniform_real_distribution<double>{-5e-5, 5e-5}(random);
        gains[3] = gains[0];  // no drift between them
        RecordingBuilder builder{ranks};
        const std::int32_t group = builder.communicator("all", {Rank{0}, Rank{1}, Rank{2}, Rank{3}, Rank{4}});
        std::uniform_int_distribution<std::int64_t> noise{-2'000'000, 2'000'000};
        const auto seen = [&](std::int64_t time, std::int32_t rank) {
            const double gain = gains[engine::asSize(rank)] * static_cast<double>(time);
            return Picoseconds{time + ahead[engine::asSize(rank)] + std::llround(gain)};
        };
        constexpr std::int64_t step = 200'000'000'000;
        for (int k = 0; k < 100; ++k) {
            std::vector<Participant> parts;
            for (std::int32_t rank = 0; rank < ranks; ++rank)
                parts.push_back({.rank = Rank{rank},
                                 .begin = seen(step * k, rank),
                                 .end = seen(step * k + 1'000'000'000 + noise(random), rank),
                                 .sent = 8,
                                 .received = 8});
            builder.collective(Operation::allreduce, group, noRank, parts);
        }
        const ClockFit fit = fitClocksByEnds(builder.finish());
        for (std::int32_t rank = 1; rank < ranks; ++rank)
            for (const std::int64_t time : {std::int64_t{0}, 50 * step, 100 * step}) {
                const std::int64_t off = (fit.byRank[engine::asSize(rank)](seen(time, rank)) - seen(time, 0)).count();
                EXPECT_LE(std::abs(off), fit.slack[engine::asSize(rank)].count()) << rank << " at " << time;
            }
        EXPECT_LT(fit.slack[1].count(), 4'000'000);
        EXPECT_EQ(fit.byRank[3].drift, 0);
    }
}

/// Of few ends noise looks like a slope at times.
TEST(TrainingJobs, noiseIsNoDrift) {
    std::mt19937 random{5};
    std::uniform_int_distribution<std::int64_t> noise{-2'000'000, 2'000'000};
    int drifts = 0;
    for (int job = 0; job < 500; ++job) {
        RecordingBuilder builder{2};
        for (std::int64_t k = 0; k < 12; ++k) {
            const std::int64_t begin = 1'000'000'000 * k;
            std::vector<Participant> parts;
            for (std::int32_t rank = 0; rank < 2; ++rank)
                parts.push_back({.rank = Rank{rank},
                                 .begin = Picoseconds{begin},
                                 .end = Picoseconds{begin + 500'000'000 + noise(random)},
                                 .sent = 8,
                                 .received = 8});
            builder.collective(Operation::allreduce, 0, noRank, parts);
        }
        drifts += fitClocksByEnds(builder.finish()).byRank[1].drift == 0 ? 0 : 1;
    }
    EXPECT_LE(drifts, 5);
}

/// Sizes of an all_to_all may differ from rank to rank; its element type shows which calls belong together.
TEST(TrainingJobs, callsOfAllToAllAreDistinguishedByElementTypes) {
    std::vector<CollectiveCall> all;
    const auto types = {"Float", "Long", "Float", "Float", "Long", "Half", "Float", "Half", "Long", "Float"};
    for (const char* type : types) {
        CollectiveCall& call = all.emplace_back();
        call.operation = Operation::alltoall;
        call.ran.elementType = type;
        call.begin = 1'000'000LL * static_cast<std::int64_t>(all.size());
        call.end = call.begin + 1000;
    }
    std::vector<CollectiveCall> later{all.begin() + 2, all.end()};
    // Its clock is behind by two calls, so that ends alone suggest that none is missing.
    for (CollectiveCall& call : later) call.sent = 7, call.end -= 2'000'000;
    std::vector<kineto::CallsOfRank> ranks{{0, {}}, {1, {}}};
    for (const CollectiveCall& call : all) ranks[0].calls.push_back(&call);
    for (const CollectiveCall& call : later) ranks[1].calls.push_back(&call);
    EXPECT_EQ(kineto::matched(ranks)[1].front(), 2);
    for (CollectiveCall& call : later) call.ran.elementType.clear();  // not recorded: by ends
    EXPECT_EQ(kineto::matched(ranks)[1].front(), 0);
}

TEST(TrainingJobs, callsOfARankThatBeganLaterAreShifted) {
    std::vector<CollectiveCall> all;
    for (int k = 0; k < 12; ++k) {
        CollectiveCall& call = all.emplace_back();
        call.operation = Operation::allreduce;
        call.sent = call.received = 64;  // all alike: only ends tell them apart
        call.begin = 1'000'000LL * k * k;
        call.end = call.begin + 1000;
    }
    std::vector<CollectiveCall> later{all.begin() + 3, all.end()};
    for (CollectiveCall& call : later) call.end += 77'000'000;  // and the clock is another
    std::vector<kineto::CallsOfRank> ranks{{0, {}}, {1, {}}};
    for (const CollectiveCall& call : all) ranks[0].calls.push_back(&call);
    for (const CollectiveCall& call : later) ranks[1].calls.push_back(&call);
    const auto numbers = kineto::matched(ranks);
    ASSERT_EQ(numbers[1].size(), 9U);
    EXPECT_EQ(numbers[0][0], 0);
    EXPECT_EQ(numbers[1][0], 3);
    EXPECT_EQ(numbers[1][8], 11);
    // With sequence numbers nothing needs to be shifted.
    for (std::size_t k = 0; k < all.size(); ++k) all[k].sequence = static_cast<std::int64_t>(100 + k);
    for (std::size_t k = 0; k < later.size(); ++k) later[k].sequence = static_cast<std::int64_t>(103 + k);
    EXPECT_EQ(kineto::matched(ranks), numbers);
}

TEST(TrainingJobs, shiftsOfLongRecordingsAreFound) {
    std::mt19937 random{3};
    std::vector<CollectiveCall> all;
    std::int64_t time = 0;
    for (int k = 0; k < 20'000; ++k) {
        CollectiveCall& call = all.emplace_back();
        call.operation = Operation::allreduce;
        call.sent = call.received = 64 << k % 4;  // each fourth shift agrees
        call.begin = time += std::uniform_int_distribution<std::int64_t>{100'000, 2'000'000}(random);
        call.end = call.begin + 1000;
    }
    std::vector<CollectiveCall> later{all.begin() + 5003, all.end()};
    for (CollectiveCall& call : later)
        call.end += 77'000'000 + std::uniform_int_distribution<std::int64_t>{0, 5000}(random);
    std::vector<kineto::CallsOfRank> ranks{{0, {}}, {1, {}}};
    for (const CollectiveCall& call : all) ranks[0].calls.push_back(&call);
    for (const CollectiveCall& call : later) ranks[1].calls.push_back(&call);
    const auto numbers = kineto::matched(ranks);
    EXPECT_EQ(numbers[0].front(), 0);
    EXPECT_EQ(numbers[1].front(), 5003);
    EXPECT_EQ(numbers[1].back(), 19'999);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(kineto::matched(ranks, {.stop = stop.get_token()}), engine::Cancelled);
}

TEST(TrainingJobs, callsOfAStreamDoNotOverlap) {
    // Kernels of one operation at [0, 5] and [5, 10], and one of another operation at [8, 12].
    kineto::Profile profile;
    profile.names = {"first", "second", "launch", "gemm"};
    profile.lanes = {{1, 1, false, {}}, {0, 7, true, {}}};
    const auto add = [&](kineto::Kind kind, std::int32_t name, std::int64_t begin, std::int64_t end,
                         std::int64_t correlation) {
        profile.activities.push_back({.begin = begin,
                                      .end = end,
                                      .correlation = correlation,
                                      .name = name,
                                      .lane = kineto::isOfAccelerator(kind) ? 1 : 0,
                                      .kind = kind});
    };
    using enum kineto::Kind;
    add(operation, 0, -100, -50, -1);
    add(runtime, 2, -90, -80, 1);
    add(runtime, 2, -70, -60, 2);
    add(operation, 1, -40, -20, -1);
    add(runtime, 2, -35, -30, 3);
    add(kernel, 3, 0, 5, 1);
    add(kernel, 3, 5, 10, 2);
    add(kernel, 3, 8, 12, 3);
    const kineto::RankTrace trace = kineto::rankTraceOf(profile);
    EXPECT_EQ(trace.first, -100);
    EXPECT_EQ(trace.last, 12);
    const kineto::LaneCalls& stream = trace.lanes.at(1);
    EXPECT_EQ(stream.begin, (std::vector<std::int64_t>{0, 0, 5, 8, 8}));
    EXPECT_EQ(stream.end, (std::vector<std::int64_t>{8, 5, 8, 12, 12}));
    EXPECT_EQ(stream.depth, (std::vector<std::uint16_t>{0, 1, 1, 0, 1}));
}

/// Rank 1 lacks the first of three collectives: its calls are the second and the third.
TEST(TrainingJobs, damagedListsOfCollectivesOfCopiesAreIgnored) {
    const auto read = [](const char* lines) {
        RecordingBuilder builder{2};
        for (std::int64_t k = 0; k < 3; ++k) {
            std::vector<Participant> parts;
            for (std::int32_t rank = 0; rank < (k < 2 ? 2 : 1); ++rank)
                parts.push_back({.rank = Rank{rank}, .begin = Picoseconds{10 * k}, .end = Picoseconds{10 * k + 5}});
            builder.collective(Operation::allreduce, 0, noRank, parts);
        }
        Recording recording = builder.finish();
        recording.properties[trainingSource] = "test";
        recording.properties[own::copied::collectives] = lines;
        recallLacking(recording);
        return recording;
    };
    const Recording whole = read("0 0: 0 1 2\n0 1: 1 2");
    EXPECT_TRUE(whole.remarks.empty());
    ASSERT_EQ(whole.collectives.instances.size(), 3U);
    EXPECT_EQ(whole.collectives.instances[0].count, 1U);
    EXPECT_EQ(whole.collectives.instances[2].count, 2U);
    for (const char* const damaged :
         {"0 1: 1 2\n0 0: 0 1 2", "0 0: 0 1 2\n0 0: 0 1 2", "0 0: 0 1 2", "0 0: 0 1 2\n0 1: 1 1",
          "0 0: 0 1 2\n0 1: 1 x", "0 0: 0 1 2\n0 1: 1 2\n0 2: 1", "0 0: 0 1 2\n0 1: 1", ":"}) {
        const Recording recording = read(damaged);
        EXPECT_EQ(recording.remarks.size(), 1U) << damaged;
        ASSERT_EQ(recording.collectives.instances.size(), 3U) << damaged;
        EXPECT_EQ(recording.collectives.instances[0].count, 2U) << damaged;
        for (const Collective& instance : recording.collectives.instances) {
            const auto parts = recording.collectives.of(instance);
            EXPECT_TRUE(std::ranges::is_sorted(parts, {}, &Participant::rank)) << damaged;
        }
    }
}

/// Some traces say 0 of an output that older ones leave out.
TEST(TrainingJobs, missingOutputsFollowFromTheGroup) {
    struct Case {
        const char* name;
        std::int64_t out;
        std::vector<std::int32_t> ranks;
        Bytes sent, received;
    };
    for (const Case& one : {Case{"all_gather", 0, {0, 1, 2}, 40, 120},
                            {"all_gather", -1, {0, 1, 2}, 40, 120},
                            {"all_gather", 0, {}, 0, 0},
                            {"all_gather", 30, {}, 40, 120},
                            {"allreduce", 0, {0, 1, 2}, 40, 40},
                            {"reduce_scatter", 0, {0, 1}, 40, 20}}) {
        kineto::Profile profile;
        profile.names = {"ncclDevKernel_Generic_4(x)"};
        profile.lanes = {{0, 7, true, {}}};
        kineto::CollectiveFacts& facts = profile.facts.emplace_back();
        facts.name = one.name;
        facts.elementType = "Float";
        facts.ranks = one.ranks;
        facts.in = 10;
        facts.out = one.out;
        kineto::Activity kernel{.begin = 0, .end = 5, .name = 0, .lane = 0, .kind = kineto::Kind::kernel};
        kernel.facts = 0;
        profile.activities = {kernel};
        const kineto::RankTrace trace = kineto::rankTraceOf(profile);
        ASSERT_EQ(trace.collectives.size(), 1U) << one.name;
        EXPECT_EQ(trace.collectives[0].sent, one.sent) << one.name << ' ' << one.out;
        EXPECT_EQ(trace.collectives[0].received, one.received) << one.name << ' ' << one.out;
    }
}

}  // namespace
}  // namespace traces
