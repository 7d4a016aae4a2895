// SPDX-License-Identifier: BSD-3-Clause
#include "engine/script/sandbox.hpp"

#include "engine/base/stopping.hpp"
#include "engine/base/text.hpp"
#include "engine/script/script_functions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

// Debian's archive of Lua reaches the C library's streams in a way that no shared library may. The build gives them
// these names in its copy of the archive (engine/CMakeLists.txt); no script ever writes to them.
extern "C" {
[[gnu::visibility("hidden"), gnu::used]] std::FILE* collscope_stdin = stdin;
[[gnu::visibility("hidden"), gnu::used]] std::FILE* collscope_stdout = stdout;
[[gnu::visibility("hidden"), gnu::used]] std::FILE* collscope_stderr = stderr;
}

namespace engine::script {
namespace {

constexpr int stepsBetweenLooks = 1000;

void* allocate(void* context, void* old, std::size_t oldSize, std::size_t size) {
    Context& own = *static_cast<Context*>(context);
    // Of a new block Lua says what it is for, in the place of the size.
    if (own.bounded && old == nullptr && oldSize == LUA_TSTRING && size > Sandbox::longestText) {
        own.tooLong = true;
        return nullptr;
    }
    const std::size_t before = old == nullptr ? 0 : oldSize;
    if (size == 0) {
        std::free(old);
        own.memory -= before;
        return nullptr;
    }
    if (own.bounded && size > before && own.memory + (size - before) > Sandbox::mostMemory + own.ours) return nullptr;
    void* fresh = std::realloc(old, size);
    if (fresh != nullptr) own.memory += size - before;
    return fresh;
}

/// More than any call has left.
constexpr lua_Integer mostSteps = Sandbox::stepsOfHead + 1;
constexpr const char* tooManySteps = "too many steps; the script may contain an endless loop";

/// Processor time of this thread in ns: a machine that is busy with other work refuses no script.
std::int64_t timeOfThread() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void look(lua_State* state, lua_Debug*) {
    Context& own = contextOf(state);
    own.steps -= stepsBetweenLooks;
    own.spent += stepsBetweenLooks;
    own.cancelled = Stopping::requested();
    const std::int64_t now = timeOfThread();
    if (own.began == 0) own.began = now;
    const bool inTime =
        now - own.began < Sandbox::mostTime && own.spent < Sandbox::stepsAtLeast + Sandbox::stepsOnAverage * own.turns;
    if (own.steps >= 0 && !own.cancelled && inTime) return;
    luaL_where(state, 0);  // of the script: no function of ours stands between
    lua_pushstring(state, tooManySteps);
    lua_concat(state, 2);
    lua_error(state);
}

/// The length of the table that a function of Lua's table library goes through, which is charged for.
lua_Integer chargedLength(lua_State* state) {
    const lua_Integer all = lua_type(state, 1) == LUA_TTABLE ? luaL_len(state, 1) : 0;
    // A table with holes may name any length: its steps are counted without going beyond what a number holds.
    charge(state, std::min(all, mostSteps) * std::bit_width(static_cast<std::uint64_t>(all)));
    return all;
}

int charged(lua_State* state) {
    chargedLength(state);
    return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

/// Whether the value on top of the stack comes before the one below it.
bool comesBefore(lua_State* state) {
    if (lua_isnil(state, 2)) return lua_compare(state, -1, -2, LUA_OPLT) != 0;
    lua_pushvalue(state, 2);
    lua_pushvalue(state, -2);
    lua_pushvalue(state, -4);
    lua_call(state, 2, 1);
    const bool before = lua_toboolean(state, -1) != 0;
    lua_pop(state, 1);
    return before;
}

/// Lua's own sort asks the clock where it should divide, so that what is alike would stand in another order each time.
int sort(lua_State* state) {
    luaL_checktype(state, 1, LUA_TTABLE);
    lua_settop(state, 2);
    if (!lua_isnil(state, 2)) luaL_checktype(state, 2, LUA_TFUNCTION);
    const lua_Integer all = chargedLength(state);
    lua_newtable(state);
    int from = 1, to = 3;
    for (lua_Integer run = 1; run < all; run *= 2, std::swap(from, to))
        for (lua_Integer begin = 1; begin <= all; begin += 2 * run) {
            const lua_Integer middle = std::min(begin + run, all + 1), end = std::min(begin + 2 * run, all + 1);
            for (lua_Integer left = begin, right = middle, next = begin; next < end; ++next) {
                lua_geti(state, from, left < middle ? left : right);
                if (left < middle && right < end) {
                    lua_geti(state, from, right);
                    const bool before = comesBefore(state);
                    lua_remove(state, before ? -2 : -1);
                    ++(before ? right : left);
                } else {
                    ++(left < middle ? left : right);
                }
                lua_seti(state, to, next);
            }
        }
    for (lua_Integer i = 1; from != 1 && i <= all; ++i) {
        lua_geti(state, from, i);
        lua_seti(state, 1, i);
    }
    return 0;
}

/// What many values are unpacked to every call and every `...` goes through, in one step.
int unpack(lua_State* state) {
    constexpr lua_Integer mostValues = 1000;
    const lua_Integer first = luaL_optinteger(state, 2, 1);
    const lua_Integer last = lua_isnoneornil(state, 3) && lua_type(state, 1) == LUA_TTABLE
                                 ? luaL_len(state, 1)
                                 : luaL_optinteger(state, 3, 0);
    if (last >= first && static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first) >= mostValues)
        return luaL_error(state, "table.unpack: at most %I values at once", mostValues);
    return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

/// Puts `ours` around the function `name` of the table on top of the stack.
void wrap(lua_State* state, const char* name, lua_CFunction ours) {
    lua_getfield(state, -1, name);
    lua_pushcclosure(state, ours, 1);
    lua_setfield(state, -2, name);
}

/// Only what is the same wherever it runs: a table has an address, and no order.
int toText(lua_State* state) {
    switch (lua_type(state, 1)) {
        case LUA_TNUMBER:
        case LUA_TSTRING:
            lua_pushvalue(state, 1);
            lua_tostring(state, -1);
            return 1;
        case LUA_TBOOLEAN: lua_pushstring(state, lua_toboolean(state, 1) != 0 ? "true" : "false"); return 1;
        case LUA_TNIL: lua_pushliteral(state, "nil"); return 1;
        default: return luaL_error(state, "tostring: a %s has no text", luaL_typename(state, 1));
    }
}

int unknownName(lua_State* state) {
    const char* name = lua_type(state, 2) == LUA_TSTRING ? lua_tostring(state, 2) : "?";
    for (const char* problem : {"n", "p", "q", "root", "option"})
        if (std::string_view{name} == problem)
            return luaL_error(state, "'%s' is known only inside functions, when the problem is", name);
    return luaL_error(state,
                      "'%s' is not defined: it is neither a variable of the script nor a function that scripts may "
                      "call; write-your-own.md in the documents lists those functions",
                      name);
}

/// Takes the functions `names` of the library that `opened` leaves into the table below it.
template <std::size_t Count>
void keep(lua_State* state, lua_CFunction opened, const char* library, const std::array<const char*, Count>& names) {
    luaL_requiref(state, library, opened, 0);
    for (const char* name : names) {
        lua_getfield(state, -1, name);
        lua_setfield(state, -3, name);
    }
    lua_pop(state, 1);
}

/// A script's own words in a complaint: the first few hundred bytes of them, cut between characters.
std::string shortened(std::string words) {
    constexpr std::size_t most = 400;
    if (words.size() <= most) return words;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xc0U) == 0x80) --end;
    return words.substr(0, end) + "...";
}

}  // namespace

void charge(lua_State* state, std::int64_t steps) {
    Context& own = contextOf(state);
    own.steps -= steps;
    if (own.steps < 0) luaL_error(state, "%s", tooManySteps);
}

std::string onOneLine(std::string words) {
    std::replace_if(
        words.begin(), words.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return words;
}

void Sandbox::open() {
    lua_newtable(state_);  // what scripts see
    keep(state_, luaopen_base, "_G", std::array{"assert", "error", "ipairs", "select", "tonumber", "type"});
    lua_pushcfunction(state_, toText);
    lua_setfield(state_, -2, "tostring");
    lua_newtable(state_);
    keep(state_, luaopen_math, "math",
         std::array{"abs", "ceil", "floor", "fmod", "log", "max", "maxinteger", "min", "mininteger", "sqrt",
                    "tointeger"});
    lua_setfield(state_, -2, "math");
    lua_newtable(state_);
    keep(state_, luaopen_table, "table", std::array{"concat", "sort", "unpack"});
    wrap(state_, "concat", charged);
    wrap(state_, "sort", sort);
    wrap(state_, "unpack", unpack);
    lua_setfield(state_, -2, "table");
    addWords(state_);
    // Unknown names are errors, not nil.
    lua_newtable(state_);
    lua_pushcfunction(state_, unknownName);
    lua_setfield(state_, -2, "__index");
    lua_setmetatable(state_, -2);
    lua_rawseti(state_, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

Sandbox::Sandbox(std::string path, const std::string& content)
    : path_{std::move(path)}, context_{std::make_unique<Context>()} {
    state_ = lua_newstate(allocate, context_.get());
    if (state_ == nullptr) throw Error{text(path_, ": not enough memory for the script")};
    *static_cast<Context**>(lua_getextraspace(state_)) = context_.get();
    try {
        lua_pushcfunction(state_, [](lua_State* state) {
            static_cast<Sandbox*>(lua_touserdata(state, 1))->open();
            return 0;
        });
        lua_pushlightuserdata(state_, this);
        call(1, 0, stepsOfHead);
        // Lua shortens long names of files: ours is put in when a complaint comes out.
        context_->bounded = true;
        const int code = luaL_loadbufferx(state_, content.data(), content.size(), "=script", "t");
        context_->bounded = false;
        if (code == LUA_ERRMEM) refuse(whyNoMemory());
        if (code != LUA_OK) {
            lua_pushcfunction(state_, lua_error);
            lua_insert(state_, -2);
            call(1, 0, stepsOfHead);
        }
        call(0, 0, stepsOfHead);
    } catch (...) {
        lua_close(state_);
        throw;
    }
}

Sandbox::~Sandbox() { lua_close(state_); }

void Sandbox::refuse(const std::string& words) const { throw Faulty{text(path_, ": ", words)}; }

std::string Sandbox::whyNoMemory() const {
    return context_->tooLong
               ? text("a text may have at most ", showBytes(static_cast<Bytes>(longestText)))
               : text("the script needs more than ", showBytes(static_cast<Bytes>(mostMemory)), " of memory");
}

void Sandbox::call(int arguments, int results, std::int64_t steps, const std::string& where) {
    context_->steps = steps;
    context_->began = 0;
    context_->tooLong = false;
    lua_sethook(state_, look, LUA_MASKCOUNT, stepsBetweenLooks);
    context_->bounded = true;
    const int code = lua_pcall(state_, arguments, results, 0);
    context_->bounded = false;
    if (code == LUA_OK) return;
    if (std::exchange(context_->cancelled, false)) {
        lua_pop(state_, 1);
        throw Cancelled{};
    }
    std::string words = "an error that is no text";
    if (lua_type(state_, -1) == LUA_TSTRING) words = shortened(onOneLine(lua_tostring(state_, -1)));
    lua_pop(state_, 1);
    if (code == LUA_ERRMEM) words = whyNoMemory();
    constexpr std::string_view own = "script:";
    if (words == "C stack overflow") words = "its brackets or blocks are nested too deeply";
    if (words.starts_with(own)) throw Faulty{text(path_, ':', words.substr(own.size()), where)};
    throw Faulty{text(path_, ": ", words, where)};
}

void Sandbox::freeze(std::span<const int> functions) {
    const std::size_t before = context_->memory;
    if (!lasting_.freeze(state_, functions))
        refuse(text("its functions reach more than ", Lasting::mostReached, " tables and functions of the file"));
    lua_gc(state_, LUA_GCCOLLECT);
    context_->ours = std::max(context_->memory, before) - before;
    if (lasting_.locals() > Lasting::mostLocals)
        refuse(text("its functions share more than ", Lasting::mostLocals, " locals of the file"));
}

void Sandbox::requireUnchanged() const {
    const std::string name = lasting_.changed(state_);
    if (!name.empty())
        refuse(text("the local '", name, "' of the file cannot be changed in a turn, which must depend on rank and ",
                    "round alone; write 'local ", name, "' in the turn"));
}

}  // namespace engine::script
