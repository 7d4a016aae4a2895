// SPDX-License-Identifier: BSD-3-Clause
// Something said of each part of a vector.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Parts of a vector, rising, each with its content; parts that touch and are alike are one. What of a vector is in no
/// part has no content.
template <class Content>
class ByRange {
public:
    struct Piece {
        Range range;
        Content content;

        friend bool operator==(const Piece&, const Piece&) = default;
    };

    ByRange() = default;
    ByRange(Range range, Content content) {
        if (!range.empty()) pieces_.push_back({range, std::move(content)});
    }

    [[nodiscard]] std::span<const Piece> pieces() const& { return pieces_; }
    std::span<const Piece> pieces() && = delete;  // they would be gone
    /// Of a vector that is never cut: its content, an empty one when there is none.
    [[nodiscard]] const Content& whole() const {
        static const Content none{};
        return pieces_.empty() ? none : pieces_.front().content;
    }
    /// The pieces, or parts of them, that lie in `ranges`, which do not overlap.
    [[nodiscard]] ByRange in(std::span<const Range> ranges) const {
        std::vector<Range> rising{ranges.begin(), ranges.end()};
        std::sort(rising.begin(), rising.end());
        ByRange parts;
        for (const Range range : rising) {
            if (range.empty()) continue;  // nothing is there, not even of a piece that goes past it
            const auto first = std::partition_point(pieces_.begin(), pieces_.end(),
                                                    [&](const Piece& piece) { return piece.range.end <= range.begin; });
            for (auto piece = first; piece != pieces_.end() && piece->range.begin < range.end; ++piece)
                parts.push({std::max(range.begin, piece->range.begin), std::min(range.end, piece->range.end)},
                           piece->content);
        }
        return parts;
    }
    /// The first byte of `range` that is in no piece.
    [[nodiscard]] std::optional<Bytes> missing(Range range) const {
        Bytes next = range.begin;
        for (const Piece& piece : pieces_) {
            if (piece.range.end <= next) continue;
            if (piece.range.begin > next || next >= range.end) break;
            next = piece.range.end;
        }
        return next < range.end ? std::optional{next} : std::nullopt;
    }
    /// Takes what `other`, another one, has: where both have content, what `both(own, others)` answers. Touches only
    /// the pieces that meet.
    template <class Both>
    void merge(const ByRange& other, const Both& both) {
        for (const Piece& piece : other.pieces_) mergeOne(piece, both);
    }

    friend bool operator==(const ByRange&, const ByRange&) = default;

private:
    template <class Both>
    void mergeOne(const Piece& other, const Both& both) {
        const auto first = std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
            return piece.range.end < other.range.begin;
        });  // or the one that touches it
        auto last = first;
        ByRange fresh;
        Bytes at = other.range.begin;
        for (; last != pieces_.end() && last->range.begin <= other.range.end; ++last) {
            const Range mine = last->range;
            const Range shared{std::max(mine.begin, other.range.begin), std::min(mine.end, other.range.end)};
            if (mine.begin < other.range.begin)
                fresh.push({mine.begin, std::min(mine.end, other.range.begin)}, last->content);
            if (at < std::min(mine.begin, other.range.end))
                fresh.push({at, std::min(mine.begin, other.range.end)}, other.content);
            if (!shared.empty()) fresh.push(shared, both(last->content, other.content));
            at = std::max(at, std::min(mine.end, other.range.end));
            if (at == other.range.end && mine.end > other.range.end)
                fresh.push({std::max(mine.begin, other.range.end), mine.end}, last->content);
        }
        if (at < other.range.end) fresh.push({at, other.range.end}, other.content);
        const auto same = std::min(last - first, static_cast<std::ptrdiff_t>(fresh.pieces_.size()));
        const auto behind = std::move(fresh.pieces_.begin(), fresh.pieces_.begin() + same, first);
        pieces_.insert(pieces_.erase(behind, last), std::make_move_iterator(fresh.pieces_.begin() + same),
                       std::make_move_iterator(fresh.pieces_.end()));
    }
    void push(Range range, Content content) {
        if (!pieces_.empty() && pieces_.back().range.end == range.begin && pieces_.back().content == content)
            pieces_.back().range.end = range.end;
        else pieces_.push_back({range, std::move(content)});
    }

    std::vector<Piece> pieces_;
};

}  // namespace engine
