// SPDX-License-Identifier: BSD-3-Clause
// A Lua state that can do nothing but compute: no files, no system, no chance, bounded steps and memory. Private to
// this room, as Lua is.
#pragma once

#include "engine/base/error.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/script/persistent_values.hpp"

#include <lua.hpp>

#include <memory>
#include <span>
#include <string>

namespace engine::script {

/// What stands behind a state, for the functions that the script calls.
struct Context {
    std::size_t memory = 0;  ///< bytes in use
    std::size_t ours = 0;    ///< those that keep the script from changing what it made
    bool bounded = false;    ///< while the script runs; what the host does must not fail
    std::int64_t steps = 0;  ///< instructions that are left
    std::int64_t began = 0;  ///< processor time of this thread after the first steps of a call, in ns; 0 before
    std::int64_t spent = 0;  ///< instructions of all calls but the shortest
    std::int64_t turns = 0;  ///< that were asked for
    bool cancelled = false;  ///< nobody waits for it any more (engine/base/stopping.hpp)
    bool tooLong = false;    ///< a text was to be longer than any may be
    const Problem* problem = nullptr;  ///< none while only the head is read
    Turn* out = nullptr;               ///< where messages go; none outside `turn`
    Rank rank{};                       ///< whose turn it is
    int slots = 1;                     ///< of reductions
};

inline Context& contextOf(lua_State* state) { return **static_cast<Context**>(lua_getextraspace(state)); }

/// Takes off steps for what a function did without instructions. Raises an error of Lua where too few are left.
void charge(lua_State* state, std::int64_t steps);

/// Words of a script without what would end a line, or mark a field in a sentence.
std::string onOneLine(std::string words);

/// One script in one state; for one thread at a time.
class Sandbox {
public:
    static constexpr std::size_t mostMemory = std::size_t{64} << 20;
    static constexpr std::size_t longestText = std::size_t{16} << 10;  ///< what compares or joins texts is one step
    static constexpr std::int64_t stepsOfHead = 20'000'000;
    static constexpr std::int64_t stepsOfTurn = 1'000'000;
    /// Many turns may take as much each on average, beyond what all of them together may take in any case: seconds.
    static constexpr std::int64_t stepsOnAverage = 100'000;
    static constexpr std::int64_t stepsAtLeast = 300'000'000;
    /// Processor time of a call, in ns: many times what all its steps take, for the few that can be made slow.
    static constexpr std::int64_t mostTime = 2'000'000'000;

    /// Reads the script: its file is run once. Throws Faulty{"FILE:LINE: ..."}.
    Sandbox(std::string path, const std::string& content);
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;
    ~Sandbox();

    [[nodiscard]] lua_State* state() const { return state_; }
    [[nodiscard]] Context& context() { return *context_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Calls the function below its `arguments` on the stack, which leaves `results`. Throws Cancelled, or Faulty;
    /// `where` is put behind its sentence.
    void call(int arguments, int results, std::int64_t steps, const std::string& where = {});
    /// From here on nothing can be changed that outlives a call; `functions` of the registry are what will be called.
    void freeze(std::span<const int> functions);
    /// Throws Faulty where the last call changed a local of the file.
    void requireUnchanged() const;
    /// Throws Faulty{"FILE: ..."}.
    [[noreturn]] void refuse(const std::string& words) const;

private:
    void open();
    [[nodiscard]] std::string whyNoMemory() const;

    std::string path_;
    std::unique_ptr<Context> context_;
    lua_State* state_ = nullptr;
    Lasting lasting_;
};

}  // namespace engine::script
