// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/training_page.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/fault_findings.hpp"
#include "app/analysis/training/collective_costs.hpp"
#include "app/analysis/training/job_summary.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <set>

namespace app::analysis {

using engine::Picoseconds;
using engine::showBytes;
using engine::showNumber;
using engine::showTime;
using engine::text;
using traces::Recording;

namespace {

class Page {
public:
    explicit Page(TraceAnalysis& analysis)
        : analysis_{analysis},
          recording_{*analysis.trace().recording},
          span_{analysis.span()},
          job_{jobSummaryOf(recording_, span_, [&](engine::Rank rank) { return analysis.wish().part.has(rank); })} {
        costs_ = collectiveCostsOf(recording_, span_);
    }

    std::vector<Finding> make() {
        std::vector<Finding> page = clocks();
        for (Finding& one : std::vector<Finding>{times(), stragglers()})
            if (!one.words.empty()) page.push_back(std::move(one));
        for (Finding& one : collectives()) page.push_back(std::move(one));
        for (Finding& one : std::vector<Finding>{longSteps(), missing()})
            if (!one.words.empty()) page.push_back(std::move(one));
        return page;
    }

private:
    std::vector<Finding> clocks() const {
        std::vector<Finding> all = cautionFindings(analysis_);
        std::erase_if(all, [](const Finding& one) { return one.kind != FindingKind::clocks; });
        return all;
    }

    Finding times() const {
        Finding finding{.kind = FindingKind::trainingSteps,
                        .facts = {{"ranks", std::int64_t{recording_.ranks}}},
                        .place = {.begin = span_.begin, .end = span_.end}};
        const std::vector<bool> ranks = traces::recordedRanks(recording_);
        const std::int64_t recorded = std::ranges::count(ranks, true);
        std::string words = text("Training job of ", counted(recording_.ranks, "rank"));
        finding.facts.push_back({"recorded", recorded});
        if (recorded < recording_.ranks) words += text(" (", recorded, " recorded)");
        if (job_.steps.empty()) {
            finding.words =
                words + (traces::isOfChakra(recording_)
                             ? ". Its traces contain no computation."
                             : ". No kernels and no copies were recorded, so the activity of the accelerators is "
                               "unknown; profile with ProfilerActivity.CUDA.");
            return finding;
        }
        const StepSums& sums = job_.sums;
        words += job_.marked ? text(": ", job_.stepsInWords(), ".")
                             : text(", ", showTime(span_.end - span_.begin), analysis_.wish().inThisPart(),
                                    traces::isOfChakra(recording_) ? "." : "; the profiler marked no steps.");
        if (job_.unmarked > 0)
            words += text(" ", counted(static_cast<std::int64_t>(job_.unmarked), "rank"), " without marked steps ",
                          job_.unmarked == 1 ? "is" : "are", " left out.");
        words += text(" Of ", job_.marked ? "the step time" : "this time", ", the accelerators spend ",
                      percent(ratio(sums.compute, sums.duration)), " in compute, ",
                      percent(ratio(sums.exposed, sums.duration)), " in exposed communication, and ",
                      percent(ratio(sums.idle, sums.duration)), " idle.");
        if (const auto overlap = sums.overlap())
            words += text(" Of the communication, ", percent(*overlap), " is hidden behind compute.");
        if (ratio(sums.idle, sums.duration) >= 0.3) words += " See the gaps between kernels in the timeline.";
        finding.words = std::move(words);
        if (job_.marked) {
            finding.facts.push_back({"steps", job_.stepCount()});
            finding.facts.push_back({"median_step_s", job_.medianStep});
        }
        if (const auto overlap = sums.overlap()) finding.facts.push_back({"overlap_share", *overlap});
        finding.facts.insert(finding.facts.end(), {{"compute_share", ratio(sums.compute, sums.duration)},
                                                   {"exposed_share", ratio(sums.exposed, sums.duration)},
                                                   {"idle_share", ratio(sums.idle, sums.duration)}});
        return finding;
    }

    Finding stragglers() const {
        if (!job_.compares) return {};
        Finding finding{.kind = FindingKind::stragglers};
        const std::vector<Straggler>& all = job_.stragglers;
        const std::vector<Fact> base{
            {"recorded", job_.recorded}, {"not_recorded", job_.missing}, {"clock_uncertainty_s", job_.uncertainty}};
        if (all.empty()) {
            const std::string among = job_.missing > 0
                                          ? text(" among the ", counted(job_.recorded), " recorded ranks of ",
                                                 counted(job_.recorded + job_.missing))
                                          : "";
            finding.words =
                job_.mayHideStragglers()
                    ? text("No straggler is visible", among, ", but the clocks of ranks may differ by up to ",
                           showTime(job_.uncertainty), ": a rank that is late by less is not found.")
                    : text("No straggler", among, ": no rank makes the others wait for ",
                           percent(JobSummary::leastWaiting), " of the total rank time or more.");
            finding.facts = base;
            finding.facts.push_back({"known", engine::cell(std::string{job_.mayHideStragglers() ? "no" : "yes"})});
            return finding;
        }
        std::string words;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, all.size()); ++i) {
            const Straggler& one = all[i];
            const double share = job_.shareOf(one.waiting);
            if (i > 0 && 5 * one.waiting < all.front().waiting) break;
            if (i == 0) {
                words = text("Straggler: rank ", one.rank);
                finding.place.rank = one.rank;
                finding.facts = {{"rank", engine::cell(one.rank)},
                                 {"operation", engine::cell(std::string{traces::torchName(one.operation)})},
                                 {"late_s", one.lateness},
                                 {"waiting_s", one.waiting},
                                 {"waiting_share", share},
                                 {"steps", one.steps},
                                 {"of_steps", one.ofSteps},
                                 {"in", engine::cell(std::string{one.excess == Excess::kernels ? "kernels"
                                                                 : one.excess == Excess::host  ? "host"
                                                                                               : ""})},
                                 {"longer", engine::cell(one.longer)},
                                 {"longer_s", one.by}};
                finding.facts.insert(finding.facts.end(), base.begin(), base.end());
            } else words += text(" Rank ", one.rank);
            words += text(" enters ", traces::torchName(one.operation), " ", showTime(one.lateness), " late");
            if (job_.marked) words += text(" in ", one.steps, " of ", counted(one.ofSteps, "step"));
            words += text("; the other ranks wait ", showTime(one.waiting), " for it in total (", percent(share),
                          " of the total rank time).");
            if (one.excess == Excess::kernels)
                words += text(" Rank ", one.rank, " computes longer in ", one.longer, ": ", showTime(one.by),
                              " more per step than the "
                              "median of the other ranks.");
            else if (one.excess == Excess::host)
                words += text(" Its accelerator is idle during this time: its host takes longer in ", one.longer, ", ",
                              showTime(one.by), " more per step than the median of the other ranks.");
        }
        if (all.size() > 3)
            words += text(" See ", engine::field::tables, " stragglers for ",
                          counted(static_cast<std::int64_t>(all.size()) - 3, "more rank"), ".");
        if (job_.missing > 0)
            words += text(" The other ", counted(job_.missing), " of ", counted(job_.recorded + job_.missing, "rank"),
                          job_.missing == 1 ? " was" : " were", " not recorded.");
        finding.words = std::move(words);
        return finding;
    }

    /// How far apart ranks enter, as far as clocks show it.
    std::string arrivalsOf(const CollectiveCost& cost) const {
        std::string words;
        if (cost.skew) {
            words = text(" Arrival skew ", showTime(*cost.skew));
            if (cost.longestSkew) words += text(" (at most ", showTime(*cost.longestSkew), ")");
        } else if (cost.longestSkew) {
            words = text(" Arrival skew at most ", showTime(*cost.longestSkew));
        }
        if (cost.last != traces::noRank && !words.empty())
            words +=
                text("; rank ", cost.last, " enters last in ", cost.lastTimes, " of ", counted(cost.calls, "call"));
        return words.empty() ? text(" Which rank enters last is unknown: the clocks of the ranks may differ by up to ",
                                    showTime(cost.uncertainty), ".")
                             : words + ".";
    }

    std::string nameOf(const CollectiveCost& cost) const {
        std::string words{cost.operation == traces::Operation::unknown ? "collective of unknown kind"
                                                                       : traces::torchName(cost.operation)};
        const traces::Communicator& group = recording_.communicators[engine::asSize(cost.communicator)];
        words += traces::isKnown(group) ? text(" in ", group.name, " (", counted(cost.ranks, "rank"))
                                        : text(" in an ", traces::unknownGroup, " (");
        std::vector<std::string> more;
        if (const engine::Bytes bytes = cost.size(); bytes > 0) more.push_back(showBytes(bytes));
        if (!cost.ran.elementType.empty()) more.push_back(cost.ran.elementType);
        if (!cost.ran.algorithm.empty() || !cost.ran.protocol.empty())
            more.push_back(cost.ran.algorithm.empty() || cost.ran.protocol.empty()
                               ? cost.ran.algorithm + cost.ran.protocol
                               : cost.ran.algorithm + " " + cost.ran.protocol);
        return words + (words.ends_with('(') || more.empty() ? "" : ", ") + engine::joined(more, ", ") + ")";
    }

    /// " (59% of the link's 50 GB/s)", where the user gives the bandwidth of the link.
    std::string besideLimit(double bus) const {
        const auto limit = limitOfLink(analysis_.wish().beta);
        return limit ? text(" (", percent(bus / *limit), " of the link's ", showNumber(*limit / 1e9, 3), " GB/s)") : "";
    }

    std::vector<Finding> collectives() const {
        constexpr std::size_t most = 4;
        std::vector<Finding> all;
        if (costs_.empty())
            all.push_back({.kind = FindingKind::nothingRecorded, .words = "No collectives were recorded."});
        for (std::size_t i = 0; i < std::min(most, costs_.size()); ++i) {
            const CollectiveCost& cost = costs_[i];
            std::string words = nameOf(cost);
            words += text(": ", counted(cost.calls, "call"), ", ", showTime(cost.total),
                          cost.present > 1 ? " summed over ranks. " : " in total. ");
            words += cost.present > 1
                         ? text("Latency ", showTime(cost.latency), " (shortest duration over ranks)")
                         : text("Median duration ", showTime(cost.latency),
                                cost.ranks > 1 ? ", including waiting for ranks that were not recorded" : "");
            if (const auto bus = cost.busBandwidth())
                words += text(", algorithm bandwidth ", showNumber(*cost.algorithmBandwidth() / 1e9, 3),
                              " GB/s, bus bandwidth ", showNumber(*bus / 1e9, 3), " GB/s", besideLimit(*bus));
            words += ".";
            if (cost.present > 1) words += arrivalsOf(cost);
            Finding finding{
                .kind = FindingKind::collectiveCost,
                .words = std::move(words),
                .facts = {{"operation", engine::cell(std::string{traces::torchName(cost.operation)})},
                          {"ranks", std::int64_t{cost.ranks}},
                          {"calls", cost.calls},
                          {"size_bytes", cost.size() > 0 ? engine::Cell{cost.size()} : engine::Cell{}},
                          {"group", engine::cell(recording_.communicators[engine::asSize(cost.communicator)].name)},
                          {"recorded", std::int64_t{cost.present}},
                          {"type", engine::cell(cost.ran.elementType)},
                          {"algorithm", engine::cell(cost.ran.algorithm)},
                          {"protocol", engine::cell(cost.ran.protocol)},
                          {"total_s", cost.total},
                          {cost.present > 1 ? "latency_s" : "duration_s", cost.latency}}};
            if (const auto bus = cost.busBandwidth()) finding.facts.push_back({"busbw_gb_per_s", *bus / 1e9});
            if (cost.present > 1) {
                finding.facts.push_back({"skew_s", cost.skew ? engine::Cell{*cost.skew} : engine::Cell{}});
                finding.facts.push_back(
                    {"max_skew_s", cost.longestSkew ? engine::Cell{*cost.longestSkew} : engine::Cell{}});
                finding.facts.push_back({"clock_uncertainty_s", cost.uncertainty});
            }
            if (cost.last != traces::noRank) {
                finding.facts.push_back({"last", engine::cell(cost.last)});
                finding.facts.push_back({"last_times", cost.lastTimes});
            }
            all.push_back(std::move(finding));
        }
        if (costs_.size() > most)
            all.back().words += text(" See ", engine::field::tables, " bandwidth for ", costs_.size() - most,
                                     " more kinds of collectives.");
        return all;
    }

    /// Steps that take a fifth longer than the median, and by six deviations.
    Finding longSteps() const {
        if (!job_.marked) return {};
        const auto& longest = job_.longest;
        if (longest.size() < 4) return {};
        std::vector<Picoseconds> deviations;
        const Picoseconds usual = job_.medianStep;
        for (const auto& [step, time] : longest) deviations.push_back(std::max(time - usual, usual - time));
        const Picoseconds least = usual + std::max(usual / 5, 6 * medianOf(deviations));
        std::vector<std::pair<Picoseconds, std::string>> odd;
        for (const auto& [step, time] : longest)
            if (time > least) odd.emplace_back(time, step);
        if (odd.empty()) return {};
        std::sort(odd.rbegin(), odd.rend());
        Finding finding{.kind = FindingKind::longSteps,
                        .facts = {{"step", engine::cell(odd.front().second)},
                                  {"longest_s", odd.front().first},
                                  {"median_s", usual},
                                  {"steps", static_cast<std::int64_t>(odd.size())}}};
        finding.words =
            text("Longest step: step ", odd.front().second, " takes ", showTime(odd.front().first), " instead of ",
                 showTime(usual), ".",
                 odd.size() > 1 ? text(" ", odd.size() - 1, odd.size() == 2 ? " other step is" : " other steps are",
                                       " long as well (", engine::field::tables, " steps).")
                                : "");
        return finding;
    }

    Finding missing() const {
        std::vector<std::string> words = recording_.remarks;
        const std::string clocks = clockWords(analysis_.trace());
        std::erase_if(words, [&](const std::string& one) { return clocks.find(one) != std::string::npos; });
        for (const traces::NotRecorded& one : recording_.absences)
            if (one.what != traces::Absence::clocks && one.what != traces::Absence::topology &&
                !(one.what == traces::Absence::file && !recording_.remarks.empty()))
                words.push_back(one.words);
        constexpr std::size_t most = 5;
        if (words.size() > most) {
            const std::size_t more = words.size() - most;
            words.resize(most);
            words.push_back(text(more, " more (", engine::field::tables, " not-recorded)"));
        }
        if (words.empty()) return {};
        return {.kind = FindingKind::limitations,
                .severity = Severity::note,
                .words = text("Limitations of this trace: ", engine::joined(words, "; "), ".")};
    }

    TraceAnalysis& analysis_;
    const Recording& recording_;
    traces::TimeSpan span_;
    JobSummary job_;
    std::vector<CollectiveCost> costs_;
};

}  // namespace

std::vector<Finding> trainingPage(TraceAnalysis& analysis) { return Page{analysis}.make(); }

}  // namespace app::analysis
