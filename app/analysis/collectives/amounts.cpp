// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/amounts.hpp"

#include "engine/base/text.hpp"
#include "traces/recording/byte_counting.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace app::analysis {

using engine::Bytes;
using traces::Operation;

std::vector<Amounts> amountsOf(const traces::Recording& recording, const Selection& selection,
                               const engine::Progress& progress) {
    std::map<std::pair<std::int32_t, Operation>, std::vector<RankAmount>> all;
    const traces::Counting counting = countingOf(recording);
    std::size_t seen = 0;
    for (const std::uint32_t i : selectedCollectives(recording, selection)) {
        if (seen++ % 4096 == 0) progress.at(0);
        const traces::Collective& one = recording.collectives.instances[i];
        if (!isCommunication(one.operation) || isBarrier(one.operation)) continue;
        std::vector<RankAmount>& ranks = all[{one.communicator, one.operation}];
        std::size_t place = 0;  // in most instances all members take part, in their order
        for (const traces::Participant& part : recording.collectives.of(one)) {
            if (!selection.part.has(part.rank)) continue;
            if (place >= ranks.size() || ranks[place].rank != part.rank)
                place = static_cast<std::size_t>(std::ranges::lower_bound(ranks, part.rank, {}, &RankAmount::rank) -
                                                 ranks.begin());
            if (place == ranks.size() || ranks[place].rank != part.rank)
                ranks.insert(ranks.begin() + static_cast<std::ptrdiff_t>(place), RankAmount{.rank = part.rank});
            RankAmount& its = ranks[place++];
            ++its.calls;
            const traces::MovedBytes moved = movedBy(part, one, recording, counting);
            its.sent += moved.sent;
            its.received += moved.received;
        }
    }
    std::vector<Amounts> sorted;
    for (auto& [key, ranks] : all)
        sorted.push_back({.operation = key.second, .communicator = key.first, .ranks = std::move(ranks)});
    std::erase_if(sorted, [](const Amounts& one) { return one.ranks.empty(); });
    const auto bytes = [](const Amounts& one) {
        return std::accumulate(one.ranks.begin(), one.ranks.end(), Bytes{},
                               [](Bytes sum, const RankAmount& its) { return sum + its.sent + its.received; });
    };
    std::ranges::stable_sort(sorted, std::ranges::greater{}, bytes);
    return sorted;
}

std::vector<OneSidedAmounts> oneSidedAmountsOf(const traces::Recording& recording, const Selection& selection,
                                               const engine::Progress& progress) {
    if (recording.windows.empty() || recording.notices.empty() || selection.part.choosesMessages()) return {};
    using traces::NoticeKind;
    std::map<std::pair<std::uint32_t, NoticeKind>, std::map<engine::Rank, RankAmount>> all;
    for (std::size_t location = 0; location < recording.notices.size(); ++location) {
        progress.at(0);
        const engine::Rank origin = recording.locations[location].rank;
        if (origin == traces::noRank) continue;
        for (const traces::Notice& notice : recording.notices[location].span()) {
            const bool gets = notice.kind == NoticeKind::get;
            if ((notice.kind != NoticeKind::put && !gets && notice.kind != NoticeKind::atomic) ||
                !selection.part.overlaps(notice.time, notice.time))
                continue;
            if (!selection.communicators.empty() && !selection.has(recording.windows[notice.subject].communicator))
                continue;
            const auto bytes = static_cast<Bytes>(notice.number);
            std::map<engine::Rank, RankAmount>& ranks = all[{notice.subject, notice.kind}];
            if (selection.part.has(origin)) {
                RankAmount& own = ranks[origin];
                ++own.calls;
                own.sent += gets ? 0 : bytes;
                own.received += gets ? bytes : 0;
            }
            if (selection.part.has(notice.peer)) {
                ranks[notice.peer].sent += gets ? bytes : 0;
                ranks[notice.peer].received += gets ? 0 : bytes;
            }
        }
    }
    std::vector<OneSidedAmounts> found;
    for (auto& [key, ranks] : all) {
        if (ranks.empty()) continue;
        OneSidedAmounts& its =
            found.emplace_back(OneSidedAmounts{.window = key.first, .kind = key.second, .ranks = {}});
        for (auto& [rank, amount] : ranks) {
            amount.rank = rank;
            its.ranks.push_back(amount);
        }
    }
    return found;
}

namespace {

/// The rank with the most in one direction.
std::string unevenIn(const Amounts& amounts, Bytes RankAmount::*bytes, std::string_view verb) {
    const auto perCall = [&](const RankAmount& one) {
        return static_cast<double>(one.*bytes) / static_cast<double>(std::max<std::int64_t>(1, one.calls));
    };
    const auto most = std::ranges::max_element(amounts.ranks, {}, perCall);
    double others = 0;
    for (const RankAmount& one : amounts.ranks) others += &one == &*most ? 0 : perCall(one);
    others /= static_cast<double>(amounts.ranks.size() - 1);
    // More than twice the mean of all ranks.
    const auto ranks = static_cast<double>(amounts.ranks.size());
    if (perCall(*most) <= 2 * (perCall(*most) + others * (ranks - 1)) / ranks) return {};
    const auto shown = [](double size) { return engine::showBytes(static_cast<Bytes>(size + 0.5)); };
    return engine::text("Rank ", most->rank, " ", verb, " ", shown(perCall(*most)), " per call, the others ",
                        shown(others), " on average, their own blocks included.");
}

}  // namespace

std::string unevenWords(const Amounts& amounts) {
    using enum Operation;
    if (amounts.ranks.size() < 3) return {};
    const Operation its = amounts.operation;
    const bool eachToEach = its == alltoallv || its == alltoallw;
    std::string received, sent;
    if (eachToEach || its == scatterv || its == reduceScatter)
        received = unevenIn(amounts, &RankAmount::received, "receives");
    if (eachToEach || its == gatherv || its == allgatherv)
        sent = unevenIn(amounts, &RankAmount::sent, eachToEach ? "sends" : "contributes");
    return received + (received.empty() || sent.empty() ? "" : " ") + sent;
}

}  // namespace app::analysis
