// SPDX-License-Identifier: BSD-3-Clause
// Programs whose collectives have the messages inside that a schedule of the catalogue has: what a recorder of the
// library's own messages would have recorded, had the library run that algorithm.
#pragma once

#include "app/analysis/trace/run_report.hpp"
#include "app/analysis/trace/trace.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/problem/contract.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// The call that solves a problem of one group, and what its record counts; nothing where no call tells its problem.
struct NativeCall {
    traces::Operation operation = traces::Operation::unknown;
    const char* name = "";
};
inline std::optional<NativeCall> nativeCallFor(engine::Collective collective) {
    using enum engine::Collective;
    switch (collective) {
        case allreduce: return NativeCall{traces::Operation::allreduce, "MPI_Allreduce"};
        case bcast: return NativeCall{traces::Operation::bcast, "MPI_Bcast"};
        case reduce: return NativeCall{traces::Operation::reduce, "MPI_Reduce"};
        case allgatherv: return NativeCall{traces::Operation::allgatherv, "MPI_Allgatherv"};
        case gatherv: return NativeCall{traces::Operation::gatherv, "MPI_Gatherv"};
        case scatterv: return NativeCall{traces::Operation::scatterv, "MPI_Scatterv"};
        case alltoallv: return NativeCall{traces::Operation::alltoall, "MPI_Alltoall"};
        case barrier: return NativeCall{traces::Operation::barrier, "MPI_Barrier"};
        case reduceScatter: return NativeCall{traces::Operation::reduceScatter, "MPI_Reduce_scatter"};
        case scan: return NativeCall{traces::Operation::scan, "MPI_Scan"};
        default: return std::nullopt;
    }
}

/// A program of one process per rank whose calls follow each other.
class NativeProgram {
public:
    explicit NativeProgram(std::int32_t ranks) : builder_{ranks}, ranks_{ranks} {
        builder_.rest().creator = traces::own::creator;
        builder_.rest().properties[traces::own::inside] = "yes";
    }

    /// All ranks call it; its messages are those of the plan's run. Returns when it began.
    engine::Picoseconds call(const engine::Plan& plan, const std::string& ofLibrary = "",
                             const std::string& component = "") {
        return call(plan.problem, {plan}, ofLibrary, component);
    }

    /// The same of a collective whose messages are those of several plans one after the other.
    engine::Picoseconds call(const engine::Problem& problem, const std::vector<engine::Plan>& plans,
                             const std::string& ofLibrary = "", const std::string& component = "") {
        const auto network = emulation::makeNetwork("full", plans.front().schedule->facts().ranks);
        std::vector<engine::Run> runs;
        engine::Picoseconds lasts{};
        for (const engine::Plan& plan : plans) {
            runs.push_back(emulation::emulate(plan, *network, {}).run);
            lasts += runs.back().duration;
        }
        const NativeCall its = *nativeCallFor(problem.collective);
        const engine::Picoseconds begin = now_ + gap, end = begin + lasts + gap;
        const bool rooted = its.operation == traces::Operation::bcast || its.operation == traces::Operation::reduce ||
                            its.operation == traces::Operation::gatherv || its.operation == traces::Operation::scatterv;
        std::vector<traces::Participant> parts;
        for (engine::Rank rank{0}; rank.value < ranks_; ++rank.value) {
            builder_.enter(rank.value, begin, its.name);
            builder_.leave(rank.value, end);
            const auto [sent, received] = counted(problem, rank);
            parts.push_back({.rank = rank, .begin = begin, .end = end, .sent = sent, .received = received});
        }
        builder_.collective(its.operation, 0, rooted ? problem.root : traces::noRank, std::move(parts));
        if (!ofLibrary.empty()) builder_.ranInside(ofLibrary, component);
        engine::Picoseconds from = begin;
        for (const engine::Run& run : runs) {
            for (std::size_t i = 0; i < run.messages.size(); ++i) {
                const engine::MessageRecord m = run.messages[i];
                builder_.inside({.from = m.from,
                                 .to = m.to,
                                 .bytes = m.bytes,
                                 .sendBegin = from + m.sendBegin,
                                 .sendEnd = from + m.sendEnd,
                                 .receiveBegin = from + m.receiveBegin,
                                 .receiveEnd = from + m.receiveEnd,
                                 .flags = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking});
            }
            from += run.duration;
        }
        now_ = end;
        return begin;
    }

    traces::RecordingBuilder& builder() { return builder_; }
    app::analysis::Trace finish() {
        auto recording = std::make_shared<const traces::Recording>(builder_.finish());
        return {.report = app::analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                .recording = recording};
    }

private:
    static constexpr engine::Picoseconds gap{1'000'000};

    /// What the arguments of a rank describe: sent, and received.
    static std::pair<engine::Bytes, engine::Bytes> counted(const engine::Problem& problem, engine::Rank rank) {
        using enum engine::Collective;
        const engine::Bytes vector = problem.layout.largest();
        const bool isRoot = rank == problem.root;
        switch (problem.collective) {
            case allreduce:
            case scan:
            case alltoallv: return {vector, vector};
            case bcast: return {isRoot ? vector : 0, vector};
            case reduce: return {vector, isRoot ? vector : 0};
            case allgatherv: return {problem.layout.size(rank.value), problem.layout.total()};
            case gatherv: return {problem.layout.size(rank.value), isRoot ? problem.layout.total() : 0};
            case scatterv: return {isRoot ? problem.layout.total() : 0, problem.layout.size(rank.value)};
            case reduceScatter: return {vector, engine::blocksOf(problem)[rank.value].size()};
            default: return {0, 0};
        }
    }

    traces::RecordingBuilder builder_;
    std::int32_t ranks_;
    engine::Picoseconds now_{};
};

}  // namespace support
