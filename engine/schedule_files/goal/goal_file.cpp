// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/goal/goal_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/stored_schedule.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

namespace engine::schedules::goal {
namespace {

constexpr std::int64_t mostOperations = std::int64_t{1} << 24;
constexpr std::int64_t mostWaits = std::int64_t{1} << 26;
constexpr std::int64_t mostTag = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t mostMessageBytes = std::int64_t{1} << 40;
constexpr std::string_view problemMark = "problem:";
constexpr std::size_t mostQuoted = 40;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// What stands in a file, on one line of words.
std::string inQuotes(std::string_view words) {
    std::string shown{words.substr(0, mostQuoted)};
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text('\'', shown, words.size() > mostQuoted ? "...'" : "'");
}

/// Nanoseconds, also more than Picoseconds can say.
std::string shown(double nanoseconds) {
    constexpr double most = 9e15;
    if (nanoseconds > most) return text(showNumber(nanoseconds / 1e9), " s");
    return showTime(Picoseconds{static_cast<std::int64_t>(nanoseconds * 1000)});
}

class GoalReader {
public:
    GoalReader(std::string_view content, std::string_view file) : rest_{content}, name_{file} {}

    File read() {
        while (!rest_.empty()) {
            line_ = rest_.substr(0, rest_.find('\n'));
            rest_.remove_prefix(std::min(line_.size() + 1, rest_.size()));
            ++number_;
            statement();
        }
        if (inComment_) refuse("the file ends within a comment: */ is missing");
        if (rank_) refuse("the file ends within rank ", *rank_, ": } is missing");
        if (!counted_) refuse("the file names no num_ranks; write for example num_ranks 8");
        for (std::size_t r = 0; r < seen_.size(); ++r)
            if (!seen_[r]) ++file_.silent;
        remark();
        return std::move(file_);
    }

private:
    template <class... Words>
    [[noreturn]] void refuse(const Words&... words) const {
        throw Error{text(name_, ':', std::max<std::int64_t>(number_, 1), ": ", words...)};
    }

    /// One line, which holds one statement; braces and comments may stand around it.
    void statement() {
        if (next().empty()) return;
        if (at_ == "num_ranks") return count();
        if (at_ == "rank") return begin();
        if (at_ == "}") return end();
        if (!rank_) refuse(inQuotes(at_), " is outside of all ranks; write rank 0 { before it");
        std::string_view label;
        if (!isOperation(at_)) {
            label = at_;
            if (!isLetter(label.front()))
                refuse(inQuotes(label),
                       " begins no operation; those are send, recv and calc, with a label such as l1: before");
            next();
            if (at_ == "requires" || at_ == "irequires") return wait(label, at_ == "irequires");
            if (at_ != ":") refuse("':', requires or irequires is missing after the label ", inQuotes(label));
            if (!isOperation(next())) refuse("send, recv or calc is missing after '", label, ":'");
        }
        operation(label);
    }

    static bool isOperation(std::string_view word) { return word == "send" || word == "recv" || word == "calc"; }

    void count() {
        if (counted_) refuse("num_ranks is given twice");
        counted_ = true;
        file_.ranks.resize(asSize(number("num_ranks", 1, mostRanks)));
        seen_.resize(file_.ranks.size());
        endOfLine();
    }

    void begin() {
        if (!counted_) refuse("num_ranks must come before the first rank");
        if (rank_) refuse("rank ", *rank_, " has not ended yet; write } first");
        rank_ = number("the rank", 0, static_cast<std::int64_t>(seen_.size()) - 1);
        if (seen_[asSize(*rank_)]) refuse("rank ", *rank_, " is there twice");
        seen_[asSize(*rank_)] = true;
        if (next() != "{") refuse("{ is missing after the rank");
        labels_.clear();
        if (!next().empty()) {
            if (at_ != "}") refuse("each operation needs a line of its own");
            end();
        }
    }

    void end() {
        if (!rank_) refuse("} ends no rank");
        rank_.reset();
        endOfLine();
    }

    void operation(std::string_view label) {
        Operation one{.kind = at_ == "send"   ? Kind::send
                              : at_ == "recv" ? Kind::receive
                                              : Kind::calculate,
                      .line = number_};
        std::vector<Operation>& all = file_.ranks[asSize(*rank_)];
        if (++operations_ > mostOperations) refuse("the file has more than ", mostOperations, " operations");
        if (one.kind == Kind::calculate) {
            one.duration = number("the time of calc", 0, std::numeric_limits<std::int64_t>::max());
            calculated_ += static_cast<double>(one.duration);
            ++calculations_;
        } else {
            message(one);
        }
        places(one);
        if (!label.empty() && !labels_.emplace(label, static_cast<std::uint32_t>(all.size())).second)
            refuse("rank ", *rank_, " has another operation ", inQuotes(label));
        all.push_back(std::move(one));
    }

    void message(Operation& one) {
        const bool sends = one.kind == Kind::send;
        one.bytes = number("the size", 0, mostMessageBytes);
        if (next() != "b") refuse("b is missing after the size, as in ", one.bytes, "b");
        if (next() != (sends ? "to" : "from"))
            refuse(sends ? "'to'" : "'from'", " and a rank are missing after the size");
        if (!sends && take("-1")) refuse("a receive from any rank (-1) is not read: a schedule names the sender");
        one.peer = Rank{static_cast<std::int32_t>(
            number(sends ? "the receiver" : "the sender", 0, static_cast<std::int64_t>(seen_.size()) - 1))};
        if (one.peer.value == *rank_) refuse("rank ", *rank_, sends ? " sends to itself" : " receives from itself");
        if (!take("tag")) return;
        if (take("-1")) refuse("a receive of any tag (-1) is not read: a schedule names the message");
        one.tag = number("the tag", 0, mostTag);
    }

    /// Where an operation is done.
    void places(Operation& one) {
        for (const std::string_view word : {std::string_view{"cpu"}, std::string_view{"nic"}}) {
            if (!take(word)) continue;
            const std::int64_t place = number(text("the ", word), 0, 255);
            placed_ = place > 0 || placed_;
            if (word == "cpu") one.processor = static_cast<std::int32_t>(place);
        }
        endOfLine();
    }

    void wait(std::string_view label, bool begun) {
        const std::uint32_t waiting = labelled(label);
        const std::uint32_t other = labelled(next());
        if (waiting == other) refuse(inQuotes(label), " waits for itself");
        if (++waits_ > mostWaits) refuse("the file has more than ", mostWaits, " lines with requires");
        Operation& its = file_.ranks[asSize(*rank_)][waiting];
        (begun ? its.waitsForBegin : its.waitsFor).push_back(other);
        begun_ += begun ? 1 : 0;
        endOfLine();
    }

    std::uint32_t labelled(std::string_view label) const {
        if (label.empty()) refuse("a label is missing after requires");
        const auto found = labels_.find(label);
        if (found == labels_.end()) refuse("rank ", *rank_, " has no operation ", inQuotes(label), " before this line");
        return found->second;
    }

    // Words of the line

    /// Takes the next word; empty at the end of the line.
    std::string_view next() {
        at_ = {};
        blanks();
        if (line_.empty()) return at_;
        std::size_t length = 1;
        const char first = line_.front();
        const auto isWord = [](char c) { return isLetter(c) || isDigit(c) || c == '_'; };
        if (isLetter(first))
            while (length < line_.size() && isWord(line_[length])) ++length;
        else if (isDigit(first) || first == '-')
            while (length < line_.size() && isDigit(line_[length])) ++length;
        at_ = line_.substr(0, length);
        line_.remove_prefix(length);
        return at_;
    }

    bool take(std::string_view word) {
        blanks();  // a comment is read once
        const std::string_view before = line_;
        if (next() == word) return true;
        line_ = before;
        return false;
    }

    void blanks() {
        for (;;) {
            if (inComment_) {
                const auto end = line_.find("*/");
                inComment_ = end == std::string_view::npos;
                line_.remove_prefix(inComment_ ? line_.size() : end + 2);
            }
            line_.remove_prefix(std::min(line_.find_first_not_of(" \t\r"), line_.size()));
            if (line_.starts_with("//")) {
                comment(line_.substr(2));
                line_ = {};
            }
            if (!line_.starts_with("/*")) return;
            inComment_ = true;
            line_.remove_prefix(2);
        }
    }

    void comment(std::string_view words) {
        words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
        if (!words.starts_with(problemMark)) return;
        words.remove_prefix(problemMark.size());
        while (!words.empty() && (words.back() == '\r' || words.back() == ' ')) words.remove_suffix(1);
        words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
        if (file_.problem) refuse("the problem is given twice");
        try {
            file_.problem = problemFromText(words);
        } catch (const Error& error) {
            refuse("the problem: ", error.what());
        }
    }

    std::int64_t number(std::string_view what, std::int64_t low, std::int64_t high) {
        const std::string_view words = next();
        std::int64_t value = 0;
        const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), value);
        if (words.empty() || code != std::errc{} || rest != words.data() + words.size() || value < low || value > high)
            refuse(what, " must be a whole number from ", low, " to ", high,
                   words.empty() ? std::string{} : text(", not ", inQuotes(words)));
        return value;
    }

    void endOfLine() {
        if (!next().empty()) refuse(inQuotes(at_), " is too much on this line");
    }

    void remark() {
        std::vector<std::string>& remarks = file_.remarks;
        if (calculations_ > 0)
            remarks.push_back(text(calculations_, calculations_ == 1 ? " calc" : " calcs", " of together ",
                                   shown(calculated_), ' ', calculations_ == 1 ? "takes" : "take",
                                   " no time here: a schedule computes nothing"));
        if (begun_ > 0)
            remarks.push_back(text(begun_, " irequires ", begun_ == 1 ? "is" : "are",
                                   " read as requires: here nothing waits for a begin alone"));
        if (placed_) remarks.emplace_back("cpu and nic are left out: a rank has one of each here");
        if (file_.silent > 0)
            remarks.push_back(text(file_.silent, file_.silent == 1 ? " rank does" : " ranks do",
                                   " nothing: the file has no such rank"));
    }

    std::string_view rest_;
    std::string name_;
    File file_;
    std::string_view line_;  // what is left of it
    std::string_view at_;    // the word read last
    std::int64_t number_ = 0;
    bool inComment_ = false;
    bool counted_ = false;
    std::optional<std::int64_t> rank_;
    std::vector<bool> seen_;
    std::unordered_map<std::string_view, std::uint32_t> labels_;  // of the rank
    std::int64_t operations_ = 0;
    std::int64_t waits_ = 0;
    std::int64_t calculations_ = 0;
    double calculated_ = 0;
    std::int64_t begun_ = 0;
    bool placed_ = false;
};

}  // namespace

File fileFrom(std::string_view content, std::string_view file) { return GoalReader{content, file}.read(); }

}  // namespace engine::schedules::goal
