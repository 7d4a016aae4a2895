// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/linear_program.hpp"

#include "engine/base/types.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

namespace emulation::bounds {

std::int32_t LinearProgram::addColumn(double cost) {
    costs_.push_back(cost);
    return static_cast<std::int32_t>(costs_.size()) - 1;
}

std::int32_t LinearProgram::addRow(const std::vector<Entry>& entries, double least, double most) {
    rows_.push_back({entries, least, most});
    return static_cast<std::int32_t>(rows_.size()) - 1;
}

std::vector<double> LinearProgram::prices() const {
    std::vector<int> rows, columns;
    std::vector<double> factors, least, most;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        for (const Entry& entry : rows_[row].entries) {
            rows.push_back(static_cast<int>(row));
            columns.push_back(entry.column);
            factors.push_back(entry.factor);
        }
        least.push_back(rows_[row].least);
        most.push_back(rows_[row].most);
    }
    const CoinPackedMatrix matrix{true, rows.data(), columns.data(), factors.data(),
                                  static_cast<CoinBigIndex>(factors.size())};
    const std::vector<double> zero(costs_.size());
    const std::vector<double> unlimited(costs_.size(), COIN_DBL_MAX);
    ClpSimplex solver;
    solver.setLogLevel(0);
    solver.loadProblem(matrix, zero.data(), unlimited.data(), costs_.data(), least.data(), most.data());
    solver.dual();
    if (!solver.isProvenOptimal()) return {};
    const double* prices = solver.getRowPrice();
    return {prices, prices + rows_.size()};
}

}  // namespace emulation::bounds
