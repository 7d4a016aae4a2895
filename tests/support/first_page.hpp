// SPDX-License-Identifier: BSD-3-Clause
// Sentences of a first page by what they are about.
#pragma once

#include "app/analysis/overview/first_page.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace support {

/// The sentences of the first page.
inline std::vector<std::string> firstPageInWords(
    app::analysis::TraceAnalysis& analysis,
    app::analysis::AnalysisUse afterwards = app::analysis::AnalysisUse::pageAndMore) {
    return inWords(app::analysis::firstPage(analysis, afterwards));
}

/// The first one that has these words; empty where none has.
inline std::string sentenceWith(const std::vector<std::string>& page, std::string_view words) {
    for (const std::string& sentence : page)
        if (sentence.find(words) != std::string::npos) return sentence;
    return {};
}

/// That on the waiting time of all ranks, or threads.
inline std::string sentenceOnWaits(const std::vector<std::string>& page) { return sentenceWith(page, "s waited "); }

}  // namespace support
