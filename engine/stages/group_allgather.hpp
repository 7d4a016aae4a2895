// SPDX-License-Identifier: BSD-3-Clause
// How the members of a group get each other's shares, chosen by name: the option `gather` of algorithms in several
// stages.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/base/text.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/recursive_doubling.hpp"

#include <bit>
#include <initializer_list>
#include <variant>

namespace engine::stages {

enum class GatherBy : std::uint8_t { bruck, ring, recursiveDoubling };

/// The option `name`, with the words before the others that stand for something else.
inline Option gatherOption(std::string name, std::string meaning, std::vector<std::string> before = {}) {
    Option option{.name = std::move(name), .kind = Option::Kind::choice, .meaning = std::move(meaning)};
    option.choices = std::move(before);
    for (const char* word : {"bruck", "ring", "recursive-doubling"}) option.choices.emplace_back(word);
    option.fallback = option.choices.front();
    return option;
}

/// What the option says, where it is one of these.
inline GatherBy gatherBy(const Options& options, std::string_view name) {
    if (options.is(name, "ring")) return GatherBy::ring;
    return options.is(name, "recursive-doubling") ? GatherBy::recursiveDoubling : GatherBy::bruck;
}

/// Why the option does not fit groups of so many members.
inline Objection againstGather(const Options& options, std::string_view name,
                               std::initializer_list<std::int32_t> members) {
    if (!options.is(name, "recursive-doubling")) return std::nullopt;
    for (const std::int32_t n : members)
        if (n > 0 && !std::has_single_bit(static_cast<std::uint32_t>(n)))
            return text(name, "=recursive-doubling needs a power of two of members, not ", n, "; ", name,
                        "=bruck supports any number");
    return std::nullopt;
}

inline std::int64_t gatherRounds(GatherBy by, std::int32_t members) {
    return by == GatherBy::ring ? members - 1 : ceilLog2(members);
}

/// Most shares in one message of round t (from 0); 0 behind the last round.
inline std::int64_t gatherRun(GatherBy by, std::int32_t members, std::int64_t t) {
    if (t >= gatherRounds(by, members)) return 0;
    if (by == GatherBy::ring) return 1;
    const std::int64_t held = std::int64_t{1} << t;
    return std::min(held, members - held);
}

/// One of the allgathers.
template <class Shares>
class GroupAllgather : public ByRound<GroupAllgather<Shares>> {
    using Ways = std::variant<BruckAllgather<Shares>, RingAllgather<Shares>, DoublingAllgather<Shares>>;

public:
    GroupAllgather(GatherBy by, Shares shares)
        : rounds_{gatherRounds(by, shares.count())}, way_{wayOf(by, std::move(shares))} {}

    [[nodiscard]] std::int64_t rounds() const { return rounds_; }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        std::visit([&](const auto& way) { way.prepare(round, use); }, way_);
    }

private:
    static Ways wayOf(GatherBy by, Shares shares) {
        switch (by) {
            case GatherBy::ring: return RingAllgather<Shares>{std::move(shares)};
            case GatherBy::recursiveDoubling: return DoublingAllgather<Shares>{std::move(shares)};
            case GatherBy::bruck: break;
        }
        return BruckAllgather<Shares>{std::move(shares)};
    }

    std::int64_t rounds_;
    Ways way_;
};

}  // namespace engine::stages
