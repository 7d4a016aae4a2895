// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/replace.hpp"

#include "engine/live/pmpi/recording/recorder_session.hpp"
#include "engine/live/pmpi/replacement/program_data.hpp"
#include "engine/problem/contract.hpp"

#include <algorithm>
#include <limits>

namespace engine::mpi::pmpi {
namespace {

constexpr Bytes most = std::numeric_limits<int>::max();

/// A contribution, and where it lies in the program's memory.
struct Piece {
    std::int32_t block = 0;
    Elements where{};
};

/// One call of bytes on one process: what goes to the byte line and what comes from it.
class Bytewise {
public:
    /// `firstOther`: the plan's rank of the first of the call's other processes.
    Bytewise(const CollectiveRequest& call, const Problem& problem, Rank self, std::int32_t firstOther)
        : call_{call}, problem_{problem}, self_{self}, first_{firstOther} {}

    [[nodiscard]] std::vector<Piece> brought() const {
        const Side& from = call_.source();
        switch (problem_.collective) {
            case Collective::alltoallv:
            case Collective::intergroupAlltoallv:
                return each(from, [&](Rank other) { return blockBetween(problem_, self_, other).value; });
            case Collective::scatterv: return each(from, [](Rank other) { return other.value; });
            case Collective::bcast:
            case Collective::intergroupBcast: return {{0, from.only()}};
            default: return {{self_.value, call_.inPlace() ? from.of(self_.value) : from.only()}};
        }
    }
    [[nodiscard]] std::vector<Piece> taken() const {
        const Side& to = call_.arguments().to;
        switch (problem_.collective) {
            case Collective::alltoallv:
            case Collective::intergroupAlltoallv:
                return each(to, [&](Rank other) { return blockBetween(problem_, other, self_).value; });
            case Collective::scatterv:
                return call_.inPlace() ? std::vector<Piece>{} : std::vector<Piece>{{self_.value, to.only()}};
            case Collective::bcast:
            case Collective::intergroupBcast: return {{0, to.only()}};
            default: return each(to, [](Rank other) { return other.value; });
        }
    }

private:
    [[nodiscard]] std::vector<Piece> each(const Side& side, auto blockOf) const {
        std::vector<Piece> pieces;
        for (std::int32_t i = 0; i < call_.others(); ++i) pieces.push_back({blockOf(Rank{first_ + i}), side.of(i)});
        return pieces;
    }

    const CollectiveRequest& call_;
    const Problem& problem_;
    Rank self_;
    std::int32_t first_;
};

/// The byte line in the program's own memory, where it lies there as a whole.
std::optional<std::span<std::byte>> lineIn(const std::vector<Piece>& pieces, const Layout& layout) {
    if (static_cast<std::int32_t>(pieces.size()) != layout.count() || pieces.empty()) return std::nullopt;
    auto* const begin = static_cast<std::byte*>(pieces.front().where.address);
    for (std::int32_t i = 0; i < layout.count(); ++i) {
        const auto& [block, where] = pieces[asSize(i)];
        if (block != i || !isPlain(where.type) || bytesOf(where) < layout.size(i)) return std::nullopt;
        if (where.address != begin + layout.offset(i)) return std::nullopt;
    }
    return std::span{begin, asSize(layout.total())};
}

std::span<std::byte> pieceOf(std::span<std::byte> line, const Layout& layout, std::int32_t block) {
    return line.subspan(asSize(layout.offset(block)), asSize(layout.size(block)));
}

/// An allgather where only one group brings anything may be one of half duplex, of which the senders come first.
/// Whether they are B; nothing, and the session knows why, where both bring something.
std::optional<bool> makeOneWay(const Communicator& comm, const NumberedRule& rule, Problem& problem) {
    const Layout& both = problem.layout;
    const Bytes ofA = both.blocks(0, comm.groupA()).size();
    const bool turned = ofA == 0;
    if (!turned && ofA < both.total()) {
        RecorderSession::current()->refused(text(rule.rule->words, " needs a group that contributes nothing"));
        return std::nullopt;
    }
    const std::int32_t first = turned ? comm.groupA() : 0;
    const std::int32_t senders = turned ? comm.groupB() : comm.groupA();
    std::vector<Bytes> sizes;
    for (std::int32_t i = 0; i < senders; ++i) sizes.push_back(both.size(first + i));
    problem = {.collective = Collective::halfduplexAllgather,
               .groupA = senders,
               .groupB = comm.groupA() + comm.groupB() - senders,
               .layout = both.isRegular() ? Layout::regular(senders, sizes.front()) : Layout::irregular(sizes)};
    return turned;
}

bool moveBytes(const Communicator& comm, CommunicatorContext& context, const CollectiveRequest& call,
               const NumberedRule& rule, Problem problem) {
    const bool oneWay = rule.rule->algorithm->collective == Collective::halfduplexAllgather;
    bool turned = false;
    if (oneWay) {
        const auto groups = makeOneWay(comm, rule, problem);
        if (!groups) return false;
        turned = *groups;
    }
    const auto plan = context.planFor(rule, problem);
    if (!plan) return false;

    PrivateCommunicator& apart = context.apart(turned);
    const bool isFirst = comm.isA() != turned;
    const Bytewise moves{call, problem, apart.rank(), comm.inter() && isFirst ? problem.groupA : 0};
    std::vector<Piece> brought;
    std::vector<Piece> taken;
    if (call.brings() && (isFirst || !oneWay)) brought = moves.brought();
    if (call.takes() && !(isFirst && oneWay)) taken = moves.taken();

    const Layout& layout = problem.layout;
    const auto direct = lineIn(problem.collective == Collective::bcast && call.brings() ? brought : taken, layout);
    const std::span<std::byte> line = direct ? *direct : context.scratch(layout.total());
    if (!direct || problem.collective != Collective::bcast)
        for (const auto& [block, where] : brought) pack(where, pieceOf(line, layout, block), apart.comm());
    Holdings holdings{line};
    apart.carryOut(*plan, holdings);
    if (!direct)
        for (const auto& [block, where] : taken) unpack(pieceOf(line, layout, block), where, apart.comm());
    return true;
}

/// One call of vectors on one process. Blocks of a reduce-scatter that are cut otherwise than its algorithms do stand
/// apart in the vector, each as far as the longest; what is between them is a copy of an element, lest the operation
/// meets what is none.
class Vector {
public:
    Vector(const CollectiveRequest& call, const Problem& problem)
        : call_{call},
          problem_{problem},
          stands_{call.called() != live::Called::reduceScatter || isEvenlyCut(call, problem)} {}

    void fill(std::span<std::byte> slot) const {
        const auto* own = static_cast<const std::byte*>(call_.source().buffer);
        if (stands_) {
            std::copy_n(own, slot.size(), slot.begin());
            return;
        }
        const std::byte* next = own;
        for (std::int32_t i = 0; i < problem_.ranks(); ++i) {
            const Range block = blocksOf(problem_)[i];
            const Bytes size = sizeOf(i);
            std::copy_n(next, size, slot.begin() + block.begin);
            next += size;
            for (Bytes at = block.begin + size; at < block.end; at += problem_.grain)
                std::copy_n(own, problem_.grain, slot.begin() + at);
        }
    }
    /// What of the result this process must have, if anything.
    void keep(std::span<const std::byte> result, Rank rank) const {
        const std::optional<Range> wanted = Contract{problem_}.result(rank);
        if (!wanted || !call_.takes()) return;
        std::copy_n(result.begin() + wanted->begin, stands_ ? wanted->size() : sizeOf(rank.value),
                    static_cast<std::byte*>(call_.arguments().to.buffer));
    }

private:
    [[nodiscard]] Bytes sizeOf(std::int32_t rank) const { return call_.arguments().to.count(rank) * problem_.grain; }

    const CollectiveRequest& call_;
    const Problem& problem_;
    bool stands_;
};

bool combine(CommunicatorContext& context, const CollectiveRequest& call, const NumberedRule& rule,
             const Problem& problem) {
    const auto plan = context.planFor(rule, problem);
    if (!plan) return false;
    const Facts& facts = plan->schedule->facts();
    const Bytes bytes = problem.layout.largest();
    if (bytes > most / facts.slots) return false;
    PrivateCommunicator& apart = context.apart();
    const MPI_Datatype type = call.arguments().to.type;
    const MPI_Op operation = call.arguments().operation;
    Holdings holdings{context.scratch(bytes * facts.slots), bytes, facts,
                      [&](std::span<const std::byte> left, std::span<std::byte> right) {
                          const auto elements = static_cast<int>(static_cast<Bytes>(right.size()) / problem.grain);
                          check(PMPI_Reduce_local(left.data(), right.data(), elements, type, operation), "combining");
                      },
                      problem.operation == Operation::ordered ? Operands::keepPlaces : Operands::mayChangePlaces};
    const Vector vector{call, problem};
    for (int slot = 0; slot < facts.slots; ++slot) {
        if ((facts.own >> slot & 1U) == 0 || !call.brings()) continue;
        vector.fill(holdings.slot(slot));
        holdings.setFilled(slot, true);
    }
    apart.carryOut(*plan, holdings);
    vector.keep(holdings.slot(facts.result), apart.rank());
    return true;
}

bool meet(CommunicatorContext& context, const NumberedRule& rule, const Problem& problem) {
    const auto plan = context.planFor(rule, problem);
    if (!plan) return false;
    Holdings holdings{{}, 0, plan->schedule->facts(), [](auto, auto) {}};
    context.apart().carryOut(*plan, holdings);
    return true;
}

/// An alltoall's problem has a block for each pair of processes, between groups both ways, and numbers of 32 bits for
/// them.
bool canNumberPairs(const Communicator& comm, const CollectiveRequest& call) {
    const Collective collective = call.collective();
    if (collective != Collective::alltoallv && collective != Collective::intergroupAlltoallv) return true;
    const std::int64_t pairs = std::int64_t{comm.size()} * comm.sources() * (comm.inter() ? 2 : 1);
    return pairs <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

bool canBeReplaced(const Communicator& comm, const CollectiveRequest& call) {
    if (call.isStrange() || !RecorderSession::current()->argumentChecker().takes(call)) return false;
    const bool isCounted = canNumberPairs(comm, call);
    if (isCounted && (!combinesVectors(call.collective()) || call.standsAside() || isDense(call.arguments().to.type)))
        return true;
    RecorderSession::current()->refused(
        text(nameOfCall(call.named()),
             isCounted ? " of elements with gaps between them" : " with more pairs of ranks than can be numbered"));
    return false;
}

std::optional<NumberedRule> ruleFor(const Communicator& comm, const CollectiveRequest& call,
                                    const RequestedProblem& question) {
    const Problem& problem = question.problem;
    const bool carriesNothing = question.bytes == 0 && problem.collective != Collective::barrier;
    if (carriesNothing) return std::nullopt;
    const std::optional<NumberedRule> rule = comm.ruleFor(call.named(), question.bytes);
    if (question.bytes <= most && problem.layout.largest() <= most) return rule;
    if (rule) RecorderSession::current()->refused(text(rule->rule->words, ": the call moves more than 2 GiB"));
    return std::nullopt;
}

Replaced replace(const Communicator& comm, CommunicatorContext& context, const CollectiveRequest& call) {
    const RequestedProblem question = requestedProblemOf(comm, context, call);
    const Problem& problem = question.problem;
    const auto rule = ruleFor(comm, call, question);
    if (!rule) return std::nullopt;
    const bool done = problem.collective == Collective::barrier ? meet(context, *rule, problem)
                      : combinesVectors(problem.collective)     ? combine(context, call, *rule, problem)
                                                                : moveBytes(comm, context, call, *rule, problem);
    return done ? Replaced{rule->way} : std::nullopt;
}

}  // namespace engine::mpi::pmpi
