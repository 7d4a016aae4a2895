// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/tune/tune_verb.hpp"

#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/tune/measured_cases.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/options/fields.hpp"
#include "app/session/options/ranges.hpp"
#include "app/session/replay/rule_words.hpp"
#include "app/session/tune/rule_table.hpp"
#include "app/session/tune/rules_check.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "app/session/tune/tuning.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/live/lab/lab.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// The library that the file is for, in the version that is installed.
std::string libraryOf(const tune::RulesFile& file) {
    const tune::Installed& installed = tune::installedFor(file);
    const std::string library = tune::formatOf(file).library;
    if (library == "Collscope") return library;
    return installed.present ? installed.version : library + ", which is not installed";
}

Json findingJson(const tune::Finding& one) {
    return {{"line", one.line > 0 ? Json(one.line) : Json{}},
            {"kind", name(one.kind)},
            {"fault", one.fault},
            {"words", spoken(one.words)}};
}

int checkRules(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 2, 2, "tune check FILE")[1];
    const std::string format = chosenFormat(arguments, {"text", "json"});
    const tune::RulesFile file = tune::rulesFileIn(path);
    const tune::Findings findings = tune::check(file, tune::installedFor(file));
    const auto faults = std::ranges::count_if(findings, &tune::Finding::fault);
    const tune::Format kind = tune::formatOf(file);
    if (format == "json") {
        Json rows = Json::array();
        for (const tune::Finding& one : findings) rows.push_back(findingJson(one));
        console.out << Json{{"file", path},
                            {"format", kind.title},
                            {"library", libraryOf(file)},
                            {"faults", faults},
                            {"findings", rows}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return faults > 0 ? checkFailed : done;
    }
    console.out << console.paint(Tone::strong, visibleName(path)) << ": " << kind.title << " (" << libraryOf(file)
                << "), " << (faults == 0 ? std::string{"no faults"} : analysis::counted(faults, "fault")) << '\n';
    Table table{{Align::right, Align::left, Align::left}, 2};
    for (const tune::Finding& one : findings)
        table.row({one.line > 0 ? text("line ", one.line) : std::string{"file"},
                   one.fault ? std::string{name(one.kind)} : text("note: ", name(one.kind)), spoken(one.words)});
    if (!table.empty()) console.out << '\n';
    table.write(console.out);
    return faults > 0 ? checkFailed : done;
}

int explainRule(const Arguments& arguments, const Console& console) {
    constexpr const char* usage = "tune explain FILE COLLECTIVE -n RANKS --bytes SIZE";
    const auto& words = wordsOf(arguments, 3, 3, usage);
    const std::string format = chosenFormat(arguments, {"text", "json"});
    tune::CallQuestion call{.called = calledOf(words[2])};
    if (!arguments.processes) throw Error{text("--ranks is missing; write collscope ", usage)};
    call.ranks = engine::readInteger(*arguments.processes, "--ranks", 1, 100'000'000);
    const bool sized = call.called != engine::live::Called::barrier;
    if (sized && !arguments.bytes) throw Error{text("--bytes is missing; write collscope ", usage)};
    if (arguments.bytes) call.bytes = engine::readBytes(*arguments.bytes, "--bytes");
    const tune::RulesFile file = tune::rulesFileIn(words[1]);
    const tune::Explanation why = [&] {
        try {
            return tune::explain(file, call, tune::installedFor(file));
        } catch (const Error& error) {
            throw Error{text(words[1], ", ", error.words())};
        }
    }();
    if (format == "json") {
        Json reasons = Json::array();
        for (const std::string& one : why.reasons) reasons.push_back(spoken(one));
        console.out << Json{{"file", words[1]},
                            {"library", libraryOf(file)},
                            {"collective", name(call.called)},
                            {"ranks", call.ranks},
                            {"bytes", call.bytes},
                            {"line", why.line > 0 ? Json(why.line) : Json{}},
                            {"algorithm", orNull(why.algorithm)},
                            {"id", orNull(why.id)},
                            {"reasons", reasons}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    console.out << name(call.called) << " on " << analysis::counted(call.ranks, "rank");
    if (sized) console.out << " with " << engine::showBytes(call.bytes);
    console.out << ": ";
    if (why.algorithm.empty())
        console.out << (why.line > 0 ? text("line ", why.line, " leaves it to the library")
                                     : "no rule decides; the library chooses");
    else console.out << console.paint(Tone::strong, text("line ", why.line, ", ", why.algorithm));
    if (!why.id.empty() && why.id != why.algorithm) console.out << ", in Collscope " << why.id;
    console.out << "\n\n";
    for (const std::string& reason : why.reasons)
        for (const std::string& line : wrapped(spoken(reason), lineWidth - 2)) console.out << "  " << line << '\n';
    return done;
}

int convertRules(const Arguments& arguments, const Console& console) {
    constexpr const char* usage = "tune convert FILE --to openmpi|mpich|collscope";
    const std::string& path = wordsOf(arguments, 2, 2, usage)[1];
    if (!arguments.to) throw Error{text("--to is missing; write collscope ", usage)};
    const std::string library = fields::chosen(*arguments.to, "--to", {"openmpi", "mpich", "collscope"});
    const std::string format = chosenFormat(arguments, {"text", "json"});
    if (arguments.output) requireFree(*arguments.output, arguments.force);
    const tune::RulesFile file = tune::rulesFileIn(path);
    const tune::Converted made = [&] {
        try {
            return tune::convert(file, library);
        } catch (const Error& error) {
            throw Error{text(path, ": ", error.words())};
        }
    }();
    if (arguments.output)
        writeFile(*arguments.output, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << made.words; });
    if (format == "json") {
        Json losses = Json::array();
        for (const std::string& one : made.losses) losses.push_back(spoken(one));
        console.out << Json{{"file", path}, {"to", library}, {"rules", made.words}, {"losses", losses}}.dump(
                           2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    std::ostream& said = arguments.output ? console.out : console.err;
    if (arguments.output) said << "wrote " << *arguments.output << '\n';
    else console.out << made.words;
    for (const std::string& loss : made.losses)
        for (const std::string& line : wrapped(spoken(loss), lineWidth)) said << line << '\n';
    return done;
}

/// Without --ranks all hosts of the lab.
std::vector<std::int64_t> ranksOf(const Arguments& arguments, const Launcher& launcher) {
    if (arguments.processes) return ranksFrom(*arguments.processes);
    const auto lab = launcher.lab ? emulation::standingLab() : std::nullopt;
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
    if (seconds < 5) throw Error{text("--budget ", words, ": must be at least 5s, such as 10m")};
    return seconds;
}

/// Times as they come, in FILE.measured: a measurement that is stopped can go on.
class Store {
public:
    /// `conditions` are those under which times can be joined.
    Store(std::string path, const std::string& conditions, const std::vector<tune::Cell>& cells, bool resume,
          bool force)
        : path_{std::move(path)} {
        std::string head = text("# ", conditions, '\n');
        for (const tune::Cell& cell : cells) head += toText(cell) + '\n';
        const bool there = std::filesystem::exists(path_);
        if (there && !resume && !force)
            throw Error{text(path_, " is there: --resume continues its measurement, --force begins another one")};
        if (resume && !there) throw Error{text("--resume: ", path_, " does not exist")};
        if (resume) {
            constexpr std::int64_t most = std::int64_t{1} << 30;
            const std::string words = engine::contentOf(path_, most, text("there is no file '", path_, "'"));
            if (!words.starts_with(head))
                throw Error{
                    text(path_,
                         ": holds a measurement with other collectives, ranks, sizes, library or --commutative; "
                         "pass these again, or --force to start over")};
            for (const std::string& line : engine::split(words.substr(head.size()), '\n'))
                if (tune::sampleFrom(line)) lines.push_back(line);
            out_.open(path_, std::ios::app);
            out_ << '\n';  // behind a line that was cut off
        } else {
            out_.open(path_, std::ios::trunc);
            out_ << head;
        }
        if (!out_.flush()) throw Error{text(path_, ": cannot be written")};
    }

    /// A file without any time goes.
    ~Store() {
        if (isEmpty()) remove();
    }
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    std::vector<std::string> lines{};

    [[nodiscard]] bool isEmpty() const { return empty_ && lines.empty(); }

    void add(const std::string& line) {
        out_ << line << std::endl;
        empty_ = false;
    }
    void remove() {
        out_.close();
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

private:
    std::string path_;
    bool empty_ = true;
    std::ofstream out_;
};

Json reportJson(const tune::TuneReport& report) {
    Json rows = Json::array();
    for (const tune::Tuned& one : report.cells) {
        const auto gain = [](const tune::Gain& from) {
            return Json{{"median", from.median}, {"low", from.low}, {"high", from.high}, {"rounds", from.rounds}};
        };
        rows.push_back(
            {{"collective", name(one.cell.called)},
             {"ranks", one.cell.ranks},
             {"bytes", one.cell.bytes},
             {"default_s", engine::seconds(one.verdict.usual)},
             {"fastest", one.verdict.fastest == 0 ? Json{} : Json(toText(one.cell.candidates[one.verdict.fastest]))},
             {"gain", one.verdict.fastest == 0 ? Json{} : gain(one.verdict.gain)},
             {"rule", one.kept},
             {"checked", one.checked ? gain(*one.checked) : Json{}},
             {"faults", one.faults}});
    }
    return {
        {"library", report.version}, {"launched_by", report.command}, {"rules", report.openMpi.words}, {"cells", rows}};
}

int measureRules(const Arguments& arguments, const Console& console) {
    const std::string format = chosenFormat(arguments, {"text", "json"});
    wordsOf(arguments, 0, 1, "tune [COLLECTIVE,...] -n RANKS -o FILE");
    Specification asked;
    take(asked, arguments.asked);
    const tune::TuneWish wish{
        .calls = callsFrom(arguments.words.empty() ? "bcast,allreduce,allgather,alltoall,reduce" : arguments.words[0]),
        .ranks = ranksOf(arguments, asked.launcher),
        .sizes = sizesFrom(arguments.sizes.value_or("4..4MiB")),
        .seconds = secondsOf(arguments),
        .commutes = arguments.commutative};
    const tune::Installed& installed = tune::installedOpenMpi();
    if (!installed.present)
        throw Error{"tune measures Open MPI's algorithms, and ompi_info, which lists them, is not installed"};
    const std::string file = arguments.output.value_or("rules.conf");
    if (file.empty()) throw Error{"--output: the name is empty"};
    for (const char* own : {".collscope", ".csv", ".md"})
        if (std::filesystem::path{file}.extension() == own)
            throw Error{text("--output ", file, ": FILE", own,
                             " is written beside the rules; choose another ending, such as .conf")};
    const std::string stem = std::filesystem::path{file}.replace_extension().string();
    const std::vector<std::string> files{file, stem + ".collscope", stem + ".csv", stem + ".md"};
    for (const std::string& one : files) requireFree(one, arguments.force);
    Store store{file + ".measured",
                text(installed.version, wish.commutes ? ", commutative" : "", asked.launcher.lab ? ", lab" : ""),
                tune::cellsOf(wish, installed), arguments.resume, arguments.force};
    const tune::TuneReport report = [&] {
        ProgressLine line{console, "tuning"};
        try {
            return tune::tune(wish, installed, launchFor(asked.launcher, console),
                              {store.lines, [&](const std::string& row) { store.add(row); }}, line.progress());
        } catch (const Error& error) {
            if (store.isEmpty()) throw;
            throw Error{text(error.words(), "; ", file, ".measured has the times so far, and --resume continues")};
        }
    }();
    const std::vector<std::string> contents{report.openMpi.words, report.collscope.words, mapOf(report),
                                            pageOf(report, wish, file)};
    for (std::size_t i = 0; i < files.size(); ++i)
        writeFile(files[i], existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << contents[i]; });
    store.remove();
    if (format == "json") {
        console.out << reportJson(report).dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    console.out << analysis::counted(report.rules(), "rule") << " for "
                << analysis::counted(static_cast<std::int64_t>(report.cells.size()), "case")
                << (report.rules() > 0 ? text(", up to ", engine::showNumber(report.mostGain(), 3),
                                              "x faster than the choice of ", report.version)
                                       : "")
                << "\n\n";
    Table table{{Align::left, Align::right, Align::right, Align::right, Align::left, Align::left, Align::left}, 2};
    table.row({"collective", "ranks", "bytes", "default", "rule", "measured", "with the file"});
    for (const tune::Tuned& one : report.cells)
        if (one.kept)
            table.row({std::string{name(one.cell.called)}, text(one.cell.ranks), engine::showBytes(one.cell.bytes),
                       engine::showTime(one.verdict.usual), toText(one.chosen()), gainWords(one.verdict.gain),
                       gainWords(*one.checked)});
    if (report.rules() > 0) table.write(console.out);
    console.out << "\nwrote " << engine::joined(files, ", ") << '\n';
    return done;
}

}  // namespace

int tune(const Arguments& arguments, const Console& console) {
    const std::string what = arguments.words.empty() ? "" : arguments.words[0];
    if (what != "check" && what != "explain" && what != "convert") return measureRules(arguments, console);
    if (what == "check") return checkRules(arguments, console);
    return what == "explain" ? explainRule(arguments, console) : convertRules(arguments, console);
}

}  // namespace app::cli
