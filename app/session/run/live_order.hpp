// SPDX-License-Identifier: BSD-3-Clause
// The instructions for the processes of a live run, as text: the process that starts them and they themselves may be on
// different machines.
#pragma once

#include "engine/catalogue/native_collectives.hpp"
#include "engine/live/splitphase/overlapped_computation.hpp"

#include <string>
#include <vector>

namespace app {

struct LiveOrder {
    /// One method, in words that both sides understand alike.
    struct Entry {
        std::string id{};       ///< of an algorithm, or of a native collective
        std::string options{};  ///< "key=value key=value"
        std::string problem{};  ///< toText(Problem)
        std::string network{};  ///< the network on which its messages are relayed; empty: they are not
        std::optional<engine::splitphase::Settings> split{};  ///< an allreduce in two halves
        std::string file{};  ///< what stands in the file that `id` names; empty for the catalogue's

        friend bool operator==(const Entry&, const Entry&) = default;
    };

    std::vector<Entry> entries{};
    std::int32_t repeats = 1;
    std::int32_t warmUps = 1;
    bool check = true;
    bool granted = false;  ///< messages leave when their receivers say that they may
    /// When not empty: nothing but messages of these sizes between two processes, `repeats` times.
    std::vector<engine::Bytes> exchanges{};
    /// When not empty: nothing but the library's own collectives with forced algorithms (app/session/tune).
    std::vector<std::string> cells{};        ///< toText(tune::Cell)
    std::vector<std::string> samples{};      ///< toText(tune::Sample) that are measured already
    bool once = false;                       ///< instead: the calls of the cells in turn, each once on its ranks alone
    std::string archive{};                   ///< that the recorder is to write; empty: nothing is recorded
    std::string rules{};                     ///< file of the rules of the drop-in library; empty: it is not loaded
    bool commutes = false;                   ///< operations that do not commute need not give right results
    bool testsSizes = false;                 ///< results of cells are tested with their own sizes as well
    double seconds = 0;                      ///< after which no further round begins
    std::vector<std::string> environment{};  ///< "NAME=VALUE", set in each process before MPI starts
    std::string neighbours{};  ///< the ring or torus on which only direct neighbours may talk; empty: anyone may

    friend bool operator==(const LiveOrder&, const LiveOrder&) = default;
};

/// The name of the communicator on which calls of `once` on so many ranks are made, and nothing else.
std::string communicatorOfCalls(std::int32_t ranks);

/// Line by line; `orderFromText` reads it back and throws Error when it cannot.
std::string toText(const LiveOrder& order);
LiveOrder orderFromText(const std::string& words);

/// The checked options of an entry for the native collective that it names.
engine::Options optionsOf(const LiveOrder::Entry& entry, const engine::live::Native& native);

/// The plan of an entry; throws Error for a native collective, which has none.
engine::Plan planOf(const LiveOrder::Entry& entry);

}  // namespace app
