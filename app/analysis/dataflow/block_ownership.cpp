// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/dataflow/block_ownership.hpp"

#include "engine/base/interval_set.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/proof/partials.hpp"
#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace app::analysis {
namespace {

using engine::Range;

Range common(Range a, Range b) {
    const engine::Bytes begin = std::max(a.begin, b.begin);
    return {begin, std::max(begin, std::min(a.end, b.end))};
}

template <class Visit>
void forColumns(const Columns& columns, Range range, Visit visit) {
    for (std::int32_t column = columns.columnAt(range.begin); column < columns.count(); ++column) {
        const Range part = common(range, columns.range(column));
        if (columns.range(column).begin >= range.end) return;
        if (!part.empty()) visit(column, part.size());
    }
}

std::vector<std::size_t> byArrival(const engine::Run& run) {
    std::vector<std::size_t> order(run.messages.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto ends = run.messages.receiveEnd();
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ends[a] < ends[b]; });
    return order;
}

/// What each message brings where a rank may send what it does not hold: only what it does.
std::vector<std::vector<Range>> broughtBy(const engine::Contract& contract, const engine::Facts& facts,
                                          const engine::Run& run) {
    const auto ranks = static_cast<std::size_t>(run.ranks);
    std::vector<engine::ByteSet> held(ranks);
    std::vector<engine::ByteSet> arrived(ranks);
    for (engine::Rank rank{0}; rank.value < run.ranks; ++rank) held[rank.index()].add(contract.before(rank));
    std::vector<std::vector<Range>> brought(run.messages.size());
    std::optional<engine::Round> last;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord message = run.messages[i];
        if (last && facts.untilJoin(*last).end() <= message.round)
            for (std::size_t rank = 0; rank < ranks; ++rank) held[rank].take(arrived[rank]);
        last = message.round;
        const auto keep = [&](Range part) {
            if (part.empty()) return;
            brought[i].push_back(part);
            arrived[message.to.index()].add(part);
        };
        for (const Range range : run.messages.what(i)) {
            engine::Bytes at = range.begin;
            held[message.from.index()].eachGap(range, [&](Range gap) {
                keep({at, gap.begin});
                at = gap.end;
            });
            keep({at, range.end});
        }
    }
    return brought;
}

/// Cut vectors are followed by what the schedule makes of them, which is what happened only where all of it happened:
/// a sentence about the first round of which messages are missing, or nothing.
std::string whyIncomplete(const engine::Schedule& schedule, const engine::Run& run) {
    const engine::Facts& facts = schedule.facts();
    engine::Batch planned;
    std::size_t next = 0;
    for (engine::Round round{0}; round.value < facts.rounds; ++round) {
        planned.reset(0);
        schedule.batch(round, engine::Rank{0}, engine::Rank{facts.ranks}, planned);
        const std::size_t first = next;
        while (next < run.messages.size() && run.messages.round()[next] == round) ++next;
        if (next - first != planned.size())
            return engine::text("Round ", round.value + 1, " has ", next - first, " of the ", planned.size(),
                                " messages of its schedule, so the partial results are unknown.");
    }
    return {};
}

std::string whyUnknown(const engine::Problem& problem, const engine::Plan* plan, const engine::Run& run,
                       const Columns& columns) {
    if (run.droppedMessages > 0)
        return engine::text("Only ", run.messages.size(), " of ", run.messageCount,
                            " messages were kept, so that block ownership is unknown.");
    if (problem.layout.total() == 0 && problem.collective != engine::Collective::barrier)
        return "The blocks are empty: no rank holds any data.";
    bool any = run.messages.empty();
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        any = any || !run.messages.what(i).empty();
        if (run.messages.bytes()[i] > 0 && run.messages.what(i).empty())
            return "What the messages carried was not recorded.";
    }
    if (!any) return "What the messages carried was not recorded.";
    if (!engine::isReduction(problem.collective)) return {};
    if (plan == nullptr) return "Which partial results the messages were combined into was not recorded.";
    if (!plan->schedule->facts().pieces && columns.count() < problem.ranks())
        return engine::text("Contributions of ", problem.ranks(), " ranks are too many to follow one by one.");
    if (plan->schedule->facts().pieces) return whyIncomplete(*plan->schedule, run);
    return {};
}

}  // namespace

BlockOwnership::BlockOwnership(const engine::Problem& problem, const engine::Plan* plan, const engine::Verdict* verdict,
                               const engine::Run& run, const Columns& columns)
    : unknown_{whyUnknown(problem, plan, run, columns)} {
    if (!unknown_.empty()) return;
    for (std::int32_t column = 0; column < columns.count(); ++column) sizes_.push_back(columns.range(column).size());
    starts_.resize(static_cast<std::size_t>(run.ranks) * sizes_.size());
    begin(problem, columns);
    if (!engine::isReduction(problem.collective)) {
        const bool refuted = plan != nullptr && verdict != nullptr && !verdict->proved;
        keep(followBytes(problem, refuted ? &plan->schedule->facts() : nullptr, run, columns));
    } else if (plan->schedule->facts().pieces) {
        keep(followPieces(*plan, run, columns));
    } else {
        keep(followPartials(*plan, run, columns));
    }
}

void BlockOwnership::begin(const engine::Problem& problem, const Columns& columns) {
    const engine::Contract contract{problem};
    const bool contributions = columns.kind() == Columns::Kind::contributions;
    for (engine::Rank rank{0}; rank.value < problem.ranks(); ++rank) {
        const std::vector<Range> after = contract.after(rank);
        const auto result = contract.result(rank);
        const auto [first, end] = contract.contributors(rank);
        for (std::int32_t column = 0; column < columns.count(); ++column) {
            const Range range = columns.range(column);
            Start& start = starts_[cell(rank.value, column)];
            if (!engine::isReduction(problem.collective)) {
                start.held = common(range, contract.before(rank)).size();
                for (const Range wanted : after) start.needed += common(range, wanted).size();
            } else if (contributions) {
                start.held = common(range, {rank.value, rank.value + 1}).size();
                start.needed = result ? common(range, {first, end}).size() : 0;
            } else {
                start.held = range.size();
                start.needed = result ? common(range, *result).size() * (end - first) : 0;
            }
        }
    }
    if (engine::isReduction(problem.collective) && !contributions)
        for (engine::Bytes& size : sizes_) size *= problem.ranks();
}

/// Every rank's result as bytes times contributions, block by block; all messages of the schedule are there.
std::vector<BlockOwnership::Noted> BlockOwnership::followPieces(const engine::Plan& plan, const engine::Run& run,
                                                                const Columns& columns) {
    const engine::Schedule& schedule = *plan.schedule;
    engine::Partials partials{schedule.facts(), plan.problem};
    std::vector<engine::Turn> turns(static_cast<std::size_t>(schedule.facts().ranks));
    const bool once = engine::Contract{plan.problem}.demand() != engine::Demand::atLeastOnce;
    std::vector<Noted> noted;
    const auto look = [&](engine::Rank rank, const auto& take) {
        for (std::int32_t column = 0; column < columns.count(); ++column) {
            const Range range = columns.range(column);
            Change change;
            const engine::PartialVector here = partials.result(rank).in({&range, 1});
            for (const auto& [part, partial] : here.pieces()) {
                engine::Bytes terms = 0;
                for (const auto& [first, last] : partial.stretches()) terms += std::abs(last - first) + 1;
                change.held += part.size() * terms;
                if (once && partial.repeated()) change.again += part.size();
            }
            take(cell(rank.value, column), change);
        }
    };
    for (engine::Rank rank{0}; rank.value < run.ranks; ++rank)
        look(rank, [&](std::size_t at, const Change& change) { starts_[at].held = change.held; });
    std::vector<engine::Picoseconds> ends(turns.size());
    for (std::size_t next = 0; next < run.messages.size();) {
        const engine::Round round = run.messages.round()[next];
        std::fill(ends.begin(), ends.end(), engine::Picoseconds::min());
        for (; next < run.messages.size() && run.messages.round()[next] == round; ++next) {
            engine::Picoseconds& end = ends[run.messages.to()[next].index()];
            end = std::max(end, run.messages.receiveEnd()[next]);
        }
        for (std::size_t r = 0; r < turns.size(); ++r)
            schedule.turn(engine::Rank{static_cast<std::int32_t>(r)}, round, turns[r]);
        partials.apply(turns);
        for (engine::Rank rank{0}; rank.value < run.ranks; ++rank) {
            if (ends[rank.index()] == engine::Picoseconds::min()) continue;
            look(rank, [&](std::size_t at, Change change) {
                change.time = ends[rank.index()];
                noted.push_back({at, change});
            });
        }
    }
    return noted;
}

std::vector<BlockOwnership::Noted> BlockOwnership::followBytes(const engine::Problem& problem,
                                                               const engine::Facts* refuted, const engine::Run& run,
                                                               const Columns& columns) {
    const engine::Contract contract{problem};
    std::vector<engine::ByteSet> held(static_cast<std::size_t>(run.ranks));
    std::vector<Change> now(starts_.size());
    for (std::int32_t rank = 0; rank < run.ranks; ++rank) {
        if (rank < problem.ranks()) held[static_cast<std::size_t>(rank)].add(contract.before(engine::Rank{rank}));
        for (std::int32_t column = 0; column < columns.count(); ++column)
            now[cell(rank, column)].held = starts_[cell(rank, column)].held;
    }
    const std::vector<std::vector<Range>> brought =
        refuted != nullptr ? broughtBy(contract, *refuted, run) : std::vector<std::vector<Range>>{};
    std::vector<Noted> noted;
    for (const std::size_t i : byArrival(run)) {
        const engine::MessageRecord message = run.messages[i];
        const auto note = [&](std::int32_t column) {
            Change& change = now[cell(message.to.value, column)];
            change.time = message.receiveEnd;
            noted.push_back({cell(message.to.value, column), change});
        };
        for (const Range range : brought.empty() ? run.messages.what(i) : std::span<const Range>{brought[i]}) {
            const auto fresh = [&](Range part) {
                forColumns(columns, part, [&](std::int32_t column, engine::Bytes bytes) {
                    now[cell(message.to.value, column)].held += bytes;
                    note(column);
                });
            };
            const auto again = [&](Range part) {
                forColumns(columns, part, [&](std::int32_t column, engine::Bytes bytes) {
                    now[cell(message.to.value, column)].again += bytes;
                    note(column);
                });
            };
            held[message.to.index()].add(range, fresh, again);
        }
    }
    return noted;
}

/// Every rank's slots as counts per contribution; a turn's receives change them in the order of the turn.
std::vector<BlockOwnership::Noted> BlockOwnership::followPartials(const engine::Plan& plan, const engine::Run& run,
                                                                  const Columns& columns) {
    const engine::Facts& facts = plan.schedule->facts();
    const auto width = static_cast<std::size_t>(columns.count());
    const auto slots = static_cast<std::size_t>(facts.slots);
    std::vector<std::int32_t> counts(static_cast<std::size_t>(run.ranks) * slots * width);
    const auto slotOf = [&](engine::Rank rank, std::size_t slot) {
        return std::span{counts}.subspan((rank.index() * slots + slot) * width, width);
    };
    for (std::int32_t rank = 0; rank < columns.count(); ++rank)
        for (std::size_t slot = 0; slot < slots; ++slot)
            if ((facts.own >> slot & 1U) != 0) slotOf(engine::Rank{rank}, slot)[static_cast<std::size_t>(rank)] = 1;
    const auto result = static_cast<std::size_t>(facts.result);
    for (std::int32_t rank = 0; rank < run.ranks; ++rank)
        for (std::int32_t column = 0; column < columns.count(); ++column)
            starts_[cell(rank, column)].held = slotOf(engine::Rank{rank}, result)[static_cast<std::size_t>(column)];

    const bool once = plan.problem.collective != engine::Collective::barrier;
    std::vector<Noted> noted;
    engine::Turn turn;
    const auto senderOf = [&](std::size_t message) { return run.messages.from()[message]; };
    // Messages lie by round: those of one round are handed to their receivers, in the order of the receivers' turns.
    std::size_t next = 0;
    while (next < run.messages.size()) {
        const engine::Round round = run.messages.round()[next];
        std::vector<std::vector<std::size_t>> coming(static_cast<std::size_t>(run.ranks));
        for (; next < run.messages.size() && run.messages.round()[next] == round; ++next)
            coming[run.messages.to()[next].index()].push_back(next);
        for (std::int32_t rank = 0; rank < run.ranks; ++rank) {
            const auto& waiting = coming[static_cast<std::size_t>(rank)];
            if (waiting.empty()) continue;
            plan.schedule->turn(engine::Rank{rank}, round, turn);
            engine::Picoseconds time{};
            for (std::size_t i = 0; i < turn.receives().size(); ++i) {
                const engine::Message& receive = turn.receives()[i];
                const auto place =
                    engine::placeOf(waiting, receive.peer, engine::ordinalOf(turn.receives(), i), senderOf);
                if (!place) continue;
                const std::size_t message = waiting[*place];
                time = std::max(time, run.messages.receiveEnd()[message]);
                for (std::size_t slot = 0; slot < slots; ++slot) {
                    if ((receive.slots >> slot & 1U) == 0) continue;
                    const auto held = slotOf(engine::Rank{rank}, slot);
                    if (receive.action == engine::Action::keep) std::fill(held.begin(), held.end(), 0);
                    for (const Range terms : run.messages.what(message))
                        for (engine::Bytes term = terms.begin; term < terms.end; ++term)
                            ++held[static_cast<std::size_t>(term)];
                }
            }
            const auto held = slotOf(engine::Rank{rank}, result);
            for (std::size_t column = 0; column < width; ++column) {
                const std::size_t at = cell(rank, static_cast<std::int32_t>(column));
                noted.push_back({at, {time, std::min(held[column], 1), once ? std::max(held[column] - 1, 0) : 0}});
            }
        }
    }
    return noted;
}

void BlockOwnership::keep(std::vector<Noted> noted) {
    std::stable_sort(noted.begin(), noted.end(), [](const Noted& a, const Noted& b) { return a.cell < b.cell; });
    firstChange_.reserve(starts_.size() + 1);
    for (const Noted& note : noted) {
        while (firstChange_.size() <= note.cell) firstChange_.push_back(changes_.size());
        const bool first = firstChange_[note.cell] == changes_.size();
        const engine::Bytes before = first ? starts_[note.cell].held : changes_.back().held;
        const engine::Bytes twice = first ? 0 : changes_.back().again;
        if (note.change.held != before || note.change.again != twice) changes_.push_back(note.change);
    }
    while (firstChange_.size() <= starts_.size()) firstChange_.push_back(changes_.size());
    for (const Change& change : changes_) moments_.push_back(change.time);
    std::sort(moments_.begin(), moments_.end());
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
    moments_.shrink_to_fit();
}

engine::Picoseconds BlockOwnership::lastChange(engine::Picoseconds time) const {
    const auto after = std::upper_bound(moments_.begin(), moments_.end(), time);
    return after == moments_.begin() ? engine::Picoseconds{} : *std::prev(after);
}

Holding BlockOwnership::at(engine::Rank rank, std::int32_t column, engine::Picoseconds time,
                           engine::Picoseconds lately) const {
    const std::size_t index = cell(rank.value, column);
    const auto begin = changes_.begin() + static_cast<std::ptrdiff_t>(firstChange_[index]);
    const auto end = changes_.begin() + static_cast<std::ptrdiff_t>(firstChange_[index + 1]);
    const auto after =
        std::upper_bound(begin, end, time, [](engine::Picoseconds t, const Change& c) { return t < c.time; });
    Holding found{
        .size = sizes_[static_cast<std::size_t>(column)], .held = starts_[index].held, .needed = starts_[index].needed};
    if (after == begin) return found;
    const Change& latest = *std::prev(after);
    found.held = latest.held;
    found.again = latest.again > 0;
    found.fresh = latest.time > lately || latest.time == time;
    return found;
}

Coverage BlockOwnership::coverageAt(engine::Picoseconds time) const {
    Coverage all;
    const auto columns = static_cast<std::int32_t>(sizes_.size());
    const auto ranks = static_cast<std::int32_t>(columns == 0 ? 0 : starts_.size() / sizes_.size());
    for (engine::Rank rank{0}; rank.value < ranks; ++rank)
        for (std::int32_t column = 0; column < columns; ++column) {
            const Holding here = at(rank, column, time, engine::Picoseconds::max());
            all.needed += here.needed > 0 ? 1 : 0;
            all.held += here.needed > 0 && here.held >= here.needed ? 1 : 0;
            all.neededBytes += static_cast<double>(here.needed);
            all.heldBytes += static_cast<double>(std::min(here.held, here.needed));
            all.again = all.again || here.again;
            all.through = all.through || here.held > here.needed;
        }
    return all;
}

}  // namespace app::analysis
