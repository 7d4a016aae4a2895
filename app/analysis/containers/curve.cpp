// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/containers/curve.hpp"

#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using traces::MetricTiming;
using traces::MetricValue;

Curve::Curve(const traces::Metric& metric, traces::Column<Picoseconds> time, traces::Column<double> values,
             Picoseconds end)
    : time_{std::move(time)}, values_{std::move(values)}, end_{end} {
    switch (metric.value) {
        case MetricValue::accumulated: form_ = Form::growth; break;
        case MetricValue::relative:
            form_ = metric.timing == MetricTiming::next ? Form::addedAhead : Form::addedBehind;
            break;
        case MetricValue::absolute: form_ = metric.timing == MetricTiming::last ? Form::behind : Form::ahead; break;
    }
    mergeEqualTimes();
    if (!time_.empty()) {
        const bool holds = form_ == Form::ahead || form_ == Form::addedAhead;
        size_ = time_.size() - (holds && end_ > *(time_.end() - 1) ? 0 : 1);
    }
    sumUp();
}

/// Of one time one sample stays, so that every step takes some: the last one, or the sum of what was added.
void Curve::mergeEqualTimes() {
    if (std::adjacent_find(time_.begin(), time_.end()) == time_.end()) return;
    const bool added = form_ == Form::addedBehind || form_ == Form::addedAhead;
    std::vector<Picoseconds> time;
    std::vector<double> values;
    for (std::size_t i = 0; i < time_.size(); ++i) {
        if (time.empty() || time.back() != time_[i]) {
            time.push_back(time_[i]);
            values.push_back(values_[i]);
        } else {
            values.back() = values_[i] + (added ? values.back() : 0);
        }
    }
    time_ = std::move(time);
    values_ = std::move(values);
}

void Curve::sumUp() {
    std::vector<Range> level;
    for (std::size_t i = 0; i < size_; ++i) {
        const double value = valueOf(i);
        if (i % bundle == 0) level.push_back({value, value});
        else level.back() = {std::min(level.back().least, value), std::max(level.back().most, value)};
    }
    while (!level.empty()) {
        std::vector<Range> next;
        for (std::size_t i = 0; level.size() > 1 && i < level.size(); ++i) {
            if (i % bundle == 0) next.push_back(level[i]);
            else next.back() = {std::min(next.back().least, level[i].least), std::max(next.back().most, level[i].most)};
        }
        bundles_.push_back(std::move(level));
        level = std::move(next);
    }
}

double Curve::valueOf(std::size_t step) const {
    const auto byTheSecond = [&](double amount) { return amount / engine::seconds(endOf(step) - time_[step]); };
    switch (form_) {
        case Form::ahead: return values_[step];
        case Form::behind: return values_[step + 1];
        case Form::growth: return byTheSecond(values_[step + 1] - values_[step]);
        case Form::addedBehind: return byTheSecond(values_[step + 1]);
        case Form::addedAhead: return byTheSecond(values_[step]);
    }
    return 0;
}

std::size_t Curve::at(Picoseconds time) const {
    if (empty() || time < time_[0]) return 0;
    const auto after = static_cast<std::size_t>(std::upper_bound(time_.begin(), time_.end(), time) - time_.begin());
    return after - 1 < size_ && time < endOf(after - 1) ? after - 1 : size_;
}

std::size_t Curve::firstFrom(Picoseconds time, std::size_t from) const {
    std::size_t low = from, step = 1;
    while (low + step < size_ && time_[low + step] < time) low += step, step *= 2;
    const auto first = time_.begin() + static_cast<std::ptrdiff_t>(low);
    const auto last = time_.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, size_));
    return static_cast<std::size_t>(std::lower_bound(first, last, time) - time_.begin());
}

std::optional<Curve::Range> Curve::over(std::size_t first, std::size_t end) const {
    if (first >= end) return std::nullopt;
    Range all{valueOf(first), valueOf(first)};
    const auto join = [&](double least, double most) {
        all.least = std::min(all.least, least);
        all.most = std::max(all.most, most);
    };
    // Up through levels while bundles are whole, then down again.
    std::size_t i = first;
    while (i < end) {
        std::size_t level = 0, width = bundle;
        if (i % bundle != 0 || i + bundle > end) {
            const double value = valueOf(i++);
            join(value, value);
            continue;
        }
        while (level + 1 < bundles_.size() && i % (width * bundle) == 0 && i + width * bundle <= end)
            ++level, width *= bundle;
        const Range& its = bundles_[level][i / width];
        join(its.least, its.most);
        i += width;
    }
    return all;
}

}  // namespace app::analysis
