// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/replay/replay_files.hpp"

#include "app/cli/output/files.hpp"
#include "emulation/replay/goal.hpp"
#include "emulation/replay/time_independent.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;
namespace fs = std::filesystem;

traces::Overwrite overwriting(const Arguments& arguments) {
    return arguments.force ? traces::Overwrite::replace : traces::Overwrite::refuse;
}

/// A new folder, which nobody has to part from other files.
void requireNewFolder(const fs::path& folder, std::string_view flag) {
    std::error_code unknown;
    if (fs::exists(fs::symlink_status(folder, unknown)))
        throw Error{text(flag, ": ", folder.string(), " is there already; choose another name")};
    const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path{"."};
    if (!fs::is_directory(parent, unknown)) throw Error{text(flag, ": folder '", parent.string(), "' not found")};
}

/// Files of its ranks, named rank-3, and one of their names, traces, which smpirun takes in that folder.
void writeTimeIndependent(const emulation::Program& program, const fs::path& folder, const Console& console) {
    emulation::TimeIndependent written{program};
    ProgressLine line{console, "writing"};
    const engine::Progress progress = line.progress();
    std::error_code failed;
    fs::create_directory(folder, failed);
    if (failed) throw Error{text("--time-independent: ", folder.string(), " cannot be made: ", failed.message())};
    const auto write = [&](const std::string& name, const std::function<void(std::ostream&)>& content) {
        writeFile(folder / name, engine::Existing::refuse, console.around.stop, content);
    };
    const auto nameOf = [](engine::Rank rank) { return text("rank-", rank.value); };
    for (const engine::Rank rank : program.ranks.ids()) {
        progress.at(static_cast<double>(rank.value) / static_cast<double>(program.ranks.size()));
        write(nameOf(rank), [&](std::ostream& out) { written.write(rank, out); });
    }
    write("traces", [&](std::ostream& out) {
        for (const engine::Rank rank : program.ranks.ids()) out << nameOf(rank) << '\n';
    });
}

}  // namespace

void requireReplayFilesFit(const Arguments& arguments) {
    if (arguments.trace) traces::requireWritable(*arguments.trace, overwriting(arguments));
    if (arguments.goal) requireFree(*arguments.goal, arguments.force, "--goal");
    if (arguments.timeIndependent) requireNewFolder(*arguments.timeIndependent, "--time-independent");
    if (arguments.measured) requireNewFolder(*arguments.measured, "--measured");
    std::vector<std::pair<fs::path, const char*>> all;
    for (const auto& [word, flag] : {std::pair{arguments.trace, "--trace"},
                                     {arguments.goal, "--goal"},
                                     {arguments.timeIndependent, "--time-independent"},
                                     {arguments.measured, "--measured"}}) {
        if (!word) continue;
        const fs::path place = fs::weakly_canonical(*word);
        const auto other = std::ranges::find(all, place, &std::pair<fs::path, const char*>::first);
        if (other != all.end())
            throw Error{text(other->second, " and ", flag, " name the same file; choose another name for one of them")};
        all.emplace_back(place, flag);
    }
}

void writeReplayFiles(const Replaying& replaying, const Arguments& arguments, bool isText, const Console& console) {
    if (arguments.trace && (replaying.recording || replaying.run)) {
        {
            ProgressLine line{console, "writing the trace"};
            writeReplayed(replaying, *arguments.trace, overwriting(arguments), line.progress());
        }
        if (isText)
            console.out << "\nrecorded in " << *arguments.trace << "; collscope open or collscope view show it\n";
    }
    if (arguments.goal) {
        {
            ProgressLine line{console, "writing GOAL"};
            writeFile(*arguments.goal, existing(arguments.force), console.around.stop,
                      [&](std::ostream& out) { emulation::writeGoal(replaying.program, out, line.progress()); });
        }
        if (isText) console.out << "\nwrote " << *arguments.goal << '\n';
    }
    if (arguments.timeIndependent) {
        writeTimeIndependent(replaying.program, *arguments.timeIndependent, console);
        if (isText)
            console.out << "\nwrote " << *arguments.timeIndependent
                        << "; replay it with smpirun -replay traces in that folder, on hosts of 1 Gf\n";
    }
}

}  // namespace app::cli
