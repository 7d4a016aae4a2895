// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/tables.hpp"

namespace app::analysis {

using engine::cell;
using engine::Cell;
using engine::Content;
using engine::Table;

namespace {

template <class T>
Cell optionalCell(const std::optional<T>& value) {
    return value ? cell(*value) : Cell{};
}

/// The options that differ from their fallbacks: "block=4096 empty=skipped".
std::string givenOptions(const engine::Plan& plan) {
    std::string words;
    for (const auto& [key, value] : plan.options.given()) words += (words.empty() ? "" : " ") + key + "=" + value;
    return words;
}

double perByte(engine::Rate rate) { return static_cast<double>(rate.femtosecondsPerByte) / 1e15; }

}  // namespace

Table tableOf(const std::vector<RoundRow>& rows) {
    Table table{.name = "rounds",
                .title = "rounds, and how much of their time ranks were idle",
                .columns = {{"round", Content::round},
                            {"messages", Content::count},
                            {"bytes", Content::bytes},
                            {"largest_bytes", Content::bytes},
                            {"begin_s", Content::time},
                            {"duration_s", Content::time},
                            {"idle_share", Content::share}},
                .rows = {}};
    for (const RoundRow& row : rows)
        table.rows.push_back(
            {cell(row.round), row.messages, row.bytes, row.largest, row.begin, row.end - row.begin, row.idleShare});
    return table;
}

Table tableOf(const std::vector<PathStep>& path) {
    Table table{.name = "critical-path",
                .title = "the chain of messages and pauses that decided the end",
                .columns = {{"step", Content::words},
                            {"from", Content::rank},
                            {"to", Content::rank},
                            {"round", Content::round},
                            {"bytes", Content::bytes},
                            {"begin_s", Content::time},
                            {"duration_s", Content::time}},
                .rows = {}};
    for (const PathStep& step : path) {
        if (step.isMessage)
            table.rows.push_back({std::string{"message"}, cell(step.rank), cell(step.to), cell(step.round), step.bytes,
                                  step.begin, step.end - step.begin});
        else
            table.rows.push_back(
                {std::string{"pause"}, cell(step.rank), Cell{}, Cell{}, Cell{}, step.begin, step.end - step.begin});
    }
    return table;
}

Table tableOf(const std::vector<WaitRow>& rows) {
    Table table{.name = "waits",
                .title = "who waited, and for whom",
                .columns = {{"wait", Content::words},
                            {"rank", Content::rank},
                            {"waits", Content::count},
                            {"time_s", Content::time},
                            {"longest_s", Content::time},
                            {"mostly_for", Content::rank}},
                .rows = {}};
    for (const WaitRow& row : rows)
        table.rows.push_back(
            {std::string{name(row.kind)}, cell(row.rank), row.waits, row.time, row.longest, cell(row.mostlyFor)});
    return table;
}

Table tableOf(const std::vector<DelayRow>& rows) {
    Table table{.name = "delays",
                .title = "where waiting came from",
                .columns = {{"origin", Content::rank},
                            {"waits", Content::count},
                            {"direct_s", Content::time},
                            {"passed_on_s", Content::time}},
                .rows = {}};
    for (const DelayRow& row : rows) table.rows.push_back({cell(row.origin), row.waits, row.direct, row.passedOn});
    return table;
}

Table tableOf(const std::vector<WaveRow>& rows) {
    Table table{.name = "idle-waves",
                .title = "delays that were passed on from rank to rank",
                .columns = {{"origin", Content::rank},
                            {"begin_s", Content::time},
                            {"end_s", Content::time},
                            {"ranks", Content::count},
                            {"hops", Content::count},
                            {"time_s", Content::time}},
                .rows = {}};
    for (const WaveRow& row : rows)
        table.rows.push_back({cell(row.origin), row.begin, row.end, row.ranks, std::int64_t{row.hops}, row.time});
    return table;
}

Table tableOf(const std::vector<Recognition>& found) {
    Table table{.name = "algorithms",
                .title = "what the messages look like",
                .columns = {{"algorithm", Content::words},
                            {"options", Content::words},
                            {"problem", Content::words},
                            {"confidence_share", Content::share}},
                .rows = {}};
    for (const Recognition& one : found)
        table.rows.push_back(
            {one.id(), cell(givenOptions(one.plan)), engine::toText(one.plan.problem), one.confidence});
    return table;
}

Table tableOf(const std::vector<DifferenceRow>& rows) {
    Table table{.name = "differences",
                .title = "the run beside the schedule",
                .columns = {{"message", Content::words},
                            {"from", Content::rank},
                            {"to", Content::rank},
                            {"bytes", Content::bytes},
                            {"planned_round", Content::round},
                            {"round", Content::round},
                            {"late_s", Content::time}},
                .rows = {}};
    for (const DifferenceRow& row : rows)
        table.rows.push_back({std::string{name(row.what)}, cell(row.from), cell(row.to), row.bytes,
                              optionalCell(row.planned), optionalCell(row.happened),
                              row.what == Difference::late ? Cell{row.by} : Cell{}});
    return table;
}

Table tableOf(const std::vector<ChangeRow>& rows) {
    Table table{.name = "messages",
                .title = "messages that differ between the two",
                .columns = {{"change", Content::words},
                            {"from", Content::rank},
                            {"to", Content::rank},
                            {"bytes", Content::bytes},
                            {"first_round", Content::round},
                            {"second_round", Content::round},
                            {"later_s", Content::time}},
                .rows = {}};
    for (const ChangeRow& row : rows) {
        const char* change = !row.roundB                ? "only in the first"
                             : !row.roundA              ? "only in the second"
                             : row.roundA != row.roundB ? "other round"
                                                        : "other time";
        table.rows.push_back({std::string{change}, cell(row.from), cell(row.to), row.bytes, optionalCell(row.roundA),
                              optionalCell(row.roundB), row.roundA && row.roundB ? Cell{row.later} : Cell{}});
    }
    return table;
}

Table tableOf(const std::vector<PortRow>& rows) {
    Table table{.name = "ports",
                .title = "ranks with more messages under way than they have ports",
                .columns = {{"rank", Content::rank},
                            {"side", Content::words},
                            {"at_once", Content::count},
                            {"times", Content::count},
                            {"first_s", Content::time}},
                .rows = {}};
    for (const PortRow& row : rows)
        table.rows.push_back(
            {cell(row.rank), std::string{row.sending ? "sends" : "receives"}, row.atOnce, row.times, row.first});
    return table;
}

Table tableOf(const std::vector<DeliveryRow>& rows) {
    Table table{.name = "deliveries",
                .title = "bytes that arrived twice or never",
                .columns = {{"rank", Content::rank},
                            {"block", Content::count},
                            {"twice_bytes", Content::bytes},
                            {"never_bytes", Content::bytes}},
                .rows = {}};
    for (const DeliveryRow& row : rows)
        table.rows.push_back({cell(row.rank), std::int64_t{row.block.value}, row.twice, row.never});
    return table;
}

Table tableOf(const Fit& fit) {
    return {.name = "model",
            .title = "alpha and beta as the messages show them, with 95 % intervals",
            .columns = {{"alpha_s", Content::time},
                        {"alpha_low_s", Content::time},
                        {"alpha_high_s", Content::time},
                        {"beta_s_per_byte", Content::rate},
                        {"beta_low_s_per_byte", Content::rate},
                        {"beta_high_s_per_byte", Content::rate},
                        {"messages", Content::count},
                        {"sizes", Content::count},
                        {"deviation_share", Content::share}},
            .rows = {{fit.model.alpha, fit.alphaLow, fit.alphaHigh, perByte(fit.model.beta), perByte(fit.betaLow),
                      perByte(fit.betaHigh), fit.samples, fit.sizes, fit.deviation}}};
}

Table ranksTable(const engine::Run& run) {
    Table table{.name = "ranks",
                .title = "how every rank spent the time",
                .columns = {{"rank", Content::rank},
                            {"busy_s", Content::time},
                            {"wait_s", Content::time},
                            {"idle_s", Content::time}},
                .rows = {}};
    for (std::size_t rank = 0; rank < run.perRank.size(); ++rank) {
        const engine::RankTimes& times = run.perRank[rank];
        table.rows.push_back({static_cast<std::int64_t>(rank), times.busy, times.wait, times.idle});
    }
    return table;
}

}  // namespace app::analysis
