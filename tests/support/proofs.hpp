// SPDX-License-Identifier: BSD-3-Clause
// What tests of an algorithm begin with: its plan, proved.
#pragma once

#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/verify.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

namespace support {

using Settings = std::map<std::string, std::string>;

/// The plan of the algorithm `name` of the problem's collective.
inline engine::Plan planOf(std::string_view name, const engine::Problem& problem, const Settings& settings = {}) {
    const std::string collective{engine::name(problem.collective)};
    return makePlan(engine::algorithmNamed(collective + "/" + std::string{name}), problem, settings);
}

/// Proves, and holds the prediction against the proof; returns the verdict.
inline engine::Verdict proved(const engine::Plan& plan) {
    const engine::Verdict verdict = verify(*plan.schedule, plan.problem);
    EXPECT_TRUE(verdict.proved) << toText(plan.problem) << ": " << verdict.counterExample;
    const auto predicted = plan.algorithm->predict(plan.problem, plan.options);
    if (predicted) {
        EXPECT_EQ(*predicted, verdict.lockstep) << toText(plan.problem);
    }
    return verdict;
}

}  // namespace support
