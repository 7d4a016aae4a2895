// SPDX-License-Identifier: BSD-3-Clause
// What a user can ask of a run, as sentences speak of it. The rooms below the heads know neither flags nor labels: a
// sentence holds a mark in place of the name, and each head puts its own name there.
//
//   text(field::sharing, " fair knows no LogGP")      --sharing fair knows no LogGP      Links fair knows no LogGP
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// One such field, by its key: "slow-ranks". Written to a stream it becomes a mark.
struct Field {
    enum class Named : std::uint8_t {
        yes,     ///< its name stands in the sentence
        no,      ///< the sentence is about it without naming it
        option,  ///< it is an option of an algorithm, whose key is its name for everybody
    };

    std::string_view key;
    Named named = Named::yes;

    /// The same field, where the sentence does not name it.
    [[nodiscard]] constexpr Field unnamed() const { return {key, Named::no}; }
};

std::ostream& operator<<(std::ostream& out, Field field);

/// A list that each head shows in its own way, by what it lists: "topologies". Written to a stream it becomes a mark.
///
///   text(listing::topologies, " lists them all")    'collscope list topologies' lists them all    Set-up names them
///   all
struct Listing {
    std::string_view key;
};

std::ostream& operator<<(std::ostream& out, Listing listing);

/// The name that a head has for the field, or the list, with this key.
using NameOfKey = std::function<std::string(const std::string& key)>;

/// `words` with a name in place of each mark.
std::string worded(std::string_view words, const NameOfKey& field, const NameOfKey& listing);

/// `words` with keys in place of marks: "size", "the list of topologies".
std::string plain(std::string_view words);

/// Keys of the fields that `words` are about, in their order.
std::vector<std::string> fieldsIn(std::string_view words);

namespace field {

inline constexpr Field ranks{"ranks"};
inline constexpr Field groupA{"group-a"};
inline constexpr Field groupB{"group-b"};
inline constexpr Field size{"size"};
inline constexpr Field sizes{"sizes"};
inline constexpr Field root{"root"};
inline constexpr Field operation{"op"};
inline constexpr Field element{"type"};
inline constexpr Field ports{"ports"};
inline constexpr Field topology{"topology"};
inline constexpr Field placement{"placement"};
inline constexpr Field neighboursOnly{"neighbours-only"};
inline constexpr Field set{"set"};
inline constexpr Field on{"on"};
inline constexpr Field sharing{"sharing"};
inline constexpr Field header{"header"};
inline constexpr Field detached{"detached"};
inline constexpr Field arrival{"arrival"};
inline constexpr Field slowRanks{"slow-ranks"};
inline constexpr Field slowLinks{"slow-links"};
inline constexpr Field transport{"transport"};
inline constexpr Field model{"model"};
inline constexpr Field beta{"beta"};
inline constexpr Field alpha{"alpha"};
inline constexpr Field mpirun{"mpirun"};
inline constexpr Field hostfile{"hostfile"};
inline constexpr Field lab{"lab"};
inline constexpr Field against{"against"};
inline constexpr Field granted{"granted"};
inline constexpr Field to{"to"};
inline constexpr Field from{"from"};
inline constexpr Field tables{"tables"};
inline constexpr Field splitPhase{"split-phase"};
inline constexpr Field sizeB{"size-b"};
inline constexpr Field logGP{"loggp"};
inline constexpr Field communicators{"comm"};
inline constexpr Field tags{"tags"};
inline constexpr Field clocks{"clocks"};
inline constexpr Field memory{"memory"};
inline constexpr Field bandwidth{"bandwidth"};

}  // namespace field

namespace listing {

inline constexpr Listing algorithms{"algorithms"};
inline constexpr Listing models{"models"};
inline constexpr Listing questions{"tables"};
inline constexpr Listing sizes{"sizes"};
inline constexpr Listing topologies{"topologies"};
inline constexpr Listing tuples{"tuples"};

}  // namespace listing
}  // namespace engine
