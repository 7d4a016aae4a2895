// SPDX-License-Identifier: BSD-3-Clause
// The results of tune as files: a map for programs, and a page for people.
#pragma once

#include "app/cli/output/json.hpp"
#include "app/session/tune/autotuner.hpp"

namespace app::cli {

/// A page in a form that Markdown and html share.
struct TunePage {
    struct Section {
        std::string heading{};
        std::vector<std::string> paragraphs{};
        std::string code{};
        std::vector<std::vector<std::string>> rows{};  ///< the first one are headings
        std::vector<std::string> items{};
    };
    std::string title{};
    std::vector<Section> sections{};  ///< the first one has no heading
};

/// What the page needs beside the results.
struct TuneAbout {
    std::string file{};     ///< of the rules
    std::string program{};  ///< that was tuned for; empty: none
    bool commutes = false;
    std::vector<std::string> remarks{};
    std::string caution{};  ///< about the times; empty: none
};

/// The caution where more ranks were measured than this machine has processors; empty where each rank had one, or where
/// the launcher chooses the hosts.
std::string sharingCaution(const Launcher& launcher, const std::vector<tune::Cell>& cells, int processors);

/// What was measured, how sure it is, what changes.
TunePage tunePageOf(const tune::TuneReport& report, const TuneAbout& about);
std::string asMarkdown(const TunePage& page);
/// With the map as an <svg> element, which may be empty, and the measurements behind each case.
std::string asHtml(const TunePage& page, const std::string& map, const std::vector<tune::Tuned>& cases);

/// A line for each case.
std::string asCsv(const std::vector<tune::Tuned>& cases);
Json asJson(const std::vector<tune::Tuned>& cases);
Json inSeconds(const std::vector<engine::Picoseconds>& times);

/// What the runs of the program without and with the rules say; empty where it was not run.
std::string programWords(const tune::TuneReport& report);

}  // namespace app::cli
