// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/synthesis/frontier.hpp"

#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace app {
namespace {

constexpr engine::Bytes smallest = 64;
constexpr engine::Bytes largest = engine::Bytes{64} << 20;
constexpr std::int64_t mostTurns = 1 << 16;  // of a schedule of the catalogue that is compared

double costOf(const CostLine& line, double alpha, double beta, double size) {
    return static_cast<double>(line.steps) * alpha + line.share * beta * size;
}

}  // namespace

ComparisonLimit::ComparisonLimit(const engine::Progress& whole, std::chrono::steady_clock::time_point end)
    : chained_{whole.stop, [this] { late_.request_stop(); }},
      limited_{.report =
                   [this, end](double) {
                       if (std::chrono::steady_clock::now() > end) late_.request_stop();
                   },
               .stop = late_.get_token()} {}

CostLine costLineOf(std::string name, engine::Plan plan, const emulation::Network& network, const NetworkFabric& fabric,
                    const engine::Model& model) {
    std::set<std::pair<std::int32_t, std::int32_t>> channels;
    for (const engine::synthesis::Channel& channel : fabric.fabric.channels) channels.emplace(channel.from, channel.to);
    const engine::Facts& facts = plan.schedule->facts();
    const auto perByte = [](engine::Rate rate) { return static_cast<double>(rate.femtosecondsPerByte); };
    const double lane = std::max(perByte(fabric.lane.value_or(model.beta)), 1.0);
    const double unit = lane * static_cast<double>(std::max<engine::Bytes>(plan.problem.layout.largest(), 1));
    CostLine line{.name = std::move(name), .steps = facts.rounds, .direct = true};
    engine::Batch batch;
    std::vector<engine::LinkId> route;
    for (std::int64_t round = 0; round < facts.rounds; ++round) {
        batch.reset(0);
        plan.schedule->batch(engine::Round{round}, engine::Rank{0}, engine::Rank{facts.ranks}, batch);
        std::vector<engine::Bytes> loads(engine::asSize(network.links()));
        double most = 0;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            line.direct = line.direct && channels.contains({batch.from()[i], batch.to()[i]});
            route.clear();
            network.route(engine::Rank{batch.from()[i]}, engine::Rank{batch.to()[i]}, route);
            for (const engine::LinkId link : route) loads[link.index()] += batch.bytes()[i];
            if (route.empty()) most = std::max(most, static_cast<double>(batch.bytes()[i]) * perByte(model.beta));
        }
        for (std::size_t on = 0; on < loads.size(); ++on) {
            const auto quality = network.quality(engine::LinkId{static_cast<std::int32_t>(on)});
            most = std::max(most, static_cast<double>(loads[on]) * perByte(quality ? quality->beta : model.beta));
        }
        line.loads.push_back(most / unit);
        line.share += line.loads.back();
    }
    line.cost =
        emulation::makespan(plan, network, {.model = model, .stepping = emulation::Stepping::lockstep, .threads = 1});
    line.plan = std::make_shared<const engine::Plan>(std::move(plan));
    return line;
}

std::string inWords(const SizeRange& range) {
    constexpr int figures = 4;
    const std::string from = engine::showBytes(range.from, figures);
    if (!range.to) return range.from <= 1 ? "all" : ">= " + from;
    const std::string to = engine::showBytes(*range.to, figures);
    if (range.from <= 1) return "<= " + to;
    return from == to ? from : engine::text(from, " to ", to);
}

std::vector<std::optional<SizeRange>> cheapestRanges(std::span<const CostLine> lines, double alpha, double beta) {
    constexpr double most = 1e15;  // bytes; larger ones are as good as infinite
    std::vector<std::optional<SizeRange>> ranges;
    for (const CostLine& line : lines) {
        double from = 1;
        double to = std::numeric_limits<double>::infinity();
        for (const CostLine& other : lines) {
            const double later = static_cast<double>(line.steps - other.steps) * alpha;  // what `line` pays more
            const double dearer = (line.share - other.share) * beta;                     // and per byte
            if (dearer > 0) to = std::min(to, std::floor(-later / dearer));
            else if (dearer < 0) from = std::max(from, std::ceil(later / -dearer));
            else if (later > 0) to = 0;
        }
        if (from > to || from > most) ranges.emplace_back();
        else
            ranges.emplace_back(SizeRange{static_cast<engine::Bytes>(from),
                                          to > most ? std::nullopt : std::optional{static_cast<engine::Bytes>(to)}});
    }
    return ranges;
}

void addCatalogueLines(std::vector<CostLine>& lines, const RunWish& wish, engine::Collective collective,
                       const emulation::Network& network, const NetworkFabric& fabric,
                       const engine::Progress& progress) {
    for (const engine::Algorithm* algorithm : engine::algorithmsFor(collective)) {
        progress.at(0);
        RunWish one = wish;
        one.algorithm = algorithm->id;
        try {
            const engine::Plan plan = makePlan(one, progress);
            const engine::Facts& facts = plan.schedule->facts();
            // Dummies have no place on the network.
            if (facts.ranks > network.ranks() || facts.ports > wish.problem.ports ||
                facts.ranks * facts.rounds > mostTurns)
                continue;
            lines.push_back(costLineOf(algorithm->id, plan, network, fabric, wish.model));
        } catch (const engine::Error&) {
            continue;  // it does not fit this problem or this network
        }
    }
}

Chart frontierChart(std::span<const CostLine> found, std::span<const CostLine> catalogue, const CostLine& bound,
                    double alpha, double beta) {
    Chart chart{.across = {.name = "size", .unit = Unit::bytes}, .up = {.name = "cost", .unit = Unit::seconds}};
    const auto drawn = [&](const CostLine& line) {
        Chart::Line points{.name = line.name};
        for (engine::Bytes size = smallest; size <= largest; size *= 2)
            points.points.push_back(
                {static_cast<double>(size), costOf(line, alpha, beta, static_cast<double>(size)) * 1e-12});
        return points;
    };
    for (const CostLine& line : found) chart.lines.push_back(drawn(line));
    const std::vector<std::optional<SizeRange>> ranges = cheapestRanges(catalogue, alpha, beta);
    for (std::size_t i = 0; i < catalogue.size(); ++i)
        if (ranges[i] && ranges[i]->from <= largest && (!ranges[i]->to || *ranges[i]->to >= smallest))
            chart.lines.push_back(drawn(catalogue[i]));
    chart.bounds.push_back(drawn(bound));
    return chart;
}

}  // namespace app
