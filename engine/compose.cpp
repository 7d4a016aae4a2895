// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compose.hpp"

#include "engine/catalogue.hpp"
#include "engine/kernel.hpp"
#include "engine/shapes/grouping.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace engine {
namespace {

constexpr std::string_view prefix = "bcast/";

Problem onRanks(const Problem& problem, std::int32_t ranks, std::int32_t root) {
    Problem part = problem;
    part.groupA = ranks;
    part.root = Rank{root};
    part.torus.clear();
    return part;
}

/// A broadcast in one level, and what it is to do.
struct Level {
    const Algorithm& broadcast;
    Options options;

    [[nodiscard]] Objection objection(const Problem& part) const {
        return broadcast.objects ? broadcast.objects(part, options) : std::nullopt;
    }
    [[nodiscard]] std::optional<Cost> cost(const Problem& part) const {
        return broadcast.predict && !objection(part) ? broadcast.predict(part, options) : std::nullopt;
    }
    [[nodiscard]] SchedulePtr plan(const Problem& part) const { return broadcast.plan(part, options); }
    [[nodiscard]] Choices choices(const Problem& part) const {
        return broadcast.choose ? broadcast.choose(part, options) : Choices{};
    }

    [[nodiscard]] bool largerGroupLeads() const {
        for (const auto& [name, value] : options.all())
            if (value == automatic && name != "groups") return false;  // another number in a group of another size
        return broadcast.growsWithRanks;
    }
};

/// What runs inside the groups: the broadcast itself or another one, with those of the given options that it has too.
Level inside(const Level& outer) {
    if (outer.options.is("inside", "same")) return outer;
    const Algorithm& other = algorithmNamed(text(prefix, outer.options.word("inside")));
    std::map<std::string, std::string> shared;
    for (const Option& option : other.options)
        if (const auto given = outer.options.given().find(option.name); given != outer.options.given().end())
            if (option.name != "groups" && option.name != "inside") shared.insert(*given);
    return {other, Options{other.id, other.options, shared, outer.options.around()}};
}

std::optional<Cost> costWith(std::int32_t groups, const Level& broadcast, const Problem& problem) {
    if (groups == 1) return broadcast.cost(problem);
    const shapes::Grouping grouping{problem.groupA, groups, problem.root};
    const Level inner = inside(broadcast);
    if (!grouping.even() && grouping.size(groups - 1) > 1 && !inner.largerGroupLeads()) return std::nullopt;
    const auto outerCost = broadcast.cost(onRanks(problem, groups, 0));
    const auto innerCost = inner.cost(onRanks(problem, grouping.size(0), 0));
    if (!outerCost || !innerCost) return std::nullopt;
    return Cost{.startups = outerCost->startups + innerCost->startups, .volume = outerCost->volume + innerCost->volume};
}

/// How many groups the options ask for.
std::int32_t groupsOf(const Level& broadcast, const Problem& problem) {
    if (!broadcast.options.isAuto("groups")) return static_cast<std::int32_t>(broadcast.options.number("groups"));
    std::int32_t best = 1;
    std::optional<Picoseconds> least;
    const Model model = asAlphaBeta(broadcast.options.model());
    const auto consider = [&](std::int32_t groups) {
        const auto cost = costWith(groups, broadcast, problem);
        if (!cost) return;
        const Picoseconds time = cost->under(model);
        if (least && *least <= time) return;
        least = time;
        best = groups;
    };
    // Of all numbers of groups whose largest has s ranks, the least, ceil(p/s), is the best: about 2 sqrt(p) to try.
    const std::int32_t p = problem.groupA;
    for (std::int32_t size = p; size >= 1;) {
        const std::int32_t groups = (p + size - 1) / size;
        consider(groups);
        if (groups == p) break;
        size = (p - 1) / groups;  // the largest size that needs one group more
    }
    return best;
}

/// Of at least two groups, those whose inner broadcasts are unlike: they differ by size and by the leader's place, so
/// three suffice, another larger group, another smaller one, and the root's own.
std::array<std::int32_t, 3> unlikeGroups(std::int32_t groups, std::int32_t own) {
    return {own == 0 ? 1 : 0, own == groups - 1 ? groups - 2 : groups - 1, own};
}

/// The inner broadcasts of at least two groups.
class InsideAll : public ByRound<InsideAll> {
public:
    InsideAll(const shapes::Grouping& grouping, std::int32_t groups, const Level& broadcast, const Problem& problem)
        : grouping_{grouping},
          own_{grouping.groupOf(problem.root)},
          kernels_{make(unlikeGroups(groups, own_), broadcast, problem)} {}

    [[nodiscard]] std::int64_t rounds() const {
        return std::max({kernels_[0].rounds, kernels_[1].rounds, kernels_[2].rounds});
    }
    [[nodiscard]] const std::string& repeats() const { return repeats_; }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        use(Now{*this,
                round,
                {kernels_[0].kernel.now(round), kernels_[1].kernel.now(round), kernels_[2].kernel.now(round)}});
    }

private:
    /// What all groups do in one round.
    struct Now {
        const InsideAll& all;
        Round round;
        std::array<Borrowed::Now, 3> kernels;

        /// Which kernel a group runs; none when it is done.
        [[nodiscard]] const Borrowed::Now* of(std::int32_t group) const {
            const std::size_t kind = group == all.own_ ? 2 : all.grouping_.size(group) == all.grouping_.size(0) ? 0 : 1;
            return round.value < all.kernels_[kind].rounds ? &kernels[kind] : nullptr;
        }
        template <class Out>
        void operator()(Rank rank, Out& out) const {
            const std::int32_t group = all.grouping_.groupOf(rank);
            const std::int32_t first = all.grouping_.first(group);
            const Borrowed::Now* kernel = of(group);
            if (kernel == nullptr) return;
            const auto toGlobal = [first](Rank local) { return Rank{first + local.value}; };
            PeersMapped<Out, decltype(toGlobal)> mapped{out, toGlobal};
            (*kernel)(Rank{rank.value - first}, mapped);
        }
        template <class Call>
        void each(Rank first, Rank last, const Call& call) const {
            if (!(first < last)) return;
            for (std::int32_t group = all.grouping_.groupOf(first); group <= all.grouping_.groupOf(last - 1); ++group) {
                const std::int32_t begin = all.grouping_.first(group);
                const std::int32_t size = all.grouping_.size(group);
                if (const Borrowed::Now* kernel = of(group))
                    kernel->each(Rank{std::max(first.value - begin, 0)}, Rank{std::min(last.value - begin, size)},
                                 [&](Rank local) { call(Rank{begin + local.value}); });
            }
        }
    };

    std::array<Part<Borrowed>, 3> make(const std::array<std::int32_t, 3>& groups, const Level& broadcast,
                                       const Problem& problem) {
        const auto one = [&](std::int32_t group) {
            const SchedulePtr inner =
                broadcast.plan(onRanks(problem, grouping_.size(group), grouping_.leaderPlace(group)));
            if (repeats_.empty()) repeats_ = inner->facts().repeats;
            return Part<Borrowed>{"", inner->facts().rounds, Borrowed{inner}};
        };
        return {one(groups[0]), one(groups[1]), one(groups[2])};
    }

    shapes::Grouping grouping_;
    std::int32_t own_;
    std::string repeats_;
    std::array<Part<Borrowed>, 3> kernels_;
};

/// The outer broadcast, among the leaders of the groups.
class Between : public ByRound<Between> {
public:
    Between(const shapes::Grouping& grouping, SchedulePtr outer) : grouping_{grouping}, outer_{std::move(outer)} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        use(Now{grouping_, outer_.now(round)});
    }

private:
    struct Now {
        const shapes::Grouping& grouping;
        Borrowed::Now leaders;

        template <class Out>
        void operator()(Rank rank, Out& out) const {
            const std::int32_t group = grouping.groupOf(rank);
            if (rank != grouping.leader(group)) return;
            const auto toGlobal = [this](Rank local) { return grouping.leader(local.value); };
            PeersMapped<Out, decltype(toGlobal)> mapped{out, toGlobal};
            leaders(Rank{group}, mapped);
        }
        template <class Call>
        void each(Rank first, Rank last, const Call& call) const {
            if (!(first < last)) return;
            leaders.each(Rank{grouping.groupOf(first)}, Rank{grouping.groupOf(last - 1) + 1}, [&](Rank group) {
                const Rank leader = grouping.leader(group.value);
                if (first <= leader && leader < last) call(leader);
            });
        }
    };

    shapes::Grouping grouping_;
    Borrowed outer_;
};

SchedulePtr inGroups(const Level& broadcast, const Problem& problem) {
    const std::int32_t groups = groupsOf(broadcast, problem);
    if (groups == 1) return broadcast.plan(problem);
    const shapes::Grouping grouping{problem.groupA, groups, problem.root};
    const SchedulePtr outer = broadcast.plan(onRanks(problem, groups, grouping.groupOf(problem.root)));
    InsideAll innerOfAll{grouping, groups, inside(broadcast), problem};

    Facts facts{.ranks = problem.groupA};
    facts.repeats = outer->facts().repeats.empty() ? innerOfAll.repeats() : outer->facts().repeats;
    const std::int64_t innerRounds = innerOfAll.rounds();
    return then(facts, Part{"between the groups", outer->facts().rounds, Between{grouping, outer}},
                Part{"inside the groups", innerRounds, std::move(innerOfAll)});
}

/// What the broadcast refuses on the leaders, or the one inside on a group.
Objection objectionInGroups(const Level& broadcast, const Problem& problem) {
    if (const Objection tooMany = objectsToGroups(problem, broadcast.options)) return tooMany;
    const std::int32_t groups = groupsOf(broadcast, problem);
    if (groups == 1) return broadcast.objection(problem);
    const shapes::Grouping grouping{problem.groupA, groups, problem.root};
    if (const Objection between = broadcast.objection(onRanks(problem, groups, grouping.groupOf(problem.root))))
        return text("between ", groups, " groups it ", *between);
    const Level inner = inside(broadcast);
    for (const std::int32_t group : unlikeGroups(groups, grouping.groupOf(problem.root)))
        if (const Objection within =
                inner.objection(onRanks(problem, grouping.size(group), grouping.leaderPlace(group))))
            return text("in a group of ", grouping.size(group), " ", inner.broadcast.id, " ", *within);
    return std::nullopt;
}

/// How many groups, and what the broadcasts between and inside them choose; of unequal groups the larger ones.
Choices choicesInGroups(const Level& broadcast, const Problem& problem) {
    Choices all;
    const std::int32_t groups = groupsOf(broadcast, problem);
    if (broadcast.options.isAuto("groups")) all.push_back({"groups", std::to_string(groups)});
    const auto add = [&](const Choices& choices, std::string_view where) {
        for (const Choice& one : choices) all.push_back({text(one.option, where), one.value});
    };
    if (groups == 1) {
        add(broadcast.choices(problem), "");
        return all;
    }
    const shapes::Grouping grouping{problem.groupA, groups, problem.root};
    add(broadcast.choices(onRanks(problem, groups, 0)), " between the groups");
    add(inside(broadcast).choices(onRanks(problem, grouping.size(0), 0)), " inside them");
    return all;
}

/// The broadcast of a file, in as many levels as its options ask for.
Algorithm inLevels(const Algorithm& file, const std::vector<std::string>& broadcasts) {
    Algorithm both = file;
    both.options.push_back(
        {.name = "groups",
         .kind = Option::Kind::integer,
         .fallback = "1",
         .meaning = "groups of the two-level broadcast; 1: one level, auto: the best predicted number",
         .choices = {std::string{automatic}}});
    both.options.push_back({.name = "inside",
                            .kind = Option::Kind::choice,
                            .fallback = "same",
                            .meaning = "the broadcast inside the groups",
                            .choices = broadcasts});
    const auto once = std::make_shared<const Algorithm>(file);
    both.objects = [once](const Problem& problem, const Options& options) {
        return objectionInGroups({*once, options}, problem);
    };
    both.plan = [once](const Problem& problem, const Options& options) { return inGroups({*once, options}, problem); };
    both.choose = [once](const Problem& problem, const Options& options) {
        return choicesInGroups({*once, options}, problem);
    };
    if (file.predict)
        both.predict = [once](const Problem& problem, const Options& options) {
            const Level broadcast{*once, options};
            return costWith(groupsOf(broadcast, problem), broadcast, problem);
        };
    return both;
}

}  // namespace

Objection objectsToGroups(const Problem& problem, const Options& options) {
    if (options.isAuto("groups") || options.number("groups") <= problem.groupA) return std::nullopt;
    return text(options.word("groups"), " groups cannot be formed of ", problem.groupA, " rank(s); at most ",
                problem.groupA, " can");
}

void offerLevels(std::vector<Algorithm>& algorithms) {
    std::vector<std::string> choices{"same"};
    for (const Algorithm& algorithm : algorithms)
        if (algorithm.collective == Collective::bcast) choices.push_back(algorithm.id.substr(prefix.size()));
    std::sort(choices.begin() + 1, choices.end());
    for (Algorithm& algorithm : algorithms)
        if (algorithm.collective == Collective::bcast) algorithm = inLevels(algorithm, choices);
}

}  // namespace engine
