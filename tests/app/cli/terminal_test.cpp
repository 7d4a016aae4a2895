// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/terminal.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

TEST(Interrupt, IsGoneAtOnce) {
    // What watched for signals by looking now and then made every command that much longer.
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) const app::cli::Interrupt interrupt;
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds{1});
}

}  // namespace
