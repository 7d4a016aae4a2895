// SPDX-License-Identifier: BSD-3-Clause
// The entry points of Open MPI's algorithms, which its components call through the dynamic linker.
#include "engine/live/pmpi/recording/recorder_session.hpp"

#if defined(OMPI_MAJOR_VERSION)
#include <dlfcn.h>

#include <bit>

using namespace engine::mpi::pmpi;
using engine::live::Carrier;

namespace {

/// All arguments are integers or pointers, one word each. Twelve words are more than any algorithm takes: those behind
/// its last one are not looked at, so that other versions may have other arguments.
using Word = std::intptr_t;
using Algorithm = int (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

template <class Native>
int carrying(const void* code, const char* names, std::array<Word, 3> arguments, Native native) {
    RecorderSession* const session = inside ? nullptr : RecorderSession::current();
    if (session == nullptr || !session->internal().isOn()) return native();
    Carrier carrier{.begin = engine::mpi::now(), .function = session->internal().numberOf(code, names)};
    if (*names != '\0')
        for (std::size_t i = 0; i < arguments.size(); ++i)
            carrier.arguments[i] = static_cast<std::int32_t>(arguments[i]);
    engine::live::Event* const event = session->recordInside(std::bit_cast<engine::live::Event>(carrier));
    if (currentCall.carrier == nullptr) currentCall.carrier = event;
    const int result = native();
    if (event != nullptr) engine::mpi::pmpi::complete(*event);
    return result;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

#define ALGORITHM(name, first, names)                                                                                 \
    int ompi_coll_base_##name(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, \
                              Word l) {                                                                               \
        static const auto own = reinterpret_cast<Algorithm>(dlsym(RTLD_NEXT, "ompi_coll_base_" #name));               \
        const std::array<Word, 12> words{a, b, c, d, e, f, g, h, i, j, k, l};                                         \
        return carrying(reinterpret_cast<const void*>(&ompi_coll_base_##name), names,                                 \
                        {words[first], words[(first) + 1], words[(first) + 2]},                                       \
                        [&] { return own(a, b, c, d, e, f, g, h, i, j, k, l); });                                     \
    }
#include "engine/live/pmpi/library_internals/algorithms.inc"
#undef ALGORITHM

}  // extern "C"
#pragma GCC visibility pop
#endif
