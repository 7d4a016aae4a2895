// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/first_page.hpp"

#include "app/analysis/advice.hpp"
#include "app/analysis/instance_gap.hpp"
#include "app/analysis/question.hpp"
#include "app/analysis/table_words.hpp"
#include "app/analysis/waits.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <cmath>

namespace app::analysis {

using engine::Picoseconds;
using engine::showBytes;
using engine::showNumber;
using engine::showTime;
using engine::text;

namespace {

std::string counted(std::int64_t number, const std::string& noun) {
    return text(number, ' ', noun, number == 1 ? "" : "s");
}

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words) {
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i)
        all += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return all;
}

/// Instances that count as one kind, in the order of what they cost.
struct Kind {
    std::size_t longest = 0;  ///< the instance of it that took longest
    std::int64_t instances = 0;
    Picoseconds time{};
};
std::vector<Kind> kindsOf(Inquiry& inquiry) {
    std::map<std::size_t, Kind> kinds;
    const auto& instances = inquiry.instances();
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto [entry, isNew] = kinds.try_emplace(inquiry.kindOf(i));
        Kind& kind = entry->second;
        if (isNew || instances[i].duration() > instances[kind.longest].duration()) kind.longest = i;
        ++kind.instances;
        kind.time += instances[i].duration();
    }
    std::vector<Kind> sorted;
    for (const auto& [key, kind] : kinds) sorted.push_back(kind);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Kind& a, const Kind& b) { return a.time > b.time; });
    return sorted;
}

/// "Allgatherv of 30 ranks, 92.2 KiB in all: 41 ms"; with several "in the longest of 12".
std::string whatHappened(Inquiry& inquiry, const Kind& kind) {
    const Instance& instance = inquiry.instances()[kind.longest];
    const IdentifiedPtr known = inquiry.identified(kind.longest);
    std::string words = instance.isCollective() ? instance.operation : "messages";
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    words += text(instance.isCollective() ? " of " : " among ",
                  counted(static_cast<std::int64_t>(instance.ranks.size()), "rank"));
    if (instance.communicator != "world" && instance.communicator != "MPI_COMM_WORLD")
        words += text(" (", instance.communicator, ")");
    if (kind.instances > 1)
        words += text(", ", kind.instances, " times, ", showTime(kind.time), " in all, the longest ",
                      showTime(instance.duration()));
    else words += text(" took ", showTime(instance.duration()));
    if (instance.hasMessages)
        words +=
            text(": ", counted(instance.run.messageCount, "message"), " in ", counted(instance.run.rounds, "round"),
                 instance.hasRounds ? "" : " (recovered)", ", ", showBytes(instance.bytes));
    else words += text(", ", showBytes(instance.bytes), " received; its messages were not recorded");
    words += ".";
    std::vector<std::string> sure;
    for (const Recognition& one : known->found)
        if (!known->planRecorded && one.confidence == known->found.front().confidence && known->plan)
            sure.push_back(wordsOf(one.plan));
    if (known->planRecorded) words += text(" It was recorded as ", wordsOf(*known->plan), ".");
    else if (!sure.empty())
        words += text(known->confidence() >= 1 ? " Its messages are those of " : " They look most like ", listed(sure),
                      known->confidence() >= 1 ? "." : text(", ", percent(known->confidence()), " alike."));
    return words;
}

std::string costWords(const engine::Model& model) {
    return model.logGP ? "L, o, g and G"
                       : text("alpha ", showTime(model.alpha), " and beta ", engine::showRate(model.beta));
}

/// "It is 4.2 times its lower bound of 9.8 ms: extra rounds 2 ms, waiting 20 ms."
std::string aboveBound(Inquiry& inquiry, std::size_t index) {
    const IdentifiedPtr known = inquiry.identified(index);
    if (!known->problem) return text("No bound and no advice: ", known->whyNoProblem, ".");
    const auto gap = gapOf(inquiry, index);
    if (!gap) return {};
    const Picoseconds duration = inquiry.instances()[index].duration();
    if (duration == gap->bound) return text("It is as fast as its lower bound of ", showTime(gap->bound), ".");
    std::string words =
        duration < gap->bound
            ? text("It is faster than the bound of ", showTime(gap->bound), " that ", costWords(*inquiry.model()),
                   " allow: they are not those of this machine")
            : text("It took ",
                   gap->bound.count() > 0
                       ? text(showNumber(
                                  static_cast<double>(duration.count()) / static_cast<double>(gap->bound.count()), 3),
                              " times ")
                       : "more than ",
                   "its lower bound of ", showTime(gap->bound));
    if (gap->blocks == engine::Blocks::whole) words += " with whole blocks";
    std::vector<std::pair<Picoseconds, std::string_view>> causes;
    if (gap->parts)
        for (const GapCause& cause : gapCauses) causes.emplace_back((*gap->parts).*cause.time, cause.word);
    std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
        return std::abs(a.first.count()) > std::abs(b.first.count());
    });
    std::vector<std::string> parts;
    for (const auto& [time, cause] : causes)
        if (time.count() != 0) parts.push_back(text(showTime(time), " ", cause));
    return words + (parts.empty() ? "." : text(": ", listed(parts), "."));
}

std::string adviceWords(const Advice& one) {
    const Alternative& best = one.alternatives->ranked.front();
    const double factor = one.factor(best.time);
    const std::string trust = one.deviation()
                                  ? text(" Its own algorithm, emulated alike, takes ", showTime(*one.again), ", ",
                                         percent(std::abs(*one.deviation())),
                                         *one.deviation() < 0 ? " less than measured." : " more than measured.")
                                  : " Its own algorithm is not known, so nothing says how near that is.";
    if (factor < 1.005) return text("Nothing in the catalogue would have been faster.", trust);
    std::vector<std::string> equals;
    for (const Alternative& other : one.alternatives->ranked)
        if (other.time == best.time) equals.push_back(wordsOf(other.plan));
    std::string words =
        text(listed(equals), " would take about ", showTime(best.time), ", ", showNumber(factor, 3), " times as fast");
    if (one.fromLastArrival) words += " once all have come";
    if (one.instances > 1) words += text("; over the whole trace it would save ", showTime(one.saving(best.time)));
    return words + "." + trust;
}

/// Whether the trace tells more of its program than calls of MPI: only then paths are worth the time of a first page.
bool hasProgram(const Trace& trace) {
    if (!trace.recording || trace.own()) return false;
    const auto& regions = trace.recording->regions;
    return std::any_of(regions.begin(), regions.end(), [](const traces::Region& region) {
        return region.call == traces::Call::none && region.calls > 0;
    });
}

/// " (19 ms late, 20 times)".
std::string causeWords(const Cause& cause) {
    if (cause.delays == 0) return {};
    return text(" (", showTime(cause.typical), " late", cause.delays > 1 ? text(", ", cause.delays, " times") : "",
                ")");
}

/// Who waited, and where that came from.
std::string waitWords(Inquiry& inquiry) {
    const auto [waits, total, forMessages, delays] = inquiry.waitTotals();
    if (delays.empty()) return {};
    const auto& worst = delays.front();
    const double all = static_cast<double>(inquiry.duration().count()) * std::max(inquiry.trace().report.run->ranks, 1);
    std::string words =
        text(forMessages == total       ? "Ranks waited for messages "
             : forMessages.count() == 0 ? "Ranks waited in collectives "
                                        : "Ranks waited ",
             showTime(total), ", ", percent(all > 0 ? static_cast<double>(total.count()) / all : 0), " of their time");
    if (forMessages != total && forMessages.count() != 0)
        words +=
            text(": ", showTime(forMessages), " for messages and ", showTime(total - forMessages), " in collectives");
    const Picoseconds caused = worst.direct + worst.passedOn;
    words += text("; ", percent(static_cast<double>(caused.count()) / static_cast<double>(total.count())),
                  " of it came from rank ", worst.origin);
    // Beyond that, the waits of some 10^8 calls, the table of causes has them: a first page is not to wait for it.
    constexpr std::size_t mostWaits = 2'000'000;
    if (hasProgram(inquiry.trace()) && waits <= mostWaits) {
        const CallPaths* paths = inquiry.callPaths();
        const auto& causes = inquiry.causes();
        const auto its =
            std::find_if(causes.begin(), causes.end(), [&](const Cause& cause) { return cause.rank == worst.origin; });
        if (its != causes.end()) words += text(", mostly from ", nameOf(*its, *paths), causeWords(*its));
    }
    if (worst.passedOn.count() > 0) words += text(", ", showTime(worst.passedOn), " passed on by others");
    return words + ".";
}

std::string missingWords(Inquiry& inquiry) {
    const engine::Table table = answerTo(questionNamed("not-recorded"), inquiry);
    // Times without recording are many alike: one clause says so.
    std::set<std::string> gaps;
    std::set<std::int32_t> who;
    Picoseconds longest{};
    if (const auto& recording = inquiry.trace().recording)
        for (const traces::NotRecorded& absence : recording->absences)
            if (absence.what == traces::Absence::interval) {
                gaps.insert(absence.words);
                who.insert(absence.location);
                longest = std::max(longest, absence.end - absence.begin);
            }
    if (gaps.size() <= 2) gaps.clear();
    std::vector<std::string> words;
    const std::string clocks = clockWords(inquiry.trace());  // stand before all else
    if (!gaps.empty())
        words.push_back(text(counted(static_cast<std::int64_t>(who.size()), "location"),
                             " did not record for a while, for ", showTime(longest), " at the longest"));
    for (const auto& row : table.rows)
        if (const auto& clause = std::get<std::string>(row[0]);
            !gaps.contains(clause) && clocks.find(clause) == std::string::npos)
            words.push_back(clause);
    constexpr std::size_t most = 6;
    std::string all;
    for (std::size_t i = 0; i < std::min(most, words.size()); ++i) all += (all.empty() ? "" : "; ") + words[i];
    if (words.size() > most)
        all += text("; and ", words.size() - most, " more (", engine::field::tables, " not-recorded)");
    return all.empty() ? "" : text("Not recorded, or to be known: ", all, ".");
}

}  // namespace

std::vector<std::string> firstPage(Inquiry& inquiry, Afterwards afterwards) {
    constexpr std::size_t most = 4;
    std::vector<std::string> page;
    const auto add = [&](std::string words) {
        if (!words.empty()) page.push_back(std::move(words));
    };
    // Times of a trace whose clocks disagree mean little: that stands before all of them.
    if (const std::string words = clockWords(inquiry.trace()); !words.empty()) add(text("Take care, ", words, "."));
    if (inquiry.isCut())
        add(text("Only the first ", inquiry.trace().most, " messages are looked at here; choose others with ",
                 engine::field::from, " and ", engine::field::to, "."));
    if (afterwards == Afterwards::over) {
        inquiry.leaveMessagesOut();
        if (!hasProgram(inquiry.trace())) inquiry.addUpWaits();
    }
    const std::vector<Kind> kinds = kindsOf(inquiry);
    std::set<std::size_t> told;
    std::set<std::size_t> longest;
    for (std::size_t k = 0; k < std::min(most, kinds.size()); ++k) {
        told.insert(inquiry.kindOf(kinds[k].longest));
        longest.insert(kinds[k].longest);
    }
    inquiry.bringMessages(longest);
    const std::vector<Advice> advised = analysis::advice(inquiry, told);
    if (kinds.empty()) add("Nothing that ranks did together was recorded in this part.");
    for (std::size_t k = 0; k < std::min(most, kinds.size()); ++k) {
        std::string words = whatHappened(inquiry, kinds[k]);
        if (const std::string above = aboveBound(inquiry, kinds[k].longest); !above.empty()) words += " " + above;
        for (const Advice& one : advised)
            if (inquiry.kindOf(one.first) == inquiry.kindOf(kinds[k].longest)) words += " " + adviceWords(one);
        add(std::move(words));
    }
    if (kinds.size() > most)
        add(text("And ", counted(static_cast<std::int64_t>(kinds.size() - most), "other kind"),
                 " of instances, shorter in all."));
    add(waitWords(inquiry));
    if (const auto model = inquiry.model(); model && model->logGP) {
        add("The model recorded is LogGP: of its bounds the causes of what is above are not known.");
    } else if (model) {
        std::string words = text("Alpha ", showTime(model->alpha), " and beta ", engine::showRate(model->beta), " are ",
                                 inquiry.modelOrigin());
        if (inquiry.modelOrigin() == "fitted")
            words += text(": 95 % within ", showTime(inquiry.fit()->alphaLow), " to ",
                          showTime(inquiry.fit()->alphaHigh), " and ", engine::showRate(inquiry.fit()->betaLow), " to ",
                          engine::showRate(inquiry.fit()->betaHigh), "; half of the messages are within ",
                          percent(inquiry.fit()->deviation), " of that line");
        add(words + ".");
    } else if (!kinds.empty()) {
        add(text("No times of bounds and no advice: ", inquiry.whyNoFit(), "; give ", engine::field::alpha, " and ",
                 engine::field::beta, "."));
    }
    add(missingWords(inquiry));
    return page;
}

}  // namespace app::analysis
