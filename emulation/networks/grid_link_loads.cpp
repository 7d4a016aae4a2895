// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/grid_link_loads.hpp"

#include <algorithm>
#include <utility>

namespace emulation {

using engine::Bytes;

Lines::Lines(const std::vector<int>& lengths, Ends ends, Ties ties, const LinkFrom& linkFrom)
    : ends_{ends}, ties_{ties} {
    std::int32_t ranks = 1;
    for (const int length : lengths) ranks *= length;
    dimensions_.resize(lengths.size());
    std::int32_t stride = ranks;
    beginOf_.push_back(0);
    for (std::size_t d = 0; d < lengths.size(); ++d) {
        Dimension& dimension = dimensions_[d];
        dimension.length = lengths[d];
        dimension.stride = stride /= lengths[d];
        dimension.rows = ranks / lengths[d];
        dimension.links = ends == Ends::joined ? lengths[d] : lengths[d] - 1;
        dimension.firstLine = lines();
        dimension.firstSlot = beginOf_.back();
        dimension.positions.resize(engine::asSize(ranks));
        for (std::int32_t rank = 0; rank < ranks; ++rank)
            dimension.positions[engine::asSize(rank)] = {rank / (stride * lengths[d]) * stride + rank % stride,
                                                         rank / stride % lengths[d]};
        for (const bool up : {true, false})
            for (std::int32_t row = 0; row < dimension.rows; ++row) {
                const std::int32_t first = row / stride * stride * lengths[d] + row % stride;
                // Of an open line the last place has no successor, and the first no predecessor.
                const std::int32_t skipped = ends == Ends::open && !up ? 1 : 0;
                for (std::int32_t place = 0; place < dimension.links; ++place)
                    links_.push_back(linkFrom(static_cast<int>(d), Rank{first + (place + skipped) * stride}, up));
                beginOf_.push_back(beginOf_.back() + dimension.links);
            }
    }
}

LineLoads::LineLoads(std::shared_ptr<const Lines> lines)
    : lines_{std::move(lines)},
      load_(engine::asSize(lines_->slots())),
      blocks_(engine::asSize(lines_->slots() / blockOf)),
      totals_(load_.size()),
      touched_(engine::asSize(lines_->lines())) {}

void LineLoads::settle() {
    for (const std::int32_t line : lineList_) {
        const std::int32_t begin = lines_->beginOf(line);
        const std::int32_t end = lines_->beginOf(line + 1);
        Bytes sum = 0;
        for (std::int32_t slot = begin; slot < end; ++slot) {
            sum += load_[engine::asSize(slot)];
            load_[engine::asSize(slot)] = sum;
        }
        if (end - begin <= 4 * blockOf) continue;
        for (std::int32_t block = (begin + blockOf - 1) / blockOf; (block + 1) * blockOf <= end; ++block) {
            const auto first = load_.begin() + block * blockOf;
            blocks_[engine::asSize(block)] = *std::max_element(first, first + blockOf);
        }
    }
}

LinkPeak LineLoads::close() {
    LinkPeak peak;
    for (const std::int32_t line : lineList_) {
        for (std::int32_t slot = lines_->beginOf(line); slot < lines_->beginOf(line + 1); ++slot) {
            Bytes& load = load_[engine::asSize(slot)];
            totals_[engine::asSize(slot)] += load;
            if (load > 0 && load >= peak.bytes) {
                const LinkId link = lines_->linkAt(slot);
                if (load > peak.bytes || link < peak.link) peak = {link, load};
            }
            load = 0;
        }
        touched_[engine::asSize(line)] = 0;
    }
    lineList_.clear();
    runs_.clear();
    runsOf_.clear();
    return peak;
}

void LineLoads::addTotals(std::vector<Bytes>& byLink) const {
    for (std::int32_t slot = 0; slot < lines_->slots(); ++slot)
        byLink[engine::asSize(lines_->linkAt(slot).value)] += totals_[engine::asSize(slot)];
}

}  // namespace emulation
