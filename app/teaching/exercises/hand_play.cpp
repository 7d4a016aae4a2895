// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/exercises/hand_play.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/session/proofs/schedule_json.hpp"
#include "app/session/synthesis/synthesis.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <sstream>

namespace app {

using engine::asSize;
using engine::Error;
using engine::text;
using engine::synthesis::Chunk;
using engine::synthesis::RemainingRounds;
using engine::synthesis::Send;

std::size_t HandPlay::chunkOf(std::int32_t block) const {
    const std::vector<Chunk>& chunks = puzzle_.question.chunks;
    const auto found = std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& one) { return one.block == block; });
    if (found == chunks.end()) throw Error{text("the problem has no block ", block)};
    return static_cast<std::size_t>(found - chunks.begin());
}

std::vector<Send> HandPlay::present() const {
    std::vector<Send> now;
    std::copy_if(moves_.begin(), moves_.end(), std::back_inserter(now),
                 [&](const Send& move) { return move.step == played_; });
    return now;
}

bool HandPlay::holds(std::int32_t rank, std::int32_t block) const {
    const std::size_t chunk = chunkOf(block);
    return puzzle_.question.chunks[chunk].isHeld(rank) ||
           std::any_of(moves_.begin(), moves_.end(), [&](const Send& move) {
               return move.step < played_ && move.to == rank && asSize(move.chunk) == chunk;
           });
}

std::vector<std::int32_t> HandPlay::blocksFor(std::int32_t from, std::int32_t to) const {
    const std::vector<Send> now = present();
    std::vector<std::int32_t> blocks;
    for (const Chunk& chunk : puzzle_.question.chunks)
        if (holds(from, chunk.block) && !holds(to, chunk.block) &&
            std::none_of(now.begin(), now.end(), [&](const Send& move) {
                return move.to == to && puzzle_.question.chunks[asSize(move.chunk)].block == chunk.block;
            }))
            blocks.push_back(chunk.block);
    return blocks;
}

bool HandPlay::isOver() const {
    for (const Chunk& chunk : puzzle_.question.chunks)
        for (std::int32_t rank = 0; rank < puzzle_.fabric.ranks; ++rank)
            if (chunk.needed[asSize(rank)] && !holds(rank, chunk.block)) return false;
    return true;
}

void HandPlay::send(std::int32_t from, std::int32_t to, std::int32_t block) {
    const std::int32_t ranks = puzzle_.fabric.ranks;
    for (const std::int32_t rank : {from, to})
        if (rank < 0 || rank >= ranks)
            throw Error{text("rank ", rank, " does not exist; the last rank is ", ranks - 1)};
    if (from == to) throw Error{text("rank ", from, " needs no message to itself")};
    const std::size_t chunk = chunkOf(block);
    const auto& channels = puzzle_.fabric.channels;
    if (std::none_of(channels.begin(), channels.end(),
                     [&](const auto& channel) { return channel.from == from && channel.to == to; }))
        throw Error{text("ranks ", from, " and ", to, " are not neighbours on the network")};
    const std::vector<Send> now = present();
    const auto comes = [&](const Send& move) { return move.to == to && asSize(move.chunk) == chunk; };
    if (!holds(from, block)) {
        const bool later = std::any_of(
            now.begin(), now.end(), [&](const Send& move) { return move.to == from && asSize(move.chunk) == chunk; });
        throw Error{text("rank ", from, " does not hold block ", block, later ? " before the next round" : "")};
    }
    if (holds(to, block)) throw Error{text("rank ", to, " already holds block ", block)};
    if (std::any_of(now.begin(), now.end(), comes))
        throw Error{text("rank ", to, " already receives block ", block, " in this round")};
    // Further blocks on the same way are part of one message.
    std::vector<std::int32_t> receivers;
    std::vector<std::int32_t> senders;
    bool joins = false;
    for (const Send& move : now) {
        if (move.from == from) receivers.push_back(move.to);
        if (move.to == to) senders.push_back(move.from);
        joins = joins || (move.from == from && move.to == to);
    }
    const auto countOf = [](std::vector<std::int32_t>& all) {
        std::sort(all.begin(), all.end());
        return static_cast<int>(std::unique(all.begin(), all.end()) - all.begin());
    };
    const int ports = puzzle_.fabric.ports;
    const auto full = [&](std::int32_t rank, const char* does, int messages) {
        return Error{text("rank ", rank, ' ', does, ' ', analysis::counted(messages, "message"),
                          " in this round already, as many as it has ports")};
    };
    if (!joins && ports > 0) {
        if (countOf(receivers) >= ports) throw full(from, "sends", ports);
        if (countOf(senders) >= ports) throw full(to, "receives", ports);
    }
    moves_.push_back({played_, from, to, static_cast<std::int32_t>(chunk)});
}

void HandPlay::endRound() {
    if (present().empty()) throw Error{"send at least one message in a round"};
    ++played_;
}

void HandPlay::undo() {
    if (moves_.empty()) return;
    if (moves_.back().step == played_) moves_.pop_back();
    else played_ = moves_.back().step;
    remaining_.resize(std::min(remaining_.size(), asSize(played_) + 1));
}

void HandPlay::restart() {
    moves_.clear();
    played_ = 0;
    remaining_.resize(std::min<std::size_t>(remaining_.size(), 1));
    forgetUndecided();
}

void HandPlay::forgetUndecided() {
    while (!remaining_.empty() && !remaining_.back().left) remaining_.pop_back();
}

void HandPlay::judge(std::chrono::milliseconds time, const engine::Progress& progress) {
    forgetUndecided();
    try {
        const auto patience = patienceOf(time, progress);  // the time of all searches together
        if (remaining_.empty()) remaining_.push_back({.left = optimumOf(puzzle_, time, progress)});
        while (remaining_.size() <= asSize(played_)) {
            const auto round = static_cast<std::int32_t>(remaining_.size());
            std::vector<Chunk> chunks = puzzle_.question.chunks;
            for (Chunk& chunk : chunks) {
                std::vector<bool> held(asSize(puzzle_.fabric.ranks));
                for (std::int32_t rank = 0; rank < puzzle_.fabric.ranks; ++rank)
                    held[asSize(rank)] = chunk.isHeld(rank);
                chunk.held = std::move(held);
            }
            for (const Send& move : moves_)
                if (move.step < round) chunks[asSize(move.chunk)].held[asSize(move.to)] = true;
            RemainingRounds now = remainingRoundsAfter(puzzle_.fabric, chunks, round, remaining_.front().left,
                                                       remaining_.back().lost, patience);
            if (progress.stop.stop_requested()) throw engine::Cancelled{};
            remaining_.push_back(std::move(now));
        }
    } catch (const Error&) {
        throw Error{"this problem is too large for the search; choose fewer ranks"};
    }
}

void HandPlay::learnFrom(const HandPlay& other) {
    std::size_t same = 0;  // rounds
    while (same < asSize(std::min(played_, other.played_))) {
        const auto until = [&](const HandPlay& one) {
            std::vector<Send> moves;
            std::copy_if(one.moves_.begin(), one.moves_.end(), std::back_inserter(moves),
                         [&](const Send& move) { return asSize(move.step) <= same; });
            std::sort(moves.begin(), moves.end());
            return moves;
        };
        if (until(*this) != until(other)) break;
        ++same;
    }
    for (std::size_t round = 0; round <= same && round < other.remaining_.size(); ++round)
        if (round == remaining_.size()) remaining_.push_back(other.remaining_[round]);
        else if (!remaining_[round].left) remaining_[round] = other.remaining_[round];
}

std::string HandPlay::verdict() const {
    if (remaining_.size() <= asSize(played_)) return {};
    const RemainingRounds& now = remaining_[asSize(played_)];
    const std::optional<std::int32_t> fewest = remaining_.front().left;
    const auto rounds = [](std::int32_t number) { return analysis::counted(number, "round"); };
    const std::string known = fewest ? text("The optimum is ", rounds(*fewest), '.')
                                     : std::string{"The optimum is unknown: the search took too long."};
    if (played_ == 0) return known;
    if (isOver()) {
        std::string words = text("All ranks have what they need after ", rounds(played_), ". ");
        if (!fewest) return words + known;
        return words + (played_ == *fewest ? std::string{"This is the optimum."}
                                           : text(rounds(played_ - *fewest), " more than the optimum."));
    }
    if (!now.left) return text(known, " The search for the rounds that are still needed took too long.");
    const std::string left = text(rounds(*now.left), *now.left == 1 ? " is left." : " are left.");
    if (!fewest) return text(known, " With the best moves, ", left);
    if (now.lost == 0) return text("The optimum of ", rounds(*fewest), " can still be reached: ", left);
    std::string words;
    const RemainingRounds& before = remaining_[asSize(played_) - 1];
    if (const std::int32_t more = now.lost - before.lost; more > 0 && before.left) {
        words = text("Round ", played_, " cost ", rounds(more), '.');
        if (const std::string late = lateInWords(puzzle_, now); !late.empty())
            words += text(" For the optimum of ", rounds(*fewest), ", ", late, '.');
    } else {
        words = text(rounds(now.lost), now.lost == 1 ? " is lost." : " are lost.");
    }
    return text(words, " With the best moves, ", rounds(*now.left), *now.left == 1 ? " is" : " are", " still needed, ",
                played_ + *now.left, " in all.");
}

std::string HandPlay::schedule() const {
    std::int32_t rounds = 0;
    for (const Send& move : moves_) rounds = std::max(rounds, move.step + 1);
    std::vector<Send> sorted = moves_;
    std::sort(sorted.begin(), sorted.end());
    const engine::Plan plan = planOf(storedOf(puzzle_.problem, puzzle_.question, rounds, sorted), "played");
    std::ostringstream out;
    writeScheduleJson(plan, wholeOf(*plan.schedule), out);
    return out.str();
}

}  // namespace app
