// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/mismatches.hpp"

#include "traces/recording/byte_counting.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace app::analysis {
/// Files of a room are compiled as one: names of the engine keep to this one.
namespace disagreeing {

using engine::Bytes;
using engine::Rank;
using engine::live::ByteCounts;
using engine::live::Called;
using engine::live::Disagreement;
using engine::live::Passed;
using engine::live::Verb;
using traces::Collective;
using traces::Communicator;
using traces::CommunicatorKind;
using traces::noIndex;
using traces::Operation;
using traces::Participant;
using traces::Recording;

std::optional<Called> calledOf(Operation operation) {
    switch (operation) {
        case Operation::barrier: return Called::barrier;
        case Operation::bcast: return Called::bcast;
        case Operation::gather: return Called::gather;
        case Operation::gatherv: return Called::gatherv;
        case Operation::scatter: return Called::scatter;
        case Operation::scatterv: return Called::scatterv;
        case Operation::allgather: return Called::allgather;
        case Operation::allgatherv: return Called::allgatherv;
        case Operation::alltoall: return Called::alltoall;
        case Operation::alltoallv: return Called::alltoallv;
        case Operation::alltoallw: return Called::alltoallw;
        case Operation::allreduce: return Called::allreduce;
        case Operation::reduce: return Called::reduce;
        case Operation::reduceScatter: return Called::reduceScatter;
        case Operation::reduceScatterBlock: return Called::reduceScatterBlock;
        case Operation::scan: return Called::scan;
        case Operation::exscan: return Called::exscan;
        default: return std::nullopt;
    }
}

std::string nameOfCall(Operation operation) {
    const auto called = calledOf(operation);
    return called ? engine::live::nameOfCall(*called) : std::string{nameOf(operation)};
}

ByteCounts countsOf(const Recording& recording) {
    switch (countingOf(recording)) {
        case traces::Counting::arguments: return ByteCounts::arguments;
        case traces::Counting::totals: return ByteCounts::totals;
        default: return ByteCounts::unknown;
    }
}

/// Ranks of the world as one communicator after the other numbers them.
class Members {
public:
    explicit Members(const Recording& recording) : recording_{recording} {}

    void turnTo(std::int32_t communicator) {
        if (communicator == current_) return;
        current_ = communicator;
        of_.clear();
        const Communicator& its = recording_.communicators[engine::asSize(communicator)];
        sizeA = static_cast<std::int32_t>(its.members.size());
        sizeB = its.kind == CommunicatorKind::inter ? static_cast<std::int32_t>(its.remote.size()) : 0;
        for (std::int32_t i = 0; i < sizeA; ++i) of_.try_emplace(its.members[engine::asSize(i)].value, i);
        for (std::int32_t i = 0; i < sizeB; ++i) of_.try_emplace(its.remote[engine::asSize(i)].value, sizeA + i);
    }
    /// Of two groups A first; nothing for a rank that is no member.
    [[nodiscard]] std::optional<std::int32_t> placeOf(Rank rank) const {
        const auto place = of_.find(rank.value);
        return place != of_.end() ? std::optional{place->second} : std::nullopt;
    }

    std::int32_t sizeA = 0, sizeB = 0;

private:
    const Recording& recording_;
    std::int32_t current_ = noIndex;
    std::map<std::int32_t, std::int32_t> of_;
};

/// Of most collectives it shows at first sight that all ranks pass the same.
bool agreesAtSight(const Collective& collective, std::span<const Participant> parts, ByteCounts counts) {
    const Participant& first = parts.front();
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const Participant& part) {
        return part.sent == first.sent && part.received == first.received && part.root == first.root &&
               part.reduction == first.reduction;
    });
    switch (collective.operation) {
        case Operation::fence:
        case Operation::barrier: return true;
        case Operation::allreduce:
        case Operation::reduceScatterBlock: return same;
        case Operation::allgather:
            return same &&
                   (counts != ByteCounts::arguments || first.received == first.sent * static_cast<Bytes>(parts.size()));
        case Operation::alltoall: return same && (counts != ByteCounts::arguments || first.received == first.sent);
        default: return false;
    }
}

class Looking {
public:
    Looking(const Recording& recording, const Selection& selection)
        : all_{recording}, selection_{selection}, counts_{countsOf(recording)}, members_{recording} {}

    std::vector<Mismatch> find() {
        std::map<std::int32_t, std::size_t> first;  // of the instances of a communicator
        const auto& instances = all_.collectives.instances;
        for (std::size_t i = 0; i < instances.size(); ++i) first.try_emplace(instances[i].communicator, i);
        for (const std::uint32_t i : selectedCollectives(all_, selection_)) {
            const Collective& collective = instances[i];
            const auto call = static_cast<std::int64_t>(i - first.at(collective.communicator)) + 1;
            if (collective.ordered && collective.count > 1) arguments(collective, call);
            if (collective.ordered && !collective.complete) absent(collective, call);
            if (!collective.ordered) unordered_[collective.communicator].push_back({&collective, call});
        }
        for (const auto& [communicator, some] : unordered_) order(communicator, some);
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Mismatch& a, const Mismatch& b) { return a.begin < b.begin; });
        return std::move(found_);
    }

private:
    struct Alone {
        const Collective* collective;
        std::int64_t call;
    };

    void add(const Collective& collective, std::int64_t call, std::string operation, Disagreement&& disagreement,
             std::vector<std::int32_t> ranks) {
        found_.push_back({.communicator = collective.communicator,
                          .call = call,
                          .operation = std::move(operation),
                          .begin = spanOf(all_.collectives.of(collective)).begin,
                          .disagreement = std::move(disagreement),
                          .ranks = std::move(ranks)});
    }

    void arguments(const Collective& collective, std::int64_t call) {
        const auto called = calledOf(collective.operation);
        const std::span<const Participant> parts = all_.collectives.of(collective);
        if (!called || agreesAtSight(collective, parts, counts_)) return;
        members_.turnTo(collective.communicator);
        passed_.clear();
        ranks_.clear();
        const auto root = collective.root == traces::noRank ? std::nullopt : members_.placeOf(collective.root);
        for (const Participant& part : parts) {
            const auto place = members_.placeOf(part.rank);
            if (!place) return;
            const bool inB = members_.sizeB > 0 && *place >= members_.sizeA;
            // Who writes a recording by hand may give the root of all alone.
            const bool fromAll = part.root == Participant::rootNone && root && members_.sizeB == 0;
            passed_.push_back({.rank = inB ? *place - members_.sizeA : *place,
                               .inGroupB = inB,
                               .root = fromAll ? *root : part.root,
                               .operation = static_cast<std::uint8_t>(part.reduction < 255 ? part.reduction + 1 : 0),
                               .sent = part.sent,
                               .received = part.received});
            ranks_.push_back(part.rank.value);
        }
        for (Disagreement& one : engine::live::disagreements({.collective = *called,
                                 .passed = passed_,
                                 .sizeA = members_.sizeA,
                                 .sizeB = members_.sizeB,
                                 .counts = counts_,
                                 .operations = &all_.reductions}))
            add(collective, call, nameOfCall(collective.operation), std::move(one), ranks_);
    }

    /// Whether all that its ranks call together was recorded, so that what is not there did not happen.
    [[nodiscard]] bool isWhole(std::int32_t communicator) const {
        const Communicator& its = all_.communicators[engine::asSize(communicator)];
        if (its.kind == CommunicatorKind::self || its.joined) return false;
        return std::none_of(all_.absences.begin(), all_.absences.end(), [&](const traces::NotRecorded& one) {
            if (one.what == traces::Absence::collective || one.what == traces::Absence::collectiveEnd) return true;
            if (one.what != traces::Absence::interval && one.what != traces::Absence::file) return false;
            if (one.location == noIndex) return true;
            const Rank rank = all_.locations[engine::asSize(one.location)].rank;
            const auto has = [&](const std::vector<Rank>& some) {
                return std::find(some.begin(), some.end(), rank) != some.end();
            };
            return has(its.members) || has(its.remote);
        });
    }

    /// In a program that came to its end some ranks never called what others did.
    void absent(const Collective& collective, std::int64_t call) {
        const bool ended = all_.creator.starts_with(traces::own::creator) && all_.earlyEnds.empty() &&
                           all_.unfinished.empty() && !all_.properties.contains(traces::own::standing);
        const std::span<const Participant> parts = all_.collectives.of(collective);
        const bool waitsLater =
            std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.nonBlocking; });
        if (!ended || waitsLater || !isWhole(collective.communicator)) return;
        const Communicator& its = all_.communicators[engine::asSize(collective.communicator)];
        Disagreement about{
            .about = Disagreement::About::call,
            .sides = {{{}, Verb::calls, nameOfCall(collective.operation), 0}, {{}, Verb::calls, "nothing", 0}}};
        std::vector<std::int32_t> ranks;
        for (const std::vector<Rank>* group : {&its.members, &its.remote})
            for (const Rank rank : *group) {
                const bool takesPart =
                    std::any_of(parts.begin(), parts.end(), [&](const Participant& part) { return part.rank == rank; });
                about.sides[takesPart ? 0 : 1].who.push_back(ranks.size());
                ranks.push_back(rank.value);
            }
        if (about.sides[1].who.empty()) return;
        sortSides(about);
        add(collective, call, {}, std::move(about), std::move(ranks));
    }

    /// From the first call on that its ranks do not make alike, those of a communicator are each one rank's alone.
    void order(std::int32_t communicator, const std::vector<Alone>& some) {
        if (!isWhole(communicator)) return;
        Disagreement about{.about = Disagreement::About::call};
        std::vector<std::int32_t> ranks;
        for (const Alone& one : some) {
            const Rank rank = all_.collectives.of(*one.collective).front().rank;
            if (std::find(ranks.begin(), ranks.end(), rank.value) != ranks.end()) continue;
            const std::string name = nameOfCall(one.collective->operation);
            const auto side =
                std::find_if(about.sides.begin(), about.sides.end(), [&](const auto& its) { return its.what == name; });
            if (side != about.sides.end()) side->who.push_back(ranks.size());
            else about.sides.push_back({{ranks.size()}, Verb::calls, name, 0});
            ranks.push_back(rank.value);
        }
        if (about.sides.size() < 2) return;
        sortSides(about);
        add(*some.front().collective, some.front().call, {}, std::move(about), std::move(ranks));
    }

    const Recording& all_;
    const Selection& selection_;
    ByteCounts counts_;
    Members members_;
    std::vector<Passed> passed_;
    std::vector<std::int32_t> ranks_;
    std::map<std::int32_t, std::vector<Alone>> unordered_;
    std::vector<Mismatch> found_;
};

}  // namespace disagreeing

std::vector<Mismatch> mismatchesOf(const traces::Recording& recording, const Selection& selection) {
    return disagreeing::Looking{recording, selection}.find();
}

}  // namespace app::analysis
