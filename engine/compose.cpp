// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compose.hpp"

#include "engine/catalogue.hpp"
#include "engine/kernel.hpp"
#include "engine/shapes/grouping.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace engine {
namespace {

/// Broadcasts that can be named by `inside`. Those marked send, in every round, at least as much on more ranks as on
/// fewer, so that the larger of two groups sets the cost of both.
struct Inside {
    std::string_view name;
    bool largerGroupLeads;
};
constexpr std::array<Inside, 8> insides{{{"binary-tree", true},
                                         {"binomial-tree", true},
                                         {"chain", true},
                                         {"flat", true},
                                         {"pipelined-chain", true},
                                         {"scatter-recursive-doubling-allgather", false},
                                         {"scatter-ring-allgather", false},
                                         {"split-binary-tree", false}}};

constexpr std::string_view prefix = "bcast/";

Problem onRanks(const Problem& problem, std::int32_t ranks, std::int32_t root) {
    Problem part = problem;
    part.groupA = ranks;
    part.root = Rank{root};
    part.torus.clear();
    return part;
}

/// Another broadcast with those of the given options that it has too.
Plan another(const Problem& part, const Options& options) {
    const Algorithm& algorithm = algorithmNamed(text(prefix, options.word("inside")));
    std::map<std::string, std::string> shared;
    for (const Option& option : algorithm.options)
        if (const auto given = options.given().find(option.name); given != options.given().end())
            if (option.name != "groups" && option.name != "inside") shared.insert(*given);
    return makePlan(algorithm, part, shared);
}

SchedulePtr planInside(const OneLevel& broadcast, const Problem& part, const Options& options) {
    return options.is("inside", "same") ? broadcast.plan(part, options) : another(part, options).schedule;
}

std::optional<Cost> costInside(const OneLevel& broadcast, const Problem& part, const Options& options) {
    if (options.is("inside", "same")) return broadcast.predict(part, options);
    const Plan plan = another(part, options);
    return plan.algorithm->predict(plan.problem, plan.options);
}

bool largerGroupLeads(const OneLevel& broadcast, const Options& options) {
    for (const auto& [name, value] : options.all())
        if (name == "segments" && value == "auto") return false;  // the number depends on the size of the group
    const std::string_view name =
        options.is("inside", "same") ? broadcast.id.substr(prefix.size()) : std::string_view{options.word("inside")};
    return std::any_of(insides.begin(), insides.end(),
                       [&](const Inside& one) { return one.name == name && one.largerGroupLeads; });
}

std::optional<Cost> costWith(std::int32_t groups, const OneLevel& broadcast, const Problem& problem,
                             const Options& options) {
    if (groups == 1) return broadcast.predict(problem, options);
    const shapes::Grouping grouping{problem.groupA, groups, problem.root};
    if (!grouping.even() && grouping.size(groups - 1) > 1 && !largerGroupLeads(broadcast, options)) return std::nullopt;
    const auto outer = broadcast.predict(onRanks(problem, groups, 0), options);
    const auto inner = costInside(broadcast, onRanks(problem, grouping.size(0), 0), options);
    if (!outer || !inner) return std::nullopt;
    return Cost{.startups = outer->startups + inner->startups, .volume = outer->volume + inner->volume};
}

/// The inner broadcasts of at least two groups. Their schedules differ by size and by the leader's place, so three
/// suffice: that of another larger group, of another smaller group, and of the root's own.
class InsideAll : public ByRound<InsideAll> {
public:
    InsideAll(const shapes::Grouping& grouping, std::int32_t groups, Rank root, const OneLevel& broadcast,
              const Problem& problem, const Options& options)
        : grouping_{grouping},
          own_{grouping.groupOf(root)},
          kernels_{{make(own_ == 0 ? 1 : 0, broadcast, problem, options),
                    make(own_ == groups - 1 ? groups - 2 : groups - 1, broadcast, problem, options),
                    make(own_, broadcast, problem, options)}} {}

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

    Part<Borrowed> make(std::int32_t group, const OneLevel& broadcast, const Problem& problem, const Options& options) {
        const SchedulePtr inner =
            planInside(broadcast, onRanks(problem, grouping_.size(group), grouping_.leaderPlace(group)), options);
        if (repeats_.empty()) repeats_ = inner->facts().repeats;
        return {"", inner->facts().rounds, Borrowed{inner}};
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

}  // namespace

std::vector<Option> withGroups(std::vector<Option> own) {
    own.push_back({.name = "groups",
                   .kind = Option::Kind::integer,
                   .fallback = "1",
                   .meaning = "groups of the two-level broadcast; 1: one level, auto: the best predicted number",
                   .choices = {"auto"}});
    std::vector<std::string> names{"same"};
    for (const Inside& one : insides) names.emplace_back(one.name);
    own.push_back({.name = "inside",
                   .kind = Option::Kind::choice,
                   .fallback = "same",
                   .meaning = "the broadcast inside the groups",
                   .choices = std::move(names)});
    return own;
}

Objection objectsToGroups(const Problem& problem, const Options& options) {
    if (options.is("groups", "auto") || options.number("groups") <= problem.groupA) return std::nullopt;
    return text(options.word("groups"), " groups cannot be formed of ", problem.groupA, " rank(s); at most ",
                problem.groupA, " can");
}

std::int32_t groupsOf(const OneLevel& broadcast, const Problem& problem, const Options& options) {
    if (!options.is("groups", "auto")) return static_cast<std::int32_t>(options.number("groups"));
    std::int32_t best = 1;
    std::optional<Picoseconds> least;
    const auto consider = [&](std::int32_t groups) {
        const auto cost = costWith(groups, broadcast, problem, options);
        if (!cost) return;
        const Picoseconds time = cost->under(Model{});
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

SchedulePtr inGroups(const OneLevel& broadcast, const Problem& problem, const Options& options) {
    const std::int32_t groups = groupsOf(broadcast, problem, options);
    if (groups == 1) return broadcast.plan(problem, options);
    const shapes::Grouping grouping{problem.groupA, groups, problem.root};
    const SchedulePtr outer = broadcast.plan(onRanks(problem, groups, grouping.groupOf(problem.root)), options);
    InsideAll inside{grouping, groups, problem.root, broadcast, problem, options};

    Facts facts{.ranks = problem.groupA};
    facts.repeats = outer->facts().repeats.empty() ? inside.repeats() : outer->facts().repeats;
    const std::int64_t innerRounds = inside.rounds();
    return then(facts, Part{"between the groups", outer->facts().rounds, Between{grouping, outer}},
                Part{"inside the groups", innerRounds, std::move(inside)});
}

std::optional<Cost> costInGroups(const OneLevel& broadcast, const Problem& problem, const Options& options) {
    return costWith(groupsOf(broadcast, problem, options), broadcast, problem, options);
}

}  // namespace engine
