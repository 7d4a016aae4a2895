// SPDX-License-Identifier: BSD-3-Clause
#include "engine/script/script.hpp"

#include "engine/base/stopping.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/script/script_header.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

namespace engine::script {
namespace {

/// One state with the script, to which the problem was posed.
class Reading {
public:
    Reading(const std::string& path, const std::string& content, const Problem& problem, const Options& options,
            const Head& head)
        : sandbox_{path, content} {
        pose(sandbox_, problem, options, head);
        phases_ = phasesOf(sandbox_, problem, facts_);
        std::vector<int> turns;
        for (const Phase& phase : phases_)
            for (const Phase::Part& part : phase.parts) turns.push_back(part.turn);
        sandbox_.freeze(turns);
        std::erase_if(phases_, [](const Phase& phase) { return phase.rounds == 0; });
        for (std::int64_t begin = 0; const Phase& phase : phases_)
            begins_.push_back(std::exchange(begin, begin + phase.rounds));
    }

    [[nodiscard]] const Facts& facts() const { return facts_; }

    /// Throws Error where the script fails.
    void turn(Rank rank, Round round, Turn& out) {
        const auto next = std::ranges::upper_bound(begins_, round.value);
        if (next == begins_.begin()) return;
        const Phase& phase = phases_[static_cast<std::size_t>(next - begins_.begin()) - 1];
        const std::int64_t within = round.value - *(next - 1);
        for (const Phase::Part& part : phase.parts)
            if (within < part.rounds) ask(part, rank, within, round, out);
    }

private:
    void ask(const Phase::Part& part, Rank rank, std::int64_t within, Round round, Turn& out) {
        // A turn of a few instructions is over before the sandbox looks.
        if ((++asked_ & 255) == 0 && Stopping::requested()) throw Cancelled{};
        Context& context = sandbox_.context();
        context.out = &out;
        context.rank = rank;
        ++context.turns;
        lua_State* state = sandbox_.state();
        lua_rawgeti(state, LUA_REGISTRYINDEX, part.turn);
        lua_pushinteger(state, rank.value);
        lua_pushinteger(state, within);
        try {
            sandbox_.call(2, 0, Sandbox::stepsOfTurn);
            sandbox_.requireUnchanged();
        } catch (const Error& error) {
            context.out = nullptr;
            throw Faulty{text(error.what(), " (rank ", rank, " in round ", round.value + 1, ')')};
        }
        context.out = nullptr;
    }

    Sandbox sandbox_;
    std::uint64_t asked_ = 0;
    Facts facts_;
    std::vector<Phase> phases_;         // those with rounds
    std::vector<std::int64_t> begins_;  // of each, its first round
};

/// Readings of one script for one problem, each for one thread at a time.
class Readings {
public:
    Readings(std::string path, std::string content, const Problem& problem, const Options& options, Head head)
        : path_{std::move(path)},
          content_{std::move(content)},
          problem_{problem},
          options_{options},
          head_{std::move(head)} {}

    [[nodiscard]] std::unique_ptr<Reading> fresh() const {
        return std::make_unique<Reading>(path_, content_, problem_, options_, head_);
    }
    [[nodiscard]] std::unique_ptr<Reading> take() {
        {
            const std::lock_guard hold{mutex_};
            if (!idle_.empty()) {
                std::unique_ptr<Reading> one = std::move(idle_.back());
                idle_.pop_back();
                return one;
            }
        }
        return fresh();
    }
    void giveBack(std::unique_ptr<Reading> one) {
        const std::lock_guard hold{mutex_};
        idle_.push_back(std::move(one));
    }

private:
    std::string path_;
    std::string content_;
    Problem problem_;
    Options options_;
    Head head_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Reading>> idle_;
};

class ScriptSchedule final : public Schedule {
public:
    ScriptSchedule(Facts facts, std::shared_ptr<Readings> readings)
        : Schedule{std::move(facts)}, readings_{std::move(readings)} {}

    void batch(Round round, Rank first, Rank last, Batch& out) const override {
        std::unique_ptr<Reading> reading = readings_->take();
        Turn turn;
        for (Rank rank = first; rank < last; ++rank) {
            turn.clear();
            reading->turn(rank, round, turn);
            for (const Message& message : turn.sends()) out.push(rank.value, message.peer.value, message.bytes);
            for (const Message& message : turn.receives())
                if (const Bytes bytes = combinedBytes(message.slots, message.action, message.bytes); bytes > 0)
                    out.combine(rank, bytes);
        }
        readings_->giveBack(std::move(reading));
    }

private:
    void fill(Rank rank, Round round, Turn& out) const override {
        std::unique_ptr<Reading> reading = readings_->take();
        reading->turn(rank, round, out);
        readings_->giveBack(std::move(reading));
    }

    std::shared_ptr<Readings> readings_;
};

/// A script that fails in a turn is refused before anything is run: up to this many turns are evaluated.
void rehearse(const Facts& facts, Reading& reading) {
    constexpr std::int64_t mostAsked = 2048;
    const std::int64_t all = facts.rounds * facts.ranks;
    const std::int64_t asked = std::min(all, mostAsked);
    Turn turn;
    for (std::int64_t i = 0; i < asked; ++i) {
        const std::int64_t at = static_cast<std::int64_t>(static_cast<__int128>(i) * all / asked);
        turn.clear();
        reading.turn(Rank{static_cast<std::int32_t>(at % facts.ranks)}, Round{at / facts.ranks}, turn);
    }
}

SchedulePtr planned(const std::string& path, const std::string& content, const Head& head, const Problem& problem,
                    const Options& options) {
    auto readings = std::make_shared<Readings>(path, content, problem, options, head);
    std::unique_ptr<Reading> one = readings->fresh();
    Facts facts = one->facts();
    rehearse(facts, *one);
    readings->giveBack(std::move(one));
    return std::make_shared<const ScriptSchedule>(std::move(facts), std::move(readings));
}

}  // namespace

Algorithm algorithmFrom(const std::string& path, const std::string& content) {
    const Head head = [&] {
        Sandbox sandbox{path, content};
        return headOf(sandbox);
    }();
    const auto plan = [=](const Problem& problem, const Options& options) {
        return planned(path, content, head, problem, options);
    };
    return {
        .id = path,
        .collective = head.collective,
        .title = head.title.empty() ? path.substr(path.find_last_of('/') + 1) : head.title,
        .idea = head.idea,
        .source = head.source.empty() ? path : head.source,
        .formula = {},
        .letters = {},
        .options = head.options,
        .objects =
            [=](const Problem& problem, const Options& options) {
                Sandbox sandbox{path, content};
                pose(sandbox, problem, options, head);
                return objectionOf(sandbox);
            },
        .plan = plan,
        .keepsOrder =
            [plan](const Problem& problem, const Options& options) {
                Problem ordered = problem;
                ordered.operation = Operation::ordered;
                return verify(*plan(ordered, options), ordered).proved;
            },
    };
}

}  // namespace engine::script
