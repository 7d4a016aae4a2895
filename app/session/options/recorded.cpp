// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/recorded.hpp"

#include "app/session/options/run_options.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/sizes.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Bytes;

/// Whether the groups' contributions are of one size each; then they are the wish's.
bool adoptSizesOfGroups(const engine::Problem& problem, ProblemWish& wish) {
    const engine::Layout& layout = problem.layout;
    if (problem.collective != engine::Collective::intergroupAllgatherv) return false;
    for (std::int32_t i = 0; i < layout.count(); ++i)
        if (layout.size(i) != layout.size(i < problem.groupA ? 0 : problem.groupA)) return false;
    wish.size = layout.size(0);
    wish.sizeB = layout.size(problem.groupA);
    return true;
}

/// Sets the spread and the base size that give `problem` its sizes; false when no spread does. Sums rise with the base.
bool adoptSizes(const engine::Problem& problem, ProblemWish& wish) {
    const engine::Layout& layout = problem.layout;
    if (layout.isRegular()) {
        if (layout.count() > 0) wish.size = layout.largest();
        return true;
    }
    if (adoptSizesOfGroups(problem, wish)) return true;
    for (const engine::Distribution& spread : engine::distributions()) {
        ProblemWish tried = wish;
        tried.sizes = spread.name;
        const auto made = [&](Bytes base) {
            tried.size = base;
            return makeProblem(problem.collective, tried).layout;
        };
        Bytes low = 0;
        Bytes high = std::max<Bytes>(1, layout.total());
        while (low < high) {
            const Bytes middle = low + (high - low) / 2;
            if (made(middle).total() < layout.total()) low = middle + 1;
            else high = middle;
        }
        if (!(made(low) == layout)) continue;
        wish.sizes = tried.sizes;
        wish.size = low;
        return true;
    }
    return false;
}

/// "bcast n=4 sizes=16 root=2": keys or letters of fields, but for sizes, which are those of every contribution.
void addProblem(Asked& asked, const engine::Problem& problem) {
    const std::vector<std::string> words = engine::split(engine::toText(problem), ' ');
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        const std::string key = words[i].substr(0, equals);
        for (const fields::Entry& entry : fields::all())
            if (entry.key != "sizes" && (entry.key == key || (key.size() == 1 && key[0] == entry.letter)))
                asked.add(entry.key, words[i].substr(equals + 1));
    }
}

}  // namespace

void addRecorded(Asked& asked, std::string_view first, const std::string& words) {
    if (words.empty()) return;
    for (const std::string& word : engine::split(words, ' ')) {
        const auto equals = word.find('=');
        if (!first.empty()) asked.add(std::exchange(first, {}), word);
        else if (equals == std::string::npos || fields::find(word.substr(0, equals)) == nullptr)
            throw engine::Error{engine::text("a record says '", word, "', which means nothing")};
        else asked.add(word.substr(0, equals), word.substr(equals + 1));
    }
}

std::optional<RunWish> wishBehind(const Report& report) {
    if (!report.plan || !report.run) return std::nullopt;
    const engine::Setting& setting = report.run->setting;
    Asked asked;
    addProblem(asked, report.plan->problem);
    if (setting.on == "threads" || setting.on == "mpi") asked.add("on", setting.on);
    const auto [network, placement] = emulation::placedNameFrom(setting.topology);
    if (!network.empty()) asked.add("topology", std::string{network});
    if (!placement.empty()) asked.add("placement", std::string{placement});
    Specification specification;
    RunWish& wish = specification.run;
    wish.algorithm = report.plan->algorithm->id;
    try {
        for (const std::string& option : engine::split(setting.options, ' '))
            if (!option.empty()) asked.add("set", option);
        if (setting.routing == analysis::relayedRouting) asked.add(engine::field::neighboursOnly.key, "");
        if (setting.progress == analysis::grantedProgress) asked.add(engine::field::granted.key, "");
        else if (setting.progress.empty() && setting.on == "mpi" && setting.routing == analysis::relayedRouting)
            asked.add("no-grants", "");
        else if (!setting.progress.empty()) asked.add("progress", setting.progress);
        addRecorded(asked, "sharing", setting.sharing);
        addRecorded(asked, "", setting.perturbation);
        take(specification, asked);
    } catch (const engine::Error&) {
        return std::nullopt;
    }
    if (report.model) wish.model = *report.model;
    if (!adoptSizes(report.plan->problem, wish.problem)) return std::nullopt;
    return wish;
}

RunWish unpinned(RunWish wish) {
    RunWish bare = wish;
    bare.network = {};
    try {
        if (networkFor(makePlan(bare))->name() == wish.network.topology) wish.network.topology.clear();
    } catch (const engine::Error&) {
        return wish;  // the algorithm has no network of its own for this problem
    }
    return wish;
}

}  // namespace app
