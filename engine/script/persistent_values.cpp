// SPDX-License-Identifier: BSD-3-Clause
#include "engine/script/persistent_values.hpp"

#include <bit>
#include <cstdint>

namespace engine::script {
namespace {

int globalFrozen(lua_State* state) {
    const char* name = lua_type(state, 2) == LUA_TSTRING ? lua_tostring(state, 2) : "?";
    return luaL_error(state,
                      "the global '%s' cannot be changed in a turn, which must depend on rank and round alone; "
                      "write 'local %s'",
                      name, name);
}

int tableFrozen(lua_State* state) {
    return luaL_error(state,
                      "a table that was made outside cannot be changed in a turn, which must depend on rank and round "
                      "alone; make one in the turn");
}

int frozenLength(lua_State* state) {
    luaL_getmetafield(state, 1, "__index");
    lua_pushinteger(state, static_cast<lua_Integer>(lua_rawlen(state, -1)));
    return 1;
}

void append(lua_State* state, int list) {
    lua_rawseti(state, list, static_cast<lua_Integer>(lua_rawlen(state, list)) + 1);
}

/// The table on top of the stack keeps its place, so that all who know it still do, and what it held moves behind it.
void freezeTable(lua_State* state, lua_CFunction complain) {
    const int table = lua_gettop(state);
    // Not by the length: that of a table with holes may be any number.
    lua_newtable(state);
    const int contents = table + 1;
    for (lua_pushnil(state); lua_next(state, table) != 0;) {
        lua_pushvalue(state, -2);
        lua_insert(state, -2);
        lua_rawset(state, contents);
    }
    for (lua_pushnil(state); lua_next(state, table) != 0;) {
        lua_pop(state, 1);
        lua_pushvalue(state, -1);
        lua_pushnil(state);
        lua_rawset(state, table);
    }
    if (lua_getmetatable(state, table) != 0)
        lua_setmetatable(state, contents);  // that of the globals names the unknown
    lua_createtable(state, 0, 3);
    lua_pushcfunction(state, frozenLength);
    lua_setfield(state, -2, "__len");
    lua_pushvalue(state, contents);
    lua_setfield(state, -2, "__index");
    lua_pushcfunction(state, complain);
    lua_setfield(state, -2, "__newindex");
    lua_setmetatable(state, table);
    // What it holds is asked next.
    lua_replace(state, table);
}

/// 1 and 1.0 are equal, but not the same.
bool same(lua_State* state, int a, int b) {
    if (lua_type(state, a) != LUA_TNUMBER || lua_type(state, b) != LUA_TNUMBER) return lua_rawequal(state, a, b) != 0;
    if (lua_isinteger(state, a) != lua_isinteger(state, b)) return false;
    if (lua_isinteger(state, a) != 0) return lua_tointeger(state, a) == lua_tointeger(state, b);
    return std::bit_cast<std::uint64_t>(lua_tonumber(state, a)) == std::bit_cast<std::uint64_t>(lua_tonumber(state, b));
}

/// Puts the value on top of the stack on the list `ahead`, where it was not met before and can lead to others; takes it
/// off the stack.
void meet(lua_State* state, int met, int ahead) {
    const int type = lua_type(state, -1);
    const bool leads = type == LUA_TTABLE || (type == LUA_TFUNCTION && lua_iscfunction(state, -1) == 0);
    if (!leads) return lua_pop(state, 1);
    lua_pushvalue(state, -1);
    if (lua_rawget(state, met) != LUA_TNIL) return lua_pop(state, 2);
    lua_pop(state, 1);
    lua_pushvalue(state, -1);
    lua_pushboolean(state, 1);
    lua_rawset(state, met);
    append(state, ahead);
}

}  // namespace

bool Lasting::freeze(lua_State* state, std::span<const int> functions) {
    const int before = lua_gettop(state);
    lua_newtable(state);
    const int kept = lua_gettop(state);
    lua_newtable(state);
    const int met = lua_gettop(state);
    lua_newtable(state);
    const int ahead = lua_gettop(state);
    lua_rawgeti(state, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    const void* globals = lua_topointer(state, -1);
    meet(state, met, ahead);
    for (const int function : functions) {
        lua_rawgeti(state, LUA_REGISTRYINDEX, function);
        meet(state, met, ahead);
    }
    std::set<void*> known;
    bool fits = true;
    for (lua_Integer next = 1; lua_rawgeti(state, ahead, next) != LUA_TNIL; ++next, lua_settop(state, ahead)) {
        fits = next <= mostReached;
        if (!fits) break;
        const int at = lua_gettop(state);
        if (lua_type(state, at) == LUA_TTABLE) {
            freezeTable(state, lua_topointer(state, at) == globals ? globalFrozen : tableFrozen);
            for (lua_pushnil(state); lua_next(state, at) != 0;) meet(state, met, ahead);
            continue;
        }
        remember(state, kept, at, known);
        for (int i = 1; lua_getupvalue(state, at, i) != nullptr; ++i) meet(state, met, ahead);
    }
    lua_settop(state, kept);
    kept_ = luaL_ref(state, LUA_REGISTRYINDEX);
    lua_settop(state, before);
    return fits;
}

void Lasting::remember(lua_State* state, int kept, int function, std::set<void*>& known) {
    int own = 0;
    for (int i = 1; lua_getupvalue(state, function, i) != nullptr; ++i) {
        void* const local = lua_upvalueid(state, function, i);  // functions share the locals around them
        if (!known.insert(local).second) {
            lua_pop(state, 1);
            continue;
        }
        append(state, kept);
        const int value = static_cast<int>(lua_rawlen(state, kept));
        if (own == 0) {
            lua_pushvalue(state, function);
            append(state, kept);
            own = value + 1;
        }
        locals_.push_back({.function = own, .upvalue = i, .value = value});
    }
}

std::string Lasting::changed(lua_State* state) const {
    if (locals_.empty()) return {};
    const int before = lua_gettop(state);
    lua_rawgeti(state, LUA_REGISTRYINDEX, kept_);
    const int kept = before + 1;
    std::string name;
    for (const Local& local : locals_) {
        lua_rawgeti(state, kept, local.value);
        lua_rawgeti(state, kept, local.function);
        const char* called = lua_getupvalue(state, -1, local.upvalue);
        if (!same(state, -1, kept + 1)) name = called;
        lua_settop(state, kept);
        if (!name.empty()) break;
    }
    lua_settop(state, before);
    return name;
}

}  // namespace engine::script
