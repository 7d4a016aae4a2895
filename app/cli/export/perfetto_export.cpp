// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/export/perfetto_export.hpp"

#include "app/cli/export/trace_events.hpp"
#include "traces/export/perfetto.hpp"

namespace app::cli {
namespace {

template <class Told>
void write(const Told& told, const traces::TimelineAbout& about, std::string_view ending, std::ostream& out) {
    if (ending == ".pftrace") {
        traces::PerfettoTimeline timeline{out, about};
        traces::tell(told, timeline);
    } else {
        TraceEvents events{out, about};
        traces::tell(told, events);
    }
}

}  // namespace

bool isForPerfetto(std::string_view ending) { return ending == ".pftrace" || ending == ".json"; }

void writePerfetto(const engine::Run& run, std::string_view ending, std::ostream& out) { write(run, {}, ending, out); }

void writePerfetto(const traces::Recording& recording, std::string_view ending, std::ostream& out) {
    write(recording, traces::aboutOf(recording), ending, out);
}

}  // namespace app::cli
