// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/efficiency/scaling.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace app::analysis {
namespace {

double seconds(engine::Picoseconds time) { return static_cast<double>(time.count()); }

/// 1 where there is nothing to compare with.
double quotient(double part, double whole) { return whole > 0 ? part / whole : 1; }

}  // namespace

int factorDepth(const engine::Column& column) {
    static const std::map<std::string_view, int> depths{
        {"computation_scalability_share", 1},  {"instruction_scalability_share", 2},  {"ipc_scalability_share", 2},
        {"frequency_scalability_share", 2},    {"parallel_efficiency_share", 1},      {"load_balance_share", 2},
        {"communication_efficiency_share", 2}, {"serialization_efficiency_share", 3}, {"transfer_efficiency_share", 3}};
    const auto found = depths.find(column.name);
    return found == depths.end() ? 0 : found->second;
}

engine::Table scalingTable(std::span<const ScalingTrace> traces, ScalingKind kind) {
    using engine::Content;
    const bool counted = std::ranges::all_of(traces, [](const ScalingTrace& one) { return one.counters.has_value(); });
    const char* const speedUp = kind == ScalingKind::strong ? "speed-up" : "scaled speed-up";
    std::vector<const ScalingTrace*> inOrder;
    for (const ScalingTrace& one : traces) inOrder.push_back(&one);
    std::ranges::stable_sort(inOrder, {}, [](const ScalingTrace* one) { return one->ranks; });
    const ScalingTrace& reference = *inOrder.front();
    const ScalingTrace& most = *inOrder.back();
    engine::Table table{
        .name = "scaling",
        .title = engine::text("efficiency by number of ranks, ", kind == ScalingKind::strong ? "strong" : "weak",
                              " scaling; reference: ", reference.label, " (", reference.ranks,
                              reference.ranks == 1 ? " rank)" : " ranks)"),
        .columns = {{"trace", Content::words},
                    {"ranks", Content::count},
                    {"time_s", Content::time},
                    {"speedup", Content::number, speedUp},
                    {"global_efficiency_share", Content::share},
                    {"computation_scalability_share", Content::share}},
        .rows = {}};
    const auto shares = [&](std::initializer_list<const char*> names) {
        for (const char* name : names) table.columns.push_back({name, Content::share});
    };
    if (counted) shares({"instruction_scalability_share", "ipc_scalability_share", "frequency_scalability_share"});
    shares({"parallel_efficiency_share", "load_balance_share", "communication_efficiency_share",
            "serialization_efficiency_share", "transfer_efficiency_share"});
    const auto computation = [&](const ScalingTrace& one) {
        return seconds(one.efficiency.meanComputation) * (kind == ScalingKind::strong ? one.ranks : 1);
    };
    for (const ScalingTrace* one : inOrder) {
        const Efficiency& its = one->efficiency;
        const double scalability = quotient(computation(reference), computation(*one));
        const double growth = kind == ScalingKind::weak ? quotient(one->ranks, reference.ranks) : 1;  // of the problem
        std::vector<engine::Cell> row{one->label,
                                      static_cast<std::int64_t>(one->ranks),
                                      its.time(),
                                      growth * quotient(seconds(reference.efficiency.time()), seconds(its.time())),
                                      its.parallel() * scalability,
                                      scalability};
        if (counted) {
            const ComputationCounters &now = *one->counters, &then = *reference.counters;
            const auto frequency = [](const ScalingTrace& trace) {
                return quotient(trace.counters->cycles,
                                seconds(trace.efficiency.meanComputation) * static_cast<double>(trace.ranks));
            };
            row.insert(row.end(),
                       {quotient(growth * then.instructions, now.instructions),
                        quotient(quotient(now.instructions, now.cycles), quotient(then.instructions, then.cycles)),
                        quotient(frequency(*one), frequency(reference))});
        }
        row.insert(row.end(),
                   {its.parallel(), its.loadBalance(), its.communication(), its.serialization(), its.transfer()});
        table.rows.push_back(std::move(row));
    }
    if (!counted)
        table.remarks.emplace_back(
            "computation scalability is not split: not every trace has counters of instructions and cycles");
    if (most.ranks == reference.ranks && traces.size() > 1)
        table.remarks.push_back(engine::text("all traces have ", most.ranks, most.ranks == 1 ? " rank" : " ranks",
                                             ": compare two of them without --scaling"));
    if (std::ranges::any_of(traces, [](const ScalingTrace& one) { return one.efficiency.threads.has_value(); }))
        table.remarks.push_back(engine::text("computation is that of the main threads; 'collscope open TRACE ",
                                             "--tables efficiency' shows the efficiency of all threads"));
    // Of strong scaling, a rank computes less the more ranks there are.
    constexpr double unchanged = 0.8;
    const auto all = [](const ScalingTrace& one) { return seconds(one.efficiency.meanComputation) * one.ranks; };
    if (kind == ScalingKind::weak && most.ranks > reference.ranks && all(most) * unchanged < all(reference) &&
        quotient(reference.ranks, most.ranks) < unchanged)
        table.remarks.push_back(engine::text("the ranks of ", most.label,
                                             " compute about as long in total as those of ", reference.label,
                                             ", or shorter: if the problem stays the same, use ", "--scaling strong"));
    if (kind == ScalingKind::strong && most.ranks > reference.ranks &&
        quotient(seconds(most.efficiency.meanComputation), seconds(reference.efficiency.meanComputation)) > unchanged)
        table.remarks.push_back(engine::text("a rank of ", most.label, " computes about as long as one of ",
                                             reference.label, ", or longer: if the problem grows with the number of ",
                                             "ranks, use --scaling weak"));
    return table;
}

}  // namespace app::analysis
