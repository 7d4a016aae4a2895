// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/training.hpp"

#include "engine/base/text.hpp"

#include <algorithm>

namespace traces {

namespace {

constexpr std::string_view notThere = "-";

std::string orNothing(const std::string& word) { return word.empty() ? std::string{notThere} : word; }

}  // namespace

std::string Ran::words() const {
    return engine::text(orNothing(algorithm), ", ", orNothing(protocol), ", ", orNothing(elementType));
}

Ran Ran::from(std::string_view words) {
    Ran ran;
    for (std::string* part : {&ran.algorithm, &ran.protocol, &ran.elementType}) {
        const std::size_t comma = words.find(", ");
        const std::string_view word = words.substr(0, comma);
        if (word != notThere) *part = word;
        words = comma == std::string_view::npos ? std::string_view{} : words.substr(comma + 2);
    }
    return ran;
}

std::string_view torchName(Operation operation) {
    switch (operation) {
        case Operation::barrier: return "barrier";
        case Operation::bcast: return "broadcast";
        case Operation::gather:
        case Operation::gatherv: return "gather";
        case Operation::scatter:
        case Operation::scatterv: return "scatter";
        case Operation::allgather: return "all_gather";
        case Operation::allgatherv: return "all_gather (uneven)";
        case Operation::alltoall: return "all_to_all";
        case Operation::alltoallv:
        case Operation::alltoallw: return "all_to_all (uneven)";
        case Operation::allreduce: return "all_reduce";
        case Operation::reduce: return "reduce";
        case Operation::reduceScatter: return "reduce_scatter (uneven)";
        case Operation::reduceScatterBlock: return "reduce_scatter";
        default: return nameOf(operation);
    }
}

std::string torchName(const std::string& called) {
    for (auto operation = static_cast<int>(Operation::barrier);
         operation <= static_cast<int>(Operation::reduceScatterBlock); ++operation)
        if (nameOf(static_cast<Operation>(operation)) == called)
            return std::string{torchName(static_cast<Operation>(operation))};
    return called;
}

std::optional<BusTraffic> busTraffic(Operation operation, std::int32_t ranks, Bytes sent, Bytes received) {
    const double n = ranks;
    const Bytes most = std::max(sent, received);
    if (ranks < 1 || most <= 0) return std::nullopt;
    switch (operation) {
        case Operation::allreduce: return BusTraffic{most, 2 * (n - 1) / n};
        case Operation::allgather:
        case Operation::reduceScatterBlock:
        case Operation::alltoall:
        case Operation::alltoallv: return BusTraffic{most, (n - 1) / n};
        case Operation::bcast:
        case Operation::reduce: return BusTraffic{most, 1};
        case Operation::gather:
        case Operation::scatter: return BusTraffic{most, (n - 1) / n};
        default: return std::nullopt;
    }
}

}  // namespace traces
