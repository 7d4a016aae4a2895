// SPDX-License-Identifier: BSD-3-Clause
// run, export and view: commands about one run.
#include "app/cli/better_schedule_output.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/export/perfetto_export.hpp"
#include "app/cli/export/trace_export.hpp"
#include "app/cli/nccl_log.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/measurement.hpp"
#include "app/cli/output/run_summary.hpp"
#include "app/session/run/message_file.hpp"
#include "app/session/run/split_phase.hpp"
#include "app/session/saved_window.hpp"
#include "app/session/session.hpp"
#include "app/session/tune/measured_file.hpp"
#include "app/teaching/exercises.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "traces/recording/archive.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

constexpr std::string_view allLessons = "lessons";

/// `measurement` is null for all but runs over MPI and on threads, `overlap` for all but split-phase runs, `better`
/// where nothing was searched.
int answer(const Report& report, const std::string& format, const Console& console, const Measurement* measurement,
           const Overlap* overlap, const Better* better) {
    if (format == "json") {
        Json json = reportJson(report);
        json["dropped_events"] = beyondTrace(*report.run);
        if (measurement != nullptr) json["measurement"] = measurementJson(*measurement);
        if (overlap != nullptr) json["split_phase"] = overlapJson(*overlap);
        if (better != nullptr) json["search"] = betterJson(*better);
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        writeCsv(report, console);
    } else {
        writeSummary(report, console);
        if (measurement != nullptr) writeMeasurement(*measurement, console);
        if (overlap != nullptr) {
            if (measurement == nullptr) console.out << '\n';
            writeOverlap(*overlap, console);
        }
        if (better != nullptr) writeBetter(*better, console);
    }
    return concluded(report, console, format == "text");
}

LiveReport executeLive(const Specification& wish, const Console& console) {
    ProgressLine line{console, "running"};
    return app::executeLive(wish, launchFor(wish.launcher, console), line.progress());
}

Report execute(const Specification& wish, const Console& console) {
    if (wish.run.on == "mpi") return executeLive(wish, console).report;
    ProgressLine line{console, "running"};
    return app::execute(wish.run, line.progress());
}

/// TRACE or ID PROBLEM: the report of a run, for an id of the catalogue; nothing for anything else, which is a path.
std::optional<Report> runNamed(const Arguments& arguments, const std::string& word, const Console& console) {
    const auto& all = engine::catalogue();
    const bool known =
        engine::schedules::isAlgorithmFile(word) ||
        std::any_of(all.begin(), all.end(), [&](const auto* algorithm) { return algorithm->id == word; });
    if (known || (!std::filesystem::exists(word) && word.find('/') != std::string::npos)) {
        try {
            if (known) refuseReadingFlags(arguments);
            return execute(specify(word, arguments.asked), console);
        } catch (const Error& error) {
            if (known) throw;
            throw Error{text("'", word, "' is not a trace; ", error.words())};
        }
    }
    return std::nullopt;
}

/// Whether all words name lessons: "lessons" all of them. What is there as a file or folder is a trace, unless it ends
/// as lessons do.
bool areLessons(const std::vector<std::string>& words, const Console& console) {
    if (!console.around.lessons) return false;
    const std::vector<gui::LessonName> known = console.around.lessons();
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        if (word.ends_with(gui::lessonEnding)) return true;
        if (std::filesystem::exists(word)) return false;
        return word == allLessons ||
               std::any_of(known.begin(), known.end(), [&](const auto& lesson) { return lesson.name == word; });
    });
}

/// Throws Error for a word that nothing is called and that is nearly the name of a lesson.
void refuseMisspelledLesson(const std::string& word, const Console& console) {
    if (!console.around.lessons || std::filesystem::exists(word) || word.find('/') != std::string::npos) return;
    std::vector<std::string> names{std::string{allLessons}};
    for (const gui::LessonName& lesson : console.around.lessons()) names.push_back(lesson.name);
    if (const std::string hint = engine::didYouMean(word, names); !hint.empty())
        throw Error{text("'", word, "' does not exist and is no lesson", hint)};
}

/// Throws Error for flags that change nothing of such a file: what decides how a picture looks means nothing to a page,
/// which has every view at every size and moment, and to messages.
void refusePictureFlags(const Arguments& arguments, const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    const auto isOneOf = [&](std::initializer_list<std::string_view> endings) {
        return std::find(endings.begin(), endings.end(), ending) != endings.end();
    };
    const auto refuse = [](std::string_view flag, const std::string& why) { throw Error{text(flag, ": ", why)}; };
    const bool page = ending == ".html";
    const std::pair<const char*, const Arguments::Word*> flags[]{
        {"--view", &arguments.view}, {"--width", &arguments.width},     {"--height", &arguments.height},
        {"--time", &arguments.time}, {"--seconds", &arguments.seconds}, {"--block", &arguments.block}};
    const std::string messages =
        text(file.string(), " holds messages, however they look in a picture; leave the flag out");
    if (page || isForPerfetto(ending) || isOneOf({".csv", ".otf2"}))
        for (const auto& [flag, word] : flags)
            if (*word)
                refuse(flag, page ? "a page shows all views, moments and blocks at any size; leave the flag out, and "
                                    "link to a moment and a block as page.html#round=4&block=0"
                                  : messages);
    if (arguments.dark && !page && (isForPerfetto(ending) || isOneOf({".csv", ".otf2"}))) refuse("--dark", messages);
    if (arguments.seconds && isOneOf({".png", ".svg", ".pdf"}))
        refuse("--seconds", text(file.string(), " is no film; leave the flag out, or write .gif, .mp4 or .webm"));
    if (arguments.time && isOneOf({".gif", ".mp4", ".webm"}))
        refuse("--time", "a film shows all moments; leave the flag out, or write .png, .svg or .pdf");
}

int exportLessons(const Arguments& arguments, const std::filesystem::path& file, const Console& console) {
    refuseRunFlags(arguments);
    if (arguments.asked.has("ranks")) throw Error{"--ranks: a lesson determines what runs; leave the flag out"};
    refusePictureFlags(arguments, file);
    std::vector<std::string> lessons;
    const auto add = [&](const std::string& lesson) {
        if (std::find(lessons.begin(), lessons.end(), lesson) == lessons.end()) lessons.push_back(lesson);
    };
    for (const std::string& word : arguments.words) {
        if (word != allLessons) add(word);
        else
            for (const gui::LessonName& lesson : console.around.lessons()) add(lesson.name);
    }
    const gui::Picture picture = readPicture(arguments);
    {
        ProgressLine line{console, "drawing"};
        console.around.course(lessons, file, picture, line.progress());
    }
    sayWritten(file, console);
    return done;
}

Trace traceNamed(const Arguments& arguments, const std::string& path, const Console& console) {
    refuseRunFlags(arguments);
    ProgressLine line{console, "reading"};
    return analysis::openTrace(path, readClocks(arguments), line.progress(), readOpening(arguments));
}

}  // namespace

gui::Picture readPicture(const Arguments& arguments) {
    gui::Picture picture;
    std::vector<std::string> views = gui::viewNames();
    views.emplace_back("window");
    // As tables and headings call these views.
    constexpr std::array<std::pair<std::string_view, const char*>, 3> others{
        {{"calltree", "where"}, {"iterations", "when"}, {"ranks", "idle"}}};
    Arguments::Word view = arguments.view;
    for (const auto& [name, its] : others)
        if (view && *view == name) view = its;
    picture.view = choice(view, "--view", views, picture.view);
    const auto pixels = [](const Arguments::Word& word, std::string_view flag, int fallback) {
        return word ? static_cast<int>(engine::readInteger(*word, flag, 200, 8192)) : fallback;
    };
    picture.width = pixels(arguments.width, "--width", picture.width);
    picture.height = pixels(arguments.height, "--height", picture.height);
    if (arguments.time) picture.time = engine::readTime(*arguments.time, "--time");
    if (arguments.seconds)
        picture.seconds = static_cast<double>(engine::readInteger(*arguments.seconds, "--seconds", 1, 3600));
    if (arguments.block) picture.block = engine::readInteger(*arguments.block, "--block", 0, 1LL << 31);
    picture.dark = arguments.dark;
    picture.existing = existing(arguments.force);
    return picture;
}

Launch launchFor(const Launcher& launcher, const Console& console) {
    return console.around.live ? console.around.live : startedBy(launcher);
}

int runOne(const Arguments& arguments, const Console& console) {
    const std::string& id = wordsOf(arguments, 1, 1, "run ID PROBLEM")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    Specification wish = specify(id, arguments.asked);
    const auto searchTime = timeOfSearch(arguments);
    // No answer names a message. But a schedule that does not say what its messages carry is recognised by them, which
    // a script always says.
    const bool needsMessages = engine::schedules::isPath(id) && !id.ends_with(".lua");
    if (!arguments.trace && !needsMessages) wish.run.budget = 0;
    if (arguments.force && !arguments.trace) throw Error{"--force replaces an archive; name it with --trace"};
    const auto overwrite = arguments.force ? traces::Overwrite::replace : traces::Overwrite::refuse;
    if (arguments.trace) traces::requireWritable(*arguments.trace, overwrite);
    std::optional<LiveReport> live;
    std::optional<Overlap> overlap;
    const Report report = [&] {
        if (wish.split && wish.run.on == "virtual") {
            ProgressLine line{console, "running"};
            SplitReport split = executeInHalves(wish, line.progress());
            overlap = split.overlap;
            return std::move(split.report);
        }
        if (wish.run.on != "mpi" && !wish.split) return execute(wish, console);
        live = executeLive(wish, console);
        overlap = live->overlap;
        return live->report;
    }();
    const std::optional<Better> better = searchedFor(searchTime, report, wish.run.problem, console);
    // The answer first: what was measured is not to be lost when the archive cannot be written.
    const int code = answer(report, format, console, live ? &live->measurement : nullptr, overlap ? &*overlap : nullptr,
                            better ? &*better : nullptr);
    if (arguments.trace) {
        ProgressLine line{console, "writing the trace"};
        traces::write(*report.run, *arguments.trace, overwrite, line.progress());
    }
    if (arguments.trace && format == "text")
        console.out << "\nrecorded in " << *arguments.trace << "; collscope open or collscope view show it\n";
    return code;
}

int exportFile(const Arguments& arguments, const Console& console) {
    const bool lessons = !arguments.words.empty() && areLessons(arguments.words, console);
    const std::size_t most = lessons ? arguments.words.size() : 1;
    const std::string& word = wordsOf(arguments, 1, most, "export TRACE|ID PROBLEM|LESSON ... -o FILE")[0];
    if (!arguments.output) throw Error{"export: --output FILE (-o) is missing"};
    const std::filesystem::path file{*arguments.output};
    requireFree(file, arguments.force);
    if (lessons) return exportLessons(arguments, file, console);
    if (nccl::isLog(word)) {
        nccl::exportLog(word, file, arguments.force, console);
        return done;
    }
    refuseMisspelledLesson(word, console);
    refusePictureFlags(arguments, file);
    if (exportRecording(arguments, word, file, console)) return done;
    const gui::Picture picture = readPicture(arguments);
    const std::string ending = file.extension().string();
    const bool messages = ending == ".csv" || isForPerfetto(ending);
    if (!messages && (arguments.from || arguments.to))
        throw Error{text("--from and --to select a part for .otf2, .pftrace, .json or .csv, not for ", file.string())};
    const Trace trace = [&] {
        if (std::optional<Report> run = runNamed(arguments, word, console)) return Trace{*std::move(run)};
        if (!messages && arguments.asked.has("ranks"))
            throw Error{text("--ranks chooses ranks for .otf2, .pftrace, .json or .csv, not for ", file.string(),
                             "; leave the flag out, or cut the trace first: collscope export ", word,
                             " --ranks ... -o part.otf2")};
        return traceNamed(arguments, word, console);
    }();
    const Report& report = trace.report;
    if (picture.time && *picture.time > report.run->duration)
        throw Error{text("--time: ", *arguments.time, " is after the end of the run, at ",
                         engine::showTime(report.run->duration))};
    if (messages) {
        // Of a run that is made here --ranks says how many there are.
        analysis::Part part = readPart(arguments);
        if (!std::filesystem::exists(word) || engine::schedules::isAlgorithmFile(word)) part.ranks.clear();
        requireWithin(part, report.run->ranks, report.run->duration);
        const engine::RunPtr chosen =
            part.whole() ? report.run : std::make_shared<const engine::Run>(analysis::partOf(*report.run, part));
        if (report.run->droppedMessages > 0)
            console.err << "collscope: " << file.string() << " holds the first "
                        << analysis::counted(static_cast<std::int64_t>(report.run->messages.size())) << " of "
                        << analysis::counted(report.run->messageCount, "message") << '\n';
        if (ending == ".csv" && analysis::timesAreCalls(*report.run) && chosen->messages.empty())
            throw Error{text(file.string(), ": not written, since ", word, " has no point-to-point messages",
                             part.whole() ? "" : " in this part", "; 'collscope open ", word,
                             " --tables collectives --format csv' lists its collectives")};
        writeFile(file, existing(arguments.force), console.around.stop, [&](std::ostream& out) {
            if (ending == ".csv") writeMessagesCsv(*chosen, out);
            else writePerfetto(*chosen, ending, out);
        });
    } else {
        if (!console.around.picture)
            throw Error{"export: pictures are not available here; .csv, .pftrace and .json are"};
        ProgressLine line{console, "drawing"};
        console.around.picture(trace, file, picture, line.progress());
    }
    sayWritten(file, console);
    if (report.verdict && !report.verdict->proved)
        console.err << "collscope: this file shows a counterexample: " << report.fault << '\n';
    return done;
}

int view(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 0, 2, "view [TRACE|SESSION|LESSON|TASK [FILE]|TUNING|ID PROBLEM]");
    if (!console.around.window)
        throw Error{"view: this program has no window; collscope --help lists the other commands"};
    if (words.empty()) return console.around.window({});
    const auto refuseFlags = [&] {
        refuseRunFlags(arguments);
        if (arguments.asked.has("ranks"))
            throw Error{"--ranks: the window shows all ranks of a trace or session; leave the flag out"};
    };
    if (isTask(words[0])) {
        refuseFlags();
        if (words.size() > 1 && (isTask(words[1]) || !engine::schedules::isAlgorithmFile(words[1])))
            throw Error{text("'", words[1], "' is no algorithm's file; write for example collscope view ", words[0],
                             " mine.lua")};
        // Whether its text can be read stands in the editor.
        if (words.size() > 1 && !std::filesystem::exists(words[1]))
            throw Error{text("cannot read '", words[1], "': it does not exist")};
        return console.around.window(gui::TaskFile{words[0], words.size() > 1 ? words[1] : ""});
    }
    if (words.size() > 1)
        throw Error{text("unexpected word '", words[1], "'; only a task (.task) is opened with a second file")};
    if (words[0].ends_with(gui::lessonEnding)) {
        refuseFlags();
        if (!std::filesystem::exists(words[0])) throw Error{text("cannot read '", words[0], "': it does not exist")};
        return console.around.window(gui::LessonFile{words[0]});
    }
    if (std::filesystem::exists(words[0]) && isSavedWindow(words[0])) {
        refuseFlags();
        return console.around.window(gui::SavedWindow{words[0]});
    }
    if (const auto measured = tune::measurementsOf(words[0])) {
        refuseFlags();
        (void)tune::measuredIn(*measured);  // what is wrong with it is said here
        return console.around.window(gui::TuningFile{*measured});
    }
    // What is wrong with it is said here; the window reads it again.
    if (readReport(words[0])) {
        refuseFlags();
        return console.around.window(gui::Unread{words[0], readOpening(arguments), readClocks(arguments)});
    }
    if (std::optional<Report> run = runNamed(arguments, words[0], console))
        return console.around.window(Trace{*std::move(run)});
    refuseFlags();
    gui::Unread trace{words[0], readOpening(arguments), readClocks(arguments)};
    // The window reads it; what cannot be an archive is said without one.
    traces::requireOpenable(trace.path, trace.opening);
    return console.around.window(std::move(trace));
}

}  // namespace app::cli
