// SPDX-License-Identifier: BSD-3-Clause
#include "traces/flight_recorder/pickled_data.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <unordered_map>

#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace traces::flight {

using engine::Error;
using engine::text;

namespace {

constexpr std::size_t mostNodes = 10'000'000, deepest = 200;

[[noreturn]] void tooLarge(const std::string& name) {
    throw Error{text(name, ": more than ", mostNodes, " values; a Flight Recorder dump is smaller")};
}

/// Pickle's machine, as Python's documentation of pickletools describes it.
class Unpickler {
public:
    Unpickler(std::string_view bytes, const std::string& name) : bytes_{bytes}, name_{name} {}

    Document read() {
        for (;;) {
            const std::size_t at = at_;
            const auto code = static_cast<unsigned char>(take(1)[0]);
            if (code == '.') break;
            step(code, at);
            if (document_.nodes.size() > mostNodes || stack_.size() > mostNodes) tooLarge(name_);
        }
        document_.root = pop();
        return std::move(document_);
    }

private:
    [[noreturn]] void refuse(std::size_t at, std::string_view what) const {
        throw Error{text(name_, ": ", what, " at byte ", at, "; not a Flight Recorder dump")};
    }

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - at_)
            throw Error{text(name_, ": the pickle ends early, at byte ", bytes_.size(), "; copy the dump again")};
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }
    std::uint64_t little(std::size_t count) {
        std::uint64_t value = 0;
        const std::string_view its = take(count);
        for (std::size_t i = 0; i < count; ++i)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>(its[i])) << (8 * i);
        return value;
    }

    Node& make(Node::Kind kind) {
        Node& node = document_.nodes.emplace_back();
        node.kind = kind;
        return node;
    }
    void push(Node& node) { stack_.push_back(&node); }
    Node* pop() {
        if (stack_.empty() || stack_.back() == nullptr) refuse(at_, "nothing on the stack");
        Node* const node = stack_.back();
        stack_.pop_back();
        return node;
    }
    Node& top() {
        if (stack_.empty() || stack_.back() == nullptr) refuse(at_, "nothing on the stack");
        return *stack_.back();
    }
    /// What lies above the last mark, which goes.
    std::vector<Node*> popToMark() {
        std::vector<Node*> items;
        std::size_t begin = stack_.size();
        while (begin > 0 && stack_[begin - 1] != nullptr) --begin;
        if (begin == 0) refuse(at_, "no mark on the stack");
        items.assign(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
        stack_.resize(begin - 1);
        return items;
    }
    void number(std::int64_t value) {
        Node& node = make(Node::Kind::number);
        node.number = value;
        push(node);
    }
    void words(std::uint64_t count) {
        const std::string_view value = take(count);
        Node& node = make(Node::Kind::words);
        node.words = value;
        push(node);
    }
    void tuple(std::size_t count) {
        Node& node = make(Node::Kind::list);
        node.items.resize(count);
        for (std::size_t i = count; i-- > 0;) node.items[i] = pop();
        push(node);
    }
    void into(Node::Kind kind, const std::vector<Node*>& items, std::size_t at) {
        Node& to = top();
        if (to.kind != kind || (kind == Node::Kind::dictionary && items.size() % 2 != 0))
            refuse(at, "items of the wrong kind");
        to.items.insert(to.items.end(), items.begin(), items.end());
        added_ += items.size();
        if (added_ > mostNodes) tooLarge(name_);
    }
    void remember(std::uint64_t place) {
        if (place > mostNodes) tooLarge(name_);
        memo_[place] = &top();
    }
    void recall(std::uint64_t place, std::size_t at) {
        const auto known = memo_.find(place);
        if (known == memo_.end()) refuse(at, "a reference to nothing");
        stack_.push_back(known->second);
    }

    void step(unsigned char code, std::size_t at) {
        switch (code) {
            case 0x80:  // PROTO
                if (take(1)[0] > 5) refuse(at, "an unknown version of pickle");
                break;
            case 0x95: (void)take(8); break;  // FRAME
            case '(': stack_.push_back(nullptr); break;
            case '0': (void)pop(); break;
            case 'N': push(make(Node::Kind::none)); break;
            case 0x88:
            case 0x89: {
                Node& node = make(Node::Kind::truth);
                node.number = code == 0x88 ? 1 : 0;
                push(node);
                break;
            }
            case 'J': number(static_cast<std::int32_t>(little(4))); break;
            case 'K': number(static_cast<std::int64_t>(little(1))); break;
            case 'M': number(static_cast<std::int64_t>(little(2))); break;
            case 0x8a: {  // LONG1
                const std::uint64_t count = little(1);
                if (count > 8) {
                    // Beyond 64 bits: such numbers stand for nothing that is looked at.
                    (void)take(count);
                    number(0);
                    break;
                }
                std::uint64_t value = little(static_cast<std::size_t>(count));
                if (count > 0 && count < 8 && (value >> (8 * count - 1)) != 0)
                    value |= ~std::uint64_t{0} << (8 * count);
                number(static_cast<std::int64_t>(value));
                break;
            }
            case 'G': {  // BINFLOAT, the greatest byte first
                std::uint64_t bits = 0;
                for (const char byte : take(8)) bits = bits << 8 | static_cast<unsigned char>(byte);
                Node& node = make(Node::Kind::real);
                node.real = std::bit_cast<double>(bits);
                push(node);
                break;
            }
            case 0x8c: words(little(1)); break;
            case 'X': words(little(4)); break;
            case 0x8d: words(little(8)); break;
            case 'U':
            case 'C': words(little(1)); break;  // bytes
            case 'T':
            case 'B': words(little(4)); break;
            case ']': push(make(Node::Kind::list)); break;
            case '}': push(make(Node::Kind::dictionary)); break;
            case ')': tuple(0); break;
            case 0x85: tuple(1); break;
            case 0x86: tuple(2); break;
            case 0x87: tuple(3); break;
            case 't':
            case 'l': {
                const std::vector<Node*> items = popToMark();
                Node& node = make(Node::Kind::list);
                push(node);
                into(Node::Kind::list, items, at);
                break;
            }
            case 'a': {
                Node* const item = pop();
                into(Node::Kind::list, {item}, at);
                break;
            }
            case 'e': {
                const std::vector<Node*> items = popToMark();
                into(Node::Kind::list, items, at);
                break;
            }
            case 's': {
                Node* const value = pop();
                Node* const key = pop();
                into(Node::Kind::dictionary, {key, value}, at);
                break;
            }
            case 'u': {
                const std::vector<Node*> items = popToMark();
                into(Node::Kind::dictionary, items, at);
                break;
            }
            case 'q': remember(little(1)); break;
            case 'r': remember(little(4)); break;
            case 0x94: remember(next_); break;
            case 'h': recall(little(1), at); break;
            case 'j': recall(little(4), at); break;
            case 'c':
            case 'i':
            case 'o':
            case 'R':
            case 'b':
            case 0x81:
            case 0x92:
            case 0x93:
            case 'P':
            case 'Q':
                refuse(at,
                       "a class or a function, which a dump of plain data does not have and which is not carried out,");
            default: refuse(at, text("an unknown operation (", int{code}, ")"));
        }
        if (code == 'q' || code == 'r' || code == 0x94) ++next_;
    }

    std::string_view bytes_;
    const std::string& name_;
    std::size_t at_ = 0;
    Document document_;
    std::vector<Node*> stack_;  ///< null: a mark
    std::unordered_map<std::uint64_t, Node*> memo_;
    std::uint64_t next_ = 0;
    std::size_t added_ = 0;
};

/// Takes what RapidJSON reads.
class Builder {
public:
    bool Null() { return add(Node::Kind::none) != nullptr; }
    bool Bool(bool value) {
        Node* const node = add(Node::Kind::truth);
        if (node == nullptr) return false;
        node->number = value ? 1 : 0;
        return true;
    }
    bool Int(int value) { return Int64(value); }
    bool Uint(unsigned value) { return Int64(value); }
    bool Int64(std::int64_t value) {
        Node* const node = add(Node::Kind::number);
        if (node == nullptr) return false;
        node->number = value;
        return true;
    }
    bool Uint64(std::uint64_t value) {
        return Int64(std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value) : 0);
    }
    bool Double(double value) {
        Node* const node = add(Node::Kind::real);
        if (node == nullptr) return false;
        node->real = value;
        return true;
    }
    bool RawNumber(const char*, rapidjson::SizeType, bool) { return Int64(0); }
    bool String(const char* word, rapidjson::SizeType length, bool) {
        Node* const node = add(Node::Kind::words);
        if (node == nullptr) return false;
        node->words.assign(word, length);
        return true;
    }
    bool Key(const char* word, rapidjson::SizeType length, bool copy) { return String(word, length, copy); }
    bool StartObject() { return open(Node::Kind::dictionary); }
    bool StartArray() { return open(Node::Kind::list); }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool EndArray(rapidjson::SizeType) { return close(); }

    [[nodiscard]] bool isFull() const { return document.nodes.size() >= mostNodes; }
    Document document;

private:
    Node* add(Node::Kind kind) {
        if (isFull()) return nullptr;
        Node& node = document.nodes.emplace_back();
        node.kind = kind;
        if (open_.empty()) document.root = &node;
        else open_.back()->items.push_back(&node);
        return &node;
    }
    bool open(Node::Kind kind) {
        Node* const node = open_.size() < deepest ? add(kind) : nullptr;
        if (node == nullptr) return false;
        open_.push_back(node);
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::vector<Node*> open_;
};

}  // namespace

const Node* Node::at(std::string_view key) const {
    if (kind != Kind::dictionary) return nullptr;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (items[i]->kind == Kind::words && items[i]->words == key) return items[i + 1];
    return nullptr;
}

std::int64_t Node::integer(std::int64_t otherwise) const {
    if (kind == Kind::number || kind == Kind::truth) return number;
    if (kind != Kind::words) return otherwise;
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(words.data(), words.data() + words.size(), value);
    return fault == std::errc{} && end == words.data() + words.size() ? value : otherwise;
}

Document readPickle(std::string_view bytes, const std::string& name) { return Unpickler{bytes, name}.read(); }

Document readJson(std::string_view bytes, const std::string& name) {
    rapidjson::MemoryStream stream{bytes.data(), bytes.size()};
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> input{stream};
    Builder builder;
    rapidjson::Reader reader;
    const rapidjson::ParseResult result =
        reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag>(input, builder);
    if (result.IsError()) {
        if (builder.isFull()) tooLarge(name);
        throw Error{
            text(name, ": not valid json at byte ", result.Offset(), ": ", rapidjson::GetParseError_En(result.Code()))};
    }
    return std::move(builder.document);
}

}  // namespace traces::flight
