// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/tuning.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/format/csv.hpp"
#include "app/session/run/calibration.hpp"
#include "app/session/run/scratch.hpp"
#include "app/session/tune/rules_check.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <map>
#include <set>

namespace app::tune {
namespace {

using engine::Bytes;
using engine::Error;
using engine::text;
using engine::live::Called;
using engine::live::Extent;

constexpr std::int32_t mostRounds = 16;
constexpr std::int32_t roundsOfCheck = 6;
constexpr int launchesOfCheck = 2;    // of each kind, in turn
constexpr double shareOfCheck = 0.3;  // of the time
constexpr std::int64_t chains = 4;    // Open MPI's own number
constexpr const char* ownChoice = "default";

/// What makes Open MPI read rules: components of higher priority would take the calls.
std::vector<std::string> environmentOfRules() {
    return {"OMPI_MCA_coll_tuned_use_dynamic_rules=1", "OMPI_MCA_coll=^han,adapt,sm"};
}

/// Lines of `file` behind the first `seen` bytes, whole ones only; `seen` moves on.
std::vector<std::string> newLines(const std::filesystem::path& file, std::streamoff& seen) {
    std::ifstream in{file};
    in.seekg(seen);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line) && !in.eof();) {
        seen += static_cast<std::streamoff>(line.size()) + 1;
        lines.push_back(std::move(line));
    }
    return lines;
}

/// One start of processes for cells of one number of ranks.
struct Series {
    LiveOrder order{};
    std::int32_t ranks = 0;
    std::function<void(const Sample&)> note{};  ///< each, as it comes
    double from = 0;                            ///< of the progress
    double to = 1;
};

Launched carryOut(const Series& series, const Launch& launch, const engine::Progress& progress) {
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / samplesFile;
    std::streamoff seen = 0;
    const auto take = [&] {
        for (const std::string& line : newLines(file, seen))
            if (const auto sample = sampleFrom(line)) series.note(*sample);
    };
    const auto start = std::chrono::steady_clock::now();
    const engine::Progress own{
        .report =
            [&](double) {
                take();
                const std::chrono::duration<double> past = std::chrono::steady_clock::now() - start;
                const double share = std::min(1.0, past.count() / std::max(0.1, series.order.seconds));
                if (progress.report) progress.report(series.from + share * (series.to - series.from));
            },
        .stop = progress.stop};
    try {
        Launched launched = launch(series.order, scratch.folder(), series.ranks, own);
        take();
        return launched;
    } catch (...) {
        take();
        throw;
    }
}

/// The library's choice, then every algorithm that may run the call.
std::vector<Candidate> candidatesFor(Called called, std::int64_t ranks, Bytes bytes, const Installed& installed) {
    const std::string call{name(called)};
    std::vector<Candidate> all{{.name = ownChoice}};
    const std::string prefix = text("coll_tuned_", call, "_algorithm");
    const std::vector<std::string>& names = installed.algorithms.at(call);
    for (std::size_t number = 1; number < names.size(); ++number) {
        const std::string& algorithm = names[number];
        if (algorithm.empty() || (algorithm == "two_proc" && ranks != 2)) continue;
        Candidate one{.number = static_cast<std::int64_t>(number), .name = algorithm};
        one.variables.emplace_back(prefix, static_cast<std::int32_t>(number));
        if (hasFanOut(call, algorithm)) {
            one.fanOut = chains;
            one.variables.emplace_back(prefix + "_chain_fanout", static_cast<std::int32_t>(chains));
        }
        const bool pipelines = algorithm == "pipeline" || algorithm == "segmented_ring";
        if (!hasSegments(call, algorithm)) {
            all.push_back(one);
            continue;
        }
        one.variables.emplace_back(prefix + "_segmentsize", 0);
        if (!pipelines) all.push_back(one);
        for (const std::int64_t segment : {8 << 10, 64 << 10})
            if (bytes >= 4 * segment) {
                one.segment = segment;
                one.variables.back().second = static_cast<std::int32_t>(segment);
                all.push_back(one);
            }
    }
    return all;
}

std::string titleOf(const Cell& cell) {
    return text(name(cell.called), ", ", cell.ranks, " ranks",
                cell.called == Called::barrier ? "" : ", " + exactBytes(cell.bytes));
}

/// Throws Error when a measurement ended before its time.
void requireDone(const Launched& launched) {
    if (!launched.trouble.empty()) throw Error{text("the measurement stopped: ", launched.trouble)};
}

/// Runs cells with rules without the file, with it, without it, ..., and notes what the file gains.
void measureWithRules(TuneReport& report, bool commutes, const Launch& launch, double seconds,
                      const engine::Progress& progress) {
    std::map<std::int64_t, std::vector<std::size_t>> byRanks;
    for (std::size_t i = 0; i < report.cells.size(); ++i)
        if (report.cells[i].kept) byRanks[report.cells[i].cell.ranks].push_back(i);
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "rules";
    engine::writeFile(file, report.openMpi.words, engine::Existing::replace);
    double part = 0;
    const double parts = 2.0 * launchesOfCheck * static_cast<double>(byRanks.size());
    for (const auto& [ranks, which] : byRanks) {
        std::map<std::size_t, std::array<std::vector<double>, 2>> times;
        for (int k = 0; k < 2 * launchesOfCheck; ++k) {
            const bool with = k % 2 == 1;
            Series series{.ranks = static_cast<std::int32_t>(ranks)};
            series.from = 1 - shareOfCheck * (1 - part / parts);
            series.to = 1 - shareOfCheck * (1 - (part + 1) / parts);
            part += 1;
            series.order = {.repeats = roundsOfCheck, .seconds = std::max(2.0, seconds / parts)};
            // As any program runs there, which polls while it waits, also in the lab.
            series.order.environment = {"COLLSCOPE_NAP=0"};
            if (with) {
                for (const std::string& variable : environmentOfRules()) series.order.environment.push_back(variable);
                series.order.environment.push_back("OMPI_MCA_coll_tuned_dynamic_rules_filename=" + file.string());
            }
            for (const std::size_t i : which) {
                Cell cell = report.cells[i].cell;
                cell.candidates.resize(1);
                series.order.cells.push_back(toText(cell));
            }
            // With the file, Open MPI may choose another algorithm for a part of the call: results are tested again.
            series.order.commutes = commutes;
            series.note = [&](const Sample& sample) {
                if (sample.fault.empty())
                    times[which[sample.cell]][with ? 1 : 0].push_back(static_cast<double>(sample.time.count()));
            };
            requireDone(carryOut(series, launch, progress));
        }
        for (const std::size_t i : which) {
            const auto& [without, with] = times[i];
            std::vector<double> ratios;
            for (std::size_t k = 0; k < std::min(without.size(), with.size()); ++k)
                ratios.push_back(without[k] / with[k]);
            Tuned& one = report.cells[i];
            if (!ratios.empty()) one.checked = gainOf(ratios);
            one.kept = one.checked && one.checked->low > 1;
        }
    }
}

/// Open MPI chooses the algorithm of some calls without their bytes: such a call has a rule only if one algorithm is
/// the choice at every measured size.
void keepOneAlgorithm(std::vector<Tuned>& cells) {
    const std::vector<Tuned> before = cells;
    for (Tuned& one : cells)
        if (unitOfOpenMpi(one.cell.called) == Unit::none)
            one.kept = std::ranges::all_of(before, [&](const Tuned& other) {
                return other.cell.called != one.cell.called || other.cell.ranks != one.cell.ranks ||
                       (other.kept && other.chosen().number == one.chosen().number &&
                        other.chosen().segment == one.chosen().segment);
            });
}

}  // namespace

std::string gainWords(const Gain& gain) {
    return text(engine::showNumber(gain.median, 3), "x (", engine::showNumber(gain.low, 3), " to ",
                engine::showNumber(gain.high, 3), ")");
}

double TuneReport::mostGain() const {
    double most = 1;
    for (const Tuned& one : cells)
        if (one.kept && one.checked) most = std::max(most, one.checked->median);
    return most;
}

std::int64_t TuneReport::rules() const { return std::ranges::count_if(cells, &Tuned::kept); }

std::vector<Cell> cellsOf(const TuneWish& wish, const Installed& installed) {
    std::vector<Cell> all;
    for (const std::int64_t ranks : wish.ranks)
        for (const Called called : wish.calls) {
            if (!installed.algorithms.contains(std::string{name(called)}))
                throw Error{text(name(called), ": ", installed.version, " chooses among no algorithms of it")};
            const bool sized = called != Called::barrier;
            const bool scatters = called == Called::reduceScatter || called == Called::reduceScatterBlock;
            for (const Bytes bytes : sized ? wish.sizes : std::vector<Bytes>{wish.sizes.front()}) {
                if (scatters && bytes < 4 * ranks) continue;  // less than an element for each rank
                all.push_back({called, ranks, bytes, candidatesFor(called, ranks, bytes, installed)});
            }
        }
    return all;
}

RuleTable tableOf(const std::vector<Tuned>& cells) {
    RuleTable table;
    std::map<Called, std::map<std::int64_t, std::map<Bytes, Choice>>> byCall;
    for (const Tuned& one : cells) {
        Choice choice{.library = "Open MPI"};
        if (one.kept) {
            const Candidate& chosen = one.chosen();
            choice.named = chosen.name;
            choice.id = idKnownAs("Open MPI", std::string{name(one.cell.called)}, chosen.name);
            choice.segment = chosen.segment;
            choice.fanOut = chosen.fanOut;
        }
        byCall[one.cell.called][one.cell.ranks][one.cell.bytes] = choice;
    }
    for (const auto& [called, byRanks] : byCall) {
        const bool any =
            std::ranges::any_of(cells, [&](const Tuned& one) { return one.cell.called == called && one.kept; });
        if (!any) continue;
        RuleTable::Call call{.called = called, .unit = unitOfOpenMpi(called)};
        const RuleTable::Column none{.ranks = {}, .parts = {{Extent{}, Choice{.library = "Open MPI"}}}};
        const auto add = [&](std::int64_t low, std::int64_t high, RuleTable::Column column) {
            if (low > high) return;
            column.ranks = {low, high};
            call.columns.push_back(std::move(column));
        };
        add(2, byRanks.begin()->first - 1, none);
        for (auto at = byRanks.begin(); at != byRanks.end(); ++at) {
            const auto& [ranks, bySize] = *at;
            RuleTable::Column column;
            const auto part = [&](Bytes low, Bytes high, const Choice& choice) {
                if (low <= high) column.parts.push_back({{low, high}, choice});
            };
            if (call.unit == Unit::none) {
                part(0, unlimited, bySize.begin()->second);
            } else {
                part(0, inUnit(call.unit, ranks, bySize.begin()->first) - 1, none.parts[0].choice);
                for (auto size = bySize.begin(); size != bySize.end(); ++size) {
                    const auto after = std::next(size);
                    const Bytes low = inUnit(call.unit, ranks, size->first);
                    part(low, after == bySize.end() ? low : inUnit(call.unit, ranks, after->first) - 1, size->second);
                }
                part(inUnit(call.unit, ranks, bySize.rbegin()->first) + 1, unlimited, none.parts[0].choice);
            }
            const auto after = std::next(at);
            add(ranks, after == byRanks.end() ? ranks : after->first - 1, std::move(column));
        }
        add(byRanks.rbegin()->first + 1, unlimited, none);
        table.calls.push_back(std::move(call));
    }
    return table;
}

TuneReport tune(const TuneWish& wish, const Installed& installed, const Launch& launch, Kept kept,
                const engine::Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    const auto past = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    TuneReport report{.version = installed.version, .before = lookAtLoad()};
    const std::vector<Cell> cells = cellsOf(wish, installed);
    Measurements all{cells};
    for (const std::string& line : kept.lines)
        if (const auto sample = sampleFrom(line)) all.add(*sample);
    for (std::size_t r = 0; r < wish.ranks.size(); ++r) {
        const double left = wish.seconds * (1 - shareOfCheck) - past();
        Series series{.ranks = static_cast<std::int32_t>(wish.ranks[r])};
        series.order = {.repeats = mostRounds,
                        .commutes = wish.commutes,
                        .seconds = std::max(2.0, left / static_cast<double>(wish.ranks.size() - r)),
                        .environment = environmentOfRules()};
        series.from = (1 - shareOfCheck) * static_cast<double>(r) / static_cast<double>(wish.ranks.size());
        series.to = (1 - shareOfCheck) * static_cast<double>(r + 1) / static_cast<double>(wish.ranks.size());
        std::vector<std::size_t> which;
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (cells[c].ranks == wish.ranks[r]) {
                which.push_back(c);
                series.order.cells.push_back(toText(cells[c]));
            }
        for (const std::string& line : kept.lines)
            if (auto sample = sampleFrom(line)) {
                const auto own = std::ranges::find(which, sample->cell);
                if (own == which.end()) continue;
                sample->cell = static_cast<std::size_t>(own - which.begin());
                series.order.samples.push_back(toText(*sample));
            }
        series.note = [&](Sample sample) {
            sample.cell = which.at(sample.cell);
            all.add(sample);
            if (kept.keep) kept.keep(toText(sample));
        };
        const Launched launched = carryOut(series, launch, progress);
        report.command = launched.how;
        requireDone(launched);
    }
    for (std::size_t c = 0; c < cells.size(); ++c) {
        Tuned one{.cell = cells[c], .verdict = all.verdict(c)};
        one.kept = one.verdict.best != 0;
        for (std::size_t k = 0; k < cells[c].candidates.size(); ++k)
            if (const std::string fault = all.fault(c, k); !fault.empty())
                one.faults.push_back(text(toText(cells[c].candidates[k]), ": ", fault));
        report.cells.push_back(std::move(one));
    }
    keepOneAlgorithm(report.cells);
    report.openMpi = asOpenMpiRules(tableOf(report.cells), installed);
    if (report.rules() > 0) {
        measureWithRules(report, wish.commutes, launch, std::max(10.0, wish.seconds - past()), progress);
        keepOneAlgorithm(report.cells);
        report.openMpi = asOpenMpiRules(tableOf(report.cells), installed);
    }
    report.collscope = asCollscopeRules(tableOf(report.cells));
    report.after = lookAtLoad();
    report.seconds = past();
    return report;
}

std::string mapOf(const TuneReport& report) {
    std::string words =
        "collective,ranks,bytes,algorithm,name,segment,default_s,fastest_s,gain,gain_low,gain_high,rounds,rule,checked,checked_low,checked_high\n";
    for (const Tuned& one : report.cells) {
        const Verdict& verdict = one.verdict;
        const bool isKnown = verdict.fastest != 0;
        const Candidate& fastest = one.cell.candidates[verdict.fastest];
        words += text(name(one.cell.called), ',', one.cell.ranks, ',', one.cell.bytes, ',');
        words += isKnown ? text(fastest.number, ',', analysis::csvCell(fastest.name), ',', fastest.segment) : ",,";
        words += text(',', analysis::csvNumber(engine::seconds(verdict.usual)), ',');
        words += isKnown ? text(analysis::csvNumber(engine::seconds(verdict.time)), ',',
                                analysis::csvNumber(verdict.gain.median), ',', analysis::csvNumber(verdict.gain.low),
                                ',', analysis::csvNumber(verdict.gain.high))
                         : ",,,";
        words += text(',', verdict.gain.rounds, ',', one.kept ? "yes" : "no");
        if (one.checked)
            words += text(',', analysis::csvNumber(one.checked->median), ',', analysis::csvNumber(one.checked->low),
                          ',', analysis::csvNumber(one.checked->high), '\n');
        else words += ",,,\n";
    }
    return words;
}

std::string pageOf(const TuneReport& report, const TuneWish& wish, const std::string& file) {
    std::string words = text("# Rules for ", report.version, "\n\n");
    const std::int64_t rules = report.rules();
    words += rules == 0
                 ? text("No rule was written: none of the ", report.cells.size(),
                        " measured cases has an algorithm that is at least 5 % faster than the library's choice and "
                        "stays faster with the file.\n")
                 : text("Rules: ", rules, " of ", report.cells.size(),
                        " measured cases. The largest speed-up over the library's choice is ",
                        engine::showNumber(report.mostGain(), 3), "x.\n");
    if (rules > 0)
        words += text(
            "\nUse:\n\n    mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename ", file,
            " --mca coll ^han,adapt,sm ...\n\n## What changes\n\n| call | the library's choice | rule | measured | with the file |\n|---|---|---|---|---|\n");
    for (const Tuned& one : report.cells)
        if (one.kept)
            words +=
                text("| ", titleOf(one.cell), " | ", engine::showTime(one.verdict.usual), " | ", toText(one.chosen()),
                     " | ", gainWords(one.verdict.gain), " | ", gainWords(*one.checked), " |\n");
    words += "\n## What was measured\n\n";
    words += text(
        "Started by `", report.command,
        "`. Each round runs the library's choice, every other algorithm, and the library's choice again; the gain of a round is "
        "the mean of both over the algorithm's time. All ranks start a call at an agreed time; its time is that of the slowest rank, of up to 20 calls in sequence where "
        "one is short. The first call of each algorithm is not counted. Intervals are 95 % bootstrap intervals of the median. A rule is written where the interval "
        "lies above 1 and the median gain is at least 5 %, and kept where the interval lies above 1 again when the library runs with the file and without it, in turn.\n\n");
    words += text(
        "Rules hold from a measured size and number of ranks to the next one, and nowhere beyond those that were measured. It took ",
        engine::showNumber(report.seconds, 3), " s.\n");
    if (report.before.busy > contendedShare || report.after.busy > contendedShare)
        words += text("\nOther programs kept up to ",
                      analysis::percent(std::max(report.before.busy, report.after.busy)), " of the processors busy.\n");
    std::set<std::string> faults;
    for (const Tuned& one : report.cells) faults.insert(one.faults.begin(), one.faults.end());
    if (!faults.empty()) words += "\n## Algorithms that fail or give wrong results\n\n";
    for (const std::string& fault : faults) words += text("- ", fault, '\n');
    if (!faults.empty() && !wish.commutes)
        words += "\nThose that fail only for operations that do not commute are measured with `--commutative`.\n";
    words += "\n## No gain\n\n| call | the library's choice | fastest other | gain |\n|---|---|---|---|\n";
    for (const Tuned& one : report.cells)
        if (!one.kept)
            words += text("| ", titleOf(one.cell), " | ", engine::showTime(one.verdict.usual), " | ",
                          one.verdict.fastest == 0 ? std::string{"none within a fifth"}
                                                   : toText(one.cell.candidates[one.verdict.fastest]),
                          " | ", one.verdict.fastest == 0 ? std::string{"-"} : gainWords(one.verdict.gain),
                          one.checked ? text("; with the file ", gainWords(*one.checked)) : "", " |\n");
    return words;
}

}  // namespace app::tune
