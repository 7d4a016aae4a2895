// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/msccl_schedule.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/msccl/execution.hpp"
#include "engine/schedule_files/msccl/plan_execution.hpp"
#include "engine/schedule_files/msccl/slots.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace engine::schedules::msccl {
namespace {

constexpr std::size_t mostRanges = std::size_t{1} << 24;

class Writer {
public:
    Writer(const Course& course, std::string_view file) : course_{course}, file_{file} {}

    Stored write() {
        stored_.problem = course_.promise.problem();
        try {
            validate(stored_.problem);
        } catch (const Error& error) {
            throw Error{text(file_, ": ", error.what())};
        }
        isReduction(stored_.problem.collective) ? reduction() : bytes();
        settle();
        return std::move(stored_);
    }

private:
    StoredMessage& open(const Delivery& one) {
        stored_.messages.push_back({.round = Round{one.round},
                                    .from = Rank{one.from},
                                    .to = Rank{one.to},
                                    .firstRange = stored_.ranges.size(),
                                    .place = places_[{one.round, one.to}]++,
                                    .turn = one.sender});
        return stored_.messages.back();
    }
    void add(StoredMessage& message, std::int64_t chunk) {
        if (stored_.ranges.size() == mostRanges)
            throw Error{text(file_, ": its messages have more than ", mostRanges, " chunks in total")};
        stored_.ranges.push_back({chunk * chunkBytes, (chunk + 1) * chunkBytes});
        ++message.rangeCount;
        message.bytes += chunkBytes;
    }

    void bytes() {
        std::set<std::pair<std::int32_t, std::int64_t>> held;
        const std::int32_t ranks = stored_.problem.ranks();
        for (std::int32_t r = 0; r < ranks; ++r)
            for (std::int64_t c = 0; c < course_.promise.inputs(r); ++c)
                held.emplace(r, *course_.promise.onLine({r, c}));
        bool repeats = false;
        bool foreign = false;
        for (const Delivery& one : course_.deliveries) {
            StoredMessage& message = open(one);
            for (const Carried& carried : one.chunks) {
                const std::vector<Origin>& content = course_.contents[asSize(carried.content)];
                const auto chunk = content.size() == 1 ? course_.promise.onLine(content.front()) : std::nullopt;
                foreign = foreign || !chunk;
                if (!chunk) continue;
                add(message, *chunk);
                repeats = !held.emplace(one.to, *chunk).second || repeats;
            }
        }
        if (repeats) stored_.facts.repeats = "the file sends some chunks to where they are already";
        if (foreign)
            stored_.facts.remarks.emplace_back(
                "chunks that are of no contribution, or that are combined, are left out of messages");
    }

    void reduction() {
        const SlotPlan plan = slotsFor(course_, file_);
        Facts& facts = stored_.facts;
        facts.slots = plan.slots;
        facts.own = plan.own;
        const std::int64_t vector = stored_.problem.layout.largest() / chunkBytes;
        std::int64_t cut = 0;
        for (std::size_t d = 0; d < course_.deliveries.size(); ++d) {
            const Delivery& one = course_.deliveries[d];
            // Chunks of one message go together as far as their slots are the same.
            std::vector<std::pair<Slotted, std::set<std::int64_t>>> parts;
            for (std::size_t c = 0; c < one.chunks.size(); ++c) {
                const std::int64_t chunk = course_.contents[asSize(one.chunks[c].content)].front().chunk;
                const Slotted& how = plan.deliveries[d][c];
                auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& known) {
                    return known.first == how && !known.second.contains(chunk);
                });
                if (part == parts.end()) part = parts.insert(parts.end(), {how, {}});
                part->second.insert(chunk);
            }
            cut += parts.size() > 1 ? 1 : 0;
            for (const auto& [how, chunks] : parts) {
                StoredMessage& message = open(one);
                message.slot = Slots{1} << how.slot;
                message.into = how.into;
                message.action = how.action;
                for (const std::int64_t chunk : chunks) add(message, chunk);
                facts.pieces = facts.pieces || message.rangeCount != vector;
            }
        }
        for (StoredMessage& message : stored_.messages) message.whole = !facts.pieces;
        if (cut > 0)
            facts.remarks.push_back(text(
                cut, " messages travel as several, since partial results of their chunks lie in ", "different slots"));
    }

    /// Several messages from one rank to another in a round are received in the order in which they are sent: they keep
    /// that of their receiver, and share the turns that their thread blocks have.
    void orderSends() {
        std::map<std::tuple<Round, Rank, Rank>, std::vector<std::size_t>> byEnds;
        for (std::size_t i = 0; i < stored_.messages.size(); ++i) {
            const StoredMessage& one = stored_.messages[i];
            byEnds[{one.round, one.from, one.to}].push_back(i);
        }
        for (const auto& [ends, messages] : byEnds) {
            std::vector<std::int32_t> turns;
            for (const std::size_t i : messages) turns.push_back(stored_.messages[i].turn);
            std::ranges::sort(turns);
            for (std::size_t i = 0; i < messages.size(); ++i) stored_.messages[messages[i]].turn = turns[i];
        }
    }

    void settle() {
        orderSends();
        Facts& facts = stored_.facts;
        facts.ranks = stored_.problem.ranks();
        countRounds(facts, stored_.messages, file_);
        facts.wrong = course_.wrong;
        facts.remarks.insert(facts.remarks.end(), course_.remarks.begin(), course_.remarks.end());
        stored_.chunks = stored_.problem.layout.largest() / chunkBytes;
        if (hasRoot(stored_.problem.collective) && course_.wrong.sentence.empty())
            facts.remarks.push_back(
                text("the file specifies no root: by its messages, gpu ", stored_.problem.root, " is it"));
    }

    const Course& course_;
    std::string file_;
    Stored stored_;
    std::map<std::pair<std::int64_t, std::int32_t>, std::int32_t> places_;  ///< by round and receiver
};

}  // namespace

Stored storedFrom(std::string_view content, std::string_view file) {
    const File msccl = fileFrom(content, file);
    const Course course = courseOf(msccl, file);
    Stored stored = Writer{course, file}.write();
    stored.facts.remarks.insert(stored.facts.remarks.begin(), msccl.remarks.begin(), msccl.remarks.end());
    return stored;
}

Stored storedFromPlan(std::string_view content, std::string_view file) {
    const Course course = courseOf(planFrom(content, file), file);
    return Writer{course, file}.write();
}

}  // namespace engine::schedules::msccl
