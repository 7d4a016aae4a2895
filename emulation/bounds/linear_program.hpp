// SPDX-License-Identifier: BSD-3-Clause
// Linear programs, solved by COIN-OR's Clp.
#pragma once

#include <cstdint>
#include <vector>

namespace emulation::bounds {

/// Least cost of columns, all at least 0, under bounds on rows.
class LinearProgram {
public:
    struct Entry {
        std::int32_t column = 0;
        double factor = 0;
    };

    /// Both return the number of what was added.
    std::int32_t addColumn(double cost);
    std::int32_t addRow(const std::vector<Entry>& entries, double least, double most);

    /// What the cost would gain by a little more room in each row: the solution of the dual program. Empty where there
    /// is no solution.
    [[nodiscard]] std::vector<double> prices() const;

private:
    struct Row {
        std::vector<Entry> entries;
        double least = 0;
        double most = 0;
    };
    std::vector<double> costs_;
    std::vector<Row> rows_;
};

}  // namespace emulation::bounds
