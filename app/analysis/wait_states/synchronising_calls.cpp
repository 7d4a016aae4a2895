// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/synchronising_calls.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

namespace {

/// MPI 4.0 calls them collective; MPI_Win_fence is one of the calls at windows (one_sided_calls.hpp). MPI_Init is left
/// out: what ranks did before it was not recorded.
constexpr auto collectiveCalls = std::to_array<std::string_view>({"mpi_cart_create",
                                                                  "mpi_cart_sub",
                                                                  "mpi_comm_create",
                                                                  "mpi_comm_create_group",
                                                                  "mpi_comm_disconnect",
                                                                  "mpi_comm_dup",
                                                                  "mpi_comm_dup_with_info",
                                                                  "mpi_comm_free",
                                                                  "mpi_comm_spawn",
                                                                  "mpi_comm_spawn_multiple",
                                                                  "mpi_comm_split",
                                                                  "mpi_comm_split_type",
                                                                  "mpi_dist_graph_create",
                                                                  "mpi_dist_graph_create_adjacent",
                                                                  "mpi_file_close",
                                                                  "mpi_file_open",
                                                                  "mpi_file_preallocate",
                                                                  "mpi_file_read_all",
                                                                  "mpi_file_read_at_all",
                                                                  "mpi_file_read_ordered",
                                                                  "mpi_file_set_size",
                                                                  "mpi_file_set_view",
                                                                  "mpi_file_sync",
                                                                  "mpi_file_write_all",
                                                                  "mpi_file_write_at_all",
                                                                  "mpi_file_write_ordered",
                                                                  "mpi_finalize",
                                                                  "mpi_graph_create",
                                                                  "mpi_intercomm_create",
                                                                  "mpi_intercomm_merge",
                                                                  "mpi_win_allocate",
                                                                  "mpi_win_allocate_shared",
                                                                  "mpi_win_create",
                                                                  "mpi_win_create_dynamic",
                                                                  "mpi_win_free"});

/// The place among these of what a region is called, in C or Fortran.
std::optional<std::size_t> placeOf(const traces::Region& region) {
    std::string name = engine::lowered(std::string_view{region.name}.substr(0, region.name.find(' ')));
    while (name.ends_with('_')) name.pop_back();
    const auto found = std::ranges::lower_bound(collectiveCalls, name);
    if (found == collectiveCalls.end() || *found != name) return std::nullopt;
    return static_cast<std::size_t>(found - collectiveCalls.begin());
}

/// Calls of which the trace records the communicator: those that make or free something.
class JoinedCalls {
public:
    explicit JoinedCalls(const Recording& recording) {
        for (const traces::Collective& instance : recording.collectives.instances) {
            if (isCommunication(instance.operation) || !instance.ordered || instance.count < 2) continue;
            for (const traces::Participant& part : recording.collectives.of(instance))
                numbers_.emplace(std::pair{part.rank, part.begin}, communicators_.size());
            communicators_.push_back(instance.communicator);
        }
    }
    [[nodiscard]] std::size_t count() const { return communicators_.size(); }
    [[nodiscard]] std::int32_t communicatorOf(std::size_t number) const { return communicators_[number]; }
    /// Which of them a rank entered at `begin`.
    [[nodiscard]] std::optional<std::size_t> numberOf(Rank rank, Picoseconds begin) const {
        const auto found = numbers_.find({rank, begin});
        return found == numbers_.end() ? std::nullopt : std::optional{found->second};
    }

private:
    std::map<std::pair<Rank, Picoseconds>, std::size_t> numbers_;
    std::vector<std::int32_t> communicators_;
};

/// One call of each rank that made it.
struct Together {
    std::vector<Rank> ranks;
    std::vector<TimeSpan> calls;
};

}  // namespace

std::vector<BlockingCall> synchronisingCalls(const Recording& recording, const Selection& selection) {
    static_assert(std::ranges::is_sorted(collectiveCalls));
    std::vector<BlockingCall> found;
    std::vector<std::optional<std::size_t>> placeOfRegion;
    bool any = false;
    for (const traces::Region& region : recording.regions) {
        placeOfRegion.push_back(placeOf(region));
        any = any || (placeOfRegion.back() && region.calls > 0);
    }
    if (!any) return found;
    const JoinedCalls joined{recording};
    std::vector<Together> ofInstances(joined.count());
    std::map<std::pair<std::size_t, std::size_t>, Together> all;  // by name, and how many of it came before
    for (const std::vector<std::size_t>& locations : locationsOfRanks(recording)) {
        std::vector<std::pair<std::size_t, TimeSpan>> calls;
        Rank rank = traces::noRank;
        for (const std::size_t location : locations) {
            rank = recording.locations[location].rank;
            const traces::States& states = recording.states[location];
            for (std::size_t i = 0; i < states.size(); ++i)
                if (const auto place = placeOfRegion[engine::asSize(states.region[i])])
                    calls.emplace_back(*place, TimeSpan{states.begin[i], states.end[i]});
        }
        std::ranges::stable_sort(calls, {}, [](const auto& call) { return call.second.begin; });
        std::map<std::size_t, std::size_t> before;
        for (const auto& [place, call] : calls) {
            const auto number = joined.numberOf(rank, call.begin);
            Together& its = number ? ofInstances[*number] : all[{place, before[place]++}];
            its.ranks.push_back(rank);
            its.calls.push_back(call);
        }
    }
    const auto take = [&](const Together& its) {
        if (its.calls.size() < 2) return;
        const auto last = std::ranges::max_element(its.calls, {}, &TimeSpan::begin);
        const auto first = std::ranges::min_element(its.calls, {}, &TimeSpan::end);
        if (first->end < last->begin) return;
        const Rank late = its.ranks[static_cast<std::size_t>(last - its.calls.begin())];
        for (std::size_t i = 0; i < its.calls.size(); ++i)
            if (its.ranks[i] != late && selection.part.has(its.ranks[i]))
                found.push_back({.rank = its.ranks[i],
                                 .begin = its.calls[i].begin,
                                 .end = its.calls[i].end,
                                 .kind = WaitKind::atSynchronisingCall,
                                 .late = late,
                                 .came = last->begin});
    };
    if (selection.communicators.empty())
        for (const auto& [key, its] : all) take(its);
    for (std::size_t number = 0; number < ofInstances.size(); ++number)
        if (selection.has(joined.communicatorOf(number))) take(ofInstances[number]);
    return found;
}

}  // namespace app::analysis
