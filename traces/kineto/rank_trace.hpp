// SPDX-License-Identifier: BSD-3-Clause
// What a rank did, as calls by location, collectives and steps: made of one file of the profiler.
#pragma once

#include "traces/kineto/profile.hpp"
#include "traces/recording/recording.hpp"
#include "traces/recording/training.hpp"

#include <compare>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace traces::kineto {

/// A process group as one rank knows it.
struct Group {
    std::string name;  ///< "0"; empty where not recorded
    std::string description;
    std::vector<std::int32_t> members;  ///< empty where not recorded

    friend auto operator<=>(const Group&, const Group&) = default;
};

/// The part of a rank in a collective.
struct CollectiveCall {
    std::int64_t begin = 0;  ///< ns since 1970
    std::int64_t end = 0;
    std::int64_t sequence = -1;  ///< in its group; -1: not recorded
    Bytes sent = 0;
    Bytes received = 0;
    std::int32_t group = 0;  ///< index into RankTrace::groups
    Operation operation = Operation::unknown;
    Ran ran;
};

/// Calls of one thread or stream, in the order of entering; times in ns since 1970.
struct LaneCalls {
    std::string name;
    bool isStream = false;
    bool isRanks = false;  ///< the rank's own
    std::vector<std::int64_t> begin, end;
    std::vector<std::int32_t> region;  ///< index into RankTrace::regions
    std::vector<std::uint16_t> depth;
};

struct Step {
    std::string name;  ///< "7" of ProfilerStep#7
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// A collective whose end a kernel of another stream waits for.
struct Awaited {
    std::size_t lane = 0;    ///< index into RankTrace::lanes: the stream of the collective
    std::int64_t end = 0;    ///< of the collective
    std::int64_t begin = 0;  ///< of the kernel
    std::string name;        ///< of the collective: "all_reduce"
};

/// Regions by name and kind of call, each once.
class RegionIndex {
public:
    /// Its place in `regions`, to which it is added the first time.
    std::int32_t of(std::vector<Region>& regions, const std::string& name, std::string_view paradigm, Call call);

private:
    std::map<std::pair<std::string, Call>, std::int32_t> known_;
};

struct RankTrace {
    std::filesystem::path path;
    std::int64_t rank = -1;
    std::int64_t worldSize = -1;
    std::vector<Region> regions;
    std::vector<LaneCalls> lanes;
    std::vector<Group> groups;
    std::vector<CollectiveCall> collectives;  ///< by their begins
    std::vector<Step> steps;                  ///< by their begins
    std::vector<Awaited> awaited;             ///< as far as the trace has the waits of streams
    std::size_t activities = 0;
    std::int64_t passedOver = 0;
    std::int64_t transfers = 0;  ///< point-to-point
    std::int64_t unnamed = 0;    ///< kernels of a communication library of which nothing says what they do
    std::int64_t first = std::numeric_limits<std::int64_t>::max();  ///< ns since 1970; of no meaning without activities
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
};

RankTrace rankTraceOf(const Profile& profile);

}  // namespace traces::kineto
