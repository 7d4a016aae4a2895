// SPDX-License-Identifier: BSD-3-Clause
// Findings of the analysis of a trace. A finding has a kind, a severity, named values, a location in the trace and a
// sentence. Programs read the values, people read the sentence.
#pragma once

#include "app/analysis/findings/trace_location.hpp"
#include "engine/base/table.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app::analysis {

enum class FindingKind : std::uint8_t {
    unfinished,        ///< the program did not come to its end
    mismatch,          ///< arguments of a collective disagree between ranks
    callErrors,        ///< MPI calls returned errors
    unreceived,        ///< messages that were sent and never received
    sharedProcessors,  ///< ranks share processors
    polling,           ///< ranks looked again and again for what had not come
    clocks,            ///< clocks of ranks contradict each other
    part,              ///< only a part of the trace is analysed
    efficiency,        ///< parallel efficiency and its factors
    waitStates,        ///< how long ranks waited, and which rank caused most of it
    rootCause,         ///< one computation that made others wait
    instances,         ///< collectives or groups of messages of one kind
    nothingRecorded,   ///< neither collectives nor messages
    model,             ///< alpha and beta
    limitations,       ///< what the trace lacks
    trainingSteps,     ///< of a training job: how long steps take, and what they consist of
    stragglers,        ///< ranks that make the others of a training job wait
    collectiveCost,    ///< of one kind of collective of a training job
    longSteps          ///< steps of a training job that take longer than the others
};
/// "wait states".
std::string_view nameOf(FindingKind kind);

enum class Severity : std::uint8_t {
    fault,    ///< the program is wrong, or did not end
    caution,  ///< numbers may mean something else than they seem to
    result,
    note  ///< what results rest on
};
/// "caution".
std::string_view nameOf(Severity severity);

/// A value, named as the column of a table with the same meaning: "time_s", "origin", "transfer_share".
struct Fact {
    std::string name;
    engine::Cell value;

    friend bool operator==(const Fact&, const Fact&) = default;
};

struct Finding {
    FindingKind kind = FindingKind::waitStates;
    Severity severity = Severity::result;
    std::string words{};  ///< whole sentences; marks of fields as in engine/base/option_placeholders.hpp
    std::vector<Fact> facts{};
    Place place{};           ///< as far as it is about one
    std::string callPath{};  ///< likewise: "main/assemble"

    /// The value of this name; nothing where there is none, or another type of value.
    template <class Value>
    [[nodiscard]] std::optional<Value> fact(std::string_view name) const {
        for (const Fact& one : facts)
            if (one.name == name)
                if (const auto* const its = std::get_if<Value>(&one.value)) return *its;
        return std::nullopt;
    }

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// The sentences alone.
std::vector<std::string> inWords(std::span<const Finding> findings);

}  // namespace app::analysis
