// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/calibration.hpp"

#include "app/session/run/scratch.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace app {
namespace {

using engine::Bytes;
using engine::Error;
using engine::Picoseconds;
using engine::text;

std::vector<Picoseconds> readExchanges(const std::filesystem::path& file, const std::vector<Bytes>& sizes) {
    std::ifstream in{file};
    std::vector<Picoseconds> times;
    Bytes size = 0;
    std::int64_t time = 0;
    while (in >> size >> time) times.emplace_back(time);
    ENSURE(times.size() == sizes.size(), "times that were measured are missing");
    return times;
}

}  // namespace

void writeExchanges(const std::filesystem::path& file, const std::vector<Bytes>& sizes,
                    const std::vector<Picoseconds>& times) {
    engine::NewFile made{file, engine::Existing::replace};
    for (std::size_t i = 0; i < sizes.size(); ++i) made.out() << sizes[i] << ' ' << times[i].count() << '\n';
    made.publish();
}

engine::Model fitted(const std::vector<Bytes>& sizes, const std::vector<Picoseconds>& times) {
    if (sizes.size() < 2) throw Error{"alpha and beta take two sizes of messages at least"};
    // Each point weighs 1/t^2: small messages are not drowned by large ones.
    double weight = 0, m = 0, t = 0, mm = 0, mt = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = static_cast<double>(sizes[i]);
        const double time = std::max(1.0, static_cast<double>(times[i].count()));
        const double w = 1 / (time * time);
        weight += w, m += w * size, t += w * time, mm += w * size * size, mt += w * size * time;
    }
    double beta = std::max(0.0, (weight * mt - m * t) / (weight * mm - m * m));
    double alpha = (t - beta * m) / weight;
    if (alpha < 0) alpha = 0, beta = mt / mm;
    engine::Model model;
    model.alpha = Picoseconds{std::llround(alpha)};
    model.beta = engine::Rate{std::llround(beta * 1000)};
    return model;
}

Calibration calibrate(const Exchanges& asked, const Launch& launch, const engine::Progress& progress) {
    LiveOrder order{.repeats = asked.repeats};
    for (Bytes size = asked.least; size <= asked.most; size *= 4) order.exchanges.push_back(size);
    Calibration result{.pairs = asked.pairs};
    result.before = lookAtLoad();
    const Scratch scratch;
    const Launched launched = launch(order, scratch.folder(), 2 * asked.pairs, progress);
    if (!launched.trouble.empty()) throw Error{text("nothing was measured: ", launched.trouble)};
    result.command = launched.how;
    const auto times = readExchanges(scratch.folder() / exchangeFile, order.exchanges);
    result.model = fitted(order.exchanges, times);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Picoseconds guess = result.model.message(order.exchanges[i]);
        result.points.push_back({order.exchanges[i], times[i], guess});
        const double apart = static_cast<double>((guess - times[i]).count()) / static_cast<double>(times[i].count());
        result.error = std::max(result.error, std::abs(apart));
    }
    return result;
}

std::string modelFile(const Calibration& calibration) {
    std::string words =
        text("title   measured here\nalpha   ", calibration.model.alpha.count(), "ps\nbeta    ",
             engine::showNumber(static_cast<double>(calibration.model.beta.femtosecondsPerByte) / 1000, 9),
             "ps/B\nsource  collscope calibrate: ",
             calibration.pairs == 1 ? "two processes sending to each other at once"
                                    : text(calibration.pairs, " pairs of processes, all sending to each other at once"),
             ", started by ", calibration.command, "; measured");
    for (const Calibration::Point& point : calibration.points)
        words += text(" ", engine::showBytes(point.size), " ", engine::showTime(point.measured), ",");
    words.back() = '\n';
    return words;
}

}  // namespace app
