// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/schedule_conformance.hpp"

#include "app/analysis/schedule/message_signature.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/median.hpp"
#include "engine/problem/contract.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>

namespace app::analysis {

using engine::Bytes;
using engine::MessageRecord;
using engine::Picoseconds;
using engine::Range;
using engine::Rank;
using engine::Round;
using engine::Run;

std::string_view name(Difference difference) {
    switch (difference) {
        case Difference::missing: return "missing";
        case Difference::extra: return "extra";
        case Difference::late: return "late";
    }
    return {};
}

namespace {

/// A message of the schedule.
struct Planned {
    Rank from;
    Rank to;
    Round round;
    Bytes bytes = 0;
    std::vector<Range> what{};
};

std::vector<Planned> planned(const engine::Schedule& schedule, const engine::Progress& progress) {
    const engine::Facts& facts = schedule.facts();
    std::vector<Planned> all;
    engine::Turn turn;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            schedule.turn(rank, round, turn);
            for (const engine::Message& send : turn.sends()) {
                const auto ranges = turn.ranges(send);
                all.push_back({rank, send.peer, round, send.bytes, {ranges.begin(), ranges.end()}});
            }
        }
    }
    return all;
}

constexpr std::size_t none = ~std::size_t{0};

/// For each message of the run its place in `plan`, or none: pair by pair in order, by bytes.
std::vector<std::size_t> matched(const Run& run, const std::vector<Planned>& plan) {
    struct Lane {
        std::vector<std::size_t> seen;
        std::vector<std::size_t> wanted;
    };
    std::map<std::pair<Rank, Rank>, Lane> lanes;
    for (std::size_t i = 0; i < run.messages.size(); ++i)
        lanes[{run.messages.from()[i], run.messages.to()[i]}].seen.push_back(i);
    for (std::size_t i = 0; i < plan.size(); ++i) lanes[{plan[i].from, plan[i].to}].wanted.push_back(i);
    std::vector<std::size_t> places(run.messages.size(), none);
    for (auto& [pair, lane] : lanes) {
        std::stable_sort(lane.seen.begin(), lane.seen.end(), [&](std::size_t a, std::size_t b) {
            return run.messages.sendBegin()[a] < run.messages.sendBegin()[b];
        });
        std::vector<Token> a;
        std::vector<Token> b;
        for (const std::size_t i : lane.seen) a.push_back(static_cast<Token>(run.messages.bytes()[i]));
        for (const std::size_t i : lane.wanted) b.push_back(static_cast<Token>(plan[i].bytes));
        for (const auto& [x, y] : aligned(a, b)) places[lane.seen[x]] = lane.wanted[y];
    }
    return places;
}

Picoseconds medianTransfer(const Run& run) {
    std::vector<Picoseconds> times;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord m = run.messages[i];
        times.push_back(m.receiveEnd - transferBegin(m));
    }
    return times.empty() ? Picoseconds{} : engine::median(std::move(times));
}

/// When each matched message's sender had done everything of its earlier rounds; by message of the run.
std::vector<Picoseconds> readiness(const Run& run, const std::vector<Planned>& plan,
                                   const std::vector<std::size_t>& places) {
    struct End {
        Round round;
        Picoseconds end;
        std::size_t send;  ///< the message, where this is its send
    };
    std::vector<std::vector<End>> ranks(static_cast<std::size_t>(run.ranks));
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] == none) continue;
        const MessageRecord m = run.messages[i];
        const Round round = plan[places[i]].round;
        ranks[m.from.index()].push_back({round, m.sendEnd, i});
        ranks[m.to.index()].push_back({round, m.receiveEnd, none});
    }
    std::vector<Picoseconds> ready(places.size());
    for (auto& ends : ranks) {
        std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.round < b.round; });
        Picoseconds before{};
        for (std::size_t first = 0; first < ends.size();) {
            Picoseconds latest = before;
            std::size_t last = first;
            for (; last < ends.size() && ends[last].round == ends[first].round; ++last) {
                if (ends[last].send != none) ready[ends[last].send] = before;
                latest = std::max(latest, ends[last].end);
            }
            before = latest;
            first = last;
        }
    }
    return ready;
}

}  // namespace

std::vector<DifferenceRow> differences(const Run& run, const engine::Schedule& schedule,
                                       std::optional<Picoseconds> tolerance, const engine::Progress& progress) {
    const std::vector<Planned> plan = planned(schedule, progress);
    const std::vector<std::size_t> places = matched(run, plan);
    const std::vector<Picoseconds> ready = readiness(run, plan, places);
    const Picoseconds allowed = tolerance ? *tolerance : medianTransfer(run);
    std::vector<DifferenceRow> rows;
    std::vector<bool> happened(plan.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const MessageRecord m = run.messages[i];
        if (places[i] == none) {
            rows.push_back({Difference::extra, m.from, m.to, m.bytes, std::nullopt, m.round, {}});
            continue;
        }
        happened[places[i]] = true;
        const Picoseconds by = m.sendBegin - ready[i];
        if (by > allowed) rows.push_back({Difference::late, m.from, m.to, m.bytes, plan[places[i]].round, m.round, by});
    }
    for (std::size_t i = 0; i < plan.size(); ++i)
        if (!happened[i])
            rows.push_back(
                {Difference::missing, plan[i].from, plan[i].to, plan[i].bytes, plan[i].round, std::nullopt, {}});
    std::stable_sort(rows.begin(), rows.end(), [](const DifferenceRow& a, const DifferenceRow& b) {
        const auto round = [](const DifferenceRow& row) { return row.planned ? *row.planned : *row.happened; };
        return std::tuple{a.what, round(a), a.from, a.to} < std::tuple{b.what, round(b), b.from, b.to};
    });
    return rows;
}

Run inRoundsOf(const Run& run, const engine::Schedule& schedule, const engine::Progress& progress) {
    const std::vector<Planned> plan = planned(schedule, progress);
    const std::vector<std::size_t> places = matched(run, plan);
    std::vector<std::uint32_t> order(run.messages.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return run.messages.sendBegin()[i]; });
    InRounds placed{.rounds = std::vector<Round>(order.size()), .order = {}};
    std::vector<Round> last(engine::asSize(run.ranks));
    for (const std::uint32_t i : order) {
        Round& round = last[run.messages.from()[i].index()];
        if (places[i] != none) round = plan[places[i]].round;
        placed.rounds[i] = round;
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
        return std::pair{placed.rounds[i], run.messages.from()[i]};
    });
    placed.order = std::move(order);
    Run made;
    made.setting = run.setting;
    made.ranks = run.ranks;
    made.groupA = run.groupA;
    made.groupB = run.groupB;
    made.duration = run.duration;
    addInRounds(made, placed, [&](std::uint32_t i, Round round) {
        MessageRecord message = run.messages[i];
        message.round = round;
        made.messages.push(message, {});
    });
    return made;
}

std::vector<ChangeRow> changes(const Run& a, const Run& b) {
    std::vector<Planned> other;
    for (std::size_t i = 0; i < b.messages.size(); ++i) {
        const MessageRecord m = b.messages[i];
        other.push_back({m.from, m.to, m.round, m.bytes});
    }
    const std::vector<std::size_t> places = matched(a, other);
    std::vector<ChangeRow> rows;
    std::vector<bool> shared(other.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const MessageRecord m = a.messages[i];
        ChangeRow row{m.from, m.to, m.bytes, m.round, std::nullopt, {}};
        if (places[i] != none) {
            shared[places[i]] = true;
            row.roundB = other[places[i]].round;
            row.later = b.messages.receiveEnd()[places[i]] - m.receiveEnd;
            if (row.roundA == row.roundB && row.later.count() == 0) continue;
        }
        rows.push_back(row);
    }
    for (std::size_t i = 0; i < other.size(); ++i)
        if (!shared[i]) rows.push_back({other[i].from, other[i].to, other[i].bytes, std::nullopt, other[i].round, {}});
    std::stable_sort(rows.begin(), rows.end(), [](const ChangeRow& x, const ChangeRow& y) {
        const auto kind = [](const ChangeRow& row) {
            return !row.roundB ? 0 : !row.roundA ? 1 : row.roundA != row.roundB ? 2 : 3;
        };
        const auto size = [](const ChangeRow& row) { return -std::abs(row.later.count()); };
        return std::tuple{kind(x), size(x)} < std::tuple{kind(y), size(y)};
    });
    return rows;
}

std::vector<PortRow> portViolations(const Run& run, int ports) {
    struct Change {
        Picoseconds time;
        int by;
    };
    std::vector<std::vector<Change>> sides(static_cast<std::size_t>(run.ranks) * 2);
    const auto note = [&](Rank rank, bool sending, Picoseconds begin, Picoseconds end) {
        if (end <= begin) return;
        auto& side = sides[rank.index() * 2 + (sending ? 1 : 0)];
        side.push_back({begin, 1});
        side.push_back({end, -1});
    };
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord m = run.messages[i];
        note(m.from, true, m.sendBegin, m.sendEnd);
        note(m.to, false, m.receiveBegin, m.receiveEnd);
    }
    std::vector<PortRow> rows;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        auto& side = sides[i];
        std::sort(side.begin(), side.end(), [](const Change& a, const Change& b) {
            return std::tuple{a.time, a.by} < std::tuple{b.time, b.by};
        });
        PortRow row{Rank{static_cast<std::int32_t>(i / 2)}, i % 2 == 1, 0, 0, {}};
        std::int64_t open = 0;
        for (const Change& change : side) {
            open += change.by;
            if (change.by > 0 && open > ports) {
                if (row.times++ == 0) row.first = change.time;
                row.atOnce = std::max(row.atOnce, open);
            }
        }
        if (row.times > 0) rows.push_back(row);
    }
    return rows;
}

namespace {

/// What arrived, in the order of arriving: receiver and ranges.
using Arrivals = std::vector<std::pair<Rank, std::vector<Range>>>;

/// Nothing when no content is known. `inferred` becomes true where contents had to be taken from the schedule.
std::optional<Arrivals> arrivals(const Run& run, const engine::Schedule* schedule, bool& inferred,
                                 const engine::Progress& progress) {
    bool all = true;
    bool any = false;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const bool known = run.messages.bytes()[i] == 0 || !run.messages.what(i).empty();
        all = all && known;
        any = any || !run.messages.what(i).empty();
    }
    inferred = !all;
    if (!all && (any || schedule == nullptr)) return std::nullopt;
    std::vector<Planned> plan;
    std::vector<std::size_t> places;
    if (inferred) {
        plan = planned(*schedule, progress);
        places = matched(run, plan);
    }
    std::vector<std::size_t> order(run.messages.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return run.messages.receiveEnd()[a] < run.messages.receiveEnd()[b];
    });
    Arrivals come;
    for (const std::size_t i : order) {
        const auto what = run.messages.what(i);
        if (!inferred) come.emplace_back(run.messages.to()[i], std::vector<Range>{what.begin(), what.end()});
        else if (places[i] != none) come.emplace_back(run.messages.to()[i], plan[places[i]].what);
    }
    return come;
}

}  // namespace

std::optional<Deliveries> deliveries(const Run& run, const engine::Problem& problem, const engine::Schedule* schedule,
                                     const engine::Progress& progress) {
    if (engine::isReduction(problem.collective)) return std::nullopt;
    Deliveries found;
    const std::optional<Arrivals> come = arrivals(run, schedule, found.inferred, progress);
    if (!come) return std::nullopt;
    const engine::Contract contract{problem};
    std::map<std::pair<Rank, engine::Block>, DeliveryRow> rows;
    const auto note = [&](Rank rank, Range range, Bytes DeliveryRow::*side) {
        for (Bytes at = range.begin; at < range.end;) {
            const engine::Block block{problem.layout.blockAt(at)};
            const Bytes end = std::min(range.end, problem.layout.offset(block.value + 1));
            DeliveryRow& row = rows[{rank, block}];
            row.rank = rank;
            row.block = block;
            row.*side += end - at;
            at = end;
        }
    };
    std::vector<engine::ByteSet> held(static_cast<std::size_t>(std::max(run.ranks, problem.ranks())));
    for (std::size_t rank = 0; rank < held.size(); ++rank) {
        held[rank].add(contract.before(Rank{static_cast<std::int32_t>(rank)}));
    }
    const Range line = problem.layout.whole();
    for (const auto& [rank, what] : *come)
        for (const Range& range : what) {
            const Range within{std::max(range.begin, line.begin), std::min(range.end, line.end)};
            held[rank.index()].add(
                within, [](Range) {}, [&, to = rank](Range again) { note(to, again, &DeliveryRow::twice); });
        }
    for (Rank rank{0}; rank.value < problem.ranks(); ++rank)
        for (const Range wanted : contract.after(rank))
            held[rank.index()].eachGap(wanted, [&](Range gap) { note(rank, gap, &DeliveryRow::never); });
    for (const auto& [key, row] : rows) found.rows.push_back(row);
    return found;
}

}  // namespace app::analysis
