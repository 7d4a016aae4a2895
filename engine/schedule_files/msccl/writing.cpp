// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/writing.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/proof/send_receive_matching.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule_files/msccl/gpu_program.hpp"
#include "engine/schedule_files/msccl/postcondition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <utility>

namespace engine::schedules::msccl {
namespace {

constexpr std::int64_t mostWrittenChunks = 1 << 14;  // of the line or vector
constexpr std::int64_t mostAtOnce = 71;              // chunks of a step that MSCCL takes
constexpr std::size_t mostSteps = 256;               // of a thread block

/// A run of chunks of the line or vector.
struct Run {
    std::int64_t first = 0;
    std::int64_t count = 0;
    bool combines = false;  ///< with what the receiver's slot has of it
};

class Exporter {
public:
    Exporter(const Schedule& schedule, const Problem& problem)
        : schedule_{schedule}, facts_{schedule.facts()}, problem_{problem}, contract_{problem} {
        requireSayable();
        measure();
        gpus_.resize(asSize(problem.ranks()));
        scratch_.resize(gpus_.size());
        filled_.resize(gpus_.size());
        begun_.resize(gpus_.size());
    }

    std::vector<std::string> write(std::string_view name, std::ostream& out) {
        for (std::int32_t r = 0; r < problem_.ranks(); ++r) bring(r);
        turns_.resize(gpus_.size());
        for (Round round{0}; round.value < facts_.rounds; ++round) step(round);
        for (std::int32_t r = 0; r < problem_.ranks(); ++r) leave(r);
        const Promise promise = promised();
        std::int64_t loop = 0;
        for (std::int32_t r = 0; r < problem_.ranks(); ++r)
            loop = std::max({loop, promise.inputs(r), promise.outputs(r)});
        std::string words{name};
        std::replace_if(
            words.begin(), words.end(),
            [](char c) { return std::string_view{"<>&\"'"}.find(c) != std::string_view::npos; }, '-');
        out << "<algo name=\"" << words << "\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"" << loop
            << "\" ngpus=\"" << problem_.ranks() << "\" coll=\"" << wordFor(problem_.collective)
            << "\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"0\">\n";
        std::size_t steps = 0;
        for (std::int32_t r = 0; r < problem_.ranks(); ++r) {
            gpus_[asSize(r)].write(out, asSize(r), promise.inputs(r), promise.outputs(r));
            steps = std::max(steps, gpus_[asSize(r)].mostSteps());
        }
        out << "</algo>\n";
        return lost(steps);
    }

private:
    void requireSayable() const {
        const std::string_view collective = name(problem_.collective);
        if (wordFor(problem_.collective).empty() || problem_.exclusive)
            throw Error{text("MSCCL has no ", problem_.exclusive ? "exclusive " : "", collective)};
        if (facts_.ranks > problem_.ranks())
            throw Error{"the schedule has processes beside those of the problem, which MSCCL does not"};
        if (problem_.layout.smallest() != problem_.layout.largest() || problem_.layout.total() == 0)
            throw Error{text("MSCCL's contributions have one size, above zero; those of this ", collective, " do not")};
        if (problem_.collective == Collective::reduceScatter &&
            blocksOf(problem_).smallest() != blocksOf(problem_).largest())
            throw Error{"MSCCL's blocks of a reduce-scatter have one size; those of this vector do not"};
        if (const Verdict verdict = verify(schedule_, problem_); !verdict.proved)
            throw Error{text("only what is proved is written for MSCCL: ", verdict.counterExample)};
    }

    /// Chunks are as large as all that is sent allows.
    void measure() {
        const bool cut = !isReduction(problem_.collective) || facts_.pieces;
        line_ = isReduction(problem_.collective) ? problem_.layout.largest() : problem_.layout.total();
        chunk_ = problem_.layout.largest();
        if (problem_.collective == Collective::reduceScatter) chunk_ = blocksOf(problem_).largest();
        Turn turn;
        for (Round round{0}; cut && round.value < facts_.rounds; ++round)
            for (Rank rank{0}; rank.value < facts_.ranks; ++rank) {
                schedule_.turn(rank, round, turn);
                for (const Message& send : turn.sends())
                    for (const Range range : turn.ranges(send))
                        chunk_ = std::gcd(chunk_, std::gcd(range.begin, range.end));
            }
        if (line_ / chunk_ > mostWrittenChunks)
            throw Error{text("its messages begin and end at so many places that all would be ", line_ / chunk_,
                             " chunks; at most ", mostWrittenChunks, " are written")};
        each_ = (problem_.collective == Collective::reduceScatter ? blocksOf(problem_).largest()
                                                                  : problem_.layout.largest()) /
                chunk_;
    }

    [[nodiscard]] Promise promised() const {
        return {problem_.collective, problem_.ranks(), each_, problem_.root.value};
    }
    [[nodiscard]] std::int64_t chunks() const { return line_ / chunk_; }

    // --- where what lies

    [[nodiscard]] bool resultIsOutput(std::int32_t rank) const {
        return problem_.collective != Collective::reduceScatter &&
               (problem_.collective != Collective::reduce || rank == problem_.root.value);
    }
    /// Slots lie one behind the other in scratch, but the result where it must be in the end; behind all of them a
    /// vector for what goes into several.
    [[nodiscard]] Place slotPlace(std::int32_t rank, int slot, std::int64_t chunk) const {
        if (slot == facts_.result && resultIsOutput(rank)) return {Buffer::output, chunk};
        const bool output = resultIsOutput(rank) && slot > facts_.result;
        return {Buffer::scratch, (slot - (output ? 1 : 0)) * chunks() + chunk};
    }

    [[nodiscard]] std::optional<std::int64_t> inOutput(std::int32_t rank, std::int64_t chunk) const {
        const std::int64_t block = chunk / each_;
        const std::int64_t within = chunk % each_;
        const std::int32_t n = problem_.ranks();
        switch (problem_.collective) {
            case Collective::alltoallv:
                if (block % n != rank) return std::nullopt;
                return block / n * each_ + within;
            case Collective::scatterv:
                if (block != rank) return std::nullopt;
                return within;
            case Collective::gatherv:
                if (rank != problem_.root.value) return std::nullopt;
                return chunk;
            default: return chunk;
        }
    }
    /// Where a rank keeps a chunk of the line.
    Place linePlace(std::int32_t rank, std::int64_t chunk) {
        const Range own = contract_.before(Rank{rank});
        const bool brings = chunk * chunk_ >= own.begin && chunk * chunk_ < own.end;
        const bool spread = problem_.collective == Collective::allgatherv || problem_.collective == Collective::gatherv;
        const auto output = inOutput(rank, chunk);
        if (output && (!brings || spread)) return {Buffer::output, *output};
        if (brings) return {Buffer::input, chunk - own.begin / chunk_};
        auto& places = scratch_[asSize(rank)];
        return {Buffer::scratch, places.try_emplace(chunk, static_cast<std::int64_t>(places.size())).first->second};
    }

    void copy(std::int32_t rank, Place source, Place target, std::int64_t count) {
        gpus_[asSize(rank)].add(Kind::copy, -1, source, target, count);
    }

    /// What a rank brings and keeps, in its output.
    void bring(std::int32_t rank) {
        if (isReduction(problem_.collective)) {
            filled_[asSize(rank)].assign(asSize(facts_.slots), std::vector<bool>(asSize(chunks())));
            begun_[asSize(rank)].assign(asSize(facts_.slots), false);
            for (int slot = 0; slot < facts_.slots; ++slot)
                if ((facts_.own >> slot & 1U) != 0) filled_[asSize(rank)][asSize(slot)].assign(asSize(chunks()), true);
            return;
        }
        const Range own = contract_.before(Rank{rank});
        const std::int64_t first = own.begin / chunk_;
        std::int64_t count = 0;
        for (std::int64_t c = first; c * chunk_ < own.end; ++c) {
            if (!inOutput(rank, c)) continue;
            // Each block of an output lies in one piece.
            for (count = 1; (c + count) * chunk_ < own.end && inOutput(rank, c + count) == *inOutput(rank, c) + count;)
                ++count;
            copy(rank, {Buffer::input, c - first}, {Buffer::output, *inOutput(rank, c)}, count);
            c += count - 1;
        }
    }

    /// A slot that begins with the rank's own vector gets it when it is first used.
    void begin(std::int32_t rank, int slot) {
        if (begun_[asSize(rank)][asSize(slot)]) return;
        begun_[asSize(rank)][asSize(slot)] = true;
        if ((facts_.own >> slot & 1U) != 0) copy(rank, {Buffer::input, 0}, slotPlace(rank, slot, 0), chunks());
    }

    void leave(std::int32_t rank) {
        if (!isReduction(problem_.collective) || !contract_.result(Rank{rank})) return;
        begin(rank, facts_.result);
        if (problem_.collective == Collective::reduceScatter)
            copy(rank, slotPlace(rank, facts_.result, rank * each_), {Buffer::output, 0}, each_);
    }

    // --- messages

    void step(Round round) {
        for (std::size_t r = 0; r < turns_.size(); ++r)
            schedule_.turn(Rank{static_cast<std::int32_t>(r)}, round, turns_[r]);
        for (std::size_t r = 0; r < turns_.size(); ++r)
            for (const Message& send : turns_[r].sends())
                if (send.slots != 0 && send.whole && !filled_[r][asSize(std::countr_zero(send.slots))][0])
                    throw Error{text("rank ", r, " sends a partial result of nothing, which MSCCL cannot")};
        // Where a message is cut depends on both of its ends.
        std::map<const Message*, std::vector<Run>> runs;
        Matches matches{turns_};
        for (std::size_t r = 0; r < turns_.size(); ++r)
            for (std::size_t i = 0; i < turns_[r].receives().size(); ++i) {
                const Message* send = matches.sendFor(Rank{static_cast<std::int32_t>(r)}, i);
                ENSURE(send != nullptr, "a receive without its send in a proved schedule");
                runs[send] = runsOf(static_cast<std::int32_t>(r), turns_[r].receives()[i], *send, turns_[r]);
                if (runs[send].size() > 1) ++cut_;
                if (runs[send].empty()) ++empty_;
            }
        for (std::size_t r = 0; r < turns_.size(); ++r) {
            const auto rank = static_cast<std::int32_t>(r);
            for (const Message& send : turns_[r].sends())
                for (const Run& run : runs[&send]) {
                    const Place from = placeOfSend(rank, send, run.first);
                    gpus_[r].add(Kind::send, send.peer.value, from, from, run.count);
                    longest_ = std::max(longest_, run.count);
                }
            for (std::size_t i = 0; i < turns_[r].receives().size(); ++i)
                for (const Run& run : runs[matches.sendFor(Rank{rank}, i)]) receive(rank, turns_[r].receives()[i], run);
        }
    }

    Place placeOfSend(std::int32_t rank, const Message& send, std::int64_t chunk) {
        if (send.slots == 0) return linePlace(rank, chunk);
        begin(rank, std::countr_zero(send.slots));
        return slotPlace(rank, std::countr_zero(send.slots), chunk);
    }

    /// The runs of a message that lie in one piece at both ends, and are combined or kept alike.
    std::vector<Run> runsOf(std::int32_t rank, const Message& receive, const Message& send, const Turn& turn) {
        std::vector<Run> runs;
        const auto add = [&](std::int64_t chunk) {
            const bool combines =
                receive.action != Action::keep && receive.slots != 0 && anyFilled(rank, receive, chunk);
            if (!runs.empty()) {
                Run& last = runs.back();
                if (last.first + last.count == chunk && last.combines == combines &&
                    goesOn(rank, receive, send, chunk)) {
                    ++last.count;
                    return;
                }
            }
            runs.push_back({chunk, 1, combines});
        };
        if (receive.whole)
            for (std::int64_t c = 0; c < chunks(); ++c) add(c);
        for (const Range range : turn.ranges(receive))
            for (std::int64_t c = range.begin / chunk_; c < range.end / chunk_; ++c) add(c);
        for (int slot = 0; slot < facts_.slots && receive.slots != 0; ++slot)
            if ((receive.slots >> slot & 1U) != 0)
                for (const Run& run : runs)
                    for (std::int64_t c = 0; c < run.count; ++c)
                        filled_[asSize(rank)][asSize(slot)][asSize(run.first + c)] = true;
        return runs;
    }

    bool anyFilled(std::int32_t rank, const Message& receive, std::int64_t chunk) const {
        bool any = false;
        bool all = true;
        for (int slot = 0; slot < facts_.slots; ++slot)
            if ((receive.slots >> slot & 1U) != 0) {
                const bool filled = filled_[asSize(rank)][asSize(slot)][asSize(chunk)];
                any = any || filled;
                all = all && filled;
            }
        if (any != all)
            throw Error{
                text("cannot be written as MSCCL XML: rank ", rank,
                     " needs a received partial result in two buffers, combined with one and copied to the other; "
                     "ranks of allreduce/ring, for example, need it in one")};
        return any;
    }

    bool goesOn(std::int32_t rank, const Message& receive, const Message& send, std::int64_t chunk) {
        if (send.slots != 0) return true;
        const auto follows = [&](std::int32_t who) {
            const Place before = linePlace(who, chunk - 1);
            const Place after = linePlace(who, chunk);
            return before.buffer == after.buffer && before.first + 1 == after.first;
        };
        return follows(rank) && follows(receive.peer.value);
    }

    void receive(std::int32_t rank, const Message& message, const Run& run) {
        WrittenGpu& gpu = gpus_[asSize(rank)];
        if (message.slots == 0) {
            const Place to = linePlace(rank, run.first);
            return gpu.add(Kind::receive, message.peer.value, to, to, run.count);
        }
        if (std::has_single_bit(message.slots)) {
            const int slot = std::countr_zero(message.slots);
            begin(rank, slot);
            const Place to = slotPlace(rank, slot, run.first);
            return gpu.add(run.combines ? Kind::receiveReduceCopy : Kind::receive, message.peer.value, to, to,
                           run.count);
        }
        const Place between{Buffer::scratch, facts_.slots * chunks() + run.first};
        gpu.add(Kind::receive, message.peer.value, between, between, run.count);
        for (int slot = 0; slot < facts_.slots; ++slot)
            if ((message.slots >> slot & 1U) != 0) {
                begin(rank, slot);
                gpu.add(run.combines ? Kind::reduce : Kind::copy, -1, between, slotPlace(rank, slot, run.first),
                        run.count);
            }
    }

    [[nodiscard]] std::vector<std::string> lost(std::size_t steps) const {
        std::vector<std::string> all{
            text("MSCCL's XML does not state the size of a chunk, which is ", showBytes(chunk_), " here")};
        if (hasRoot(problem_.collective))
            all.push_back(text("MSCCL's XML does not state the root, which is rank ", problem_.root, " here"));
        if (wordFor(problem_.collective) == "custom")
            all.push_back(text("MSCCL's XML has no word for a ", name(problem_.collective),
                               "; the collective of the file is custom"));
        if (cut_ > 0)
            all.push_back(text(cut_, " messages travel as several, since what they carry lies in several places"));
        if (empty_ > 0)
            all.push_back(text(empty_, empty_ == 1 ? " message carries" : " messages carry",
                               " nothing, which no step can: left out"));
        if (combinesVectors(problem_.collective))
            all.emplace_back(
                "MSCCL's XML does not state the order in which partial results are combined; the operation must be commutative");
        if (longest_ > mostAtOnce || steps > mostSteps)
            all.push_back(text("MSCCL takes at most ", mostAtOnce, " chunks a step and ", mostSteps,
                               " steps a thread block; here are ", longest_, " and ", steps));
        return all;
    }

    const Schedule& schedule_;
    const Facts& facts_;
    const Problem& problem_;
    Contract contract_;
    Bytes line_ = 0;
    Bytes chunk_ = 1;
    std::int64_t each_ = 1;  ///< chunks of a contribution, a vector, or a block of one
    std::int64_t cut_ = 0;
    std::int64_t empty_ = 0;
    std::int64_t longest_ = 0;
    std::vector<WrittenGpu> gpus_;
    std::vector<Turn> turns_;
    std::vector<std::map<std::int64_t, std::int64_t>> scratch_;  ///< by rank: where chunks of the line lie
    std::vector<std::vector<std::vector<bool>>> filled_;         ///< by rank, slot and chunk of the vector
    std::vector<std::vector<bool>> begun_;                       ///< by rank and slot
};

}  // namespace

std::vector<std::string> write(const Schedule& schedule, const Problem& problem, std::string_view name,
                               std::ostream& out) {
    return Exporter{schedule, problem}.write(name, out);
}

}  // namespace engine::schedules::msccl
