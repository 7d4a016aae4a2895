// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/sweep/chart.hpp"

#include <gtest/gtest.h>

#include <random>

namespace app {
namespace {

TEST(Chart, saysWhoIsFastestFromWhereOn) {
    std::mt19937 random{4};
    for (int trial = 0; trial < 200; ++trial) {
        Chart chart;
        for (const char* name : {"a", "b", "c"}) {
            Chart::Line& line = chart.lines.emplace_back();
            line.name = name;
            for (std::int64_t number = 1; number <= 9; ++number)
                if (chart.lines.size() == 1 || random() % 4 != 0)
                    line.points.push_back({static_cast<double>(number), static_cast<double>(random() % 5)});
        }
        const std::vector<Lead> leads = leadsOf(chart);
        for (std::int64_t number = 1; number <= 9; ++number) {
            std::optional<double> least;
            for (const Chart::Line& line : chart.lines)
                for (const auto& [at, time, low, high] : line.points)
                    if (at == static_cast<double>(number) && (!least || time < *least)) least = time;
            std::vector<std::string> fastest;
            for (const Chart::Line& line : chart.lines)
                for (const auto& [at, time, low, high] : line.points)
                    if (at == static_cast<double>(number) && time == *least) fastest.push_back(line.name);
            std::vector<std::string> said;
            for (const Lead& lead : leads)
                if (lead.from <= static_cast<double>(number)) said = lead.names;
            ASSERT_EQ(said, fastest) << "trial " << trial << " at " << number;
        }
        for (std::size_t i = 1; i < leads.size(); ++i) ASSERT_NE(leads[i].names, leads[i - 1].names);
    }
}

}  // namespace
}  // namespace app
