// SPDX-License-Identifier: BSD-3-Clause
// What a reduction's message says beside its contributions, each only where it is not what stands in brackets:
// "slot" that is sent (0), "into" which slots it goes (0), "side" from which it is combined (right), and "place" among
// the receives of its receiver (the order of the file).
#include "engine/schedule_files/show_json.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/partials.hpp"
#include "engine/schedule_files/json_text.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace engine::schedules {
namespace {

constexpr Bytes mostBytes = Bytes{1} << 62;
constexpr int mostSlots = std::numeric_limits<Slots>::digits;

struct Contribution {
    Rank rank{};
    std::optional<Rank> to{};
    Bytes bytes = 0;
    std::size_t at = 0;
};

/// What a message says of itself beside what is stored of it.
struct Told {
    std::size_t at = 0;
    bool ranges = false;
    bool partial = false;
    bool bytes = false;
    std::vector<std::int32_t> terms{};  ///< of the whole, or of the pieces one after the other
    std::vector<std::size_t> ends{};    ///< behind the terms of each piece
};

class Reader {
public:
    Reader(std::string_view content, std::string_view file) : in_{content, std::string{file}} {}

    Stored read() {
        const std::size_t begin = in_.here();
        in_.object("a schedule", [&](std::string_view key) { member(key); });
        in_.end();
        if (!collective_) in_.refuse(begin, "'collective' is missing; write for example \"collective\": \"bcast\"");
        if (ranks_ == 0) in_.refuse(begin, "'ranks' is missing");
        if (!sawMessages_) in_.refuse(begin, "'messages' is missing");
        settleProblem(begin);
        settleFacts(begin);
        for (std::size_t i = 0; i < told_.size(); ++i) settle(stored_.messages[i], told_[i]);
        checkTerms();
        return std::move(stored_);
    }

private:
    std::int32_t small(std::string_view what, std::int64_t low, std::int64_t high) {
        return static_cast<std::int32_t>(in_.number(what, low, high));
    }
    Rank rank(std::string_view what) { return Rank{small(what, 0, mostRanks - 1)}; }

    void member(std::string_view key) {
        Facts& facts = stored_.facts;
        if (key == "collective") {
            const std::size_t at = in_.here();
            try {
                collective_ = collectiveNamed(in_.word("'collective'"));
            } catch (const Error& error) {
                in_.refuse(at, error.what());
            }
        } else if (key == "ranks") {
            ranks_ = small("'ranks'", 1, mostRanks);
        } else if (key == "dummies") {
            dummies_ = small("'dummies'", 0, mostRanks);
        } else if (key == "ports") {
            facts.ports = small("'ports'", 1, 1 << 20);
        } else if (key == "rounds") {
            stated_ = facts.rounds = in_.number("'rounds'", 0, mostTurns);
        } else if (key == "operation") {
            const std::size_t at = in_.here();
            try {
                operation_ = operationNamed(in_.word("'operation'"));
            } catch (const Error& error) {
                in_.refuse(at, error.what());
            }
        } else if (key == "repeats") {
            facts.repeats = in_.word("'repeats'");
        } else if (key == "wrong") {
            facts.wrong.sentence = in_.word("'wrong'");
        } else if (key == "unstated") {
            facts.unstated = in_.word("'unstated'");
        } else if (key == "root") {
            root_ = rank("'root'");
        } else if (key == "groups") {
            in_.object("'groups'", [&](std::string_view group) {
                if (group == "a") groupA_ = small("'a'", 1, mostRanks);
                else if (group == "b") groupB_ = small("'b'", 1, mostRanks);
                else in_.skip();
            });
        } else if (key == "contributions") {
            in_.array("'contributions'", [&] { contribution(); });
        } else if (key == "options") {
            in_.object("'options'", [&](std::string_view option) {
                if (option == "exclusive") exclusive_ = in_.scalar("'exclusive'") == "yes";
                else in_.skip();
            });
        } else if (key == "remarks") {
            in_.array("'remarks'", [&] { facts.remarks.push_back(in_.word("a remark")); });
        } else if (key == "wiring") {
            wiringAt_ = in_.here();
            wiring_ = in_.word("'wiring'");
        } else if (key == "slots") {
            facts.slots = small("'slots'", 1, mostSlots);
        } else if (key == "own") {
            facts.own = slots("'own'");
        } else if (key == "result") {
            facts.result = small("'result'", 0, mostSlots - 1);
        } else if (key == "uncoupled") {
            in_.object("'uncoupled'", [&](std::string_view part) {
                if (part == "first") facts.uncoupled.first = Round{in_.number("'first'", 0, mostTurns)};
                else if (part == "rounds") facts.uncoupled.count = in_.number("'rounds'", 0, mostTurns);
                else in_.skip();
            });
        } else if (key == "stages") {
            in_.array("'stages'", [&] { stage(); });
        } else if (key == "messages") {
            sawMessages_ = true;
            in_.array("'messages'", [&] { message(); });
        } else {
            in_.skip();  // what a program writes for others
        }
    }

    Slots slots(std::string_view what) {
        Slots all = 0;
        in_.array(what, [&] { all |= Slots{1} << in_.number("a slot", 0, mostSlots - 1); });
        return all;
    }

    void stage() {
        Stage one;
        in_.object("a stage", [&](std::string_view key) {
            if (key == "name") one.name = in_.word("'name'");
            else if (key == "first") one.first = Round{in_.number("'first'", 0, mostTurns)};
            else if (key == "rounds") one.rounds = in_.number("'rounds'", 0, mostTurns);
            else in_.skip();
        });
        stored_.facts.stages.push_back(std::move(one));
    }

    void contribution() {
        Contribution one{.at = in_.here()};
        in_.object("a contribution", [&](std::string_view key) {
            if (key == "rank") one.rank = rank("'rank'");
            else if (key == "to") one.to = rank("'to'");
            else if (key == "bytes") one.bytes = in_.number("'bytes'", 0, mostBytes);
            else in_.skip();
        });
        contributions_.push_back(one);
    }

    void addRange(StoredMessage& message) {
        const std::size_t at = in_.here();
        Range range;
        int count = 0;
        in_.array("a range", [&] {
            const Bytes value = in_.number("an end of a range", 0, mostBytes);
            if (count++ == 0) range.begin = value;
            else range.end = value;
        });
        if (count != 2 || range.end < range.begin)
            in_.refuse(at, "a range is two numbers, [begin, end], the second not less than the first");
        stored_.ranges.push_back(range);
        ++message.rangeCount;
    }

    void addTerms(Told& told) {
        in_.array("'terms'", [&] { told.terms.push_back(small("a contribution", 0, mostRanks)); });
    }

    void message() {
        StoredMessage one{.firstRange = stored_.ranges.size(), .slot = 1, .into = 1, .whole = true};
        Told told{.at = in_.here()};
        bool combines = false;
        in_.object("a message", [&](std::string_view key) {
            if (key == "round") one.round = Round{in_.number("'round'", 0, mostTurns)};
            else if (key == "from") one.from = rank("'from'");
            else if (key == "to") one.to = rank("'to'");
            else if (key == "bytes") one.bytes = in_.number("'bytes'", 0, mostBytes), told.bytes = true;
            else if (key == "place") one.place = small("'place'", 0, 1 << 20);
            else if (key == "slot") one.slot = Slots{1} << in_.number("'slot'", 0, mostSlots - 1);
            else if (key == "into") one.into = slots("'into'");
            else if (key == "ranges") {
                told.ranges = true;
                in_.array("'ranges'", [&] { addRange(one); });
            } else if (key == "terms") {
                told.partial = true;
                addTerms(told);
            } else if (key == "pieces") {
                told.partial = true;
                one.whole = false;
                in_.array("'pieces'", [&] { piece(one, told); });
            } else if (key == "receive") {
                combines = readChoice("'receive'", "keep", "combine") == 1;
            } else if (key == "side") {
                one.action = readChoice("'side'", "right", "left") == 1 ? Action::prepend : Action::append;
            } else {
                in_.skip();
            }
        });
        if (!combines) one.action = Action::keep;
        else if (one.action == Action::keep) one.action = Action::append;
        stored_.messages.push_back(one);
        told_.push_back(std::move(told));
    }

    int readChoice(std::string_view what, std::string_view first, std::string_view second) {
        const std::size_t at = in_.here();
        const std::string words = in_.word(what);
        if (words != first && words != second)
            in_.refuse(at, text(what, " is \"", words, "\", but must be \"", first, "\" or \"", second, '"'));
        return words == second ? 1 : 0;
    }

    void piece(StoredMessage& message, Told& told) {
        const std::size_t at = in_.here();
        in_.object("a piece", [&](std::string_view key) {
            if (key == "range") addRange(message);
            else if (key == "terms") addTerms(told);
            else in_.skip();
        });
        told.ends.push_back(told.terms.size());
        if (message.rangeCount != told.ends.size()) in_.refuse(at, "a piece needs one 'range', [begin, end]");
    }

    void settleProblem(std::size_t begin) {
        Problem& problem = stored_.problem;
        problem.collective = *collective_;
        const std::int32_t ranks = ranks_ - dummies_;
        if (ranks < 1) in_.refuse(begin, "'dummies' leaves no rank that brings anything");
        if (isIntergroup(*collective_)) {
            if (groupA_ == 0 || groupB_ == 0 || groupA_ > ranks - groupB_ || groupA_ + groupB_ != ranks)
                in_.refuse(begin, text("'groups' must name two groups of ", ranks,
                                       " ranks in total, {\"a\": ..., \"b\": ...}"));
            problem.groupA = groupA_;
            problem.groupB = groupB_;
        } else {
            problem.groupA = ranks;
        }
        problem.root = root_;
        problem.operation = operation_;
        problem.exclusive = exclusive_ && *collective_ == Collective::scan;
        std::vector<Bytes> sizes;
        Bytes total = 0;
        for (const Contribution& one : contributions_) {
            if (one.bytes > mostBytes - total) in_.refuse(one.at, "contributions have more than 2^62 bytes in total");
            total += one.bytes;
            sizes.push_back(one.bytes);
        }
        const bool alike = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>{}) == sizes.end();
        if (*collective_ == Collective::barrier) problem.layout = {};
        else if (!sizes.empty() && alike)
            problem.layout = Layout::regular(static_cast<std::int32_t>(sizes.size()), sizes.front());
        else problem.layout = Layout::irregular(sizes);
        try {
            validate(problem);
        } catch (const Error& error) {
            in_.refuse(contributions_.empty() ? begin : contributions_.front().at, error.what());
        }
        for (std::size_t i = 0; i < contributions_.size() && *collective_ != Collective::barrier; ++i) {
            const Contribution& one = contributions_[i];
            const Block block{static_cast<std::int32_t>(i)};
            const std::optional<Rank> to = receiverOf(problem, block);
            if (one.rank != ownerOf(problem, block) || (one.to && one.to != to))
                in_.refuse(one.at, text("contribution ", i, " of ", name(*collective_), " must be from rank ",
                                        ownerOf(problem, block), to ? text(" to rank ", *to) : std::string{}));
        }
    }

    void settleFacts(std::size_t begin) {
        Facts& facts = stored_.facts;
        facts.ranks = ranks_;
        for (std::size_t i = 0; i < told_.size(); ++i)
            if (const std::int64_t round = stored_.messages[i].round.value; stated_ && round >= *stated_)
                in_.refuse(told_[i].at, text("a message in round ", round, " of ", *stated_,
                                             "; 'rounds' must be more than the round of every message"));
        for (std::size_t i = 0; i < told_.size(); ++i)
            facts.rounds = std::max(facts.rounds, stored_.messages[i].round.value + 1);
        if (facts.rounds * facts.ranks > mostTurns)
            in_.refuse(begin, text(facts.rounds, " rounds of ", facts.ranks, " ranks are more than is read; at most ",
                                   mostTurns, " turns"));
        const Slots known = facts.slots == mostSlots ? ~Slots{0} : (Slots{1} << facts.slots) - 1;
        if ((facts.own & ~known) != 0 || facts.result >= facts.slots)
            in_.refuse(begin, text("'own' and 'result' must name slots from 0 to ", facts.slots - 1));
        if (facts.uncoupled.end() > Round{facts.rounds}) in_.refuse(begin, "'uncoupled' goes past the last round");
        Round next{0};
        for (const Stage& stage : facts.stages) {
            if (stage.first < next || stage.rounds < 1 || stage.first.value + stage.rounds > facts.rounds)
                in_.refuse(begin,
                           text("stage '", stage.name, "' must lie behind the one before it and within the rounds"));
            next = stage.first + stage.rounds;
        }
        settleWiring();
        for (const StoredMessage& one : stored_.messages)
            facts.pieces = facts.pieces || (isReduction(*collective_) && !one.whole);
    }

    void settleWiring() {
        Facts& facts = stored_.facts;
        if (wiring_.empty() || wiring_ == "any") return;
        if (wiring_ == "ring") {
            facts.wiring = Wiring::ring(facts.ranks);
        } else if (wiring_.starts_with("torus:")) {
            std::vector<int> lengths;
            std::int64_t places = 1;
            try {
                lengths = readDimensions(wiring_.substr(6), "'wiring'");
            } catch (const Error& error) {
                in_.refuse(wiringAt_, error.what());
            }
            for (const int length : lengths) places *= length;
            if (places != facts.ranks)
                in_.refuse(wiringAt_,
                           text("'wiring': ", wiring_, " has ", places, " places for ", facts.ranks, " ranks"));
            facts.wiring = Wiring::torus(std::move(lengths));
        } else {
            facts.remarks.push_back(text("that messages go between neighbours on ", wiring_, " is not checked"));
        }
    }

    void settle(StoredMessage& message, Told& told) {
        const Facts& facts = stored_.facts;
        for (const auto& [what, rank] : {std::pair{"from", message.from}, std::pair{"to", message.to}})
            if (rank.value >= facts.ranks)
                in_.refuse(told.at, text('\'', what, "' is rank ", rank, ", but ranks are 0 to ", facts.ranks - 1));
        if (message.from == message.to) in_.refuse(told.at, text("rank ", message.from, " sends to itself"));
        const Layout& layout = stored_.problem.layout;
        const Bytes line = isReduction(*collective_) ? layout.largest() : layout.total();
        Bytes sum = 0;
        for (std::uint32_t i = 0; i < message.rangeCount; ++i) {
            const Range range = stored_.ranges[message.firstRange + i];
            const Bytes size = range.size();
            if (range.end > line)
                in_.refuse(told.at, text("a range ends at byte ", range.end, ", but there are ", line));
            if (size > mostBytes - sum) in_.refuse(told.at, "the message has more than 2^62 bytes");
            sum += size;
        }
        if (!isReduction(*collective_)) {
            if (!told.ranges)
                in_.refuse(told.at, text("a message of ", name(*collective_), " needs 'ranges', [[begin, end], ...]"));
            message.slot = message.into = 0;
            message.whole = false;
            message.action = Action::keep;
        } else {
            if (!told.partial)
                in_.refuse(told.at,
                           text("a message of ", name(*collective_), " needs 'terms', [rank, ...], or 'pieces'"));
            // Where vectors are cut, every message says which part it carries.
            const Slots known = facts.slots == mostSlots ? ~Slots{0} : (Slots{1} << facts.slots) - 1;
            if ((message.slot & ~known) != 0 || (message.into & ~known) != 0 || message.into == 0)
                in_.refuse(told.at, text("'slot' and 'into' must name slots from 0 to ", facts.slots - 1));
            if (!message.whole && message.rangeCount != told.ends.size())
                in_.refuse(told.at, "'pieces' name their ranges themselves; leave 'ranges' out");
            if (facts.pieces && message.whole)
                in_.refuse(told.at,
                           "other messages carry 'pieces' of the vector; write 'pieces' here too, not 'terms'");
            if (message.whole) {
                const Bytes vector = *collective_ == Collective::barrier ? 0 : stored_.problem.layout.largest();
                if (told.bytes && message.bytes != vector)
                    in_.refuse(told.at, text("'bytes' is ", message.bytes, ", but the whole vector has ", vector));
                message.bytes = vector;
                return;
            }
        }
        if (told.bytes && message.bytes != sum)
            in_.refuse(told.at, text("'bytes' is ", message.bytes, ", but its ranges have ", sum));
        message.bytes = sum;
    }

    /// What the file says a message carries must be what it does carry.
    void checkTerms() {
        if (!isReduction(*collective_)) return;
        const SchedulePtr schedule = scheduleOf(stored_);
        std::vector<std::size_t> order(told_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto round = [&](std::size_t i) { return stored_.messages[i].round; };
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return round(a) < round(b); });
        Partials partials{stored_.facts, stored_.problem};
        std::vector<Turn> turns(asSize(ranks_));
        for (std::size_t next = 0; next < order.size();) {
            const Round now = round(order[next]);
            for (; next < order.size() && round(order[next]) == now; ++next) checkTerms(partials, order[next]);
            for (std::size_t r = 0; r < turns.size(); ++r)
                schedule->turn(Rank{static_cast<std::int32_t>(r)}, now, turns[r]);
            partials.apply(turns);
        }
    }

    void checkTerms(const Partials& partials, std::size_t i) const {
        const StoredMessage& message = stored_.messages[i];
        const Told& told = told_[i];
        const PartialVector& held = partials.at(message.from, std::countr_zero(message.slot));
        const auto refuse = [&] {
            in_.refuse(told.at, text("'terms' are not what rank ", message.from, " holds before round ",
                                     message.round.value + 1));
        };
        if (message.whole) {
            if (told.terms != held.whole().terms()) refuse();
            return;
        }
        std::size_t first = 0;
        for (std::uint32_t p = 0; p < message.rangeCount; ++p) {
            const Range range = stored_.ranges[message.firstRange + p];
            const PartialVector part = held.in({&range, 1});
            for (const auto& [where, partial] : part.pieces()) {
                const std::vector<std::int32_t> terms = partial.terms();
                if (!std::equal(terms.begin(), terms.end(), told.terms.begin() + static_cast<std::ptrdiff_t>(first),
                                told.terms.begin() + static_cast<std::ptrdiff_t>(told.ends[p])))
                    refuse();
            }
            first = told.ends[p];
        }
    }

    JsonText in_;
    Stored stored_;
    std::vector<Told> told_;
    std::optional<std::int64_t> stated_{};  ///< rounds
    Operation operation_ = Operation::sum;
    std::vector<Contribution> contributions_;
    std::optional<Collective> collective_;
    std::int32_t ranks_ = 0;
    std::int32_t dummies_ = 0;
    std::int32_t groupA_ = 0;
    std::int32_t groupB_ = 0;
    Rank root_{0};
    bool exclusive_ = false;
    bool sawMessages_ = false;
    std::string wiring_;
    std::size_t wiringAt_ = 0;
};

}  // namespace

Stored storedFromJson(std::string_view content, std::string_view file) { return Reader{content, file}.read(); }

}  // namespace engine::schedules
