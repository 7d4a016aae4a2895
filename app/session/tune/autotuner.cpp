// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/autotuner.hpp"

#include "app/session/run/calibration.hpp"
#include "app/session/run/scratch.hpp"
#include "app/session/tune/rules_check.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/replacement_rules.hpp"

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
constexpr int launchesOfCheck = 3;    // of each kind, in turn
constexpr double shareOfCheck = 0.3;  // of the time
constexpr std::int64_t chains = 4;    // Open MPI's own number
constexpr const char* ownChoice = "default";

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

/// MPICH's control variables select among these.
std::vector<Candidate> mpichCandidates(Called called, const Installed& installed) {
    std::vector<Candidate> all{{.name = ownChoice}};
    const std::string call{name(called)};
    std::string variable = text("MPIR_CVAR_", call, "_INTRA_ALGORITHM");
    std::ranges::transform(variable, variable.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::vector<std::string>& names = installed.values.at(call);
    for (std::size_t value = 1; value < names.size(); ++value) {
        if (names[value].empty() || names[value] == "nb")
            continue;  // the nonblocking call, which has choices of its own
        Candidate one{.number = static_cast<std::int64_t>(value), .name = names[value]};
        one.variables.emplace_back(variable, static_cast<std::int32_t>(value));
        all.push_back(std::move(one));
    }
    return all;
}

/// The library's choice, then every algorithm that may run the call.
std::vector<Candidate> candidatesFor(Called called, std::int64_t ranks, Bytes bytes, const Installed& installed) {
    if (!installed.values.empty()) return mpichCandidates(called, installed);
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

std::vector<Candidate> catalogueCandidates(const Cell& cell) {
    std::vector<Candidate> all;
    const auto add = [&](const std::string& way) {
        Candidate one{.number = Candidate::ofCatalogue, .name = way};
        try {
            (void)planOf(cell, one);
        } catch (const Error&) {
            return;  // another collective, or it does not fit this problem
        }
        all.push_back(std::move(one));
    };
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        add(algorithm->id);
        if (std::ranges::find(algorithm->options, "segments", &engine::Option::name) == algorithm->options.end())
            continue;
        for (const Bytes segment : {8 << 10, 64 << 10})
            if (cell.bytes >= 4 * segment) add(text(algorithm->id, ":segments=", cell.bytes / segment));
    }
    return all;
}

/// Throws Error when a measurement ended before its time.
void requireDone(const Launched& launched) {
    if (!launched.trouble.empty()) throw Error{text("the measurement stopped: ", launched.trouble)};
}

/// A file of rules that is checked.
struct Written {
    bool isDropIn = false;  ///< rules of the drop-in library, else of the library itself
    double from = 0;        ///< of the progress
    double to = 1;

    [[nodiscard]] std::size_t algorithmOf(const Tuned& one) const {
        if (isDropIn) return one.dropInKept ? one.dropIn : 0;
        return one.kept ? one.verdict.best : 0;
    }
    /// Stores the gain, and removes the rule if it does not help.
    /// Processes of one launch share its placement and connections, so that its rounds alone may agree by chance: every
    /// pair of launches has to gain.
    void judge(Tuned& one, const std::vector<double>& ratios, const std::string& fault, bool everyPairGains) const {
        std::optional<Gain>& checked = isDropIn ? one.dropInChecked : one.checked;
        if (!ratios.empty()) checked = gainOf(ratios);
        if (!fault.empty())
            one.faults.push_back(text(toText(one.cell.candidates[algorithmOf(one)]), ": with the file, ", fault));
        (isDropIn ? one.dropInKept : one.kept) = fault.empty() && everyPairGains && checked && checked->low > 1;
    }
};

/// Runs cells with rules without the file, with it, without it, ..., and notes what the file gains.
void measureWithRules(TuneReport& report, const Written& written, bool commutes, const Launch& launch, double seconds,
                      const engine::Progress& progress) {
    std::map<std::int64_t, std::vector<std::size_t>> byRanks;
    for (std::size_t i = 0; i < report.cells.size(); ++i)
        if (written.algorithmOf(report.cells[i]) != 0) byRanks[report.cells[i].cell.ranks].push_back(i);
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "rules";
    engine::writeFile(file, (written.isDropIn ? report.collscope : report.own).words, engine::Existing::replace);
    double part = 0;
    const double parts = 2.0 * launchesOfCheck * static_cast<double>(byRanks.size());
    for (const auto& [ranks, which] : byRanks) {
        using Pair = std::array<std::vector<double>, 2>;  // times without the file and with it, of two launches
        std::map<std::size_t, std::array<Pair, launchesOfCheck>> times;
        std::map<std::size_t, std::string> faults;
        for (int k = 0; k < 2 * launchesOfCheck; ++k) {
            const bool with = k % 2 == 1;
            Series series{.ranks = static_cast<std::int32_t>(ranks)};
            series.from = written.from + (written.to - written.from) * part / parts;
            series.to = written.from + (written.to - written.from) * (part + 1) / parts;
            part += 1;
            series.order = {.repeats = roundsOfCheck, .seconds = std::max(2.0, seconds / parts)};
            // As any program of Open MPI runs there, which polls while it waits, also in the lab. MPICH never yields
            // its processor: the hosts of the lab would wait for each other's time slices instead of messages.
            if (report.library == Library::openMpi) series.order.environment = {"COLLSCOPE_NAP=0"};
            if (with && written.isDropIn) series.order.rules = file.string();
            if (with && !written.isDropIn)
                for (const std::string& variable : environmentOfRules(report.library, file.string()))
                    series.order.environment.push_back(variable);
            for (const std::size_t i : which) {
                Cell cell = report.cells[i].cell;
                cell.candidates.resize(1);
                series.order.cells.push_back(toText(cell));
            }
            // With the file, another algorithm may run a part of the call: results are tested again, once with the
            // sizes for which the rules are.
            series.order.commutes = commutes;
            series.order.testsSizes = k == 1;
            series.note = [&](const Sample& sample) {
                const std::size_t i = which[sample.cell];
                if (sample.fault.empty())
                    times[i].at(static_cast<std::size_t>(k / 2))[with ? 1 : 0].push_back(
                        static_cast<double>(sample.time.count()));
                else if (with) faults[i] = sample.fault;
            };
            requireDone(carryOut(series, launch, progress));
        }
        for (const std::size_t i : which) {
            std::vector<double> all;
            bool everyPairGains = true;
            for (const auto& [without, with] : times[i]) {
                std::vector<double> ratios;
                for (std::size_t k = 0; k < std::min(without.size(), with.size()); ++k)
                    ratios.push_back(without[k] / with[k]);
                everyPairGains = everyPairGains && !ratios.empty() && engine::median(ratios) > 1;
                all.insert(all.end(), ratios.begin(), ratios.end());
            }
            written.judge(report.cells[i], all, faults[i], everyPairGains);
        }
    }
}

/// The library chooses the algorithm of some calls without their bytes: such a call has a rule only if one algorithm is
/// the choice at every measured size.
void keepOneAlgorithm(std::vector<Tuned>& cells, Library library) {
    const std::vector<Tuned> before = cells;
    for (Tuned& one : cells)
        if (unitOf(library, one.cell.called) == Unit::none)
            one.kept = std::ranges::all_of(before, [&](const Tuned& other) {
                return other.cell.called != one.cell.called || other.cell.ranks != one.cell.ranks ||
                       (other.kept && other.chosen().number == one.chosen().number &&
                        other.chosen().segment == one.chosen().segment);
            });
}

}  // namespace

void addCandidates(std::vector<Cell>& cells, const Installed& installed, Candidates which) {
    for (Cell& cell : cells) {
        const auto& known = installed.values.empty() ? installed.algorithms : installed.values;
        if (!known.contains(std::string{name(cell.called)}))
            throw Error{text(name(cell.called), ": ", installed.version, " chooses among no algorithms of it")};
        cell.candidates = candidatesFor(cell.called, cell.ranks, cell.bytes, installed);
        if (which == Candidates::catalogue) cell.candidates.resize(1);
        if (which == Candidates::library) continue;
        std::vector<Candidate> ours = catalogueCandidates(cell);
        std::ranges::move(ours, std::back_inserter(cell.candidates));
    }
}

std::vector<Cell> cellsOf(const TuneWish& wish, const Installed& installed) {
    std::vector<Cell> all = cellsOf(wish.calls, wish.ranks, wish.sizes);
    addCandidates(all, installed, wish.candidates);
    return all;
}

std::string_view nameOf(Library library) { return library == Library::mpich ? "MPICH" : "Open MPI"; }

std::vector<std::string> environmentOfRules(Library library, const std::string& file) {
    if (library == Library::mpich)
        return file.empty() ? std::vector<std::string>{}
                            : std::vector<std::string>{"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" + file};
    // Components of higher priority would take the calls.
    std::vector<std::string> all{"OMPI_MCA_coll_tuned_use_dynamic_rules=1", "OMPI_MCA_coll=^han,adapt,sm"};
    if (!file.empty()) all.push_back("OMPI_MCA_coll_tuned_dynamic_rules_filename=" + file);
    return all;
}

std::optional<engine::Model> calibrated(const Launch& launch, const engine::Progress& progress) {
    try {
        return calibrate({.least = 1 << 10, .most = 1 << 18, .repeats = 10}, launch, progress).model;
    } catch (const Error&) {
        return std::nullopt;  // then all candidates are measured alike
    }
}

engine::Plan planOf(const Cell& cell, const Candidate& candidate) {
    return makePlan(runOf(cell, candidate, Library::openMpi).value());
}

std::optional<RunWish> runOf(const Cell& cell, const Candidate& candidate, Library library) {
    if (candidate.isOfCatalogue()) {
        const engine::live::Rule rule = ruleOf(cell.called, candidate.name);
        return RunWish{.algorithm = rule.algorithm->id,
                       .problem = {.ranks = cell.ranks, .size = cell.called == Called::barrier ? 0 : cell.bytes},
                       .options = rule.options};
    }
    const std::string id = idKnownAs(nameOf(library), std::string{name(cell.called)}, candidate.name);
    if (id.empty()) return std::nullopt;
    RunWish wish{.algorithm = id, .problem = {.ranks = cell.ranks, .size = cell.bytes}};
    if (cell.called == Called::barrier) wish.problem.size = 0;
    const engine::Algorithm& algorithm = engine::algorithmNamed(id);
    const auto set = [&](const char* option, std::int64_t value) {
        if (std::ranges::find(algorithm.options, option, &engine::Option::name) != algorithm.options.end())
            wish.options[option] = text(value);
    };
    if (candidate.segment > 0)
        set("segments", std::max<std::int64_t>(1, (cell.bytes + candidate.segment - 1) / candidate.segment));
    if (candidate.fanOut > 0) set("fanout", candidate.fanOut);
    return wish;
}

void predict(std::vector<Cell>& cells, Library library, const engine::Model& model) {
    for (Cell& cell : cells)
        for (Candidate& one : cell.candidates) {
            const std::optional<RunWish> wish = runOf(cell, one, library);
            if (!wish) continue;
            const engine::Algorithm& algorithm = engine::algorithmNamed(wish->algorithm);
            if (!algorithm.predict) continue;
            try {
                const engine::Plan plan =
                    engine::makePlan(algorithm, makeProblem(algorithm.collective, wish->problem), wish->options);
                if (const auto cost = algorithm.predict(plan.problem, plan.options)) one.predicted = cost->under(model);
            } catch (const Error&) {
                continue;  // the catalogue's algorithm does not fit this problem
            }
        }
}

std::vector<Tuned> decided(const Measurements& measurements) {
    std::vector<Tuned> all;
    for (std::size_t c = 0; c < measurements.cells().size(); ++c) {
        Tuned one{.cell = measurements.cells()[c], .verdict = measurements.verdict(c)};
        one.kept = one.verdict.best != 0;
        for (std::size_t k = 0; k < one.cell.candidates.size(); ++k) {
            one.tried.push_back(measurements.tried(c, k));
            if (const std::string fault = measurements.fault(c, k); !fault.empty())
                one.faults.push_back(text(toText(one.cell.candidates[k]), ": ", fault));
        }
        all.push_back(std::move(one));
    }
    return all;
}

ProgramTimes timesOfProgram(const TuneReport& report, const ProgramCheck& check, const engine::Progress& progress) {
    const auto wishOf = [&](bool isAfter, const std::filesystem::path& folder) {
        ProgramWish wish = check.wish;
        if (!isAfter) return wish;
        const std::filesystem::path file = folder / "written";
        engine::writeFile(file, report.own.words, engine::Existing::replace);
        wish.environment = environmentOfRules(report.library, file.string());
        return wish;
    };
    return timesInTurn(wishOf, 0, check.repeats, progress);
}

void judgeByProgram(TuneReport& report, ProgramTimes times, const Installed& installed) {
    report.program = std::move(times);
    if (!report.slowsProgram()) return;
    for (Tuned& one : report.cells) {
        one.kept = false;
        if (one.dropIn == one.verdict.best) one.dropInKept = false;
    }
    report.own = asOwnRules(report.cells, report.library, installed);
    report.collscope = asCollscopeRules(dropInTableOf(report.cells, report.library));
}

TuneReport tune(const std::vector<Cell>& cells, const TuneWish& wish, const Installed& installed, const Launch& launch,
                Kept kept, const engine::Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    const auto past = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    TuneReport report{.library = wish.library, .version = installed.version, .before = lookAtLoad()};
    std::set<std::int64_t> sizes;
    for (const Cell& cell : cells) sizes.insert(cell.ranks);
    const std::vector<std::int64_t> everyRanks{sizes.begin(), sizes.end()};
    Measurements all{cells};
    for (const std::string& line : kept.lines)
        if (const auto sample = sampleFrom(line)) all.add(*sample);
    for (std::size_t r = 0; r < everyRanks.size(); ++r) {
        const double left = wish.seconds * (1 - shareOfCheck) - past();
        Series series{.ranks = static_cast<std::int32_t>(everyRanks[r])};
        series.order = {.repeats = mostRounds,
                        .commutes = wish.commutes,
                        .seconds = std::max(2.0, left / static_cast<double>(everyRanks.size() - r)),
                        .environment = environmentOfRules(wish.library)};
        series.from = (1 - shareOfCheck) * static_cast<double>(r) / static_cast<double>(everyRanks.size());
        series.to = (1 - shareOfCheck) * static_cast<double>(r + 1) / static_cast<double>(everyRanks.size());
        std::vector<std::size_t> which;
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (cells[c].ranks == everyRanks[r]) {
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
    report.cells = decided(all);
    keepOneAlgorithm(report.cells, wish.library);
    report.own = asOwnRules(report.cells, wish.library, installed);
    const bool checksDropIn = wish.candidates != Candidates::library;
    const double half = checksDropIn ? 1 - shareOfCheck / 2 : 1;  // of the progress
    if (report.rules() > 0) {
        const double left = (wish.seconds - past()) / (checksDropIn ? 2 : 1);
        measureWithRules(report, {.from = 1 - shareOfCheck, .to = half}, wish.commutes, launch, std::max(10.0, left),
                         progress);
        keepOneAlgorithm(report.cells, wish.library);
        report.own = asOwnRules(report.cells, wish.library, installed);
    }
    chooseForDropIn(report.cells, wish.library);
    report.collscope = asCollscopeRules(dropInTableOf(report.cells, wish.library));
    if (checksDropIn && std::ranges::any_of(report.cells, &Tuned::dropInKept)) {
        measureWithRules(report, {.isDropIn = true, .from = half, .to = 1}, wish.commutes, launch,
                         std::max(10.0, wish.seconds - past()), progress);
        report.collscope = asCollscopeRules(dropInTableOf(report.cells, wish.library));
    }
    report.after = lookAtLoad();
    report.seconds = past();
    return report;
}

}  // namespace app::tune
