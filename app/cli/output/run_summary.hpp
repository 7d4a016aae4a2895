// SPDX-License-Identifier: BSD-3-Clause
// Problems and reports in words.
#pragma once

#include "app/cli/output/console.hpp"

#include <string>

namespace app::cli {

/// Why alpha and beta alone do not give the cost of a message in `network`, as a clause; empty where they do.
std::string whyNotUniform(const emulation::Network& network);

/// "7 rounds, 1 above the lower bound of 6", or "... the one-block lower bound of 6" where other messages need fewer.
std::string againstBound(std::int64_t rounds, const analysis::Limits& limits);
/// "2 rounds; 9 startups on 1 port, 4 above the lower bound of 5": where ports are too few for the messages of a round.
std::string withStartups(std::int64_t rounds, std::int64_t startups, int ports, const analysis::Limits& limits);

/// "ring-belts: 7 rounds, 1 above the lower bound of 6; 190.5 us".
std::string titleOf(const Report& report);

/// Problem, conditions, messages, idle time, links, proof, and the run beside bound and formula.
void writeFacts(const Report& report, const Console& console);

/// Title, facts, and the gap to the bound by cause.
void writeSummary(const Report& report, const Console& console);

/// The exit code of a report. Writes to stderr what is wrong, if anything; a fault that writeSummary has shown is not
/// repeated where stdout and stderr are one terminal.
int concluded(const Report& report, const Console& console, bool isFaultShown = false);

/// How many messages of the run a trace of it would not hold.
std::int64_t beyondTrace(const engine::Run& run);

/// One header line and one line of the main numbers.
void writeCsv(const Report& report, const Console& console);

}  // namespace app::cli
