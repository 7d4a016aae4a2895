// SPDX-License-Identifier: BSD-3-Clause
// Turns that traces tell themselves against what marked_iterations.hpp says in words, on random traces.
#include "app/analysis/program/marked_iterations.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace app::analysis::in_told_turns_judged {
namespace {

using engine::Picoseconds;
using engine::Rank;
using traces::Marker;
using traces::ParameterType;
using traces::TimeSpan;

/// A value as a rank's own thread told it, in which call; a call of no length stands for none.
struct ToldValue {
    ParameterType type = ParameterType::integer;
    std::int64_t number = 0;
    std::int64_t time = 0;
    std::pair<std::int64_t, std::int64_t> call{};
    int callNumber = -1;  ///< -1: outside of all calls
};

/// What may be right: of kinds that tell as much it is open which one counts.
struct Choice {
    std::string by;
    std::vector<std::string> names;
    std::vector<std::vector<TimeSpan>> spans;
};

class ToldPlay {
public:
    explicit ToldPlay(unsigned seed) : random_{seed}, ranks_{1 + below(4)}, builder_{ranks_} {
        worker_ = builder_.thread(Rank{0}, "worker");
        told_.resize(static_cast<std::size_t>(ranks_));
        const int count = below(4);
        for (int k = 0; k < count; ++k) {
            builder_.rest().parameters.push_back(
                {.name = "parameter " + std::to_string(k), .words = {"a 1", "a 2", "b", "c", "d"}});
            plan();
        }
        for (int rank = 0; rank < ranks_; ++rank) tell(rank);
        if (below(2) == 0) mark();
        if (below(2) == 0) meet();
        recording_ = builder_.finish();
    }

    [[nodiscard]] const traces::Recording& recording() const { return recording_; }

    /// Every way to understand it; none where the trace tells no turns.
    [[nodiscard]] std::vector<Choice> choices() const {
        std::vector<Choice> all = byMarkers();
        return all.empty() ? byParameters() : all;
    }

private:
    struct Plan {
        std::vector<std::pair<ParameterType, std::int64_t>> values;
        bool inOneCall = false;
    };

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    void plan() {
        Plan& plan = plans_.emplace_back();
        const auto type = static_cast<ParameterType>(below(3));
        const int count = 1 + below(5);
        std::int64_t value = type == ParameterType::integer ? below(9) - 5 : below(2);
        for (int k = 0; k < count; ++k) {
            plan.values.emplace_back(below(25) == 0 ? ParameterType::integer : type, value);
            value += type == ParameterType::words || below(12) != 0 ? 1 : -1;
            value = type == ParameterType::words ? value % (below(3) == 0 ? 3 : 5) : value;
            if (type == ParameterType::natural) value = std::max<std::int64_t>(value, 0);
        }
        // Words have an index: what is no word may be any number.
        for (auto& [its, number] : plan.values)
            if (its == ParameterType::words) number = std::clamp<std::int64_t>(number, 0, 4);
        plan.inOneCall = below(3) == 0;
    }

    /// Tells a value within the call that was entered last, or outside of all.
    void notice(int location, std::size_t parameter, std::pair<ParameterType, std::int64_t> value, std::int64_t time) {
        builder_.notice(location, {.time = Picoseconds{time},
                                   .number = static_cast<std::uint64_t>(value.second),
                                   .subject = static_cast<std::uint32_t>(parameter),
                                   .kind = traces::NoticeKind::parameter,
                                   .detail = static_cast<std::uint8_t>(value.first)});
    }

    void tell(int rank) {
        std::int64_t now = below(5);
        int calls = 0;
        for (std::size_t p = 0; p < plans_.size(); ++p) {
            std::vector<std::pair<ParameterType, std::int64_t>> values = plans_[p].values;
            if (below(10) == 0) values.pop_back();
            std::vector<ToldValue>& told = told_[static_cast<std::size_t>(rank)][p];
            const auto enter = [&] { builder_.enter(rank, Picoseconds{now}, "step"), ++calls; };
            std::int64_t begun = now;
            std::size_t first = told.size();
            const auto leave = [&] {
                now += below(6);
                builder_.leave(rank, Picoseconds{now});
                for (; first < told.size(); ++first) told[first].call = {begun, now}, told[first].callNumber = calls;
            };
            if (plans_[p].inOneCall) enter();
            for (const auto& value : values) {
                if (!plans_[p].inOneCall) begun = now, enter();
                now += below(4);
                notice(rank, p, value, now);
                told.push_back({value.first, value.second, now, {}, -1});
                if (below(4) == 0) {
                    builder_.enter(rank, Picoseconds{now}, "work");
                    builder_.leave(rank, Picoseconds{now += below(5)});
                    ++now;  // what is told as a call ends counts in it
                }
                if (!plans_[p].inOneCall) leave();
                if (!plans_[p].inOneCall && below(30) == 0) notice(rank, p, value, ++now);
                now += below(3);
            }
            if (plans_[p].inOneCall) leave();
            // Threads besides the rank's own have no say.
            if (rank == 0 && below(3) == 0) {
                workerNow_ += 1 + below(4);
                builder_.enter(worker_, Picoseconds{workerNow_}, "step");
                notice(worker_, p, {ParameterType::integer, 77}, workerNow_);
                builder_.leave(worker_, Picoseconds{workerNow_ + 1});
            }
        }
        end_ = std::max(end_, now);
    }

    void mark() {
        std::vector<Marker>& markers = builder_.rest().markers;
        const int kinds = 1 + below(3);
        for (int kind = 0; kind < kinds; ++kind) {
            const int count = 1 + below(4);
            const bool spans = below(2) == 0;
            std::vector<std::int32_t> about{traces::noIndex};
            if (below(3) != 0) {
                about.clear();
                for (int rank = 0; rank < ranks_; ++rank)
                    if (below(8) != 0) about.push_back(rank);
                if (below(8) == 0) about.push_back(traces::noIndex);
            }
            for (const std::int32_t location : about)
                for (int k = below(8) == 0 ? 1 : 0; k < count; ++k) {
                    const std::int64_t begin = 5 * k + below(5);
                    markers.push_back({.group = "group " + std::to_string(kind % 2),
                                       .category = kind == 2 ? "" : "kind " + std::to_string(kind),
                                       .text = (below(9) == 0 ? "odd " : "step ") + std::to_string(k),
                                       .begin = Picoseconds{begin},
                                       .end = Picoseconds{begin + (spans ? below(5) : 0)},
                                       .location = location});
                }
        }
        std::stable_sort(markers.begin(), markers.end(),
                         [](const Marker& a, const Marker& b) { return a.begin < b.begin; });
    }

    /// The time in which ranks communicate is this collective's alone.
    void meet() {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks_; ++rank)
            parts.push_back({.rank = Rank{rank}, .begin = Picoseconds{end_ / 4}, .end = Picoseconds{end_ / 2 + 1}});
        builder_.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    }

    [[nodiscard]] std::vector<Choice> byMarkers() const {
        std::vector<Choice> best;
        std::set<std::pair<std::string, std::string>> kinds;
        for (const Marker& marker : recording_.markers) kinds.insert({marker.group, marker.category});
        for (const auto& [group, category] : kinds) {
            Choice choice{"the marker " + (category.empty() ? group : category), {}, {}};
            bool fits = true;
            for (int rank = 0; rank < ranks_; ++rank) {
                std::vector<Marker> its;
                for (const int about : {rank, static_cast<int>(traces::noIndex)})
                    if (its.empty())
                        for (const Marker& marker : recording_.markers)
                            if (marker.group == group && marker.category == category && marker.location == about)
                                its.push_back(marker);
                if (rank == 0)
                    for (const Marker& marker : its) choice.names.push_back(marker.text);
                fits = fits && its.size() >= 2 && its.size() == choice.names.size();
                const bool moments =
                    std::none_of(its.begin(), its.end(), [](const Marker& one) { return one.end > one.begin; });
                std::vector<TimeSpan>& spans = choice.spans.emplace_back();
                for (std::size_t k = 0; k < its.size(); ++k) {
                    spans.push_back({its[k].begin, its[k].end});
                    if (moments)
                        spans[k].end = k + 1 < its.size()
                                           ? its[k + 1].begin
                                           : std::max(its[k].begin, traces::communicationOf(recording_).end);
                }
            }
            if (!fits || (!best.empty() && best[0].names.size() > choice.names.size())) continue;
            if (!best.empty() && best[0].names.size() < choice.names.size()) best.clear();
            best.push_back(std::move(choice));
        }
        return best;
    }

    [[nodiscard]] std::vector<Choice> byParameters() const {
        const TimeSpan together = traces::communicationOf(recording_);
        std::vector<Choice> best;
        Picoseconds most{-1};
        for (std::size_t p = 0; p < plans_.size(); ++p) {
            Choice choice{"the parameter parameter " + std::to_string(p), {}, {}};
            bool fits = true;
            for (int rank = 0; rank < ranks_; ++rank) {
                const std::vector<ToldValue> its = toldBy(rank, p);
                fits = fits && alike(its, toldBy(0, p)) && areTurns(its);
                std::set<int> calls;
                for (const ToldValue& one : its) calls.insert(one.callNumber);
                std::vector<TimeSpan>& spans = choice.spans.emplace_back();
                for (std::size_t k = 0; k < its.size(); ++k)
                    spans.push_back(
                        calls.size() == its.size()
                            ? TimeSpan{Picoseconds{its[k].call.first}, Picoseconds{its[k].call.second}}
                            : TimeSpan{Picoseconds{its[k].time},
                                       Picoseconds{k + 1 < its.size() ? its[k + 1].time : its[k].call.second}});
                if (rank == 0)
                    for (const ToldValue& one : its)
                        choice.names.push_back(
                            one.type == ParameterType::words
                                ? recording_.parameters[p].words[static_cast<std::size_t>(one.number)]
                                : std::to_string(one.number));
            }
            if (!fits) continue;
            Picoseconds time{};
            for (const TimeSpan& span : choice.spans[0]) time += span.end - span.begin;
            if (time < (together.end - together.begin) / 2 || time < most) continue;
            if (time > most) best.clear();
            most = time;
            best.push_back(std::move(choice));
        }
        return best;
    }

    /// Within calls.
    [[nodiscard]] std::vector<ToldValue> toldBy(int rank, std::size_t parameter) const {
        const auto& all = told_[static_cast<std::size_t>(rank)];
        const auto its = all.find(parameter);
        return its == all.end() ? std::vector<ToldValue>{} : its->second;
    }
    static bool alike(const std::vector<ToldValue>& a, const std::vector<ToldValue>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ToldValue& x, const ToldValue& y) {
            return x.type == y.type && x.number == y.number;
        });
    }
    /// Three numbers or more that rise, or two words or more of which none comes twice.
    static bool areTurns(const std::vector<ToldValue>& told) {
        bool rise = told.size() >= 3, differ = told.size() >= 2;
        for (std::size_t i = 0; i < told.size(); ++i) {
            differ = differ && told[i].type == ParameterType::words;
            rise = rise && told[i].type == told[0].type && told[i].type != ParameterType::words;
            for (std::size_t k = 0; k < i; ++k) {
                differ = differ && told[k].number != told[i].number;
                rise = rise && told[k].number < told[i].number;
            }
        }
        return rise || differ;
    }

    std::mt19937 random_;
    int ranks_ = 1;
    traces::RecordingBuilder builder_;
    int worker_ = 0;
    std::int64_t workerNow_ = 0;
    std::int64_t end_ = 0;
    std::vector<Plan> plans_;
    std::vector<std::map<std::size_t, std::vector<ToldValue>>> told_;  ///< by rank and parameter
    traces::Recording recording_;
};

/// Names that differ in their digits alone.
bool areOfOneLoop(std::vector<std::string> names) {
    for (std::string& name : names) std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return name == names[0]; });
}

TEST(ToldTurnsJudged, areThoseOfTheWords) {
    int byMarkers = 0, byParameters = 0, none = 0, alike = 0;
    for (unsigned seed = 0; seed < 6000; ++seed) {
        const ToldPlay play{seed};
        std::vector<Rank> ranks;
        for (Rank rank{0}; rank.value < play.recording().ranks; ++rank) ranks.push_back(rank);
        const MarkedIterations found = markedIterations(play.recording(), ranks);
        const std::vector<Choice> choices = play.choices();
        if (choices.empty()) {
            ++none;
            ASSERT_EQ(found.by, "") << "seed " << seed;
            ASSERT_TRUE(found.spans.empty());
            continue;
        }
        ASSERT_TRUE(std::any_of(choices.begin(), choices.end(),
                                [&](const Choice& one) {
                                    return one.by == found.by && one.names == found.names && one.spans == found.spans;
                                }))
            << "seed " << seed << ": " << found.by << " instead of " << choices[0].by;
        ASSERT_EQ(found.alike, areOfOneLoop(found.names)) << "seed " << seed;
        ++(found.by.starts_with("the marker") ? byMarkers : byParameters);
        alike += found.alike ? 1 : 0;
    }
    for (const int met : {byMarkers, byParameters, none, alike}) EXPECT_GT(met, 500);
}

}  // namespace
}  // namespace app::analysis::in_told_turns_judged
