// SPDX-License-Identifier: BSD-3-Clause
// Runs that many figures share: each is made once, and may be kept in a file for the next time.
#pragma once

#include "app/cli/sweep/sweep_table.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace app::cli {

class KnownRuns {
public:
    explicit KnownRuns(int threads) : threads_{threads} {}

    /// Takes up what `file` keeps, if it is there. Throws Error when it is a file of something else.
    void take(const std::filesystem::path& file);
    /// Writes all that is known in its place.
    void keep(const std::filesystem::path& file, const std::stop_token& stop) const;

    /// The results of `wishes`, of which those that are not known are run, `repeats` times each. Throws Cancelled.
    std::vector<SweepResult> of(const std::vector<Specification>& wishes, int repeats,
                                const engine::Progress& progress);
    /// The same of one run. Throws Error where it is refused.
    SweepResult of(const Specification& wish, const engine::Progress& progress);

    [[nodiscard]] std::size_t ran() const { return ran_; }      ///< runs that were made
    [[nodiscard]] std::size_t taken() const { return taken_; }  ///< results that were there already

private:
    int threads_;
    std::map<std::string, SweepResult> known_;  ///< by the line that repeats the run
    std::size_t ran_ = 0;
    std::size_t taken_ = 0;
};

}  // namespace app::cli
