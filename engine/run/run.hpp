// SPDX-License-Identifier: BSD-3-Clause
// The record of one execution, whatever produced it: virtual time, threads, MPI, or a trace read back.
//
// RunBuilder, and the ledger of virtual time, make a Run. A finished Run never changes and is shared
// as `std::shared_ptr<const Run>`. It holds columns, not objects: views and questions scan them.
#pragma once

#include "engine/base/interval_set.hpp"
#include "engine/base/types.hpp"
#include "engine/run/rank_times.hpp"
#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// How a run was made: text that makes it repeatable, kept by archives as properties. Empty = not known.
struct Setting {
    std::string on;         ///< "virtual", "threads", "mpi" or "trace"
    std::string algorithm;  ///< id in the catalogue
    std::string options;    ///< "key=value key=value", those that differ from their fallbacks
    std::string problem;    ///< toText(Problem)
    std::string topology;   ///< "full", "ring", "torus:4x4"; empty when the network is not known
    std::string model;      ///< toText(Model) for virtual time
    /// "free" or "lockstep" for virtual time; over MPI "granted" where messages leave when their receivers say so.
    std::string progress;
    std::string sharing;  ///< "none", "bottleneck", ... for virtual time
    /// "neighbours-only" where messages were relayed along the links of `topology`; empty: as the algorithm sends them.
    std::string routing{};
    std::string
        perturbation{};  ///< "arrival=ramp:1ms slow-ranks=3:2", late and slow parts in virtual time; empty: none

    friend bool operator==(const Setting&, const Setting&) = default;
};

/// One message with the times its two ends were busy, since the start of the run.
struct MessageRecord {
    Rank from;
    Rank to;
    Round round;
    Bytes bytes = 0;
    Picoseconds sendBegin{};
    Picoseconds sendEnd{};
    Picoseconds receiveBegin{};
    Picoseconds receiveEnd{};

    friend bool operator==(const MessageRecord&, const MessageRecord&) = default;
};

/// Messages as columns, ordered by (round, from, position in the sender's turn).
class Messages {
public:
    void reserve(std::size_t messages);
    /// `what`: the ranges of the byte line it carried (gather-like), or the contributions in it as unit ranges in
    /// their order, consecutive rising ones merged (reductions of whole vectors), or the ranges of the vector
    /// (reductions that cut it); empty when not known.
    void push(const MessageRecord& message, std::span<const Range> what);

    [[nodiscard]] std::size_t size() const { return from_.size(); }
    [[nodiscard]] bool empty() const { return from_.empty(); }
    [[nodiscard]] MessageRecord operator[](std::size_t i) const {
        return {from_[i], to_[i], round_[i], bytes_[i], sendBegin_[i], sendEnd_[i], receiveBegin_[i], receiveEnd_[i]};
    }
    [[nodiscard]] std::span<const Range> what(std::size_t i) const {
        return {what_.data() + whatStart_[i], whatStart_[i + 1] - whatStart_[i]};
    }
    [[nodiscard]] std::span<const Rank> from() const { return from_; }
    [[nodiscard]] std::span<const Rank> to() const { return to_; }
    [[nodiscard]] std::span<const Round> round() const { return round_; }
    [[nodiscard]] std::span<const Bytes> bytes() const { return bytes_; }
    [[nodiscard]] std::span<const Picoseconds> sendBegin() const { return sendBegin_; }
    [[nodiscard]] std::span<const Picoseconds> sendEnd() const { return sendEnd_; }
    [[nodiscard]] std::span<const Picoseconds> receiveBegin() const { return receiveBegin_; }
    [[nodiscard]] std::span<const Picoseconds> receiveEnd() const { return receiveEnd_; }

    friend bool operator==(const Messages&, const Messages&) = default;

private:
    std::vector<Rank> from_;
    std::vector<Rank> to_;
    std::vector<Round> round_;
    std::vector<Bytes> bytes_;
    std::vector<Picoseconds> sendBegin_;
    std::vector<Picoseconds> sendEnd_;
    std::vector<Picoseconds> receiveBegin_;
    std::vector<Picoseconds> receiveEnd_;
    std::vector<std::size_t> whatStart_{0};
    std::vector<Range> what_;
};

/// A round across all ranks.
struct RoundTimes {
    Picoseconds begin{};  ///< first message begins
    Picoseconds end{};    ///< last message ends; equals begin when the round is empty
    std::int64_t messages = 0;
    Bytes bytes = 0;
    Bytes largest = 0;  ///< bytes of the largest message

    /// One more message of the round.
    void add(const MessageRecord& message) {
        const Picoseconds first = std::min(message.sendBegin, message.receiveBegin);
        begin = messages == 0 ? first : std::min(begin, first);
        end = std::max(end, std::max(message.sendEnd, message.receiveEnd));
        ++messages;
        bytes += message.bytes;
        largest = std::max(largest, message.bytes);
    }

    friend bool operator==(const RoundTimes&, const RoundTimes&) = default;
};

struct Run {
    Setting setting;
    std::int32_t ranks = 0;   ///< processes, dummies included
    std::int32_t groupA = 0;  ///< p, or 0 where there is one group
    std::int32_t groupB = 0;  ///< q, or 0
    std::int64_t rounds = 0;
    Picoseconds duration{};  ///< from the first rank's start to the last rank's end
    std::vector<Stage> stages;
    std::vector<RankTimes> perRank;
    std::vector<RoundTimes> perRound;
    Messages messages;
    std::vector<StageSpan> spans;
    /// By rank, then time; of the rounds whose messages are kept. Empty where nobody measures it: on threads and over
    /// MPI.
    std::vector<LocalWork> combining;
    /// Per rank when it came to the collective, as real ranks do each in its time; empty where `setting` says when, or
    /// all came at 0.
    std::vector<Picoseconds> entered;
    std::int64_t messageCount = 0;  ///< all messages, kept or not
    Bytes byteCount = 0;
    std::int64_t droppedMessages = 0;  ///< counted in every number above, but not in `messages`
    std::vector<std::string> remarks;  ///< what a reader must know, e.g. "message contents were not recorded"

    friend bool operator==(const Run&, const Run&) = default;
};

using RunPtr = std::shared_ptr<const Run>;

/// The stage of a split-phase run in which ranks compute.
inline constexpr std::string_view computingStage = "compute";

/// When ranks compute between the halves of a split-phase call: by rank, then time.
std::vector<LocalWork> computingOf(const Run& run);
/// That, and when they combine.
std::vector<LocalWork> workOf(const Run& run);

/// Share of the total rank time in which ranks neither transferred nor combined data nor computed: 0..1; 0 for an empty
/// run.
double idleShare(const Run& run);

/// The largest message of every round, added up: the bytes that follow each other when all march in step.
Bytes volumeOf(const Run& run);

/// One rank's turn as it happened.
struct TurnRecord {
    Rank rank;
    Round round;
    Picoseconds begin{};
    Picoseconds end{};
};

/// Collects a Run from what executors report: messages in the order of their rounds, each once, when both of its ends
/// are known; turns of a rank in the order of its rounds. Keeps at most `budget` messages; later ones are counted, not
/// kept. Not thread-safe: an executor with threads tells after they have joined.
class RunBuilder {
public:
    static constexpr std::int64_t defaultBudget = 2'000'000;

    RunBuilder(std::int32_t ranks, std::int64_t rounds, std::vector<Stage> stages, std::int64_t budget = defaultBudget);

    void turn(const TurnRecord& turn);
    void message(const MessageRecord& message, std::span<const Range> what);
    /// Kept while the budget of messages is not spent.
    void combined(const LocalWork& combining);
    /// A rank computes; its span is reported elsewhere.
    void computed(const LocalWork& computing);

    /// The finished Run with all derived numbers; the builder is empty afterwards. The caller adds setting and groups.
    [[nodiscard]] Run finish();

private:
    struct Moments {
        Picoseconds begin{};
        Picoseconds end{};
    };
    /// When a rank was busy. Mostly a message is later than all told before; but where strands do
    /// not join, or messages are reported late, it may lie among older ones.
    struct Ports {
        IntervalSet<Moments> busy{};
        Picoseconds last{};  ///< end of what it did last
    };
    struct Kept {
        MessageRecord message;
        std::uint32_t firstWhat = 0;
        std::uint32_t whatCount = 0;
    };

    void note(Rank rank, Picoseconds begin, Picoseconds end);

    Run run_;
    std::int64_t budget_;
    StageSpans spans_;
    std::vector<Ports> ports_;  // per rank
    std::vector<Kept> kept_;
    std::vector<Range> what_;
};

}  // namespace engine
