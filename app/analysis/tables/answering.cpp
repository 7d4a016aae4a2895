// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/tables/answering.hpp"

#include "app/analysis/format/table_words.hpp"
#include "engine/base/field.hpp"
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

Cell threadCell(Inquiry& inquiry, engine::Rank rank, ThreadNumber thread) {
    if (thread == 0) return {};
    return nameOf(*inquiry.trace().recording, inquiry.keptWaits()->threads, rank, thread);
}

void remarkOnInference(Inquiry& inquiry, Table& table) {
    std::set<WaitKind> kinds;
    for (const Wait& wait : inquiry.waits())
        if (isInferred(wait.kind)) kinds.insert(wait.kind);
    if (kinds.empty()) return;
    std::vector<std::string> names;
    for (const WaitKind kind : kinds) names.emplace_back(name(kind));
    addRemark(table, text(engine::joined(names, ", "), ": which rank the others waited for is ", inferredWords));
}

void remarkOnCut(Inquiry& inquiry, Table& table) {
    if (inquiry.isCut())
        addRemark(table, text("until ", engine::showTime(inquiry.span().end), ", as far as ", engine::field::memory,
                              " has room; choose other times with ", engine::field::from, " and ", engine::field::to));
}

void remarkOnMessages(Inquiry& inquiry, Table& table) {
    const engine::Setting& setting = inquiry.trace().report.run->setting;
    if (inquiry.run().messages.empty())
        addRemark(table, engine::text("no message between two ranks was recorded", inquiry.wish().inThisPart()));
    if (inquiry.run().droppedMessages > 0)
        addRemark(table,
                  text(counted(inquiry.run().droppedMessages, "message"),
                       inquiry.run().droppedMessages == 1 ? " was" : " were", " counted, not kept: not in here"));
    remarkOnCut(inquiry, table);
    if (setting.on == "virtual" && setting.progress == "lockstep")
        addRemark(table, "ranks marched in step: a wait may be for the slowest rank of all");
}

void remarkOnClocks(const Inquiry& inquiry, Table& table) {
    if (const engine::Picoseconds off = inquiry.trace().uncertainty(); off.count() > 0)
        addRemark(table, text("clocks are fitted: times from rank to rank are right within ", engine::showTime(off)));
}

traces::TimeSpan spanAskedAbout(const Inquiry& inquiry) {
    return inquiry.wish().part.span(inquiry.trace().recording->duration);
}

std::string whyLeftOut(const Instance& instance) {
    return instance.hasMessages ? "instances that are not recognised as any algorithm of the catalogue are left out"
                                : "instances without recorded messages are left out";
}

std::string modelWords(Inquiry& inquiry, const engine::Model& model) {
    if (const auto& logGP = model.logGP)
        return text("LogGP L ", engine::showTime(logGP->latency), ", o ", engine::showTime(logGP->overhead), ", g ",
                    engine::showTime(logGP->gap), ", G ", engine::showRate(logGP->gapPerByte), ", ",
                    inquiry.modelOrigin());
    return text("alpha ", engine::showTime(model.alpha), ", beta ", engine::showRate(model.beta), ", ",
                inquiry.modelOrigin());
}

emulation::NetworkPtr networkAskedAbout(Inquiry& inquiry, Table& table) {
    const std::string topology = inquiry.topology();
    if (topology.empty()) {
        addRemark(table, engine::text("the network was not recorded; name one with ", engine::field::topology, ", and ",
                                      engine::field::placement, " if ranks do not stand on it in order"));
        return nullptr;
    }
    auto network = networkNamed(topology, inquiry.trace().report.run->ranks);
    addRemark(table, text("network ", topology, ", ", inquiry.topologyOrigin()));
    if (network->links() == 0) addRemark(table, "its messages never share a link");
    return network;
}

}  // namespace app::analysis
