// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/catalogue.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/compose.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <algorithm>
#include <filesystem>

// Written by the build:
//   #define EACH_ALGORITHM(X) X(bcast_chain) X(bcast_flat) ...
#include "catalogue.inc"

namespace engine {

namespace algorithms {
#define DECLARE(file)      \
    namespace file {       \
    Algorithm algorithm(); \
    }
EACH_ALGORITHM(DECLARE)
#undef DECLARE
}  // namespace algorithms

std::span<const Algorithm* const> catalogue() {
#define CALL(file) algorithms::file::algorithm(),
    static const std::vector<Algorithm> all = [] {
        std::vector<Algorithm> files{EACH_ALGORITHM(CALL)};
        offerLevels(files);
        return files;
    }();
#undef CALL
    static const std::vector<const Algorithm*> sorted = [] {
        std::vector<const Algorithm*> pointers;
        for (const Algorithm& algorithm : all) pointers.push_back(&algorithm);
        std::sort(pointers.begin(), pointers.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
        return pointers;
    }();
    return sorted;
}

namespace {

/// "; did you mean allgatherv/linear-ring?", of an algorithm of a collective that there is; else empty. `allgather`
/// also finds `allgatherv`, which stands for both calls of MPI.
std::string hintWithin(std::string_view id, const std::vector<std::string>& ids) {
    const std::size_t slash = id.find('/');
    if (slash == std::string_view::npos) return {};
    const std::string collective{id.substr(0, slash)}, own{id.substr(slash + 1)};
    std::vector<std::string> same;  // its algorithms, without the collective
    std::string prefix;
    for (const std::string& other : ids) {
        const std::string its = other.substr(0, other.find('/'));
        if (its != collective && its != collective + 'v') continue;
        prefix = its + '/';
        same.push_back(other.substr(prefix.size()));
    }
    if (same.empty()) return {};
    for (const Algorithm* algorithm : catalogue())
        if (algorithm->id.starts_with(prefix))
            for (const KnownAs& known : algorithm->knownAs) {
                std::string name = known.name;
                std::ranges::replace(name, '_', '-');
                if (name == own && known.call == collective)
                    return text("; ", known.library, "'s ", known.name, " is ", algorithm->id);
            }
    // A word of a name first ("ring" for linear-ring), then what is spelled alike.
    std::string best;
    for (const std::string& name : same)
        if (!own.empty() && (text('-', name, '-').find(text('-', own, '-')) != std::string::npos) &&
            (best.empty() || name.size() < best.size()))
            best = name;
    if (best.empty()) best = nearest(own, same);
    if (!best.empty()) return text("; did you mean ", prefix, best, "?");
    return text("; the algorithms of ", prefix.substr(0, prefix.size() - 1), " are ", joined(same, ", "));
}

/// "bcast/flat" for "broadcast/flat": with the name of the collective in place of its title; else empty.
std::string withOurName(std::string_view id) {
    const std::string_view family = id.substr(0, id.find('/'));
    for (const Collective collective : collectives())
        if (lowered(title(collective)) == family && !name(collective).starts_with(family))
            return text(name(collective), id.substr(family.size()));
    return {};
}

}  // namespace

const Algorithm& algorithmNamed(std::string_view id) {
    for (const Algorithm* algorithm : catalogue())
        if (algorithm->id == id) return *algorithm;
    if (schedules::isPath(id)) return schedules::algorithmIn(std::string{id});
    if (const live::Native* native = live::nativeNamed(id); native != nullptr)
        throw Error{text(id, " is the MPI library's own ", native->call,
                         ", whose messages are unknown; it runs only with ", field::on, " mpi")};
    std::vector<std::string> ids;
    for (const Algorithm* algorithm : catalogue()) ids.push_back(algorithm->id);
    if (id == "exscan" || id.starts_with("exscan/"))
        throw Error{text("unknown algorithm '", id, "'; MPI_Exscan is an exclusive scan, such as scan/linear with ",
                         field::set, " exclusive=yes")};
    if (const std::string ours = withOurName(id); !ours.empty()) {
        const bool isWhole = std::ranges::find(ids, ours) != ids.end();
        const std::string_view family = std::string_view{ours}.substr(0, ours.find('/'));
        throw Error{text("unknown algorithm '", id, "'; collscope calls this collective ", family,
                         isWhole ? text("; did you mean ", ours, "?")
                                 : text(", and ", listing::algorithms, " lists its algorithms"))};
    }
    std::string example;
    std::int64_t family = 0;
    std::string namesakes;
    for (const std::string& other : ids) {
        const std::size_t slash = other.find('/');
        // MPI_Scatter is the case of scatterv with equal sizes.
        const std::string_view collective = std::string_view{other}.substr(0, slash);
        if ((collective == id || (collective.ends_with('v') && collective.substr(0, collective.size() - 1) == id)) &&
            family++ == 0)
            example = other;
        if (other.substr(slash + 1) == id) namesakes += (namesakes.empty() ? "" : " or ") + other;
    }
    if (family > 0)
        throw Error{text("'", id, "' is a collective, not an algorithm; ", listing::algorithms, " lists its ", family,
                         family == 1 ? " algorithm, " : " algorithms, such as ", example)};
    std::string hint = namesakes.empty() ? hintWithin(id, ids) : "; did you mean " + namesakes + "?";
    const std::filesystem::path path{id};
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown))
        throw Error{text("'", id, "' is a folder, not an algorithm; name a schedule in it")};
    if (std::filesystem::exists(path, unknown))
        throw Error{
            text("'", id, "' is a file, but not a schedule: its name must end in .json, .xml, .goal, .lua or .et")};
    if (hint.empty()) hint = didYouMean(id, ids);
    throw Error{text("unknown algorithm '", id, "'",
                     hint.empty()
                         ? text(", and no file or folder has this name; ", listing::algorithms, " lists all algorithms")
                         : hint)};
}

std::vector<const Algorithm*> algorithmsFor(Collective collective) {
    std::vector<const Algorithm*> found;
    std::copy_if(catalogue().begin(), catalogue().end(), std::back_inserter(found),
                 [&](const Algorithm* algorithm) { return algorithm->collective == collective; });
    return found;
}

}  // namespace engine
