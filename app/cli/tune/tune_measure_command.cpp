// SPDX-License-Identifier: BSD-3-Clause
// tune COLLECTIVE,...: measures the algorithms of a library, writes rules, a map and a page.
#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/tune/measured_cases.hpp"
#include "app/cli/tune/tune_command.hpp"
#include "app/cli/tune/tune_report.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/run/launchers.hpp"
#include "app/session/run/scratch.hpp"
#include "app/session/tune/measured_file.hpp"
#include "app/session/tune/program_cases.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/live/network_namespaces/lab_hosts.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

constexpr double leastBudget = 5;       // seconds
constexpr double leastCalibrated = 30;  // seconds of a budget that begins with a calibration

/// Without --ranks all hosts of the lab.
std::vector<std::int64_t> ranksOf(const Arguments& arguments, const Launcher& launcher) {
    if (arguments.processes) {
        std::vector<std::int64_t> ranks = ranksFrom(*arguments.processes);
        if (ranks.size() > 1 && launcher.command.find(' ') != std::string::npos)
            throw Error{text(engine::field::mpirun, " '", launcher.command,
                             "' starts the same number of processes for all ", ranks.size(),
                             " numbers of ranks: give one number with -n, or a launcher without arguments")};
        return ranks;
    }
    const auto lab = launcher.lab ? engine::live::existingLab() : std::nullopt;
    if (!lab)
        throw Error{
            "--ranks is missing; write collscope tune [COLLECTIVE,...] -n RANKS, or --lab for all hosts of the lab"};
    return {lab->hosts};
}

/// "10m", or a time with another unit.
double secondsOf(const Arguments& arguments) {
    const std::string words = arguments.budget.value_or("10m");
    if (words.ends_with('m') && words.size() > 1 && words.find_first_not_of("0123456789") == words.size() - 1)
        return 60 * static_cast<double>(engine::readInteger(words.substr(0, words.size() - 1), "--budget", 1, 24 * 60));
    const double seconds = engine::seconds(engine::readTime(words, "--budget"));
    if (seconds < leastBudget) throw Error{text("--budget ", words, ": must be at least 5s, such as 10m")};
    return seconds;
}

/// Times as they come, in FILE.measured: a measurement that is stopped can go on.
class Store {
public:
    enum class Earlier : std::uint8_t { refused, continued, replaced };

    /// Throws Error where a measurement is there that is neither continued nor replaced, or none to be continued.
    Store(std::string path, Earlier its) : path_{std::move(path)} {
        const bool there = std::filesystem::exists(path_), resume = its == Earlier::continued;
        if (there && its == Earlier::refused)
            throw Error{text(path_, " is there: --resume continues its measurement, --force begins another one")};
        if (resume && !there) throw Error{text("--resume: ", path_, " does not exist")};
        if (resume) earlier_ = tune::measuredIn(path_);
    }
    /// The measurement that is continued; null: none.
    [[nodiscard]] const tune::MeasuredFile* earlier() const { return earlier_ ? &*earlier_ : nullptr; }
    [[nodiscard]] bool isEmpty() const { return empty_ && (!earlier_ || earlier_->samples.empty()); }

    /// An earlier measurement is replaced when the first time comes.
    void begin(const tune::MeasuredFile& file) {
        head_ = earlier_ ? "\n" : file.head();  // behind a line that was cut off
    }
    void add(const std::string& line) {
        if (!out_.is_open()) {
            out_.open(path_, earlier_ ? std::ios::app : std::ios::trunc);
            out_ << head_;
        }
        if (!(out_ << line << std::endl)) throw Error{text(path_, ": cannot be written")};
        empty_ = false;
    }

private:
    std::string path_;
    std::optional<tune::MeasuredFile> earlier_;
    std::string head_;
    bool empty_ = true;
    std::ofstream out_;
};

/// Whose algorithms are measured: as --to says, else that of the launcher. Throws Error where they are different ones.
tune::Library libraryFor(const Arguments& arguments, const Launcher& launcher, const Console& console) {
    const bool isNamed = !launcher.command.empty();
    const bool asksForMpich = arguments.to && fields::chosen(*arguments.to, "--to", {"openmpi", "mpich"}) == "mpich";
    // Processes that are there already have no launcher here.
    const bool isLooked = (arguments.to || isNamed) && !console.around.live;
    const std::string program = isNamed ? engine::split(launcher.command, ' ').front() : "mpirun";
    const LauncherKind kind = isLooked ? launcherKindOf(program) : LauncherKind::other;
    if (!arguments.to) return kind == LauncherKind::mpich ? tune::Library::mpich : tune::Library::openMpi;
    if (kind == (asksForMpich ? LauncherKind::openMpi : LauncherKind::mpich))
        throw Error{text("--to ", *arguments.to, ": ", program, " is ", asksForMpich ? "Open MPI" : "MPICH",
                         "'s launcher; add ", engine::field::mpirun,
                         asksForMpich ? " mpiexec.mpich" : " mpirun.openmpi")};
    return asksForMpich ? tune::Library::mpich : tune::Library::openMpi;
}

const tune::Installed& installedAs(tune::Library library) {
    const bool isMpich = library == tune::Library::mpich;
    const tune::Installed& installed = isMpich ? tune::installedMpich() : tune::installedOpenMpi();
    if (!installed.present || (isMpich && installed.values.empty()))
        throw Error{isMpich ? "tune measures MPICH's algorithms, and mpivars, which lists them, is not installed"
                            : "tune measures Open MPI's algorithms, and ompi_info, which lists them, is not installed"};
    return installed;
}

/// The program that --check names. Throws Error where it cannot be started, or runs under another library.
std::optional<tune::ProgramCheck> programCheckFor(const Arguments& arguments, const Launcher& launcher,
                                                  const std::vector<tune::Cell>& cells, tune::Library library) {
    if (!arguments.check) return std::nullopt;
    const auto number = [](const std::optional<std::string>& words, const char* otherwise, const char* flag, int most) {
        return engine::readInteger(words.value_or(otherwise), flag, 1, most);
    };
    tune::ProgramCheck check{.wish = {.command = *arguments.check, .lab = launcher.lab},
                             .repeats = static_cast<std::int32_t>(number(arguments.repeats, "3", "--repeat", 1000))};
    for (const tune::Cell& cell : cells)
        check.wish.processes = std::max(check.wish.processes, static_cast<std::int32_t>(cell.ranks));
    check.wish.most = std::chrono::seconds{number(arguments.seconds, "600", "--seconds", 1'000'000)};
    const std::string program = commandUnderRecorder(check.wish, "archive", Scratch{}.folder()).front();
    if ((launcherKindOf(program) == LauncherKind::mpich) != (library == tune::Library::mpich))
        throw Error{text("--check: ", program, " does not start processes of ", nameOf(library),
                         ", whose algorithms are measured")};
    return check;
}

tune::Candidates candidatesOf(const Arguments& arguments) {
    const std::string which =
        fields::chosen(arguments.candidates.value_or("library"), "--candidates", {"library", "catalogue", "all"});
    return which == "all"         ? tune::Candidates::all
           : which == "catalogue" ? tune::Candidates::catalogue
                                  : tune::Candidates::library;
}

/// The collectives of the trace that --for names, with the algorithms of the library.
tune::ProgramCases casesFor(const Arguments& arguments, const tune::Installed& installed, const Console& console) {
    for (const auto& [word, flag] : {std::pair{&arguments.processes, "--ranks"}, {&arguments.sizes, "--sizes"}})
        if (word->has_value())
            throw Error{text(flag, " and --for: the trace has the ranks and sizes; leave ", flag, " out")};
    if (!arguments.words.empty()) throw Error{"--for: the trace has the collectives; leave their names out"};
    const analysis::Trace trace = [&] {
        ProgressLine line{console, "reading"};
        return analysis::openTrace(*arguments.program, analysis::Clocks::fittedWhereNeeded, line.progress());
    }();
    tune::ProgramCases cases = tune::casesOf(trace, installed);
    tune::addCandidates(cases.cells, installed, candidatesOf(arguments));
    return cases;
}

/// Cells as they would be without predictions.
std::string unpredicted(std::vector<tune::Cell> cells) {
    std::string words;
    for (tune::Cell& cell : cells) {
        for (tune::Candidate& one : cell.candidates) one.predicted = {};
        words += toText(cell) + '\n';
    }
    return words;
}

/// Wide and high enough for the number in each cell.
gui::Picture pictureFor(const std::vector<tune::Tuned>& cases) {
    std::set<std::pair<engine::live::Called, std::int64_t>> rows;
    std::set<engine::live::Called> calls;
    std::set<engine::Bytes> sizes;
    for (const tune::Tuned& one : cases) {
        rows.emplace(one.cell.called, one.cell.ranks);
        calls.insert(one.cell.called);
        sizes.insert(one.cell.bytes);
    }
    gui::Picture picture;
    picture.width = std::clamp(160 + 64 * static_cast<int>(sizes.size()), 640, 4096);
    picture.height =
        std::clamp(150 + 24 * static_cast<int>(rows.size()) + 24 * static_cast<int>(calls.size()), 240, 4096);
    return picture;
}

std::string drawingOf(const std::vector<tune::Tuned>& cases, const Console& console) {
    return console.around.tuningDrawing ? console.around.tuningDrawing(cases, pictureFor(cases)) : "";
}

void printRules(const tune::TuneReport& report, const TuneAbout& about, const std::vector<std::string>& files,
                const Console& console) {
    console.out << analysis::counted(report.rules(), "rule") << " for "
                << analysis::counted(static_cast<std::int64_t>(report.cells.size()), "case")
                << (report.rules() > 0 ? text(", up to ", engine::showNumber(report.mostGain(), 3),
                                              "x faster than the choice of ", report.version)
                                       : "")
                << '\n';
    if (!about.caution.empty())
        for (const std::string& line : wrapped(about.caution, lineWidth)) console.out << line << '\n';
    if (const std::string words = programWords(report); !words.empty())
        for (const std::string& line : wrapped(words, lineWidth)) console.out << line << '\n';
    if (const auto time = report.programTime())
        console.out << "collectives of the program: " << engine::showNumber(time->usual, 3)
                    << " s by the library's choices"
                    << (report.rules() > 0 ? text(", ", engine::showNumber(time->tuned, 3), " s with the rules") : "")
                    << '\n';
    Table table{{Align::left, Align::right, Align::right, Align::right, Align::left, Align::left, Align::left}, 2};
    table.row({"collective", "ranks", "bytes", "default", "rule", "measured", "with the file"});
    for (const tune::Tuned& one : report.cells)
        if (one.kept)
            table.row({std::string{name(one.cell.called)}, text(one.cell.ranks), engine::showBytes(one.cell.bytes),
                       engine::showTime(one.verdict.usual), toText(one.chosen()), gainWords(one.verdict.gain),
                       gainWords(*one.checked)});
    if (report.rules() > 0) table.write(console.out << '\n');
    Table catalogue{{Align::left, Align::right, Align::right, Align::right, Align::left, Align::left, Align::left}, 2};
    catalogue.row({"collective", "ranks", "bytes", "default", "of the catalogue", "measured", "with its rule"});
    bool any = false;
    for (const tune::Tuned& one : report.cells) {
        const std::size_t index = one.verdict.catalogue;
        if (!one.verdict.catalogueHelps()) continue;
        any = true;
        catalogue.row({std::string{name(one.cell.called)}, text(one.cell.ranks), engine::showBytes(one.cell.bytes),
                       engine::showTime(one.verdict.usual), toText(one.cell.candidates[index]),
                       gainWords(one.verdict.catalogueGain),
                       one.dropIn == index && one.dropInChecked ? gainWords(*one.dropInChecked) : "-"});
    }
    if (any) {
        console.out << text("\nRules of the drop-in library name algorithms of the catalogue in ",
                            analysis::counted(report.catalogueRules(), "case"), ".\n\n");
        catalogue.write(console.out);
    }
    console.out << "\nwrote " << engine::joined(files, ", ") << '\n';
}

constexpr std::array<const char*, 5> endingsBeside{".collscope", ".csv", ".svg", ".html", ".md"};

std::string stemOf(const std::string& file) { return std::filesystem::path{file}.replace_extension().string(); }

/// The file of rules and those beside it. Throws Error where one is there and not to be replaced.
std::vector<std::string> filesOf(const std::string& file, bool replaces, const Console& console) {
    if (file.empty()) throw Error{"--output: the name is empty"};
    for (const char* own : endingsBeside)
        if (std::filesystem::path{file}.extension() == own)
            throw Error{text("--output ", file, ": FILE", own,
                             " is written in addition to the rules; choose another ending, such as .conf")};
    std::vector<std::string> files{file};
    for (const char* own : endingsBeside)
        if (own != std::string_view{".svg"} || console.around.tuningDrawing) files.push_back(stemOf(file) + own);
    for (const std::string& one : files) {
        if (one != file && !replaces && std::filesystem::exists(one))
            throw Error{text(one, ", which is written beside ", file,
                             ", exists already; name other files with --output, or add --force")};
        requireFree(one, replaces);
    }
    return files;
}

/// Goes on with an earlier measurement, if there is one. Throws Error where it was of something else.
void resumeFrom(const Store& store, tune::MeasuredFile& measured, const std::string& file) {
    const tune::MeasuredFile* earlier = store.earlier();
    if (earlier == nullptr) return;
    if (earlier->conditions != measured.conditions || unpredicted(earlier->cells) != unpredicted(measured.cells))
        throw Error{text(file,
                         ".measured: contains a measurement with other collectives, ranks, sizes, library, "
                         "--candidates or --commutative; pass these again, or --force to start over")};
    measured = *earlier;
}

/// Calibrates, if there is time, and measures. What is measured when it is stopped can be continued.
tune::TuneReport measure(tune::MeasuredFile& measured, tune::TuneWish wish, const tune::Installed& installed,
                         const Launch& launch, Store& store, const std::string& file, const Console& console) {
    ProgressLine line{console, "tuning"};
    if (store.earlier() == nullptr && wish.seconds >= leastCalibrated) {
        const auto start = std::chrono::steady_clock::now();
        measured.model = tune::calibrated(launch, {.stop = line.progress().stop});
        if (measured.model) tune::predict(measured.cells, wish.library, *measured.model);
        const std::chrono::duration<double> past = std::chrono::steady_clock::now() - start;
        wish.seconds = std::max(leastBudget, wish.seconds - past.count());
    }
    store.begin(measured);
    const std::string howToResume = file + ".measured has the times so far, and --resume continues";
    try {
        tune::TuneReport report =
            tune::tune(measured.cells, wish, installed, launch,
                       {measured.samples, [&](const std::string& row) { store.add(row); }}, line.progress());
        report.model = measured.model;
        return report;
    } catch (const Error& error) {
        if (store.isEmpty()) throw;
        throw Error{text(error.words(), "; ", howToResume)};
    } catch (const engine::Cancelled&) {
        if (store.isEmpty()) throw;
        throw ResumableInterruption{howToResume};
    }
}

/// Runs the program with and without the rules. Says what failed; empty: nothing did.
std::string judgeByProgram(tune::TuneReport& report, const std::optional<tune::ProgramCheck>& check,
                           const tune::Installed& installed, const Console& console) {
    if (!check || report.rules() == 0) return {};
    ProgressLine line{console, "running the program"};
    try {
        tune::judgeByProgram(report, tune::timesOfProgram(report, *check, line.progress()), installed);
    } catch (const Error& error) {
        return error.words();
    }
    return {};
}

void writeFiles(const std::vector<std::string>& files, const tune::TuneReport& report, const TuneAbout& about,
                engine::Existing existing, const Console& console) {
    const std::string map = drawingOf(report.cells, console), stem = stemOf(about.file);
    const TunePage page = tunePageOf(report, about);
    std::map<std::string, std::string> contents{{about.file, report.own.words},
                                                {stem + ".collscope", report.collscope.words},
                                                {stem + ".csv", asCsv(report.cells)},
                                                {stem + ".svg", map},
                                                {stem + ".html", asHtml(page, map, report.cells)},
                                                {stem + ".md", asMarkdown(page)}};
    for (const std::string& one : files)
        writeFile(one, existing, console.around.stop, [&](std::ostream& out) { out << contents.at(one); });
}

}  // namespace

int measureRules(const Arguments& arguments, const Console& console) {
    const std::string format = chosenFormat(arguments, {"text", "json"});
    wordsOf(arguments, 0, 1, "tune [COLLECTIVE,...] -n RANKS -o FILE");
    Specification asked;
    take(asked, arguments.asked);
    const tune::Library library = libraryFor(arguments, asked.launcher, console);
    tune::TuneWish wish{.library = library,
                        .candidates = candidatesOf(arguments),
                        .seconds = secondsOf(arguments),
                        .commutes = arguments.commutative};
    if (!arguments.program) {
        wish.calls =
            callsFrom(arguments.words.empty() ? "bcast,allreduce,allgather,alltoall,reduce" : arguments.words[0]);
        wish.ranks = ranksOf(arguments, asked.launcher);
        wish.sizes = sizesFrom(arguments.sizes.value_or("4..4MiB"));
    }
    const tune::Installed& installed = installedAs(library);
    const std::string file = arguments.output.value_or(library == tune::Library::mpich ? "rules.json" : "rules.conf");
    const std::vector<std::string> files = filesOf(file, arguments.force, console);
    Store store{file + ".measured", arguments.resume  ? Store::Earlier::continued
                                    : arguments.force ? Store::Earlier::replaced
                                                      : Store::Earlier::refused};
    tune::MeasuredFile times{
        .conditions = text(installed.version, wish.commutes ? ", commutative" : "", asked.launcher.lab ? ", lab" : "")};
    TuneAbout about{.file = file, .program = arguments.program.value_or(""), .commutes = wish.commutes};
    if (arguments.program) {
        tune::ProgramCases cases = casesFor(arguments, installed, console);
        times.cells = std::move(cases.cells);
        about.remarks = std::move(cases.remarks);
    } else {
        times.cells = cellsOf(wish, installed);
    }
    const std::optional<tune::ProgramCheck> check = programCheckFor(arguments, asked.launcher, times.cells, library);
    const Launch launch = launchFor(asked.launcher, console);
    resumeFrom(store, times, file);
    tune::TuneReport report = measure(times, std::move(wish), installed, launch, store, file, console);
    about.caution = sharingCaution(asked.launcher, times.cells, report.before.processors);
    const std::string failed = judgeByProgram(report, check, installed, console);
    // Also without a check: those of an earlier end hold no longer.
    for (std::size_t i = 0; i < report.cells.size(); ++i) store.add(tune::checkLines(i, report.cells[i]));
    writeFiles(files, report, about, existing(arguments.force), console);
    if (!failed.empty())
        throw Error{text(failed, "; the rules were written without this check: ", engine::joined(files, ", "))};
    if (format == "json") {
        console.out << Json{{"library", report.version},
                            {"launched_by", report.command},
                            {"caution", about.caution},
                            {"program_without_s", inSeconds(report.program.before)},
                            {"program_with_s", inSeconds(report.program.after)},
                            {"rules", report.own.words},
                            {"cells", asJson(report.cells)}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    printRules(report, about, files, console);
    return done;
}

int drawTuningMap(const Arguments& arguments, const Console& console) {
    constexpr const char* usage = "tune map FILE -o PICTURE";
    const std::string& path = wordsOf(arguments, 2, 2, usage)[1];
    if (!arguments.output) throw Error{text("--output is missing; write collscope ", usage)};
    const std::string& target = *arguments.output;
    requireFree(target, arguments.force);
    const std::vector<tune::Tuned> cases = tune::measuredIn(tune::measurementsOf(path).value_or(path)).decisions();
    const bool isJson = target.ends_with(".json");
    if (isJson || target.ends_with(".csv")) {
        writeFile(target, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << (isJson ? asJson(cases).dump(2) + '\n' : asCsv(cases)); });
    } else {
        if (!console.around.tuningMap) throw Error{"pictures are drawn by collscope, not by collscope-mpi"};
        gui::Picture picture = pictureFor(cases);
        picture.existing = existing(arguments.force);
        console.around.tuningMap(cases, target, picture);
    }
    console.out << "wrote " << target << '\n';
    return done;
}

}  // namespace app::cli
