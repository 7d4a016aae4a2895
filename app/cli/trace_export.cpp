// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/trace_export.hpp"

#include "app/analysis/trace.hpp"
#include "app/cli/files.hpp"
#include "app/cli/perfetto.hpp"
#include "engine/schedules/algorithm_file.hpp"
#include "traces/archive.hpp"
#include "traces/export/copy.hpp"
#include "traces/export/excerpt.hpp"
#include "traces/run_of.hpp"

namespace app::cli {
namespace {

traces::Excerpt excerptFor(const analysis::Part& part, const traces::Recording& recording) {
    const engine::Picoseconds end = recording.duration + engine::Picoseconds{1};
    return {.span = traces::TimeSpan{part.from.value_or(engine::Picoseconds{0}), part.to.value_or(end)},
            .ranks = part.ranks};
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
    console.out << "wrote " << file.string() << '\n';
    return true;
}

}  // namespace app::cli
