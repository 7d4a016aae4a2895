// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/exchange.hpp"

#include <algorithm>

namespace engine::mpi {
namespace {

/// The two neighbours of a rank along one dimension.
struct Line {
    int before = MPI_PROC_NULL;
    int next = MPI_PROC_NULL;
};

/// One call of sendrecv: at most one buffer each way.
struct Call {
    MessageBuffer* send = nullptr;
    std::size_t sendPlace = 0;
    MessageBuffer* receive = nullptr;
    std::size_t receivePlace = 0;
};

/// Calls in one order on all ranks: call 2d goes up dimension d, call 2d+1 goes down. What one rank sends in a call its
/// neighbour receives in the call of the same number, so that no rank waits for one that waits for it. Two that follow
/// each other are one where one of them only sends and the other only receives: both at once wait for nobody that they
/// did not wait for one after the other, and a rank with one message each way, whichever ways, needs one call.
class NeighbourExchange final : public Exchange {
public:
    NeighbourExchange(MPI_Comm comm, const Mark& mark, Leaves leaves) : comm_{comm}, mark_{mark}, leaves_{leaves} {
        int dimensions = 0;
        check(MPI_Cartdim_get(comm, &dimensions), "asking for the torus");
        lines_.resize(asSize(dimensions));
        for (int d = 0; d < dimensions; ++d)
            check(MPI_Cart_shift(comm, d, 1, &lines_[asSize(d)].before, &lines_[asSize(d)].next),
                  "asking for neighbours");
        MPI_Comm_rank(comm, &rank_);
    }

    /// One sendrecv at a time keeps them together.
    bool carryUncoupled(TurnSide&, TurnSide&) override { return false; }

    void carry(Round round, std::vector<MessageBuffer>& sends, std::vector<MessageBuffer>& receives) override {
        calls_.assign(2 * lines_.size(), {});
        for (std::size_t i = 0; i < sends.size(); ++i) {
            Call& call = callFor(round, sends[i].message->peer, true);
            call.send = &sends[i];
            call.sendPlace = i;
        }
        for (std::size_t i = 0; i < receives.size(); ++i) {
            Call& call = callFor(round, receives[i].message->peer, false);
            call.receive = &receives[i];
            call.receivePlace = i;
        }
        joinHalves();
        for (const Call& call : calls_) sendrecv(round, call);
    }

private:
    /// The first call that leads to (or from) `peer` and is not taken.
    Call& callFor(Round round, Rank peer, bool sending) {
        bool neighbour = false;
        for (std::size_t c = 0; c < calls_.size(); ++c) {
            const Line& line = lines_[c / 2];
            const bool up = c % 2 == 0;
            if ((up == sending ? line.next : line.before) != peer.value) continue;
            neighbour = true;
            if ((sending ? calls_[c].send : calls_[c].receive) == nullptr) return calls_[c];
        }
        throw Error{text("rank ", rank_, ", round ", round.value + 1, ": rank ", peer,
                         neighbour ? " is met twice in one round; one sendrecv at a time is all there is"
                                   : " is no direct neighbour")};
    }

    void joinHalves() {
        std::erase_if(calls_, [](const Call& call) { return call.send == nullptr && call.receive == nullptr; });
        for (std::size_t i = 0; i + 1 < calls_.size(); ++i) {
            Call& first = calls_[i];
            const Call& second = calls_[i + 1];
            if (first.receive == nullptr && second.send == nullptr) {
                first.receive = second.receive;
                first.receivePlace = second.receivePlace;
            } else if (first.send == nullptr && second.receive == nullptr) {
                first.send = second.send;
                first.sendPlace = second.sendPlace;
            } else {
                continue;
            }
            calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }

    void sendrecv(Round round, const Call& call) {
        const std::int64_t begin = now();
        const int to = call.send != nullptr ? call.send->message->peer.value : MPI_PROC_NULL;
        const int from = call.receive != nullptr ? call.receive->message->peer.value : MPI_PROC_NULL;
        if (leaves_ == Leaves::granted)
            check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, from, grantTag, nullptr, 0, MPI_BYTE, to, grantTag, comm_,
                               MPI_STATUS_IGNORE),
                  "granting a message");
        MPI_Status status;
        check(MPI_Sendrecv(call.send != nullptr ? call.send->data : nullptr,
                           call.send != nullptr ? count(call.send->size) : 0, MPI_BYTE, to, 0,
                           call.receive != nullptr ? call.receive->data : nullptr,
                           call.receive != nullptr ? count(call.receive->size) : 0, MPI_BYTE, from, 0, comm_, &status),
              "exchanging with a neighbour");
        const std::int64_t end = now();
        if (call.send != nullptr) mark_.note(live::Kind::send, begin, end, round, call.sendPlace, *call.send);
        if (call.receive == nullptr) return;
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        call.receive->size = bytes;
        mark_.note(live::Kind::receive, begin, end, round, call.receivePlace, *call.receive);
    }

    static constexpr int grantTag = 1;

    MPI_Comm comm_;
    const Mark& mark_;
    Leaves leaves_;
    int rank_ = 0;
    std::vector<Line> lines_;
    std::vector<Call> calls_;
};

}  // namespace

std::unique_ptr<Exchange> neighbourExchange(MPI_Comm comm, const Mark& mark, Leaves leaves) {
    return std::make_unique<NeighbourExchange>(comm, mark, leaves);
}

MPI_Comm placedOn(const Wiring& wiring, MPI_Comm comm) {
    const std::vector<int>& lengths = wiring.dimensions();
    const std::vector<int> periodic(lengths.size(), 1);
    MPI_Comm placed = MPI_COMM_NULL;
    check(MPI_Cart_create(comm, static_cast<int>(lengths.size()), lengths.data(), periodic.data(), 1, &placed),
          "placing ranks on the torus");
    return placed;
}

}  // namespace engine::mpi
