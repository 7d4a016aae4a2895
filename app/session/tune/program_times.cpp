// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/program_times.hpp"

#include "app/analysis/containers/sub_progress.hpp"
#include "app/analysis/replay/recorded_program.hpp"
#include "app/analysis/trace/trace.hpp"
#include "app/session/run/scratch.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace app::tune {

using engine::Error;
using engine::text;

ProgramTimes timesInTurn(const WishOf& wishOf, std::int32_t ranks, std::int32_t repeats,
                         const engine::Progress& progress) {
    ProgramTimes times;
    const Scratch scratch;
    for (std::int32_t i = 0; i < 2 * repeats; ++i) {
        const bool isAfter = i % 2 == 1;
        const ProgramWish wish = wishOf(isAfter, scratch.folder());
        const std::filesystem::path archive = scratch.folder() / text("run-", i);
        const ProgramRun run = runRecorded(wish, archive, scratch.folder(),
                                           analysis::within(progress, 0.5 * i / repeats, 0.5 * (i + 1) / repeats));
        if (!run.trouble.empty()) throw Error{run.trouble};
        const analysis::Trace trace = analysis::openTrace(archive);
        if (ranks != 0 && trace.recording->ranks != ranks)
            throw Error{text("'", wish.command, "' ran on ", trace.recording->ranks, " ranks, but the trace has ",
                             ranks, "; start it with ", ranks)};
        const analysis::RecordedProgram program = analysis::recordedProgram(*trace.recording);
        (isAfter ? times.after : times.before).push_back(program.duration - program.setUp.last());
    }
    return times;
}

}  // namespace app::tune
