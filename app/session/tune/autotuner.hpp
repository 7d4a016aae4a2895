// SPDX-License-Identifier: BSD-3-Clause
// Measures the algorithms of Open MPI or MPICH, decides which are worth a rule, and checks that the rules help.
#pragma once

#include "app/session/options/launch.hpp"
#include "app/session/run/load.hpp"
#include "app/session/session.hpp"
#include "app/session/tune/measurements.hpp"
#include "app/session/tune/program_times.hpp"
#include "app/session/tune/rule_table.hpp"
#include "engine/run/executor.hpp"

#include <filesystem>

namespace app::tune {

/// Whose algorithms are measured.
enum class Library : std::uint8_t { openMpi, mpich };

/// Whose algorithms are candidates beside the library's choice.
enum class Candidates : std::uint8_t { library, catalogue, all };

struct TuneWish {
    Library library = Library::openMpi;
    Candidates candidates = Candidates::library;
    std::vector<engine::live::Called> calls{};
    std::vector<std::int64_t> ranks{};   ///< rising
    std::vector<engine::Bytes> sizes{};  ///< rising; as Cell counts them
    double seconds = 600;                ///< for everything
    bool commutes = false;               ///< the program's own operations commute
};

/// Earlier samples; each new one is passed to `keep` immediately.
struct Kept {
    std::vector<std::string> lines{};
    std::function<void(const std::string&)> keep{};
};

/// A cell with its decision.
struct Tuned {
    Cell cell{};
    Verdict verdict{};
    std::vector<Tried> tried{};           ///< by candidate
    std::vector<std::string> faults{};    ///< of candidates that give wrong results, with their names
    std::optional<Gain> checked{};        ///< of the written rules, where the cell has one
    bool kept = false;                    ///< it has a rule, which helps
    std::size_t dropIn = 0;               ///< the candidate for the drop-in library; 0: none
    bool dropInKept = false;              ///< whose rules name it
    std::optional<Gain> dropInChecked{};  ///< of these rules, where they were checked

    [[nodiscard]] const Candidate& chosen() const { return cell.candidates[verdict.best]; }
    /// The algorithm that a map shows: that of the library or that of the catalogue, whichever has a rule and is
    /// faster; 0: neither is worth a rule.
    [[nodiscard]] std::size_t shown() const;
    [[nodiscard]] bool hasRule(std::size_t candidate) const;
    /// Measured with the rule, where it was.
    [[nodiscard]] Gain gainOf(std::size_t candidate) const;
};

/// Time of a program in the measured collectives: its calls times the time of one.
struct ProgramTime {
    double usual = 0;  ///< seconds, by the library's choices
    double tuned = 0;  ///< with the rules
};

struct TuneReport {
    std::vector<Tuned> cells{};
    Library library = Library::openMpi;
    Converted own{};  ///< for the library
    Converted collscope{};
    std::string command{};  ///< what started the processes of the last measurement
    std::string version{};
    std::optional<engine::Model> model{};  ///< by which times were predicted
    app::Load before{};
    app::Load after{};
    double seconds = 0;      ///< that it took
    ProgramTimes program{};  ///< without and with the rules; empty where no program was run

    [[nodiscard]] std::int64_t rules() const;
    /// Cells in which the drop-in library runs an algorithm of the catalogue that was measured.
    [[nodiscard]] std::int64_t catalogueRules() const;
    /// Of the rules, with the file; 1 without any.
    [[nodiscard]] double mostGain() const;
    /// Time without the rules over time with them, by pairs of runs; nothing where no program was run.
    [[nodiscard]] std::optional<Gain> programGain() const;
    /// Whether the rules were removed because of the program's times.
    [[nodiscard]] bool slowsProgram() const { return programGain() && programGain()->high < 1; }
    /// Nothing where there is no program.
    [[nodiscard]] std::optional<ProgramTime> programTime() const;
};

/// All cells of a wish, with every algorithm of `installed` that may run them.
std::vector<Cell> cellsOf(const TuneWish& wish, const Installed& installed);
/// "Open MPI" or "MPICH".
std::string_view nameOf(Library library);
/// What makes the library read a file of rules: "NAME=VALUE"; without one, what it needs to read any.
std::vector<std::string> environmentOfRules(Library library, const std::string& file = {});

/// Gives each cell every algorithm of `installed`, of the catalogue, or both, that may run it. Throws Error for a call
/// that has none.
void addCandidates(std::vector<Cell>& cells, const Installed& installed, Candidates which = Candidates::library);

/// The alpha and beta of the machine, from messages between two processes; nothing where they cannot be measured.
std::optional<engine::Model> calibrated(const Launch& launch, const engine::Progress& progress = {});
/// The catalogue's algorithm that a candidate is, or that does the same, as a run; nothing where there is none.
std::optional<RunWish> runOf(const Cell& cell, const Candidate& candidate, Library library);
/// The schedule of a candidate of the catalogue. Throws Error where it cannot run the cell.
engine::Plan planOf(const Cell& cell, const Candidate& candidate);
/// Sets the times that the model predicts for candidates whose schedules are in the catalogue.
void predict(std::vector<Cell>& cells, Library library, const engine::Model& model);

/// The decisions after the measurements, before any check.
std::vector<Tuned> decided(const Measurements& measurements);

/// The rule of the drop-in library that has the call run `way`, an algorithm of the catalogue with its options.
engine::live::Rule ruleOf(engine::live::Called called, const std::string& way);
/// The bytes that the library looks up for a call.
Unit unitOf(Library library, engine::live::Called called);

/// The rules of cells that have one. They hold from a measured size and number of ranks to the next one, and nowhere
/// beyond those that were measured.
RuleTable tableOf(const std::vector<Tuned>& cells, Library library = Library::openMpi);
/// Chooses the rules of the drop-in library: the library's algorithms that have one, where the catalogue has them, and
/// algorithms of the catalogue where these are faster.
void chooseForDropIn(std::vector<Tuned>& cells, Library library);
/// These rules.
RuleTable dropInTableOf(const std::vector<Tuned>& cells, Library library = Library::openMpi);
/// The file for the library itself.
Converted asOwnRules(const std::vector<Tuned>& cells, Library library, const Installed& installed);

/// Throws Error where nothing could be measured, or a process died: what was measured is kept then. Cancelled.
/// Of the wish, time and operations matter; the cells say what is measured.
TuneReport tune(const std::vector<Cell>& cells, const TuneWish& wish, const Installed& installed, const Launch& launch,
                Kept kept, const engine::Progress& progress = {});

/// A program that is run without and with the rules.
struct ProgramCheck {
    ProgramWish wish{};
    std::int32_t repeats = 3;
};
/// Runs the program without and with the rules of `report`, in turn. Throws Error, Cancelled.
ProgramTimes timesOfProgram(const TuneReport& report, const ProgramCheck& check, const engine::Progress& progress = {});
/// Stores the times in the report, and removes all its rules if the program is slower with them.
void judgeByProgram(TuneReport& report, ProgramTimes times, const Installed& installed);

/// "2.1x (1.8 to 2.4)".
std::string gainWords(const Gain& gain);
/// "rule", "fastest", why results are wrong, or that it was left out as slow; else empty.
std::string remarkOn(const Tuned& one, std::size_t candidate);

/// "bcast, 8 ranks, 4 KiB".
std::string titleOf(const Cell& cell);

}  // namespace app::tune
