// SPDX-License-Identifier: BSD-3-Clause
// record: a user's MPI program under the recorder.
#include "app/cli/commands.hpp"
#include "app/session/options/specification.hpp"
#include "app/session/run/recorder_command.hpp"
#include "engine/base/text.hpp"
#include "engine/live/child_process.hpp"
#include "engine/live/hang_diagnosis/first_termination.hpp"
#include "engine/live/hang_diagnosis/hang_diagnosis.hpp"
#include "engine/live/records/collective_records.hpp"
#include "traces/recording/calls.hpp"

#include <filesystem>
#include <system_error>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// What is already there of an archive: itself, or the records of ranks it is made from. Empty: nothing.
std::filesystem::path taken(const std::filesystem::path& archive) {
    std::error_code isNoName;
    for (const std::filesystem::path& one : {archive, std::filesystem::path{engine::live::recordsOf(archive)}})
        if (std::filesystem::exists(one, isNoName)) return one;
    return {};
}

/// Throws Error where the folder of the records cannot be made: the program is not to run in vain.
void requireCreatable(const std::filesystem::path& archive) {
    const std::filesystem::path records = engine::live::recordsOf(archive);
    std::error_code failed;
    if (!std::filesystem::create_directory(records, failed))
        throw Error{text("--output: cannot create the folder '", records.string(), "': ", failed.message(),
                         "; name another one")};
    std::filesystem::remove(records);
}

/// The folder of the archive. Throws Error if it exists or cannot be made.
std::filesystem::path archiveOf(const Arguments& arguments) {
    if (arguments.output) {
        std::filesystem::path given = *arguments.output;
        if (given.empty()) throw Error{"--output needs the name of a new folder"};
        if (!given.has_filename()) given = given.parent_path();  // "name/"
        if (const std::filesystem::path there = taken(given); !there.empty())
            throw Error{text("--output: ", there.string(), " is already there; name another folder, or remove that")};
        const std::filesystem::path parent = std::filesystem::absolute(given).parent_path();
        if (!std::filesystem::is_directory(parent))
            throw Error{text("--output: folder '", parent.string(), "' not found")};
        requireCreatable(given);
        return given;
    }
    std::filesystem::path archive = "collscope-trace";
    for (int i = 2; !taken(archive).empty(); ++i) archive = text("collscope-trace.", i);
    requireCreatable(archive);
    return archive;
}

/// Archives of further programs, from the first free number on: "collscope-trace.2".
class Further {
public:
    explicit Further(std::string archive) : archive_{std::move(archive)} {
        while (!taken(name(first_)).empty()) ++first_;
    }

    /// What has come since then.
    [[nodiscard]] std::vector<std::filesystem::path> archives() const {
        std::vector<std::filesystem::path> all;
        for (int i = first_; !taken(name(i)).empty(); ++i) all.push_back(name(i));
        return all;
    }
    /// That in a sentence; empty where nothing has.
    [[nodiscard]] std::string words() const {
        std::vector<std::string> names;
        for (const std::filesystem::path& one : archives()) names.push_back(taken(one).string());
        if (names.empty()) return {};
        const bool several = names.size() > 1;
        return text(several ? "Further MPI programs" : "Another MPI program", " of this command, such as ",
                    several ? "those" : "one", " that MPI_Comm_spawn starts, ", several ? "are" : "is", " recorded in ",
                    engine::joined(names, ", "), ".");
    }

private:
    [[nodiscard]] std::filesystem::path name(int number) const { return text(archive_, '.', number); }

    std::string archive_;
    int first_ = 2;
};

/// The command that opens it, as a shell reads it.
std::string viewOf(const std::filesystem::path& trace) {
    const bool isLikeFlag = trace.string().starts_with('-');
    return "collscope view " + shellWord((isLikeFlag ? "." / trace : trace).string());
}

/// Makes an archive of the records of a program that came to its end and left that to whoever started it.
void collect(const std::filesystem::path& archive, const Console& console) {
    const std::filesystem::path records = engine::live::recordsOf(archive);
    if (std::filesystem::exists(archive) || !engine::live::allAreDone(records)) return;
    console.err << "collscope: ";
    try {
        console.err << traces::inWords(traces::writeRecords(records, archive), archive) << '\n';
        std::filesystem::remove_all(records);
    } catch (const std::exception& failure) {
        console.err << "no archive: " << failure.what() << "; the records stay in " << records.string()
                    << ", 'collscope-mpi collect' reads them\n";
    }
}

/// A trace that cannot be read is complained of here: the exit code remains that of the program.
void writePageOf(const std::filesystem::path& trace, const Console& console) {
    Arguments asked;
    asked.words = {trace.string()};
    console.err << '\n';
    try {
        (void)openTrace(asked, {console.err, console.err, console.around, console.paint, nullptr});
    } catch (const Error& failure) {
        console.err << "collscope: " << failure.what() << '\n';
    }
}

}  // namespace

void requireCommand(const Arguments& arguments) {
    if (arguments.words.empty() && !arguments.command.empty()) return;
    if (arguments.words.empty())
        throw Error{"record: the command is missing; write for example collscope record -- mpirun -n 4 ./program"};
    throw Error{
        text("record: put -- before the command to run: collscope record -- ", arguments.words.front(), " ...")};
}

int recordProgram(const Arguments& arguments, const Console& console) {
    requireCommand(arguments);
    RecordWish wish{.command = arguments.command, .archive = archiveOf(arguments)};
    const std::filesystem::path shown = wish.archive;
    wish.archive = std::filesystem::absolute(wish.archive);
    if (arguments.recordRules) {
        wish.rules = std::filesystem::absolute(*arguments.recordRules);
        if (!std::filesystem::is_regular_file(wish.rules))
            throw Error{text("--rules: cannot read '", *arguments.recordRules, "': it does not exist")};
    }
    if (arguments.calls)
        wish.calls = engine::readInteger(*arguments.calls, "--calls", 1, engine::live::mostCallsRecorded);
    const Further further{shown.string()};
    const RecordCommand command = underRecorder(wish);
    if (!command.unrecorded.empty()) console.err << "collscope: " << command.unrecorded << '\n';
    console.err.flush();
    console.out.flush();
    const std::filesystem::path records = engine::live::recordsOf(wish.archive);
    const engine::live::FirstTermination firstTermination{records};
    int code = done;
    try {
        code = engine::live::runToEnd(command.words, command.variables, console.around.stop);
        collect(wish.archive, console);
        for (const std::filesystem::path& one : further.archives()) collect(std::filesystem::absolute(one), console);
        if (std::filesystem::exists(wish.archive)) {
            writePageOf(shown, console);
            if (const std::string words = further.words(); !words.empty()) console.err << '\n' << words << '\n';
            console.err << "\nOpen it in the window: " << viewOf(shown) << '\n';
            return code;
        }
        if (std::filesystem::exists(records)) {
            engine::live::noteEndOf(records, std::filesystem::path{wish.command.front()}.filename().string(), code,
                                    firstTermination.process());
            const std::string kept = std::filesystem::path{engine::live::recordsOf(shown)}.string();
            writePageOf(kept, console);
            console.err << "\nThe records of the program, which did not end normally, are in " << kept
                        << ". Open them in the window: " << viewOf(kept) << '\n';
            return code == 0 ? checkFailed : code;
        }
    } catch (const engine::Cancelled&) {
        if (!std::filesystem::exists(records)) throw;
        const std::string name = std::filesystem::path{engine::live::recordsOf(shown)}.string();
        throw ResumableInterruption{
            text("the records are in ", name, "; 'collscope rollcall ", name, "' lists where each rank was")};
    }
    // How the command ended then tells nothing about the program.
    if (console.around.stop.stop_requested())
        throw ResumableInterruption{"nothing was recorded, because no process had called MPI_Init"};
    if (code == 0)
        console.err << "collscope: nothing was recorded. If no message above gives the reason, " << command.whyNothing
                    << ".\n";
    else console.err << "collscope: nothing was recorded; the command ended with exit code " << code << '\n';
    return code == 0 ? checkFailed : code;
}

}  // namespace app::cli
