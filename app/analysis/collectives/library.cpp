// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/library.hpp"

#include "engine/base/text.hpp"
#include "engine/catalogue/library_names.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>

namespace app::analysis {

using engine::KnownAs;
using engine::text;

namespace {

/// Between names of algorithms that ran one within or after the other.
constexpr std::string_view thenRan = " + ";
constexpr std::string_view ofOpenMpi = "Open MPI", ofMpich = "MPICH";

/// "reduce-scatter" as parameters spell it: "reduce_scatter".
std::string spelled(std::string_view operation) {
    std::string words{operation};
    std::ranges::replace(words, '-', '_');
    return words;
}

const std::string* valueOf(const LibrarySetting& setting, const std::string& parameter) {
    const auto entry = setting.parameters.find(parameter);
    return entry == setting.parameters.end() ? nullptr : &entry->second;
}

bool isOn(const std::string* value) {
    return value != nullptr && (*value == "1" || *value == "true" || *value == "yes" || *value == "t");
}

std::optional<KnownAs> knownAs(std::string_view library, const std::string& call, int number, std::string_view name) {
    for (const engine::LibraryAlgorithm& one : engine::libraryAlgorithms())
        if (one.known.library == library && one.known.call == call &&
            (number >= 0 ? one.known.number == number : one.known.name == name))
            return one.known;
    return std::nullopt;
}

/// Of the functions in a chain such as "allreduce_intra_ring + allreduce_intra_recursivedoubling" those in Open MPI's
/// lists.
std::vector<KnownAs> functionsIn(std::string_view ofLibrary) {
    std::vector<KnownAs> found;
    for (std::string_view left = ofLibrary; !left.empty();) {
        const auto end = left.find(thenRan);
        const std::string_view one = left.substr(0, end);
        left = end == std::string_view::npos ? "" : left.substr(end + thenRan.size());
        if (std::optional<KnownAs> known = engine::openMpiFunction(one.substr(0, one.find(':'))))
            found.push_back(std::move(*known));
    }
    return found;
}

/// An algorithm of MPICH in place of which another one runs, and when.
struct FallsBack {
    std::string_view call;
    std::string_view name;
    bool needsPowerOfTwo = false;  ///< of ranks, and nothing else
    std::string_view why;
};
constexpr std::array fallsBack{
    FallsBack{"allgather", "recursive_doubling", true, "recursive doubling needs a power-of-two number of ranks"},
    FallsBack{"allgatherv", "recursive_doubling", true, "recursive doubling needs a power-of-two number of ranks"},
    FallsBack{"bcast", "scatter_recursive_doubling_allgather", true,
              "the allgather needs a power-of-two number of ranks"},
    FallsBack{
        "allreduce", "reduce_scatter_allgather", false,
        "it needs a predefined operation and at least as many elements as the largest power of two up to the number of ranks"},
    FallsBack{
        "reduce", "reduce_scatter_gather", false,
        "it needs a predefined operation and at least as many elements as the largest power of two up to the number of ranks"},
    FallsBack{"reduce_scatter", "recursive_halving", false, "it needs a commutative operation"},
    FallsBack{"reduce_scatter_block", "recursive_halving", false, "it needs a commutative operation"},
    FallsBack{"reduce_scatter_block", "noncommutative", true, "it needs a power-of-two number of ranks"},
    FallsBack{"alltoall", "pairwise_sendrecv_replace", false, "it is for calls with MPI_IN_PLACE"},
};

/// An algorithm of Open MPI that hands over to another one, and when.
struct HandsOver {
    std::string_view call;
    std::string_view from;
    std::string_view to;
    std::string_view why;
};
constexpr std::array handsOver{
    HandsOver{"allgather", "recursive_doubling", "bruck", "recursive doubling needs a power-of-two number of ranks"},
    HandsOver{"allgather", "neighbor", "ring", "neighbor exchange needs an even number of ranks"},
    HandsOver{"allgatherv", "neighbor", "ring", "neighbor exchange needs an even number of ranks"},
    HandsOver{"allreduce", "ring", "recursive_doubling", "the ring needs at least one element for each rank"},
    HandsOver{"allreduce", "segmented_ring", "ring", "the vector is too short for more than one segment of each block"},
    HandsOver{"allreduce", "segmented_ring", "recursive_doubling", "the ring needs at least one element for each rank"},
    HandsOver{
        "allreduce", "rabenseifner", "basic_linear",
        "it needs a commutative operation and at least as many elements as the largest power of two up to the number of ranks"},
    HandsOver{
        "reduce", "rabenseifner", "linear",
        "it needs a commutative operation and at least as many elements as the largest power of two up to the number of ranks"},
    HandsOver{"bcast", "split_binary_tree", "chain", "the message is too short to be split"},
    HandsOver{"bcast", "scatter_allgather", "basic_linear", "it needs at least one element for each rank"},
    HandsOver{"bcast", "scatter_allgather_ring", "basic_linear", "it needs at least one element for each rank"},
    HandsOver{"reduce_scatter", "recursive_halving", "non-overlapping", "it needs a commutative operation"},
    HandsOver{"reduce_scatter", "ring", "non-overlapping", "it needs a commutative operation"},
    HandsOver{"reduce_scatter_block", "recursive_halving", "basic_linear", "it needs a commutative operation"},
};

}  // namespace

LibrarySetting librarySettingOf(const traces::Recording& recording) {
    LibrarySetting setting;
    const auto entry = recording.properties.find(traces::own::library);
    if (entry == recording.properties.end()) return setting;
    constexpr std::string_view library = "library ", asked = "asked ";
    for (const std::string& line : engine::split(entry->second, '\n')) {
        if (line.starts_with(library)) setting.version = line.substr(library.size());
        const auto equals = line.find('=');
        if (line.starts_with(asked) && equals != std::string::npos)
            setting.parameters[line.substr(asked.size(), equals - asked.size())] = line.substr(equals + 1);
    }
    return setting;
}

std::optional<std::string> whyNothingInside(const traces::Recording& recording) {
    const bool isNamed = std::ranges::any_of(recording.collectives.instances, [](const traces::Collective& one) {
        return one.ofLibrary != traces::noIndex || one.component != traces::noIndex;
    });
    if (isNamed || !recording.library.messages.empty()) return std::nullopt;
    const auto entry = recording.properties.find(traces::own::inside);
    constexpr std::string_view no = "no: ";
    if (entry != recording.properties.end() && entry->second.starts_with(no))
        return text("the messages inside of collectives were not recorded: ",
                    entry->second.substr(no.size(), entry->second.find('\n') - no.size()));
    if (entry != recording.properties.end()) return "the program called no collective with messages inside";
    return "the messages inside of collectives were not recorded: record the program with 'collscope record', which "
           "records them unless COLLSCOPE_INSIDE is 'no'";
}

std::optional<AskedFor> askedFor(const LibrarySetting& setting, const Instance& instance) {
    const std::string operation = spelled(instance.operation);
    const bool isBlocking = instance.completing.empty(), isOfTwoGroups = instance.groupB > 0;
    std::string parameter = text("coll_tuned_", operation, "_algorithm");
    if (const std::string* const value = valueOf(setting, parameter)) {
        if (!isBlocking || isOfTwoGroups) return std::nullopt;
        int number = -1;
        std::from_chars(value->data(), value->data() + value->size(), number);
        if (number == 0 || *value == "ignore") return std::nullopt;
        return AskedFor{.parameter = text(parameter, '=', *value),
                        .known = knownAs(ofOpenMpi, operation, number, *value)
                                     .value_or(KnownAs{std::string{ofOpenMpi}, operation, {}, number}),
                        .isIgnored = !isOn(valueOf(setting, "coll_tuned_use_dynamic_rules"))};
    }
    // These are not compared with what ran: coll/libnbc has numbers of its own, and rules select by size.
    const std::string ofNonblocking = text("coll_libnbc_i", operation, "_algorithm"),
                      rules = "coll_tuned_dynamic_rules_filename";
    const std::string* const number = isBlocking ? nullptr : valueOf(setting, ofNonblocking);
    if (number != nullptr && *number != "0") return AskedFor{.parameter = text(ofNonblocking, '=', *number)};
    const std::string* const file = isBlocking && !isOfTwoGroups ? valueOf(setting, rules) : nullptr;
    if (file != nullptr && isOn(valueOf(setting, "coll_tuned_use_dynamic_rules")))
        return AskedFor{.parameter = text(rules, '=', *file)};
    const std::string call = (isBlocking ? "" : "i") + operation;
    std::string upper = call;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    parameter = text("MPIR_CVAR_", upper, isOfTwoGroups ? "_INTER_ALGORITHM" : "_INTRA_ALGORITHM");
    const std::string* const value = valueOf(setting, parameter);
    if (value == nullptr || *value == "auto") return std::nullopt;
    const std::string listed = call + (isOfTwoGroups ? " between groups" : "");
    return AskedFor{
        .parameter = text(parameter, '=', *value),
        .known = knownAs(ofMpich, listed, -1, *value).value_or(KnownAs{std::string{ofMpich}, listed, *value})};
}

std::optional<KnownAs> ranAs(std::string_view ofLibrary, std::string_view operation) {
    std::optional<KnownAs> ran;
    for (KnownAs& known : functionsIn(ofLibrary))
        if (known.call == spelled(operation)) ran = std::move(known);
    return ran;
}

std::vector<KnownAs> partsNamed(std::string_view ofLibrary, std::string_view operation) {
    std::vector<KnownAs> parts = functionsIn(ofLibrary);
    std::erase_if(parts, [&](const KnownAs& one) { return one.call == spelled(operation); });
    return parts;
}

bool isComposed(const KnownAs& known) {
    return known.library == ofMpich && (known.name == "smp" || known.name == "nb");
}

std::string whyInstead(const AskedFor& asked, const KnownAs& ran, std::int32_t ranks) {
    if (asked.isIgnored) return "coll_tuned_use_dynamic_rules is not set, so that the parameter has no effect";
    if (asked.known.library == ofOpenMpi && asked.known.name.empty() && asked.known.number >= 0)
        return text("the library has no algorithm ", asked.known.number);
    for (const HandsOver& one : handsOver)
        if (asked.known.call == one.call && asked.known.name == one.from && ran.name == one.to)
            return std::string{one.why};
    const bool isPowerOfTwo = std::has_single_bit(static_cast<std::uint32_t>(std::max(ranks, 1)));
    for (const FallsBack& one : fallsBack)
        if (asked.known.library == ofMpich && asked.known.call == one.call && asked.known.name == one.name &&
            !(one.needsPowerOfTwo && isPowerOfTwo))
            return std::string{one.why};
    if (asked.known.name == "two_proc" && ranks != 2) return "the algorithm is for two ranks";
    return {};
}

}  // namespace app::analysis
