// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/calibration.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/session/run/scratch.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>

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

/// Steps and bytes that follow one another if a result of `series` ran as a ring; nothing where none would.
std::optional<std::array<double, 2>> ringCost(const traces::nccl::Series& series, Bytes size) {
    using traces::nccl::programs;
    using AsRing = traces::nccl::Program::AsRing;
    const double n = series.ranks, m = static_cast<double>(size);
    const auto program =
        std::find_if(programs.begin(), programs.end(), [&](const auto& one) { return one.name == series.program; });
    switch (program == programs.end() ? AsRing::none : program->ring) {
        case AsRing::once: return std::array{n - 1, (n - 1) / n * m};
        case AsRing::twice: return std::array{2 * (n - 1), 2 * (n - 1) / n * m};
        case AsRing::pipelined: return std::array{n - 1, m};
        case AsRing::single: return std::array{1.0, m};
        case AsRing::none: break;
    }
    return std::nullopt;
}

/// Half the width of a 95% interval in standard errors: Student's t.
double studentsT(std::size_t degrees) {
    constexpr std::array<double, 10> exact{12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
    return degrees <= exact.size() ? exact[degrees - 1] : 1.96 + 2.7 / static_cast<double>(degrees);
}

engine::Model parameters(double alpha, double beta) {
    engine::Model model;
    model.alpha = Picoseconds{std::llround(alpha)};
    model.beta = engine::Rate{std::llround(beta * 1000)};
    return model;
}

std::string parameterLines(const engine::Model& model) {
    return text("alpha   ", model.alpha.count(), "ps\nbeta    ",
                engine::showNumber(static_cast<double>(model.beta.femtosecondsPerByte) / 1000, 9), "ps/B\n");
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
        const double apart = analysis::ratio(guess - times[i], times[i]);
        result.error = std::max(result.error, std::abs(apart));
    }
    return result;
}

std::string modelFile(const Calibration& calibration) {
    std::string words =
        text("title   measured here\n", parameterLines(calibration.model), "source  collscope calibrate: ",
             calibration.pairs == 1 ? "two processes sending to each other at once"
                                    : text(calibration.pairs, " pairs of processes, all sending to each other at once"),
             ", started by ", calibration.command, "; measured");
    for (const Calibration::Point& point : calibration.points)
        words += text(" ", engine::showBytes(point.size), " ", engine::showTime(point.measured), ",");
    words.back() = '\n';
    return words;
}

RingFit ringFit(const std::vector<traces::nccl::Series>& all, Bytes least, Bytes most, NearZero nearZero) {
    RingFit fit;
    std::vector<std::array<double, 2>> costs;
    const traces::nccl::Series* other = nullptr;
    for (const traces::nccl::Series& series : all) {
        if (series.ranks < 2)
            throw Error{text(series.title(), " communicates with no other; was nccl-tests built with MPI=1?")};
        fit.wrong += series.wrong;
        if (!ringCost(series, 1)) {
            fit.others.insert(series.title());
            other = &series;
            continue;
        }
        for (const traces::nccl::Result& result : series.results) {
            if (result.size < least || result.size > most) continue;
            costs.push_back(*ringCost(series, result.size));
            fit.points.push_back({series.title(), result.size, *result.time(), {}});
        }
    }
    if (costs.empty() && other != nullptr)
        throw Error{text(
            other->title(),
            ": alpha and beta are estimated of all_reduce, all_gather, reduce_scatter, alltoall, "
            "broadcast, reduce and sendrecv; ",
            other->program.empty() ? "put a line with the program's name before the table" : "measure one of these")};
    if (costs.size() < 3) throw Error{text("alpha and beta need at least three results; there are ", costs.size())};
    // Rows are divided by their times: small sizes are not drowned by large ones.
    double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const double time = std::max(1.0, static_cast<double>(fit.points[i].measured.count()));
        const double x = costs[i][0] / time, y = costs[i][1] / time;
        aa += x * x, ab += x * y, bb += y * y, a += x, b += y;
    }
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 1e-12 * aa * bb))
        throw Error{"alpha and beta cannot be separated: all results are of one size; measure several sizes"};
    double alpha = (bb * a - ab * b) / determinant, beta = (aa * b - ab * a) / determinant;
    // The sum of squares of the relative differences.
    const auto residual = [&] {
        double squares = 0;
        fit.error = 0;
        for (std::size_t i = 0; i < costs.size(); ++i) {
            const double guess = alpha * costs[i][0] + beta * costs[i][1];
            const double off = guess / std::max(1.0, static_cast<double>(fit.points[i].measured.count())) - 1;
            squares += off * off;
            fit.error = std::max(fit.error, std::abs(off));
            fit.points[i].fitted = Picoseconds{std::llround(guess)};
        }
        return squares;
    };
    const std::size_t degrees = costs.size() - 2;
    const double variance = residual() / static_cast<double>(degrees);
    const double t = studentsT(degrees);
    double alphaWidth = t * std::sqrt(variance * bb / determinant);
    double betaWidth = t * std::sqrt(variance * aa / determinant);
    if (nearZero == NearZero::is0 && (alpha <= alphaWidth || beta <= betaWidth)) {
        // The one that explains more of the times.
        const bool noAlpha = alpha * alpha * aa < beta * beta * bb;
        alpha = noAlpha ? 0 : a / aa;
        beta = noAlpha ? b / bb : 0;
        const double deviation = std::sqrt(residual() / static_cast<double>(degrees + 1));
        alphaWidth = noAlpha ? 0 : studentsT(degrees + 1) * deviation / std::sqrt(aa);
        betaWidth = noAlpha ? studentsT(degrees + 1) * deviation / std::sqrt(bb) : 0;
        fit.model = parameters(alpha, beta);
        fit.low = parameters(alpha - alphaWidth, beta - betaWidth);
        fit.high = parameters(alpha + alphaWidth, beta + betaWidth);
        return fit;
    }
    const auto refuse = [&](std::string_view name, std::string_view sizes) {
        throw Error{text(name, " cannot be estimated: its 95% interval includes 0; measure ", sizes,
                         " sizes, or choose the range that one algorithm and protocol serve")};
    };
    if (alpha - alphaWidth <= 0) refuse("alpha", "smaller");
    if (beta - betaWidth <= 0) refuse("beta", "larger");
    fit.model = parameters(alpha, beta);
    fit.low = parameters(alpha - alphaWidth, beta - betaWidth);
    fit.high = parameters(alpha + alphaWidth, beta + betaWidth);
    return fit;
}

std::string modelFile(const RingFit& fit, const std::string& source) {
    std::vector<std::string> series;
    for (const RingFit::Point& point : fit.points)
        if (std::find(series.begin(), series.end(), point.series) == series.end()) series.push_back(point.series);
    return text("title   measured by nccl-tests\n", parameterLines(fit.model), "source  collscope calibrate ", source,
                ": ", engine::joined(series, ", "), ", as rings\n");
}

}  // namespace app
