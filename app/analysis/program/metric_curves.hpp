// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a trace: a curve for each and whom it is about.
#pragma once

#include "app/analysis/containers/curve.hpp"
#include "engine/run/executor.hpp"

#include <string>
#include <vector>

namespace app::analysis {

/// A metric of one rank, thread, node, ...
struct MetricCurve {
    std::size_t metric = 0;              ///< index into Recording::metrics
    engine::Rank rank = traces::noRank;  ///< whose it is; noRank where of several ranks or of none
    std::string about;                   ///< what of it, or what else: "node 7"; empty: the rank itself
    std::size_t samples = 0;             ///< that were recorded
    double last = 0;                     ///< the last of them, as recorded
    Curve curve;
};

class MetricCurves {
public:
    /// One byte for two samples, on top of the recording. Throws Cancelled.
    explicit MetricCurves(const traces::Recording& recording, const engine::Progress& progress = {});

    /// By rank, then those of no rank; of each by metric.
    [[nodiscard]] const std::vector<MetricCurve>& all() const { return all_; }
    /// Of what is drawn of a metric, over all curves: one scale, so that ranks can be compared. Both 0 without any.
    [[nodiscard]] const Curve::Range& rangeOf(std::size_t metric) const { return ranges_[metric]; }

private:
    std::vector<MetricCurve> all_;
    std::vector<Curve::Range> ranges_;  ///< by metric
};

/// The unit of what a curve shows: "B/s" of a metric that counts B.
std::string unitOf(const traces::Metric& metric);
/// How its values are meant: "accumulated", "absolute, until the next sample".
std::string modeOf(const traces::Metric& metric);
/// "12.3 M/s", "41.5 degC": four figures, and a prefix that keeps the number within 1..999.
std::string showValue(double value, const std::string& unit);
/// "rank 3", "rank 3, OMP thread 1", "node 7".
std::string whoseIs(const MetricCurve& curve);

}  // namespace app::analysis
