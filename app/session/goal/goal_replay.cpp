// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/goal/goal_replay.hpp"

#include "app/session/replay/replay_conditions.hpp"
#include "app/session/replay/replay_tables.hpp"
#include "emulation/replay/goal_program.hpp"
#include "engine/base/bounded.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/recording_builder.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

namespace app {

namespace goal = engine::schedules::goal;
using emulation::Does;
using engine::Picoseconds;
using engine::Rank;
using engine::text;
using traces::TimeSpan;

namespace {

constexpr std::int64_t mostGoalBytes = std::int64_t{1} << 30;

/// The time that spans fill together. They are sorted and joined.
Picoseconds joined(std::vector<TimeSpan>& spans) {
    std::ranges::sort(spans, {}, &TimeSpan::begin);
    std::vector<TimeSpan> all;
    for (const TimeSpan& span : spans)
        if (!all.empty() && span.begin <= all.back().end) all.back().end = std::max(all.back().end, span.end);
        else all.push_back(span);
    spans = std::move(all);
    Picoseconds sum{};
    for (const TimeSpan& span : spans) sum += span.end - span.begin;
    return sum;
}

/// What happens in a replay of chains: when each message and each processor is busy.
class ChainTimes : public emulation::ReplayObserver {
public:
    explicit ChainTimes(const emulation::GoalProgram& goal)
        : sendBegin(goal.program.messages.size()),
          sendEnd(sendBegin.size()),
          receiveBegin(sendBegin.size()),
          receiveEnd(sendBegin.size()),
          moving(static_cast<std::int32_t>(goal.program.ranks.size())),
          computing(engine::asSize(goal.program.processors)),
          program_{goal.program} {}

    void message(const engine::MessageRecord& message, std::int64_t) override {
        moving[message.from].push_back({message.sendBegin, message.sendEnd});
        moving[message.to].push_back({message.receiveBegin, message.receiveEnd});
    }
    void did(Rank, std::size_t, Picoseconds, Picoseconds) override {}
    void didInChain(std::size_t chain, std::size_t at, Picoseconds begin, Picoseconds end) override {
        const emulation::Operations& does = program_.chains[chain].does;
        const auto number = engine::asSize(does.number(at));
        switch (does.what(at)) {
            case Does::computes:
                computing[engine::asSize(program_.chains[chain].processor)].push_back({begin, end});
                break;
            case Does::sends: sendBegin[number] = begin; break;
            case Does::awaitsSend: sendEnd[number] = end; break;
            case Does::receives: receiveBegin[number] = begin; break;
            case Does::awaitsReceive: receiveEnd[number] = end; break;
            default: break;
        }
    }

    // By message:
    std::vector<Picoseconds> sendBegin, sendEnd, receiveBegin, receiveEnd;
    engine::ById<Rank, std::vector<TimeSpan>> moving;
    std::vector<std::vector<TimeSpan>> computing;  ///< by processor

private:
    const emulation::Program& program_;
};

class GoalReplayer {
public:
    GoalReplayer(const std::filesystem::path& file, const ReplayWish& wish, const engine::Progress& progress)
        : file_{file.string()}, wish_{wish}, progress_{progress} {
        requirePossible();
        const std::string content = engine::contentOf(file, mostGoalBytes, text("cannot read '", file_, "'"));
        const goal::File text = goal::fileFrom(content, file_);
        silent_ = text.silent;
        goal_ = emulation::programOf(text, file_);
        const std::int32_t none = -1;
        rankOf_.assign(engine::asSize(goal_.program.processors), Rank{none});
        for (const emulation::Chain& chain : goal_.program.chains)
            rankOf_[engine::asSize(chain.processor)] = chain.rank;
    }

    Replaying run() {
        made_.isOfGoal = true;
        made_.ranks = static_cast<std::int32_t>(goal_.program.ranks.size());
        made_.messages = static_cast<std::int64_t>(goal_.program.messages.size());
        const auto given = [&](std::string_view key) { return wish_.asked.has(key); };
        const bool givesCosts =
            given("model") || given("alpha") || given("beta") || given("bandwidth") || given("loggp");
        Specification before, after;
        before.run.network.topology = after.run.network.topology = "full";
        take(after, wish_.asked);
        before.run.model = after.run.model;
        if (given("eager")) before.run.model.eagerLimit.reset();
        made_.modelOrigin = givesCosts ? "given" : "assumed";
        if (!givesCosts && made_.messages > 0)
            made_.remarks.push_back(text("alpha and beta are assumed: GOAL contains no times of messages; give ",
                                         engine::field::alpha, " and ", engine::field::beta));
        if (silent_ > 0)
            made_.remarks.push_back(text("ranks without an entry in the file: ", silent_, "; they do nothing"));
        const emulation::InPorts ports = wish_.inPorts.value_or(emulation::InPorts::byMessage);
        const bool changes = !(before.run == after.run) || ports != emulation::InPorts::byMessage || factor_ != 1;
        made_.asRecorded =
            again(before.run, emulation::InPorts::byMessage, wish_.kept && !changes, within(progress_, 0.3, 0.6));
        made_.recorded = made_.asRecorded.result.duration;
        analysis::RecordedProgram base;
        base.duration = made_.recorded;
        base.spent = made_.asRecorded.result.ranks;
        base.setUp = made_.asRecorded.setUp;
        if (changes && made_.asRecorded.stuck.empty()) {
            made_.otherConditions = true;
            if (factor_ != 1) scaleComputation();
            made_.changed = again(after.run, ports, wish_.kept, within(progress_, 0.6, 1));
        }
        const ReplayTables tables{base, {}, made_};
        made_.activities = withoutRecorded(tables.activities());
        made_.perRank = withoutRecorded(tables.perRank());
        return std::move(made_);
    }

private:
    void requirePossible() {
        const auto refuse = [&](bool given, std::string_view key, std::string_view why) {
            if (given) throw engine::Error{text(engine::Field{key}, ": ", file_, " is a GOAL text, which ", why)};
        };
        refuse(!wish_.with.empty(), "with",
               "contains the messages of collectives instead of collectives, so that their algorithms cannot be "
               "replaced; replay the trace that it was made from");
        refuse(wish_.overlap, "overlap", "states what each operation waits for; change the text");
        refuse(!wish_.ownTime.without.empty(), "without", "has no regions; change all computation by a factor");
        refuse(!wish_.ownTime.even.empty(), "even", "has no regions; change all computation by a factor");
        refuse(wish_.checked, "check", "is no recording of a program that could be run");
        for (const std::string& words : wish_.ownTime.compute) {
            const auto [end, fault] = std::from_chars(words.data(), words.data() + words.size(), factor_);
            if (fault != std::errc{} || end != words.data() + words.size() || !(factor_ >= 0 && factor_ <= 1e6))
                throw engine::Error{text(engine::Field{"compute"}, ": '", words,
                                         "' is not a factor such as 0.5; a GOAL text has no regions")};
        }
    }

    void scaleComputation() {
        for (emulation::Chain& chain : goal_.program.chains) {
            emulation::Operations scaled;
            for (std::size_t at = 0; at < chain.does.size(); ++at) {
                std::int64_t number = chain.does.number(at);
                if (chain.does.what(at) == Does::computes) {
                    const double time = factor_ * static_cast<double>(number);
                    if (time >= static_cast<double>(engine::endOfTime.count())) engine::refuseTime();
                    number = std::llround(time);
                }
                scaled.add(chain.does.what(at), number);
            }
            chain.does = std::move(scaled);
        }
    }

    ReplayedRun again(const RunWish& wish, emulation::InPorts inPorts, bool isKept, const engine::Progress& progress) {
        const emulation::Conditions conditions = conditionsOf(wish);
        const emulation::NetworkPtr network = networkOf(wish.network, made_.ranks);
        if (network->links() > 0 && times_)
            shareLinks(goal_.program, {goal_.program.messages.from, goal_.program.messages.to, times_->sendBegin,
                                       times_->sendEnd, times_->receiveBegin, times_->receiveEnd});
        ReplayedRun run{.model = engine::toText(conditions.model),
                        .network = network->name(),
                        .sharing = emulation::toText(conditions.sharing, conditions.protocol),
                        .unevenness = emulation::toText(conditions.perturbation),
                        .inPorts = inPorts};
        times_ = std::make_unique<ChainTimes>(goal_);
        run.result = emulation::replay(goal_.program, *network, conditions, progress, times_.get(), inPorts);
        run.setUp.ends.resize(made_.ranks);
        nameStuck(run);
        if (!run.stuck.empty()) return run;
        engine::ById<Rank, std::vector<TimeSpan>> computing(made_.ranks);
        for (std::size_t i = 0; i < times_->computing.size(); ++i) {
            std::vector<TimeSpan>& its = computing[rankOf_[i]];
            its.insert(its.end(), times_->computing[i].begin(), times_->computing[i].end());
        }
        for (const Rank rank : run.result.ranks.ids()) {
            emulation::TimeSpent& spent = run.result.ranks[rank];
            const Picoseconds end = spent.end;
            std::vector<TimeSpan> busy = computing[rank];
            const Picoseconds computes = joined(busy);
            busy.insert(busy.end(), times_->moving[rank].begin(), times_->moving[rank].end());
            const Picoseconds both = joined(busy);
            spent = {.computing = computes, .waiting = end - both, .moving = both - computes, .end = end};
        }
        if (isKept) {
            traces::Recording recording = recordingOf(run);
            recording.properties = replayProperties(wish, network->name(), inPorts);
            made_.recording = std::make_shared<const traces::Recording>(std::move(recording));
        }
        return run;
    }

    void nameStuck(ReplayedRun& run) const {
        constexpr std::size_t most = 20;
        for (const emulation::Stuck& stuck : run.result.stuck) {
            const emulation::Chain& chain = goal_.program.chains[engine::asSize(stuck.chain)];
            const std::int64_t line = goal_.lines[engine::asSize(stuck.chain)][stuck.at];
            const auto number = engine::asSize(chain.does.number(stuck.at));
            const emulation::PointToPoint& messages = goal_.program.messages;
            if (chain.does.what(stuck.at) == Does::passes) continue;  // for another chain, which waits itself
            if (run.stuck.size() == most) {
                run.stuck.emplace_back("more operations wait forever");
                return;
            }
            run.stuck.push_back(
                chain.does.what(stuck.at) == Does::awaitsReceive
                    ? text("rank ", stuck.rank, " waits forever in line ", line, " for ",
                           engine::showBytes(messages.bytes[number]), " from rank ", messages.from[number])
                    : text("rank ", stuck.rank, " waits forever in line ", line, " until rank ", messages.to[number],
                           " receives ", engine::showBytes(messages.bytes[number])));
        }
    }

    /// Of a program of MPI that computes, and waits in MPI_Waitall while its first processor does not.
    traces::Recording recordingOf(const ReplayedRun& run) {
        traces::RecordingBuilder builder{made_.ranks};
        engine::ById<Rank, std::vector<TimeSpan>> first(made_.ranks);
        for (std::size_t i = 0; i < times_->computing.size(); ++i) {
            std::vector<TimeSpan>& its = times_->computing[i];
            (void)joined(its);
            if (goal_.processorOf[i] == 0) {
                first[rankOf_[i]] = its;
                continue;
            }
            const std::int32_t lane = builder.thread(rankOf_[i], text("cpu ", goal_.processorOf[i]));
            for (const TimeSpan& span : its) {
                builder.enter(lane, span.begin, "calc");
                builder.leave(lane, span.end);
            }
        }
        const emulation::PointToPoint& messages = goal_.program.messages;
        // A call ends where a message is there or is sent, so that each waits for one thing.
        engine::ById<Rank, std::vector<Picoseconds>> ends(made_.ranks);
        for (std::size_t i = 0; i < messages.size(); ++i) {
            ends[messages.from[i]].push_back(times_->sendBegin[i]);
            ends[messages.to[i]].push_back(times_->receiveEnd[i]);
        }
        for (const Rank rank : run.result.ranks.ids()) {
            Picoseconds now{};
            std::ranges::sort(ends[rank]);
            const auto wait = [&](Picoseconds until) {
                while (until > now) {
                    const auto next = std::ranges::upper_bound(ends[rank], now);
                    const Picoseconds end = next == ends[rank].end() ? until : std::min(until, *next);
                    builder.enter(rank.value, now, "MPI_Waitall");
                    builder.leave(rank.value, end);
                    now = end;
                }
            };
            for (const TimeSpan& span : first[rank]) {
                wait(span.begin);
                builder.enter(rank.value, span.begin, "calc");
                builder.leave(rank.value, span.end);
                now = span.end;
            }
            wait(run.result.ranks[rank].end);
        }
        std::vector<std::size_t> order(messages.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return times_->sendBegin[i]; });
        for (const std::size_t i : order)
            builder.message({.from = messages.from[i],
                             .to = messages.to[i],
                             .bytes = messages.bytes[i],
                             .sendBegin = times_->sendBegin[i],
                             .sendEnd = times_->sendEnd[i],
                             .receiveBegin = times_->receiveBegin[i],
                             .receiveEnd = times_->receiveEnd[i],
                             .flags = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking});
        return builder.finish();
    }

    /// Nothing was recorded that could be beside what was replayed.
    [[nodiscard]] engine::Table withoutRecorded(engine::Table table) const {
        const auto drop = [&](std::string_view name) {
            const auto column = std::ranges::find(table.columns, name, &engine::Column::name);
            if (column == table.columns.end()) return;
            const auto at = column - table.columns.begin();
            table.columns.erase(column);
            for (auto& row : table.rows) row.erase(row.begin() + at);
        };
        drop("recorded_s");
        for (const char* const name : {"collectives_s", "waiting_in_collectives_s", "other_mpi_s"}) drop(name);
        if (!made_.changed) drop("difference_s");
        std::erase_if(table.rows, [](const auto& row) {
            const auto* const name = std::get_if<std::string>(&row.front());
            return name != nullptr && (name->ends_with("in collectives") || name->starts_with("MPI time"));
        });
        if (!made_.changed) table.title.resize(std::min(table.title.size(), table.title.find("; difference")));
        return table;
    }

    std::string file_;
    const ReplayWish& wish_;
    const engine::Progress& progress_;
    emulation::GoalProgram goal_;
    std::vector<Rank> rankOf_;  // by processor
    std::int64_t silent_ = 0;
    double factor_ = 1;                  // of all computation
    std::unique_ptr<ChainTimes> times_;  // of the last replay
    Replaying made_;
};

}  // namespace

bool isGoal(std::string_view path) { return path.ends_with(".goal"); }

Replaying replayedGoal(const std::filesystem::path& file, const ReplayWish& wish, const engine::Progress& progress) {
    return GoalReplayer{file, wish, progress}.run();
}

}  // namespace app
