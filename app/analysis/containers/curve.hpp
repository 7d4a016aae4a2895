// SPDX-License-Identifier: BSD-3-Clause
// A metric over time as steps of constant value, with the least and the most of bundles of them: what a column of
// pixels covers costs by the bundles and not by the samples.
//
// | the metric is          | steps                                                      |
// |------------------------|------------------------------------------------------------|
// | absolute               | the value, until the next sample; since the one before     |
// |                        | where it says that it is about that                        |
// | accumulated            | a rate: how much it grew to the next sample, by the second |
// | relative               | a rate: the value by the second, since the sample before,  |
// |                        | or until the next where it says so                         |
#pragma once

#include "traces/recording/recording.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace app::analysis {

class Curve {
public:
    struct Step {
        engine::Picoseconds begin{};
        engine::Picoseconds end{};  ///< > begin
        double value = 0;           ///< in the metric's unit, of rates by the second

        friend bool operator==(const Step&, const Step&) = default;
    };
    struct Range {
        double least = 0;
        double most = 0;

        friend bool operator==(const Range&, const Range&) = default;
    };

    /// `time` never falls and `values` are beside it. `end`: how long what was sampled last may hold.
    Curve(const traces::Metric& metric, traces::Column<engine::Picoseconds> time, traces::Column<double> values,
          engine::Picoseconds end);

    /// Whether its steps are rates of a metric that counts.
    static bool isRate(const traces::Metric& metric) { return metric.value != traces::MetricValue::absolute; }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] Step operator[](std::size_t step) const {
        return {time_[step], step + 1 < time_.size() ? time_[step + 1] : end_, valueOf(step)};
    }
    /// The step at `time`, else the first one after it; size() after the end.
    [[nodiscard]] std::size_t at(engine::Picoseconds time) const;
    /// Of all steps; of none where there are none.
    [[nodiscard]] std::optional<Range> range() const { return over(0, size_); }
    /// Of the steps [first, end).
    [[nodiscard]] std::optional<Range> over(std::size_t first, std::size_t end) const;

    /// Calls `take(column, range)` for the columns [edges[column], edges[column + 1]) that it has a step in.
    template <class Take>
    void inColumns(const std::vector<engine::Picoseconds>& edges, Take take) const {
        std::size_t first = at(edges.front());
        for (std::size_t column = 0; column + 1 < edges.size() && first < size_; ++column) {
            if (edges[column + 1] <= std::max(edges[column], time_[first])) continue;
            const std::size_t behind = firstFrom(edges[column + 1], first);
            if (const std::optional<Range> its = over(first, behind)) take(column, *its);
            // The last one may reach beyond the column.
            first = behind > first && endOf(behind - 1) > edges[column + 1] ? behind - 1 : behind;
        }
    }

private:
    static constexpr std::size_t bundle = 32;
    enum class Form : std::uint8_t { ahead, behind, growth, addedBehind, addedAhead };

    [[nodiscard]] engine::Picoseconds endOf(std::size_t step) const {
        return step + 1 < time_.size() ? time_[step + 1] : end_;
    }
    [[nodiscard]] double valueOf(std::size_t step) const;
    /// The first step, from `from` on, that begins at `time` or later: steps that double, then halves.
    [[nodiscard]] std::size_t firstFrom(engine::Picoseconds time, std::size_t from) const;
    void mergeEqualTimes();
    void sumUp();

    Form form_;
    traces::Column<engine::Picoseconds> time_;
    traces::Column<double> values_;
    engine::Picoseconds end_;
    std::size_t size_ = 0;
    std::vector<std::vector<Range>> bundles_;  ///< level k: of bundle^(k + 1) steps each
};

}  // namespace app::analysis
