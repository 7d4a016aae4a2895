// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/replay.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/replay/at_once.hpp"
#include "emulation/replay/fair_mail.hpp"
#include "emulation/replay/log_gp_mail.hpp"
#include "emulation/replay/mail.hpp"
#include "emulation/replay/stay.hpp"
#include "emulation/replay/strand.hpp"
#include "engine/field.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>

namespace emulation {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Round;

namespace {

class ReplayClock {
public:
    ReplayClock(const Program& program, const Network& network, const Conditions& conditions,
                const engine::Progress& progress, ReplayObserver* observer, InPorts inPorts)
        : program_{program},
          conditions_{conditions},
          progress_{progress},
          observer_{observer},
          byByte_{inPorts == InPorts::byByte},
          costs_{network, conditions, 1},
          courses_{costs_},
          mail_{network.ranks(), conditions, byByte_},
          fair_{isFair(conditions.sharing) ? std::make_unique<FairMail>(network, conditions) : nullptr},
          factors_{slowness(conditions.perturbation.slowRanks, network.ranks())},
          logGP_{conditions.model.logGP ? std::make_unique<LogGPMail>(network.ranks(), conditions, factors_) : nullptr},
          letters_{lettersOf(program.messages, costs_)},
          stays_(program.collectives.size()),
          places_{program.ranks.size()},
          underWay_(network.ranks()) {
        result_.ranks.resize(network.ranks());
        result_.collectives.resize(program.collectives.size());
        for (const Rank rank : program.ranks.ids()) all_ += program.ranks[rank].size();
    }

    Replayed run() {
        const auto starts =
            startTimes(conditions_.perturbation.arrival, static_cast<std::int32_t>(program_.ranks.size()));
        for (const Rank rank : program_.ranks.ids()) {
            strands_.push_back({.rank = rank, .now = starts[rank.index()]});
            result_.ranks[rank].computing = starts[rank.index()];  // what made it come late
            wake(rank.value);
        }
        do {
            if (fair_) happenFairly();
            else happenAll();
        } while (openHeld());
        for (const Rank rank : program_.ranks.ids()) {
            const Strand& strand = strands_[rank.index()];
            if (!strand.done) result_.stuck.push_back({rank, strand.at});
            result_.ranks[rank].end = strand.now;
            result_.duration = std::max(result_.duration, strand.now);
        }
        progress_.at(1);
        return std::move(result_);
    }

private:
    void happenAll() {
        if (logGP_)
            happenIn(*logGP_, [this](const ReplayEvent& event) {
                if (event.what == Moves::comes) logGP_->comes(event);
                else if (const auto task = logGP_->work(Rank{static_cast<std::int32_t>(event.order)}, time_))
                    worked(*task);
            });
        else
            happenIn(mail_, [this](const ReplayEvent& event) {
                if (event.what == Moves::comes) mail_.comes(*event.letter, time_);
                else if (event.what == Moves::leaves) mail_.leave(*event.letter, time_);
                else move(*event.letter);
            });
    }

    /// Strands act when that is their event; `otherwise` takes all others.
    template <class Mail, class Otherwise>
    void happenIn(Mail& mail, Otherwise otherwise) {
        for (std::int64_t count = 0; !mail.empty(); ++count) {
            const ReplayEvent event = mail.next();
            time_ = event.time;
            if (event.what == Moves::strand) proceed(static_cast<std::int32_t>(event.order));
            else otherwise(event);
            if ((count & 0xFFFF) == 0) progress_.at(static_cast<double>(did_) / static_cast<double>(all_ + 1));
        }
    }

    /// The same where links are shared fairly.
    void happenFairly() {
        for (fair_->settle(time_); !fair_->empty(); fair_->settle(time_)) {
            const FairMail::Moment moment = fair_->next();
            time_ = moment.time;
            for (const std::int32_t strand : moment.strands) proceed(strand);
            for (ReplayLetter* const letter : moment.letters) {
                letter->left = letter->there = true;
                arrived(*letter);
            }
            progress_.at(static_cast<double>(did_) / static_cast<double>(all_ + 1));
        }
    }

    /// It is known when a processor is through with it: who waits for that goes on then.
    void worked(const ProcessorTask& task) {
        if (task.what == ProcessorTask::What::computes) {
            resume(task.strand, task.end);
        } else if (task.what == ProcessorTask::What::receives) {
            arrived(*task.letter);
        } else {
            const std::int32_t sender = std::exchange(task.letter->awaitsSend, ReplayLetter::nobody);
            if (sender != ReplayLetter::nobody) resume(sender, task.end);
        }
    }

    /// Members that wait for one who will never come go on as far as they can. Whether there were any.
    bool openHeld() {
        bool found = false;
        for (std::size_t i = 0; i < stays_.size(); ++i) {
            Stay& stay = stays_[i];
            const CollectiveDone& what = program_.collectives[i];
            if (stay.isOpen || stay.waiting.empty() || what.schedule == nullptr) continue;
            stay.isOpen = true;
            found = open(static_cast<std::int32_t>(i), what, stay) || found;
        }
        return found;
    }

    [[nodiscard]] Factor factorOf(Rank rank) const { return factors_.empty() ? Factor{} : factors_[rank]; }

    /// The strand goes on when its time has come.
    void wake(std::int32_t strand) {
        const Picoseconds when = strands_[engine::asSize(strand)].now;
        if (fair_) fair_->wake(strand, when);
        else if (logGP_) logGP_->wake(strand, when);
        else mail_.wake(strand, when);
    }
    void postSend(ReplayLetter& letter, Picoseconds now) {
        if (fair_) fair_->postSend(letter, now);
        else if (logGP_) logGP_->postSend(letter, now);
        else mail_.postSend(letter, now);
    }
    void postReceive(ReplayLetter& letter, Picoseconds now) {
        if (fair_) fair_->postReceive(letter, now);
        else if (logGP_) logGP_->expect(letter, now), logGP_->want(letter, now);
        else mail_.postReceive(letter, now);
    }
    void resume(std::int32_t strand, Picoseconds now) {
        Picoseconds& its = strands_[engine::asSize(strand)].now;
        its = std::max(its, now);
        proceed(strand);
    }

    void move(ReplayLetter& letter) {
        if (mail_.move(letter, time_)) arrived(letter);
    }

    /// It is known when it is there.
    void arrived(ReplayLetter& letter) {
        ++result_.messages;
        result_.bytes += letter.record.bytes;
        if (letter.collective == ReplayLetter::nobody) --underWay_[letter.record.to];
        if (observer_ != nullptr) observer_->message(letter.record, letter.collective);
        // Who goes on may close the round: the letter may be gone then.
        const MessageRecord record = letter.record;
        const std::int32_t sender = std::exchange(letter.awaitsSend, ReplayLetter::nobody);
        const std::int32_t receiver = std::exchange(letter.awaitsReceive, ReplayLetter::nobody);
        if (sender != ReplayLetter::nobody) resume(sender, record.sendEnd);
        if (receiver != ReplayLetter::nobody) resume(receiver, record.receiveEnd);
    }

    /// On until it must wait, or until its posts must wait for what happens before them.
    void proceed(std::int32_t number) {
        Strand& self = strands_[engine::asSize(number)];
        if (self.parent != ReplayLetter::nobody) {
            if (within(number, self)) finish(number, self);
            return;
        }
        const Doings& doings = program_.ranks[self.rank];
        while (self.at < doings.size()) {
            if (!self.begun) self.begin = self.now;
            self.begun = true;
            if (!act(number, self, doings.what(self.at), doings.number(self.at))) return;
            if (observer_ != nullptr) observer_->did(self.rank, self.at, self.begin, self.now);
            self.begun = false;
            ++self.at;
            ++did_;
        }
        self.done = true;
    }

    /// Whether the strand is through with what it does.
    bool act(std::int32_t number, Strand& self, Does what, std::int64_t of) {
        TimeSpent& spent = result_.ranks[self.rank];
        switch (what) {
            case Does::computes: {
                const Picoseconds time = lasting(factorOf(self.rank), Picoseconds{of});
                if (!work(number, self, time)) return false;
                spent.computing += time;
                spent.moving += self.now - self.begin - time;
                return true;
            }
            case Does::lingers:
                if (isScheduled(self)) return true;
                self.now = later(self.now, Picoseconds{of});
                spent.inCollectives += Picoseconds{of};
                return true;
            case Does::sends: {
                ReplayLetter& letter = letters_[engine::asSize(of)];
                if (!letter.sendPosted) {
                    if (!mayPost(number, self)) return false;
                    postSend(letter, self.now);
                }
                // A processor sends it now, unless it must wait for its receiver.
                return logGP_ == nullptr || mail_.meets(letter) || await(number, self, letter, Does::awaitsSend);
            }
            case Does::receives:
                if (!mayPost(number, self)) return false;
                ++underWay_[self.rank];
                postReceive(letters_[engine::asSize(of)], self.now);
                return true;
            case Does::awaitsSend:
            case Does::awaitsReceive: return await(number, self, letters_[engine::asSize(of)], what);
            case Does::enters:
                if (self.collective == Strand::none) {
                    if (!mayPost(number, self)) return false;
                    enter(self, of);
                }
                if (!within(number, self)) return false;
                leave(self);
                spent.inCollectives += self.now - self.begin;
                return true;
            case Does::starts: {
                if (!mayPost(number, self)) return false;
                const std::int32_t beside = spawn({.rank = self.rank, .now = self.now, .parent = number});
                enter(strands_[engine::asSize(beside)], of);
                beside_[{self.rank.value, of}] = beside;
                ++underWay_[self.rank];
                wake(beside);
                return true;
            }
            case Does::ends: {
                const auto beside = beside_.find({self.rank.value, of});
                ENSURE(beside != beside_.end(), "a collective is ended that was not started");
                const Strand& its = strands_[engine::asSize(beside->second)];
                self.awaitsStrand = beside->second;
                if (!its.done) return false;
                self.awaitsStrand = ReplayLetter::nobody;
                self.now = std::max(self.now, its.now);
                spent.inCollectives += self.now - self.begin;
                idle_.push_back(beside->second);
                beside_.erase(beside);
                --underWay_[self.rank];
                return true;
            }
        }
        return true;
    }

    /// Whether something says how long the collective before took.
    [[nodiscard]] bool isScheduled(const Strand& self) const {
        const std::int64_t collective = program_.ranks[self.rank].number(self.at - 1);
        return program_.collectives[engine::asSize(collective)].schedule != nullptr;
    }

    /// The strand computes or combines; whether it is through with that.
    bool work(std::int32_t number, Strand& self, Picoseconds time) {
        if (logGP_ == nullptr || time == Picoseconds{}) {
            self.now = later(self.now, time);
            return true;
        }
        self.works = !self.works;
        if (self.works) logGP_->occupy(number, self.rank, self.collective, time, self.now);
        return !self.works;
    }

    /// Posts come in the order of time, over all ranks.
    bool mayPost(std::int32_t number, const Strand& self) {
        if (self.now <= time_) return true;
        wake(number);
        return false;
    }

    bool await(std::int32_t number, Strand& self, ReplayLetter& letter, Does what) {
        const bool sending = what == Does::awaitsSend;
        if (!(sending ? letter.left : letter.there)) {
            (sending ? letter.awaitsSend : letter.awaitsReceive) = number;
            return false;
        }
        const Picoseconds end = std::max(self.begin, sending ? letter.record.sendEnd : letter.record.receiveEnd);
        const bool waits = !sending || logGP_ || (fair_ ? fair_->meets(letter) : mail_.meets(letter));
        const Picoseconds moves = logGP_ ? letter.record.sendBegin : letter.record.receiveBegin;
        const Picoseconds came = waits ? std::clamp(moves, self.begin, end) : self.begin;
        TimeSpent& spent = result_.ranks[self.rank];
        spent.waiting += came - self.begin;
        spent.moving += end - came;
        self.now = end;
        return true;
    }

    /// A new strand, or one that is through and that nobody waits for any more.
    std::int32_t spawn(Strand strand) {
        if (idle_.empty()) {
            strands_.push_back(strand);
            return static_cast<std::int32_t>(strands_.size() - 1);
        }
        const std::int32_t number = idle_.back();
        idle_.pop_back();
        strands_[engine::asSize(number)] = strand;
        return number;
    }

    void enter(Strand& self, std::int64_t collective) {
        const CollectiveDone& what = program_.collectives[engine::asSize(collective)];
        Stay& stay = stays_[engine::asSize(collective)];
        Lasting& lasts = result_.collectives[engine::asSize(collective)];
        lasts.begin = stay.come == 0 ? self.now : std::min(lasts.begin, self.now);
        ++stay.come;
        self.collective = collective;
        self.place = places_.of(*what.members, self.rank);
        self.posted = self.met = false;
        self.round = Round{0};
        if (what.schedule == nullptr) return;
        self.behind = Round{what.schedule->facts().rounds};
        const bool isBeside = self.parent != ReplayLetter::nobody;
        stay.isOpen = stay.isOpen || isBeside || underWay_[self.rank] > 0 || !mayGather(what);
    }

    /// Whether nobody leaves it before all have come, and nothing that happens elsewhere meets its messages.
    bool mayGather(const CollectiveDone& what) {
        if (conditions_.model.eagerLimit || byByte_ || fair_ || logGP_ || lockstep()) return false;
        const Course* course = courses_.of(what);
        return course != nullptr && course->gathers;
    }

    void leave(Strand& self) {
        const auto collective = engine::asSize(std::exchange(self.collective, Strand::none));
        Stay& stay = stays_[collective];
        Lasting& lasts = result_.collectives[collective];
        lasts.end = std::max(lasts.end, self.now);
        if (++stay.gone == program_.collectives[collective].members->size()) stay.rounds.reset();
    }

    /// A strand that has a parent is through.
    void finish(std::int32_t number, Strand& self) {
        self.done = true;
        Strand& parent = strands_[engine::asSize(self.parent)];
        if (self.ends != Ends::both) {
            parent.now = std::max(parent.now, self.now);
            idle_.push_back(number);
            if (--parent.children == 0) wake(self.parent);
            return;
        }
        leave(self);
        if (parent.awaitsStrand != number) return;
        parent.now = std::max(parent.now, self.now);
        wake(self.parent);
    }

    /// Through the rounds of its collective; whether all of them are behind it.
    bool within(std::int32_t number, Strand& self) {
        const CollectiveDone& what = program_.collectives[engine::asSize(self.collective)];
        Stay& stay = stays_[engine::asSize(self.collective)];
        if (what.schedule == nullptr) return meet(number, self, what, stay);
        if (!stay.isOpen) return gather(number, self, what, stay);
        if (stay.rounds == nullptr && open(static_cast<std::int32_t>(self.collective), what, stay)) {
            wake(number);  // behind those, whose posts come before its own
            return false;
        }
        const engine::Rounds apart = apartIn(what);
        while (self.round < self.behind) {
            if (lockstep() && !begins(number, self, what, stay)) return false;
            if (self.ends == Ends::both && apart.contains(self.round)) {
                if (!goApart(self, number, apart.end())) return false;
                continue;
            }
            OpenRound& open = stay.rounds->at(self.round);
            if (!(logGP_ ? exchangeInTurn(number, self, open) : exchange(number, self, open))) return false;
            if (self.ends == Ends::both &&
                !work(number, self, open.what().combining(self.place, what.gamma, factorOf(self.rank))))
                return false;
            self.posted = self.met = false;
            stay.rounds->pass(self.round);
            ++self.round;
        }
        return !lockstep() || begins(number, self, what, stay);
    }

    [[nodiscard]] bool lockstep() const { return conditions_.stepping == Stepping::lockstep; }

    /// In lockstep members begin a round together, or leave, when the last of them is through with the one before.
    /// Whether they do.
    bool begins(std::int32_t number, Strand& self, const CollectiveDone& what, Stay& stay) {
        if (self.met) return true;
        if (self.waits) return false;
        stay.latest = std::max(stay.latest, self.now);
        if (stay.waiting.size() + 1 < what.members->size()) {
            stay.waiting.push_back(number);
            self.waits = true;
            return false;
        }
        letGo(stay);
        self.met = true;
        self.now = stay.latest;
        return true;
    }

    /// Those who wait for all to come go on.
    void letGo(Stay& stay) {
        for (const std::int32_t other : std::exchange(stay.waiting, {})) {
            Strand& its = strands_[engine::asSize(other)];
            its.met = true;
            its.waits = false;
            its.now = stay.latest;
            wake(other);
        }
    }

    /// Rounds whose sends and receives go apart; one processor keeps to the order of the rounds, and so does lockstep.
    [[nodiscard]] engine::Rounds apartIn(const CollectiveDone& what) const {
        return logGP_ || lockstep() ? engine::Rounds{} : what.schedule->facts().uncoupled;
    }

    /// Members go through the rounds one by one, also those that have waited until now: nothing has happened at their
    /// ports since they came, and none of them can have left. Whether any had.
    bool open(std::int32_t collective, const CollectiveDone& what, Stay& stay) {
        stay.rounds = std::make_unique<OpenRounds>(what, collective, courses_, apartIn(what), logGP_ != nullptr);
        const std::vector<std::int32_t> held = std::exchange(stay.waiting, {});
        for (const std::int32_t other : held) {
            strands_[engine::asSize(other)].posted = false;
            wake(other);
        }
        return !held.empty();
    }

    /// All go through at once when the last one has come.
    bool gather(std::int32_t number, Strand& self, const CollectiveDone& what, Stay& stay) {
        if (self.met) return true;
        if (self.posted) return false;
        self.posted = true;
        stay.waiting.push_back(number);
        if (stay.come < what.members->size()) return false;
        clocks_.resize(what.members->size());
        const std::vector<std::int32_t> all = std::exchange(stay.waiting, {});
        for (const std::int32_t each : all) {
            const Strand& its = strands_[engine::asSize(each)];
            clocks_[engine::asSize(its.place)] = its.now;
        }
        const Course& course = *courses_.of(what);
        goThrough(what, course, mail_.ports(), factors_, clocks_, observer_, self.collective);
        result_.messages += course.messages;
        result_.bytes += course.bytes;
        for (const std::int32_t each : all) {
            Strand& its = strands_[engine::asSize(each)];
            its.met = true;
            its.now = clocks_[engine::asSize(its.place)];
        }
        for (const std::int32_t other : all) {
            if (other == number) continue;
            // Until it posts something again it needs no turn of its own; at this very moment others may come first.
            if (strands_[engine::asSize(other)].now > time_) proceed(other);
            else wake(other);
        }
        return true;
    }

    /// Nothing is known of what happens: all go on when the last one has come.
    bool meet(std::int32_t number, Strand& self, const CollectiveDone& what, Stay& stay) {
        if (self.met) return true;
        if (self.posted) return false;
        self.posted = true;
        stay.latest = std::max(stay.latest, self.now);
        if (stay.come < what.members->size()) {
            stay.waiting.push_back(number);
            return false;
        }
        letGo(stay);
        self.now = stay.latest;
        return true;
    }

    /// Sends and receives of the rounds before `behind`, each at its own pace; whether both are through.
    bool goApart(Strand& self, std::int32_t number, Round behind) {
        if (self.children > 0) return false;
        if (self.posted) {
            self.posted = false;
            self.round = behind;
            return true;
        }
        self.posted = true;
        self.children = 2;
        for (const Ends ends : {Ends::sends, Ends::receives}) {
            Strand half = self;
            half.parent = number;
            half.children = 0;
            half.behind = behind;
            half.ends = ends;
            half.posted = false;
            wake(spawn(half));
        }
        return false;
    }

    /// The messages of a round; whether all of them are through.
    bool exchange(std::int32_t number, Strand& self, OpenRound& open) {
        std::span<ReplayLetter> sends;
        std::span<const std::uint32_t> receives;
        if (self.ends != Ends::receives) sends = open.sends(self.place);
        if (self.ends != Ends::sends) receives = open.receives(self.place);
        if (!self.posted) {
            if ((!sends.empty() || !receives.empty()) && !mayPost(number, self)) return false;
            for (ReplayLetter& letter : sends) postSend(letter, self.now);
            for (const std::uint32_t i : receives) postReceive(open.letter(i), self.now);
            self.posted = true;
            self.awaited = 0;
        }
        for (; self.awaited < sends.size() + receives.size(); ++self.awaited) {
            const bool sending = self.awaited < sends.size();
            ReplayLetter& letter = sending ? sends[self.awaited] : open.letter(receives[self.awaited - sends.size()]);
            if (!(sending ? letter.left : letter.there)) {
                (sending ? letter.awaitsSend : letter.awaitsReceive) = number;
                return false;
            }
            self.now = std::max(self.now, sending ? letter.record.sendEnd : letter.record.receiveEnd);
        }
        return true;
    }

    /// The same under LogGP: its processor sends in the order of the turn, then it receives.
    bool exchangeInTurn(std::int32_t number, Strand& self, OpenRound& open) {
        const std::span<ReplayLetter> sends = open.sends(self.place);
        const std::span<const std::uint32_t> receives = open.receives(self.place);
        if (!self.posted) {
            for (const std::uint32_t i : receives) logGP_->expect(open.letter(i), self.now);
            self.posted = true;
            self.awaited = 0;
        }
        for (; self.awaited < sends.size(); ++self.awaited) {
            ReplayLetter& letter = sends[self.awaited];
            if (!letter.sendPosted) logGP_->postSend(letter, self.now);
            if (!letter.left) {
                letter.awaitsSend = number;
                return false;
            }
            self.now = std::max(self.now, letter.record.sendEnd);
        }
        if (self.awaited == sends.size())
            for (const std::uint32_t i : receives) logGP_->want(open.letter(i), self.now);
        for (; self.awaited < sends.size() + receives.size(); ++self.awaited) {
            ReplayLetter& letter = open.letter(receives[self.awaited - sends.size()]);
            if (!letter.there) {
                letter.awaitsReceive = number;
                return false;
            }
            self.now = std::max(self.now, letter.record.receiveEnd);
        }
        return true;
    }

    const Program& program_;
    const Conditions& conditions_;
    const engine::Progress& progress_;
    ReplayObserver* observer_;
    bool byByte_;
    RoundCosts costs_;
    Courses courses_;
    ReplayMail mail_;
    std::unique_ptr<FairMail> fair_;      // in its place where links are shared fairly
    engine::ById<Rank, Factor> factors_;  // empty: all 1
    std::unique_ptr<LogGPMail> logGP_;    // in the place of mail_ under LogGP
    std::vector<ReplayLetter> letters_;   // outside of collectives
    std::vector<Stay> stays_;             // by collective
    PlacesOfMembers places_;
    engine::ById<Rank, std::int64_t> underWay_;  // receives that were posted, and collectives beside
    std::vector<Picoseconds> clocks_;            // of the members of a collective
    std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> beside_;  // by rank and collective: strand
    std::deque<Strand> strands_;                                            // those of programs first, by rank
    std::vector<std::int32_t> idle_;                                        // strands that may be used again
    Picoseconds time_{};
    std::size_t all_ = 0;  // things to do
    std::size_t did_ = 0;
    Replayed result_;
};

void requireReplayable(const Program& program, const Network& network, const Conditions& conditions, InPorts inPorts) {
    const auto refuse = [](bool given, const auto&... what) {
        if (given) throw engine::Error{engine::text("replay knows no ", what...)};
    };
    if (isFair(conditions.sharing)) requireFair(network, conditions);
    refuse(inPorts == InPorts::byByte && isFair(conditions.sharing),
           "fair shares of links beside ports that take messages byte by byte");
    refuse(inPorts == InPorts::byByte && conditions.model.logGP.has_value(),
           "LogGP at ports that take messages byte by byte; leave out ", engine::field::logGP);
    if (engine::asSize(network.ranks()) != program.ranks.size())
        throw engine::Error{engine::text(engine::field::topology, " ", network.name(), " has ", network.ranks(),
                                         " places, but the program runs on ", program.ranks.size(), " ranks")};
}

}  // namespace

Replayed replay(const Program& program, const Network& network, const Conditions& conditions,
                const engine::Progress& progress, ReplayObserver* observer, InPorts inPorts) {
    requireReplayable(program, network, conditions, inPorts);
    return ReplayClock{program, network, conditions, progress, observer, inPorts}.run();
}

}  // namespace emulation
