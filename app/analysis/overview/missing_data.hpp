// SPDX-License-Identifier: BSD-3-Clause
// Data that is missing from a trace, for table `not-recorded` and the notes beside pictures.
#pragma once

#include "app/analysis/tables/table_definition.hpp"

#include <string>
#include <vector>

namespace app::analysis {

/// Each once; counts where things of the kind were recorded in part.
std::vector<traces::NotRecorded> notRecordedOf(const Trace& trace);

/// The same as clauses to be read one after the other: of more than two times without recording, which are many alike,
/// one clause, the first.
std::vector<std::string> notRecordedInBrief(const Trace& trace);

}  // namespace app::analysis
