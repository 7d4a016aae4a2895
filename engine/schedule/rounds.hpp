// SPDX-License-Identifier: BSD-3-Clause
// Kernels that prepare a round: what depends on the round alone is worked out once, not once per rank.
//
// A kernel may have, beside or in place of kernel(rank, round, out),
//     template <class Use> void prepare(Round round, const Use& use) const
// which calls use(now) once; now(rank, out) is then what kernel(rank, round, out) is. `now` may also have
//     each(first, last, call)      calls call(rank), in rising order, for all of ranks first..last-1 that send or
//                                  receive in this round, and for as few others as it can
// so that a round of few messages does not cost a question to every rank, or
//     columns(first, last, out)    writes the messages of ranks first..last-1, at most one each, and returns their
//     number
// where every one sends: plain loops over columns cost a fraction of a question to every rank.
//
// Prepared kernels keep numbers and pointers, no owners: `now` lives within the call of use.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace engine {

/// Calls use(now) for any kernel.
template <class Kernel, class Use>
void inRound(const Kernel& kernel, Round round, const Use& use) {
    if constexpr (requires { kernel.prepare(round, use); }) kernel.prepare(round, use);
    else use([&kernel, round](Rank rank, auto& out) { kernel(rank, round, out); });
}

/// Calls call(rank) for those of ranks first..last-1 that may act.
template <class Now, class Call>
void eachActing(const Now& now, Rank first, Rank last, const Call& call) {
    if constexpr (requires { now.each(first, last, call); }) now.each(first, last, call);
    else
        for (Rank rank = first; rank < last; ++rank) call(rank);
}

/// Ranks first, first + step, ... below last.
struct Strip {
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int32_t step = 1;
};

/// What is done in one round, and by whom at most.
template <class Do>
struct Acting {
    Strip who;
    Do act;

    template <class Out>
    void operator()(Rank rank, Out& out) const {
        act(rank, out);
    }
    template <class Call>
    void each(Rank first, Rank last, const Call& call) const {
        std::int64_t rank = who.first;
        if (first.value > rank) rank += (first.value - rank + who.step - 1) / who.step * who.step;
        for (; rank < std::min(who.last, last.value); rank += who.step) call(Rank{static_cast<std::int32_t>(rank)});
    }
};

template <class Do>
Acting(Strip, Do) -> Acting<Do>;

/// Where the messages of one round go to in the batch view.
struct Columns {
    std::int32_t* from = nullptr;
    std::int32_t* to = nullptr;
    Bytes* bytes = nullptr;

    [[nodiscard]] Columns behind(std::int32_t messages) const {
        return {from + messages, to + messages, bytes + messages};
    }
};

/// Whether it writes the messages of many ranks in one go.
template <class Now>
concept Columnar = requires(const Now& now, const Columns& columns) {
    now.columns(Rank{}, Rank{}, columns);
};

/// Whether a copy is one of memory. std::is_trivially_copyable will not do: GCC 12 answers it in one way or the other
/// for the same closure in different files, and what they share would then differ in size.
template <class Thing>
concept CopiedAsMemory = std::is_trivially_copy_constructible_v<Thing> && std::is_trivially_destructible_v<Thing>;

/// A part of `now`: by value where that is cheap, so that a compiler sees that nobody changes it.
template <class Now>
using Held = std::conditional_t<CopiedAsMemory<Now>, Now, const Now&>;

/// Gives a kernel that prepares rounds the plain form, too.
template <class Kernel>
class ByRound {
public:
    template <class Out>
    void operator()(Rank rank, Round round, Out& out) const {
        static_cast<const Kernel&>(*this).prepare(round, [&](const auto& now) { now(rank, out); });
    }
};

/// A kernel of a callable prepare(round, use).
template <class Prepare>
class Prepared : public ByRound<Prepared<Prepare>> {
public:
    explicit Prepared(Prepare prepare) : prepare_{std::move(prepare)} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        prepare_(round, use);
    }

private:
    Prepare prepare_;
};

/// Something too large to copy for every round, called through its address.
template <class Thing>
class Seen {
public:
    explicit Seen(const Thing& thing) : thing_{&thing} {}

    template <class... Arguments>
    decltype(auto) operator()(Arguments... arguments) const {
        return (*thing_)(arguments...);
    }
    [[nodiscard]] std::int32_t count() const { return thing_->count(); }
    decltype(auto) cyclic(std::int32_t first, std::int32_t run) const { return thing_->cyclic(first, run); }

private:
    const Thing* thing_;
};

/// `thing` for the length of a round: what it offers as its view(), a copy where that is cheap, or its address.
template <class Thing>
auto seen(const Thing& thing) {
    if constexpr (requires { thing.view(); }) return thing.view();
    else if constexpr (CopiedAsMemory<Thing> && sizeof(Thing) <= 64) return thing;
    else return Seen<Thing>{thing};
}

}  // namespace engine
