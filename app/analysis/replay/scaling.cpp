// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/scaling.hpp"

#include <algorithm>
#include <vector>

namespace app::analysis {
namespace {

double seconds(engine::Picoseconds time) { return static_cast<double>(time.count()); }

/// 1 where there is nothing to compare with.
double quotient(double part, double whole) { return whole > 0 ? part / whole : 1; }

}  // namespace

engine::Table scalingTable(std::span<const ScalingTrace> traces, ScalingKind kind) {
    using engine::Content;
    engine::Table table{.name = "scaling",
                        .title = kind == ScalingKind::strong ? "efficiency by number of ranks, strong scaling"
                                                             : "efficiency by number of ranks, weak scaling",
                        .columns = {{"trace", Content::words},
                                    {"ranks", Content::count},
                                    {"time_s", Content::time},
                                    {"speedup", Content::number},
                                    {"global_efficiency_share", Content::share},
                                    {"computation_scalability_share", Content::share},
                                    {"parallel_efficiency_share", Content::share},
                                    {"load_balance_share", Content::share},
                                    {"communication_efficiency_share", Content::share},
                                    {"serialization_efficiency_share", Content::share},
                                    {"transfer_efficiency_share", Content::share}},
                        .rows = {}};
    std::vector<const ScalingTrace*> inOrder;
    for (const ScalingTrace& one : traces) inOrder.push_back(&one);
    std::ranges::stable_sort(inOrder, {}, [](const ScalingTrace* one) { return one->ranks; });
    const ScalingTrace& reference = *inOrder.front();
    const auto computation = [&](const ScalingTrace& one) {
        return seconds(one.efficiency.meanComputation) * (kind == ScalingKind::strong ? one.ranks : 1);
    };
    for (const ScalingTrace* one : inOrder) {
        const Efficiency& its = one->efficiency;
        const double scalability = quotient(computation(reference), computation(*one));
        const double growth = kind == ScalingKind::weak ? quotient(one->ranks, reference.ranks) : 1;
        table.rows.push_back({one->label, static_cast<std::int64_t>(one->ranks), its.time(),
                              growth * quotient(seconds(reference.efficiency.time()), seconds(its.time())),
                              its.parallel() * scalability, scalability, its.parallel(), its.loadBalance(),
                              its.communication(), its.serialization(), its.transfer()});
    }
    return table;
}

}  // namespace app::analysis
