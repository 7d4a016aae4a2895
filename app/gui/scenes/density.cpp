// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/density.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::int32_t mostRows = 256;
constexpr std::int64_t fewestBuckets = 8192;
constexpr std::int64_t mostBuckets = 1 << 18;

/// So many that a picture which needs finer ones has few messages in sight, within 12 bytes a message or 25 MB.
std::int64_t bucketsFor(std::size_t messages, std::int32_t rows) {
    const auto wanted = static_cast<std::int64_t>(messages) / 200;
    const std::int64_t room = static_cast<std::int64_t>(messages) / rows;
    return std::clamp(std::min(wanted, room), fewestBuckets, mostBuckets);
}

}  // namespace

Density::Density(const engine::Run& run)
    : ranks_{std::max(run.ranks, 1)},
      rows_{std::clamp(run.ranks, 1, mostRows)} {
    const std::int64_t most = bucketsFor(run.messages.size(), rows_);
    width_ = std::max<std::int64_t>(1, (run.duration.count() + most) / most);
    buckets_ = run.duration.count() / width_ + 1;
    const auto stride = static_cast<std::size_t>(buckets_) + 2;
    // First the changes of each bucket's sum; added up twice they are the sums before each bucket. A port busy from
    // some moment on fills the rest of its bucket and all later ones.
    std::vector<std::int64_t> changes(static_cast<std::size_t>(rows_) * stride);
    sent_.assign(changes.size(), 0);
    const auto note = [&](std::int32_t row, Picoseconds time, std::int64_t sign) {
        const std::int64_t at = std::clamp(time.count(), std::int64_t{0}, buckets_ * width_ - 1);
        const auto cell = static_cast<std::size_t>(row) * stride + static_cast<std::size_t>(at / width_);
        changes[cell] += sign * (width_ - at % width_);
        changes[cell + 1] += sign * (at % width_);
        return cell;
    };
    const engine::Messages& messages = run.messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const std::int32_t from = rowOf(messages.from()[i]);
        const std::int32_t to = rowOf(messages.to()[i]);
        ++sent_[note(from, messages.sendBegin()[i], +1) + 1];
        note(from, messages.sendEnd()[i], -1);
        note(to, messages.receiveBegin()[i], +1);
        note(to, messages.receiveEnd()[i], -1);
    }
    busy_ = std::move(changes);
    for (std::int32_t row = 0; row < rows_; ++row) {
        std::int64_t* sums = busy_.data() + static_cast<std::size_t>(row) * stride;
        std::uint32_t* sent = sent_.data() + static_cast<std::size_t>(row) * stride;
        std::int64_t inBucket = 0;
        std::int64_t sum = 0;
        for (std::size_t bucket = 0; bucket < stride; ++bucket) {
            inBucket += sums[bucket];
            sums[bucket] = sum;
            sum += inBucket;
            if (bucket > 0) sent[bucket] += sent[bucket - 1];
        }
    }
}

template <class Number>
double Density::before(const std::vector<Number>& sums, std::int32_t row, Picoseconds time) const {
    const std::int64_t at = std::clamp(time.count(), std::int64_t{0}, buckets_ * width_);
    const std::size_t cell = static_cast<std::size_t>(row) * (static_cast<std::size_t>(buckets_) + 2) +
                             static_cast<std::size_t>(at / width_);
    const auto here = static_cast<double>(sums[cell]);
    const std::int64_t rest = at % width_;
    if (rest == 0) return here;
    return here + (static_cast<double>(sums[cell + 1]) - here) * static_cast<double>(rest) / static_cast<double>(width_);
}

double Density::busyBefore(std::int32_t row, Picoseconds time) const { return before(busy_, row, time); }

double Density::sentBefore(std::int32_t row, Picoseconds time) const { return before(sent_, row, time); }

}  // namespace app::gui
