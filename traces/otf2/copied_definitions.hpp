// SPDX-License-Identifier: BSD-3-Clause
// What the records of a copied archive refer to: words, regions, locations, communicators, grids.
#pragma once

#include "traces/recording/recording.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace traces::otf2 {

/// The attribute that says by which algorithm a collective ran.
inline constexpr OTF2_AttributeRef algorithmAttribute = 0;
inline constexpr OTF2_AttributeRef reductionAttribute = 1;
/// What the library ran in a collective, its component, and the collective that a message of the library is of.
inline constexpr OTF2_AttributeRef ofLibraryAttribute = 2;
inline constexpr OTF2_AttributeRef componentAttribute = 3;
inline constexpr OTF2_AttributeRef withinAttribute = 4;
inline constexpr OTF2_AttributeRef amongNeighboursAttribute = 5;

/// Whether a property of the recording is one of its copy.
bool isCopied(const std::string& property);

/// The communicator that a copy defines for a team of threads.
OTF2_CommRef teamOf(const Recording& recording, std::uint32_t team);

/// The communicator that a copy defines for messages of the library within one of the recording's, or for those of
/// noIndex.
OTF2_CommRef insideOf(const Recording& recording, std::int32_t communicator);

/// The group that a copy defines for one of the recording's: behind that of all locations.
constexpr OTF2_GroupRef groupOf(std::uint64_t number) { return static_cast<OTF2_GroupRef>(number) + 1; }

class CopiedDefinitions {
public:
    /// All outlive the object; `doing` is what complaints begin with.
    CopiedDefinitions(const Recording& recording, OTF2_GlobalDefWriter* writer, const std::string& doing)
        : all_{recording}, writer_{writer}, doing_{doing} {
        string("");
    }

    /// The number of `words`, which are written when they are new.
    OTF2_StringRef string(const std::string& words);
    /// The place of `rank` in a communicator, as `self` counts: of the other side where there are two.
    std::uint32_t peerOf(std::int32_t communicator, Rank rank, Rank self);

    /// Everything but words; `counts`: events by location.
    void write(const std::vector<std::uint64_t>& counts);

private:
    void places(const std::vector<std::uint64_t>& counts);
    /// One process per rank; locations of no rank have their own.
    OTF2_LocationGroupRef groupOf(const Location& location, std::size_t index, OTF2_SystemTreeNodeRef node);
    /// Of the machine, which is the first node: an anchor file has no room for them. What the copy lacks is among them.
    void longProperties();
    void communicators();
    void insides();
    void teams();
    void groupsOfWindows();
    void windows();
    void parameters();
    void files();
    void topologies();
    /// Set i of the recording's samples is metric i: an instance of class i + sets where it is not about its recorder.
    void metrics();

    const Recording& all_;
    OTF2_GlobalDefWriter* writer_;
    const std::string& doing_;
    OTF2_GroupRef groups_ = 0;  ///< so many are written: all locations, those of the recording, those of communicators
    std::vector<std::pair<OTF2_GroupRef, OTF2_GroupRef>> groupsOf_;  ///< by communicator; the second of the remote side
    std::unordered_map<std::string, OTF2_StringRef> strings_;
    std::unordered_map<std::int64_t, OTF2_LocationGroupRef> processes_;
    std::unordered_map<std::size_t, std::unordered_map<std::int32_t, std::uint32_t>> places_;
};

}  // namespace traces::otf2
