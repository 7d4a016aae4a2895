// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/schedule_files/goal/payload_assignment.hpp"
#include "engine/schedule_files/goal/payload_pieces.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace engine::schedules::goal {
namespace {

constexpr const char* unweighedParts = "which parts of the vector so many messages carry";
constexpr std::int64_t mostTerms = std::int64_t{1} << 30;  // bits: ranks x ranks x parts

/// A part of the vector: whose vectors each rank has combined in it.
struct Part {
    Range range{};
    std::vector<RankSet> terms{};      ///< by rank, this round's arrivals included
    std::map<Rank, RankSet> before{};  ///< of those that this round has changed
    RankSet lacking{};                 ///< those that need a result of it and have none
    std::int32_t moves = 0;            ///< messages that carried it

    [[nodiscard]] const RankSet& atBegin(Rank rank) const {
        const auto changed = before.find(rank);
        return changed == before.end() ? now(rank) : changed->second;
    }
    [[nodiscard]] const RankSet& now(Rank rank) const { return terms[rank.index()]; }
};

/// Why a part should travel with a message; the least goes first.
struct PartClaim {
    int grade = 0;           ///< 0: it would come too late otherwise; 1: of use; 2: of none
    bool passesOn = false;   ///< its receiver has no need of it itself; where that is asked
    std::int32_t apart = 0;  ///< vectors that are not in it then
    std::int32_t moves = 0;
    std::size_t at = 0;  ///< of the part

    friend auto operator<=>(const PartClaim&, const PartClaim&) = default;
};

class PartChoice {
public:
    PartChoice(Stored& stored, const Course& course, Preference preference)
        : stored_{stored},
          course_{course},
          preference_{preference},
          contract_{stored.problem},
          ranks_{stored.facts.ranks},
          unit_{unitOf(stored.problem)} {}

    std::string choose() {
        if (!begin()) return unweighedParts;
        std::string why = fillByRound(
            course_, ranks_, unweighedParts,
            [&](const Delivery& one, const Chances& chances) { return fill(one, chances); },
            [&] {
                for (Part& part : vector_) part.before.clear();
            });
        stored_.facts.pieces = why.empty();
        return why;
    }

private:
    /// Whether there is room for what each rank has of each part.
    [[nodiscard]] bool hasRoomFor(std::size_t parts) const {
        return static_cast<std::int64_t>(parts) <= mostTerms / ranks_ / ranks_;
    }

    /// False where there is no room.
    [[nodiscard]] bool begin() {
        std::set<Bytes> cuts{0, stored_.problem.layout.largest()};
        for (Rank rank{0}; rank.value < ranks_; ++rank)
            if (const auto wanted = contract_.result(rank)) cuts.insert({wanted->begin, wanted->end});
        if (!hasRoomFor(cuts.size() - 1)) return false;
        for (auto at = cuts.begin(); std::next(at) != cuts.end(); ++at) {
            Part part{.range = {*at, *std::next(at)},
                      .terms = std::vector<RankSet>(asSize(ranks_), RankSet{ranks_}),
                      .before = {},
                      .lacking = RankSet{ranks_}};
            for (Rank rank{0}; rank.value < stored_.problem.ranks(); ++rank) {
                part.terms[rank.index()].insert(rank);
                const auto wanted = contract_.result(rank);
                if (wanted && wanted->begin <= part.range.begin && part.range.end <= wanted->end)
                    part.lacking.insert(rank);
            }
            for (Rank rank{0}; rank.value < stored_.problem.ranks(); ++rank) settle(part, rank);
            vector_.push_back(std::move(part));
        }
        return true;
    }

    /// Whether the rank has its result now.
    void settle(Part& part, Rank rank) {
        if (!part.lacking.contains(rank)) return;
        const auto [first, end] = contract_.contributors(rank);
        const RankSet& terms = part.now(rank);
        for (std::int32_t each = first; each < end; ++each)
            if (!terms.contains(Rank{each})) return;
        RankSet done{ranks_};
        done.insert(rank);
        part.lacking.remove(done);
    }

    /// What becomes of that which the receiver has; nothing: the part must not travel.
    [[nodiscard]] std::optional<Action> actionOn(const Part& part, const Delivery& one) const {
        const RankSet& sent = part.atBegin(one.from);
        const RankSet& held = part.now(one.to);
        if (sent.empty()) return std::nullopt;
        if (!sent.meets(held)) return sent.first() < held.first() ? Action::prepend : Action::append;
        if (sent != held && sent.includes(held)) return Action::keep;
        return std::nullopt;
    }

    [[nodiscard]] PartClaim claimOf(std::size_t at, const Delivery& one, const Chances& chances) const {
        const Part& part = vector_[at];
        RankSet together = part.atBegin(one.from);
        together.add(part.now(one.to));
        PartClaim claim{.grade = 2, .apart = ranks_ - together.size(), .moves = part.moves, .at = at};
        RankSet served = part.lacking;
        served.keepOnly(chances.afterwards(one.to));
        if (served.empty()) return claim;
        claim.passesOn = preference_ == Preference::arrival && !served.contains(one.to);
        RankSet otherwise = chances.afterwards(one.from);
        otherwise.add(chances.inThisRound(one.from));
        claim.grade = otherwise.includes(served) ? 1 : 0;
        return claim;
    }

    std::string fill(const Delivery& one, const Chances& chances) {
        steps_ += static_cast<std::int64_t>(vector_.size()) * (1 + ranks_ / 64);
        if (!hasRoomFor(vector_.size()) ||
            isTooMuch(steps_, course_.deliveries.size() - stored_.messages.size() - 1, vector_.size(), ranks_))
            return unweighedParts;
        if (one.bytes % unit_ != 0)
            return text("which ", one.bytes, " bytes of a vector with elements of ", unit_, " bytes rank ", one.from,
                        " sends in line ", one.line);
        std::vector<PartClaim> claims;
        for (std::size_t at = 0; at < vector_.size(); ++at)
            if (actionOn(vector_[at], one)) claims.push_back(claimOf(at, one, chances));
        std::sort(claims.begin(), claims.end());
        Bytes left = one.bytes;
        std::vector<std::size_t> taken;
        std::optional<Action> action;
        for (const PartClaim& claim : claims) {
            if (left == 0) break;
            const bool combines = actionOn(vector_[claim.at], one) != Action::keep;
            if (action && combines != (action != Action::keep)) continue;  // a message is kept, or combined
            if (!action) action = actionOn(vector_[claim.at], one);
            left -= std::min(left, vector_[claim.at].range.size());
            taken.push_back(claim.at);
        }
        if (left > 0)
            return text("which ", one.bytes, " bytes of the vector rank ", one.from, " sends in line ", one.line);
        StoredMessage& message = carry(stored_, one, vector_, std::move(taken), [&](Part& part) {
            RankSet together = part.atBegin(one.from);
            together.add(part.now(one.to));
            part.before.try_emplace(one.to, part.now(one.to));
            part.terms[one.to.index()] = std::move(together);
            ++part.moves;
            settle(part, one.to);
        });
        message.slot = message.into = 1;
        message.action = action.value_or(Action::append);
        return {};
    }

    Stored& stored_;
    const Course& course_;
    Preference preference_;
    Contract contract_;
    std::int32_t ranks_;
    Bytes unit_;
    std::vector<Part> vector_;
    std::int64_t steps_ = 0;
};

}  // namespace

std::string chooseParts(Stored& stored, const Course& course, Preference preference) {
    return PartChoice{stored, course, preference}.choose();
}

}  // namespace engine::schedules::goal
