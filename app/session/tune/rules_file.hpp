// SPDX-License-Identifier: BSD-3-Clause
// Files that choose the algorithms of collectives, as their libraries read them, with the line of everything in them:
// Open MPI's dynamic rules of coll/tuned, MPICH's selection files and control variables, and the rules of the drop-in
// library (engine/live/replacement_rules.hpp).
#pragma once

#include "engine/live/replacement_rules.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace app::tune {

/// Upper end of a range that has none.
inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// A fault or a note about a file.
struct Finding {
    enum class Kind : std::uint8_t {
        syntax,       ///< text that the library cannot read, or reads as something else
        gap,          ///< calls for which the file has no rule of their own
        unreachable,  ///< a rule that decides no call
        algorithm,    ///< one that the library lacks, or that fails there
        segment,      ///< a segment size or fan-out without effect
        scope,        ///< which calls a rule decides
    };
    Kind kind = Kind::syntax;
    bool fault = true;  ///< else a note
    int line = 0;       ///< from 1; 0: the whole file
    std::string words{};
    bool ends = false;  ///< of MPICH: every program ends in MPI_Init because of it

    friend bool operator==(const Finding&, const Finding&) = default;
};
using Findings = std::vector<Finding>;

std::string_view name(Finding::Kind kind);

/// Open MPI's dynamic rules: for each collective communicator sizes, for each of these message sizes, rising.
struct OpenMpiRules {
    struct Message {
        std::int64_t bytes = 0;
        std::int64_t algorithm = 0;  ///< 0: as the library chooses without a file
        std::int64_t fanOut = 0;
        std::int64_t segment = 0;
        int line = 0;
    };
    struct Size {
        std::int64_t ranks = 0;
        int line = 0;
        std::vector<Message> messages{};
    };
    struct Section {
        std::int64_t collective = 0;  ///< as Called counts the calls that block; others are of neighbourhoods
        int line = 0;
        std::vector<Size> sizes{};
    };
    std::vector<Section> sections{};
    Findings findings{};    ///< of reading
    bool accepted = false;  ///< else Open MPI ignores the file
    int doubtful = 0;       ///< of one that is ignored: from this line on numbers are not what their writer meant
};

/// A node of MPICH's selection file: a condition with what follows where it holds, or an algorithm.
struct MpichNode {
    std::string key{};  ///< "comm_size<8"
    int line = 0;
    std::vector<MpichNode> children{};
};
struct MpichSelection {
    std::vector<MpichNode> collectives{};
    Findings findings{};
    bool accepted = false;  ///< else programs end in MPI_Init
};

/// MPICH's control variables, one a line: MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial.
struct MpichVariables {
    struct Variable {
        std::string name{};
        std::string value{};
        int line = 0;
    };
    std::vector<Variable> variables{};
    Findings findings{};
};

struct CollscopeRules {
    struct Line {
        engine::live::Rule rule;
        int line = 0;
    };
    std::vector<Line> rules{};
    Findings findings{};
};

using RulesFile = std::variant<OpenMpiRules, MpichSelection, MpichVariables, CollscopeRules>;

/// Of what kind `words` are: json is MPICH's unless its keys are those of newer rules of Open MPI, a first word
/// MPIR_CVAR_... is MPICH's too, a first number is Open MPI's.
RulesFile rulesFileFrom(std::string_view words);
/// Throws Error when there is no file that can be read.
RulesFile rulesFileIn(const std::string& path);

OpenMpiRules openMpiRulesFrom(std::string_view words);
MpichSelection mpichSelectionFrom(std::string_view words);
MpichVariables mpichVariablesFrom(std::string_view words);
CollscopeRules collscopeRulesFrom(std::string_view words);

/// "Open MPI", "MPICH" or "Collscope", and what the file is called there.
struct Format {
    std::string library;
    std::string title;
};
Format formatOf(const RulesFile& file);

/// Where the entries of a rising list hold, as Open MPI looks a number up: the last one of those in front of the first
/// that is larger. `low` of the first is 0. An empty range (low > high) decides nothing.
std::vector<engine::live::Extent> rangesOf(const std::vector<std::int64_t>& starts);

/// Consecutive ranges that begin at `starts`, the last one without an end.
std::vector<engine::live::Extent> rangesFrom(const std::set<std::int64_t>& starts);
/// Adds where `range` begins and where the numbers behind it do; numbers below `least` do not occur.
void addEnds(std::set<std::int64_t>& starts, const engine::live::Extent& range, std::int64_t least = 0);

/// "bcast": of a number in Open MPI's file; empty for neighbourhoods.
std::string callOf(std::int64_t collective);

}  // namespace app::tune
