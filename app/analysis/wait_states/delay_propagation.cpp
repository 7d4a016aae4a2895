// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/delay_propagation.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

/// Whether waits get the number of their wave.
enum class Waves : std::uint8_t { counted, leftOut };

class Accounts {
public:
    Accounts(const Threads& threads, Waves waves)
        : threads_{threads},
          waves_{waves},
          own_(engine::asSize(threads.count())),
          accounts_(own_.size()),
          waited_(own_.size()),
          waitedWhenInStep_(own_.size() <= mostPaired ? own_.size() * own_.size() : 0),
          open_(own_.size()),
          inChain_(own_.size()),
          lines_(waves == Waves::counted ? own_.size() : 0) {}

    /// Waits that end together: first those of ranks that others waited for.
    void together(std::span<Wait* const> ending) {
        if (ending.size() == 1) return trace(*ending.front());
        settled_.clear();
        for (Wait* const wait : ending) open_[who(*wait).index()].push_back(wait);
        for (const Wait* const wait : ending) settle(who(*wait));
        // What the last of them told of a late rank is so for all that waited for it.
        for (const Wait* const wait : settled_) inStep(who(*wait), forWhom(*wait));
    }
    /// From now on shares are put into `shares`, by the places of their waits behind `first`; null: nowhere.
    void collect(std::vector<WaitShare>* shares, const Wait* first, std::vector<EarlierPart>* earlier = nullptr) {
        shares_ = shares, firstWait_ = first, earlier_ = earlier;
    }
    std::vector<Delay> delays() && { return std::move(delays_); }

private:
    static constexpr std::size_t mostParts = 64;
    /// The least share of a wait that is kept apart: of a delay of the late rank itself, and of one that was passed on.
    static constexpr std::int64_t leastOwn = 32, leastPassedOn = 256;
    /// For more threads it is not recorded when two were last synchronised, which takes a number for each pair.
    static constexpr std::size_t mostPaired = 256;

    /// Here each thread is identified by its place among all, as if it were a rank.
    [[nodiscard]] Rank who(const Wait& wait) const { return Rank{threads_.placeOf(wait.rank, wait.thread)}; }
    [[nodiscard]] Rank forWhom(const Wait& wait) const { return Rank{threads_.placeOf(wait.late, wait.lateThread)}; }
    void setOrigin(Wait& wait, Rank place) const {
        std::tie(wait.origin, wait.originThread) = threads_.at(place.value);
    }

    /// What a rank has lost to the delays of one rank, and how the last of it came: its own have hops of -1.
    struct Lost {
        Rank origin;
        Picoseconds time{};
        std::int32_t hops = 0;
        std::uint32_t wave = 0;
    };

    /// What of it a late rank passes on, and what it had lost by then.
    struct PassedOn : Lost {
        Picoseconds until{};
    };

    class Account {
    public:
        /// Hands to `take(part of a, part of b)`, null where it has none, what any of both keeps, by origin.
        template <class Take>
        static void each(const Account& a, const Account& b, Take take) {
            auto x = a.parts_.begin();
            auto y = b.parts_.begin();
            while (x != a.parts_.end() || y != b.parts_.end()) {
                const bool first = y == b.parts_.end() || (x != a.parts_.end() && x->origin <= y->origin);
                const bool second = x == a.parts_.end() || (y != b.parts_.end() && y->origin <= x->origin);
                take(first ? &*x : nullptr, second ? &*y : nullptr);
                if (first) ++x;
                if (second) ++y;
            }
        }
        /// What is no longer kept apart counts as much as the largest that was given up.
        [[nodiscard]] Picoseconds forgotten() const { return forgotten_; }

        void set(const Lost& part) {
            const auto at = std::partition_point(parts_.begin(), parts_.end(),
                                                 [&](const Lost& one) { return one.origin < part.origin; });
            if (at != parts_.end() && at->origin == part.origin) *at = part;
            else parts_.insert(at, part), forget();
        }
        /// `parts` rise by origin, and what was `forgotten` before them.
        void become(std::vector<Lost>& parts, Picoseconds forgotten) {
            parts_.swap(parts);
            forgotten_ = forgotten;
            forget();
        }

    private:
        void forget() {
            while (parts_.size() > mostParts) {
                const auto least = std::min_element(parts_.begin(), parts_.end(),
                                                    [](const Lost& a, const Lost& b) { return a.time < b.time; });
                forgotten_ = std::max(forgotten_, least->time);
                parts_.erase(least);
            }
        }

        std::vector<Lost> parts_;  ///< by origin
        Picoseconds forgotten_{};
    };

    void settle(Rank rank) {
        // Whoever goes on waiting for the next one is looked at before those that wait for it; never twice.
        chain_.assign(1, rank);
        inChain_[rank.index()] = true;
        while (!chain_.empty()) {
            auto& its = open_[chain_.back().index()];
            if (its.empty()) {
                inChain_[chain_.back().index()] = false;
                chain_.pop_back();
                continue;
            }
            const Rank next = forWhom(*its.back());
            if (!inChain_[next.index()] && !open_[next.index()].empty()) {
                inChain_[next.index()] = true;
                chain_.push_back(next);
                continue;
            }
            trace(*its.back());
            settled_.push_back(its.back());
            its.pop_back();
        }
    }

    /// What a rank has of another's account, of which it knew `known`, once both are in step.
    static Lost taken(const Lost& its, const Lost* known) {
        const bool isOld = known != nullptr && known->time >= its.time;
        return {its.origin, its.time, isOld ? known->hops : its.hops + 1, isOld ? known->wave : its.wave};
    }
    /// The same of its own delays, which it knows itself.
    void takeOwn(const Lost* its, const Lost* known) {
        Lost own = known != nullptr ? *known : *its;
        if (known == nullptr) own.hops = -1;
        if (its != nullptr) own.time = std::max(own.time, its->time);
        taken_.push_back(own);
    }

    void trace(Wait& wait) {
        const Rank waits = who(wait), behind = forWhom(wait);
        Account& late = accounts_[behind.index()];
        Account& mine = accounts_[waits.index()];
        passed_.clear();
        taken_.clear();
        Picoseconds sum{};
        Picoseconds net{};  // by which the late rank is behind because of others
        Picoseconds own = late.forgotten(), knownOwn = mine.forgotten();
        Account::each(late, mine, [&](const Lost* its, const Lost* known) {
            const Rank origin = its != nullptr ? its->origin : known->origin;
            if (origin == waits) return takeOwn(its, known);  // nobody waits for itself
            if (its != nullptr) taken_.push_back(taken(*its, known));
            if (origin == behind) {
                if (its != nullptr) own = its->time;
                if (known != nullptr) knownOwn = known->time;
                return;
            }
            const Picoseconds more =
                (its != nullptr ? its->time : late.forgotten()) - (known != nullptr ? known->time : mine.forgotten());
            if (more <= Picoseconds{} || its != nullptr) net += more;
            if (more <= Picoseconds{} || its == nullptr) return;
            passed_.push_back({{origin, more, its->hops + 1, its->wave}, its->time});
            sum += more;
        });
        // The late rank has made up for what it had lost beyond this wait. Since both were synchronised it cannot have
        // lost more than it waited: ranks that are late at the same time do not delay each other.
        const Picoseconds lostSince = waitedSince(behind, waits);
        net = std::min(net, lostSince);
        if (const Picoseconds mostPassed = std::min(wait.time, lostSince); sum > mostPassed) {
            for (PassedOn& part : passed_)
                part.time = Picoseconds{static_cast<std::int64_t>(static_cast<__int128>(part.time.count()) *
                                                                  mostPassed.count() / sum.count())};
            std::erase_if(passed_, [](const PassedOn& part) { return part.time == Picoseconds{}; });
        }
        Picoseconds rest = wait.time;
        const PassedOn* most = nullptr;
        for (const PassedOn& part : passed_) {
            rest -= part.time;
            if (most == nullptr || part.time > most->time) most = &part;
        }
        const bool isPassedOn = most != nullptr && most->time >= rest;
        if (isPassedOn) setOrigin(wait, most->origin), wait.hops = most->hops, wait.wave = most->wave;
        else setOrigin(wait, behind), wait.hops = 0, wait.wave = waveOf(wait);
        if (shares_ != nullptr) {
            // What transfers and clocks add is no delay of its own.
            if (isPassedOn && leastOwn * rest >= wait.time) share(wait, {behind, rest, 0, waveOf(wait)});
            for (const PassedOn& part : passed_)
                if ((&part != most || !isPassedOn) && leastPassedOn * part.time >= wait.time) share(wait, part);
        }
        if (earlier_ != nullptr)
            for (const PassedOn& part : passed_)
                if (leastPassedOn * part.time >= wait.time) divide(wait, part);
        // What the waiting rank had lost itself, the late one was late by on top.
        if (wait.time > net) {
            Lost part{behind, std::max(own, knownOwn + wait.time - net), -1, waveOf(wait)};
            late.set(part);
            if (!lines_.empty()) lengthen(lines_[behind.index()], part);
            part.hops = 0;
            const auto at = std::partition_point(taken_.begin(), taken_.end(),
                                                 [&](const Lost& one) { return one.origin < behind; });
            if (at != taken_.end() && at->origin == behind) *at = part;
            else taken_.insert(at, part);
        }
        mine.become(taken_, late.forgotten());
        waited_[waits.index()] += wait.time;
        synchronise(waits, behind);
    }

    /// All time lost to the delays of one rank, delay after delay: each covers what lies between the end of the one
    /// before and its own. The account of any rank that lost time to it is a point on this line.
    struct LineEnd {
        Picoseconds end{};
        std::uint32_t wave = 0;
    };
    using Line = std::vector<LineEnd>;
    static void lengthen(Line& line, const Lost& own) {
        if (!line.empty() && own.time <= line.back().end) return;
        if (!line.empty() && line.back().wave == own.wave) line.back().end = own.time;
        else line.push_back({own.time, own.wave});
    }
    /// Which delays of its rank a part follows from: those that its account counts last.
    void divide(const Wait& wait, const PassedOn& part) {
        const Line& line = lines_[part.origin.index()];
        auto at = std::ranges::lower_bound(line, part.until, {}, &LineEnd::end);
        if (at == line.end()) return;
        const Picoseconds from = part.until - part.time;
        Picoseconds until = part.until, collected{}, longest{};
        std::uint32_t wave = part.wave;  // of the longest piece of those collected
        while (until > from) {
            const Picoseconds begin = at == line.begin() ? from : std::max(from, std::prev(at)->end);
            const Picoseconds piece = until - begin;
            if (piece > longest) longest = piece, wave = at->wave;
            collected += piece;
            if (leastPassedOn * collected >= wait.time) {
                if (wave != part.wave)
                    earlier_->push_back({static_cast<std::uint32_t>(&wait - firstWait_), part.wave, wave, collected});
                collected = longest = {};
            }
            until = begin;
            if (at != line.begin()) --at;
        }
    }

    /// What `rank` has waited since it was last synchronised with `other`, directly or by way of others.
    [[nodiscard]] Picoseconds waitedSince(Rank rank, Rank other) const {
        const Picoseconds all = waited_[rank.index()];
        return waitedWhenInStep_.empty() ? all : all - waitedWhenInStep_[other.index() * own_.size() + rank.index()];
    }
    /// Both are synchronised now; so is each with the ranks that the other was synchronised with, as of then.
    void synchronise(Rank a, Rank b) {
        if (waitedWhenInStep_.empty()) return;
        const std::span<Picoseconds> ofA{&waitedWhenInStep_[a.index() * own_.size()], own_.size()};
        const std::span<Picoseconds> ofB{&waitedWhenInStep_[b.index() * own_.size()], own_.size()};
        for (std::size_t i = 0; i < own_.size(); ++i) ofA[i] = ofB[i] = std::max(ofA[i], ofB[i]);
        for (const Rank rank : {a, b}) ofA[rank.index()] = ofB[rank.index()] = waited_[rank.index()];
    }

    void share(const Wait& wait, const Lost& part) {
        const auto [origin, thread] = threads_.at(part.origin.value);
        shares_->push_back({.wait = static_cast<std::uint32_t>(&wait - firstWait_),
                            .wave = part.wave,
                            .hops = part.hops,
                            .originThread = thread,
                            .origin = origin,
                            .time = part.time});
    }

    /// Both are at one moment, and whatever brought the late one there brought the other.
    void inStep(Rank rank, Rank late) {
        Account& mine = accounts_[rank.index()];
        const Account& its = accounts_[late.index()];
        taken_.clear();
        Account::each(its, mine, [&](const Lost* his, const Lost* known) {
            if ((his != nullptr ? his : known)->origin == rank) takeOwn(his, known);
            else if (his != nullptr) taken_.push_back(taken(*his, known));
        });
        mine.become(taken_, its.forgotten());
        synchronise(rank, late);
    }

    /// Ranks that wait until the same moment for the same rank wait for one delay.
    std::uint32_t waveOf(const Wait& wait) {
        if (waves_ == Waves::leftOut) return 0;
        Own& last = own_[forWhom(wait).index()];
        if (!last.known || last.until != wait.end()) {
            last = {wait.end(), static_cast<std::uint32_t>(delays_.size()), true};
            delays_.push_back({.rank = wait.late,
                               .until = wait.end(),
                               .waiter = wait.rank,
                               .since = wait.begin,
                               .thread = wait.lateThread,
                               .waiterThread = wait.thread,
                               .kind = wait.kind});
        }
        Delay& delay = delays_[last.wave];
        if (wait.begin < delay.since)
            delay.waiter = wait.rank, delay.waiterThread = wait.thread, delay.since = wait.begin;
        return last.wave;
    }

    /// The latest delay of a rank itself.
    struct Own {
        Picoseconds until{};
        std::uint32_t wave = 0;
        bool known = false;
    };

    const Threads& threads_;
    Waves waves_;
    std::vector<Own> own_;  ///< by place of the thread, as all that follow
    std::vector<Account> accounts_;
    std::vector<Picoseconds> waited_;  ///< in all
    /// By thread: what each thread had waited in all when both were last synchronised; empty for too many threads.
    std::vector<Picoseconds> waitedWhenInStep_;
    std::vector<std::vector<Wait*>> open_;  ///< those of its waits that end now
    std::vector<Rank> chain_;               ///< those that are being settled, each waits for the next one
    std::vector<bool> inChain_;             ///< it is one of them
    std::vector<const Wait*> settled_;      ///< in their order
    std::vector<PassedOn> passed_;
    std::vector<Lost> taken_;
    std::vector<Line> lines_;    ///< by thread; none where waves are left out
    std::vector<Delay> delays_;  ///< by wave
    std::vector<WaitShare>* shares_ = nullptr;
    const Wait* firstWait_ = nullptr;
    std::vector<EarlierPart>* earlier_ = nullptr;
};

DelayPropagation::DelayPropagation(const Threads& threads)
    : accounts_{std::make_unique<Accounts>(threads, Waves::leftOut)} {}
DelayPropagation::~DelayPropagation() = default;
void DelayPropagation::trace(std::span<Wait> ending, std::vector<WaitShare>& shares) {
    shares.clear();
    places_.clear();
    for (Wait& wait : ending) places_.push_back(&wait);
    accounts_->collect(&shares, ending.data());
    accounts_->together(places_);
}

std::vector<Delay> propagateDelays(std::vector<Wait>& waits, const Threads& threads, std::vector<WaitShare>* shares,
                                   std::vector<EarlierPart>* earlier) {
    std::vector<std::uint32_t> order(waits.size());
    std::iota(order.begin(), order.end(), 0U);
    sortMostlySorted(std::span{order},
                     [&](std::uint32_t a, std::uint32_t b) { return waits[a].end() < waits[b].end(); });
    Accounts accounts{threads, Waves::counted};
    accounts.collect(shares, waits.data(), earlier);
    std::vector<Wait*> ending;
    for (std::size_t i = 0; i < order.size(); ++i) {
        ending.push_back(&waits[order[i]]);
        if (i + 1 < order.size() && waits[order[i + 1]].end() == ending.front()->end()) continue;
        accounts.together(ending);
        ending.clear();
    }
    return std::move(accounts).delays();
}

namespace {

/// One delay as those who waited for the late rank itself saw it.
struct DelaySeen {
    std::uint32_t wave = 0;   ///< the first one of it
    traces::TimeSpan span{};  ///< from the start of the first such wait to the end of the last one

    /// Whether waits that end at or after `span` are for the same delay: a rank that sends to several ranks releases
    /// them one after the other. Then spans overlap for half of the shorter one.
    [[nodiscard]] bool isSame(const DelaySeen& later) const {
        const Picoseconds both = span.end - std::max(span.begin, later.span.begin);
        return 2 * both > std::min(span.end - span.begin, later.span.end - later.span.begin);
    }
};

/// By wave, the first wave of its delay.
std::map<std::uint32_t, std::uint32_t> delaysOfWaves(const std::vector<Wait>& waits) {
    std::map<std::pair<Rank, ThreadNumber>, std::map<std::uint32_t, DelaySeen>> byOrigin;
    for (const Wait& wait : waits) {
        if (wait.hops != 0) continue;
        const auto [entry, isNew] = byOrigin[{wait.origin, wait.originThread}].try_emplace(
            wait.wave, DelaySeen{wait.wave, {wait.begin, wait.end()}});
        traces::TimeSpan& span = entry->second.span;
        span = {std::min(span.begin, wait.begin), std::max(span.end, wait.end())};
    }
    std::map<std::uint32_t, std::uint32_t> delays;
    for (const auto& [origin, waves] : byOrigin) {
        std::vector<DelaySeen> byEnd;
        for (const auto& [wave, its] : waves) byEnd.push_back(its);
        std::ranges::stable_sort(byEnd, {}, [](const DelaySeen& one) { return one.span.end; });
        std::optional<DelaySeen> delay;
        for (const DelaySeen& one : byEnd) {
            if (delay && delay->isSame(one)) delay->span = {std::min(delay->span.begin, one.span.begin), one.span.end};
            else delay = one;
            delays[one.wave] = delay->wave;
        }
    }
    return delays;
}

}  // namespace

std::vector<IdleWave> idleWaves(const std::vector<Wait>& waits, const std::vector<EarlierPart>& earlier) {
    const std::map<std::uint32_t, std::uint32_t> delays = delaysOfWaves(waits);
    std::map<std::uint32_t, IdleWave> rows;
    std::map<std::uint32_t, std::set<Rank>> reached;
    const auto add = [&](const Wait& wait, std::uint32_t wave, Picoseconds time) {
        const auto known = delays.find(wave);
        const std::uint32_t delay = known == delays.end() ? wave : known->second;
        const auto [entry, isNew] = rows.try_emplace(delay);
        IdleWave& row = entry->second;
        if (isNew) row.origin = wait.origin, row.begin = wait.begin;
        row.begin = std::min(row.begin, wait.begin);
        row.end = std::max(row.end, wait.end());
        row.hops = std::max(row.hops, wait.hops);
        row.time += time;
        reached[delay].insert(wait.rank);
    };
    std::vector<Picoseconds> left(waits.size());
    std::ranges::transform(waits, left.begin(), &Wait::time);
    for (const EarlierPart& part : earlier) {
        const Wait& wait = waits[part.wait];
        if (wait.wave != part.last) continue;  // of a smaller share
        add(wait, part.wave, part.time);
        left[part.wait] -= part.time;
    }
    for (std::size_t i = 0; i < waits.size(); ++i)
        if (left[i] > Picoseconds{}) add(waits[i], waits[i].wave, left[i]);
    std::vector<IdleWave> sorted;
    for (auto& [delay, row] : rows) {
        if (row.hops == 0) continue;
        row.ranks = std::ssize(reached[delay]);
        sorted.push_back(row);
    }
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &IdleWave::time);
    return sorted;
}

}  // namespace app::analysis
