// SPDX-License-Identifier: BSD-3-Clause
// Random MPI programs with wildcards, MPI_Waitany and barriers of some ranks, run by a plain queue of events: messages
// take 10 ps and 1 ps for each byte, as many at once as there are. What a recorder would see of that is a recording.
#pragma once

#include "engine/base/types.hpp"
#include "traces/recording/recording_builder.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace support {

class VirtualMpi {
public:
    static constexpr int anyRank = -1;
    static constexpr engine::Picoseconds alpha{10};

    /// Above `eagerLimit` a message moves when both ends are posted.
    VirtualMpi(std::mt19937& random, int ranks, std::optional<engine::Bytes> eagerLimit)
        : random_{random}, eagerLimit_{eagerLimit}, ranks_(engine::asSize(ranks)), builder_{ranks} {
        write(ranks);
        while (happen()) {
        }
    }

    /// Whether all ranks came to their ends.
    [[nodiscard]] bool ended() const {
        return std::ranges::all_of(ranks_, [](const OfRank& rank) { return rank.next == rank.lines.size(); });
    }
    [[nodiscard]] std::int64_t wildcards() const { return wildcards_; }
    /// As recorded.
    [[nodiscard]] engine::Picoseconds end(int rank) const { return ranks_[engine::asSize(rank)].now; }

    traces::Recording recording() {
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            builder_.enter(static_cast<std::int32_t>(rank), ranks_[rank].now, "MPI_Finalize");
            builder_.leave(static_cast<std::int32_t>(rank), ranks_[rank].now += engine::Picoseconds{1});
        }
        std::ranges::stable_sort(matches_, {}, [](const auto& match) { return match.first->posted; });
        for (const auto& [send, receive] : matches_)
            builder_.message(
                {.from = engine::Rank{send->rank},
                 .to = engine::Rank{receive->rank},
                 .tag = send->tag,
                 .bytes = send->bytes,
                 .sendBegin = send->posted,
                 .sendEnd = send->known,
                 .receiveBegin = receive->posted,
                 .receiveEnd = receive->known,
                 .flags = static_cast<traces::MessageFlags>((send->blocks ? 0 : traces::flag::sendNonBlocking) |
                                                            (receive->blocks ? 0 : traces::flag::receiveNonBlocking))});
        for (Barrier& barrier : barriers_)
            builder_.collective(traces::Operation::barrier, barrier.communicator, traces::noRank,
                                std::move(barrier.parts));
        traces::Recording made = builder_.finish();
        std::vector<traces::Collective> instances{made.collectives.instances.begin(), made.collectives.instances.end()};
        for (traces::Collective& instance : instances) instance.algorithm = 0;
        made.collectives.instances = std::move(instances);
        made.algorithms = {"barrier/dissemination"};
        return made;
    }

private:
    static constexpr engine::Picoseconds never{std::numeric_limits<std::int64_t>::max()};

    enum class Calls : std::uint8_t { compute, send, isend, receive, ireceive, waitAny, waitAll, barrier };
    struct Line {
        Calls what = Calls::compute;
        int other = 0;  ///< rank; barriers: which
        std::uint32_t tag = 0;
        std::int64_t amount = 0;  ///< bytes, or picoseconds
    };
    /// One end of a message that is posted.
    struct Request {
        int rank = 0;
        bool sends = false;
        bool blocks = false;
        int other = 0;
        std::uint32_t tag = 0;
        std::int64_t bytes = 0;
        engine::Picoseconds posted{};
        engine::Picoseconds ends = never;
        engine::Picoseconds known{};  ///< when its rank knows
        bool matched = false;
    };
    struct Barrier {
        std::int32_t communicator = 0;
        std::vector<int> members;
        std::vector<traces::Participant> parts;
    };
    struct OfRank {
        std::vector<Line> lines;
        std::size_t next = 0;
        engine::Picoseconds now{};
        std::optional<engine::Picoseconds> begun;  ///< the call that it is in
        std::vector<std::size_t> open;             ///< requests
    };

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    void write(int ranks) {
        const auto add = [&](int rank, Line line) { ranks_[engine::asSize(rank)].lines.push_back(line); };
        for (int k = 4 + below(24); k > 0; --k) {
            if (below(2) == 0) add(below(ranks), {.what = Calls::compute, .amount = below(40)});
            if (below(6) == 0) add(below(ranks), {.what = below(2) == 0 ? Calls::waitAny : Calls::waitAll});
            if (below(7) == 0) {
                Barrier barrier;
                std::vector<engine::Rank> members;
                for (int rank = 0; rank < ranks; ++rank)
                    if (below(3) > 0) barrier.members.push_back(rank), members.emplace_back(rank);
                if (barrier.members.size() < 2) continue;
                barrier.communicator = builder_.communicator("some", members);
                for (const int rank : barrier.members)
                    add(rank, {.what = Calls::barrier, .other = static_cast<int>(barriers_.size())});
                barriers_.push_back(std::move(barrier));
                continue;
            }
            const int from = below(ranks);
            const int to = (from + 1 + below(ranks - 1)) % ranks;
            const auto tag = static_cast<std::uint32_t>(below(2));
            add(from,
                {.what = below(2) == 0 ? Calls::send : Calls::isend, .other = to, .tag = tag, .amount = below(30)});
            add(to, {.what = below(2) == 0 ? Calls::receive : Calls::ireceive,
                     .other = below(2) == 0 ? anyRank : from,
                     .tag = tag});
        }
        for (int rank = 0; rank < ranks; ++rank) add(rank, {.what = Calls::waitAll});
    }

    /// The next thing that happens: the rank that can do something first does it. Whether any can.
    bool happen() {
        std::size_t first = 0;
        engine::Picoseconds when = never;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            if (const engine::Picoseconds its = canDo(ranks_[rank]); its < when) when = its, first = rank;
        if (when == never) return false;
        act(static_cast<int>(first), ranks_[first], when);
        return true;
    }

    [[nodiscard]] engine::Picoseconds canDo(const OfRank& self) const {
        if (self.next == self.lines.size()) return never;
        if (!self.begun) return self.now;
        const Line& line = self.lines[self.next];
        if (line.what == Calls::barrier) return endOf(barriers_[engine::asSize(line.other)], self);
        engine::Picoseconds first = never;
        engine::Picoseconds last = self.now;
        for (const std::size_t i : awaitedBy(self)) {
            first = std::min(first, requests_[i].ends);
            last = std::max(last, requests_[i].ends);
        }
        return line.what == Calls::waitAny ? std::max(first, self.now) : last;
    }

    /// Requests that the call it is in looks at.
    [[nodiscard]] std::vector<std::size_t> awaitedBy(const OfRank& self) const {
        const Calls what = self.lines[self.next].what;
        if (what == Calls::waitAll || what == Calls::waitAny) return self.open;
        return {self.open.back()};
    }

    void act(int rank, OfRank& self, engine::Picoseconds when) {
        const Line& line = self.lines[self.next];
        if (self.begun) return leave(rank, self, when);
        switch (line.what) {
            case Calls::compute:
                self.now += engine::Picoseconds{line.amount};
                ++self.next;
                break;
            case Calls::isend:
            case Calls::ireceive:
                post(rank, self, line, false);
                builder_.enter(rank, self.now, line.what == Calls::isend ? "MPI_Isend" : "MPI_Irecv");
                builder_.leave(rank, self.now += engine::Picoseconds{1});
                ++self.next;
                break;
            case Calls::send:
            case Calls::receive:
                post(rank, self, line, true);
                enter(rank, self, line.what == Calls::send ? "MPI_Send" : "MPI_Recv");
                break;
            case Calls::waitAny:
            case Calls::waitAll:
                if (self.open.empty()) ++self.next;
                else enter(rank, self, line.what == Calls::waitAny ? "MPI_Waitany" : "MPI_Waitall");
                break;
            case Calls::barrier:
                enter(rank, self, "MPI_Barrier");
                barriers_[engine::asSize(line.other)].parts.push_back({engine::Rank{rank}, self.now, never});
                break;
        }
    }

    void enter(int rank, OfRank& self, const char* call) {
        builder_.enter(rank, self.now, call);
        self.begun = self.now;
    }

    void leave(int rank, OfRank& self, engine::Picoseconds when) {
        const Line& line = self.lines[self.next];
        if (line.what == Calls::barrier) {
            for (traces::Participant& part : barriers_[engine::asSize(line.other)].parts)
                if (part.rank.value == rank) part.end = when;
        } else {
            std::vector<std::size_t> done = awaitedBy(self);
            std::erase_if(done, [&](std::size_t i) { return requests_[i].ends > when; });
            if (line.what == Calls::waitAny) done.resize(1);
            for (const std::size_t i : done) requests_[i].known = when, std::erase(self.open, i);
        }
        builder_.leave(rank, when);
        self.now = when;
        self.begun.reset();
        ++self.next;
    }

    void post(int rank, OfRank& self, const Line& line, bool blocks) {
        const bool sends = line.what == Calls::send || line.what == Calls::isend;
        self.open.push_back(requests_.size());
        requests_.push_back({.rank = rank,
                             .sends = sends,
                             .blocks = blocks,
                             .other = line.other,
                             .tag = line.tag,
                             .bytes = line.amount,
                             .posted = self.now});
        Request& mine = requests_.back();
        if (sends && !meets(mine)) mine.ends = mine.posted + cost(mine);
        for (Request& theirs : requests_) {
            if (theirs.matched || theirs.sends == sends || theirs.tag != mine.tag) continue;
            Request& send = sends ? mine : theirs;
            Request& receive = sends ? theirs : mine;
            if (send.other != receive.rank || (receive.other != anyRank && receive.other != send.rank)) continue;
            match(send, receive);
            break;
        }
    }

    [[nodiscard]] bool meets(const Request& send) const { return eagerLimit_ && send.bytes > *eagerLimit_; }
    static engine::Picoseconds cost(const Request& send) { return alpha + engine::Picoseconds{send.bytes}; }

    void match(Request& send, Request& receive) {
        const engine::Picoseconds begin = std::max(send.posted, receive.posted);
        receive.ends = begin + cost(send);
        if (meets(send)) send.ends = receive.ends;
        send.matched = receive.matched = true;
        wildcards_ += receive.other == anyRank ? 1 : 0;
        matches_.emplace_back(&send, &receive);
    }

    /// When `self` leaves it: in each step it hears from the member 1, 2, 4, ... places before it.
    [[nodiscard]] engine::Picoseconds endOf(const Barrier& barrier, const OfRank& self) const {
        const std::size_t count = barrier.members.size();
        if (barrier.parts.size() < count) return never;
        std::vector<engine::Picoseconds> times(count);
        std::size_t own = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (&self == &ranks_[engine::asSize(barrier.members[i])]) own = i;
            for (const traces::Participant& part : barrier.parts)
                if (part.rank.value == barrier.members[i]) times[i] = part.begin;
        }
        for (std::size_t step = 1; step < count; step *= 2) {
            const std::vector<engine::Picoseconds> before = times;
            for (std::size_t i = 0; i < count; ++i)
                times[i] = std::max(before[i], before[(i + count - step) % count]) + alpha;
        }
        return times[own];
    }

    std::mt19937& random_;
    std::optional<engine::Bytes> eagerLimit_;
    std::vector<OfRank> ranks_;
    std::vector<Barrier> barriers_;
    std::deque<Request> requests_;                                    // in the order of posting
    std::vector<std::pair<const Request*, const Request*>> matches_;  // sends and receives
    std::int64_t wildcards_ = 0;
    traces::RecordingBuilder builder_;
};

}  // namespace support
