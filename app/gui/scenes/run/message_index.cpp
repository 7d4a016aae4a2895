// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/message_index.hpp"

#include "app/gui/scenes/drawing/background_priority.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/processors.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::size_t branches = 32;
constexpr std::size_t mostParts = 8;

Picoseconds beginOf(const engine::Messages& messages, std::size_t i) {
    return std::min(messages.sendBegin()[i], messages.receiveBegin()[i]);
}

Picoseconds endOf(const engine::Messages& messages, std::size_t i) {
    return std::max(messages.sendEnd()[i], messages.receiveEnd()[i]);
}

}  // namespace

std::size_t partsOf(std::size_t messages) {
    return messages <= quickMessages ? 1 : std::min(engine::asSize(engine::processors()), mostParts);
}

MessageIndex::MessageIndex(const engine::Run& run) : messages_{&run.messages} {
    sort(run);
    noteEnds();
}

// Into as many buckets of time as there are messages, and within each by comparing: most hold one or two. Each part
// looks at all messages for those of its own buckets.
void MessageIndex::sort(const engine::Run& run) {
    struct Entry {
        std::int64_t begin;
        std::uint32_t message;
    };
    const engine::Messages& messages = run.messages;
    const std::size_t count = messages.size();
    const std::size_t buckets = count + 1;
    const double scale = static_cast<double>(count) / std::max(1.0, static_cast<double>(run.duration.count()));
    const std::size_t parts = partsOf(count);
    const auto firstOf = [&](std::size_t part) { return buckets * part / parts; };
    const auto each = [&](std::size_t part, auto act) {
        const std::size_t first = firstOf(part);
        const std::size_t last = firstOf(part + 1);
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t begin = beginOf(messages, i).count();
            const double place = std::max(0.0, static_cast<double>(begin) * scale);
            const std::size_t bucket = std::min(static_cast<std::size_t>(place), buckets - 1);
            if (bucket >= first && bucket < last) act(Entry{begin, static_cast<std::uint32_t>(i)}, bucket);
        }
    };
    std::vector<std::uint32_t> next(buckets + 1);
    engine::parallelFor(parts,
                        [&](std::size_t part) { each(part, [&](Entry, std::size_t bucket) { ++next[bucket + 1]; }); });
    std::partial_sum(next.begin(), next.end(), next.begin());
    const auto entries = std::make_unique_for_overwrite<Entry[]>(count);
    byBegin_.resize(count);
    engine::parallelFor(parts, [&](std::size_t part) {
        const std::size_t begin = next[firstOf(part)];
        each(part, [&](Entry entry, std::size_t bucket) { entries[next[bucket]++] = entry; });
        // `next` has moved to the start of the bucket behind.
        std::size_t first = begin;
        for (std::size_t bucket = firstOf(part); bucket < firstOf(part + 1); first = next[bucket++])
            if (next[bucket] - first > 1)
                std::sort(entries.get() + first, entries.get() + next[bucket], [](const Entry& a, const Entry& b) {
                    return a.begin != b.begin ? a.begin < b.begin : a.message < b.message;
                });
        for (std::size_t at = begin; at < first; ++at) byBegin_[at] = entries[at].message;
    });
}

void MessageIndex::noteEnds() {
    if (byBegin_.empty()) return;
    std::vector<Picoseconds> lowest((byBegin_.size() - 1) / branches + 1, Picoseconds::min());
    const std::size_t parts = partsOf(byBegin_.size());
    engine::parallelFor(parts, [&](std::size_t part) {
        for (std::size_t group = lowest.size() * part / parts; group < lowest.size() * (part + 1) / parts; ++group)
            for (std::size_t at = group * branches; at < std::min((group + 1) * branches, byBegin_.size()); ++at)
                lowest[group] = std::max(lowest[group], endOf(*messages_, byBegin_[at]));
    });
    latest_.push_back(std::move(lowest));
    while (latest_.back().size() > branches) {
        const std::vector<Picoseconds>& below = latest_.back();
        std::vector<Picoseconds> above((below.size() - 1) / branches + 1, Picoseconds::min());
        for (std::size_t at = 0; at < below.size(); ++at) {
            Picoseconds& latest = above[at / branches];
            latest = std::max(latest, below[at]);
        }
        latest_.push_back(std::move(above));
    }
}

std::vector<std::uint32_t> MessageIndex::touching(Picoseconds begin, Picoseconds end, std::size_t most) const {
    const auto after = std::partition_point(byBegin_.begin(), byBegin_.end(),
                                            [&](std::uint32_t i) { return beginOf(*messages_, i) <= end; });
    const auto last = static_cast<std::size_t>(after - byBegin_.begin());
    std::vector<std::uint32_t> found;
    for (std::size_t at = 0; at < last && found.size() < most;) {
        // Over the largest group that starts here and has ended before.
        std::size_t over = 0;
        std::size_t size = branches;
        for (const std::vector<Picoseconds>& level : latest_) {
            if (at % size != 0 || level[at / size] >= begin) break;
            over = size;
            size *= branches;
        }
        if (over > 0) {
            at += over;
            continue;
        }
        if (endOf(*messages_, byBegin_[at]) >= begin) found.push_back(byBegin_[at]);
        ++at;
    }
    return found;
}

}  // namespace app::gui
