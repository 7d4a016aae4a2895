// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/mpich_conditions.hpp"

#include "app/session/tune/rules_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace app::tune {
namespace {

using engine::live::Extent;

constexpr std::string_view parent = "comm_hierarchy=parent";

}  // namespace

std::optional<Threshold> thresholdOf(const std::string& key) {
    for (const std::string_view of : {"comm_size", "avg_msg_size", "total_msg_size", "count"}) {
        if (!key.starts_with(of) || key.size() <= of.size() || key[of.size()] != '<') continue;
        const bool closed = key.size() > of.size() + 1 && key[of.size() + 1] == '=';
        if (of == "count" && !closed) return std::nullopt;  // MPICH knows count<pow2 alone
        const std::string number = key.substr(of.size() + (closed ? 2 : 1));
        // As atoi reads it: what follows the digits is ignored, and so is all beyond 32 bits.
        const auto limit = static_cast<std::int32_t>(std::strtoll(number.c_str(), nullptr, 10));
        return Threshold{
            std::string{of}, {0, std::int64_t{limit} - (closed ? 0 : 1)}, number == engine::text(std::int64_t{limit})};
    }
    return std::nullopt;
}

bool isAny(const std::string& key) {
    static const std::set<std::string> all{"comm_size=any", "avg_msg_size=any", "total_msg_size=any", "count=any",
                                           "comm_hierarchy=any"};
    return all.contains(key);
}

std::string oppositeOf(const std::string& key) {
    if (key == "comm_type=intra") return "comm_type=inter";
    if (key == "comm_type=inter") return "comm_type=intra";
    static const std::set<std::string> all{"is_multi_threaded", "is_commutative",   "is_sendbuf_inplace",
                                           "is_op_built_in",    "is_block_regular", "is_node_consecutive"};
    const std::size_t equals = key.find('=');
    if (equals == std::string::npos || !all.contains(key.substr(0, equals))) return {};
    const std::string value = key.substr(equals + 1);
    if (value != "yes" && value != "no") return {};
    return key.substr(0, equals) + (value == "yes" ? "=no" : "=yes");
}

bool isMpichCondition(const std::string& key) {
    static const std::set<std::string> more{"comm_size=pow2",        "comm_size=node_comm_size",  "count<pow2",
                                            "comm_hierarchy=parent", "comm_hierarchy=node_roots", "comm_hierarchy=node",
                                            "comm_hierarchy=flat"};
    return isAny(key) || thresholdOf(key) || !oppositeOf(key).empty() || more.contains(key) ||
           key.starts_with("comm_avg_ppn<=");
}

bool isKnownOf(std::string call, const std::string& key) {
    if (isAny(key)) return true;
    if (call.starts_with('i')) call.erase(0, 1);  // the call that does not block
    static const std::map<std::string, std::set<std::string>> known{
        {"avg_msg_size", {"allreduce", "bcast", "reduce", "alltoall"}},
        {"total_msg_size",
         {"allreduce", "bcast", "reduce", "alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv", "gather",
          "scatter", "reduce_scatter", "reduce_scatter_block"}},
        {"count",
         {"allreduce", "bcast", "reduce", "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block"}},
        {"is_sendbuf_inplace", {"alltoall", "alltoallv", "alltoallw"}},
        {"is_commutative", {"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block"}},
        {"is_op_built_in", {"allreduce", "reduce"}},
        {"is_block_regular", {"reduce_scatter"}}};
    const auto calls = known.find(key.substr(0, key.find_first_of("<=")));
    return calls == known.end() || calls->second.contains(call);
}

bool MpichPath::enter(const std::string& key) {
    if (excludes(key)) return false;
    if (const auto threshold = thresholdOf(key)) {
        Extent& here = values_[threshold->of];
        here.high = std::min(here.high, threshold->range.high);
        return here.low <= here.high;
    }
    held_.insert(key);
    return true;
}

bool MpichPath::pass(const std::string& key) {
    if (isAny(key) || holds(key)) return false;
    if (const auto threshold = thresholdOf(key)) {
        Extent& rest = values_[threshold->of];
        rest.low = std::max(rest.low, threshold->range.high + 1);
        return rest.low <= rest.high;
    }
    excluded_.insert(key);
    if (const std::string opposite = oppositeOf(key); !opposite.empty()) held_.insert(opposite);
    return true;
}

bool MpichPath::holds(const std::string& key) const {
    const Extent ranks = valuesOf("comm_size");
    if (const auto threshold = thresholdOf(key)) return valuesOf(threshold->of).high <= threshold->range.high;
    if (key == "comm_size=pow2" &&
        (ranks.high <= 2 || (ranks.low == ranks.high && std::has_single_bit(static_cast<std::uint64_t>(ranks.low)))))
        return true;
    return held_.contains(key);
}

bool MpichPath::excludes(const std::string& key) const {
    if (excluded_.contains(key)) return true;
    if (const auto threshold = thresholdOf(key)) return valuesOf(threshold->of).low > threshold->range.high;
    const Extent ranks = valuesOf("comm_size");
    if (key == "count<pow2" && ranks.high < unlimited) return valuesOf("count").low >= powerOfTwoWithin(ranks.high);
    if (const std::string opposite = oppositeOf(key); !opposite.empty()) return held_.contains(opposite);
    // A communicator with nodes below it is no part of another one.
    if (!key.starts_with("comm_hierarchy=")) return false;
    return std::ranges::any_of(held_, [&](const std::string& one) {
        return one.starts_with("comm_hierarchy=") && !isAny(one) && (one == parent) != (key == parent);
    });
}

Extent MpichPath::valuesOf(const std::string& quantity) const {
    const auto found = values_.find(quantity);
    return found == values_.end() ? Extent{} : found->second;
}

std::vector<MpichNeed> needsOf(const std::string& call, const std::string& algorithm) {
    const bool aborts = call == "bcast" || call == "barrier";
    if (algorithm == "smp") return {{.key = std::string{parent}, .aborts = aborts}};
    if ((call == "allreduce" && algorithm == "reduce_scatter_allgather") ||
        (call == "reduce" && algorithm == "reduce_scatter_gather"))
        return {{.key = "is_op_built_in=yes"}, {.key = "count<pow2", .met = false, .aborts = true}};
    const bool gathers = call == "allgather" || call == "allgatherv";
    if (gathers && algorithm == "recursive_doubling") return {{.key = "comm_size=pow2", .aborts = true}};
    if (call == "bcast" && algorithm == "scatter_recursive_doubling_allgather") return {{.key = "comm_size=pow2"}};
    const bool scatters = call == "reduce_scatter" || call == "reduce_scatter_block";
    if (scatters && (algorithm == "recursive_halving" || algorithm == "pairwise"))
        return {{.key = "is_commutative=yes"}};
    if (scatters && algorithm == "noncommutative") {
        std::vector<MpichNeed> needs{{.key = "comm_size=pow2", .aborts = true}};
        if (call == "reduce_scatter") needs.push_back({.key = "is_block_regular=yes"});
        return needs;
    }
    if (call.starts_with("alltoall"))  // also those with sizes by rank
        return {{.key = algorithm == "pairwise_sendrecv_replace" ? "is_sendbuf_inplace=yes" : "is_sendbuf_inplace=no"}};
    return {};
}

bool meets(const MpichPath& path, const MpichNeed& need) {
    return need.met ? path.holds(need.key) : path.excludes(need.key);
}

std::string toText(const MpichNeed& need) {
    if (need.key == "comm_size=pow2") return "a number of ranks that is a power of two";
    if (need.key == "count<pow2")
        return "at least as many elements as the largest power of two within the number of ranks";
    return need.key;
}

std::int64_t powerOfTwoWithin(std::int64_t number) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0))));
}

}  // namespace app::tune
