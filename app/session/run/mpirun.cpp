// SPDX-License-Identifier: BSD-3-Clause
// Starting the processes of a live run.
#include "app/session/run/live.hpp"

#include "app/session/run/calibration.hpp"
#include "app/session/run/launchers.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"
#include "engine/live/child_process.hpp"
#include "engine/live/hang_diagnosis/registered_processes.hpp"
#include "engine/live/network_namespaces/lab_hosts.hpp"
#include "engine/live/records/round_records.hpp"
#include "engine/live/threads/buffers.hpp"

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <utility>

namespace app {
namespace {

using engine::Error;
using engine::text;
using engine::live::Child;
using engine::live::findProgram;

constexpr std::int64_t mostHosts = std::int64_t{1} << 24;  // bytes of a file

/// What a plain mpirun needs: as many processes as there are ranks, however few cores there are, yielding while they
/// wait: without it, eight ranks on two cores take a thousand times as long. Ours yield by themselves under MPICH.
std::vector<std::string> argumentsOf(const std::string& program, LauncherKind kind, const Launcher& launcher,
                                     std::int32_t processes, const std::filesystem::path& folder) {
    std::vector<std::string> words{program};
    const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
    if (launcher.lab) add(labLauncherArguments(program, kind, processes, folder));
    if (kind == LauncherKind::openMpi) {
        add(openMpiArguments());
        if (!launcher.hostfile.empty()) add({"--hostfile", launcher.hostfile});
    } else if (!launcher.hostfile.empty()) {
        add({"-f", launcher.hostfile});
    }
    add({"-n", text(processes)});
    return words;
}

/// The command that starts the processes, up to the words that tell them what to do.
struct Start {
    std::vector<std::string> launcher;
    std::vector<std::string> unsaid;  ///< goes with it, and means nothing to users
    LauncherKind kind;
    std::string worker;
};

Start startFor(const Launcher& launcher, std::int32_t processes, const std::filesystem::path& folder) {
    std::vector<std::string> words = engine::split(launcher.command, ' ');
    std::erase_if(words, [](const std::string& word) { return word.empty(); });
    if (words.empty()) words.emplace_back("mpirun");
    if (findProgram(words[0]).empty())
        throw Error{launcher.command.empty()
                        ? text(engine::field::on,
                               " mpi needs mpirun, which is not installed: install openmpi-bin, or name another "
                               "launcher with ",
                               engine::field::mpirun)
                        : text(engine::field::mpirun, ": program '", words[0], "' not found")};
    // The launcher reads it, and is not to wait for a pipe.
    if (!launcher.hostfile.empty())
        (void)engine::contentOf(launcher.hostfile, mostHosts,
                                text(engine::field::hostfile, ": cannot read '", launcher.hostfile, "'"));
    if (launcher.lab && !launcher.hostfile.empty())
        throw Error{text(engine::field::lab, " has hosts of its own; leave ", engine::field::hostfile, " out")};
    if (words.size() == 1) {
        const LauncherKind kind = launcherKindOf(words[0]);
        // What Open MPI keeps for a while goes with the folder, also when it was killed.
        std::vector<std::string> keeping{"--mca", "orte_tmpdir_base", folder.string()};
        if (kind != LauncherKind::openMpi) keeping.clear();
        return {argumentsOf(words[0], kind, launcher, processes, folder), std::move(keeping), kind, workerFor(kind)};
    }
    if (!launcher.hostfile.empty() || launcher.lab)
        throw Error{text(engine::field::mpirun, " of several words is taken as it is; leave out ",
                         engine::field::hostfile, " and ", engine::field::lab)};
    // Asked only where there is a choice: such a launcher may be anything.
    const LauncherKind kind =
        access(workerForMpich().c_str(), X_OK) == 0 ? launcherKindOf(words[0]) : LauncherKind::other;
    return {words, {}, kind, workerFor(kind)};
}

/// The first paragraph that means something, as one line; what several processes say alike, once.
std::string gist(const std::string& words) {
    std::string found;
    for (std::string line : engine::split(words, '\n')) {
        line.erase(0, std::min(line.size(), line.find_first_not_of(" \t")));
        const bool empty = line.find_first_not_of("-=\r") == std::string::npos;
        if (empty && !found.empty()) break;
        if (!empty && found.find(line) == std::string::npos) found += (found.empty() ? "" : " ") + line;
    }
    return found.size() > 400 ? found.substr(0, 400) + " ..." : found;
}

/// What is known to make launchers fail for reasons that they do not name; empty when nothing is.
std::string shortage(const std::filesystem::path& folder) {
    constexpr std::uintmax_t little = 16 << 20;  // what a launcher and its processes keep there, several times over
    std::error_code failed;
    const std::filesystem::space_info space = std::filesystem::space(folder, failed);
    const std::string where = folder.parent_path().string();
    if (!failed && space.available < little)
        return text(engine::showBytes(static_cast<engine::Bytes>(space.available)), " are left on the disk of '", where,
                    "', name another one with TMPDIR; ");
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < little)
        return text("files may not become larger than ", engine::showBytes(static_cast<engine::Bytes>(limit.rlim_cur)),
                    " here (ulimit -f); ");
    return {};
}

/// Refuses buffers that this machine cannot hold, when it has to hold them all.
void requireMemory(const LiveOrder& order, std::int32_t processes) {
    __int128 needed = 0;
    for (const LiveOrder::Entry& entry : order.entries)
        needed += engine::live::nativeNamed(entry.id) != nullptr
                      ? engine::RankBuffers::memoryFor(engine::problemFromText(entry.problem))
                      : engine::RankBuffers::memoryFor(planOf(entry));
    const __int128 there = static_cast<__int128>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    if (needed > there * 3 / 4)
        throw Error{text(engine::field::on, " mpi would need more memory than this machine has for ", processes,
                         " processes; choose a smaller ", engine::field::size, ", or more machines with ",
                         engine::field::hostfile, " or ", engine::field::mpirun)};
}

/// Launchers that fail to notice the end of a process wait for it for ever.
class Patience {
public:
    explicit Patience(const std::filesystem::path& folder) : folder_{folder} {}

    /// Why nobody should wait any longer; empty while there is hope.
    std::string spent() {
        const auto time = Clock::now();
        if (time < next_) return {};
        next_ = time + pause;
        const engine::live::RegisteredProcesses now = engine::live::registeredProcesses(folder_);
        if (now.gone != gone_ || now.began != began_) changed_ = time;
        gone_ = now.gone;
        began_ = now.began;
        if (gone_ == 0 || time - changed_ < most) return {};
        return text(gone_ == 1 ? "1 process" : text(gone_, " processes"),
                    " ended, which the launcher had not noticed after ", most.count(), " s");
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds pause{500};
    static constexpr std::chrono::seconds most{10};

    const std::filesystem::path& folder_;
    Clock::time_point next_ = Clock::now();
    Clock::time_point changed_ = Clock::now();
    std::int32_t gone_ = 0;
    std::int32_t began_ = 0;
};

void endAll(Child& mpirun, const std::filesystem::path& folder) {
    mpirun.end();
    engine::live::terminateProcesses(folder);
}

/// Waits until `mpirun` has ended. Returns why it had to be ended; empty when it ended by itself.
std::string watched(Child& mpirun, const Launcher& launcher, const std::filesystem::path& folder,
                    const engine::Progress& progress) {
    const auto lab = launcher.lab ? engine::live::existingLab() : std::nullopt;
    const auto lost = [&] { return launcher.lab && engine::live::existingLab() != lab; };
    Patience patience{folder};
    std::string trouble;
    try {
        bool running = true;
        while (trouble.empty() && !lost() && (running = mpirun.watch(20))) {
            progress.at(engine::live::shareDone(folder));
            trouble = patience.spent();
        }
        // Between two looks the lab's end may have ended the launcher.
        if ((running || mpirun.code() != 0) && lost()) trouble = "the lab was removed during the run";
    } catch (...) {
        endAll(mpirun, folder);
        throw;
    }
    endAll(mpirun, folder);
    return trouble;
}

}  // namespace

Launch startedBy(const Launcher& launcher) {
    return [launcher](const LiveOrder& order, const std::filesystem::path& folder, std::int32_t processes,
                      const engine::Progress& progress) {
        const Start start = startFor(launcher, processes, folder);
        if (launcher.command.find(' ') == std::string::npos && launcher.hostfile.empty())
            requireMemory(order, processes);
        const std::string how = engine::joined(start.launcher, " ");
        std::vector<std::string> words = start.launcher;
        words.insert(words.end(), start.unsaid.begin(), start.unsaid.end());
        // Every launcher starts a program that sets variables; the launcher itself is not to be recorded.
        if (!order.archive.empty() || !order.rules.empty())
            words.insert(words.end(), {"env", "LD_PRELOAD=" + dropInFor(start.kind).string(),
                                       "COLLSCOPE_TRACE=" + order.archive, "COLLSCOPE_RULES=" + order.rules});
        words.insert(words.end(), {start.worker, "rank", folder.string()});
        words.insert(words.end(), order.environment.begin(), order.environment.end());
        engine::writeFile(folder / "order", toText(order), engine::Existing::replace);
        Child mpirun{words};
        std::string trouble = watched(mpirun, launcher, folder, progress);
        if (start.kind == LauncherKind::mpich) engine::live::noteStopped(folder);
        const bool measured = std::filesystem::exists(folder / exchangeFile) ||
                              std::filesystem::exists(folder / samplesFile) ||
                              (!order.archive.empty() && std::filesystem::exists(order.archive));
        const std::vector<engine::live::Record> records = engine::live::readRecords(folder);
        const std::string last = [&] {
            const std::string why = shortage(folder) + gist(mpirun.words());
            return text(" (exit code ", mpirun.code(), why.empty() ? ", no message)" : "): ", why);
        }();
        if (!measured && records.empty()) {
            if (engine::live::registeredProcesses(folder).began == 0)
                throw Error{text("the processes were not started by '", how, "'", last)};
            throw Error{text("the processes ended before their work began", trouble.empty() ? "" : ": ", trouble,
                             "; they were started by '", how, "'", last)};
        }
        const bool done = std::all_of(records.begin(), records.end(), [](const engine::live::Record& record) {
            return record.state == engine::live::State::done;
        });
        if (trouble.empty() && done && mpirun.code() != 0)
            trouble = text("'", how, "' failed after all ranks had finished", last);
        return Launched{.how = how, .trouble = trouble};
    };
}

}  // namespace app
