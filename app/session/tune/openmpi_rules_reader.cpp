// SPDX-License-Identifier: BSD-3-Clause
// Reads Open MPI's dynamic rules as Open MPI 4.1 does: a stream of numbers as C writes them, in any lines. Everything
// else is skipped one character at a time, and # starts a comment.
#include "app/session/tune/rules_file.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace app::tune {
namespace {

using engine::text;

/// Collectives that Open MPI 4.1 counts: those of Called, then five of neighbourhoods.
constexpr std::int64_t collectives = 22;

struct Number {
    std::int64_t value = 0;
    int line = 0;
    int place = 0;   ///< on its line, from 0
    int onLine = 0;  ///< numbers that its line has
};

class Tokens {
public:
    explicit Tokens(std::string_view words) : words_{words} {
        while (at_ < words_.size()) step();
        for (Number& number : all) number.onLine = onLine_[static_cast<std::size_t>(number.line)];
    }

    std::vector<Number> all;
    Findings findings;

private:
    void step() {
        const char c = words_[at_];
        if (c == '\n') {
            ++line_;
            ++at_;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at_;
        } else if (c == '#') {
            while (at_ < words_.size() && words_[at_] != '\n') ++at_;
        } else if (!read()) {
            // The search for a number takes a sign without digits; the character behind it is skipped.
            const bool sign = c == '-' || c == '+';
            skip();
            if (sign && at_ < words_.size() && (words_[at_] == '-' || words_[at_] == '+')) skip();
        }
    }

    /// A number at this place, as strtol reads it with any base.
    bool read() {
        char* end = nullptr;
        errno = 0;
        const std::int64_t value = std::strtoll(words_.c_str() + at_, &end, 0);
        const auto length = static_cast<std::size_t>(end - (words_.c_str() + at_));
        if (length == 0) return false;
        const std::string written = words_.substr(at_, length);
        if (errno == ERANGE) note(true, text(written, " is too large for a number"));
        const std::size_t digit = written.find_first_not_of("+-");
        if (written.size() > digit + 1 && written[digit] == '0')
            note(false, text("Open MPI reads ", written, " as ", value, ", as C reads numbers that begin with 0"));
        if (onLine_.size() <= static_cast<std::size_t>(line_)) onLine_.resize(static_cast<std::size_t>(line_) + 1);
        all.push_back({.value = value, .line = line_, .place = onLine_[static_cast<std::size_t>(line_)]++});
        at_ += length;
        return true;
    }

    /// One character that Open MPI skips; the word that it stands in is reported once.
    void skip() {
        if (at_ >= reported_) {
            std::size_t first = at_;
            while (first > 0 && std::isspace(static_cast<unsigned char>(words_[first - 1])) == 0) --first;
            std::size_t end = at_;
            while (end < words_.size() && std::isspace(static_cast<unsigned char>(words_[end])) == 0) ++end;
            const std::string word = words_.substr(first, end - first);
            const bool digits =
                std::any_of(word.begin(), word.end(), [](unsigned char d) { return std::isdigit(d) != 0; });
            note(true, text("'", word, "' is not a number; Open MPI skips ",
                            digits ? "its other characters and reads its digits as separate numbers" : "it"));
            reported_ = end;
        }
        ++at_;
    }

    void note(bool fault, std::string words) {
        findings.push_back({.fault = fault, .line = line_, .words = std::move(words)});
    }

    std::string words_;
    std::size_t at_ = 0;
    std::size_t reported_ = 0;
    int line_ = 1;
    std::vector<int> onLine_;
};

/// The end of reading: Open MPI ignores the whole file.
struct Rejected {
    int line = 0;
    std::string words;
};

class Reader {
public:
    explicit Reader(std::string_view words) : tokens_{words} {}

    OpenMpiRules read() {
        OpenMpiRules file;
        file.findings = tokens_.findings;
        try {
            sections(file);
            file.accepted = true;
            if (next_ < tokens_.all.size())
                file.findings.push_back(
                    {.line = tokens_.all[next_].line,
                     .words = text(counted(), " from here on ", left() == 1 ? "is" : "are",
                                   " never read: the counts announce no more; the number of collectives on line ",
                                   tokens_.all[0].line, " is ", tokens_.all[0].value, suspicion())});
        } catch (const Rejected& rejected) {
            file.doubtful = suspectedLine_ > 0 ? suspectedLine_ : rejected.line;
            file.findings.push_back(
                {.line = rejected.line,
                 .words = text(rejected.words, suspicion(), "; Open MPI ignores the whole file without a message")});
        }
        return file;
    }

private:
    [[nodiscard]] std::size_t left() const { return tokens_.all.size() - next_; }
    [[nodiscard]] std::string counted() const { return text(left(), left() == 1 ? " number" : " numbers"); }

    /// Where the counts and the lines first disagree, for people who write a rule a line.
    [[nodiscard]] std::string suspicion() const {
        return suspected_.empty() ? std::string{} : text(" (", suspected_, ')');
    }

    void suspect(int line, const std::string& words) {
        if (suspectedLine_ > 0) return;
        suspectedLine_ = line;
        suspected_ = words;
    }

    Number next(const std::string& what) {
        if (next_ == tokens_.all.size()) {
            const int last = tokens_.all.empty() ? 0 : tokens_.all.back().line;
            throw Rejected{last, text("the file ends where ", what, " is expected")};
        }
        const Number number = tokens_.all[next_++];
        if (number.value < 0) throw Rejected{number.line, text(what, " is negative: ", number.value)};
        return number;
    }

    /// Open MPI keeps 32 bits of most numbers.
    std::int64_t kept(const Number& number, const char* what, OpenMpiRules& file) {
        const auto value = static_cast<std::int32_t>(number.value);
        if (value != number.value)
            file.findings.push_back(
                {.line = number.line,
                 .words = text("Open MPI keeps 32 bits of ", what, ' ', number.value, ", which are ", value)});
        return value;
    }

    /// A number that starts a part, which a line of four is not in most files.
    Number head(const std::string& what) {
        const Number number = next(what);
        if (number.onLine == 4 && number.place == 0 && lastCount_.line > 0)
            suspect(number.line,
                    text("line ", number.line, " looks like a rule of four numbers, but the count on line ",
                         lastCount_.line, " announces only ", lastCount_.value));
        return number;
    }

    void sections(OpenMpiRules& file) {
        const Number count = next("the number of collectives");
        if (count.value > collectives)
            throw Rejected{count.line,
                           text("the number of collectives is ", count.value, "; Open MPI has ", collectives)};
        for (std::int64_t i = 0; i < count.value; ++i) {
            const Number id = head("the number of a collective");
            if (id.value >= collectives)
                throw Rejected{
                    id.line, text("unknown collective ", id.value, "; they are numbered from 0 to ", collectives - 1)};
            file.sections.push_back({.collective = id.value, .line = id.line});
            const Number sizes = next("the number of communicator sizes");
            for (std::int64_t k = 0; k < sizes.value; ++k) size(file);
        }
    }

    void size(OpenMpiRules& file) {
        OpenMpiRules::Section& section = file.sections.back();
        const Number ranks = head("a communicator size");
        section.sizes.push_back({.ranks = kept(ranks, "the communicator size", file), .line = ranks.line});
        const Number count = next("the number of message sizes");
        lastCount_ = count;
        for (std::int64_t i = 0; i < count.value; ++i) {
            const Number bytes = next("a message size");
            const Number algorithm = next("the number of an algorithm");
            const Number fan = next("a fan-in and fan-out");
            const Number segment = next("a segment size");
            if (bytes.line != segment.line)
                suspect(bytes.line, text("the rule that begins on line ", bytes.line, " ends on line ", segment.line,
                                         "; the count on line ", count.line, " announces ", count.value));
            if (i == 0 && bytes.value != 0)
                throw Rejected{bytes.line,
                               text("the first message size of a communicator size must be 0, not ", bytes.value)};
            section.sizes.back().messages.push_back({bytes.value, kept(algorithm, "the algorithm", file),
                                                     kept(fan, "the fan-out", file),
                                                     kept(segment, "the segment size", file), bytes.line});
        }
    }

    Tokens tokens_;
    std::size_t next_ = 0;
    Number lastCount_{};
    std::string suspected_;
    int suspectedLine_ = 0;
};

}  // namespace

OpenMpiRules openMpiRulesFrom(std::string_view words) { return Reader{words}.read(); }

}  // namespace app::tune
