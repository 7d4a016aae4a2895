// SPDX-License-Identifier: BSD-3-Clause
// Where the program calls MPI: the functions on the stack of the thread, as small numbers.
//
// A number stands for a call and those that led to it. The stack is unwound once for each path: whoever comes by the
// same path again has the same addresses of return at the same distances on the stack, which is quick to see.
#pragma once

#include "engine/live/pmpi/recording/python_frames.hpp"
#include "engine/live/records/collective_records.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace engine::mpi::pmpi {

/// A call by the program.
struct Caller {
    std::uintptr_t address = 0;  ///< of return
    const std::uintptr_t* place =
        nullptr;  ///< of that address on the stack; null where the processor keeps it elsewhere

    friend bool operator==(const Caller&, const Caller&) = default;
};

/// The program's call of Fortran's entry points, whose calls come from our own code; address 0: it called C's.
inline thread_local Caller fortranCaller [[gnu::tls_model("initial-exec")]];

/// The program's own call: that of the entry point with this address of return and frame, or of Fortran's.
inline Caller callerOr(const void* address, [[maybe_unused]] const void* frame) {
    if (fortranCaller.address != 0) return fortranCaller;
    const auto returned = reinterpret_cast<std::uintptr_t>(address);
#ifdef __x86_64__
    // Behind the caller's frame pointer, with which a frame begins.
    const auto* const place = static_cast<const std::uintptr_t*>(frame) + 1;
    if (*place == returned) return {returned, place};
#endif
    return {returned};
}

/// Where the program calls, within one of its entry points.
#define HERE engine::mpi::pmpi::callerOr(__builtin_return_address(0), __builtin_frame_address(0))

/// The paths by which a thread came to MPI, as a tree: calls of MPI at the top, below each frame those that called it.
/// A frame is known by its address of return and by its distance on the stack from the frame that it called, so that a
/// path is the same wherever on the stack it lies.
class PathsOfThread {
public:
    static constexpr std::size_t mostFrames = 48;  ///< beyond the call itself

    struct Path {
        Caller caller{};
        std::uint16_t number = 0;
        std::uint16_t frames = 0;
        std::array<std::uint32_t, mostFrames> places{};  ///< of addresses of return, behind the caller's
        std::array<std::uintptr_t, mostFrames> addresses{};
    };

    /// The number of the path; nothing where the thread did not come by it before. All frames, out to the last one that
    /// unwinding found, have to be on the stack.
    [[nodiscard]] std::optional<std::uint16_t> find(const Caller& caller) noexcept;
    /// Whether this is a place of the thread's own stack, and not of one that the program switched to, which may be
    /// gone when a path is looked for.
    [[nodiscard]] bool isOnStack(const std::uintptr_t* place) const noexcept {
        const auto at = reinterpret_cast<std::uintptr_t>(place);
        return stackBegin_ <= at && at < stackEnd_;
    }
    /// One that was not found.
    void keep(const Path& path);

    /// Whether it pays for unwinding one more stack: this takes 1.5% of the time of the thread, and 5 ms.
    [[nodiscard]] bool mayUnwind(std::int64_t now) const noexcept {
        constexpr std::int64_t atFirst = 5'000'000;
        constexpr std::int64_t share = 64;
        return spent_ <= atFirst + (now - began_) / share;
    }
    void spent(std::int64_t time) noexcept { spent_ += time; }
    /// The path by Python's frames, and the call.
    std::unordered_map<std::uint64_t, std::pair<PythonPath, std::uint16_t>>& python() noexcept { return python_; }

    PathsOfThread();

private:
    using Index = std::uint32_t;
    static constexpr Index none = ~Index{};
    static constexpr std::size_t callSlots = 256;
    static constexpr std::size_t mostKept = 32'768;  ///< frames; all are forgotten when there would be more

    struct Frame {
        std::uintptr_t address = 0;  ///< of return
        std::uint32_t distance = 0;  ///< from the frame that it called; of a call of MPI 0, or `isAlone`
        Index next = none;           ///< another one at this point of the tree
        Index callers = none;        ///< the first frame that called it
        std::int32_t number = -1;    ///< of the path that ends here
    };
    static constexpr std::uint32_t isAlone = 1;  ///< of the call nothing else is known

    static std::size_t slotOf(std::uintptr_t address) noexcept;
    /// Of the longest path that goes on from `frame`, whose address lies at `place`; -1: none.
    [[nodiscard]] std::int32_t numberFrom(Index frame, const std::uintptr_t* place) noexcept;
    /// The frame with these in the list that begins with `first`, which gets it where there is none.
    Index add(Index& first, std::uintptr_t address, std::uint32_t distance);

    std::vector<Frame> frames_;
    std::array<Index, callSlots> calls_{};
    std::unordered_map<std::uint64_t, std::pair<PythonPath, std::uint16_t>> python_;
    std::int64_t began_ = 0;
    std::int64_t spent_ = 0;
    std::uintptr_t stackBegin_ = 0, stackEnd_ = 0;
};

/// Where an address of return lies.
live::Site siteAt(std::uintptr_t address);

/// Numbers of addresses, from 1, without a lock.
class Addresses {
public:
    /// 0 when there are too many. `tell` gets each new number once.
    template <class Tell>
    std::uint16_t of(std::uintptr_t address, Tell tell) {
        const auto hash = static_cast<std::size_t>(address * 0x9E3779B97F4A7C15ULL >> 52U);
        for (std::size_t i = 0; i < most; ++i) {
            const std::size_t at = (hash + i) % most;
            std::uintptr_t known = addresses_[at].load(std::memory_order_relaxed);
            const auto number = static_cast<std::uint16_t>(at + 1);
            if (known == address) return number;
            if (known != 0) continue;
            if (addresses_[at].compare_exchange_strong(known, address)) {
                tell(number);
                return number;
            }
            if (known == address) return number;
        }
        return 0;
    }

private:
    static constexpr std::size_t most = 4096;

    std::array<std::atomic<std::uintptr_t>, most> addresses_{};
};

class CallSites {
public:
    /// The number of a call and those that led to it, from 1; 0 when there are too many. `tell` gets lines of the file
    /// of teams that describe new ones.
    template <class Tell>
    std::uint16_t of(Caller caller, Tell tell) {
        PathsOfThread& known = pathsOfThread();
        if (caller.place != nullptr && !known.isOnStack(caller.place)) caller.place = nullptr;
        if (!python_)
            if (const auto found = known.find(caller)) return *found;
        std::string lines;
        const std::uint16_t number = python_ ? ofPython(known, caller, lines) : add(known, caller, lines);
        if (!lines.empty()) tell(lines);
        return number;
    }

    /// Calls that were recorded without those that led to them: they came faster than stacks could be unwound.
    [[nodiscard]] std::int64_t alone() const noexcept { return alone_; }

private:
    struct Node {
        std::uintptr_t address = 0;  ///< of return, or of a code object of Python
        std::int32_t instruction = -1;
        std::uint16_t from = 0;  ///< number of the call that led to it; 0: none, or not known

        friend bool operator==(const Node&, const Node&) = default;
    };
    struct Hash {
        std::size_t operator()(const Node& node) const noexcept;
    };

    static PathsOfThread& pathsOfThread();
    std::uint16_t add(PathsOfThread& known, Caller caller, std::string& lines);
    std::uint16_t ofPython(PathsOfThread& known, const Caller& caller, std::string& lines);
    /// `describe` gives the lines of a new one, but for the call that led to it. `mutex_` is locked.
    template <class Describe>
    std::uint16_t number(const Node& node, std::string& lines, Describe describe);
    std::uint16_t number(std::uintptr_t address, std::uint16_t from, std::string& lines);
    const live::Site& siteOf(std::uintptr_t address);

    const bool python_ = PythonPath::isPossible();
    std::mutex mutex_;
    std::unordered_map<Node, std::uint16_t, Hash> numbers_;
    std::unordered_map<std::uintptr_t, live::Site> sites_;
    std::atomic<std::int64_t> alone_{0};
};

}  // namespace engine::mpi::pmpi
