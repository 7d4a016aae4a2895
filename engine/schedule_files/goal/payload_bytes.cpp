// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/schedule_files/goal/payload_assignment.hpp"
#include "engine/schedule_files/goal/payload_pieces.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace engine::schedules::goal {
namespace {

constexpr const char* unweighedBytes = "which bytes so many messages carry";

/// Bytes that the same ranks hold, and need.
struct Stretch {
    Range range{};
    RankSet held{};   ///< before the round
    RankSet known{};  ///< held, or on the way in this round
    RankSet needed{};
};

/// Why a stretch should travel with a message; the least goes first.
struct ByteClaim {
    int grade = 0;          ///< 0: it would come too late otherwise; 1: of use; 2: of none; 3: it is there already
    bool passesOn = false;  ///< its receiver needs it for others alone; where that is asked
    std::int32_t holders = 0;
    std::size_t at = 0;  ///< of the stretch

    friend auto operator<=>(const ByteClaim&, const ByteClaim&) = default;
};

class ByteChoice {
public:
    ByteChoice(Stored& stored, const Course& course, Preference preference)
        : stored_{stored}, course_{course}, preference_{preference}, ranks_{stored.facts.ranks} {
        begin();
    }

    std::string choose() {
        return fillByRound(
            course_, ranks_, unweighedBytes,
            [&](const Delivery& one, const Chances& chances) { return fill(one, chances); },
            [&] {
                for (Stretch& stretch : line_) stretch.held = stretch.known;
            });
    }

private:
    void begin() {
        const Contract contract{stored_.problem};
        std::set<Bytes> cuts;
        const auto cut = [&](Range range) { cuts.insert({range.begin, range.end}); };
        for (Rank rank{0}; rank.value < ranks_; ++rank) {
            cut(contract.before(rank));
            for (const Range range : contract.after(rank)) cut(range);
        }
        for (auto at = cuts.begin(); at != cuts.end() && std::next(at) != cuts.end(); ++at)
            line_.push_back({{*at, *std::next(at)}, RankSet{ranks_}, RankSet{ranks_}, RankSet{ranks_}});
        for (Rank rank{0}; rank.value < ranks_; ++rank) {
            const auto mark = [&](Range range, RankSet Stretch::*set) {
                auto stretch = std::partition_point(line_.begin(), line_.end(),
                                                    [&](const Stretch& one) { return one.range.begin < range.begin; });
                for (; stretch != line_.end() && stretch->range.end <= range.end; ++stretch)
                    ((*stretch).*set).insert(rank);
            };
            mark(contract.before(rank), &Stretch::held);
            for (const Range range : contract.after(rank)) mark(range, &Stretch::needed);
        }
        for (Stretch& stretch : line_) stretch.known = stretch.held;
    }

    ByteClaim claimOf(std::size_t at, const Delivery& one, const Chances& chances) {
        const Stretch& stretch = line_[at];
        ByteClaim claim{.grade = 3, .holders = stretch.known.size(), .at = at};
        if (stretch.known.contains(one.to)) return claim;
        RankSet served = stretch.needed;
        served.remove(stretch.known);
        served.keepOnly(chances.afterwards(one.to));
        claim.grade = served.empty() ? 2 : 1;
        claim.passesOn = preference_ == Preference::arrival && !served.contains(one.to);
        if (served.empty()) return claim;
        RankSet otherwise{ranks_};
        stretch.known.each([&](Rank holder) { otherwise.add(chances.afterwards(holder)); });
        stretch.held.each([&](Rank holder) { otherwise.add(chances.inThisRound(holder)); });
        steps_ += claim.holders;
        if (!otherwise.includes(served)) claim.grade = 0;
        return claim;
    }

    std::string fill(const Delivery& one, const Chances& chances) {
        steps_ += static_cast<std::int64_t>(line_.size()) * (1 + ranks_ / 64);
        if (isTooMuch(steps_, course_.deliveries.size() - stored_.messages.size() - 1, line_.size(), ranks_))
            return unweighedBytes;
        std::vector<ByteClaim> claims;
        for (std::size_t at = 0; at < line_.size(); ++at)
            if (line_[at].held.contains(one.from)) claims.push_back(claimOf(at, one, chances));
        std::sort(claims.begin(), claims.end());
        Bytes left = one.bytes;
        std::vector<std::size_t> taken;
        for (const ByteClaim& claim : claims) {
            if (left == 0) break;
            left -= std::min(left, line_[claim.at].range.size());
            taken.push_back(claim.at);
        }
        if (left > 0) return text("which ", one.bytes, " bytes rank ", one.from, " sends in line ", one.line);
        carry(stored_, one, line_, std::move(taken), [&](Stretch& stretch) {
            if (stretch.known.contains(one.to)) stored_.facts.repeats = "messages carry what their receivers hold";
            stretch.known.insert(one.to);
        });
        return {};
    }

    Stored& stored_;
    const Course& course_;
    Preference preference_;
    std::int32_t ranks_;
    std::vector<Stretch> line_;
    std::int64_t steps_ = 0;
};

}  // namespace

std::string chooseBytes(Stored& stored, const Course& course, Preference preference) {
    return ByteChoice{stored, course, preference}.choose();
}

}  // namespace engine::schedules::goal
