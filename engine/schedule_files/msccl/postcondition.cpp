// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/postcondition.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace engine::schedules::msccl {
namespace {

/// Of a custom collective the first is taken that fits: those that promise more come first.
constexpr std::array names{
    std::pair{"allgather", Collective::allgatherv}, std::pair{"alltoall", Collective::alltoallv},
    std::pair{"allreduce", Collective::allreduce},  std::pair{"reduce_scatter", Collective::reduceScatter},
    std::pair{"broadcast", Collective::bcast},      std::pair{"gather", Collective::gatherv},
    std::pair{"scatter", Collective::scatterv},     std::pair{"scan", Collective::scan},
    std::pair{"reduce", Collective::reduce},
};

/// Whether the larger of a GPU's buffers has one chunk of a contribution for every GPU.
bool isPerGpu(Collective collective) {
    return collective == Collective::allgatherv || collective == Collective::alltoallv ||
           collective == Collective::reduceScatter || collective == Collective::gatherv ||
           collective == Collective::scatterv;
}

}  // namespace

std::string_view wordFor(Collective collective) {
    switch (collective) {
        case Collective::allgatherv: return "allgather";
        case Collective::alltoallv: return "alltoall";
        case Collective::allreduce: return "allreduce";
        case Collective::reduceScatter: return "reduce_scatter";
        case Collective::bcast: return "broadcast";
        case Collective::reduce: return "reduce";
        case Collective::gatherv:
        case Collective::scatterv:
        case Collective::scan: return "custom";
        default: return "";
    }
}

std::int64_t Promise::inputs(std::int32_t gpu) const {
    switch (collective_) {
        case Collective::bcast: return gpu == root_ ? each_ : 0;
        case Collective::scatterv: return gpu == root_ ? gpus_ * each_ : 0;
        case Collective::alltoallv:
        case Collective::reduceScatter: return gpus_ * each_;
        default: return each_;
    }
}

std::int64_t Promise::outputs(std::int32_t gpu) const {
    switch (collective_) {
        case Collective::allgatherv:
        case Collective::alltoallv: return gpus_ * each_;
        case Collective::gatherv: return gpu == root_ ? gpus_ * each_ : 0;
        case Collective::reduce: return gpu == root_ ? each_ : 0;
        default: return each_;
    }
}

std::int64_t Promise::shared(std::int32_t gpu, std::int64_t chunk) const {
    const bool behindOthers = collective_ == Collective::allgatherv || collective_ == Collective::reduceScatter ||
                              (collective_ == Collective::gatherv && gpu == root_) ||
                              (collective_ == Collective::scatterv && gpu == root_);
    return behindOthers ? gpu * each_ + chunk : chunk;
}

Promise::Wanted Promise::wanted(std::int32_t gpu, std::int64_t chunk) const {
    const auto of = [](std::int64_t owner, std::int64_t place) {
        return Wanted{static_cast<std::int32_t>(owner), static_cast<std::int32_t>(owner), place};
    };
    switch (collective_) {
        case Collective::allgatherv:
        case Collective::gatherv: return of(chunk / each_, chunk % each_);
        case Collective::alltoallv: return of(chunk / each_, gpu * each_ + chunk % each_);
        case Collective::scatterv: return of(root_, gpu * each_ + chunk);
        case Collective::bcast: return of(root_, chunk);
        case Collective::reduceScatter: return {0, gpus_ - 1, gpu * each_ + chunk};
        case Collective::scan: return {0, gpu, chunk};
        default: return {0, gpus_ - 1, chunk};
    }
}

Problem Promise::problem() const {
    const Bytes bytes = each_ * chunkBytes;
    Problem problem{.collective = collective_, .groupA = gpus_, .root = Rank{root_}};
    switch (collective_) {
        case Collective::bcast: problem.layout = Layout::regular(1, bytes); break;
        case Collective::alltoallv: problem.layout = Layout::regular(gpus_ * gpus_, bytes); break;
        case Collective::reduceScatter: problem.layout = Layout::regular(gpus_, gpus_ * bytes); break;
        default: problem.layout = Layout::regular(gpus_, bytes); break;
    }
    return problem;
}

std::optional<std::int64_t> Promise::onLine(Origin origin) const {
    if (origin.chunk >= inputs(origin.gpu)) return std::nullopt;
    switch (collective_) {
        case Collective::bcast:
        case Collective::scatterv: return origin.chunk;
        case Collective::alltoallv: return origin.gpu * gpus_ * each_ + origin.chunk;
        default: return origin.gpu * each_ + origin.chunk;
    }
}

std::vector<Promise> promisesOf(const File& msccl, std::string_view file) {
    const auto gpus = static_cast<std::int32_t>(msccl.gpus.size());
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    for (const Gpu& gpu : msccl.gpus) {
        inputs = std::max(inputs, gpu.chunks[0]);
        outputs = std::max(outputs, gpu.chunks[1]);
    }
    const std::int64_t larger = msccl.loop > 0 ? msccl.loop : std::max({inputs, outputs, std::int64_t{1}});
    std::vector<Promise> all;
    const auto add = [&](Collective collective, std::int64_t each) {
        const std::int32_t roots = hasRoot(collective) ? gpus : 1;
        for (std::int32_t root = 0; root < roots; ++root) all.emplace_back(collective, gpus, each, root);
    };
    const auto fits = [&](const Promise& promise) {
        for (std::int32_t r = 0; r < gpus; ++r)
            if (msccl.gpus[asSize(r)].chunks[0] > promise.inputs(r) ||
                msccl.gpus[asSize(r)].chunks[1] < promise.outputs(r))
                return false;
        return true;
    };
    if (msccl.collective == "custom") {
        for (const auto& [name, collective] : names) {
            // By what goes in, where all of it is used.
            const std::int64_t each = collective == Collective::allgatherv || collective == Collective::gatherv ? inputs
                                      : isPerGpu(collective) ? inputs / gpus
                                                             : inputs;
            if (each > 0) add(collective, each);
        }
        std::erase_if(all, [&](const Promise& one) { return !fits(one); });
        if (all.empty())
            throw Error{text(file, ": its collective is \"custom\", and its buffers fit no supported collective")};
        return all;
    }
    for (const auto& [name, collective] : names) {
        if (msccl.collective != name) continue;
        const std::int64_t each = isPerGpu(collective) ? larger / gpus : larger;
        if (isPerGpu(collective) && larger % gpus != 0)
            throw Error{text(file, ": ", larger, " chunks, as ",
                             msccl.loop > 0 ? "nchunksperloop says" : "the buffers have", ", cannot be shared by ",
                             gpus, " gpus")};
        add(collective, each);
        for (std::int32_t r = 0; r < gpus; ++r)
            for (const std::size_t b : {std::size_t{0}, std::size_t{1}}) {
                const std::int64_t most = std::max(b == 0 ? all.front().inputs(r) : all.front().outputs(r),
                                                   hasRoot(collective) || msccl.inPlace ? larger : std::int64_t{0});
                if (msccl.gpus[asSize(r)].chunks[b] > most)
                    throw Error{text(file, ": gpu ", r, " has ", bufferLetters[b], "_chunks=\"",
                                     msccl.gpus[asSize(r)].chunks[b], "\", but ", most, " in this ", msccl.collective,
                                     " of ", larger, " chunks")};
            }
        return all;
    }
    std::vector<std::string> known{"custom"};
    for (const auto& [name, collective] : names) known.emplace_back(name);
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : name == known.back() ? " and " : ", ") + name;
    throw Error{text(file, ": its coll is \"", msccl.collective, "\", which is not known; ", list, " are",
                     didYouMean(msccl.collective, known))};
}

}  // namespace engine::schedules::msccl
