// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a run: one entry is one field. From this table come the flags of the command line with their
// help, completion and manual, the form of the window's set-up, the `run:` lines of lessons, what the window
// remembers, how an archive's properties are understood, and the command that repeats a run. The entries stand in
// problem_options.cpp, execution_options.cpp and live_options.cpp.
#pragma once

#include "app/session/options/ranges.hpp"
#include "app/session/options/specification.hpp"

#include <span>

namespace app::fields {

/// Under which heading the help has a field. A verb takes the fields of some of them.
enum class Part : std::uint8_t {
    problem,    ///< which problem, on which network
    execution,  ///< where and under which conditions
    measuring,  ///< what is measured of real processes
    halves,     ///< of an allreduce in two halves
    launch,     ///< how real processes are started
};

/// Where a field means something. Elsewhere it is refused, with the reason.
enum class Scope : std::uint8_t { anywhere, virtualTime, noThreads, mpi, measured };

enum class Kind : std::uint8_t { number, bytes, time, rate, words, choice, list, toggle };

/// Whether a sweep takes several values at once: numbers as a range, others as a list.
enum class Several : std::uint8_t { no, range, list };

using Words = std::vector<std::string>;

/// Where the set-up of the window has a field, from above. From `placing` on they can be hidden.
enum class Section : std::uint8_t {
    none,  ///< nowhere, or with a field that it goes together with
    problem,
    where,
    launch,     ///< of runs over MPI
    measuring,  ///< likewise
    machine,
    placing,
    perturbation,
    costs,
    wire,  ///< where links are shared fairly
};

/// A value that the set-up offers.
struct Offer {
    std::string words;    ///< as the command line says it; of a toggle `toggledOn`
    std::string label{};  ///< as the window does; empty: the same
    std::string tip{};
};

/// What stands for a toggle that is on, which has no words of its own.
inline constexpr std::string_view toggledOn = "yes";

/// How the set-up edits a field: numbers and offers are chosen, anything else is typed.
struct Editing {
    Section section = Section::none;
    std::string_view unset{};  ///< what holds when nothing is typed, as people say it
    bool needed = false;       ///< nothing typed is a mistake
    std::int64_t low = 0;      ///< of numbers
    std::int64_t high = 0;     ///< likewise; 0: as many as there can be ranks
    std::vector<Offer> offers{};
    bool anythingElse = false;  ///< others than the offers can be typed, too
    /// How the chip of the field is called, of those few that every run has; others have one where they are asked for.
    std::string_view chip{};
};

struct Entry {
    std::string_view key;     ///< --key; also what archives and settings call it
    char letter = '\0';       ///< -k
    std::string_view label;   ///< in the window
    std::string_view type{};  ///< of the value, in the help; empty for a toggle
    std::string_view help;    ///< of the flag: one clause
    std::string_view tip{};   ///< in the window, where it says more or less than `help`

    Part part = Part::problem;
    Kind kind = Kind::words;
    Scope scope = Scope::anywhere;
    Several several = Several::no;
    std::string_view fallback{};  ///< what holds where it is not asked for, where that can be said in words

    /// What it may be, or begin with; null where anything else may stand.
    Words (*choices)() = nullptr;
    /// Sets the field to what `words` say; `what` begins errors.
    void (*take)(Specification& specification, const std::string& words, const std::string& what) = nullptr;
    /// The words that `take` needs; none where nothing need be said.
    Words (*print)(const Specification& specification) = nullptr;
    /// What holds, also where nothing need be said; null: what `print` says.
    std::string (*now)(const Specification& specification) = nullptr;
    /// Of a number of the problem: reads one of a range, and sets it.
    std::int64_t (*number)(std::string_view words, std::string_view what) = nullptr;
    void (*put)(ProblemWish& wish, std::int64_t number) = nullptr;
    /// Whether problems of the collective have this field, and why the others do not; null: all of them have it.
    bool (*concerns)(engine::Collective collective) = nullptr;
    std::string (*otherwise)() = nullptr;
    Editing edited{};

    [[nodiscard]] bool isOf(engine::Collective collective) const { return concerns == nullptr || concerns(collective); }
    /// Sets the field to what `words` say. Throws Error, which names the field.
    void set(Specification& specification, const std::string& words) const;
    /// The field as sentences speak of it.
    [[nodiscard]] engine::Field field() const { return {key}; }
};

/// All fields, in the order of the help, in which they are also understood.
std::span<const Entry> all();

/// The field with this key, or null.
const Entry* find(std::string_view key);
/// The same; it must be there.
const Entry& named(std::string_view key);

/// "text, csv or json".
std::string alternatives(const Words& words);

/// One of `choices`; throws Error with the nearest one, which begins with `what`.
const std::string& chosen(const std::string& words, const std::string& what, const Words& choices);

/// Quantities as short as they read back exactly: "64KiB", "1.5us", "0.4ns/B".
std::string exactly(engine::Bytes bytes);
std::string exactly(engine::Picoseconds time);
std::string exactly(engine::Rate rate);
std::string exactly(const engine::LogGP& logGP);

}  // namespace app::fields
