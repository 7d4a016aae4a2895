// SPDX-License-Identifier: BSD-3-Clause
// The columns of the block ownership view, and those that a message carries.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/problem/problem.hpp"
#include "engine/run/run.hpp"

#include <string>
#include <vector>

namespace app::analysis {

/// Parts of the byte line in order: the blocks of a gather, the segments a broadcast was cut into, the contributions to
/// a reduction of whole vectors, or the blocks of the vector where it is cut. Many of them are taken together, so that
/// there are never more than asked for.
class Columns {
public:
    enum class Kind : std::uint8_t { unknown, blocks, segments, contributions };

    Columns() = default;
    /// `plan` says whether vectors are cut; without one they are taken as whole.
    Columns(const engine::Problem& problem, const engine::Plan* plan, const engine::Run& run, std::int32_t most);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(ranges_.size()); }
    /// Bytes of the line, or of the vector; for contributions, their numbers.
    [[nodiscard]] engine::Range range(std::int32_t column) const { return ranges_[static_cast<std::size_t>(column)]; }
    /// Column that holds the byte (or contribution) `at`.
    [[nodiscard]] std::int32_t columnAt(engine::Bytes at) const;
    /// The first number in `column`: of a block, a segment or a contribution.
    [[nodiscard]] std::int32_t firstIn(std::int32_t column) const { return firsts_[static_cast<std::size_t>(column)]; }
    /// Number of the block, segment or contribution that holds the byte (or contribution) `at`: a column may have many.
    [[nodiscard]] std::int32_t numberAt(engine::Bytes at) const;
    /// "block", "segment", "message" of one that was not cut, or "contribution"; empty when unknown.
    [[nodiscard]] std::string singular() const;
    /// The one column is a message that was sent whole.
    [[nodiscard]] bool uncut() const { return kind_ == Kind::segments && ends_.size() == 1; }
    /// "block 3", "blocks 4-7", "the message".
    [[nodiscard]] std::string name(std::int32_t column) const;
    /// "blocks", "segments" or "contributions"; empty when unknown.
    [[nodiscard]] std::string plural() const { return kind_ == Kind::unknown ? std::string{} : singular() + 's'; }

private:
    void takeTogether(std::vector<engine::Range> parts, std::int32_t most);

    Kind kind_ = Kind::unknown;
    std::vector<engine::Range> ranges_;
    std::vector<std::int32_t> firsts_;  // and, last, the number of all
    std::vector<engine::Bytes> ends_;   // of every block, segment or contribution
};

}  // namespace app::analysis
