// SPDX-License-Identifier: BSD-3-Clause
// Reads MPICH's selection files: json of nested objects only, whose keys are conditions.
#include "app/session/tune/rules_file.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>

namespace app::tune {
namespace {

using engine::text;

struct Broken {
    int line = 0;
    std::string words;
};

class Json {
public:
    Json(std::string_view words, Findings& findings) : words_{words}, findings_{findings} {}

    std::vector<MpichNode> whole() {
        std::vector<MpichNode> all = object(0);
        space();
        if (at_ < words_.size()) throw Broken{line_, text("'", words_[at_], "' behind the end of the object")};
        return all;
    }

private:
    void space() {
        for (; at_ < words_.size() && std::isspace(static_cast<unsigned char>(words_[at_])) != 0; ++at_)
            if (words_[at_] == '\n') ++line_;
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

    std::string string() {
        expect('"', "a key in quotes");
        std::string read;
        for (; at_ < words_.size() && words_[at_] != '"' && words_[at_] != '\n'; ++at_) read += words_[at_];
        if (at_ == words_.size() || words_[at_] != '"') throw Broken{line_, text("the key \"", read, "\" has no end")};
        ++at_;
        return read;
    }

    std::vector<MpichNode> object(int depth) {
        constexpr int deepest = 64;
        if (depth > deepest) throw Broken{line_, text("more than ", deepest, " objects inside each other")};
        expect('{', "an object '{'");
        std::vector<MpichNode> all;
        while (peek("'}' or a key") != '}') {
            if (!all.empty()) expect(',', "',' or '}'");
            (void)peek("a key in quotes");
            const int line = line_;
            std::string key = string();
            std::erase(key, ' ');  // as MPICH reads it
            expect(':', "':'");
            MpichNode node{.key = key, .line = line, .children = object(depth + 1)};
            const auto before = std::ranges::find(all, key, &MpichNode::key);
            if (before != all.end()) {
                findings_.push_back(
                    {.kind = Finding::Kind::unreachable,
                     .line = before->line,
                     .words = text("'", key, "' occurs again on line ", line, ", which replaces this one")});
                before->children = std::move(node.children);
                before->line = line;
            } else {
                all.push_back(std::move(node));
            }
        }
        ++at_;
        return all;
    }

    std::string_view words_;
    Findings& findings_;
    std::size_t at_ = 0;
    int line_ = 1;
};

}  // namespace

MpichSelection mpichSelectionFrom(std::string_view words) {
    MpichSelection file;
    try {
        file.collectives = Json{words, file.findings}.whole();
        file.accepted = true;
    } catch (const Broken& broken) {
        file.findings.push_back(
            {.line = broken.line,
             .words = text(broken.words, "; with such a file every program ends in MPI_Init with an assertion")});
    }
    return file;
}

}  // namespace app::tune
