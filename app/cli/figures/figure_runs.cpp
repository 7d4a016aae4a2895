// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/figure_runs.hpp"

#include "app/analysis/messages/bidirectional_traffic.hpp"
#include "app/analysis/messages/schedule_totals.hpp"
#include "app/cli/output/files.hpp"
#include "app/session/sweep/run_in_order.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

constexpr std::int64_t mostOfRows = std::int64_t{1} << 30;

std::string keyOf(const Wanted& wanted) {
    if (!wanted.ofSchedule)
        return text(lineOf(wanted.wish), wanted.repeats > 1 ? text(" x ", wanted.repeats) : "",
                    wanted.timeOnly ? " time only" : "");
    const figures::Message& message = wanted.message;
    return text(lineOf(wanted.wish), " schedule ", static_cast<int>(*wanted.ofSchedule), ' ', message.rank, ' ',
                message.sent ? "to" : "from", ' ', message.round, ' ', message.place);
}

/// The same run, of which everything is wanted.
Wanted wholly(Wanted wanted) {
    wanted.timeOnly = false;
    return wanted;
}

engine::Message messageOf(const figures::Message& message, const engine::Schedule& schedule) {
    const auto place = static_cast<std::size_t>(message.place - 1);
    if (message.rank < schedule.facts().ranks && message.round <= schedule.facts().rounds) {
        engine::Turn turn;
        schedule.turn(engine::Rank{message.rank}, engine::Round{message.round - 1}, turn);
        const auto messages = message.sent ? turn.sends() : turn.receives();
        if (place < messages.size()) return messages[place];
    }
    throw Error{text("rank ", message.rank, message.sent ? " does not send " : " does not receive ", message.place,
                     message.place == 1 ? " message" : " messages", " in round ", message.round)};
}

double scheduleNumber(const Wanted& wanted, const engine::Progress& progress) {
    const engine::Plan plan = makePlan(wanted.wish.run, progress);
    switch (*wanted.ofSchedule) {
        case figures::Of::peer: return messageOf(wanted.message, *plan.schedule).peer.value;
        case figures::Of::carried: return static_cast<double>(messageOf(wanted.message, *plan.schedule).bytes);
        case figures::Of::links:
            return static_cast<double>(analysis::totalsOf(plan, progress).value().connections.value().pairs);
        case figures::Of::opposed: return static_cast<double>(analysis::opposedMessages(*plan.schedule, progress));
        default: return engine::verify(*plan.schedule, plan.problem, progress).proved ? 1 : 0;
    }
}

/// Estimated relative time of a run, by its turns; a microsecond where it was measured. The clock moves all ranks of a
/// ring shift together where they share no links. A run that is refused takes no time.
double estimateOf(const Wanted& wanted) {
    constexpr double beginning = 600;  // a run is set up
    constexpr double turn = 0.1;
    constexpr double onRingShift = 0.0004;
    try {
        const engine::SchedulePtr schedule = makePlan(wanted.wish.run).schedule;
        const engine::Facts& facts = schedule->facts();
        const bool linked =
            !wanted.wish.run.network.topology.empty() || facts.wiring.kind() != engine::Wiring::Kind::any;
        const bool together = !linked && dynamic_cast<const engine::RingShiftSchedule*>(schedule.get()) != nullptr;
        const double turns = static_cast<double>(facts.ranks) * static_cast<double>(facts.rounds);
        return (beginning + turns * (together ? onRingShift : turn)) * wanted.repeats;
    } catch (const Error&) {
        return beginning;
    }
}

/// Another build may give other numbers: a build is identified by the size and time of its file.
std::string header() {
    const std::filesystem::path program = "/proc/self/exe";
    std::error_code unknown;
    const auto size = std::filesystem::file_size(std::filesystem::canonical(program, unknown), unknown);
    const auto time = std::filesystem::last_write_time(program, unknown).time_since_epoch().count();
    return text("run of collscope " COLLSCOPE_VERSION " ", size, ' ', time, ',', resultHeader());
}

}  // namespace

void KnownRuns::take(const std::filesystem::path& file) {
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown)) return;
    std::istringstream in{engine::contentOf(file, mostOfRows, text("--rows: cannot read '", file.string(), "'"))};
    std::string line;
    if (!std::getline(in, line) || line != header())
        throw Error{
            text("--rows: ", file.string(), " was not written by this build of collscope; choose another name")};
    for (std::int64_t number = 2; std::getline(in, line); ++number) {
        auto row = resultFromCsv(line);
        if (!row) throw Error{text("--rows: ", file.string(), " line ", number, " is no result of a run")};
        known_.insert_or_assign(std::move(row->first), std::move(row->second));
    }
}

void KnownRuns::keep(const std::filesystem::path& file, const std::stop_token& stop) const {
    writeFile(file, engine::Existing::replace, stop, [&](std::ostream& out) {
        out << header() << '\n';
        for (const auto& [line, result] : known_) out << toCsv(line, result) << '\n';
    });
}

void KnownRuns::prepare(const std::vector<Wanted>& all, const std::function<void()>& onKept,
                        const engine::Progress& progress) {
    struct Job {
        std::string key;
        const Wanted* wanted = nullptr;
        double estimate = 0;
    };
    std::vector<Job> jobs;
    std::set<std::string> seen;
    const auto add = [&](const Wanted& wanted) {
        progress.at(0);
        std::string key = keyOf(wanted);
        if (!seen.insert(key).second || (wanted.timeOnly && seen.contains(keyOf(wholly(wanted))))) return;
        if (schedules_.contains(key) || find(wanted) != nullptr) ++taken_;
        else jobs.push_back({std::move(key), &wanted, estimateOf(wanted)});
    };
    // Runs of which more than the time is wanted first: they give the time as well.
    for (const bool timeOnly : {false, true})
        for (const Wanted& wanted : all)
            if (wanted.timeOnly == timeOnly) add(wanted);
    std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.estimate > b.estimate; });
    const double whole =
        std::accumulate(jobs.begin(), jobs.end(), 0.0, [](double sum, const Job& job) { return sum + job.estimate; });
    // Long runs are a few in a hundred of all: they report how far they are.
    std::mutex mutex;
    double finished = 0;
    std::vector<double> shares(jobs.size());
    const auto advance = [&](std::size_t i, double share) {
        const std::lock_guard lock{mutex};
        if (share <= shares[i]) return;
        finished += (share - shares[i]) * jobs[i].estimate;
        shares[i] = share;
        if (progress.report) progress.report(std::min(1.0, finished / whole));
    };
    struct Done {
        SweepResult run{};
        double ofSchedule = 0;
    };
    runInOrder<Done>(
        jobs.size(), threads_,
        [&](std::size_t i, const engine::Progress& part) {
            const Job& job = jobs[i];
            Done result;
            const engine::Progress its{.report = [&](double share) { advance(i, share); }, .stop = part.stop};
            if (job.wanted->ofSchedule) result.ofSchedule = scheduleNumber(*job.wanted, part);
            else
                result.run = sweepPoint(job.wanted->wish, its, job.wanted->repeats,
                                        job.wanted->timeOnly ? SweepScope::time : SweepScope::withoutCuts);
            advance(i, 1);
            return result;
        },
        [&](std::size_t i, const Done& result) {
            if (jobs[i].wanted->ofSchedule) {
                schedules_[jobs[i].key] = result.ofSchedule;
            } else {
                known_[jobs[i].key] = result.run;
                ++ran_;
            }
            if (onKept) onKept();
        },
        {.report = {}, .stop = progress.stop});
}

double KnownRuns::ofSchedule(const Wanted& wanted, const engine::Progress& progress) {
    const std::string key = keyOf(wanted);
    auto found = schedules_.find(key);
    if (found == schedules_.end()) found = schedules_.emplace(key, scheduleNumber(wanted, progress)).first;
    return found->second;
}

const SweepResult* KnownRuns::find(const Wanted& wanted) const {
    auto found = known_.find(keyOf(wholly(wanted)));
    if (found == known_.end() && wanted.timeOnly) found = known_.find(keyOf(wanted));
    return found == known_.end() ? nullptr : &found->second;
}

std::vector<SweepResult> KnownRuns::of(const std::vector<Wanted>& all, const engine::Progress& progress) {
    const auto isThere = [&](const Wanted& one) { return find(one) != nullptr; };
    if (!std::all_of(all.begin(), all.end(), isThere)) prepare(all, {}, progress);
    std::vector<SweepResult> results;
    for (const Wanted& one : all) results.push_back(*find(one));
    return results;
}

SweepResult KnownRuns::of(const Wanted& wanted, const engine::Progress& progress) {
    SweepResult result = of(std::vector{wanted}, progress).front();
    if (!result.refusal.empty()) throw Error{result.refusal};
    return result;
}

}  // namespace app::cli
