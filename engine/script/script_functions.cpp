// SPDX-License-Identifier: BSD-3-Clause
// Lua leaves these functions by a jump when something is wrong: they hold nothing that would have to be given back.
#include "engine/script/script_functions.hpp"

#include "engine/script/sandbox.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>

namespace engine::script {
namespace {

constexpr const char* rangesName = "ranges";

/// What `block` and its kind answer: ranges, one after the other.
struct Ranges {
    std::size_t count = 0;
    Range first[1];
};

std::span<const Range> rangesAt(lua_State* state, int at, const char* word) {
    const auto* ranges = static_cast<const Ranges*>(luaL_testudata(state, at, rangesName));
    if (ranges == nullptr)
        luaL_error(state, "%s: argument %d must be bytes such as block(0) or all(), not %s", word, at,
                   luaL_typename(state, at));
    constexpr std::size_t rangesOfStep = 8;  // that are gone through in the time of an instruction
    charge(state, static_cast<std::int64_t>(ranges->count / rangesOfStep));
    return {ranges->first, ranges->count};
}

/// Room for ranges, left on the stack.
Range* newRanges(lua_State* state, std::size_t count) {
    auto* ranges =
        static_cast<Ranges*>(lua_newuserdatauv(state, sizeof(Ranges) + (count > 1 ? count - 1 : 0) * sizeof(Range), 0));
    ranges->count = count;
    luaL_setmetatable(state, rangesName);
    return ranges->first;
}

int answer(lua_State* state, const RangePair& pair) {
    const bool two = !pair[1].empty();
    Range* out = newRanges(state, two ? 2 : 1);
    out[0] = pair[0];
    if (two) out[1] = pair[1];
    return 1;
}

lua_Integer integerAt(lua_State* state, int at, const char* word, const char* what) {
    int whole = 0;
    const lua_Integer value = lua_type(state, at) == LUA_TNUMBER ? lua_tointegerx(state, at, &whole) : 0;
    if (whole == 0) {
        if (lua_type(state, at) == LUA_TNUMBER)
            luaL_error(state, "%s: %s must be a whole number, not %f; // divides without a rest", word, what,
                       lua_tonumber(state, at));
        luaL_error(state, "%s: %s must be a whole number, not %s", word, what, luaL_typename(state, at));
    }
    return value;
}

std::int32_t within(lua_State* state, int at, const char* word, const char* what, lua_Integer low, lua_Integer high) {
    const lua_Integer value = integerAt(state, at, word, what);
    if (value >= low && value <= high) return static_cast<std::int32_t>(value);
    if (high < low) luaL_error(state, "%s: %s %I does not exist", word, what, value);
    const Problem* problem = contextOf(state).problem;
    const bool ring = low == 0 && problem != nullptr && high > 0 && high == problem->ranks() - 1;
    luaL_error(state, "%s: %s %I does not exist; choose %I to %I%s", word, what, value, low, high,
               ring ? "; write for example (rank + 1) % n to wrap around" : "");
    return static_cast<std::int32_t>(value);
}

const Problem& problemOf(lua_State* state, const char* word) {
    const Problem* problem = contextOf(state).problem;
    if (problem == nullptr)
        luaL_error(state, "%s means something only inside functions, when the problem is known", word);
    return *problem;
}

/// What reductions move: one vector, in blocks.
bool isVector(const Problem& problem) { return isReduction(problem.collective); }

std::int32_t blocksIn(const Problem& problem) { return isVector(problem) ? problem.ranks() : problem.layout.count(); }

Range everything(const Problem& problem) {
    return isVector(problem) ? Range{0, problem.layout.largest()} : problem.layout.whole();
}

RangePair blocksFrom(const Problem& problem, std::int32_t first, std::int32_t count) {
    return isVector(problem) ? blocksOf(problem).cyclic(first, count) : problem.layout.cyclic(first, count);
}

int block(lua_State* state) {
    const Problem& problem = problemOf(state, "block");
    if (lua_gettop(state) < 2) {
        const std::int32_t index = within(state, 1, "block", "block", 0, blocksIn(problem) - 1);
        return answer(state, {isVector(problem) ? blocksOf(problem)[index] : problem.layout.block(index), Range{}});
    }
    if (problem.collective != Collective::alltoallv && problem.collective != Collective::intergroupAlltoallv)
        return luaL_error(state, "block: only an all-to-all has a block for each pair of ranks; write block(i)");
    const Rank from{within(state, 1, "block", "rank", 0, problem.ranks() - 1)};
    const Rank to{within(state, 2, "block", "rank", 0, problem.ranks() - 1)};
    if (isIntergroup(problem.collective) && (from.value < problem.groupA) == (to.value < problem.groupA))
        return luaL_error(state, "block: rank %d has nothing for rank %d of its own group", from.value, to.value);
    return answer(state, {problem.layout.block(blockBetween(problem, from, to).value), Range{}});
}

int blocks(lua_State* state) {
    const Problem& problem = problemOf(state, "blocks");
    const std::int32_t all = blocksIn(problem);
    const std::int32_t first = within(state, 1, "blocks", "block", 0, all - 1);
    return answer(state, blocksFrom(problem, first, within(state, 2, "blocks", "count of blocks", 0, all)));
}

int all(lua_State* state) { return answer(state, {everything(problemOf(state, "all")), Range{}}); }

int bytes(lua_State* state) {
    const Range whole = everything(problemOf(state, "bytes"));
    const lua_Integer begin = integerAt(state, 1, "bytes", "the first byte");
    const lua_Integer end = integerAt(state, 2, "bytes", "the byte behind the last");
    if (begin < 0 || end < begin || end > whole.end)
        return luaL_error(state, "bytes: %I to %I are not within 0 to %I", begin, end, lua_Integer{whole.end});
    return answer(state, {Range{begin, end}, Range{}});
}

int part(lua_State* state) {
    const Problem& problem = problemOf(state, "part");
    const std::span<const Range> whole = rangesAt(state, 1, "part");
    const std::int32_t pieces = within(state, 2, "part", "count of pieces", 1, 1 << 30);
    const std::int32_t index = within(state, 3, "part", "piece", 0, pieces - 1);
    const Bytes unit = isVector(problem) ? unitOf(problem) : 1;  // elements are not cut
    Range* out = newRanges(state, whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const Range cut = piece({0, whole[i].size() / unit}, pieces, index);
        out[i] = {whole[i].begin + cut.begin * unit, whole[i].begin + cut.end * unit};
    }
    return 1;
}

int joined(lua_State* state) {
    const std::span<const Range> left = rangesAt(state, 1, "..");
    const std::span<const Range> right = rangesAt(state, 2, "..");
    Range* out = newRanges(state, left.size() + right.size());
    std::copy(right.begin(), right.end(), std::copy(left.begin(), left.end(), out));
    return 1;
}

int length(lua_State* state) {
    Bytes sum = 0;
    for (const Range range : rangesAt(state, 1, "#")) sum += range.size();
    lua_pushinteger(state, sum);
    return 1;
}

/// What a message names beside its peer.
struct Named {
    Rank peer{};
    std::span<const Range> what{};
    bool whole = false;  ///< nothing was said of what
    Slots slots = 1;
};

Turn& turnOf(lua_State* state, const char* word) {
    Turn* out = contextOf(state).out;
    if (out == nullptr) luaL_error(state, "%s may be called only inside of turn", word);
    return *out;
}

Named named(lua_State* state, const char* word, int last) {
    const Problem& problem = problemOf(state, word);
    const Rank own = contextOf(state).rank;
    Named message{.peer = Rank{within(state, 1, word, "rank", 0, problem.ranks() - 1)}};
    if (message.peer == own) luaL_error(state, "%s: rank %d is both sender and receiver", word, own.value);
    if (last >= 2 && lua_type(state, 2) != LUA_TNIL) message.what = rangesAt(state, 2, word);
    else if (!isVector(problem)) luaL_error(state, "%s: say what, such as block(0) or all()", word);
    else message.whole = true;
    for (int at = 3; at <= last; ++at) {
        const Slots slot = Slots{1} << within(state, at, word, "slot", 0, contextOf(state).slots - 1);
        message.slots = at == 3 ? slot : message.slots | slot;
    }
    if (last >= 3 && !isVector(problem)) luaL_error(state, "%s: only reductions have slots", word);
    return message;
}

/// Of a vector reduction every message says which part it carries; signs of life have no parts.
bool isSign(const Problem& problem) { return problem.collective == Collective::barrier; }

int send(lua_State* state) {
    Turn& out = turnOf(state, "send");
    const Problem& problem = problemOf(state, "send");
    const Named message = named(state, "send", std::min(lua_gettop(state), 3));
    const int slot = std::countr_zero(message.slots);
    const Range whole = everything(problem);
    if (!isVector(problem)) out.send(message.peer, message.what);
    else if (isSign(problem)) out.sendPartial(message.peer, slot, Bytes{0});
    else out.sendPartial(message.peer, slot, message.whole ? std::span{&whole, 1} : message.what);
    return 0;
}

int take(lua_State* state, const char* word, Action action, int last) {
    Turn& out = turnOf(state, word);
    const Problem& problem = problemOf(state, word);
    const Named message = named(state, word, last);
    const Range whole = everything(problem);
    if (!isVector(problem)) {
        if (action != Action::keep)
            return luaL_error(state, "%s: %s combines nothing; write receive", word, name(problem.collective).data());
        out.receive(message.peer, message.what);
    } else if (isSign(problem)) {
        out.receivePartial(message.peer, message.slots, action, Bytes{0});
    } else {
        out.receivePartial(message.peer, message.slots, action, message.whole ? std::span{&whole, 1} : message.what);
    }
    return 0;
}

int receive(lua_State* state) { return take(state, "receive", Action::keep, lua_gettop(state)); }

int combine(lua_State* state) {
    int last = lua_gettop(state);
    Action action = Action::append;
    if (last > 2 && lua_type(state, last) == LUA_TSTRING) {
        const std::string_view side = lua_tostring(state, last);
        if (side != "left" && side != "right")
            return luaL_error(state, "combine: the side is \"left\" or \"right\", not \"%s\"", side.data());
        if (side == "left") action = Action::prepend;
        --last;
    }
    return take(state, "combine", action, last);
}

/// `algorithm {...}`: what the file says of itself.
int algorithm(lua_State* state) {
    if (lua_type(state, 1) != LUA_TTABLE)
        return luaL_error(state, "algorithm: write algorithm { collective = ..., ... }");
    lua_settop(state, 1);
    lua_rawsetp(state, LUA_REGISTRYINDEX, &headKey);
    return 0;
}

constexpr luaL_Reg words[] = {{"algorithm", algorithm}, {"block", block},  {"blocks", blocks}, {"all", all},
                              {"bytes", bytes},         {"part", part},    {"send", send},     {"receive", receive},
                              {"combine", combine},     {nullptr, nullptr}};
constexpr luaL_Reg ofRanges[] = {{"__concat", joined}, {"__len", length}, {nullptr, nullptr}};

}  // namespace

const char headKey = 0;

void addWords(lua_State* state) {
    luaL_newmetatable(state, rangesName);
    luaL_setfuncs(state, ofRanges, 0);
    lua_pop(state, 1);
    luaL_setfuncs(state, words, 0);
}

}  // namespace engine::script
