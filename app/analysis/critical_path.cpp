// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/critical_path.hpp"

#include "app/analysis/events.hpp"
#include "app/analysis/part.hpp"

#include <algorithm>

namespace app::analysis {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;

namespace {

/// Walks back from the end of the run.
class Walk {
public:
    explicit Walk(const engine::Run& run) : run_{run}, over_{run}, seen_(run.messages.size()) {}

    std::vector<PathStep> steps() {
        std::optional<MessageEnd> at = last();
        if (!at) return {};
        now_ = run_.duration;
        rank_ = rankOf(*at);
        while (at) {
            pass(at->end);
            at = back(*at);
        }
        pass(Picoseconds{});
        std::reverse(path_.begin(), path_.end());
        return std::move(path_);
    }

private:
    [[nodiscard]] Rank rankOf(const MessageEnd& end) const {
        return end.isSend ? run_.messages.from()[end.message] : run_.messages.to()[end.message];
    }

    /// The end of a message that comes last of all.
    [[nodiscard]] std::optional<MessageEnd> last() const {
        std::optional<MessageEnd> latest;
        for (std::uint32_t i = 0; i < run_.messages.size(); ++i) {
            const MessageRecord m = run_.messages[i];
            for (const MessageEnd& end :
                 {MessageEnd{m.receiveBegin, m.receiveEnd, i, false}, MessageEnd{m.sendBegin, m.sendEnd, i, true}})
                if (!latest || end.end > latest->end) latest = end;
        }
        return latest;
    }

    /// `rank_` lets time pass back to `time`.
    void pass(Picoseconds time) {
        if (time >= now_) return;
        path_.push_back({false, rank_, rank_, {}, 0, time, now_});
        now_ = time;
    }

    /// Follows the message that `end` belongs to, and says what came before it.
    std::optional<MessageEnd> back(const MessageEnd& end) {
        seen_[end.message] = true;
        const MessageRecord m = run_.messages[end.message];
        // A send that was over before the message arrived stands for itself; its receiver had no part in it.
        const bool alone = end.isSend && m.sendEnd < m.receiveEnd;
        const Picoseconds begin = std::max(Picoseconds{}, alone ? m.sendBegin : transferBegin(m));
        if (begin < now_) {
            path_.push_back({true, m.from, m.to, m.round, m.bytes, begin, now_});
            now_ = begin;
        }
        const auto ofSender = before(m.from, end.message);
        const auto ofReceiver = alone ? std::nullopt : before(m.to, end.message);
        bool senderLast = alone || m.sendBegin > m.receiveBegin;
        if (!alone && m.sendBegin == m.receiveBegin)
            senderLast = !ofReceiver || (ofSender && ofSender->end >= ofReceiver->end);
        rank_ = senderLast ? m.from : m.to;
        return senderLast ? ofSender : ofReceiver;
    }

    /// What `rank` finished last before now. Clocks that are apart could lead in circles: nothing is taken twice.
    [[nodiscard]] std::optional<MessageEnd> before(Rank rank, std::uint32_t message) {
        const auto found = over_.before(rank, now_, message);
        return found && !seen_[found->message] ? found : std::nullopt;
    }

    const engine::Run& run_;
    OverEnds over_;
    std::vector<bool> seen_;
    std::vector<PathStep> path_;
    Picoseconds now_{};
    Rank rank_;
};

}  // namespace

std::vector<PathStep> criticalPath(const engine::Run& run) { return Walk{run}.steps(); }

PathTotals totalsOf(const std::vector<PathStep>& path) {
    PathTotals totals;
    for (const PathStep& step : path) {
        const Picoseconds time = step.end - step.begin;
        if (step.isMessage) {
            ++totals.messages;
            totals.bytes += step.bytes;
            totals.moving += time;
        } else {
            totals.between += time;
        }
    }
    return totals;
}

}  // namespace app::analysis
