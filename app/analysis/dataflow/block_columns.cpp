// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/dataflow/block_columns.hpp"

#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

std::vector<engine::Range> units(std::int32_t count) {
    std::vector<engine::Range> found;
    for (std::int32_t i = 0; i < count; ++i) found.push_back({i, i + 1});
    return found;
}

std::vector<engine::Range> blocksOf(const engine::Layout& layout) {
    std::vector<engine::Range> found;
    for (std::int32_t i = 0; i < layout.count(); ++i) found.push_back(layout.block(i));
    return found;
}

/// The pieces between all places where some message begins or ends.
std::vector<engine::Range> segmentsOf(engine::Range whole, const engine::Run& run) {
    std::vector<engine::Bytes> cuts{whole.begin, whole.end};
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        for (const engine::Range range : run.messages.what(i)) {
            cuts.push_back(range.begin);
            cuts.push_back(range.end);
        }
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<engine::Range> found;
    for (std::size_t i = 1; i < cuts.size(); ++i) found.push_back({cuts[i - 1], cuts[i]});
    if (found.empty()) found.push_back(whole);
    return found;
}

}  // namespace

Columns::Columns(const engine::Problem& problem, const engine::Plan* plan, const engine::Run& run, std::int32_t most) {
    if (engine::isReduction(problem.collective) && plan != nullptr && plan->schedule->facts().pieces) {
        kind_ = Kind::blocks;
        const engine::VectorCut cut = blocksOf(problem);
        std::vector<engine::Range> blocks;
        for (std::int32_t i = 0; i < cut.count(); ++i) blocks.push_back(cut[i]);
        takeTogether(std::move(blocks), most);
    } else if (engine::isReduction(problem.collective)) {
        kind_ = Kind::contributions;
        takeTogether(units(problem.ranks()), most);
    } else if (problem.layout.count() > 1) {
        kind_ = Kind::blocks;
        takeTogether(blocksOf(problem.layout), most);
    } else {
        kind_ = Kind::segments;
        takeTogether(segmentsOf(problem.layout.whole(), run), most);
    }
}

void Columns::takeTogether(std::vector<engine::Range> parts, std::int32_t most) {
    const auto all = static_cast<std::int32_t>(parts.size());
    const std::int32_t count = std::min(all, std::max(most, 1));
    for (std::int32_t column = 0; column < count; ++column) {
        const engine::Range share = engine::piece({0, all}, count, column);
        ranges_.push_back(
            {parts[static_cast<std::size_t>(share.begin)].begin, parts[static_cast<std::size_t>(share.end - 1)].end});
        firsts_.push_back(static_cast<std::int32_t>(share.begin));
    }
    firsts_.push_back(all);
    for (const engine::Range part : parts) ends_.push_back(part.end);
}

std::int32_t Columns::columnAt(engine::Bytes at) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), at,
                                        [](engine::Bytes byte, engine::Range range) { return byte < range.end; });
    return std::min(static_cast<std::int32_t>(after - ranges_.begin()), count() - 1);
}

std::int32_t Columns::numberAt(engine::Bytes at) const {
    const auto after = std::upper_bound(ends_.begin(), ends_.end(), at);
    return static_cast<std::int32_t>(std::min(after, ends_.end() - 1) - ends_.begin());
}

std::string Columns::singular() const {
    switch (kind_) {
        case Kind::blocks: return "block";
        case Kind::segments: return uncut() ? "message" : "segment";
        case Kind::contributions: return "contribution";
        case Kind::unknown: return {};
    }
    return {};
}

std::string Columns::name(std::int32_t column) const {
    if (uncut()) return "the message";
    const std::int32_t first = firsts_[static_cast<std::size_t>(column)];
    const std::int32_t next = firsts_[static_cast<std::size_t>(column) + 1];
    return next - first == 1 ? engine::text(singular(), ' ', first) : engine::text(plural(), ' ', first, '-', next - 1);
}

}  // namespace app::analysis
