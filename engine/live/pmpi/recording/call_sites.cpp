// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/call_sites.hpp"

#include "engine/live/mpi/recorder.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unwind.h>

#include <algorithm>
#include <limits>

namespace engine::mpi::pmpi {
namespace {

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;

/// Numbers beyond these are for calls alone: a program that recurses has many paths, and few calls.
constexpr std::size_t mostOnPaths = 49'152;
constexpr std::size_t mostNumbers = std::numeric_limits<std::uint16_t>::max();

struct Walk {
    PathsOfThread::Path& path;
    const PathsOfThread& thread;
    bool begun = false;  ///< the frames of this library lie behind
};

/// Whatever the unwinder takes for an address of return has to lie where the next call will look for it.
_Unwind_Reason_Code frame(_Unwind_Context* context, void* given) {
    auto& walk = *static_cast<Walk*>(given);
    const std::uintptr_t* const first = walk.path.caller.place;
    const auto* const place = reinterpret_cast<const std::uintptr_t*>(_Unwind_GetCFA(context)) - 1;
    if (!walk.begun) {
        walk.begun = place == first;
        return place > first ? _URC_NORMAL_STOP : _URC_NO_REASON;
    }
    const std::uintptr_t address = _Unwind_GetIP(context);
    const auto distance = static_cast<std::size_t>(place - first);
    if (address == 0 || place <= first || distance > std::numeric_limits<std::uint32_t>::max() ||
        !walk.thread.isOnStack(place) || *place != address || walk.path.frames == PathsOfThread::mostFrames)
        return _URC_NORMAL_STOP;
    walk.path.places[walk.path.frames] = static_cast<std::uint32_t>(distance);
    walk.path.addresses[walk.path.frames++] = address;
    return _URC_NO_REASON;
}

}  // namespace

PathsOfThread::PathsOfThread() : began_{now()} {
    calls_.fill(none);
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* lowest = nullptr;
    std::size_t size = 0;
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0) {
        stackBegin_ = reinterpret_cast<std::uintptr_t>(lowest);
        stackEnd_ = stackBegin_ + size;
    }
    pthread_attr_destroy(&attributes);
}

std::size_t PathsOfThread::slotOf(std::uintptr_t address) noexcept {
    static_assert(callSlots == 256);
    return static_cast<std::size_t>(address * golden >> 56U);
}

std::optional<std::uint16_t> PathsOfThread::find(const Caller& caller) noexcept {
    const std::uint32_t distance = caller.place == nullptr ? isAlone : 0;
    for (Index call = calls_[slotOf(caller.address)]; call != none; call = frames_[call].next) {
        const Frame& frame = frames_[call];
        if (frame.address != caller.address || frame.distance != distance) continue;
        const std::int32_t number = caller.place == nullptr ? frame.number : numberFrom(call, caller.place);
        if (number < 0) return std::nullopt;
        return static_cast<std::uint16_t>(number);
    }
    return std::nullopt;
}

std::int32_t PathsOfThread::numberFrom(Index frame, const std::uintptr_t* place) noexcept {
    const auto isThere = [this](Index one, const std::uintptr_t* at) {
        return isOnStack(at) && *at == frames_[one].address;
    };
    Index one = frames_[frame].callers;
    while (one != none && frames_[one].next == none) {  // most functions are called from one place
        place += frames_[one].distance;
        if (!isThere(one, place)) return frames_[frame].number;
        frame = one;
        one = frames_[frame].callers;
    }
    for (Index before = none; one != none; before = one, one = frames_[one].next) {
        const std::uintptr_t* const at = place + frames_[one].distance;
        const std::int32_t number = isThere(one, at) ? numberFrom(one, at) : -1;
        if (number < 0) continue;
        // A program is likely to come by the same path next time.
        if (before != none) {
            frames_[before].next = frames_[one].next;
            frames_[one].next = frames_[frame].callers;
            frames_[frame].callers = one;
        }
        return number;
    }
    return frames_[frame].number;
}

PathsOfThread::Index PathsOfThread::add(Index& first, std::uintptr_t address, std::uint32_t distance) {
    for (Index one = first; one != none; one = frames_[one].next)
        if (frames_[one].address == address && frames_[one].distance == distance) return one;
    const auto fresh = static_cast<Index>(frames_.size());
    const Index next = first;
    first = fresh;  // before it may be moved
    frames_.push_back({.address = address, .distance = distance, .next = next});
    return fresh;
}

void PathsOfThread::keep(const Path& path) {
    if (frames_.size() + path.frames >= mostKept) {
        frames_.clear();
        calls_.fill(none);
    }
    Index at =
        add(calls_[slotOf(path.caller.address)], path.caller.address, path.caller.place == nullptr ? isAlone : 0);
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < path.frames; before = path.places[i], ++i)
        at = add(frames_[at].callers, path.addresses[i], path.places[i] - before);
    frames_[at].number = path.number;
}

std::size_t CallSites::Hash::operator()(const Node& node) const noexcept {
    const auto instruction = static_cast<std::uint32_t>(node.instruction);
    return ((node.address * golden) ^ (std::uint64_t{node.from} << 32U | instruction)) * golden >> 8U;
}

PathsOfThread& CallSites::pathsOfThread() {
    static thread_local PathsOfThread* own [[gnu::tls_model("initial-exec")]] = nullptr;
    // Destructors of static objects may still call MPI: those of thread_local objects of the main thread ran before.
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        pthread_key_create(&made, [](void* paths) {
            own = nullptr;
            delete static_cast<PathsOfThread*>(paths);
        });
        return made;
    }();
    if (own == nullptr) {
        own = new PathsOfThread;
        pthread_setspecific(key, own);
    }
    return *own;
}

std::uint16_t CallSites::add(PathsOfThread& known, Caller caller, std::string& lines) {
    const std::int64_t begin = now();
    if (caller.place != nullptr && !known.mayUnwind(begin)) {
        ++alone_;
        caller.place = nullptr;
        if (const auto found = known.find(caller)) return *found;
    }
    PathsOfThread::Path path{.caller = caller};
    if (caller.place != nullptr) {
        Walk walk{path, known};
        _Unwind_Backtrace(frame, &walk);
    }
    {
        const std::lock_guard lock{mutex_};
        std::uint16_t from = 0;
        for (std::size_t i = path.frames; i-- > 0;) from = number(path.addresses[i], from, lines);
        path.number = number(caller.address, from, lines);
    }
    // A thread that had to give up its processor meanwhile spent no longer than this.
    constexpr std::int64_t longest = 20'000;
    known.spent(std::min(now() - begin, longest));
    known.keep(path);
    return path.number;
}

std::uint16_t CallSites::ofPython(PathsOfThread& known, const Caller& caller, std::string& lines) {
    const std::int64_t begin = now();
    PythonPath path;
    if (known.mayUnwind(begin)) {
        path.look();
        // The interpreter's lock may be with another thread.
        constexpr std::int64_t usual = 1000;
        if (const std::int64_t took = now() - begin; took > usual) known.spent(took);
    }
    if (path.frames() == 0) {
        const auto own = known.find(caller);
        return own ? *own : add(known, caller, lines);
    }
    constexpr std::size_t mostPaths = 4096;  // of 400 bytes
    if (known.python().size() >= mostPaths) known.python().clear();
    auto& [kept, number] = known.python()[path.hash() ^ caller.address * golden];
    if (number != 0 && kept == path) return number;
    const PythonLock interpreter;
    const std::lock_guard lock{mutex_};
    std::uint16_t from = 0;
    for (std::size_t i = path.frames(); i-- > 0;)
        from = this->number({path[i].code, path[i].instruction, from}, lines,
                            [&](std::uint16_t fresh) { return path.describe(i, fresh); });
    // Of the modules of mpi4py no more is of interest than who called them.
    const bool isBinding = siteOf(caller.address).object.find("/mpi4py/") != std::string::npos;
    kept = path;
    return number = isBinding ? from : this->number(caller.address, from, lines);
}

template <class Describe>
std::uint16_t CallSites::number(const Node& node, std::string& lines, Describe describe) {
    if (const auto found = numbers_.find(node); found != numbers_.end()) return found->second;
    if (numbers_.size() >= mostOnPaths && node.from != 0) {
        Node alone = node;
        alone.from = 0;
        return number(alone, lines, describe);
    }
    if (numbers_.size() >= mostNumbers) return 0;
    const auto fresh = static_cast<std::uint16_t>(numbers_.size() + 1);
    numbers_.emplace(node, fresh);
    lines += describe(fresh);
    if (node.from != 0) lines += live::callerLine(fresh, node.from);
    return fresh;
}

std::uint16_t CallSites::number(std::uintptr_t address, std::uint16_t from, std::string& lines) {
    return number({.address = address, .from = from}, lines,
                  [&](std::uint16_t fresh) { return live::siteLine(fresh, siteOf(address)); });
}

const live::Site& CallSites::siteOf(std::uintptr_t address) {
    const auto known = sites_.find(address);
    return known != sites_.end() ? known->second : sites_.emplace(address, siteAt(address)).first->second;
}

live::Site siteAt(std::uintptr_t address) {
    // The address after the call may be that of another line, even of another function.
    const auto* const call = reinterpret_cast<const char*>(address) - 1;
    Dl_info info{};
    void* map = nullptr;
    if (dladdr1(call, &info, &map, RTLD_DL_LINKMAP) == 0 || info.dli_fname == nullptr || map == nullptr)
        return {.object = "?"};
    std::error_code ignored;
    const auto whole = std::filesystem::canonical(info.dli_fname, ignored);
    return {.object = whole.empty() ? std::string{info.dli_fname} : whole.string(),
            .offset = reinterpret_cast<std::intptr_t>(call) -
                      static_cast<std::intptr_t>(static_cast<const link_map*>(map)->l_addr),
            .function = info.dli_sname != nullptr ? info.dli_sname : ""};
}

}  // namespace engine::mpi::pmpi
