// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/program_cases.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/session/replay/rule_words.hpp"
#include "app/session/tune/rule_table.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace app::tune {
namespace {

using engine::Bytes;
using engine::text;
using engine::live::Called;

constexpr std::size_t mostCases = 64;
constexpr Bytes mostOfBuffer = Bytes{256} << 20;  // on a rank

/// Calls of one kind.
struct Alike {
    std::int64_t calls = 0;
    engine::Picoseconds time{};      ///< from last entries to last exits
    std::vector<double> arrivals{};  ///< sums of nanoseconds after the first rank
};

/// When each rank entered, in nanoseconds after the first one; empty where a rank was not recorded.
std::vector<double> arrivalsIn(const analysis::Instance& instance) {
    std::vector<double> all;
    for (const auto& stay : instance.stays) {
        if (!stay) return {};
        all.push_back(static_cast<double>((stay->begin - instance.begin).count()) / 1000);
    }
    const std::size_t root = instance.root ? static_cast<std::size_t>(instance.root->value) : 0;
    std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(std::min(root, all.size())));
    return all;
}

/// The bytes of a call as Cell counts them.
Bytes bytesOf(Called called, const engine::Problem& problem) {
    const Bytes counted = bytesInRules(problem);
    const Bytes ranks = problem.ranks();
    switch (unitOfCollscope(called)) {
        case Unit::block: return counted;
        case Unit::total: return counted / ranks;
        case Unit::pairs: return counted / (ranks * ranks);
        case Unit::none: return 0;
    }
    return counted;
}

/// Why a call is not measured; empty where it is.
std::string objection(const analysis::Instance& instance, const std::optional<Called>& called,
                      const Installed& installed) {
    if (!instance.completing.empty() || (called && !isBlocking(*called))) return "do not block";
    if (instance.groupB > 0) return "are between two groups";
    if (!called || !installed.algorithms.contains(std::string{name(*called)}))
        return text("are calls for which ", installed.version, " has one algorithm only");
    if (!instance.complete || (!instance.problem && *called != Called::barrier))
        return "were not recorded with their sizes on all ranks";
    if (instance.rankCount() < 2) return "have one rank";
    if (*called == Called::barrier) return {};
    const Bytes bytes = bytesOf(*called, *instance.problem);
    if (bytes == 0) return "move no bytes";
    const bool combines = combinesVectors(instance.problem->collective);
    if (combines && bytes % 4 != 0) return "combine vectors whose size is no multiple of 4 bytes";
    const std::int64_t ranks = instance.rankCount();
    if (lacksElements(*called, ranks, bytes)) return "scatter less than 4 bytes for each rank";
    if (bytes > mostOfBuffer / (combines || *called == Called::bcast ? 1 : ranks))
        return text("have buffers of more than ", engine::showBytes(mostOfBuffer));
    return {};
}

}  // namespace

std::vector<std::int64_t> shortened(std::vector<std::int64_t> arrivals) {
    std::vector<std::size_t> order(arrivals.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t rank) { return arrivals[rank]; });
    std::int64_t before = 0;
    std::int64_t shifted = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int64_t own = arrivals[order[i]];
        if (i > 0) shifted += std::min(own - before, mostGapOfArrivals);
        before = own;
        arrivals[order[i]] = shifted;
    }
    return arrivals;
}

ProgramCases casesOf(const analysis::Trace& trace, const Installed& installed) {
    if (!trace.recording) throw engine::Error{"--for needs a trace of a program"};
    std::map<std::tuple<Called, std::int64_t, Bytes>, Alike> all;
    std::map<std::string, std::int64_t> leftOut;
    analysis::eachCollective(*trace.recording, {}, [&](analysis::Instance&& instance) {
        const std::optional<Called> called = calledNamed(instance.operation);
        if (const std::string why = objection(instance, called, installed); !why.empty()) {
            ++leftOut[why];
            return;
        }
        const Bytes bytes = *called == Called::barrier ? 0 : bytesOf(*called, *instance.problem);
        Alike& alike = all[{*called, instance.rankCount(), bytes}];
        ++alike.calls;
        alike.time += timeFromLastEntry(instance);
        const std::vector<double> arrivals = arrivalsIn(instance);
        alike.arrivals.resize(static_cast<std::size_t>(instance.rankCount()));
        for (std::size_t i = 0; i < arrivals.size(); ++i) alike.arrivals[i] += arrivals[i];
    });
    ProgramCases cases;
    std::vector<std::pair<engine::Picoseconds, Cell>> byTime;
    for (const auto& [key, alike] : all) {
        const auto& [called, ranks, bytes] = key;
        Cell cell{.called = called, .ranks = ranks, .bytes = bytes, .calls = alike.calls};
        for (const double sum : alike.arrivals)
            cell.arrivals.push_back(static_cast<std::int64_t>(sum / static_cast<double>(alike.calls)));
        cell.arrivals = shortened(std::move(cell.arrivals));
        byTime.emplace_back(alike.time, std::move(cell));
    }
    std::ranges::stable_sort(byTime, std::ranges::greater{}, &decltype(byTime)::value_type::first);
    for (std::size_t i = mostCases; i < byTime.size(); ++i)
        leftOut[text("belong to none of the ", mostCases, " cases that take the most time")] += byTime[i].second.calls;
    byTime.resize(std::min(byTime.size(), mostCases));
    for (auto& [time, cell] : byTime) cases.cells.push_back(std::move(cell));
    for (const auto& [why, calls] : leftOut)
        cases.remarks.push_back(text(analysis::counted(calls, "collective"), " left out: they ", why, '.'));
    if (cases.cells.empty())
        throw engine::Error{text("--for: the program has no collective that can be measured",
                                 cases.remarks.empty() ? "" : "; ", engine::joined(cases.remarks, " "))};
    return cases;
}

}  // namespace app::tune
