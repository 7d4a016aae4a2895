// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/transports.hpp"

#include <algorithm>

namespace engine::mpi {
namespace {

class TwoSided final : public splitphase::Transport {
public:
    TwoSided(MPI_Comm comm, const splitphase::Route& route)
        : comm_{comm}, in_(route.writers().size() * 2), out_(asSize(route.sends()) * 2) {
        for (std::size_t i = 0; i < in_.size(); ++i) {
            Letter& letter = in_[i];
            letter.data.resize(asSize(route.slotBytes()));
            check(MPI_Recv_init(letter.data.data(), count(route.slotBytes()), MPI_BYTE, route.writers()[i / 2].value,
                                static_cast<int>(i), comm_, &letter.request),
                  "preparing receives");
            check(MPI_Start(&letter.request), "posting receives");
        }
        for (Letter& letter : out_) letter.data.resize(asSize(route.slotBytes()));
    }
    ~TwoSided() override {
        for (Letter& letter : out_) MPI_Wait(&letter.request, MPI_STATUS_IGNORE);
        for (Letter& letter : in_) {
            MPI_Cancel(&letter.request);
            MPI_Wait(&letter.request, MPI_STATUS_IGNORE);
            MPI_Request_free(&letter.request);
        }
    }

    /// From a copy, so that the caller's data are free. A call sends as many messages as every other: the copy used two
    /// calls ago has long been read.
    void put(Rank to, std::int32_t slot, std::int64_t call, std::span<const std::byte> data) override {
        Letter& letter = out_[next_++ % out_.size()];
        check(MPI_Wait(&letter.request, MPI_STATUS_IGNORE), "sending");
        std::copy(data.begin(), data.end(), letter.data.begin());
        check(MPI_Isend(letter.data.data(), count(static_cast<Bytes>(data.size())), MPI_BYTE, to.value,
                        tagOf(slot, call), comm_, &letter.request),
              "sending");
    }
    void notify() override {}

    std::optional<std::span<const std::byte>> arrived(std::int32_t slot, std::int64_t call) override {
        Letter& letter = in_[asSize(tagOf(slot, call))];
        int done = 0;
        MPI_Status status;
        check(MPI_Test(&letter.request, &done, &status), "receiving");
        if (done == 0) return std::nullopt;
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        return std::span<const std::byte>{letter.data}.first(asSize(bytes));
    }
    void release(std::int32_t slot, std::int64_t call) override {
        check(MPI_Start(&in_[asSize(tagOf(slot, call))].request), "posting a receive again");
    }

private:
    struct Letter {
        MPI_Request request = MPI_REQUEST_NULL;
        std::vector<std::byte> data{};
    };
    static int tagOf(std::int32_t slot, std::int64_t call) { return slot * 2 + static_cast<int>(call % 2); }

    MPI_Comm comm_;
    std::vector<Letter> in_;  // by tag
    std::vector<Letter> out_;
    std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<splitphase::Transport> twoSided(MPI_Comm comm, const splitphase::Route& route) {
    return std::make_unique<TwoSided>(comm, route);
}

}  // namespace engine::mpi
