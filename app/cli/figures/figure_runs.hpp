// SPDX-License-Identifier: BSD-3-Clause
// Runs that many figures share: each is made once, and may be kept in a file for the next time.
#pragma once

#include "app/cli/figures/item.hpp"
#include "app/cli/sweep/sweep_table.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace app::cli {

/// Something to be known of a run: what it comes to, `repeats` times, or a number of its schedule alone.
struct Wanted {
    Specification wish;
    int repeats = 1;
    bool timeOnly = false;                    ///< of what a run comes to, `SweepScope::time` is enough
    std::optional<figures::Of> ofSchedule{};  ///< `proved`, `peer` or `opposed`
    figures::Message message{};               ///< of `peer`
};

class KnownRuns {
public:
    explicit KnownRuns(int threads) : threads_{threads} {}

    /// Takes up what `file` keeps, if it is there. Throws Error when it is a file of something else.
    void take(const std::filesystem::path& file);
    /// Writes all that is known in its place.
    void keep(const std::filesystem::path& file, const std::stop_token& stop) const;

    /// Makes the runs of `all` that are not known yet: the longest first, on all threads. Calls `onKept` from time to
    /// time when there is more to keep. Progress is a share of the estimated time. Throws Cancelled, and Error where a
    /// schedule is refused.
    void prepare(const std::vector<Wanted>& all, const std::function<void()>& onKept, const engine::Progress& progress);

    /// The results of runs, of which those that are not known are made. Throws Cancelled.
    std::vector<SweepResult> of(const std::vector<Wanted>& all, const engine::Progress& progress);
    /// The same of one run. Throws Error where it is refused.
    SweepResult of(const Wanted& wanted, const engine::Progress& progress);
    /// A number of a schedule. Throws Error where it is refused.
    double ofSchedule(const Wanted& wanted, const engine::Progress& progress);

    [[nodiscard]] std::size_t ran() const { return ran_; }      ///< runs that were made
    [[nodiscard]] std::size_t taken() const { return taken_; }  ///< results that were there already

private:
    /// The result that gives what is wanted; null: none is known.
    [[nodiscard]] const SweepResult* find(const Wanted& wanted) const;

    int threads_;
    std::map<std::string, SweepResult> known_;  ///< by the line that repeats the run
    std::map<std::string, double> schedules_;   ///< likewise, and by what is asked of the schedule
    std::size_t ran_ = 0;
    std::size_t taken_ = 0;
};

}  // namespace app::cli
