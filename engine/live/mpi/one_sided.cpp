// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/transports.hpp"

#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace engine::mpi {
namespace {

/// A receive slot in the window: the notification, then the data. Notification 2 (call + 1), and 1 more when data came.
class OneSided final : public splitphase::Transport {
public:
    OneSided(MPI_Comm comm, const splitphase::Route& route)
        : comm_{comm}, stride_{(noteBytes + route.slotBytes() + 63) / 64 * 64}, slotBytes_{route.slotBytes()} {
        const auto bytes = static_cast<MPI_Aint>(std::max<std::size_t>(route.writers().size(), 1)) * 2 * stride_;
        check(MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, static_cast<void*>(&base_), &window_), "making a window");
        MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
        int* model = nullptr;
        int known = 0;
        check(MPI_Win_get_attr(window_, MPI_WIN_MODEL, static_cast<void*>(&model), &known),
              "asking for the window's model");
        if (known == 0 || *model != MPI_WIN_UNIFIED)
            throw Error{text(field::transport,
                             " one-sided needs windows of the unified memory model, which this MPI library does not "
                             "have; use ",
                             field::transport, " two-sided")};
        std::memset(base_, 0, asSize(bytes));
        check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "opening the window");
        check(MPI_Win_sync(window_), "opening the window");
        check(MPI_Barrier(comm), "opening the window");
    }
    ~OneSided() override {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }

    void put(Rank to, std::int32_t slot, std::int64_t call, std::span<const std::byte> data) override {
        const MPI_Aint place = placeOf(slot, call);
        if (!data.empty()) {
            const int bytes = count(static_cast<Bytes>(data.size()));
            check(MPI_Put(data.data(), bytes, MPI_BYTE, to.value, place + noteBytes, bytes, MPI_BYTE, window_),
                  "writing");
        }
        pending_.push_back({to.value, place, 2 * (call + 1) + (data.empty() ? 0 : 1)});
    }

    /// Notifications may overtake data, unless a flush is between them.
    void notify() override {
        for (const Pending& one : pending_) check(MPI_Win_flush(one.to, window_), "flushing");
        for (const Pending& one : pending_)
            check(MPI_Accumulate(&one.note, 1, MPI_INT64_T, one.to, one.place, 1, MPI_INT64_T, MPI_REPLACE, window_),
                  "notifying");
        for (const Pending& one : pending_) check(MPI_Win_flush(one.to, window_), "notifying");
        pending_.clear();
    }

    std::optional<std::span<const std::byte>> arrived(std::int32_t slot, std::int64_t call) override {
        std::byte* place = base_ + placeOf(slot, call);
        const auto read = [&] {
            return std::atomic_ref{*reinterpret_cast<std::int64_t*>(place)}.load(std::memory_order_acquire);
        };
        std::int64_t note = read();
        if (note / 2 != call + 1) {
            // Where the network cannot write by itself, the library does it when it is called.
            int waiting = 0;
            check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &waiting, MPI_STATUS_IGNORE),
                  "looking after the window");
            check(MPI_Win_sync(window_), "looking at the window");
            note = read();
            if (note / 2 != call + 1) return std::nullopt;
        }
        if (note % 2 == 0) return std::span<const std::byte>{};
        return std::span<const std::byte>{place + noteBytes, asSize(slotBytes_)};
    }
    void release(std::int32_t, std::int64_t) override {}

private:
    static constexpr MPI_Aint noteBytes = 8;

    struct Pending {
        int to = 0;
        MPI_Aint place = 0;
        std::int64_t note = 0;
    };
    [[nodiscard]] MPI_Aint placeOf(std::int32_t slot, std::int64_t call) const {
        return (MPI_Aint{slot} * 2 + call % 2) * stride_;
    }

    MPI_Comm comm_;
    MPI_Aint stride_;
    Bytes slotBytes_;
    std::byte* base_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<Pending> pending_;
};

}  // namespace

std::unique_ptr<splitphase::Transport> oneSided(MPI_Comm comm, const splitphase::Route& route) {
    return std::make_unique<OneSided>(comm, route);
}

}  // namespace engine::mpi
