// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/compose.hpp"

#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/two_levels.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace engine {
namespace {

/// One step of a collective in two levels.
struct Step {
    enum class Where : std::uint8_t { between, inside };
    Collective collective;
    Where where;
    std::string_view name;
};

constexpr std::string_view insideGroups = "inside the groups";

/// The steps in their order; none: the collective is not offered in two levels.
std::vector<Step> stepsOf(Collective collective) {
    using enum Step::Where;
    switch (collective) {
        case Collective::bcast:
        case Collective::scatterv: return {{collective, between, betweenGroups}, {collective, inside, insideGroups}};
        case Collective::reduce:
        case Collective::gatherv: return {{collective, inside, insideGroups}, {collective, between, betweenGroups}};
        case Collective::allgatherv:
            return {{Collective::gatherv, inside, "gather inside the groups"},
                    {collective, between, betweenGroups},
                    {Collective::bcast, inside, "broadcast inside the groups"}};
        case Collective::allreduce:
        case Collective::barrier:
            return {{Collective::reduce, inside, "reduce inside the groups"},
                    {collective, between, betweenGroups},
                    {Collective::bcast, inside, "broadcast inside the groups"}};
        default: return {};
    }
}

std::string nameIn(const Algorithm& algorithm) { return algorithm.id.substr(algorithm.id.find('/') + 1); }

/// An algorithm in one level with its options, which others keep.
struct Level {
    const Algorithm* algorithm;
    const Options* options;

    [[nodiscard]] Objection objection(const Problem& part) const {
        return algorithm->objects ? algorithm->objects(part, *options) : std::nullopt;
    }
    [[nodiscard]] std::optional<Cost> cost(const Problem& part) const {
        return algorithm->predict && !objection(part) ? algorithm->predict(part, *options) : std::nullopt;
    }
    [[nodiscard]] SchedulePtr plan(const Problem& part) const { return algorithm->plan(part, *options); }
    [[nodiscard]] Choices choices(const Problem& part) const {
        return algorithm->choose ? algorithm->choose(part, *options) : Choices{};
    }
    [[nodiscard]] bool keepsOrder(const Problem& part) const {
        return part.groupA == 1 || (algorithm->keepsOrder && algorithm->keepsOrder(part, *options));
    }
    [[nodiscard]] bool largerGroupLeads() const {
        for (const auto& [name, value] : options->all())
            if (value == automatic && name != "groups") return false;  // another number in a group of another size
        return algorithm->growsWithRanks;
    }
};

/// A problem in groups: its steps, the problem that each group has in each, and what solves it.
class TwoLevels {
public:
    TwoLevels(const Level& outer, const Problem& problem, std::int32_t groups)
        : outer_{outer},
          problem_{problem},
          groups_{groups},
          grouping_{problem.groupA, groups, hasRoot(problem.collective) ? problem.root : Rank{0}},
          own_{grouping_.groupOf(hasRoot(problem.collective) ? problem.root : Rank{0})},
          steps_{stepsOf(problem.collective)} {
        for (const Step& step : steps_) levels_.push_back(levelFor(step));
    }

    /// What a step's algorithm refuses on the leaders, or in a group.
    [[nodiscard]] Objection objection() const {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (isBetween(i)) {
                if (const Objection between = levels_[i].objection(partOf(i, own_)))
                    return text("between ", groups_, " groups it ", *between);
            } else {
                for (const std::vector<std::int32_t> groups = unlikeGroups(); const std::int32_t group : groups) {
                    if (*firstLike(groups, group) != group) continue;
                    if (const Objection within = levels_[i].objection(partOf(i, group)))
                        return text("in a group of ", grouping_.size(group), " ", levels_[i].algorithm->id, " ",
                                    *within);
                }
            }
        }
        if (!isReduction(problem_.collective)) return std::nullopt;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].collective == Collective::bcast) continue;
            const SchedulePtr plan = levels_[i].plan(partOf(i, own_));
            if (const int slots = plan->facts().slots; slots > 1)
                return text("in groups ", levels_[i].algorithm->id, " would begin with ", slots,
                            " partial results, of which the groups have made only one");
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Cost> cost() const {
        Cost sum;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const bool unlike = !grouping_.even() && grouping_.size(groups_ - 1) > 1;
            if (!isBetween(i) && unlike && !levels_[i].largerGroupLeads()) return std::nullopt;
            if (!isBetween(i) && !problem_.layout.isRegular() && problem_.collective != Collective::bcast)
                return std::nullopt;
            const auto cost = levels_[i].cost(partOf(i, isBetween(i) ? own_ : 0));
            if (!cost) return std::nullopt;
            const Bytes unit = isResults(i) ? unitOf(problem_) : 1;
            sum = {.startups = sum.startups + cost->startups,
                   .volume = sum.volume + cost->volume * unit,
                   .combined = sum.combined + cost->combined};
        }
        return sum;
    }

    [[nodiscard]] bool keepsOrder() const {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].collective == Collective::bcast) continue;
            if (isBetween(i) && !levels_[i].keepsOrder(partOf(i, own_))) return false;
            for (const std::int32_t group : unlikeGroups())
                if (!isBetween(i) && !levels_[i].keepsOrder(partOf(i, group))) return false;
        }
        return true;
    }

    /// What the steps choose, named by where they run; of unequal groups what the larger ones do.
    [[nodiscard]] Choices choices() const {
        Choices all;
        for (std::size_t i = 0; i < steps_.size(); ++i)
            for (const Choice& one : levels_[i].choices(partOf(i, isBetween(i) ? own_ : 0)))
                all.push_back({text(one.option, isBetween(i) ? " between the groups" : " inside them"), one.value});
        return all;
    }

    [[nodiscard]] SchedulePtr plan() const {
        Facts facts{.ranks = problem_.groupA};
        facts.pieces = combinesVectors(problem_.collective) && steps_.size() > 2;
        if (problem_.collective == Collective::allgatherv)
            facts.repeats = "a group gets all blocks from its leader, those among them that it gathered";
        std::vector<std::vector<GroupPart>> parts;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            parts.push_back(partsOf(i));
            for (const GroupPart& part : parts.back()) {
                facts.ports = std::max(facts.ports, part.schedule->facts().ports);
                facts.pieces = facts.pieces || part.schedule->facts().pieces;
                if (facts.repeats.empty()) facts.repeats = part.schedule->facts().repeats;
            }
        }
        const auto kindOf = [grouping = grouping_, own = own_, each = kindsDiffer()](std::int32_t group) {
            if (each) return group;
            return group == own ? 2 : grouping.size(group) == grouping.size(0) ? 0 : 1;
        };
        const auto inside = [&](std::size_t i) {
            const bool moves =
                steps_[i].collective == Collective::gatherv || steps_[i].collective == Collective::scatterv;
            const auto shiftOf = [grouping = grouping_, layout = moves ? problem_.layout : Layout{},
                                  moves](std::int32_t group) {
                return moves ? layout.offset(grouping.first(group)) : Bytes{0};
            };
            std::int64_t rounds = 0;
            for (const GroupPart& part : parts[i]) rounds = std::max(rounds, part.schedule->facts().rounds);
            return Part{std::string{steps_[i].name}, rounds, InsideAll{grouping_, parts[i], kindOf, shiftOf}};
        };
        const auto between = [&](std::size_t i) {
            return Part{std::string{steps_[i].name}, parts[i][0].schedule->facts().rounds,
                        Between{grouping_, parts[i][0]}};
        };
        if (steps_.size() > 2) return then(facts, inside(0), between(1), inside(2));
        if (isBetween(0)) return then(facts, between(0), inside(1));
        return then(facts, inside(0), between(1));
    }

private:
    [[nodiscard]] bool isBetween(std::size_t step) const { return steps_[step].where == Step::Where::between; }
    /// Whether a step spreads what was combined before.
    [[nodiscard]] bool isResults(std::size_t step) const {
        return isReduction(problem_.collective) && steps_[step].collective == Collective::bcast;
    }
    /// Whether no two groups have the same problem.
    [[nodiscard]] bool kindsDiffer() const { return !isReduction(problem_.collective) && !problem_.layout.isRegular(); }

    /// The algorithm of a step with those of the given options that it has too.
    [[nodiscard]] Level levelFor(const Step& step) {
        const bool same = step.where == Step::Where::between || outer_.options->is("inside", "same");
        if (same) return outer_;
        const Algorithm& other = algorithmNamed(text(name(step.collective), '/', outer_.options->word("inside")));
        std::map<std::string, std::string> shared;
        if (step.collective == problem_.collective)
            for (const Option& option : other.options)
                if (const auto given = outer_.options->given().find(option.name);
                    given != outer_.options->given().end())
                    if (option.name != "groups" && option.name != "inside") shared.insert(*given);
        inside_.push_back(std::make_unique<const Options>(other.id, other.options, shared, outer_.options->around()));
        return {&other, inside_.back().get()};
    }

    /// Of at least two groups, those whose problems are unlike: they differ by size and by the leader's place, so three
    /// suffice, another larger group, another smaller one, and the root's own. Where sizes differ, all of them.
    [[nodiscard]] std::vector<std::int32_t> unlikeGroups() const {
        std::vector<std::int32_t> groups;
        for (std::int32_t group = 0; kindsDiffer() && group < groups_; ++group) groups.push_back(group);
        if (!kindsDiffer()) groups = {own_ == 0 ? 1 : 0, own_ == groups_ - 1 ? groups_ - 2 : groups_ - 1, own_};
        return groups;
    }

    /// The first of some groups, of which `group` is one, that has the same problem as it.
    [[nodiscard]] std::vector<std::int32_t>::const_iterator firstLike(const std::vector<std::int32_t>& groups,
                                                                      std::int32_t group) const {
        return std::ranges::find_if(groups, [&](std::int32_t other) {
            return other == group || (!kindsDiffer() && grouping_.size(other) == grouping_.size(group) &&
                                      grouping_.leaderPlace(other) == grouping_.leaderPlace(group));
        });
    }

    [[nodiscard]] std::vector<GroupPart> partsOf(std::size_t step) const {
        Translation how{.results = isResults(step)};
        if (how.results && combinesVectors(problem_.collective))
            how.unit = unitOf(problem_), how.vector = problem_.layout.largest();
        std::vector<GroupPart> parts;
        if (isBetween(step)) return {{levels_[step].plan(partOf(step, own_)), how}};
        const std::vector<std::int32_t> groups = unlikeGroups();
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const auto like = static_cast<std::size_t>(firstLike(groups, groups[i]) - groups.begin());
            parts.push_back({like < i ? parts[like].schedule : levels_[step].plan(partOf(step, groups[i])), how});
        }
        return parts;
    }

    /// What is asked of the leaders, or of `group`.
    [[nodiscard]] Problem partOf(std::size_t step, std::int32_t group) const {
        const bool leaders = isBetween(step);
        Problem part = problem_;
        part.collective = steps_[step].collective;
        part.groupA = leaders ? groups_ : grouping_.size(group);
        part.root = Rank{leaders ? own_ : grouping_.leaderPlace(group)};
        if (!hasRoot(part.collective)) part.root = Rank{0};
        part.torus.clear();
        const Layout& layout = problem_.layout;
        switch (part.collective) {
            case Collective::bcast:
                if (isReduction(problem_.collective))
                    part.layout = Layout::regular(
                        1, combinesVectors(problem_.collective) ? layout.largest() / unitOf(problem_) : 0);
                else part.layout = Layout::regular(1, layout.total());
                break;
            case Collective::gatherv:
            case Collective::scatterv:
            case Collective::allgatherv: part.layout = leaders ? sumsOfGroups() : blocksOfGroup(group); break;
            default: part.layout = Layout::regular(part.groupA, layout.largest());
        }
        return part;
    }
    [[nodiscard]] Layout sumsOfGroups() const {
        std::vector<Bytes> sums;
        for (std::int32_t group = 0; group < groups_; ++group)
            sums.push_back(problem_.layout.blocks(grouping_.first(group), grouping_.size(group)).size());
        return Layout::irregular(sums);
    }
    [[nodiscard]] Layout blocksOfGroup(std::int32_t group) const {
        const std::int32_t first = grouping_.first(group);
        if (problem_.layout.isRegular()) return Layout::regular(grouping_.size(group), problem_.layout.largest());
        std::vector<Bytes> sizes;
        for (std::int32_t i = 0; i < grouping_.size(group); ++i) sizes.push_back(problem_.layout.size(first + i));
        return Layout::irregular(sizes);
    }

    const Level& outer_;
    const Problem& problem_;
    std::int32_t groups_;
    shapes::Grouping grouping_;
    std::int32_t own_;  // the root's group
    std::vector<Step> steps_;
    std::vector<std::unique_ptr<const Options>> inside_;  // of steps whose algorithm is another one
    std::vector<Level> levels_;                           // by step
};

std::optional<Cost> costWith(std::int32_t groups, const Level& level, const Problem& problem) {
    return groups == 1 ? level.cost(problem) : TwoLevels{level, problem, groups}.cost();
}

Objection objectionTo(std::int32_t groups, const Level& level, const Problem& problem) {
    return groups == 1 ? level.objection(problem) : TwoLevels{level, problem, groups}.objection();
}

/// Of the numbers of groups the best one that nothing refuses.
std::int32_t bestGroups(const Level& level, const Problem& problem) {
    std::optional<std::int32_t> best;
    std::optional<__int128> least;
    const Model model = asAlphaBeta(level.options->model()).combiningBy(problem.operation);
    const auto consider = [&](std::int32_t groups) {
        const auto cost = costWith(groups, level, problem);
        if (!cost && best) return;
        const auto time = cost ? std::optional{cost->weighed(model)} : std::nullopt;
        if ((least && *least <= *time) || objectionTo(groups, level, problem)) return;
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
    // Where all of these are refused, of the others those that divide p, and the small ones.
    constexpr std::int32_t small = 256;
    for (std::int32_t groups = 2; !best && groups < p; ++groups)
        if (groups <= small || p % groups == 0) consider(groups);
    return best.value_or(1);
}

/// How many groups the options ask for; of those that are left to it the best one.
std::int32_t groupsOf(const Level& level, const Problem& problem) {
    const Options& options = *level.options;
    if (!options.isAuto("groups")) return static_cast<std::int32_t>(options.number("groups"));
    if (options.around().nodes || options.around().way) return bestGroups(level, problem);
    // A plan asks for the same number when it is checked and when it is made.
    struct Last {
        const Algorithm* algorithm = nullptr;
        std::vector<std::pair<std::string, std::string>> options{};
        Model model{};
        Problem problem{};
        std::int32_t groups = 1;
    };
    thread_local Last last;
    if (last.algorithm != level.algorithm || last.options != options.all() || last.model != options.model() ||
        last.problem != problem) {
        const std::int32_t groups = bestGroups(level, problem);
        last = {level.algorithm, options.all(), options.model(), problem, groups};
    }
    return last.groups;
}

/// What can run inside the groups: names that every collective has that is done there.
std::vector<std::string> choicesInside(Collective collective, const std::vector<Algorithm>& algorithms) {
    std::vector<std::string> choices;
    for (const Algorithm& candidate : algorithms) {
        const std::string name = nameIn(candidate);
        const auto isThere = [&](const Step& step) {
            return step.where == Step::Where::between ||
                   std::any_of(algorithms.begin(), algorithms.end(), [&](const Algorithm& other) {
                       return other.collective == step.collective && nameIn(other) == name;
                   });
        };
        const std::vector<Step> steps = stepsOf(collective);
        if (std::all_of(steps.begin(), steps.end(), isThere)) choices.push_back(name);
    }
    std::sort(choices.begin(), choices.end());
    choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
    return choices;
}

/// The algorithm of a file, in as many levels as its options ask for.
Algorithm inLevels(const Algorithm& file, std::vector<std::string> choices) {
    const std::vector<Step> steps = stepsOf(file.collective);
    const bool same = steps.size() == 2;
    std::string kind{title(file.collective)};  // "Broadcast"
    kind[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(kind[0])));
    const std::string within = same                                        ? kind
                               : file.collective == Collective::allgatherv ? "gather and the broadcast"
                                                                           : "reduce and the broadcast";
    if (same) choices.insert(choices.begin(), "same");
    Algorithm both = file;
    both.options.push_back(
        {.name = "groups",
         .kind = Option::Kind::integer,
         .fallback = "1",
         .meaning = text("groups of the two-level ", kind, "; 1: one level, auto: the best predicted number"),
         .choices = {std::string{automatic}}});
    both.options.push_back({.name = "inside",
                            .kind = Option::Kind::choice,
                            .fallback = same ? "same" : "binomial-tree",
                            .meaning = text("the ", within, " inside the groups"),
                            .choices = std::move(choices)});
    const auto once = std::make_shared<const Algorithm>(file);
    both.objects = [once](const Problem& problem, const Options& options) -> Objection {
        const Level level{once.get(), &options};
        if (Objection tooMany = objectsToGroups(problem, options)) return tooMany;
        const std::int32_t groups = groupsOf(level, problem);
        return objectionTo(groups, level, problem);
    };
    both.plan = [once](const Problem& problem, const Options& options) {
        const Level level{once.get(), &options};
        const std::int32_t groups = groupsOf(level, problem);
        return groups == 1 ? level.plan(problem) : TwoLevels{level, problem, groups}.plan();
    };
    both.choose = [once](const Problem& problem, const Options& options) {
        const Level level{once.get(), &options};
        const std::int32_t groups = groupsOf(level, problem);
        Choices all;
        if (options.isAuto("groups")) all.push_back({"groups", std::to_string(groups)});
        const Choices inside = groups == 1 ? level.choices(problem) : TwoLevels{level, problem, groups}.choices();
        all.insert(all.end(), inside.begin(), inside.end());
        return all;
    };
    if (file.predict)
        both.predict = [once](const Problem& problem, const Options& options) {
            const Level level{once.get(), &options};
            return costWith(groupsOf(level, problem), level, problem);
        };
    if (file.keepsOrder)
        both.keepsOrder = [once](const Problem& problem, const Options& options) {
            const Level level{once.get(), &options};
            const std::int32_t groups = groupsOf(level, problem);
            return groups == 1 ? level.keepsOrder(problem) : TwoLevels{level, problem, groups}.keepsOrder();
        };
    return both;
}

}  // namespace

bool hasInsideOfOneGroup(const std::map<std::string, std::string>& options) {
    return options.contains("inside") && !options.contains("groups");
}

Objection objectsToGroups(const Problem& problem, const Options& options) {
    if (options.isAuto("groups") || options.number("groups") <= problem.groupA) return std::nullopt;
    return text("groups: ", options.word("groups"), " is too large; the largest value is the number of ranks, ",
                problem.groupA);
}

void offerLevels(std::vector<Algorithm>& algorithms) {
    const std::vector<Algorithm> files = algorithms;
    for (Algorithm& algorithm : algorithms)
        if (!stepsOf(algorithm.collective).empty())
            algorithm = inLevels(algorithm, choicesInside(algorithm.collective, files));
}

}  // namespace engine
