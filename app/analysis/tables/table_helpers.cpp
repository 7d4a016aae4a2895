// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/tables/table_helpers.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <set>

namespace app::analysis {

using engine::Cell;
using engine::Table;
using engine::text;

void RowsOf::add(std::vector<Cell> cells) {
    cells.insert(cells.begin(), Cell{number_});
    table_.rows.push_back(std::move(cells));
}

void addRemark(Table& table, const std::string& remark) {
    if (!remark.empty() && std::find(table.remarks.begin(), table.remarks.end(), remark) == table.remarks.end())
        table.remarks.push_back(remark);
}

void setHeadings(Table& table, std::initializer_list<std::pair<std::string_view, const char*>> headings) {
    for (const auto& [name, heading] : headings)
        std::ranges::find(table.columns, name, &engine::Column::name)->heading = heading;
}

Cell threadCell(TraceAnalysis& analysis, engine::Rank rank, ThreadNumber thread) {
    if (thread == 0) return {};
    return nameOf(*analysis.trace().recording, analysis.keptWaits()->threads, rank, thread);
}

void RemarksOnInstances::write(Table& table) const {
    constexpr std::size_t mostNamed = 5;
    for (const auto& [remark, instances] : instances_) {
        std::vector<std::string> numbers;
        for (const std::size_t index : instances) numbers.push_back(std::to_string(index + 1));
        addRemark(table, text(instances.size() > mostNamed
                                  ? text(instances.size(), " instances, the first of them ", numbers.front())
                                  : text(instances.size() == 1 ? "instance " : "instances ", listed(numbers)),
                              ": ", remark));
    }
}

void remarkOnInference(TraceAnalysis& analysis, Table& table) {
    std::set<WaitKind> kinds;
    for (const Wait& wait : analysis.waits())
        if (wait.isInferred()) kinds.insert(wait.kind);
    if (kinds.empty()) return;
    std::vector<std::string> names;
    for (const WaitKind kind : kinds) names.emplace_back(name(kind));
    addRemark(table, text("in rows of ", listed(names), ", which rank the others waited for is ", inferredWords));
}

void remarkOnCut(TraceAnalysis& analysis, Table& table) {
    if (analysis.isCut())
        addRemark(table, text("until ", engine::showTime(analysis.span().end, engine::ofPoints), ", as far as ",
                              engine::field::memory, " has room; choose other times with ", engine::field::from,
                              " and ", engine::field::to));
}

void remarkOnProblem(const TraceAnalysis& analysis, Table& table, const engine::Problem& problem) {
    if (!analysis.trace().isCollscopeRun() && engine::combinesVectors(problem.collective))
        addRemark(
            table,
            "type of the problems is assumed: the trace does not contain the type of elements; op is assumed where "
            "none was recorded, and of operations of the program's own");
}

void remarkOnMessages(TraceAnalysis& analysis, Table& table) {
    const engine::Setting& setting = analysis.trace().report.run->setting;
    if (analysis.run().messages.empty())
        addRemark(table, engine::text("no point-to-point message was recorded", analysis.wish().inThisPart()));
    if (analysis.wish().part.choosesMessages())
        addRemark(table,
                  "messages are selected by tag or size: a call that waits for several messages counts with the last "
                  "selected one, which may not be the one that ended the wait");
    if (analysis.run().droppedMessages > 0)
        addRemark(table, text(counted(analysis.run().droppedMessages, "message"),
                              analysis.run().droppedMessages == 1 ? " was" : " were",
                              " counted but not kept; this table does "
                              "not include them"));
    remarkOnCut(analysis, table);
    if (setting.on == "virtual" && setting.progress == "lockstep")
        addRemark(table, "lockstep: ranks start each round together, so a rank may wait for the slowest of all ranks");
}

void remarkOnClocks(const TraceAnalysis& analysis, Table& table) {
    const Trace& trace = analysis.trace();
    if (const engine::Picoseconds off = trace.uncertainty(); off.count() > 0 && trace.recording->corrected)
        addRemark(table, text("clocks are fitted: times between ranks have an uncertainty of ", engine::showTime(off)));
}

traces::TimeSpan spanAskedAbout(const TraceAnalysis& analysis) {
    return analysis.wish().part.span(analysis.trace().recording->duration);
}

std::string whyLeftOut(const Instance& instance) {
    return instance.hasMessages ? "instances whose messages match no algorithm of the catalogue are left out"
                                : "instances without recorded messages are left out";
}

std::string modelWords(TraceAnalysis& analysis, const engine::Model& model) {
    if (const auto& logGP = model.logGP)
        return text("LogGP L ", engine::showTime(logGP->latency), ", o ", engine::showTime(logGP->overhead), ", g ",
                    engine::showTime(logGP->gap), ", G ", engine::showRate(logGP->gapPerByte), ", ",
                    analysis.modelOrigin());
    return text("alpha ", engine::showTime(model.alpha), ", beta ", engine::showRate(model.beta), ", ",
                analysis.modelOrigin());
}

emulation::NetworkPtr networkAskedAbout(TraceAnalysis& analysis, Table& table) {
    const std::string topology = analysis.topology();
    if (topology.empty()) {
        addRemark(table, engine::text("the network was not recorded; specify one with ", engine::field::topology,
                                      ", and ", engine::field::placement, " if the ranks are not placed in order"));
        return nullptr;
    }
    auto network = networkNamed(topology, analysis.trace().report.run->ranks);
    addRemark(table, text("network ", topology, ", ", analysis.topologyOrigin()));
    if (network->links() == 0) addRemark(table, "its messages never share a link");
    return network;
}

}  // namespace app::analysis
