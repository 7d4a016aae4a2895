// SPDX-License-Identifier: BSD-3-Clause
// Recordings written by hand: for tests, and for whoever has events and no archive.
//
//     RecordingBuilder b{4};                                     // ranks 0..3, communicator 0 is the world
//     b.enter(0, us(1), "MPI_Send");
//     b.message({.from = Rank{0}, .to = Rank{1}, .bytes = 100, .sendBegin = us(1), ...});
//     b.leave(0, us(3));
//     b.collective(Operation::barrier, 0, noRank, {{Rank{0}, us(5), us(9)}, {Rank{1}, us(6), us(9)}, ...});
//     const Recording recording = b.finish();
#pragma once

#include "traces/recording/recording.hpp"

#include <string_view>
#include <vector>

namespace traces {

class RecordingBuilder {
public:
    /// Every rank gets one location of the same index on a host of its own; communicator 0 is the world.
    explicit RecordingBuilder(std::int32_t ranks);

    /// Adds a communicator; returns its index. With `remote` it is an intercommunicator.
    std::int32_t communicator(std::string name, std::vector<Rank> members, std::vector<Rank> remote = {});

    /// Calls of one location in the order of time; what stays open ends with the recording and is marked.
    void enter(std::int32_t location, Picoseconds time, std::string_view region);
    void leave(std::int32_t location, Picoseconds time);

    /// Adds a thread of a rank; returns the index of its location.
    std::int32_t thread(Rank rank, std::string name);
    /// What a location tells, in the order of time, behind the calls that were entered so far.
    void notice(std::int32_t location, const Notice& notice);

    /// In the order of posting at each sender; senders in any order.
    void message(const Message& message);
    void half(const Half& half);

    /// The next instance on `communicator`. It is complete when every member takes part.
    void collective(Operation operation, std::int32_t communicator, Rank root, std::vector<Participant> participants);

    /// A message that the library sent within the collective that was added last.
    void inside(const Message& message);
    /// How the library names what it ran in the collective that was added last, and its component; empty where it does
    /// not.
    void ranInside(std::string algorithm, std::string component);

    /// Adds a metric; returns its index.
    std::int32_t metric(Metric metric);
    /// Values of one metric that a location recorded about itself, in the order of time.
    void samples(std::int32_t location, std::int32_t metric, std::vector<Picoseconds> time, std::vector<double> values);

    /// What no method above covers: remarks, absences, topologies, names. Columns are filled by `finish`.
    Recording& rest() { return recording_; }

    /// The finished recording, duration and first and last event of each location included; the builder is empty then.
    [[nodiscard]] Recording finish();

private:
    struct OpenStates {
        std::vector<Picoseconds> begin, end;
        std::vector<std::int32_t> region;
        std::vector<std::uint16_t> depth;
        std::vector<std::uint32_t> stack;
    };
    struct Instance {
        Collective collective;
        std::vector<Participant> participants;
        std::vector<Message> inside{};
    };
    /// By the location; that of a rank has its number.
    void seen(Rank rank, Picoseconds begin, Picoseconds end);

    Recording recording_;
    std::vector<OpenStates> states_;
    std::vector<std::vector<Notice>> notices_;
    std::vector<Message> messages_;
    std::vector<Half> halves_;
    std::vector<Instance> instances_;
    std::vector<bool> any_;  ///< per location: it has an event
};

}  // namespace traces
