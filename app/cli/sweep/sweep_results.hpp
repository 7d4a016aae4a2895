// SPDX-License-Identifier: BSD-3-Clause
// Results of nccl-tests beside the points of a sweep.
#pragma once

#include "app/cli/sweep/sweep_table.hpp"
#include "traces/nccl/benchmark_results.hpp"

#include <map>
#include <string>
#include <vector>

namespace app::cli {

/// "2 results with wrong data are left out."
std::string wrongResults(std::int64_t count);

class SweepResults {
public:
    /// Those of the collective of `ids`. Throws Error where the file has none of it, or the algorithms are of several.
    SweepResults(const std::string& path, const std::vector<std::string>& ids);

    /// Asks for the ranks and sizes of the results, unless `asked` has its own.
    void complete(Asked& asked) const;
    /// Sets what was measured with the ranks and the size of the row: the median, where the file has several.
    void attach(SweepRow& row) const;
    /// Throws Error where none of `rows` has a measured time.
    void requireUsed(const std::vector<SweepRow>& rows) const;
    /// How many are left out because of wrong data.
    [[nodiscard]] std::int64_t wrong() const { return wrong_; }

private:
    std::string path_;
    std::int64_t wrong_ = 0;
    std::map<std::pair<std::int64_t, engine::Bytes>, std::vector<engine::Picoseconds>>
        times_;  ///< by ranks and contribution
};

}  // namespace app::cli
