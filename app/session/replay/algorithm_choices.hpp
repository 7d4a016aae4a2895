// SPDX-License-Identifier: BSD-3-Clause
// What the user says of the algorithms of a replayed program's collectives.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "app/session/options/variant.hpp"
#include "engine/live/replacement_rules.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// The ids of all algorithms of the catalogue that may stand for what a collective is called: an operation of MPI, or
/// the catalogue's own name.
std::vector<std::string> algorithmsFor(const std::string& called);

/// Of the entries that fit a collective the one that says most of it decides, of such the first. Words, one entry each:
///   best                               all, by the fastest of the catalogue under the model
///   COLLECTIVE=ID                      "allreduce=allreduce/ring:segments=4"; best in place of ID likewise
///   COLLECTIVE@COMMUNICATOR=ID         on the communicator of that name alone
///   COLLECTIVE:BYTES=ID                of so many bytes, as rules count and write them: "allreduce:..64KiB=..."
///   @FILE                              rules for the drop-in library (engine/live/replacement_rules.hpp): the first
///                                      that fits a collective for which no other entry does
class SaidAlgorithms {
public:
    SaidAlgorithms() = default;
    /// Throws Error for what cannot be read, for algorithms that are not there, and for what is given twice.
    explicit SaidAlgorithms(const std::vector<std::string>& words);

    /// Of a collective; null: nothing is said. An empty id is the best.
    [[nodiscard]] const Variant* of(const analysis::RecordedCollective& collective) const;
    [[nodiscard]] bool empty() const { return said_.empty(); }
    /// Throws Error for words that are about none of these collectives. A file of rules need not be about any.
    void requireAbout(const std::vector<analysis::RecordedCollective>& all) const;

private:
    struct Said {
        std::string words;         ///< as the user wrote them, up to what they ask for
        std::string collective;    ///< operation or the catalogue's name; empty: any
        std::string communicator;  ///< its name; empty: any
        engine::live::Extent bytes{};
        std::optional<engine::live::Rule> rule{};  ///< from a file: then it alone says what fits
        Variant variant{};

        [[nodiscard]] bool fits(const analysis::RecordedCollective& one) const;
        /// Those that say less come later.
        [[nodiscard]] int precedence() const;
        [[nodiscard]] bool isLikewiseAbout(const Said& other) const {
            return !rule && !other.rule && collective == other.collective && communicator == other.communicator &&
                   bytes == other.bytes;
        }
    };

    static Said read(const std::string& word);
    void readRules(const std::string& file);

    std::vector<Said> said_;
};

}  // namespace app
