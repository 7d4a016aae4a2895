// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/trace_export.hpp"

#include "app/cli/files.hpp"
#include "traces/archive.hpp"
#include "traces/export/copy.hpp"
#include "traces/export/perfetto.hpp"
#include "traces/run_of.hpp"

namespace app::cli {

bool exportRecording(const std::string& trace, const std::filesystem::path& file, const Console& console) {
    const std::string ending = file.extension().string();
    if ((ending != ".otf2" && ending != ".json") || !std::filesystem::exists(trace)) return false;
    const traces::RecordingPtr recording = [&] {
        ProgressLine line{console, "reading"};
        return traces::readRecording(trace, line.progress());
    }();
    if (ending == ".json") {
        if (traces::isOwn(*recording)) return false;  // its run knows rounds and contents, too
        writeFile(file, [&](std::ostream& out) { traces::writePerfetto(*recording, out); });
        console.out << "wrote " << file.string() << '\n';
        return true;
    }
    const std::filesystem::path folder = std::filesystem::path{file}.replace_extension();
    {
        ProgressLine line{console, "writing"};
        traces::writeCopy(*recording, folder, traces::Overwrite::refuse, line.progress());
    }
    console.out << "wrote " << (folder / "traces.otf2").string() << '\n';
    return true;
}

}  // namespace app::cli
