// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/cost_model_fit.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rate;

namespace {

constexpr std::size_t most = 1200;  ///< transfers that are compared with each other

template <class T>
T nth(std::vector<T>& values, std::size_t place) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(place, values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// At most `most` of the sorted transfers, from every size its share, evenly from the fastest to the slowest.
std::vector<Transfer> sampled(const std::vector<Transfer>& sorted, std::int64_t sizes) {
    if (sorted.size() <= most) return sorted;
    const std::size_t quota = std::max<std::size_t>(most / static_cast<std::size_t>(sizes), 1);
    std::vector<Transfer> chosen;
    for (std::size_t first = 0; first < sorted.size();) {
        std::size_t last = first;
        while (last < sorted.size() && sorted[last].bytes == sorted[first].bytes) ++last;
        const std::size_t count = last - first;
        const std::size_t take = std::min(count, quota);
        for (std::size_t i = 0; i < take; ++i) chosen.push_back(sorted[first + (2 * i + 1) * count / (2 * take)]);
        first = last;
    }
    if (chosen.size() <= most) return chosen;
    std::vector<Transfer> fewer;
    for (std::size_t i = 0; i < most; ++i) fewer.push_back(chosen[i * chosen.size() / most]);
    return fewer;
}

/// All slopes between transfers of different sizes [ps/B], and Sen's variance of Kendall's score with ties.
struct Slopes {
    std::vector<double> values;
    double variance = 0;
};
Slopes slopesOf(const std::vector<Transfer>& sample) {
    Slopes slopes;
    const auto n = static_cast<double>(sample.size());
    double score = n * (n - 1) * (2 * n + 5);
    for (std::size_t first = 0; first < sample.size();) {
        std::size_t last = first;
        while (last < sample.size() && sample[last].bytes == sample[first].bytes) ++last;
        const auto tied = static_cast<double>(last - first);
        score -= tied * (tied - 1) * (2 * tied + 5);
        for (std::size_t i = first; i < last; ++i)
            for (std::size_t j = last; j < sample.size(); ++j)
                slopes.values.push_back(static_cast<double>((sample[j].time - sample[i].time).count()) /
                                        static_cast<double>(sample[j].bytes - sample[i].bytes));
        first = last;
    }
    slopes.variance = score / 18;
    return slopes;
}

Rate rateOf(double picosecondsPerByte) {
    return {static_cast<std::int64_t>(std::llround(std::max(picosecondsPerByte, 0.0) * 1000))};
}

/// The value at `place` of what `rate` leaves of each transfer, never below zero.
Picoseconds startup(const std::vector<Transfer>& sample, Rate rate, double place) {
    std::vector<Picoseconds> left;
    for (const Transfer& transfer : sample) left.push_back(transfer.time - rate * transfer.bytes);
    const double last = static_cast<double>(left.size() - 1);
    return std::max(Picoseconds{},
                    nth(left, static_cast<std::size_t>(std::lround(std::clamp(place, 0.0, 1.0) * last))));
}

/// A message, if it tells: of traces of calls one that was waited for.
void take(std::vector<Transfer>& transfers, engine::Bytes bytes, Picoseconds sent, Picoseconds awaited,
          Picoseconds came, bool ofCalls) {
    if (ofCalls && awaited > sent) return;
    const Picoseconds time = came - std::max(sent, awaited);
    if (time.count() > 0) transfers.push_back({bytes, time});
}

}  // namespace

std::vector<Transfer> transfersOf(const engine::Run& run) {
    std::vector<Transfer> transfers;
    const engine::Messages& m = run.messages;
    for (std::size_t i = 0; i < m.size(); ++i)
        take(transfers, m.bytes()[i], m.sendBegin()[i], m.receiveBegin()[i], m.receiveEnd()[i], timesAreCalls(run));
    return transfers;
}

std::vector<Transfer> transfersOf(const traces::Messages& m, const ChosenMessages& chosen) {
    const auto tell = [&](std::vector<Transfer>& to, std::uint32_t i) {
        take(to, m.bytes[i], m.sendBegin[i], m.receiveBegin[i], m.receiveEnd[i], true);
    };
    // Those of one size tell no line: of millions of them the first ones are enough to say so.
    constexpr std::size_t few = 4;
    std::vector<Transfer> first, one;
    bool several = false;
    for (std::size_t k = 0; k < chosen.size() && !several; ++k) {
        one.clear();
        tell(one, chosen[k]);
        if (one.empty()) continue;
        if (first.size() < few) first.push_back(one.front());
        several = one.front().bytes != first.front().bytes;
    }
    if (!several && first.size() == few) return first;
    std::vector<Transfer> transfers;
    for (std::size_t k = 0; k < chosen.size(); ++k) tell(transfers, chosen[k]);
    return transfers;
}

std::optional<Fit> fitted(std::vector<Transfer> transfers, std::string& why) {
    if (transfers.size() < fewestFitted) {
        why = transfers.empty()
                  ? "no message has a known transfer time"
                  : engine::text("only ", transfers.size(), transfers.size() == 1 ? " message has" : " messages have",
                                 " a known transfer time (", fewestFitted, " are needed)");
        return std::nullopt;
    }
    const auto otherBytes = [](const Transfer& a, const Transfer& b) { return a.bytes != b.bytes; };
    if (std::adjacent_find(transfers.begin(), transfers.end(), otherBytes) == transfers.end()) {
        why = engine::text("all point-to-point messages have ", engine::showBytes(transfers.front().bytes),
                           ", and two sizes are needed to distinguish alpha and beta");
        return std::nullopt;
    }
    std::sort(transfers.begin(), transfers.end());
    std::int64_t sizes = 1;
    for (std::size_t i = 1; i < transfers.size(); ++i)
        if (otherBytes(transfers[i - 1], transfers[i])) ++sizes;
    const std::vector<Transfer> sample = sampled(transfers, sizes);
    Slopes slopes = slopesOf(sample);
    const auto count = static_cast<double>(slopes.values.size());
    const double half = 1.96 * std::sqrt(std::max(slopes.variance, 0.0)) / 2;
    const auto slope = [&](double place) {
        return rateOf(nth(slopes.values, static_cast<std::size_t>(std::clamp(place, 0.0, count - 1))));
    };
    Fit fit;
    fit.model.name = "fitted";
    fit.model.beta = slope((count - 1) / 2);
    fit.betaLow = slope(count / 2 - half);
    fit.betaHigh = slope(count / 2 + half);
    const double spread = 0.98 / std::sqrt(static_cast<double>(sample.size()));
    fit.model.alpha = startup(sample, fit.model.beta, 0.5);
    fit.alphaLow = std::min(fit.model.alpha, startup(sample, fit.betaHigh, 0.5 - spread));
    fit.alphaHigh = std::max(fit.model.alpha, startup(sample, fit.betaLow, 0.5 + spread));
    fit.samples = static_cast<std::int64_t>(transfers.size());
    fit.sizes = sizes;
    std::vector<double> distances;
    for (const Transfer& transfer : sample) {
        const Picoseconds line = fit.model.message(transfer.bytes);
        if (line.count() > 0)
            distances.push_back(std::abs(static_cast<double>((transfer.time - line).count())) /
                                static_cast<double>(line.count()));
    }
    fit.deviation = distances.empty() ? 0 : engine::median(std::move(distances));
    return fit;
}

std::string whyTooUncertain(const Fit& fit, bool alphaGiven, bool betaGiven) {
    constexpr std::int64_t most = 3;
    constexpr double far = 0.5;
    if (fit.deviation >= far)
        return engine::text("the times of half of the messages differ by ", percent(fit.deviation),
                            " or more from alpha + beta x bytes");
    const auto uncertain = [](std::int64_t low, std::int64_t high) { return low <= 0 || high > most * low; };
    std::vector<std::string> wide;
    if (!alphaGiven && uncertain(fit.alphaLow.count(), fit.alphaHigh.count()))
        wide.push_back(
            engine::text("of alpha is ", engine::showTime(fit.alphaLow), " to ", engine::showTime(fit.alphaHigh)));
    if (!betaGiven && uncertain(fit.betaLow.femtosecondsPerByte, fit.betaHigh.femtosecondsPerByte))
        wide.push_back(
            engine::text("of beta is ", engine::showRate(fit.betaLow), " to ", engine::showRate(fit.betaHigh)));
    if (wide.empty()) return {};
    return engine::text("the 95% interval ", listed(wide), ", which is too wide");
}

}  // namespace app::analysis
