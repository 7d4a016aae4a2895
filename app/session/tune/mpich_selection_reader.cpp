// SPDX-License-Identifier: BSD-3-Clause
// Reads MPICH's selection files as MPICH's json reader does: json of nested objects only, whose keys are conditions.
// It also accepts comments, keys in single quotes, a comma behind the last entry, and anything behind the object.
#include "app/session/tune/rules_file.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>

namespace app::tune {
namespace {

using engine::text;

constexpr std::string_view consequence = "; with such a file every program ends in MPI_Init with an assertion";

struct Broken {
    int line = 0;
    std::string words;
};

class Json {
public:
    Json(std::string_view words, Findings& findings) : words_{words}, findings_{findings} {}

    /// Whether MPICH reads it.
    [[nodiscard]] bool isComplete() const { return complete_; }

    std::vector<MpichNode> whole() {
        std::vector<MpichNode> all = object(1);
        space();
        if (at_ < words_.size())
            findings_.push_back(
                {.line = line_, .words = text("MPICH reads the first object only; what begins here is ignored")});
        return all;
    }

private:
    [[nodiscard]] bool at(std::string_view what) const { return words_.substr(at_, what.size()) == what; }

    void step() {
        if (words_[at_++] == '\n') ++line_;
    }

    /// White space and comments.
    void space() {
        while (at_ < words_.size()) {
            if (at("//")) {
                while (at_ < words_.size() && words_[at_] != '\n') ++at_;
            } else if (at("/*")) {
                const int line = line_;
                for (at_ += 2; !at("*/"); step())
                    if (at_ == words_.size()) throw Broken{line, "the comment has no end"};
                at_ += 2;
            } else if (std::isspace(static_cast<unsigned char>(words_[at_])) != 0) {
                step();
            } else {
                return;
            }
        }
    }

    char peek(const char* expected) {
        space();
        if (at_ == words_.size()) throw Broken{line_, text("the file ends where ", expected, " is expected")};
        return words_[at_];
    }

    void expect(char c, const char* expected) {
        const char found = peek(expected);
        if (found != c) throw Broken{line_, text("'", found, "' where ", expected, " is expected")};
        ++at_;
    }

    /// The character that \\ and the next ones stand for; 0 for one beyond ASCII, which no condition has.
    char escaped() {
        constexpr std::string_view letters = "\"\\/bfnrt", meaning = "\"\\/\b\f\n\r\t";
        const char letter = at_ < words_.size() ? words_[at_++] : '\0';
        if (const std::size_t known = letters.find(letter); known != std::string_view::npos) return meaning[known];
        const std::string digits{words_.substr(at_, 4)};
        if (letter != 'u' || digits.size() < 4 ||
            digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
            throw Broken{line_, text("'\\", letter, "' is no character of json")};
        at_ += digits.size();
        const unsigned long number = std::stoul(digits, nullptr, 16);
        return number < 128 ? static_cast<char>(number) : '\0';
    }

    std::string string() {
        const char quote = peek("a key in quotes");
        if (quote != '"' && quote != '\'') throw Broken{line_, text("'", quote, "' where a key in quotes is expected")};
        std::string read;
        const int line = line_;
        for (++at_; !at(std::string_view{&quote, 1});) {
            if (at_ == words_.size()) throw Broken{line, text("the key \"", read, "\" has no end")};
            if (words_[at_] == '\\') {
                ++at_;
                read += escaped();
            } else {
                read += words_[at_];
                step();
            }
        }
        ++at_;
        return read;
    }

    std::vector<MpichNode> object(int depth) {
        constexpr int deepest = 32;
        if (depth > deepest) throw Broken{line_, text("more than ", deepest, " objects inside each other")};
        expect('{', "an object '{'");
        std::vector<MpichNode> all;
        std::vector<std::string> keys;  // as they are written
        while (peek("'}' or a key") != '}') {
            const int line = line_;
            const std::string written = string();
            std::string key = written;
            std::erase(key, ' ');  // as MPICH reads it
            expect(':', "':'");
            MpichNode node{.key = key, .line = line, .children = object(depth + 1)};
            const auto before = std::ranges::find(keys, written);
            if (before != keys.end()) {
                MpichNode& old = all[static_cast<std::size_t>(before - keys.begin())];
                findings_.push_back(
                    {.kind = Finding::Kind::unreachable,
                     .line = old.line,
                     .words = text("'", key, "' occurs again on line ", line, ", which replaces this one")});
                old = std::move(node);
            } else {
                keys.push_back(written);
                all.push_back(std::move(node));
            }
            const char after = peek("',' or '}'");
            if (after == '"' || after == '\'') {  // the rest can be read as it is meant
                findings_.push_back(
                    {.line = line_, .words = text("a ',' is missing in front of this key", consequence), .ends = true});
                complete_ = false;
            } else if (after != '}') {
                expect(',', "',' or '}'");
            }
        }
        ++at_;
        return all;
    }

    std::string_view words_;
    Findings& findings_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool complete_ = true;
};

}  // namespace

MpichSelection mpichSelectionFrom(std::string_view words) {
    MpichSelection file;
    try {
        Json json{words, file.findings};
        file.collectives = json.whole();
        file.accepted = json.isComplete();
    } catch (const Broken& broken) {
        file.findings.push_back({.line = broken.line, .words = text(broken.words, consequence), .ends = true});
    }
    return file;
}

}  // namespace app::tune
