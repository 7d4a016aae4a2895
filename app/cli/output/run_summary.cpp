// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/run_summary.hpp"

#include "app/analysis/format/csv.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/session/options/costs.hpp"
#include "app/session/proofs/properties.hpp"
#include "emulation/clocks/route_costs.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>

namespace app::cli {

std::string whyNotUniform(const emulation::Network& network) {
    if (emulation::isUniform(network)) return {};
    bool takesTurns = false;
    for (emulation::LinkId link{0}; link.value < network.links(); ++link) {
        if (const auto own = network.quality(link); own && *own != emulation::LinkQuality{})
            return "links of the network have values of their own";
        takesTurns = takesTurns || network.oneAtATime(link);
    }
    return takesTurns ? "messages go through the ports of a node one after another"
                      : "the links between ranks and network cards take no time";
}

namespace {

using analysis::csvCell;
using engine::Picoseconds;
using engine::Run;
using engine::showBytes;
using engine::showTime;
using engine::text;

/// "183.5 us" or "-" where it is not known.
std::string timeOr(const std::optional<Picoseconds>& time) { return time ? showTime(*time) : "-"; }

/// Of a collective of the MPI library only the time is known, not its rounds and messages.
bool isTimeAlone(const Report& report) { return !report.plan && report.run->setting.on == "mpi"; }

/// What is known of the run being right.
std::string verdictWords(const Report& report, const Paint& paint) {
    if (!report.correct || (report.verdict && !report.verdict->proved)) return paint(Tone::bad, "wrong, see above");
    std::string words;
    if (report.compared) words = "every byte compared";
    if (report.verdict) words += words.empty() ? "schedule proved" : ", schedule proved";
    if (words.empty() && report.plan && !report.plan->schedule->facts().unstated.empty())
        return "not checked: it is not known " + report.plan->schedule->facts().unstated;
    return words.empty() ? "not checked: too large to prove with every run; use collscope verify"
                         : paint(Tone::good, words);
}

std::string conditionWords(const Report& report) {
    const engine::Setting& setting = report.run->setting;
    std::string words = setting.on == "virtual" ? "virtual time" : setting.on.empty() ? "a trace" : setting.on;
    if (!setting.topology.empty())
        words += setting.topology == "full" ? ", fully connected network" : ", network " + setting.topology;
    if (report.network && report.network->places() > report.network->ranks())
        words += engine::text(" (", report.network->ranks(), " of ", report.network->places(), " places)");
    if (setting.routing == analysis::relayedRouting) words += ", relayed from neighbour to neighbour";
    if (report.model) words += ", " + modelWords(*report.model);
    if (report.network)
        if (const std::string why = whyNotUniform(*report.network); !why.empty()) words += " (" + why + ")";
    if (setting.progress == "lockstep") words += ", in lockstep";
    if (setting.progress == analysis::grantedProgress) {
        const std::int64_t rounds = report.run->rounds;
        words += engine::text(", messages granted by their receivers (one startup more in each of ", rounds, " rounds");
        if (report.model) words += ": " + showTime(rounds * report.model->alpha);
        words += ")";
    }
    if (setting.sharing == "none") words += ", messages do not slow each other down on shared links";
    else if (setting.sharing.starts_with("fair")) words += ", " + setting.sharing + " shares of links";
    if (!setting.perturbation.empty()) words += ", " + analysis::perturbationWords(setting);
    return words;
}

/// "one-block lower bound"; "lower bound" where that for any messages takes the same time.
std::string nameOfTimeBound(const analysis::Limits& limits) {
    return analysis::nameOfBound(limits.held().time == limits.anyMessages.time ? engine::Blocks::anyMessages
                                                                               : limits.blocks);
}

/// Run, bounds, formula and lockstep side by side, as far as they are known.
void writeComparison(const Report& report, const Console& console) {
    const Run& run = *report.run;
    const std::optional<engine::Bytes> busiest = report.busiestRank();
    const std::string ofRank = busiest ? showBytes(*busiest) : "-";
    // Where messages carry several blocks or parts of one, it is no bound of this run.
    const bool showsWhole = report.limits && report.limits->whole && report.limits->blocks == engine::Blocks::whole;
    std::vector<std::vector<std::string>> columns{
        {"", report.startups() == run.rounds ? "rounds" : "startups", "serialized bytes", "busiest rank", "time"}};
    if (isTimeAlone(report)) columns.push_back({"this run", "-", "-", "-", showTime(run.duration)});
    else
        columns.push_back({"this run", analysis::counted(report.startups()), showBytes(report.serializedBytes()),
                           ofRank, showTime(run.duration)});
    if (report.limits) {
        const auto bound = [&](std::string_view name, const analysis::Limit& limit) {
            columns.push_back({std::string{name}, analysis::counted(limit.rounds.value),
                               showBytes(limit.serializedBytes), showBytes(report.limits->bounds.perRank),
                               timeOr(limit.time)});
        };
        if (showsWhole) bound(analysis::shortNameOfBound(engine::Blocks::whole), *report.limits->whole);
        bound(analysis::shortNameOfBound(engine::Blocks::anyMessages), report.limits->anyMessages);
    }
    if (report.predicted)
        columns.push_back({"formula", analysis::counted(report.predicted->startups),
                           showBytes(report.predicted->volume), "-", timeOr(report.predictedTime)});
    if (report.lockstep)
        columns.push_back({"in lockstep", analysis::counted(report.startups()), showBytes(report.serializedBytes()),
                           ofRank, showTime(*report.lockstep)});
    std::vector<Align> align(columns.size(), Align::right);
    align.front() = Align::left;
    Table table{align, 2};
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
        std::vector<std::string> cells;
        for (const auto& column : columns) cells.push_back(column[row]);
        table.row(std::move(cells));
    }
    table.write(console.out);
    if (report.limits) {
        const auto parts = [&](std::string_view name, const analysis::Limit& limit) {
            if (const std::string words = partsOfTime(limit); !words.empty())
                console.write(text(name, ": ", words), Tone::plain, 2);
        };
        const auto& whole = report.limits->whole;
        const bool equal = showsWhole && partsOfTime(*whole) == partsOfTime(report.limits->anyMessages);
        if (showsWhole && !equal) parts("one-block bound", *whole);
        parts(equal ? "both bounds" : "bound", report.limits->anyMessages);
        if (showsWhole)
            console.write(
                "The one-block bound is for messages of one whole contribution each, the bound for any messages.",
                Tone::plain, 2);
        if (report.limits->networkForces() > Picoseconds{})
            console.out << "  Shared links raise the bound by " << showTime(report.limits->networkForces())
                        << "; on a fully connected network it is " << showTime(*report.limits->held().fullNetworkTime)
                        << ".\n";
        if (report.limits->beaten)
            console.out
                << "  This run is faster than shared links allow (" << showTime(report.limits->network->time())
                << "): under this clock messages of different rounds do not share a link. "
                   "The bound is that of a fully connected network; --sharing fair shares links at all times.\n";
    }
}

void writeGap(const Report& report, const Console& console) {
    const std::optional<Picoseconds> bound = report.timeBound();
    if (bound && !report.gap && report.fault.empty() && report.model && report.run->setting.on == "virtual" &&
        report.run->duration > *bound) {
        const std::string why = report.model->logGP ? "under LogGP"
                                : report.network    ? "if " + whyNotUniform(*report.network)
                                                    : "";
        console.out << '\n';
        console.write(text(showTime(report.run->duration - *bound), " above the ", nameOfTimeBound(*report.limits),
                           "; the causes are not separated", why.empty() ? "" : " ", why));
    }
    if (!report.gap || !bound) return;
    const Picoseconds above = report.run->duration - *bound;
    const std::string name = nameOfTimeBound(*report.limits);
    console.out << '\n';
    const std::string cutting = cuttingInWords(*report.limits);
    if (above.count() == 0) {
        console.write(text("as fast as the ", name, cutting.empty() ? "" : "; ", cutting), Tone::strong);
    } else {
        console.out << console.paint(Tone::strong, text(showTime(above), " above the ", name, ", because of")) << '\n';
        Table table{{Align::left, Align::right, Align::left}, 2};
        for (const analysis::GapCause& cause : analysis::gapCauses) {
            const Picoseconds time = (*report.gap).*cause.time;
            if (1'000 * std::chrono::abs(time) < above) continue;
            table.row({std::string{analysis::nameOf(cause, report)}, showTime(time),
                       console.paint(Tone::faint, analysis::meaningOf(cause, report))});
        }
        table.write(console.out);
    }
    if (above.count() > 0 && !cutting.empty()) console.write(cutting);
}

std::string worstLink(const Report& report) {
    const std::optional<emulation::LinkPeak> peak = report.peak();
    if (!peak) return "";
    const auto& loads = report.congestion->perLink;
    const auto most = std::max_element(loads.begin(), loads.end());
    const engine::LinkId whole{static_cast<std::int32_t>(most - loads.begin())};
    const auto equal = std::count(loads.begin(), loads.end(), *most) - 1;
    return text("in one round: ", report.network->linkName(peak->link), ", ", showBytes(peak->bytes), " (round ",
                report.congestion->peakRound.value + 1, "); in the whole run: ", report.network->linkName(whole),
                equal > 0 ? text(" and ", analysis::counted(equal, "other link")) : "", ", ", showBytes(*most),
                equal > 0 ? " each" : "");
}

/// "ranks 0-3 send 256 KiB over 1 link of 0.25 GB/s; this run moves 448 KiB over it".
std::string bindingCut(const Report& report) {
    const auto load = report.bindingLoad();
    if (!load) return "";
    const auto& bound = *report.binding();
    std::string words = analysis::inWords(bound, *report.network);
    words += text("; this run moves ", showBytes(load->all), " over ", bound.links.size() == 1 ? "it" : "them");
    if (bound.links.size() > 1) words += text(", at most ", showBytes(load->busiest), " over one");
    return words;
}

/// Where the schedule needs fewer or more ports than the problem has: "1 of 2 used: a rank sends, and receives, at most
/// 1 message in a round".
std::string portsWords(const Report& report) {
    if (!report.plan || report.run->rounds == 0) return "";
    const int given = report.plan->problem.ports, needed = report.plan->schedule->facts().ports;
    if (needed < given)
        return text(needed, " of ", given, " used: a rank sends, and receives, at most ",
                    analysis::counted(needed, "message"), " in a round");
    if (needed > given && report.startups() > report.run->rounds)
        return text(given, ": a rank sends or receives up to ", needed, " messages in a round, one after the other; ",
                    "with --ports ", needed, " they move at once");
    return "";
}

/// Whether `words` contain `name` as a word.
bool hasWord(std::string_view words, std::string_view name) {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
    for (auto at = words.find(name); at != std::string_view::npos; at = words.find(name, at + 1)) {
        const auto end = at + name.size();
        if ((at == 0 || !isPart(words[at - 1])) && (end == words.size() || !isPart(words[end]))) return true;
    }
    return false;
}

/// Whether options that the printed formula does not name make its values other than those of the default options.
bool isOfOtherOptions(const Report& report) {
    const engine::Plan& plan = *report.plan;
    const engine::Algorithm& algorithm = *plan.algorithm;
    const bool unnamed = std::ranges::any_of(plan.options.given(), [&](const auto& given) {
        return !hasWord(algorithm.formula, given.first) && !hasWord(algorithm.letters, given.first);
    });
    if (!unnamed) return false;
    engine::Problem problem = plan.problem;
    problem.exclusive = false;
    const auto usual =
        algorithm.predict(problem, engine::Options{algorithm.id, algorithm.options, {}, plan.options.around()});
    if (!usual || usual->startups != report.predicted->startups || usual->volume != report.predicted->volume)
        return true;
    return report.predictedTime && usual->under(analysis::ownModel(report)) != *report.predictedTime;
}

/// Why the formula has no time for a run in virtual time.
std::string whyNoPredictedTime(const Report& report) {
    if (report.model && report.model->logGP) return "the formula is for alpha and beta";
    if (const std::string why = report.network ? whyNotUniform(*report.network) : ""; !why.empty())
        return "the formula is for links with alpha and beta, but " + why;
    return "the formula is for equal ranks that start together";
}

/// What the column of the formula leaves out, and why.
std::string aboutFormula(const Report& report) {
    if (!report.predicted) {
        const std::string why = report.run->setting.routing == analysis::relayedRouting
                                    ? "it counts no messages that ranks relay"
                                    : whyNotPredicted(*report.plan);
        return text(" (not evaluated", why.empty() ? "" : ": ", why, ")");
    }
    if (!report.predictedTime && report.run->setting.on == "virtual")
        return text(" (time not evaluated: ", whyNoPredictedTime(report), ")");
    std::vector<std::string> notes;
    if (isOfOtherOptions(report))
        notes.emplace_back(
            "printed for the default options; the column 'formula' is computed with the options of this run");
    const bool shared = (report.gap && report.gap->congestion > Picoseconds{}) ||
                        (report.limits && report.limits->networkForces() > Picoseconds{});
    if (report.predictedTime && shared) notes.emplace_back("it does not contain shared links");
    return notes.empty() ? "" : " (" + engine::joined(notes, "; ") + ")";
}

std::string stillWords(const Run& run) {
    return text(analysis::percent(idleShare(run)), " of total rank time: ", analysis::idleInParts(run));
}

}  // namespace

namespace {

std::string beyond(std::int64_t rounds, const analysis::Limits& limits) {
    const std::int64_t bound = limits.held().rounds.value;
    const bool differ = limits.whole && limits.whole->rounds.value != limits.anyMessages.rounds.value;
    const std::string name = analysis::nameOfBound(differ ? limits.blocks : engine::Blocks::anyMessages);
    if (rounds == bound)
        return differ && limits.blocks == engine::Blocks::whole ? "as few as possible with one-block messages"
                                                                : "as few as possible";
    if (rounds < bound) return text("below the ", name, " of ", analysis::counted(bound));
    return text(analysis::counted(rounds - bound), " above the ", name, " of ", analysis::counted(bound));
}

}  // namespace

std::string againstBound(std::int64_t rounds, const analysis::Limits& limits) {
    return text(analysis::counted(rounds, "round"), ", ", beyond(rounds, limits));
}

std::string withStartups(std::int64_t rounds, std::int64_t startups, int ports, const analysis::Limits& limits) {
    return text(analysis::counted(rounds, "round"), "; ", analysis::counted(startups, "startup"), " on ",
                analysis::counted(ports, "port"), ", ", beyond(startups, limits));
}

std::string titleOf(const Report& report) {
    const Run& run = *report.run;
    const std::string name = run.setting.algorithm.empty() ? "trace" : run.setting.algorithm;
    if (isTimeAlone(report)) return text(name, ": ", showTime(run.duration), "; its rounds and messages are unknown");
    std::string rounds = analysis::counted(run.rounds, "round");
    // What does not solve the problem is not compared with its bound.
    if (report.limits && report.fault.empty()) {
        rounds = report.startups() == run.rounds
                     ? againstBound(run.rounds, *report.limits)
                     : withStartups(run.rounds, report.startups(), report.plan->problem.ports, *report.limits);
    }
    return text(name, ": ", rounds, "; ", showTime(run.duration));
}

/// The algorithms with the messages of a file that does not say what they carry; empty for any other run.
std::string resemblance(const Report& report) {
    return analysis::inWords(report.resembles, [](const engine::Plan& plan) {
        return text(analysis::wordsOf(plan), " (", analysis::problemWords(plan.problem), ")");
    });
}

void writeFacts(const Report& report, const Console& console) {
    const Run& run = *report.run;
    const Paint& paint = console.paint;
    Table table{{Align::left, Align::left}, 2};
    const auto row = [&](std::string_view key, const std::string& words) {
        if (!words.empty()) table.row({paint(Tone::faint, key), words});
    };
    if (report.plan && report.plan->schedule->facts().unstated.empty())
        row("problem", analysis::problemWords(report.plan->problem));
    else
        row("ranks",
            run.groupA > 0 ? text(run.ranks, ": ", run.groupA, " in A, ", run.groupB, " in B") : text(run.ranks));
    if (report.plan) {
        std::vector<std::string> options;
        engine::Choices chosen = engine::choicesOf(*report.plan);
        for (const auto& [name, value] : report.plan->options.given()) {
            const auto its = std::ranges::find(chosen, name, &engine::Choice::option);
            options.push_back(text(name, '=', value, its == chosen.end() ? "" : text(" (", its->value, " chosen)")));
            if (its != chosen.end()) chosen.erase(its);
        }
        for (const engine::Choice& one : chosen) options.push_back(text(one.option, '=', one.value, " (chosen)"));
        row("options", engine::joined(options, ", "));
    }
    row("on", conditionWords(report));
    row("ports", portsWords(report));
    if (!isTimeAlone(report))
        row("messages", text(analysis::counted(run.messageCount), ", ", showBytes(run.byteCount), " in total"));
    if (report.totals && report.totals->connections)
        row("connections", text(analysis::counted(report.totals->connections->pairs, "pair"), " of ranks, at most ",
                                analysis::counted(report.totals->connections->most), " per rank"));
    // Under LogGP ports work while processors are idle.
    const bool ofProcessors = report.model && report.model->logGP && run.setting.on == "virtual";
    if (!isTimeAlone(report)) row(ofProcessors ? "processor idle" : "idle", stillWords(run));
    row("busiest link", worstLink(report));
    row("binding cut", bindingCut(report));
    if (report.plan) row("checked", verdictWords(report, paint));
    row("resembles", resemblance(report));
    if (report.plan && !report.plan->algorithm->formula.empty())
        row("formula", text(report.plan->algorithm->formula, aboutFormula(report)));
    if (report.plan && !report.plan->algorithm->formula.empty()) row("parameters", report.plan->algorithm->letters);
    if (run.droppedMessages > 0 && !run.messages.empty())
        row("kept", text("the first ", analysis::counted(run.messageCount - run.droppedMessages), " of ",
                         analysis::counted(run.messageCount), " messages; all are counted"));
    for (const std::string& remark : run.remarks) row("note", remark);
    table.write(console.out);
    console.out << '\n';
    writeComparison(report, console);
}

void writeSummary(const Report& report, const Console& console) {
    if (!report.correct || (report.verdict && !report.verdict->proved))
        console.write("wrong: " + report.fault, Tone::bad);
    console.write(titleOf(report), Tone::strong);
    console.out << '\n';
    writeFacts(report, console);
    writeGap(report, console);
}

namespace {

/// The first thing about the report that must not be, if any.
std::string complaint(const Report& report) {
    if (!report.correct || (report.verdict && !report.verdict->proved)) return report.fault;
    if (const auto bound = report.timeBound(); bound && report.run->duration < *bound)
        return text("the run took ", showTime(report.run->duration), ", less than the lower bound of ",
                    showTime(*bound), " allows");
    const bool seen = report.run->messageCount > 0;
    if (seen && !isTimeAlone(report) && report.limits && report.startups() < report.limits->held().rounds.value)
        return text("the run took ", analysis::counted(report.startups(), "round"), ", fewer than the lower bound of ",
                    report.limits->held().rounds.value, " allows");
    return {};
}

}  // namespace

int concluded(const Report& report, const Console& console, bool isFaultShown) {
    const std::string wrong = complaint(report);
    if (wrong.empty()) return done;
    // On one screen it would stand there twice.
    const bool isSeen = isFaultShown && wrong == report.fault && console.around.screen && console.around.terminal;
    if (!isSeen) console.err << "collscope: " << wrong << '\n';
    return checkFailed;
}

namespace {

std::string secondsCell(const std::optional<Picoseconds>& time) {
    if (!time) return "";
    return analysis::csvNumber(engine::seconds(*time));
}

}  // namespace

std::int64_t beyondTrace(const engine::Run& run) {
    return std::max<std::int64_t>(0, run.messageCount - engine::RunBuilder::defaultBudget);
}

void writeCsv(const Report& report, const Console& console) {
    const Run& run = *report.run;
    console.out << "algorithm,problem,on,topology,rounds,messages,bytes,time_s,lockstep_time_s,predicted_time_s,"
                   "idle_share,bound_rounds,bound_volume_bytes,bound_time_s,verified,startups\n";
    std::string verified;  // empty: not known
    if (report.compared || report.verdict) verified = "true";
    if (!report.correct || (report.verdict && !report.verdict->proved)) verified = "false";
    console.out << csvCell(run.setting.algorithm) << ',' << csvCell(run.setting.problem) << ',' << run.setting.on << ','
                << csvCell(run.setting.topology) << ',' << (run.setting.on == "trace" ? "" : text(run.rounds)) << ','
                << run.messageCount << ',' << run.byteCount << ',' << secondsCell(run.duration) << ','
                << secondsCell(report.lockstep) << ',' << secondsCell(report.predictedTime) << ','
                << (run.setting.on == "trace" ? "" : engine::showNumber(idleShare(run), 6)) << ','
                << (report.limits ? text(report.limits->held().rounds.value) : "") << ','
                << (report.limits ? text(report.limits->bounds.volume.value) : "") << ','
                << secondsCell(report.timeBound()) << ',' << verified << ','
                << (run.setting.on == "trace" ? "" : text(report.startups())) << '\n';
}

}  // namespace app::cli
