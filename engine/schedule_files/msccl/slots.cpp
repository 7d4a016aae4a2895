// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/slots.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace engine::schedules::msccl {
namespace {

constexpr std::int64_t forEver = std::numeric_limits<std::int64_t>::max();
constexpr int mostSlots = std::numeric_limits<Slots>::digits;

/// A partial result of one rank and chunk of the vector, by what it is made of.
struct Value {
    Recipe recipe{};
    std::int64_t born = 0;      ///< the first round before which all of it is there
    std::int64_t lastUse = -1;  ///< the last round in which it is sent
    int track = -1;
};

/// What a slot holds, one partial result after the other, for one rank and chunk of the vector.
struct Track {
    const Value* last = nullptr;
    bool fresh = false;  ///< begins empty, and is combined with what comes first
    bool own = false;    ///< begins with the rank's own contribution
    int slot = -1;
};

/// Rank and chunk of the vector.
using Where = std::pair<std::int32_t, std::int64_t>;
using Key = std::pair<bool, std::vector<std::int32_t>>;

/// All of one rank and chunk.
struct Holder {
    std::map<Key, Value> values{};
    std::vector<Track> tracks{};
    int result = -1;  ///< the track that ends with it
};

class Planner {
public:
    Planner(const Course& course, std::string_view file) : course_{course}, file_{file} {
        for (const Delivery& one : course.deliveries)
            for (std::size_t c = 0; c < one.chunks.size(); ++c) {
                const auto arrival = asSize(one.firstArrival) + c;
                if (rounds_.size() <= arrival) rounds_.resize(arrival + 1), places_.resize(arrival + 1);
                rounds_[arrival] = one.round;
                places_[arrival] = ++places;
            }
        mixed_.resize(rounds_.size());
        actions_.resize(rounds_.size());
    }

    SlotPlan plan() {
        gather();
        for (auto& [where, holder] : holders_) {
            // One message has one action. Where it would begin one slot and go on with another, it begins an empty one,
            // which combining does too.
            while (!build(holder)) {
            }
        }
        number();
        return assigned();
    }

private:
    [[nodiscard]] Where placeOf(std::int32_t rank, std::int32_t content) const {
        return {rank, course_.contents[asSize(content)].front().chunk};
    }
    static Key keyOf(const Recipe& recipe) { return {recipe.own, recipe.arrivals}; }

    Value& value(const Where& where, const Recipe& recipe) {
        Value& found = holders_[where].values[keyOf(recipe)];
        if (found.recipe.arrivals.empty()) found.recipe = recipe;
        return found;
    }

    /// Every partial result that is sent or remains, and what arrives for nothing, which needs a place too.
    void gather() {
        for (const Delivery& one : course_.deliveries)
            for (std::size_t c = 0; c < one.chunks.size(); ++c) {
                const Carried& carried = one.chunks[c];
                Value& sent = value(placeOf(one.from, carried.content), course_.recipes[asSize(carried.recipe)]);
                sent.lastUse = std::max(sent.lastUse, one.round);
                arrivals_[placeOf(one.to, carried.content)].push_back(one.firstArrival + static_cast<std::int32_t>(c));
            }
        for (const Result& one : course_.results)
            value(placeOf(one.gpu, one.carried.content), course_.recipes[asSize(one.carried.recipe)]).lastUse = forEver;
        for (const auto& [where, arrivals] : arrivals_) {
            std::set<std::int32_t> used;
            for (const auto& [key, made] : holders_[where].values) used.insert(key.second.begin(), key.second.end());
            for (const std::int32_t arrival : arrivals)
                if (!used.contains(arrival)) value(where, {.arrivals = {arrival}});
        }
        for (auto& [where, holder] : holders_)
            for (auto& [key, made] : holder.values) {
                for (const std::int32_t arrival : key.second)
                    made.born = std::max(made.born, rounds_[asSize(arrival)] + 1);
                made.lastUse = std::max(made.lastUse, made.born);
            }
    }

    /// Whether the slot that holds `before` can hold `after` next by going on combining.
    [[nodiscard]] bool goesOn(const Value& before, const Value& after) const {
        const auto& a = before.recipe.arrivals;
        const auto& b = after.recipe.arrivals;
        if (before.recipe.own != after.recipe.own || !std::includes(b.begin(), b.end(), a.begin(), a.end()))
            return false;
        return std::all_of(b.begin(), b.end(), [&](std::int32_t arrival) {
            return std::binary_search(a.begin(), a.end(), arrival) || rounds_[asSize(arrival)] >= before.lastUse;
        });
    }
    /// Whether that slot can be begun again for `after`.
    [[nodiscard]] bool givesWay(const Value& before, const Value& after) const {
        const auto& b = after.recipe.arrivals;
        return !after.recipe.own && std::all_of(b.begin(), b.end(), [&](std::int32_t arrival) {
            return rounds_[asSize(arrival)] >= before.lastUse;
        });
    }
    [[nodiscard]] std::int32_t first(const Value& one) const {
        return *std::min_element(one.recipe.arrivals.begin(), one.recipe.arrivals.end(),
                                 [&](auto a, auto b) { return places_[asSize(a)] < places_[asSize(b)]; });
    }

    /// Lays out the slots of one rank and chunk. False: an arrival would begin one and go on with another, and is
    /// marked.
    bool build(Holder& holder) {
        holder.tracks.clear();
        holder.result = -1;
        std::vector<Value*> order;
        for (auto& [key, one] : holder.values) order.push_back(&one);
        std::stable_sort(order.begin(), order.end(), [](const Value* a, const Value* b) {
            return std::tie(a->born, a->lastUse) < std::tie(b->born, b->lastUse);
        });
        std::map<std::int32_t, std::pair<bool, bool>> does;  // by arrival: begins, goes on
        for (Value* one : order) {
            const bool begun = !one->recipe.own && mixed_[asSize(first(*one))];
            const auto find = [&](auto&& fits) {
                const auto found = std::find_if(holder.tracks.begin(), holder.tracks.end(),
                                                [&](const Track& track) { return fits(*track.last, *one); });
                return static_cast<int>(found - holder.tracks.begin());
            };
            const auto none = static_cast<int>(holder.tracks.size());
            int track = find([&](const Value& a, const Value& b) { return goesOn(a, b); });
            bool restarts = false;
            if (track == none && !begun) {
                track = find([&](const Value& a, const Value& b) { return givesWay(a, b); });
                restarts = !one->recipe.own;
            }
            const std::vector<std::int32_t> before = track == none || restarts
                                                         ? std::vector<std::int32_t>{}
                                                         : holder.tracks[asSize(track)].last->recipe.arrivals;
            if (track == none) holder.tracks.push_back({.fresh = begun, .own = one->recipe.own});
            holder.tracks[asSize(track)].last = one;
            one->track = track;
            if (one->lastUse == forEver) holder.result = track;
            for (const std::int32_t arrival : one->recipe.arrivals) {
                if (std::binary_search(before.begin(), before.end(), arrival)) continue;
                const bool begins = !one->recipe.own && before.empty() && !begun && arrival == first(*one);
                (begins ? does[arrival].first : does[arrival].second) = true;
            }
        }
        bool clean = true;
        for (const auto& [arrival, how] : does)
            if (how.first && how.second) {
                mixed_[asSize(arrival)] = true;
                clean = false;
            }
        if (clean)
            for (const auto& [arrival, how] : does)
                actions_[asSize(arrival)] = how.first ? Action::keep : Action::append;
        return clean;
    }

    void number() {
        int usual = 1;
        int fresh = 0;
        for (const auto& [where, holder] : holders_) {
            const auto empty = static_cast<int>(std::count_if(holder.tracks.begin(), holder.tracks.end(),
                                                              [](const Track& track) { return track.fresh; }));
            fresh = std::max(fresh, empty);
            usual = std::max(usual, static_cast<int>(holder.tracks.size()) - empty);
        }
        for (auto& [where, holder] : holders_) {
            int next = holder.result >= 0 ? 1 : 0;
            int later = usual;
            for (std::size_t t = 0; t < holder.tracks.size(); ++t) {
                Track& track = holder.tracks[t];
                const bool result = static_cast<int>(t) == holder.result;
                if (result && track.fresh)
                    throw Error{text(file_, ": gpu ", where.first, " makes the result of chunk ", where.second,
                                     " of what it also keeps alone, which no slot can")};
                track.slot = result ? 0 : track.fresh ? later++ : next++;
                if (track.own) plan_.own |= Slots{1} << std::min(track.slot, mostSlots - 1);
            }
        }
        plan_.slots = usual + fresh;
        if (plan_.slots > mostSlots)
            throw Error{text(file_, ": a gpu keeps ", plan_.slots,
                             " partial results of one chunk at one time; at most ", mostSlots, " are followed")};
    }

    SlotPlan assigned() {
        for (const Delivery& one : course_.deliveries) {
            std::vector<Slotted>& all = plan_.deliveries.emplace_back();
            for (const Carried& carried : one.chunks) {
                Holder& holder = holders_.at(placeOf(one.from, carried.content));
                const Value& sent = holder.values.at(keyOf(course_.recipes[asSize(carried.recipe)]));
                all.push_back({.slot = holder.tracks[asSize(sent.track)].slot});
            }
        }
        for (const auto& [where, holder] : holders_)
            for (const auto& [key, made] : holder.values)
                for (const std::int32_t arrival : key.second)
                    into_[arrival] |= Slots{1} << holder.tracks[asSize(made.track)].slot;
        for (std::size_t d = 0; d < course_.deliveries.size(); ++d)
            for (std::size_t c = 0; c < course_.deliveries[d].chunks.size(); ++c) {
                const auto arrival = course_.deliveries[d].firstArrival + static_cast<std::int32_t>(c);
                plan_.deliveries[d][c].into = into_[arrival];
                plan_.deliveries[d][c].action = actions_[asSize(arrival)];
            }
        return std::move(plan_);
    }

    const Course& course_;
    std::string_view file_;
    std::vector<std::int64_t> rounds_;  // by arrival
    std::vector<std::int64_t> places_;  // by arrival: in which order all are taken
    std::int64_t places = 0;
    std::vector<bool> mixed_;  // by arrival
    std::vector<Action> actions_;
    std::map<std::int32_t, Slots> into_;
    std::map<Where, Holder> holders_;
    std::map<Where, std::vector<std::int32_t>> arrivals_;
    SlotPlan plan_;
};

}  // namespace

SlotPlan slotsFor(const Course& course, std::string_view file) { return Planner{course, file}.plan(); }

}  // namespace engine::schedules::msccl
