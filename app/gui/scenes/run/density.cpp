// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/density.hpp"

#include "app/analysis/messages/messages_in_flight.hpp"
#include "engine/base/parallel.hpp"

#include <algorithm>
#include <utility>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::size_t perBucket = 256;        // messages: 12 bytes of sums for each
constexpr std::size_t mostBuckets = 1 << 18;  // 800 MB

}  // namespace

Density::Density(const engine::Run& run, const MessageIndex& index, Bundles bundles) : bundles_{std::move(bundles)} {
    makeEdges(run, index);
    const auto stride = static_cast<std::size_t>(bundles_.count());
    busy_.assign(edges_.size() * stride, 0);
    sent_.assign(busy_.size(), 0);
    // First what changes within the bucket before each edge: a port busy from some moment on fills the rest of its
    // bucket and all later ones. Each part looks at all messages for what is in its own buckets.
    std::vector<std::int32_t> ports(busy_.size());
    const Picoseconds last = edges_.back() - Picoseconds{1};
    const engine::Messages& messages = run.messages;
    const std::size_t parts = partsOf(messages.size());
    engine::parallelFor(parts, [&](std::size_t part) {
        const Picoseconds first = edges_[(edges_.size() - 1) * part / parts];
        const Picoseconds end = edges_[(edges_.size() - 1) * (part + 1) / parts];
        const auto note = [&](engine::Rank rank, Picoseconds time, bool begins, std::uint32_t sent) {
            time = std::clamp(time, Picoseconds{0}, last);
            if (time < first || time >= end) return;
            const std::size_t after = bucketOf(time) + 1;
            const std::size_t cell = after * stride + static_cast<std::size_t>(bundles_.of(rank));
            const auto rest = static_cast<std::uint64_t>((edges_[after] - time).count());
            busy_[cell] += begins ? rest : -rest;
            ports[cell] += begins ? 1 : -1;
            sent_[cell] += sent;
        };
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const engine::Rank from = messages.from()[i];
            const engine::Rank to = messages.to()[i];
            note(from, analysis::sendsFrom(run, i), true, 1);
            note(from, messages.sendEnd()[i], false, 0);
            note(to, analysis::receivesFrom(run, i), true, 0);
            note(to, messages.receiveEnd()[i], false, 0);
        }
    });
    for (std::size_t edge = 1; edge < edges_.size(); ++edge) {
        const auto width = static_cast<std::uint64_t>((edges_[edge] - edges_[edge - 1]).count());
        for (std::size_t cell = edge * stride; cell < (edge + 1) * stride; ++cell) {
            const std::size_t before = cell - stride;
            busy_[cell] += busy_[before] + static_cast<std::uint64_t>(ports[before]) * width;
            ports[cell] += ports[before];
            sent_[cell] += sent_[before];
        }
    }
}

void Density::makeEdges(const engine::Run& run, const MessageIndex& index) {
    const std::span<const std::uint32_t> order = index.byBegin();
    const std::size_t step = std::max(perBucket, order.size() / mostBuckets + 1);
    const Picoseconds end = run.duration + Picoseconds{1};
    edges_.push_back(Picoseconds{0});
    for (std::size_t at = step; at < order.size(); at += step) {
        const Picoseconds begin = std::min(run.messages.sendBegin()[order[at]], run.messages.receiveBegin()[order[at]]);
        if (begin > edges_.back() && begin < end) edges_.push_back(begin);
    }
    edges_.push_back(end);
    const std::size_t pieces = edges_.size();
    guideScale_ = static_cast<double>(pieces) / static_cast<double>(end.count());
    guide_.assign(pieces + 2, 0);
    for (const Picoseconds edge : edges_) ++guide_[std::min(guideOf(edge), pieces) + 1];
    for (std::size_t piece = 1; piece < guide_.size(); ++piece) guide_[piece] += guide_[piece - 1];
}

std::size_t Density::bucketOf(Picoseconds time) const {
    time = std::clamp(time, Picoseconds{0}, edges_.back() - Picoseconds{1});
    const std::size_t piece = guideOf(time);
    const auto first = edges_.begin() + guide_[piece];
    const auto next = std::upper_bound(first, edges_.begin() + guide_[piece + 1], time);
    return static_cast<std::size_t>(next - edges_.begin()) - 1;
}

Density::Moment Density::momentAt(Picoseconds time) const {
    const std::size_t bucket = bucketOf(time);
    const double width = static_cast<double>((edges_[bucket + 1] - edges_[bucket]).count());
    // The last moment of the run belongs to it.
    if (time >= edges_.back() - Picoseconds{1}) return {bucket, 1};
    return {bucket, static_cast<double>(std::max(time - edges_[bucket], Picoseconds{0}).count()) / width};
}

bool Density::tooWideFor(Picoseconds begin, Picoseconds end) const {
    const std::size_t first = bucketOf(begin);
    const std::size_t last = bucketOf(end);
    // With a whole bucket between them, what is taken to be even is the smaller part.
    if (last > first + 1) return false;
    return std::max(edges_[first + 1] - edges_[first], edges_[last + 1] - edges_[last]) > 4 * (end - begin);
}

void Density::add(Picoseconds begin, Picoseconds end, std::span<const std::int32_t> rowOf,
                  std::span<PortLoad> cells) const {
    const auto stride = static_cast<std::size_t>(bundles_.count());
    const Moment from = momentAt(begin);
    const Moment to = momentAt(end);
    const std::size_t a = from.bucket * stride;
    const std::size_t b = to.bucket * stride;
    for (std::size_t bundle = 0; bundle < stride; ++bundle) {
        const auto busy = [&](std::size_t before, std::size_t after) {
            return static_cast<double>(static_cast<std::int64_t>(busy_[after + bundle] - busy_[before + bundle]));
        };
        const auto sent = [&](std::size_t before, std::size_t after) {
            return static_cast<double>(static_cast<std::int32_t>(sent_[after + bundle] - sent_[before + bundle]));
        };
        if (rowOf[bundle] < 0) continue;
        PortLoad& load = cells[static_cast<std::size_t>(rowOf[bundle])];
        // Whole numbers first: what is short against the run is not lost.
        load.busy += busy(a, b) + (to.share * busy(b, b + stride) - from.share * busy(a, a + stride));
        load.messages += sent(a, b) + (to.share * sent(b, b + stride) - from.share * sent(a, a + stride));
    }
}

}  // namespace app::gui
