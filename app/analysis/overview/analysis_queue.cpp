// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/analysis_queue.hpp"

#include "app/analysis/overview/first_page.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

using engine::Picoseconds;

/// What the cells of one row say of where it is.
class Signposts {
public:
    Signposts(const std::vector<ColumnDefinition>& columns, const std::vector<engine::Cell>& row)
        : columns_{columns}, row_{row} {}

    template <class Value>
    [[nodiscard]] std::optional<Value> to(CellLocation leads) const {
        for (std::size_t column = 0; column < columns_.size(); ++column)
            if (columns_[column].leads == leads)
                if (const auto* value = std::get_if<Value>(&row_[column])) return *value;
        return std::nullopt;
    }

private:
    const std::vector<ColumnDefinition>& columns_;
    const std::vector<engine::Cell>& row_;
};

Place placeOf(TraceAnalysis& analysis, const Signposts& posts) {
    Place place;
    const Instance* instance = nullptr;
    if (const auto number = posts.to<std::int64_t>(CellLocation::instance))
        instance = &analysis.instances()[static_cast<std::size_t>(*number) - 1], place.instance = number;
    if (const auto begin = posts.to<Picoseconds>(CellLocation::begin)) {
        place.begin = *begin + (instance ? instance->begin : Picoseconds{});
        if (const auto end = posts.to<Picoseconds>(CellLocation::end))
            place.end = *place.begin + std::max(*end - *begin, Picoseconds{});
        else if (const auto length = posts.to<Picoseconds>(CellLocation::duration)) place.end = *place.begin + *length;
    } else if (instance) {
        place.begin = instance->begin;
        place.end = instance->end;
    }
    if (const auto rank = posts.to<std::int64_t>(CellLocation::rank)) {
        const bool within = instance && static_cast<std::size_t>(*rank) < instance->ranks.size();
        place.rank =
            within ? instance->ranks[static_cast<std::size_t>(*rank)] : engine::Rank{static_cast<std::int32_t>(*rank)};
    } else if (const auto ofWorld = posts.to<std::int64_t>(CellLocation::rankOfWorld)) {
        place.rank = engine::Rank{static_cast<std::int32_t>(*ofWorld)};
    }
    auto round = posts.to<std::int64_t>(CellLocation::round);
    if (!round) round = posts.to<std::int64_t>(CellLocation::plannedRound);
    if (round && analysis.trace().isCollscopeRun()) place.round = engine::Round{*round};
    return place;
}

}  // namespace

// An answer that was broken off may have left half of what it found out: then all is found out again.
template <class Ask>
auto AnalysisQueue::asked(const AnalysisOptions& wish, const engine::Progress& progress, Ask ask) {
    const std::lock_guard alone{mutex_};
    progress.at(0);
    try {
        if (!analysis_ || !(analysis_->wish() == wish)) analysis_.emplace(trace_, wish, progress);
        else analysis_->tell(progress);
        return ask(*analysis_);
    } catch (...) {
        analysis_.reset();
        throw;
    }
}

Answer AnalysisQueue::ask(const TableDefinition& definition, const AnalysisOptions& wish,
                          const engine::Progress& progress) {
    return asked(wish, progress, [&](TraceAnalysis& analysis) {
        Answer answer{.definition = &definition, .table = computeTable(definition, analysis), .places = {}};
        answer.places.reserve(answer.table.rows.size());
        for (const auto& row : answer.table.rows)
            answer.places.push_back(placeOf(analysis, Signposts{definition.columns, row}));
        return answer;
    });
}

std::vector<Finding> AnalysisQueue::summary(const AnalysisOptions& wish, const engine::Progress& progress) {
    return asked(wish, progress, [](TraceAnalysis& analysis) { return firstPage(analysis); });
}

void AnalysisQueue::look(const engine::Progress& progress, const std::function<void(TraceAnalysis&)>& look) {
    asked({}, progress, [&](TraceAnalysis& analysis) { look(analysis); });
}

TracedProgramPtr AnalysisQueue::program(const engine::Progress& progress) {
    return asked({}, progress, [](TraceAnalysis& analysis) { return std::make_shared<const TracedProgram>(analysis); });
}

}  // namespace app::analysis
