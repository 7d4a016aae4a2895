// SPDX-License-Identifier: BSD-3-Clause
// Algorithms by ranks and bytes in a form that belongs to no library, and the files of libraries written from it.
#pragma once

#include "app/session/tune/installed.hpp"
#include "app/session/tune/rules_file.hpp"

namespace app::tune {

/// What bytes of a call are counted, where one rank has a block, message or vector of b bytes on p ranks.
enum class Unit : std::uint8_t {
    block,  ///< b
    total,  ///< p b
    pairs,  ///< p p b
    none,   ///< nothing: all sizes are one
};
Unit unitOfOpenMpi(engine::live::Called called);
Unit unitOfCollscope(engine::live::Called called);
/// That of the quantity which a selection file of MPICH can ask for: "avg_msg_size" or "total_msg_size".
Unit unitOfMpich(engine::live::Called called);
/// At most unlimited - 1.
engine::Bytes inUnit(Unit unit, std::int64_t ranks, engine::Bytes block);

/// What runs in one part of a table.
struct Choice {
    std::string id{};           ///< of the catalogue, which names algorithms of all libraries; empty: see `named`
    std::string named{};        ///< as the library of the source calls it; empty: the library chooses
    std::string library{};      ///< whose name that is
    std::int64_t segment = 0;   ///< bytes of a segment; 0: not cut
    std::int64_t segments = 0;  ///< or their number; 0: not said
    std::int64_t fanOut = 0;    ///< number of chains; 0: not said
    int line = 0;               ///< of the source

    /// Whether the library chooses.
    [[nodiscard]] bool isDefault() const { return named.empty(); }
    /// The same algorithm, whatever line says so.
    [[nodiscard]] bool same(const Choice& other) const;
};

struct RuleTable {
    struct Part {
        engine::live::Extent bytes{};
        Choice choice{};
    };
    struct Column {
        engine::live::Extent ranks{};
        std::vector<Part> parts{};  ///< rising, without gaps, from 0 on
    };
    struct Call {
        engine::live::Called called = engine::live::Called::bcast;
        Unit unit = Unit::block;
        std::vector<Column> columns{};  ///< rising, without gaps, from 2 on
    };
    std::vector<Call> calls{};
};

/// Neighbouring parts and columns of the same algorithms joined.
RuleTable merged(RuleTable table);

/// A file of a library, and what of the table it cannot express: one sentence each.
struct Converted {
    std::string words{};
    std::vector<std::string> losses{};
};

/// The table of a file, and what of it has no place there. Throws Error where its library would refuse the file.
RuleTable tableOf(const RulesFile& file, const Installed& installed, std::vector<std::string>& losses);

Converted asOpenMpiRules(const RuleTable& table, const Installed& installed);
Converted asCollscopeRules(const RuleTable& table);
/// Calls without a rule keep MPICH's built-in choice. Throws Error if no MPICH is installed.
Converted asMpichSelection(const RuleTable& table, const Installed& installed);

/// The name by which `library` knows the choice; empty: it does not.
std::string nameIn(const std::string& library, const std::string& call, const Choice& choice);
/// "line 3: ", or nothing where the choice has no line.
std::string lineWords(const Choice& choice);
/// That `library` has no such algorithm.
std::string withoutCounterpart(const std::string& call, const Choice& choice, const std::string& library);

/// Turns limits of one unit into those of another; where that depends on the ranks, on the fewest of a column, which
/// becomes a loss.
class LimitConverter {
public:
    LimitConverter(Unit from, Unit to, std::string call, std::string library, std::vector<std::string>& losses)
        : from_{from}, to_{to}, call_{std::move(call)}, library_{std::move(library)}, losses_{losses} {}

    std::int64_t operator()(std::int64_t start, const engine::live::Extent& ranks);

private:
    Unit from_;
    Unit to_;
    std::string call_;
    std::string library_;
    std::vector<std::string>& losses_;
    bool reported_ = false;
};

/// `library`: "openmpi", "mpich" or "collscope".
Converted convert(const RulesFile& file, const std::string& library);

}  // namespace app::tune
