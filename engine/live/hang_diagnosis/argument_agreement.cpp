// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/hang_diagnosis/argument_agreement.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace engine::live {
namespace {

using About = Disagreement::About;

/// Numbers of bytes that must be equal, and who names them.
struct NamedBytes {
    std::size_t who = 0;
    Verb verb = Verb::passes;
    Bytes bytes = 0;
    std::string_view suffix{};
};

class Comparison {
public:
    explicit Comparison(const Compared& compared) : all_{compared}, called_{blockingOf(compared.collective)} {}

    std::vector<Disagreement> find() {
        if (isRooted(called_)) roots();
        const bool rootsAgree = found_.empty();
        operations();
        if (rootsAgree) bytes();
        return std::move(found_);
    }

private:
    [[nodiscard]] bool isInter() const { return all_.sizeB > 0; }
    [[nodiscard]] Bytes size() const { return all_.sizeA; }
    [[nodiscard]] bool isComplete() const {
        return std::ssize(all_.passed) == std::int64_t{all_.sizeA} + all_.sizeB &&
               std::all_of(all_.passed.begin(), all_.passed.end(),
                           [](const Passed& one) { return one.sent >= 0 && one.received >= 0; });
    }
    [[nodiscard]] bool isRoot(const Passed& one) const {
        return isInter() ? one.root == root::self : one.root == one.rank;
    }
    /// Neither root nor in the group that the root moves data to or from.
    [[nodiscard]] bool isAside(const Passed& one) const { return isInter() && one.root == root::sameGroup; }

    static void put(Disagreement& about, std::size_t who, Verb verb, const std::string& what, std::int64_t value) {
        for (PassAlike& side : about.sides)
            if (side.verb == verb && side.what == what) {
                if (side.who.empty() || side.who.back() != who) side.who.push_back(who);
                return;
            }
        about.sides.push_back({{who}, verb, what, value});
    }

    void keep(Disagreement&& about) {
        if (about.sides.size() < 2) return;
        sortSides(about);
        found_.push_back(std::move(about));
    }

    /// Whether all processes passed the same value, as in most calls.
    template <class Value>
    [[nodiscard]] bool areAlike(Value Passed::*value) const {
        return std::ranges::adjacent_find(all_.passed, std::ranges::not_equal_to{}, value) == all_.passed.end();
    }

    /// Of two groups: those of one name the same rank of the other, and that one is the only root.
    void roots() {
        if (!isInter() && areAlike(&Passed::root)) return;
        Disagreement about{.about = About::root};
        std::optional<std::int32_t> self;
        for (const Passed& one : all_.passed)
            if (isInter() && one.root == root::self) self = one.rank;
        for (std::size_t i = 0; i < all_.passed.size(); ++i) {
            const Passed& one = all_.passed[i];
            if (one.root == root::none || isAside(one)) continue;
            const std::int32_t named = isInter() && one.root == root::self ? *self : one.root;
            put(about, i, Verb::passes, text("root ", named), named);
        }
        keep(std::move(about));
    }

    [[nodiscard]] std::string nameOfOperation(std::uint8_t operation) const {
        if (all_.operations != nullptr)
            return operation <= all_.operations->size() ? (*all_.operations)[operation - std::size_t{1}] : "";
        return std::string{operation < operationNames.size() ? operationNames[operation] : ""};
    }

    void operations() {
        if (areAlike(&Passed::operation)) return;
        Disagreement about{.about = About::operation};
        for (std::size_t i = 0; i < all_.passed.size(); ++i)
            if (const std::uint8_t operation = all_.passed[i].operation; operation != 0)
                put(about, i, Verb::passes, "operation " + nameOfOperation(operation), operation);
        keep(std::move(about));
    }

    void equal(const std::vector<NamedBytes>& named) {
        Disagreement about{.about = About::bytes};
        const bool same = std::adjacent_find(named.begin(), named.end(), [](const NamedBytes& a, const NamedBytes& b) {
                              return a.bytes != b.bytes;
                          }) == named.end();
        if (same) return;
        for (const NamedBytes& one : named) put(about, one.who, one.verb, text(one.bytes, " B", one.suffix), one.bytes);
        keep(std::move(about));
    }

    /// All that `senders` send is all that `receivers` expect.
    void sums(const std::vector<std::size_t>& senders, const std::vector<std::size_t>& receivers) {
        if (senders.empty() || receivers.empty()) return;
        Bytes sent = 0, expected = 0;
        for (const std::size_t i : senders) sent += all_.passed[i].sent;
        for (const std::size_t i : receivers) expected += all_.passed[i].received;
        if (sent == expected) return;
        found_.push_back({.about = About::bytes,
                          .sides = {{receivers, Verb::expects, text(expected, " B in total"), expected},
                                    {senders, Verb::sends, text(sent, " B in total"), sent}}});
        sortSides(found_.back());
    }

    template <class Condition>
    [[nodiscard]] std::vector<std::size_t> those(Condition condition) const {
        std::vector<std::size_t> some;
        for (std::size_t i = 0; i < all_.passed.size(); ++i)
            if (condition(all_.passed[i])) some.push_back(i);
        return some;
    }

    void add(std::vector<NamedBytes>& named, std::size_t who, Verb verb, Bytes bytes,
             std::string_view suffix = "") const {
        if (bytes >= 0) named.push_back({who, verb, bytes, suffix});
    }

    void bytes() {
        if (all_.counts == ByteCounts::arguments) argumentBytes();
        else if (!isInter()) movedBytes();
    }

    void argumentBytes() {
        std::vector<NamedBytes> named;
        switch (called_) {
            case Called::barrier: return;
            case Called::bcast:
                for (std::size_t i = 0; i < all_.passed.size(); ++i) {
                    const Passed& one = all_.passed[i];
                    if (isRoot(one)) add(named, i, Verb::sends, one.sent);
                    else if (!isAside(one)) add(named, i, Verb::expects, one.received);
                }
                return equal(named);
            case Called::reduce:
                for (std::size_t i = 0; i < all_.passed.size(); ++i) {
                    const Passed& one = all_.passed[i];
                    if (isInter() && isRoot(one)) add(named, i, Verb::expects, one.received);
                    else if (!isAside(one)) add(named, i, Verb::passes, one.sent);
                }
                return equal(named);
            case Called::allreduce:
            case Called::scan:
            case Called::exscan:
            case Called::reduceScatterBlock:
            case Called::reduceScatter:
                for (std::size_t i = 0; i < all_.passed.size(); ++i)
                    add(named, i, Verb::passes, all_.passed[i].sent,
                        called_ == Called::reduceScatter ? " in total" : "");
                return equal(named);
            case Called::gather:
            case Called::scatter: return rootedBlocks(called_ == Called::gather);
            case Called::gatherv:
            case Called::scatterv: return rootedSums(called_ == Called::gatherv);
            case Called::allgather:
            case Called::alltoall:
                for (const bool fromB : {false, true}) blocks(fromB);
                return;
            case Called::allgatherv:
                for (const bool inB : {false, true}) {
                    named.clear();
                    for (std::size_t i = 0; i < all_.passed.size(); ++i)
                        if (all_.passed[i].inGroupB == inB)
                            add(named, i, Verb::expects, all_.passed[i].received, " in total");
                    const std::size_t before = found_.size();
                    equal(named);
                    if (found_.size() == before && isComplete() && !named.empty())
                        sums(those([&](const Passed& one) { return !isInter() || one.inGroupB != inB; }),
                             {named.front().who});
                }
                return;
            default:  // alltoallv, alltoallw
                if (!isComplete()) return;
                for (const bool fromB : {false, true})
                    if (isInter() || !fromB)
                        sums(those([&](const Passed& one) { return !isInter() || one.inGroupB == fromB; }),
                             those([&](const Passed& one) { return !isInter() || one.inGroupB != fromB; }));
        }
    }

    /// Every process brings, or gets, a block of one size; the root names it as many times as there are.
    void rootedBlocks(bool gathers) {
        std::vector<NamedBytes> named;
        for (std::size_t i = 0; i < all_.passed.size(); ++i) {
            const Passed& one = all_.passed[i];
            const Bytes own = gathers ? one.sent : one.received;
            const Bytes all = gathers ? one.received : one.sent;
            if (isAside(one)) continue;
            if (isRoot(one)) {
                const Bytes others = isInter() ? (one.inGroupB ? all_.sizeA : all_.sizeB) : size();
                add(named, i, gathers ? Verb::expects : Verb::sends, all < 0 ? -1 : all / others,
                    gathers ? " from each" : " to each");
            }
            if (!isInter() || !isRoot(one)) add(named, i, gathers ? Verb::sends : Verb::expects, own);
        }
        equal(named);
    }

    void rootedSums(bool gathers) {
        if (!isComplete()) return;
        const auto root = those([&](const Passed& one) { return isRoot(one); });
        if (root.size() != 1) return;
        const auto others = those([&](const Passed& one) { return isInter() ? !isRoot(one) && !isAside(one) : true; });
        if (gathers) sums(others, root);
        else sums(root, others);
    }

    /// What all of a group send each, and all of the other, or the same, expect of each.
    void blocks(bool fromB) {
        if (!isInter() && fromB) return;
        std::vector<NamedBytes> named;
        const bool each = called_ == Called::allgather;
        const Bytes senders = !isInter() ? size() : fromB ? all_.sizeB : all_.sizeA;
        for (std::size_t i = 0; i < all_.passed.size(); ++i) {
            const Passed& one = all_.passed[i];
            if (!isInter() || one.inGroupB == fromB) add(named, i, Verb::sends, one.sent, each ? "" : " to each");
            if (!isInter() || one.inGroupB != fromB)
                add(named, i, Verb::expects,
                    one.received < 0 ? -1
                    : each           ? one.received / senders
                                     : one.received,
                    " from each");
        }
        equal(named);
    }

    /// Of recorders that count what a rank moves, or whose way of counting is unknown: only what holds either way.
    void movedBytes() {
        std::vector<NamedBytes> named;
        const auto others = [&](bool sent, Verb verb, bool rootToo) {
            for (std::size_t i = 0; i < all_.passed.size(); ++i)
                if (const Passed& one = all_.passed[i]; rootToo || !isRoot(one))
                    add(named, i, verb, sent ? one.sent : one.received);
        };
        const auto root = those([&](const Passed& one) { return isRoot(one); });
        switch (called_) {
            case Called::bcast:
            case Called::scatter:
                others(false, Verb::expects, false);
                if (root.size() == 1) atRoot(named, root.front(), all_.passed[root.front()].sent, Verb::sends);
                return equal(named);
            case Called::gather:
                others(true, Verb::sends, false);
                if (root.size() == 1) atRoot(named, root.front(), all_.passed[root.front()].received, Verb::expects);
                return equal(named);
            case Called::reduce: others(true, Verb::passes, false); return equal(named);
            case Called::allreduce:
            case Called::allgather:
            case Called::alltoall: others(true, Verb::passes, true); return equal(named);
            case Called::alltoallv:
            case Called::alltoallw: {
                const auto all = those([](const Passed&) { return true; });
                if (all_.counts == ByteCounts::totals && isComplete()) sums(all, all);
                return;
            }
            default: return;
        }
    }

    /// The root's number is of one block, of all, or of all but its own.
    void atRoot(std::vector<NamedBytes>& named, std::size_t who, Bytes bytes, Verb verb) const {
        if (named.empty() || bytes < 0) return;
        const Bytes one = named.front().bytes;
        // Where the others have none, their recorder may not count them.
        if (one == 0 || bytes == 0 || bytes == one || bytes == one * size() || bytes == one * (size() - 1)) return;
        const bool isWhole = size() > 0 && bytes % size() == 0 && all_.counts == ByteCounts::totals;
        named.push_back({who, verb, isWhole ? bytes / size() : bytes,
                         !isWhole              ? ""
                         : verb == Verb::sends ? " to each"
                                               : " from each"});
    }

    const Compared& all_;
    Called called_;
    std::vector<Disagreement> found_;
};

}  // namespace

std::string_view nameOf(Verb verb) {
    switch (verb) {
        case Verb::passes: return "passes";
        case Verb::sends: return "sends";
        case Verb::expects: return "expects";
        default: return "calls";
    }
}

std::string_view nameOf(Disagreement::About about) {
    switch (about) {
        case About::call: return "call";
        case About::root: return "root";
        case About::operation: return "operation";
        default: return "bytes";
    }
}

void sortSides(Disagreement& disagreement) {
    std::stable_sort(disagreement.sides.begin(), disagreement.sides.end(),
                     [](const PassAlike& a, const PassAlike& b) { return a.who.size() < b.who.size(); });
}

std::vector<Disagreement> disagreements(const Compared& compared) { return Comparison{compared}.find(); }

std::string rankWords(std::vector<std::int32_t> ranks) {
    constexpr std::size_t mostNamed = 8;
    std::sort(ranks.begin(), ranks.end());
    std::string words = ranks.size() == 1 ? "rank " : "ranks ";
    if (ranks.size() > mostNamed) return words + membersToText(ranks);
    for (std::size_t i = 0; i < ranks.size(); ++i) words += text(i == 0 ? "" : ", ", ranks[i]);
    return words;
}

std::string sentenceOf(const Disagreement& disagreement, std::span<const std::int32_t> ranks) {
    std::string words;
    for (const PassAlike& side : disagreement.sides) {
        std::vector<std::int32_t> who;
        for (const std::size_t i : side.who) who.push_back(ranks[i]);
        std::string verb{nameOf(side.verb)};
        if (who.size() > 1) verb.resize(verb.size() - (side.verb == Verb::passes ? 2 : 1));
        words += text(words.empty() ? "" : ", ", rankWords(who), ' ', verb, ' ', side.what);
    }
    return words;
}

}  // namespace engine::live
