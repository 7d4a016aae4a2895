// SPDX-License-Identifier: BSD-3-Clause
// What outlives a turn: globals, tables that the file made, and its locals. A turn that changed them could remember
// what was asked before, and say something else to a proof than to a run.
#pragma once

#include <lua.hpp>

#include <set>
#include <span>
#include <string>
#include <vector>

namespace engine::script {

class Lasting {
public:
    static constexpr std::size_t mostLocals = 4096;  ///< each is looked at after each turn

    static constexpr lua_Integer mostReached = 100'000;  ///< tables and functions: each frozen table takes two more

    /// From here on no global and no table that the script's globals and the `functions` of the registry reach can be
    /// changed; their locals are remembered. False, and nothing is safe, where they reach more than mostReached.
    [[nodiscard]] bool freeze(lua_State* state, std::span<const int> functions);

    [[nodiscard]] std::size_t locals() const { return locals_.size(); }
    /// The name of a local that is not what it was when all was frozen; empty where all are.
    [[nodiscard]] std::string changed(lua_State* state) const;

private:
    struct Local {
        int function = 0;  ///< one that sees it, among what is kept
        int upvalue = 0;
        int value = 0;  ///< what it was, among what is kept
    };

    void remember(lua_State* state, int kept, int function, std::set<void*>& known);

    int kept_ = LUA_NOREF;  ///< the list in the registry of what must not be collected
    std::vector<Local> locals_;
};

}  // namespace engine::script
