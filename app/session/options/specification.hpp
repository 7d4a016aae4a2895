// SPDX-License-Identifier: BSD-3-Clause
// Everything that can be asked of a run: as values, as words field by field, and as one line that repeats it. Which
// fields there are stands in fields.hpp.
#pragma once

#include "app/session/options/launch.hpp"
#include "app/session/session.hpp"
#include "engine/live/splitphase/overlapped_computation.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Over MPI: whether a message leaves only when its receiver has granted it.
enum class Grants : std::uint8_t {
    wherePaying,  ///< between neighbours on several hosts, where that adds little to the time of the messages
    always,
    never,
};

/// One run, where it runs, and what is measured of it.
struct Specification {
    RunWish run{};                          ///< over MPI its `algorithm` may also be a native collective's id
    std::vector<std::string> against{};     ///< more, measured in turn with it: "native", ids, "id:option=value"
    std::optional<std::int32_t> repeats{};  ///< executions that are measured; nothing: as many as is usual
    std::optional<std::int32_t> warmUps{};  ///< executions before those, likewise
    bool check = true;                      ///< compare all data
    Grants grants = Grants::wherePaying;    ///< of messages over MPI
    /// The run is an allreduce in two halves; with a computation, each is also measured without the other.
    std::optional<engine::splitphase::Settings> split{};
    bool costsKnown = false;  ///< the model is that of the machine it runs on: then times have a bound
    Launcher launcher{};      ///< of the processes, over MPI

    [[nodiscard]] std::int32_t executions() const;
    [[nodiscard]] std::int32_t executionsBefore() const;

    friend bool operator==(const Specification&, const Specification&) = default;
};

/// What was asked for in the user's words, by the key of its field; not yet understood.
class Asked {
public:
    void add(std::string_view key, std::string words);
    void drop(std::string_view key);
    [[nodiscard]] bool has(std::string_view key) const { return words_.contains(key); }
    /// The words, or nothing where the field was not asked for.
    [[nodiscard]] std::optional<std::string> word(std::string_view key) const;
    /// All of them, where a field may be given several times.
    [[nodiscard]] std::vector<std::string> all(std::string_view key) const;

    friend bool operator==(const Asked&, const Asked&) = default;

private:
    std::map<std::string, std::vector<std::string>, std::less<>> words_;
};

/// Understands `asked`, each field for itself, and the values of a model beside its name. Throws Error.
void take(Specification& specification, const Asked& asked);

/// What has to be asked to get `specification`; `take` makes it of them again.
Asked askedFor(const Specification& specification);

/// What of `asked` problems of the collective have; sizes, which everybody has, stay.
Asked fitting(Asked asked, engine::Collective collective);

/// `asked` with what the file of the algorithm says of its problem, where that is the algorithm's only one. Throws
/// Error for what is asked and contradicts it.
Asked completed(Asked asked, const engine::Algorithm& algorithm);

/// Throws Error for what is asked of the problem though problems of the collective have no such field, also where it is
/// what holds anyway. A size, which everybody has, is let through.
void requireFitting(const Asked& asked, engine::Collective collective);

/// The problem, the network and the options of `asked`. Throws Error.
RunWish problemOf(const Asked& asked);

/// Every combination of the numbers in the ranges of `asked`, for a collective of two groups or of one. Where there are
/// several, those whose root is none of the ranks are left out; `leftOut` becomes a sentence on them, empty: none.
/// Throws Error.
std::vector<ProblemWish> problemsOf(const Asked& asked, engine::Collective collective, std::string* leftOut = nullptr);

/// The run of the algorithm called `id`. Throws Error also for fields that mean nothing where it runs, or beside each
/// other.
Specification specify(const std::string& id, const Asked& asked);

/// "bcast/chain -n 8 --size 64KiB --set groups=2": whatever matters to the run, as a shell takes it. The
/// fields with the keys `without` are left out.
std::string lineOf(const Specification& specification, std::initializer_list<std::string_view> without = {});

/// A word as a shell takes it: in quotes where it has to be.
std::string shellWord(const std::string& word);

/// The words of a line as a shell parts them: at blanks, unless quotes hold them together.
std::vector<std::string> wordsIn(const std::string& line);

/// What lineOf wrote, or a user. Throws Error.
Specification specified(const std::string& line);

/// The command that repeats the run: "collscope run " and its line.
std::string commandOf(const Specification& specification);

}  // namespace app
