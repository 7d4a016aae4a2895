// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/matching/collective_assembly.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace traces::reading {
namespace {

constexpr std::uint32_t rootNone = 0xffffffff, rootSelf = 0xfffffffe, rootThisGroup = 0xfffffffd;

struct Member {
    Rank rank;
    Growing<std::uint32_t> parts;  ///< of this communicator, in their order
    std::size_t next = 0;
    std::size_t counted = 0;  ///< so many of them lie before the first gap of the rank
};

/// Words that are named again and again.
struct Indices {
    std::vector<Ref> all{};
    std::size_t most = 0x7fffffff;  ///< beyond so many there is no index
    std::map<Ref, std::int32_t> known{};

    std::int32_t indexOf(Ref words) {
        if (words == undefined || (all.size() >= most && !known.contains(words))) return noIndex;
        const auto [entry, isNew] = known.try_emplace(words, static_cast<std::int32_t>(all.size()));
        if (isNew) all.push_back(words);
        return entry->second;
    }
};

class Collector {
public:
    Collector(const PartsOfRanks& parts, const std::vector<std::int64_t>& firstGaps, const World& world,
              Storage* storage)
        : parts_{parts}, firstGaps_{firstGaps}, world_{world}, instances_{storage}, participants_{storage} {}

    void communicator(std::int32_t index, std::vector<Member>& members) {
        const Communicator& within = world_.communicators[engine::asSize(index)];
        const std::size_t expected = within.members.size() + within.remote.size();
        const bool alike = std::all_of(members.begin(), members.end(), [&](const Member& member) {
            return member.parts.size() == members.front().parts.size();
        });
        // Behind a gap of one rank it is unknown which of its parts is the k-th, unless all have as many.
        std::size_t left = ~std::size_t{0};
        if (!alike)
            for (const Member& member : members)
                if (hasGap(member.rank)) left = std::min(left, member.counted);
        if (within.kind == CommunicatorKind::self) left = 0;
        for (; left > 0 && agree(members); --left) instance(index, members, expected);
        for (Member& member : members)
            for (; member.next < member.parts.size(); ++member.next) {
                std::vector<Member> one(1);
                one.front().rank = member.rank;
                one.front().parts.push_back(member.parts[member.next]);
                const bool complete = within.kind == CommunicatorKind::self || expected == 1;
                instance(index, one, complete ? 1 : expected);
                instances_.back().ordered = complete;
            }
    }

    Collected finish() {
        return {{instances_.column(), participants_.column()},
                std::move(algorithms_.all),
                std::move(reductions_.all),
                std::move(ofLibrary_.all),
                std::move(components_.all)};
    }

private:
    [[nodiscard]] bool hasGap(Rank rank) const { return firstGaps_[rank.index()] != noGap; }
    [[nodiscard]] const CollectivePart& part(const Member& member) const {
        return parts_[member.rank.index()][member.parts[member.next]];
    }

    /// Whether all members that have a next part call the same operation in it, and there is one.
    [[nodiscard]] bool agree(const std::vector<Member>& members) const {
        const CollectivePart* first = nullptr;
        for (const Member& member : members) {
            if (member.next >= member.parts.size()) continue;
            if (first == nullptr) first = &part(member);
            if (part(member).operation != first->operation) return false;
        }
        return first != nullptr;
    }

    void instance(std::int32_t index, std::vector<Member>& members, std::size_t expected) {
        Collective made{.communicator = index, .first = participants_.size()};
        for (Member& member : members) {
            if (member.next >= member.parts.size()) continue;
            const CollectivePart& its = part(member);
            made.operation = static_cast<Operation>(its.operation);
            if (its.root == rootSelf) made.root = member.rank;
            else if (its.root < rootThisGroup) made.root = world_.rankOf(index, its.root, member.rank);
            participants_.push_back({member.rank, Picoseconds{its.begin}, Picoseconds{its.end},
                                     static_cast<Bytes>(its.sent & 0x3fffffffffffffff),
                                     static_cast<Bytes>(its.received & 0x3fffffffffffffff), its.nonBlocking,
                                     passedRoot(its.root),
                                     static_cast<std::int16_t>(reductions_.indexOf(its.reduction))});
            if (made.algorithm == noIndex) made.algorithm = algorithms_.indexOf(its.algorithm);
            if (made.ofLibrary == noIndex) made.ofLibrary = ofLibrary_.indexOf(its.ofLibrary);
            if (made.component == noIndex) made.component = components_.indexOf(its.component);
            ++member.next;
        }
        made.count = participants_.size() - made.first;
        made.complete = made.count == expected;
        instances_.push_back(made);
    }

    static std::int32_t passedRoot(std::uint32_t root) {
        if (root == rootSelf) return Participant::rootSelf;
        if (root == rootThisGroup) return Participant::rootSameGroup;
        return root < 0x7fffffff ? static_cast<std::int32_t>(root) : Participant::rootNone;
    }

    const PartsOfRanks& parts_;
    const std::vector<std::int64_t>& firstGaps_;
    const World& world_;
    Indices algorithms_, reductions_{.most = 0x7fff}, ofLibrary_, components_;
    Growing<Collective> instances_;
    Growing<Participant> participants_;
};

}  // namespace

Collected collect(const PartsOfRanks& parts, const std::vector<std::int64_t>& firstGaps, const World& world,
                  Storage* storage) {
    std::vector<std::vector<Member>> members(world.communicators.size());
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
        for (std::size_t i = 0; i < parts[rank].size(); ++i) {
            if (parts[rank][i].communicator == noIndex) continue;
            const auto index = engine::asSize(parts[rank][i].communicator);
            const Rank self{static_cast<std::int32_t>(rank)};
            if (members[index].empty() || members[index].back().rank != self)
                members[index].push_back({self, Growing<std::uint32_t>{storage}});
            Member& member = members[index].back();
            if (member.counted == member.parts.size() && parts[rank][i].begin < firstGaps[rank]) ++member.counted;
            member.parts.push_back(static_cast<std::uint32_t>(i));
        }
    Collector collector{parts, firstGaps, world, storage};
    for (std::size_t index = 0; index < members.size(); ++index)
        if (!members[index].empty()) collector.communicator(static_cast<std::int32_t>(index), members[index]);
    return collector.finish();
}

}  // namespace traces::reading
