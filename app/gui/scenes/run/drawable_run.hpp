// SPDX-License-Identifier: BSD-3-Clause
// A report, prepared for drawing: what every frame would otherwise compute again.
#pragma once

#include "app/analysis/collectives/rank_groups.hpp"
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/dataflow/block_ownership.hpp"
#include "app/analysis/dataflow/block_route.hpp"
#include "app/analysis/dataflow/reduction_order.hpp"
#include "app/analysis/overview/analysis_queue.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/gui/scenes/drawing/scene.hpp"
#include "app/gui/scenes/graph_layout/network_shape.hpp"
#include "app/gui/scenes/run/counter_example_view.hpp"
#include "app/gui/scenes/run/density.hpp"
#include "app/gui/scenes/run/lazy_statistics.hpp"
#include "app/gui/scenes/run/loaded_program.hpp"
#include "app/gui/scenes/run/message_index.hpp"
#include "traces/recording/by_rank.hpp"
#include "traces/recording/recording.hpp"

#include <array>
#include <limits>
#include <span>

namespace app::gui {

/// Where a rank belongs. Leaders are those of the groups of a collective in two levels.
enum class Side : std::uint8_t { whole, leader, a, b, dummy };

/// Rounds `first` to `last`, both included.
struct RoundSpan {
    engine::Round first{};
    engine::Round last{};

    [[nodiscard]] bool one() const { return first == last; }
    friend bool operator==(const RoundSpan&, const RoundSpan&) = default;
};

class DrawableRun {
public:
    /// Whether the rounds of a trace are known: those of a part of it that was opened are, recovered or not.
    enum class Rounds : std::uint8_t { asRecorded, known };

    /// `recording`: what the archive held that the report is about; null where it is about none. Throws Cancelled.
    explicit DrawableRun(Report report, traces::RecordingPtr recording = {}, const engine::Progress& progress = {},
                         Rounds rounds = Rounds::asRecorded);

    [[nodiscard]] const Report& report() const { return *report_; }
    [[nodiscard]] const traces::RecordingPtr& recording() const { return recording_; }
    [[nodiscard]] const engine::Run& run() const { return *report_->run; }
    /// What questions about it are put to.
    [[nodiscard]] const std::shared_ptr<analysis::AnalysisQueue>& queue() const { return queue_; }
    /// A trace of a program: Tracks show it, and call tree and iterations tell where and when.
    [[nodiscard]] bool isProgram() const { return programmed_ != nullptr; }
    /// Of a program: from its first message or collective to the last.
    [[nodiscard]] traces::TimeSpan communication() const { return communication_; }
    /// Of a program: whether what its pictures need is there; begins to find it out.
    [[nodiscard]] bool programReady() const { return programmed_->done(); }
    /// Of a program: what can be seen of it meanwhile; null where that is nothing yet, or all is there.
    [[nodiscard]] analysis::TracedProgramPtr programAtFirst() const { return firstSight_->program(); }
    /// Of a program: waits for that.
    [[nodiscard]] const ProgramResult& programmed() const { return programmed_->get(); }
    /// Rounds were recorded. In traces of other tools they were not: all messages count as one round of the run, which
    /// nobody is to be shown; answers recover those of each collective.
    [[nodiscard]] bool hasRounds() const { return rounds_ == Rounds::known || run().setting.on != "trace"; }
    /// The problem of the plan, else the one that the run's setting states; nothing when neither is known.
    [[nodiscard]] const std::optional<engine::Problem>& problem() const { return problem_; }
    [[nodiscard]] Side sideOf(engine::Rank rank) const;
    [[nodiscard]] bool hasLeaders() const { return !leads_.empty(); }
    /// Ranks that share a node or row of the network; or that communicate as a group: a side, a recorded communicator,
    /// a group of a collective in two levels. Empty where there are fewer than two such groups.
    [[nodiscard]] const std::vector<analysis::RankGroup>& groupsBy(ProgramTimelineView::Groups groups) const;

    /// Where every round stands (`middleBegin`) and, last, the end of the run: the stops of "step forward". Strictly
    /// rising.
    [[nodiscard]] const std::vector<engine::Picoseconds>& stops() const { return stops_; }
    /// When the first message began; the end of a run without one.
    [[nodiscard]] engine::Picoseconds firstBegin() const {
        return roundBegins_.empty() ? run().duration : roundBegins_.front().first;
    }
    /// One round for `time`: the latest of `roundsAt` of which at least half of the messages have begun. Without
    /// lockstep, ranks are in different rounds: `roundsAt` has all of them.
    [[nodiscard]] engine::Round roundAt(engine::Picoseconds time) const;
    /// From the earliest round that is not over at `time` to the latest that has begun.
    [[nodiscard]] RoundSpan roundsAt(engine::Picoseconds time) const;
    /// The latest round in which `rank` has begun a kept message at `time`; nothing before its first one.
    [[nodiscard]] std::optional<engine::Round> roundOf(engine::Rank rank, engine::Picoseconds time) const;
    /// When half of the kept messages of a round that has some had begun: where its number stands, and where one goes
    /// who goes to the round.
    [[nodiscard]] engine::Picoseconds middleBegin(engine::Round round) const { return middleBegins_[round.index()]; }
    /// The last stop at or before `time`; 0 before the first.
    [[nodiscard]] engine::Picoseconds roundBegan(engine::Picoseconds time) const;
    /// Messages in flight at `time` (some port busy), by index into run().messages.
    [[nodiscard]] std::vector<std::size_t> messagesAt(engine::Picoseconds time) const;

    /// Kept messages by time.
    [[nodiscard]] const MessageIndex& index() const { return index_; }

    /// Kept messages that a rank sends, and those it receives, by index, in the order of rounds.
    [[nodiscard]] std::span<const std::uint32_t> sentBy(engine::Rank rank) const { return sent_->of(rank); }
    [[nodiscard]] std::span<const std::uint32_t> receivedBy(engine::Rank rank) const { return received_->of(rank); }
    /// Whether a rank combines at `time` what it received.
    [[nodiscard]] bool combines(engine::Rank rank, engine::Picoseconds time) const;
    /// How many messages are in flight at one time, at most; nothing where that would take long to find out.
    [[nodiscard]] std::optional<std::int64_t> mostUnderWay() const { return mostUnderWay_; }
    /// Whether it computes between the halves of a split-phase call, and when all ranks do: by rank, then time.
    [[nodiscard]] bool computes(engine::Rank rank, engine::Picoseconds time) const;
    [[nodiscard]] const std::vector<engine::LocalWork>& computing() const { return computing_; }
    /// When a rank's last message ended, or what it combined then; 0 without one.
    [[nodiscard]] engine::Picoseconds doneAt(engine::Rank rank) const { return doneAt_[rank.index()]; }
    /// When a rank came to the collective; 0 where all were there from the first moment on, or where it is unknown.
    [[nodiscard]] engine::Picoseconds thereAt(engine::Rank rank) const {
        return rank.index() < rankTimeBreakdowns_.size() ? rankTimeBreakdowns_[rank.index()].notYetEntered
                                                         : engine::Picoseconds{};
    }
    [[nodiscard]] bool anyAbsent() const { return anyAbsent_; }
    /// How a rank spent the run; nothing where the run does not say.
    [[nodiscard]] std::span<const analysis::RankTimeBreakdown> rankTimeBreakdowns() const {
        return rankTimeBreakdowns_;
    }
    /// How long a message is on its way where neither end works at it: L of LogGP, else nothing.
    [[nodiscard]] engine::Picoseconds latency() const {
        return report_->model && report_->model->logGP ? report_->model->logGP->latency : engine::Picoseconds{};
    }
    /// Whether a kept message was sent before its receiver was ready for it, and had to wait there.
    [[nodiscard]] bool queued(std::size_t message) const {
        const engine::Messages& messages = run().messages;
        return messages.receiveBegin()[message] > messages.sendBegin()[message] + latency() &&
               messages.receiveEnd()[message] > messages.sendEnd()[message] + latency();
    }
    [[nodiscard]] bool anyQueued() const { return anyQueued_; }
    /// Bytes of the largest kept message.
    [[nodiscard]] engine::Bytes largestMessage() const { return largestMessage_; }
    /// Whether kept messages are of several sizes.
    [[nodiscard]] bool sizesDiffer() const { return smallestMessage_ < largestMessage_; }
    /// Bytes through the busiest link in the busiest round; 0 where there is none.
    [[nodiscard]] engine::Bytes peakLoad() const { return peakLoad_; }

    [[nodiscard]] const NetworkShape& blueprint() const { return blueprint_; }
    [[nodiscard]] const analysis::Columns& columns() const { return columns_; }
    [[nodiscard]] const analysis::BlockOwnership& holdings() const { return holdings_; }
    /// Nothing where the schedule was not refuted.
    [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
    /// What is wrong, as a sentence; empty where nothing is known to be.
    [[nodiscard]] QString faultInWords() const { return QString::fromStdString(report_->fault); }
    /// The name of a schedule that is played by hand. Before the end of the game it solves no problem, which is no
    /// fault.
    static constexpr const char* playedByHand = "played-by-hand.json";
    [[nodiscard]] bool isUnfinished() const {
        return !report_->fault.empty() && run().setting.algorithm == playedByHand;
    }
    /// In which order results are reduced, as planned.
    [[nodiscard]] const analysis::ReductionOrder& order() const { return order_; }
    /// Whether vectors are reduced block by block: columns are blocks of the vector.
    [[nodiscard]] bool cutVectors() const {
        return problem_ && engine::combinesVectors(problem_->collective) &&
               columns_.kind() == analysis::Columns::Kind::blocks;
    }
    /// Waits until everything is counted; whoever must not wait asks `counted` first.
    [[nodiscard]] const Tallies& tallies() const { return counting_->tallies(); }
    [[nodiscard]] bool counted() const { return counting_->done(); }
    /// Empty where there are so few messages that they are drawn one by one.
    [[nodiscard]] const Density& density() const { return density_; }
    /// Whether a message carries some of a column.
    [[nodiscard]] bool carries(std::size_t message, std::int32_t column) const {
        return analysis::carries(run(), columns_, message, column);
    }
    /// The way of a column through the run: looked for when it is first asked for, as most never are.
    [[nodiscard]] std::shared_ptr<const analysis::Route> routeOf(std::int32_t column) const;
    /// Whether chains can be asked for; begins to find out what they need. Never of traces without rounds.
    [[nodiscard]] bool chainsReady() const;
    /// The chain that decided when a kept message arrived, of a long one the end; null while it is unknown.
    [[nodiscard]] std::shared_ptr<const analysis::Chain> chainTo(std::uint32_t message) const;
    /// The message that a rank is in at `time`, else the one it waits for; nothing after its last one, and while chains
    /// is unknown.
    [[nodiscard]] std::optional<std::uint32_t> messageOf(engine::Rank rank, engine::Picoseconds time) const;
    /// Column of the first part that a message carries; -1 when not known.
    [[nodiscard]] std::int32_t columnOf(std::size_t message) const;
    /// First and last block (segment, contribution) of every range that a message carries.
    [[nodiscard]] std::vector<std::pair<std::int32_t, std::int32_t>> carried(std::size_t message) const;
    /// Of a block that goes from one rank to one other "0→1", else its number.
    [[nodiscard]] QString labelOf(std::int32_t block) const;
    /// Of a column: "block 3", "block 0→1", "blocks 4-7", "the message".
    [[nodiscard]] QString columnName(std::int32_t column) const;
    /// What a message carries, short: "3", "0→1", "3-5", "0, 4", "1 +3" (three more), for a partial result "Σ4"; empty
    /// when not known.
    [[nodiscard]] QString cargoOf(std::size_t message) const;
    /// The same as a phrase: "block 3", "block 1 and 3 more", "a sum of 4 contributions"; "a message" when not known.
    [[nodiscard]] QString cargoInWords(std::size_t message) const;
    /// Colour of a column, a message that carries it and its lines; grey when not known.
    [[nodiscard]] QColor colourOf(std::int32_t column, bool dark) const;

private:
    struct KeptRoute;
    struct KeptChains;

    static std::shared_ptr<KeptChains> chainsOf(const std::shared_ptr<const Report>& report);

    void noteRounds();
    void noteMiddles();
    void noteMessages();
    void noteLeaders();
    void noteGroups();
    /// First ranks of groups, rising, where each is a row of ranks.
    [[nodiscard]] std::vector<std::int32_t> groupEdges() const;

    Rounds rounds_;
    std::shared_ptr<const Report> report_;
    traces::RecordingPtr recording_;
    std::shared_ptr<analysis::AnalysisQueue> queue_;
    std::shared_ptr<EarlyProgram> firstSight_;
    std::shared_ptr<const Later<ProgramResult>> programmed_;  // null where it is no program
    traces::TimeSpan communication_;
    std::optional<engine::Problem> problem_;
    std::vector<engine::Picoseconds> stops_;
    std::vector<std::pair<engine::Picoseconds, engine::Round>> roundBegins_;   // by begin; rounds rising
    std::vector<std::pair<engine::Picoseconds, engine::Round>> roundMiddles_;  // by middleBegin
    std::vector<engine::Picoseconds> overUpTo_;      // by round: when it and all before it are over
    std::vector<engine::Picoseconds> middleBegins_;  // by round
    MessageIndex index_;
    std::optional<traces::Grouped> sent_;      // kept messages by their sender, in the order of rounds
    std::optional<traces::Grouped> received_;  // and by their receiver
    std::vector<engine::Picoseconds> doneAt_;
    std::vector<engine::LocalWork> computing_;
    std::optional<std::int64_t> mostUnderWay_;
    std::vector<analysis::RankTimeBreakdown> rankTimeBreakdowns_;  // by rank
    bool anyAbsent_ = false;
    std::vector<bool> leads_;  // by rank, where there are leaders of groups
    std::vector<analysis::RankGroup> nodes_;
    std::vector<analysis::RankGroup> communicators_;
    engine::Bytes largestMessage_ = 0;
    engine::Bytes smallestMessage_ = std::numeric_limits<engine::Bytes>::max();
    bool anyQueued_ = false;
    engine::Bytes peakLoad_ = 0;
    NetworkShape blueprint_;
    analysis::Columns columns_;
    analysis::BlockOwnership holdings_;
    std::optional<Fault> fault_;
    analysis::ReductionOrder order_;
    Density density_;
    std::array<std::vector<QColor>, 2> colours_;  // of the columns, on light and on dark paper
    std::shared_ptr<const Counting> counting_;
    std::shared_ptr<KeptRoute> route_;    // that was asked for last
    std::shared_ptr<KeptChains> chains_;  // likewise
};

/// "group A", "senders", ...: what the members of a side are called; empty where there is one group.
QString nameOf(const DrawableRun& subject, Side side);

}  // namespace app::gui
