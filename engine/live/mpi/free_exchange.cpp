// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/exchange.hpp"

#include <algorithm>

namespace engine::mpi {
namespace {

/// Messages between two ranks stay in order, so that the round as tag only guards against defects.
int tagOf(Round round) { return static_cast<int>(round.value % 32768); }

class FreeExchange final : public Exchange {
public:
    FreeExchange(MPI_Comm comm, const Mark& mark, int ports) : comm_{comm}, mark_{mark}, ports_{asSize(ports)} {}

    void carry(Round round, std::vector<Parcel>& sends, std::vector<Parcel>& receives) override {
        if (sends.size() + receives.size() == 1) return alone(round, sends, receives);
        const std::size_t all = sends.size() + receives.size();
        if (requests_.size() < all) requests_.resize(all), done_.resize(all), statuses_.resize(all);
        begins_.assign(sends.size(), now());
        const std::int64_t begin = now();
        std::size_t next = 0;
        for (Parcel& parcel : receives)
            check(MPI_Irecv(parcel.data, count(parcel.size), MPI_BYTE, parcel.message->peer.value, tagOf(round), comm_,
                            &requests_[next++]),
                  "receiving");
        std::fill(requests_.begin() + static_cast<std::ptrdiff_t>(next),
                  requests_.begin() + static_cast<std::ptrdiff_t>(all), MPI_REQUEST_NULL);
        std::size_t sent = 0;
        const auto sendNext = [&] {
            if (sent == sends.size()) return;
            Parcel& parcel = sends[sent];
            begins_[sent] = now();
            check(MPI_Isend(parcel.data, count(parcel.size), MPI_BYTE, parcel.message->peer.value, tagOf(round), comm_,
                            &requests_[receives.size() + sent]),
                  "sending");
            ++sent;
        };
        while (sent < std::min(ports_, sends.size())) sendNext();
        for (std::size_t left = all; left > 0;) {
            int some = 0;
            check(MPI_Waitsome(static_cast<int>(all), requests_.data(), &some, done_.data(), statuses_.data()),
                  "waiting for messages");
            const std::int64_t end = now();
            for (int i = 0; i < some; ++i) {
                const auto place = asSize(done_[asSize(i)]);
                if (place < receives.size()) {
                    finish(round, place, receives[place], begin, end, statuses_[asSize(i)]);
                    continue;
                }
                const std::size_t send = place - receives.size();
                mark_.note(live::Kind::send, begins_[send], end, round, send, sends[send]);
                sendNext();
            }
            left -= asSize(some);
        }
    }

    bool carryUncoupled(Strand& sends, Strand& receives) override {
        Lane lanes[] = {{live::Kind::send, sends}, {live::Kind::receive, receives}};
        for (Lane& lane : lanes) start(lane);
        while (!lanes[0].requests.empty() || !lanes[1].requests.empty()) {
            requests_.clear();
            for (const Lane& lane : lanes)
                requests_.insert(requests_.end(), lane.requests.begin(), lane.requests.end());
            int done = 0;
            MPI_Status status;
            check(MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &done, &status),
                  "waiting for messages");
            const std::size_t sending = lanes[0].requests.size();
            const auto index = asSize(done);
            index < sending ? end(lanes[0], index, status) : end(lanes[1], index - sending, status);
        }
        return true;
    }

private:
    /// A strand, and its messages under way.
    struct Lane {
        live::Kind kind;
        Strand& strand;
        std::vector<MPI_Request> requests{};  // one per parcel, or none when all is done
        std::size_t left = 0;
        std::int64_t begin = 0;
    };

    void start(Lane& lane) {
        lane.requests.clear();
        if (!lane.strand.next()) return;
        lane.begin = now();
        for (Parcel& parcel : lane.strand.parcels()) {
            MPI_Request& request = lane.requests.emplace_back();
            const int peer = parcel.message->peer.value;
            const int tag = tagOf(lane.strand.round());
            if (lane.kind == live::Kind::send)
                check(MPI_Isend(parcel.data, count(parcel.size), MPI_BYTE, peer, tag, comm_, &request), "sending");
            else check(MPI_Irecv(parcel.data, count(parcel.size), MPI_BYTE, peer, tag, comm_, &request), "receiving");
        }
        lane.left = lane.requests.size();
    }

    void end(Lane& lane, std::size_t place, const MPI_Status& status) {
        lane.requests[place] = MPI_REQUEST_NULL;
        Parcel& parcel = lane.strand.parcels()[place];
        if (lane.kind == live::Kind::send)
            mark_.note(live::Kind::send, lane.begin, now(), lane.strand.round(), place, parcel);
        else finish(lane.strand.round(), place, parcel, lane.begin, now(), status);
        if (--lane.left > 0) return;
        lane.strand.done();
        start(lane);
    }

    void alone(Round round, std::vector<Parcel>& sends, std::vector<Parcel>& receives) {
        const std::int64_t begin = now();
        if (!sends.empty()) {
            check(MPI_Send(sends[0].data, count(sends[0].size), MPI_BYTE, sends[0].message->peer.value, tagOf(round),
                           comm_),
                  "sending");
            mark_.note(live::Kind::send, begin, now(), round, 0, sends[0]);
            return;
        }
        MPI_Status status;
        check(MPI_Recv(receives[0].data, count(receives[0].size), MPI_BYTE, receives[0].message->peer.value,
                       tagOf(round), comm_, &status),
              "receiving");
        finish(round, 0, receives[0], begin, now(), status);
    }

    void finish(Round round, std::size_t place, Parcel& parcel, std::int64_t begin, std::int64_t end,
                const MPI_Status& status) {
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        parcel.size = bytes;
        mark_.note(live::Kind::receive, begin, end, round, place, parcel);
    }

    MPI_Comm comm_;
    const Mark& mark_;
    std::size_t ports_;
    std::vector<std::int64_t> begins_;  // by send of the turn
    std::vector<MPI_Request> requests_;
    std::vector<int> done_;
    std::vector<MPI_Status> statuses_;
};

}  // namespace

std::unique_ptr<Exchange> freeExchange(MPI_Comm comm, const Mark& mark, int ports) {
    return std::make_unique<FreeExchange>(comm, mark, ports);
}

}  // namespace engine::mpi
