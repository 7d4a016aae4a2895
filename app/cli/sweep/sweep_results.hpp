// SPDX-License-Identifier: BSD-3-Clause
// Results of nccl-tests beside the points of a sweep.
#pragma once

#include "app/cli/sweep/sweep_table.hpp"
#include "traces/nccl/results.hpp"

#include <map>
#include <string>
#include <vector>

namespace app::cli {

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

private:
    std::string path_;
    std::map<std::pair<std::int64_t, engine::Bytes>, std::vector<engine::Picoseconds>>
        times_;  ///< by ranks and contribution
};

}  // namespace app::cli
