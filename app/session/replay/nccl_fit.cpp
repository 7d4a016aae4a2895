// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/nccl_fit.hpp"

#include "app/session/run/calibration.hpp"
#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace app {

using engine::Picoseconds;
using engine::text;
using traces::Operation;

namespace {

/// The program of nccl-tests that measures the operation; empty: none of those that a ring carries out.
std::string programOf(Operation operation) {
    switch (operation) {
        case Operation::allreduce: return "all_reduce_perf";
        case Operation::allgather: return "all_gather_perf";
        case Operation::reduceScatterBlock: return "reduce_scatter_perf";
        default: return {};
    }
}

/// Collectives that NCCL ran by one protocol.
struct OfProtocol {
    std::map<std::pair<std::string, std::int32_t>, traces::nccl::Series> series;  // by program and ranks
    Picoseconds total{};
};

std::string named(const std::string& protocol) { return protocol.empty() ? "unknown protocol" : protocol; }

/// A fit that is off by more says nothing of these collectives: links of their groups may differ.
constexpr double mostOff = 0.1;

/// The median share by which the fitted times differ from the measured ones.
double offBy(const RingFit& ring) {
    std::vector<double> shares;
    for (const RingFit::Point& point : ring.points)
        if (point.measured.count() > 0)
            shares.push_back(std::abs(static_cast<double>((point.fitted - point.measured).count())) /
                             static_cast<double>(point.measured.count()));
    return shares.empty() ? 0 : engine::median(std::move(shares));
}

}  // namespace

NcclFit fittedToCollectives(const traces::Recording& recording) {
    std::map<std::string, OfProtocol> protocols;
    for (const traces::Collective& instance : recording.collectives.instances) {
        const std::string program = programOf(instance.operation);
        const traces::Communicator& group = recording.communicators[engine::asSize(instance.communicator)];
        const traces::Ran ran = instance.algorithm == traces::noIndex
                                    ? traces::Ran{}
                                    : traces::Ran::from(recording.algorithms[engine::asSize(instance.algorithm)]);
        if (program.empty() || !instance.complete || instance.count < 2 || !traces::isKnown(group) ||
            (!ran.algorithm.empty() && ran.algorithm != "RING"))
            continue;
        const auto parts = recording.collectives.of(instance);
        Picoseconds latency = Picoseconds::max();
        for (const traces::Participant& part : parts) latency = std::min(latency, part.end - part.begin);
        const auto ranks = static_cast<std::int32_t>(instance.count);
        const auto traffic = busTraffic(instance.operation, ranks, parts[0].sent, parts[0].received);
        if (!traffic || latency.count() <= 0) continue;
        OfProtocol& its = protocols[ran.protocol];
        traces::nccl::Series& series = its.series[{program, ranks}];
        series.program = program;
        series.ranks = ranks;
        series.results.push_back({.size = traffic->size, .outOfPlace = latency});
        its.total += latency;
    }
    NcclFit fit;
    Picoseconds most{};
    std::vector<std::string> fits, failures;
    for (const auto& [protocol, its] : protocols) {
        std::vector<traces::nccl::Series> all;
        for (const auto& [key, series] : its.series) all.push_back(series);
        try {
            const RingFit ring = ringFit(all, 0, std::numeric_limits<engine::Bytes>::max());
            const double off = offBy(ring);
            if (off > mostOff) {
                failures.push_back(text(named(protocol),
                                        ": the median deviation from rings with one alpha and beta is ",
                                        engine::showNumber(100 * off, 3), " %"));
                continue;
            }
            fits.push_back(text(named(protocol), " alpha ", engine::showTime(ring.model.alpha), ", beta ",
                                engine::showRate(ring.model.beta), " (median deviation ",
                                engine::showNumber(100 * off, 3), " %)"));
            if (its.total <= most) continue;
            most = its.total;
            fit.model = ring.model;
        } catch (const engine::Error& error) {
            // Without its remedy, which is for measurements.
            failures.push_back(text(named(protocol), ": ", error.words().substr(0, error.words().find(';'))));
        }
    }
    if (fit.model)
        fit.words =
            text("alpha and beta are fitted to the latencies of collectives as rings, by protocol: ",
                 engine::joined(fits, "; "),
                 fits.size() > 1 ? "; the replay uses those of the protocol whose collectives take the most time" : "");
    else if (!failures.empty()) fit.words = engine::joined(failures, "; ");
    else fit.words = "no collective of known size was recorded on all of its ranks";
    return fit;
}

}  // namespace app
