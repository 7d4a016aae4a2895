// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/selection/partial_runs.hpp"

#include "emulation/perturbation.hpp"
#include "engine/base/bounded.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/recorded_rank_times.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace app::analysis {

using engine::Error;
using engine::MessageRecord;
using engine::Picoseconds;
using engine::Run;
using engine::text;

bool Part::has(engine::Rank rank) const {
    return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

namespace {

void sumUpRanks(Run& run) {
    traces::BusyEnds ends = traces::endsOf(run.messages);
    const std::vector<engine::LocalWork> work = engine::workOf(run);
    ends.work = work;
    for (const engine::LocalWork& its : work) run.duration = std::max(run.duration, its.end);
    run.perRank = traces::rankTimes(ends, run.ranks, run.duration);
}

}  // namespace

Run assembled(std::int32_t ranks, std::vector<Sample> samples, Picoseconds duration) {
    const auto before = [](const Sample& a, const Sample& b) {
        return std::tuple{a.message.round, a.message.from} < std::tuple{b.message.round, b.message.from};
    };
    if (!std::is_sorted(samples.begin(), samples.end(), before))
        std::stable_sort(samples.begin(), samples.end(), before);
    Run run;
    run.ranks = ranks;
    run.duration = duration;
    run.messages.reserve(samples.size());
    for (const Sample& sample : samples) run.messages.push(sample.message, sample.what);
    sumUp(run);
    return run;
}

void sumUp(Run& run) {
    const engine::Messages& messages = run.messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const MessageRecord m = messages[i];
        run.rounds = std::max(run.rounds, m.round.value + 1);
        run.perRound.resize(static_cast<std::size_t>(run.rounds));
        run.perRound.back().add(m);
        engine::addBytes(run.byteCount, m.bytes);
        run.duration = std::max(run.duration, endOf(m));
    }
    run.messageCount = static_cast<std::int64_t>(messages.size());
    sumUpRanks(run);
}

std::vector<Sample> samplesOf(const Run& run) {
    std::vector<Sample> samples;
    samples.reserve(run.messages.size());
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const auto what = run.messages.what(i);
        samples.push_back({run.messages[i], {what.begin(), what.end()}});
    }
    return samples;
}

void requireWithin(const Part& part, std::int32_t ranks, Picoseconds duration) {
    for (const engine::Rank rank : part.ranks)
        if (rank.value < 0 || rank.value >= ranks)
            throw Error{text(engine::field::ranks, ": no rank ", rank, "; the trace has ranks 0 to ", ranks - 1)};
    if (part.from && *part.from > duration)
        throw Error{text(engine::field::from, ": ", engine::showTime(*part.from), " is after the end, at ",
                         engine::showTime(duration))};
}

bool isIn(const Part& part, const MessageRecord& m) {
    return part.has(m.from) && part.has(m.to) && part.hasSize(m.bytes) && part.overlaps(beginOf(m), endOf(m));
}

Run partOf(const Run& run, const Part& part) {
    if (part.whole()) return run;
    std::vector<Sample> samples = samplesOf(run);
    std::erase_if(samples, [&](const Sample& sample) { return !isIn(part, sample.message); });
    Run cut = assembled(run.ranks, std::move(samples));
    cut.setting = run.setting;
    cut.groupA = run.groupA;
    cut.groupB = run.groupB;
    cut.entered = run.entered;
    std::copy_if(run.combining.begin(), run.combining.end(), std::back_inserter(cut.combining),
                 [&](const engine::LocalWork& its) { return part.has(its.rank) && part.overlaps(its.begin, its.end); });
    cut.stages = run.stages;
    std::copy_if(run.spans.begin(), run.spans.end(), std::back_inserter(cut.spans), [&](const engine::StageSpan& span) {
        return part.has(span.rank) && part.overlaps(span.begin, span.end);
    });
    if (!engine::workOf(cut).empty()) sumUpRanks(cut);  // else that is done
    cut.remarks = run.remarks;
    return cut;
}

std::vector<Picoseconds> arrivalTimes(const Run& run) {
    if (!run.entered.empty()) return run.entered;
    try {
        return emulation::startTimes(emulation::perturbationFromText(run.setting.perturbation).arrival, run.ranks);
    } catch (const engine::Error&) {  // of a damaged archive
        return std::vector<Picoseconds>(engine::asSize(run.ranks));
    }
}

}  // namespace app::analysis
