// SPDX-License-Identifier: BSD-3-Clause
// What would have been faster, and how far the emulation that says so can be trusted.
#include "app/session/answers_of.hpp"

#include "engine/text.hpp"

#include <algorithm>

namespace app::answers {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::Table;
using engine::text;

Picoseconds Advice::saving(Picoseconds time) const {
    const double gone = 1 - 1 / std::max(factor(time), 1e-9);
    return Picoseconds{static_cast<std::int64_t>(static_cast<double>(measured.count()) * gone)};
}

std::optional<double> Advice::deviation() const {
    if (!again || measured.count() <= 0) return std::nullopt;
    return static_cast<double>(again->count()) * static_cast<double>(instances) /
               static_cast<double>(measured.count()) -
           1;
}

std::vector<Advice> advice(Inquiry& inquiry, const std::set<std::size_t>& kinds) {
    std::map<std::size_t, Advice> found;
    for (std::size_t i = 0; i < inquiry.instances().size(); ++i) {
        const IdentifiedPtr known = inquiry.identified(i);
        const std::size_t kind = inquiry.kindOf(i);
        if (!known->problem || !inquiry.model() || (!kinds.empty() && !kinds.contains(kind))) continue;
        auto [entry, isNew] = found.try_emplace(kind);
        Advice& one = entry->second;
        if (isNew) {
            one.first = i;
            one.own = known->plan;
            one.again = inquiry.again(i);
            one.alternatives = inquiry.whatIf(i);
        }
        ++one.instances;
        one.measured += measuredTime(inquiry.instances()[i]);
    }
    std::vector<Advice> all;
    for (auto& [kind, one] : found)
        if (one.alternatives != nullptr && !one.alternatives->ranked.empty()) all.push_back(std::move(one));
    std::stable_sort(all.begin(), all.end(), [](const Advice& a, const Advice& b) {
        return a.saving(a.alternatives->ranked.front().time) > b.saving(b.alternatives->ranked.front().time);
    });
    return all;
}

Table whatIf(Inquiry& inquiry) {
    Table table{.name = {},
                .title = "what each algorithm would have taken, emulated under the model",
                .columns = {{"problem", Content::words},
                            {"instances", Content::count},
                            {"algorithm", Content::words},
                            {"own", Content::words},
                            {"time_s", Content::time},
                            {"measured_s", Content::time},
                            {"deviation_share", Content::share},
                            {"factor", Content::number},
                            {"saving_s", Content::time}},
                .rows = {}};
    for (const Advice& one : advice(inquiry)) {
        const std::string problem = engine::toText(*inquiry.identified(one.first)->problem);
        const Picoseconds each = one.measured / one.instances;
        const auto row = [&](const engine::Plan& plan, bool own, Picoseconds time) {
            table.rows.push_back({problem, one.instances, wordsOf(plan), own ? Cell{std::string{"own"}} : Cell{}, time,
                                  each, own && one.deviation() ? Cell{*one.deviation()} : Cell{}, one.factor(time),
                                  one.saving(time)});
        };
        bool ownRanked = false;
        const auto rowOfOwn = [&] {
            if (one.own && one.again && !ownRanked) row(*one.own, true, *one.again);
            ownRanked = true;
        };
        for (const emulation::Alternative& other : one.alternatives->ranked) {
            if (one.again && *one.again <= other.time) rowOfOwn();
            if (!one.own || wordsOf(other.plan) != wordsOf(*one.own)) row(other.plan, false, other.time);
        }
        rowOfOwn();
        for (const std::string& left : one.alternatives->left) addRemark(table, "left out: " + left);
        if (!one.own)
            addRemark(table,
                      "where no own algorithm stands it is not known, and nothing says how near the emulation is");
    }
    for (std::size_t i = 0; i < inquiry.instances().size(); ++i)
        if (const IdentifiedPtr known = inquiry.identified(i); !known->problem)
            addRemark(table, text(inquiry.instances()[i].operation, ": not emulated, since ", known->whyNoProblem));
    if (!inquiry.model())
        addRemark(table, text("nothing to emulate with: ", inquiry.whyNoFit(), "; give ", engine::Field{"alpha"},
                              " and ", engine::Field{"beta"}));
    else
        addRemark(table,
                  text("alpha ", engine::showTime(inquiry.model()->alpha), ", beta ",
                       engine::showRate(inquiry.model()->beta), ", ", inquiry.modelOrigin(), "; network ",
                       inquiry.topology().empty() ? "fully connected, since none is known" : inquiry.topology()));
    return table;
}

}  // namespace app::answers
