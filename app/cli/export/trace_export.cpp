// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/export/trace_export.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/selection/trace_selection.hpp"
#include "app/analysis/trace/trace.hpp"
#include "app/cli/export/perfetto_export.hpp"
#include "app/cli/output/files.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "traces/export/copy.hpp"
#include "traces/export/excerpt.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace app::cli {
namespace {

traces::Excerpt excerptFor(const analysis::Part& part, const traces::Recording& recording) {
    const engine::Picoseconds end = recording.duration + engine::Picoseconds{1};
    return {.span = traces::TimeSpan{part.from.value_or(engine::Picoseconds{0}), part.to.value_or(end)},
            .ranks = part.ranks};
}

/// What of the part no copy can have: what begins or ends outside of its time.
std::string leftOutWords(const traces::Recording& all, const analysis::Part& part, const traces::Recording& chosen) {
    const analysis::Selection selection{.part = part, .communicators = {}};
    const auto together = std::ranges::count_if(chosen.collectives.instances, [](const traces::Collective& one) {
        return traces::isCommunication(one.operation);
    });
    const std::int64_t messages = std::ssize(analysis::selectedMessages(all, selection)) - std::ssize(chosen.messages);
    const std::int64_t collectives = std::ssize(analysis::selectedCollectives(all, selection)) - together;
    std::vector<std::string> words;
    if (messages > 0) words.push_back(analysis::counted(messages, "message"));
    if (collectives > 0) words.push_back(analysis::counted(collectives, "collective"));
    if (words.empty()) return {};
    return "; without " + analysis::listed(words) + " that begin or end outside of it";
}

}  // namespace

bool exportRecording(const Arguments& arguments, const std::string& trace, const std::filesystem::path& file,
                     const Console& console) {
    const std::string ending = file.extension().string();
    if ((ending != ".otf2" && !isForPerfetto(ending)) || !std::filesystem::exists(trace) ||
        engine::schedules::isAlgorithmFile(trace))
        return false;
    const analysis::Part part = readPart(arguments);
    const traces::RecordingPtr recording = [&] {
        ProgressLine line{console, "reading"};
        // A copy keeps its times, unless others are asked for.
        const traces::Opening opening = readOpening(arguments);
        return analysis::inTime(
            traces::openRecording(trace, opening, line.progress()),
            arguments.clocks || isForPerfetto(ending) ? readClocks(arguments) : analysis::Clocks::recorded,
            opening.memory);
    }();
    if (isForPerfetto(ending) && traces::isOwn(*recording)) return false;  // its run knows rounds and contents, too
    analysis::requireWithin(part, recording->ranks, recording->duration);
    const traces::RecordingPtr chosen =
        part.whole()
            ? recording
            : std::make_shared<const traces::Recording>(traces::excerptOf(*recording, excerptFor(part, *recording)));
    if (isForPerfetto(ending)) {
        writeFile(file, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { writePerfetto(*chosen, ending, out); });
    } else {
        ProgressLine line{console, "writing"};
        traces::writeCopy(*chosen, file, line.progress());
    }
    console.out << "wrote " << file.string() << (part.whole() ? "" : leftOutWords(*recording, part, *chosen)) << '\n';
    return true;
}

}  // namespace app::cli
