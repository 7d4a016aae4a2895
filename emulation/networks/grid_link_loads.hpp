// SPDX-License-Identifier: BSD-3-Clause
// Grids as lines of links. With dimension order a route is at most one run along a line per dimension, so that loads
// are added up at the ends of runs instead of link by link: +m where a run begins, -m behind it, and one sum along each
// line.
//
//   messages of 5 B over places 1 2 3 and of 7 B over 2 3:   0 +5 +7  0 -12  0      loads   0 5 12 12 0 0
#pragma once

#include "emulation/networks/grid.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

namespace emulation {

/// The lines of a ring, torus or mesh. A line has one direction; its slots are its links in the order of rising ranks.
/// Slots of all lines are counted through, line by line.
class Lines {
public:
    enum class Ends : std::uint8_t { joined, open };  ///< whether the last place of a line leads on to the first

    /// The link from `rank` to its successor (up) or predecessor in `dimension`.
    using LinkFrom = std::function<LinkId(int dimension, Rank rank, bool up)>;

    Lines(const std::vector<int>& lengths, Ends ends, Ties ties, const LinkFrom& linkFrom);

    /// Slots first, first + 1, ..., first + hops - 1 of the line that begins at slot `begin`, going round its end.
    struct Run {
        std::int32_t line = 0;
        std::int32_t begin = 0;
        std::int32_t length = 0;  ///< of the line
        std::int32_t first = 0;
        std::int32_t hops = 0;
    };

    /// Calls each(run) for every dimension in which the ranks differ.
    template <class Each>
    void eachRun(Rank from, Rank to, Each each) const {
        std::int32_t at = from.value;
        for (auto dimension = dimensions_.rbegin(); dimension != dimensions_.rend(); ++dimension) {
            const Position here = dimension->positions[engine::asSize(at)];
            const std::int32_t goal = dimension->positions[to.index()].place;
            if (here.place == goal) continue;
            each(dimension->run(here, goal, ends_, ties_));
            at += (goal - here.place) * dimension->stride;
        }
    }

    [[nodiscard]] std::int32_t lines() const { return static_cast<std::int32_t>(beginOf_.size()) - 1; }
    [[nodiscard]] std::int32_t slots() const { return beginOf_.back(); }
    /// First slot of `line`; that of lines() is behind the last.
    [[nodiscard]] std::int32_t beginOf(std::int32_t line) const { return beginOf_[engine::asSize(line)]; }
    [[nodiscard]] LinkId linkAt(std::int32_t slot) const { return links_[engine::asSize(slot)]; }

private:
    /// Where a rank stands in a dimension: on which of its rows, and in which place of it.
    struct Position {
        std::int32_t row = 0;
        std::int32_t place = 0;
    };
    struct Dimension {
        std::int32_t length = 1;
        std::int32_t stride = 1;
        std::int32_t rows = 1;
        std::int32_t links = 0;      ///< of a line
        std::int32_t firstLine = 0;  ///< lines up, row by row; then those down
        std::int32_t firstSlot = 0;
        std::vector<Position> positions;  ///< by rank

        [[nodiscard]] Run run(Position here, std::int32_t goal, Ends ends, Ties ties) const {
            bool up = goal > here.place;
            std::int32_t hops = up ? goal - here.place : here.place - goal;
            if (ends == Ends::joined) {
                const std::int32_t rising = up ? hops : length - hops;
                const bool turned = ties == Ties::simgrid && 2 * here.place == length && goal == 0;
                up = 2 * rising <= length && !turned;
                hops = up ? rising : length - rising;
            }
            const std::int32_t row = up ? here.row : rows + here.row;
            std::int32_t first = up ? here.place : here.place - hops + (ends == Ends::joined ? 1 : 0);
            if (first < 0) first += length;
            return {firstLine + row, firstSlot + row * links, links, first, hops};
        }
    };

    std::vector<Dimension> dimensions_;
    Ends ends_;
    Ties ties_;
    std::vector<std::int32_t> beginOf_;  // by line, and the number of slots
    std::vector<LinkId> links_;          // by slot
};

/// The busiest link of one round.
struct LinkPeak {
    LinkId link;
    engine::Bytes bytes = 0;  ///< through this link in this round; 0 = no link was used

    friend bool operator==(const LinkPeak&, const LinkPeak&) = default;
};

/// The loads of one round on lines.
class LineLoads {
public:
    explicit LineLoads(std::shared_ptr<const Lines> lines);

    void add(Rank from, Rank to, engine::Bytes bytes) {
        lines_->eachRun(from, to, [&](const Lines::Run& run) {
            runs_.push_back(run);
            if (bytes == 0) return;
            if (!touched_[engine::asSize(run.line)]) touch(run.line);
            engine::Bytes* line = load_.data() + run.begin;
            const std::int32_t behind = run.first + run.hops;
            line[run.first] += bytes;
            if (behind < run.length) {
                line[behind] -= bytes;
            } else if (behind > run.length) {
                line[0] += bytes;
                line[behind - run.length] -= bytes;
            }
        });
        runsOf_.push_back(static_cast<std::uint32_t>(runs_.size()));
    }
    /// After all messages of the round, before any question: turns differences into loads.
    void settle();
    /// Most bytes through a link on the route of the message with this index of addition, from 0.
    [[nodiscard]] engine::Bytes busiest(std::size_t message) const {
        engine::Bytes most = 0;
        for (std::uint32_t i = message == 0 ? 0 : runsOf_[message - 1]; i < runsOf_[message]; ++i) {
            const Lines::Run& run = runs_[i];
            const std::int32_t behind = run.first + run.hops;
            most = std::max(most, largest(run.begin + run.first, run.begin + std::min(behind, run.length)));
            if (behind > run.length) most = std::max(most, largest(run.begin, run.begin + behind - run.length));
        }
        return most;
    }
    /// The busiest link of the round, whose loads go into the totals.
    LinkPeak close();
    /// Adds the bytes of all rounds to those of each link, by LinkId.
    void addTotals(std::vector<engine::Bytes>& byLink) const;

private:
    static constexpr std::int32_t blockOf = 64;  // slots whose largest load is kept

    void touch(std::int32_t line) {
        touched_[engine::asSize(line)] = 1;
        lineList_.push_back(line);
    }
    /// The largest load of slots first..last-1.
    [[nodiscard]] engine::Bytes largest(std::int32_t first, std::int32_t last) const {
        engine::Bytes most = 0;
        const auto scan = [&](const std::vector<engine::Bytes>& loads, std::int32_t from, std::int32_t to) {
            for (std::int32_t i = from; i < to; ++i) most = std::max(most, loads[engine::asSize(i)]);
        };
        if (last - first <= 4 * blockOf) {
            scan(load_, first, last);
        } else {
            const std::int32_t firstBlock = (first + blockOf - 1) / blockOf;
            const std::int32_t lastBlock = last / blockOf;
            scan(load_, first, firstBlock * blockOf);
            scan(blocks_, firstBlock, lastBlock);
            scan(load_, lastBlock * blockOf, last);
        }
        return most;
    }

    std::shared_ptr<const Lines> lines_;
    std::vector<engine::Bytes> load_;     // by slot; differences until settled
    std::vector<engine::Bytes> blocks_;   // by block of slots, where lines are long
    std::vector<engine::Bytes> totals_;   // by slot
    std::vector<std::uint8_t> touched_;   // by line
    std::vector<std::int32_t> lineList_;  // the touched ones
    std::vector<Lines::Run> runs_;        // of all messages of the round
    std::vector<std::uint32_t> runsOf_;   // by message: behind its last run
};

}  // namespace emulation
