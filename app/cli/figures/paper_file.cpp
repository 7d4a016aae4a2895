// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/paper_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace app::figures {
namespace {

using engine::Error;
using engine::text;
using engine::trimmed;

constexpr int most = 1 << 20;  // of ranks and rounds

std::optional<double> plainNumber(std::string_view words) {
    double number = 0;
    const auto [end, fault] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (fault != std::errc{} || end != words.data() + words.size() || !std::isfinite(number)) return std::nullopt;
    return number;
}

/// "1.5", or a quotient: "10/7".
double readNumber(std::string_view words) {
    const auto slash = words.find('/');
    const auto first = plainNumber(words.substr(0, slash));
    const auto second = slash == std::string_view::npos ? 1 : plainNumber(words.substr(slash + 1));
    if (!first || !second || *second == 0)
        throw Error{text("'", words, "' is not a number; write for example 1.5 or 10/7")};
    return *first / *second;
}

int readCount(const std::string& words, std::string_view what, int least) {
    return static_cast<int>(engine::readInteger(words, what, least, most));
}

bool readYes(const std::string& words) {
    if (words != "yes") throw Error{text("'", words, "' is not 'yes'; for 'no' leave out the line")};
    return true;
}

/// "2 to 3".
std::optional<std::pair<double, double>> readRange(std::string_view words) {
    constexpr std::string_view between = " to ";
    const auto at = words.find(between);
    if (at == std::string_view::npos) return std::nullopt;
    return std::pair{readNumber(words.substr(0, at)), readNumber(words.substr(at + between.size()))};
}

Says readSays(const std::string& words) {
    constexpr std::string_view formula = "formula ";
    if (words.starts_with(formula)) return {.formula = words.substr(formula.size())};
    constexpr std::pair<std::string_view, Says (*)(double)> limits[] = {
        {"about ", about}, {"above ", moreThan}, {"below ", lessThan}, {"at least ", atLeast}, {"at most ", atMost}};
    for (const auto& [begin, says] : limits)
        if (words.starts_with(begin)) return says(readNumber(std::string_view{words}.substr(begin.size())));
    if (const auto range = readRange(words)) return between(range->first, range->second);
    return exactly(readNumber(words));
}

Of readOf(const std::string& words) {
    constexpr std::pair<std::string_view, Of> all[] = {
        {"time", Of::time},       {"rounds", Of::rounds}, {"messages", Of::messages}, {"bytes", Of::bytes},
        {"idle", Of::still},      {"proved", Of::proved}, {"peer", Of::peer},         {"carried", Of::carried},
        {"opposed", Of::opposed}, {"links", Of::links}};
    std::vector<std::string> names;
    for (const auto& [name, of] : all) {
        if (words == name) return of;
        names.emplace_back(name);
    }
    const std::string hint = engine::didYouMean(words, names);
    throw Error{text("unknown quantity '", words, "'",
                     hint.empty() ? text("; write one of ", engine::joined(names, ", ")) : hint)};
}

/// "rank 7 receives 1 in round 2".
Message readMessage(const std::string& words) {
    const std::vector<std::string> parts = engine::split(words, ' ');
    if (parts.size() != 7 || parts[0] != "rank" || (parts[2] != "sends" && parts[2] != "receives") ||
        parts[4] != "in" || parts[5] != "round")
        throw Error{text("'", words, "' is no message; write for example rank 7 receives 1 in round 2")};
    return {.rank = readCount(parts[1], "rank", 0),
            .sent = parts[2] == "sends",
            .round = readCount(parts[6], "round", 1),
            .place = readCount(parts[3], "message", 1)};
}

/// "8388608 7.0 the limit".
Mark readMark(const std::string& words) {
    const auto first = words.find(' ');
    const auto second = words.find(' ', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) throw Error{text("'", words, "' is no mark; write for example 28 1e-05 10 us")};
    const std::string_view view = words;
    return {readNumber(view.substr(0, first)), readNumber(view.substr(first + 1, second - first - 1)),
            words.substr(second + 1)};
}

char readSenders(const std::string& words) {
    if (words != "A" && words != "B") throw Error{text("'", words, "' is no group of senders; write A or B")};
    return words.front();
}

/// "alg3" is an algorithm.
Kind kindOf(const std::string& name) {
    constexpr std::pair<std::string_view, Kind> all[] = {
        {"fig", Kind::figure},  {"tab", Kind::table},     {"eq", Kind::equation}, {"def", Kind::definition},
        {"thm", Kind::theorem}, {"alg", Kind::algorithm}, {"claim", Kind::claim}, {"obs", Kind::observation}};
    const auto digits = name.find_first_of("0123456789");
    for (const auto& [begin, kind] : all)
        if (digits != std::string::npos && name.substr(0, digits) == begin &&
            name.find_first_not_of("0123456789", digits) == std::string::npos)
            return kind;
    throw Error{text("'", name,
                     "' is no name of an item; write for example fig1, tab1, eq1, def1, thm1, alg1, claim1 or obs1")};
}

/// What is being read.
struct State {
    Paper paper{};
    std::map<std::string, std::string> texts{};
    std::string where{};  ///< "my.paper:12"

    [[nodiscard]] Item& item() { return paper.items.back(); }
    [[nodiscard]] DrawnPanel& picture() { return item().drawn.panels.back(); }
    [[nodiscard]] Number& number() { return item().numbers.back(); }
    [[nodiscard]] Panel& panel() { return item().panels.back(); }
    [[nodiscard]] Curves& curve() { return item().curves.back(); }
};

using Take = void (*)(State&, const std::string& value);
enum class Given : std::uint8_t { once, always, often };  ///< at most once, exactly once, any number of times

struct Key {
    std::string_view name;
    Take take;
    Given given = Given::once;
};

struct Block {
    std::string_view name;    ///< the key that opens it; empty: the head of the file
    std::string_view inside;  ///< the block that must be open for it
    Take open;
    std::vector<Key> keys;
};

void takeText(State& state, const std::string& value) {
    const auto equals = value.find(" = ");
    if (equals == std::string::npos) throw Error{text("'", value, "' is no text; write NAME = WORDS")};
    if (!state.texts.emplace(value.substr(0, equals), value.substr(equals + 3)).second)
        throw Error{text("a text '", value.substr(0, equals), "' is there already")};
}

void openItem(State& state, const std::string& name) {
    if (std::ranges::find(state.paper.items, name, &Item::name) != state.paper.items.end())
        throw Error{text("an item '", name, "' is there already")};
    state.paper.items.push_back({.name = name, .kind = kindOf(name)});
}

void takePanel(State& state, const std::string& title) {
    const auto& panels = state.item().panels;
    const auto found = std::ranges::find(panels, title, &Panel::title);
    if (found == panels.end()) throw Error{text("no panel above is called '", title, "'")};
    state.curve().panel = static_cast<std::size_t>(found - panels.begin());
}

void takeCurveRange(State& state, const std::string& value) {
    const auto range = readRange(value);
    if (!range) throw Error{text("'", value, "' is no range; write for example 1.1 to 16/13")};
    std::tie(state.curve().low, state.curve().high) = *range;
}

using S = State;
using V = const std::string;

const std::vector<Block>& blocks() {
    static const std::vector<Block> all{
        {"",
         "",
         nullptr,
         {{"title", [](S& s, V& v) { s.paper.title = v; }, Given::always},
          {"notes", [](S& s, V& v) { s.paper.notes = v; }},
          {"text", takeText, Given::often}}},
        {"item",
         "",
         openItem,
         {{"shows", [](S& s, V& v) { s.item().shows = v; }, Given::always},
          {"because", [](S& s, V& v) { s.item().why = v; }, Given::always},
          {"axes", [](S& s, V& v) { s.item().axes = v; }},
          {"tolerance", [](S& s, V& v) { s.item().tolerance = readNumber(v); }},
          {"fitted", [](S& s, V& v) { s.item().fitted = readYes(v); }},
          {"unavailable", [](S& s, V& v) { s.item().notHere = readYes(v); }},
          {"columns", [](S& s, V& v) { s.item().drawn.columns = readCount(v, "columns", 1); }},
          {"same-time", [](S& s, V& v) { s.item().drawn.sameTime = readYes(v); }},
          {"below", [](S& s, V& v) { s.item().drawn.below = v; }}}},
        {"picture",
         "item",
         [](S& s, V& v) { s.item().drawn.panels.push_back({.where = s.where, .title = v}); },
         {{"run", [](S& s, V& v) { s.picture().run = v; }, Given::always},
          {"view", [](S& s, V& v) { s.picture().view = v; }, Given::always},
          {"after-round", [](S& s, V& v) { s.picture().afterRound = readCount(v, "after-round", 0); }},
          {"rank", [](S& s, V& v) { s.picture().rank = readCount(v, "rank", 0); }},
          {"first", [](S& s, V& v) { s.picture().first = readCount(v, "first", 1); }},
          {"count", [](S& s, V& v) { s.picture().count = readCount(v, "count", 1); }},
          {"together", [](S& s, V& v) { s.picture().together = readYes(v); }},
          {"senders", [](S& s, V& v) { s.picture().senders = readSenders(v); }},
          {"held", [](S& s, V& v) { s.picture().held = readYes(v); }},
          {"borders", [](S& s, V& v) { s.picture().borders = v; }},
          {"borders-to", [](S& s, V& v) { s.picture().bordersTo = readCount(v, "borders-to", 1); }}}},
        {"number",
         "item",
         [](S& s, V& v) { s.item().numbers.push_back({.where = s.where, .what = v}); },
         {{"print", [](S& s, V& v) { s.number().print = v; }},
          {"says", [](S& s, V& v) { s.number().says = readSays(v); }},
          {"expected", [](S& s, V& v) { s.number().expected = readNumber(v); }, Given::always},
          {"of", [](S& s, V& v) { s.number().of = readOf(v); }},
          {"message", [](S& s, V& v) { s.number().message = readMessage(v); }},
          {"formula", [](S& s, V& v) { s.number().formula = v; }},
          {"run", [](S& s, V& v) { s.number().run = v; }},
          {"over", [](S& s, V& v) { s.number().over = v; }},
          {"fit", [](S& s, V& v) { s.number().fitted = readNumber(v); }},
          {"because", [](S& s, V& v) { s.number().why = v; }},
          {"term", [](S& s, V& v) { s.number().term = v; }},
          {"refutes", [](S& s, V& v) { s.number().refutes = readYes(v); }},
          {"unavailable", [](S& s, V& v) { s.number().notHere = readYes(v); }},
          {"headline", [](S& s, V& v) { s.number().headline = readYes(v); }},
          {"large", [](S& s, V& v) { s.number().large = readYes(v); }}}},
        {"panel",
         "item",
         [](S& s, V& v) { s.item().panels.push_back({.where = s.where, .title = v}); },
         {{"sweep", [](S& s, V& v) { s.panel().sweep = v; }, Given::always},
          {"small", [](S& s, V& v) { s.panel().small = v; }},
          {"joined", [](S& s, V& v) { s.panel().joined = v; }},
          {"mark", [](S& s, V& v) { s.panel().marks.push_back(readMark(v)); }, Given::often}}},
        {"curve",
         "panel",
         [](S& s, V& v) {
             s.item().curves.push_back({.where = s.where, .panel = s.item().panels.size() - 1, .first = v});
         },
         {{"in", takePanel},
          {"over", [](S& s, V& v) { s.curve().second = v; }},
          {"what", [](S& s, V& v) { s.curve().what = v; }},
          {"says", [](S& s, V& v) { s.curve().says = readSays(v); }},
          {"from", [](S& s, V& v) { s.curve().from = readNumber(v); }},
          {"to", [](S& s, V& v) { s.curve().to = readNumber(v); }},
          {"range", takeCurveRange},
          {"because", [](S& s, V& v) { s.curve().why = v; }},
          {"term", [](S& s, V& v) { s.curve().term = v; }},
          {"refutes", [](S& s, V& v) { s.curve().refutes = readYes(v); }},
          {"unavailable", [](S& s, V& v) { s.curve().notHere = readYes(v); }},
          {"large", [](S& s, V& v) { s.curve().large = readYes(v); }},
          {"ours", [](S& s, V& v) { s.curve().ours = readYes(v); }}}}};
    return all;
}

class Reader {
public:
    explicit Reader(std::string file) : file_{std::move(file)} {
        const std::string stem = std::filesystem::path{file_}.stem().string();
        state_.paper.name = stem.substr(std::min(stem.find_first_not_of("0123456789-"), stem.size()));
    }

    Paper read(std::string_view words) {
        try {
            takeLines(words);
        } catch (const Error& error) {
            throw Error{text(file_, ':', line_, ": ", error.words())};
        }
        return std::move(state_.paper);
    }

private:
    void takeLines(std::string_view words) {
        const std::vector<std::string> lines = engine::split(words, '\n');
        for (std::size_t i = 0; i < lines.size(); ++i) {
            line_ = i + 1;
            std::string line{trimmed(lines[i])};
            if (line.starts_with('#')) continue;
            while (line.ends_with('\\')) {
                line.pop_back();
                ++i;
                line = text(trimmed(line), ' ', i < lines.size() ? trimmed(lines[i]) : "");
            }
            if (!line.empty()) take(line);
        }
        close();
        if (state_.paper.items.empty()) throw Error{"the paper has no item; write for example item: fig1"};
    }

    [[nodiscard]] std::string nameOfBlock() const {
        return block_->name.empty() ? "the paper" : text("this ", block_->name);
    }

    void take(const std::string& line) {
        const auto colon = line.find(':');
        const std::string name = line.substr(0, colon);
        std::string value{colon == std::string::npos ? "" : trimmed(std::string_view{line}.substr(colon + 1))};
        if (value.empty()) throw Error{text("'", name, "' has no value; a line is KEY: VALUE")};
        if (value.starts_with('$')) {
            const auto found = state_.texts.find(value.substr(1));
            if (found == state_.texts.end())
                throw Error{text("no text is called '", value.substr(1), "'", meant(value.substr(1)))};
            value = found->second;
        }
        for (const Block& block : blocks())
            if (!block.name.empty() && block.name == name) return open(block, value);
        for (const Key& key : block_->keys) {
            if (key.name != name) continue;
            if (!given_.insert(key.name).second && key.given != Given::often)
                throw Error{text("'", name, "' is given twice")};
            return key.take(state_, value);
        }
        std::vector<std::string> names;
        for (const Block& block : blocks()) names.emplace_back(block.name);
        for (const Key& key : block_->keys) names.emplace_back(key.name);
        const std::string hint = engine::didYouMean(name, names);
        throw Error{text(nameOfBlock(), " has no key '", name, "'", hint)};
    }

    [[nodiscard]] std::string meant(const std::string& name) const {
        std::vector<std::string> names;
        for (const auto& [known, words] : state_.texts) names.push_back(known);
        return engine::didYouMean(name, names);
    }

    void open(const Block& block, const std::string& value) {
        close();
        const auto& items = state_.paper.items;
        if (block.inside == "item" && items.empty())
            throw Error{text("a ", block.name, " needs an item before it; write for example item: fig1")};
        if (block.inside == "panel" && (items.empty() || items.back().panels.empty()))
            throw Error{text("a ", block.name, " needs a panel before it; write panel: TITLE")};
        block_ = &block;
        begin_ = line_;
        state_.where = text(file_, ':', line_);
        block.open(state_, value);
    }

    /// Throws Error, about the first line of the block, unless all that it must have was given.
    void close() {
        const std::size_t line = std::exchange(line_, begin_);
        for (const Key& key : block_->keys)
            if (key.given == Given::always && !given_.contains(key.name))
                throw Error{text(nameOfBlock(), " needs a line '", key.name, ": ...'")};
        if (block_->name == "number") {
            const Number& number = state_.number();
            if (number.run.empty() && (number.formula.empty() || !number.over.empty()))
                throw Error{"this number needs a line 'run: ...', or a formula of printed numbers alone"};
            if ((number.of == Of::peer || number.of == Of::carried) && !given_.contains("message"))
                throw Error{"this number is of one message; write for example message: rank 7 receives 1 in round 2"};
        }
        given_.clear();
        line_ = line;
    }

    std::string file_;
    State state_{};
    const Block* block_ = &blocks().front();
    std::size_t line_ = 1;
    std::size_t begin_ = 1;               ///< line of the block
    std::set<std::string_view> given_{};  ///< keys of the block
};

}  // namespace

Paper readPaper(std::string_view words, const std::string& file) { return Reader{file}.read(words); }

}  // namespace app::figures
