// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/message_index.hpp"

#include <algorithm>
#include <numeric>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::size_t branches = 32;

Picoseconds beginOf(const engine::Messages& messages, std::size_t i) {
    return std::min(messages.sendBegin()[i], messages.receiveBegin()[i]);
}

Picoseconds endOf(const engine::Messages& messages, std::size_t i) {
    return std::max(messages.sendEnd()[i], messages.receiveEnd()[i]);
}

}  // namespace

MessageIndex::MessageIndex(const engine::Run& run) : messages_{&run.messages} {
    sort(run);
    noteEnds();
}

// Into as many buckets of time as there are messages, and within each by comparing: most hold one or two.
void MessageIndex::sort(const engine::Run& run) {
    struct Entry {
        Picoseconds begin{};
        std::uint32_t message = 0;
    };
    const engine::Messages& messages = run.messages;
    const std::size_t buckets = messages.size() + 1;
    const double scale = static_cast<double>(buckets - 1) / std::max(1.0, static_cast<double>(run.duration.count()));
    const auto bucketOf = [&](Picoseconds begin) {
        return std::min(static_cast<std::size_t>(std::max(0.0, static_cast<double>(begin.count()) * scale)), buckets - 1);
    };
    std::vector<std::size_t> next(buckets + 1);
    for (std::size_t i = 0; i < messages.size(); ++i) ++next[bucketOf(beginOf(messages, i)) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<Entry> entries(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Picoseconds begin = beginOf(messages, i);
        entries[next[bucketOf(begin)]++] = {begin, static_cast<std::uint32_t>(i)};
    }
    // `next` has moved to the begin of the bucket behind.
    for (std::size_t bucket = 0, first = 0; bucket < buckets; first = next[bucket++])
        if (next[bucket] - first > 1)
            std::sort(entries.begin() + static_cast<std::ptrdiff_t>(first),
                      entries.begin() + static_cast<std::ptrdiff_t>(next[bucket]), [](const Entry& a, const Entry& b) {
                          return a.begin != b.begin ? a.begin < b.begin : a.message < b.message;
                      });
    byBegin_.reserve(entries.size());
    for (const Entry& entry : entries) byBegin_.push_back(entry.message);
}

void MessageIndex::noteEnds() {
    if (byBegin_.empty()) return;
    std::vector<Picoseconds> lowest((byBegin_.size() - 1) / branches + 1, Picoseconds::min());
    for (std::size_t at = 0; at < byBegin_.size(); ++at) {
        Picoseconds& latest = lowest[at / branches];
        latest = std::max(latest, endOf(*messages_, byBegin_[at]));
    }
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
