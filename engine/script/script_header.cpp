// SPDX-License-Identifier: BSD-3-Clause
#include "engine/script/script_header.hpp"

#include "engine/base/text.hpp"
#include "engine/script/script_functions.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace engine::script {
namespace {

constexpr std::int64_t mostTurns = std::int64_t{1} << 32;
constexpr std::size_t mostOptions = 64;
constexpr std::size_t mostChoices = 256;
constexpr lua_Integer mostAbreast = 1024;  // all of them are asked for each turn

/// Puts the stack back as it was.
class Level {
public:
    explicit Level(lua_State* state) : state_{state}, top_{lua_gettop(state)} {}
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { lua_settop(state_, top_); }

private:
    lua_State* state_;
    int top_;
};

/// One table of the script, and the words for its complaints.
class TableOf {
public:
    /// The table on top of the stack, which must stay there.
    TableOf(Sandbox& sandbox, std::string where)
        : sandbox_{sandbox}, state_{sandbox.state()}, at_{lua_gettop(sandbox.state())}, where_{std::move(where)} {}

    /// Leaves the value called `name` on the stack; its type.
    int push(const char* name) const {
        lua_pushstring(state_, name);
        return lua_rawget(state_, at_);
    }
    /// The text called `name`, empty where there is none.
    [[nodiscard]] std::string words(const char* name) const {
        const Level level{state_};
        const int type = push(name);
        if (type == LUA_TNIL) return {};
        if (type != LUA_TSTRING && type != LUA_TNUMBER) refuse(name, "a text");
        return onOneLine(lua_tostring(state_, -1));
    }
    /// The whole number called `name`; where it is a function of the problem, what that answers.
    [[nodiscard]] std::int64_t number(const char* name, std::int64_t low, std::int64_t high,
                                      std::optional<std::int64_t> otherwise) const {
        const Level level{state_};
        int type = push(name);
        if (type == LUA_TNIL && otherwise) return *otherwise;
        if (type == LUA_TFUNCTION) {
            sandbox_.call(0, 1, Sandbox::stepsOfHead);
            type = lua_type(state_, -1);
        }
        int whole = 0;
        const lua_Integer value = type == LUA_TNUMBER ? lua_tointegerx(state_, -1, &whole) : 0;
        if (whole == 0 && type == LUA_TNUMBER)
            refuse(name, text("a whole number, not ", lua_tonumber(state_, -1), "; // divides without a rest"));
        if (whole == 0) refuse(name, "a whole number, or a function that returns one");
        if (value < low || value > high) refuse(name, text("from ", low, " to ", high, ", not ", value));
        return value;
    }
    [[noreturn]] void refuse(const char* name, const std::string& right) const {
        sandbox_.refuse(text('\'', name, "' of ", where_, " must be ", right));
    }

private:
    Sandbox& sandbox_;
    lua_State* state_;
    int at_;
    std::string where_;
};

/// The table that `algorithm` was called with, left on the stack.
TableOf pushHead(Sandbox& sandbox) {
    if (lua_rawgetp(sandbox.state(), LUA_REGISTRYINDEX, &headKey) != LUA_TTABLE)
        sandbox.refuse("the statement algorithm { collective = ... } is missing");
    return {sandbox, "algorithm"};
}

void requireKnown(Sandbox& sandbox, int table, const std::vector<std::string>& known, const std::string& where) {
    lua_State* state = sandbox.state();
    const Level level{state};
    for (lua_pushnil(state); lua_next(state, table) != 0; lua_pop(state, 1)) {
        if (lua_type(state, -2) != LUA_TSTRING) continue;
        const std::string name = onOneLine(lua_tostring(state, -2));
        if (std::find(known.begin(), known.end(), name) == known.end())
            sandbox.refuse(text(where, " has no '", name, '\'', didYouMean(name, known)));
    }
}

Option optionOf(Sandbox& sandbox, const std::string& name) {
    lua_State* state = sandbox.state();
    if (lua_type(state, -1) != LUA_TTABLE)
        sandbox.refuse(text("option '", name, "' must be a table such as { default = 1, low = 1, high = 64 }"));
    requireKnown(sandbox, lua_gettop(state), {"default", "low", "high", "meaning", "choices"},
                 text("option '", name, '\''));
    const TableOf table{sandbox, text("option '", name, '\'')};
    Option option{.name = name, .fallback = table.words("default"), .meaning = table.words("meaning")};
    option.low = table.number("low", std::numeric_limits<std::int32_t>::min(), option.high, option.low);
    option.high = table.number("high", option.low, std::numeric_limits<std::int32_t>::max(), option.high);
    if (table.push("choices") == LUA_TTABLE) {
        option.kind = Option::Kind::choice;
        for (lua_Integer i = 1; lua_rawgeti(state, -1, i) == LUA_TSTRING; ++i, lua_pop(state, 1)) {
            if (option.choices.size() == mostChoices)
                sandbox.refuse(text("option '", name, "' has more than ", mostChoices, " choices"));
            option.choices.push_back(onOneLine(lua_tostring(state, -1)));
        }
        lua_pop(state, 1);
    }
    lua_pop(state, 1);
    try {
        (void)Options{name, {option}, {{name, option.fallback}}};
    } catch (const Error& error) {
        sandbox.refuse(text("the default of option ", error.what()));
    }
    return option;
}

std::vector<Option> optionsOf(Sandbox& sandbox, const TableOf& head) {
    lua_State* state = sandbox.state();
    const Level level{state};
    std::map<std::string, Option> sorted;  // tables of Lua have no order
    const int type = head.push("options");
    if (type == LUA_TNIL) return {};
    if (type != LUA_TTABLE) head.refuse("options", "a table such as { segments = { default = 1 } }");
    for (lua_pushnil(state); lua_next(state, -2) != 0; lua_pop(state, 1)) {
        if (lua_type(state, -2) != LUA_TSTRING) head.refuse("options", "a table with a name for each option");
        const std::string name = onOneLine(lua_tostring(state, -2));
        if (sorted.size() == mostOptions) sandbox.refuse(text("it has more than ", mostOptions, " options"));
        sorted.emplace(name, optionOf(sandbox, name));
    }
    std::vector<Option> options;
    for (auto& [name, option] : sorted) options.push_back(std::move(option));
    return options;
}

/// A global, left on the stack; its type.
int pushGlobal(lua_State* state, const char* name) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushstring(state, name);
    const int type = lua_rawget(state, -2);
    lua_remove(state, -2);
    return type;
}

void setGlobal(lua_State* state, const char* name) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_insert(state, -2);
    lua_pushstring(state, name);
    lua_insert(state, -2);
    lua_rawset(state, -3);
    lua_pop(state, 1);
}

/// The part in the table on top of the stack.
Phase::Part partOf(Sandbox& sandbox, const TableOf& table) {
    Phase::Part part{.rounds = table.number("rounds", 0, mostTurns, std::nullopt)};
    if (table.push("turn") != LUA_TFUNCTION) table.refuse("turn", "a function of rank and round");
    part.turn = luaL_ref(sandbox.state(), LUA_REGISTRYINDEX);
    return part;
}

/// The phase in the table on top of the stack.
Phase phaseOf(Sandbox& sandbox, const std::string& where) {
    lua_State* state = sandbox.state();
    if (lua_type(state, -1) != LUA_TTABLE) sandbox.refuse(where + " must be a table { rounds = ..., turn = ... }");
    requireKnown(sandbox, lua_gettop(state), {"name", "rounds", "turn", "abreast"}, where);
    const TableOf table{sandbox, where};
    Phase phase{.name = table.words("name")};
    if (table.push("abreast") == LUA_TTABLE) {
        for (lua_Integer i = 1; lua_rawgeti(state, -1, i) == LUA_TTABLE; ++i, lua_pop(state, 1)) {
            if (i > mostAbreast) sandbox.refuse(text(where, " has more than ", mostAbreast, " sides abreast"));
            phase.parts.push_back(partOf(sandbox, {sandbox, text(where, ", side ", i)}));
        }
        lua_pop(state, 1);
    }
    lua_pop(state, 1);
    if (phase.parts.empty()) phase.parts.push_back(partOf(sandbox, table));
    for (const Phase::Part& part : phase.parts) phase.rounds = std::max(phase.rounds, part.rounds);
    return phase;
}

Slots ownSlots(Sandbox& sandbox, const TableOf& head, int slots) {
    lua_State* state = sandbox.state();
    const Level level{state};
    if (head.push("own") != LUA_TTABLE) return 1;
    Slots own = 0;
    for (lua_Integer i = 1; lua_rawgeti(state, -1, i) == LUA_TNUMBER; ++i, lua_pop(state, 1)) {
        const lua_Integer slot = lua_tointeger(state, -1);
        if (slot < 0 || slot >= slots) head.refuse("own", text("a list of slots from 0 to ", slots - 1));
        own |= Slots{1} << slot;
    }
    return own;
}

Wiring wiringOf(const TableOf& head, std::int32_t ranks) {
    const std::string words = head.words("wiring");
    if (words.empty() || words == "any") return Wiring::any();
    if (words == "ring") return Wiring::ring(ranks);
    head.refuse("wiring", "\"any\" or \"ring\"");
}

}  // namespace

Head headOf(Sandbox& sandbox) {
    const Level level{sandbox.state()};
    const TableOf table = pushHead(sandbox);
    requireKnown(sandbox, lua_gettop(sandbox.state()),
                 {"collective", "title", "idea", "source", "options", "demands", "ports", "slots", "own", "result",
                  "wiring", "repeats", "parts"},
                 "algorithm");
    Head head{.title = table.words("title"),
              .idea = table.words("idea"),
              .source = table.words("source"),
              .options = optionsOf(sandbox, table)};
    try {
        head.collective = collectiveNamed(table.words("collective"));
    } catch (const Error& error) {
        sandbox.refuse(text("'collective' of algorithm: ", error.what()));
    }
    const auto isExclusive = [](const Option& option) { return option.name == exclusiveOption().name; };
    if (head.collective == Collective::scan && std::ranges::none_of(head.options, isExclusive))
        head.options.push_back(exclusiveOption());
    return head;
}

void pose(Sandbox& sandbox, const Problem& problem, const Options& options, const Head& head) {
    lua_State* state = sandbox.state();
    const auto give = [&](const char* name, std::int64_t value) {
        lua_pushinteger(state, value);
        setGlobal(state, name);
    };
    give("n", problem.ranks());
    give("p", problem.groupA);
    give("q", problem.groupB);
    give("root", problem.root.value);
    give("ports", problem.ports);
    lua_newtable(state);
    for (const Option& option : head.options) {
        if (option.kind == Option::Kind::choice) lua_pushstring(state, options.word(option.name).c_str());
        else lua_pushinteger(state, options.number(option.name));
        lua_setfield(state, -2, option.name.c_str());
    }
    setGlobal(state, "option");
    sandbox.context().problem = &problem;
}

Objection objectionOf(Sandbox& sandbox) {
    lua_State* state = sandbox.state();
    const Level level{state};
    const TableOf head = pushHead(sandbox);
    const int type = head.push("demands");
    if (type == LUA_TNIL) return std::nullopt;
    if (type != LUA_TFUNCTION) head.refuse("demands", "a function that returns why a problem does not fit, or nothing");
    sandbox.call(0, 1, Sandbox::stepsOfHead);
    if (lua_type(state, -1) == LUA_TSTRING) return onOneLine(lua_tostring(state, -1));
    if (lua_type(state, -1) != LUA_TNIL) head.refuse("demands", "a function that returns a text, or nothing");
    return std::nullopt;
}

std::vector<Phase> phasesOf(Sandbox& sandbox, const Problem& problem, Facts& facts) {
    lua_State* state = sandbox.state();
    const Level level{state};
    const TableOf head = pushHead(sandbox);
    facts.ranks = problem.ranks();
    facts.ports = static_cast<int>(head.number("ports", 1, 1 << 20, 1));
    facts.slots = static_cast<int>(head.number("slots", 1, std::numeric_limits<Slots>::digits, 1));
    facts.result = static_cast<int>(head.number("result", 0, facts.slots - 1, 0));
    facts.own = ownSlots(sandbox, head, facts.slots);
    facts.wiring = wiringOf(head, facts.ranks);
    facts.repeats = head.words("repeats");
    facts.pieces = combinesVectors(problem.collective);
    sandbox.context().slots = facts.slots;
    std::vector<Phase> phases;
    if (head.push("parts") == LUA_TTABLE) {
        for (lua_Integer i = 1; lua_rawgeti(state, -1, i) != LUA_TNIL; ++i, lua_pop(state, 1))
            phases.push_back(phaseOf(sandbox, text("part ", i)));
    } else {
        lua_newtable(state);
        for (const char* name : {"rounds", "turn"}) {
            if (pushGlobal(state, name) == LUA_TNIL)
                sandbox.refuse(
                    text("it has no function '", name, "'; write function ",
                         std::string_view{name} == "turn" ? "turn(rank, round) ... end" : "rounds() return ... end"));
            lua_setfield(state, -2, name);
        }
        phases.push_back(phaseOf(sandbox, "the script"));
    }
    facts.rounds = 0;
    for (Phase& phase : phases) {
        if (phase.rounds > (mostTurns - 1) / facts.ranks - facts.rounds)
            sandbox.refuse(text("it has more than ", mostTurns, " turns"));
        if (phase.rounds > 0 && !phase.name.empty())
            facts.stages.push_back({phase.name, Round{facts.rounds}, phase.rounds});
        facts.rounds += phase.rounds;
    }
    return phases;
}

}  // namespace engine::script
