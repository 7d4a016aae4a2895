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

/// Collectives that NCCL ran by one protocol, in process groups of one shape or in all.
struct Latencies {
    std::map<std::pair<std::string, std::int32_t>, traces::nccl::Series> series;  // by program and ranks
    Picoseconds total{};

    void add(const std::string& program, std::int32_t ranks, engine::Bytes size, Picoseconds latency) {
        traces::nccl::Series& its = series[{program, ranks}];
        its.program = program;
        its.ranks = ranks;
        its.results.push_back({.size = size, .outOfPlace = latency});
        total += latency;
    }
};

/// Process groups with as many ranks at equal distances use links of the same kinds.
struct Shape {
    std::int32_t ranks = 0;
    std::int32_t stride = 0;  ///< 0: their distances differ

    friend auto operator<=>(const Shape&, const Shape&) = default;
};

Shape shapeOf(const traces::Communicator& group) {
    const auto& members = group.members;
    Shape shape{static_cast<std::int32_t>(members.size()), members[1].value - members[0].value};
    for (std::size_t i = 2; i < members.size(); ++i)
        if (members[i].value - members[i - 1].value != shape.stride) shape.stride = 0;
    return shape;
}

std::string inWords(const Shape& shape) {
    return text("process groups of ", shape.ranks,
                shape.stride == 0   ? " ranks"
                : shape.stride == 1 ? " consecutive ranks"
                                    : text(" ranks at a distance of ", shape.stride));
}

/// "5 us (4.9 us to 5.1 us)", without the interval where its ends are shown alike.
template <class Show>
std::string shown(const RingFit& ring, Show show) {
    const std::string low = show(ring.low), high = show(ring.high);
    return low == high ? show(ring.model) : text(show(ring.model), " (", low, " to ", high, ")");
}

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
    const auto& instances = recording.collectives.instances;
    std::map<std::string, Latencies> protocols;
    std::map<std::string, std::map<Shape, Latencies>> shapes;  // by protocol
    std::vector<std::optional<std::pair<std::string, Shape>>> kinds(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const traces::Collective& instance = instances[i];
        const traces::Communicator& group = recording.communicators[engine::asSize(instance.communicator)];
        if (!instance.complete || instance.count < 2 || !traces::isKnown(group)) continue;
        const traces::Ran ran = instance.algorithm == traces::noIndex
                                    ? traces::Ran{}
                                    : traces::Ran::from(recording.algorithms[engine::asSize(instance.algorithm)]);
        kinds[i].emplace(ran.protocol, shapeOf(group));
        const std::string program = programOf(instance.operation);
        const bool isRing = ran.algorithm.empty() || ran.algorithm == "RING" || ran.algorithm.ends_with("/ring");
        if (program.empty() || !isRing) continue;
        const auto parts = recording.collectives.of(instance);
        Picoseconds latency = Picoseconds::max();
        for (const traces::Participant& part : parts) latency = std::min(latency, part.end - part.begin);
        const auto ranks = static_cast<std::int32_t>(instance.count);
        const auto traffic = busTraffic(instance.operation, ranks, parts[0].sent, parts[0].received);
        if (!traffic || latency.count() <= 0) continue;
        protocols[ran.protocol].add(program, ranks, traffic->size, latency);
        shapes[ran.protocol][kinds[i]->second].add(program, ranks, traffic->size, latency);
    }
    const bool byProtocol = protocols.size() > 1 || (protocols.size() == 1 && !protocols.begin()->first.empty());
    const auto named = [&](const std::string& protocol, const std::string& shape) {
        std::vector<std::string> parts;
        if (byProtocol) parts.push_back(protocol.empty() ? "unknown protocol" : protocol);
        if (!shape.empty()) parts.push_back(shape);
        return engine::joined(parts, ", ");
    };
    NcclFit fit;
    Picoseconds most{};
    std::vector<std::string> fits, failures;
    const auto take = [&](const std::string& of, const Latencies& measured) -> std::shared_ptr<const engine::Model> {
        std::vector<traces::nccl::Series> all;
        for (const auto& [key, series] : measured.series) all.push_back(series);
        try {
            const RingFit ring = ringFit(all, 0, std::numeric_limits<engine::Bytes>::max(), NearZero::is0);
            const double off = offBy(ring);
            if (off > mostOff) {
                failures.push_back(text(of, of.empty() ? "" : ": ",
                                        "the median deviation from rings with one alpha and beta is ",
                                        engine::showNumber(100 * off, 3), "%"));
                return nullptr;
            }
            fits.push_back(text(of, of.empty() ? "" : " ", "alpha ",
                                shown(ring, [](const engine::Model& model) { return engine::showTime(model.alpha); }),
                                ", beta ",
                                shown(ring, [](const engine::Model& model) { return engine::showRate(model.beta); }),
                                " (median deviation ", engine::showNumber(100 * off, 3), "%)"));
            if (measured.total > most) {
                most = measured.total;
                fit.model = ring.model;
            }
            return std::make_shared<const engine::Model>(ring.model);
        } catch (const engine::Error& error) {
            // Without its remedy, which is for measurements.
            failures.push_back(text(of, of.empty() ? "" : ": ", error.words().substr(0, error.words().find(';'))));
            return nullptr;
        }
    };
    bool byShape = false;
    std::map<std::string, std::shared_ptr<const engine::Model>> ofProtocols;
    std::map<std::pair<std::string, Shape>, std::shared_ptr<const engine::Model>> ofShapes;
    for (const auto& [protocol, whole] : protocols) {
        const auto& its = shapes[protocol];
        // Of several shapes each is fitted by itself; all of them together where none has several sizes.
        bool any = false;
        if (its.size() > 1)
            for (const auto& [shape, measured] : its)
                if (auto model = take(named(protocol, inWords(shape)), measured)) {
                    ofShapes.emplace(std::pair{protocol, shape}, std::move(model));
                    any = true;
                }
        byShape = byShape || any;
        if (any) continue;
        if (auto model = take(named(protocol, {}), whole)) ofProtocols.emplace(protocol, std::move(model));
    }
    std::int64_t without = 0;
    for (const auto& kind : kinds) {
        auto& model = fit.ofInstance.emplace_back();
        if (!kind) continue;
        if (const auto its = ofShapes.find(*kind); its != ofShapes.end()) model = its->second;
        else if (const auto all = ofProtocols.find(kind->first); all != ofProtocols.end()) model = all->second;
        else ++without;
    }
    if (fit.model) {
        fit.words = text("alpha and beta are fitted to the latencies of collectives as rings",
                         byProtocol ? byShape ? ", by protocol and process group" : ", by protocol"
                         : byShape  ? ", by process group"
                                    : "",
                         ": ", engine::joined(fits, "; "));
        if (fits.size() > 1) fit.words += "; each collective takes those of its kind";
        if (without > 0)
            fit.words +=
                text("; ", without, without == 1 ? " collective" : " collectives", " of other kinds cannot be fitted");
    } else if (!failures.empty()) {
        fit.words = engine::joined(failures, "; ");
    } else {
        fit.words = "no collective of known size and duration was recorded on all of its ranks";
    }
    return fit;
}

}  // namespace app
