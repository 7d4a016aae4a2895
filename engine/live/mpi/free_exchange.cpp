// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/exchange.hpp"

#include <algorithm>

namespace engine::mpi {
namespace {

/// Messages between two ranks stay in order, so that the round as tag only guards against defects. Grants have tags of
/// their own.
constexpr std::int64_t tags = 16384;
int tagOf(Round round) { return static_cast<int>(round.value % tags); }
int grantOf(Round round) { return static_cast<int>(tags + round.value % tags); }

class FreeExchange final : public Exchange {
public:
    FreeExchange(MPI_Comm comm, const Mark& mark, int ports, Leaves leaves)
        : comm_{comm}, mark_{mark}, ports_{asSize(ports)}, leaves_{leaves} {}

    void carry(Round round, std::vector<MessageBuffer>& sends, std::vector<MessageBuffer>& receives) override {
        const bool granted = leaves_ == Leaves::granted;
        if (!granted && sends.size() + receives.size() == 1) return alone(round, sends, receives);
        const std::size_t all = sends.size() + receives.size();
        if (requests_.size() < all) requests_.resize(all), done_.resize(all), statuses_.resize(all);
        begins_.assign(sends.size(), now());
        stands_.assign(sends.size(), granted ? Stands::asked : Stands::ready);
        const std::int64_t begin = now();
        for (std::size_t i = 0; i < receives.size(); ++i) {
            check(MPI_Irecv(receives[i].data, count(receives[i].size), MPI_BYTE, receives[i].message->peer.value,
                            tagOf(round), comm_, &requests_[i]),
                  "receiving");
            if (granted) grant(round, receives[i]);
        }
        MPI_Request* const ofSends = requests_.data() + receives.size();
        std::fill(ofSends, ofSends + sends.size(), MPI_REQUEST_NULL);
        if (granted)
            for (std::size_t i = 0; i < sends.size(); ++i) ask(round, sends[i], ofSends[i]);
        std::size_t sent = 0;
        std::size_t underWay = 0;
        const auto sendNext = [&] {
            for (; sent < sends.size() && underWay < ports_ && stands_[sent] == Stands::ready; ++sent, ++underWay) {
                begins_[sent] = now();
                stands_[sent] = Stands::underWay;
                send(round, sends[sent], ofSends[sent]);
            }
        };
        sendNext();
        for (std::size_t left = all; left > 0;) {
            int some = 0;
            check(MPI_Waitsome(static_cast<int>(all), requests_.data(), &some, done_.data(), statuses_.data()),
                  "waiting for messages");
            const std::int64_t end = now();
            for (int i = 0; i < some; ++i) {
                const auto place = asSize(done_[asSize(i)]);
                if (place < receives.size()) {
                    finish(round, place, receives[place], begin, end, statuses_[asSize(i)]);
                    --left;
                    continue;
                }
                const std::size_t which = place - receives.size();
                if (stands_[which] == Stands::asked) {
                    stands_[which] = Stands::ready;
                    continue;
                }
                mark_.note(live::Kind::send, begins_[which], end, round, which, sends[which]);
                --underWay;
                --left;
            }
            sendNext();
        }
        endGrants();
    }

    bool carryUncoupled(TurnSide& sends, TurnSide& receives) override {
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
        endGrants();
        return true;
    }

private:
    /// How far a send is: its receiver's grant is waited for, it may leave, it has left.
    enum class Stands : std::uint8_t { asked, ready, underWay };

    /// A side, and its messages in flight.
    struct Lane {
        live::Kind kind;
        TurnSide& side;
        std::vector<MPI_Request> requests{};  // one per buffer, or none when all is done
        std::vector<Stands> stands{};         // of sends
        std::size_t left = 0;
        std::int64_t begin = 0;
    };

    void start(Lane& lane) {
        lane.requests.clear();
        if (!lane.side.next()) return;
        lane.begin = now();
        const Round round = lane.side.round();
        const bool granted = leaves_ == Leaves::granted;
        const std::vector<MessageBuffer>& buffers = lane.side.buffers();
        lane.requests.resize(buffers.size());
        lane.stands.assign(buffers.size(), granted ? Stands::asked : Stands::underWay);
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (lane.kind == live::Kind::send) {
                if (granted) ask(round, buffers[i], lane.requests[i]);
                else send(round, buffers[i], lane.requests[i]);
                continue;
            }
            check(MPI_Irecv(buffers[i].data, count(buffers[i].size), MPI_BYTE, buffers[i].message->peer.value,
                            tagOf(round), comm_, &lane.requests[i]),
                  "receiving");
            if (granted) grant(round, buffers[i]);
        }
        lane.left = lane.requests.size();
    }

    void end(Lane& lane, std::size_t place, const MPI_Status& status) {
        lane.requests[place] = MPI_REQUEST_NULL;
        MessageBuffer& buffer = lane.side.buffers()[place];
        if (lane.kind == live::Kind::send && lane.stands[place] == Stands::asked) {
            lane.stands[place] = Stands::underWay;
            return send(lane.side.round(), buffer, lane.requests[place]);
        }
        if (lane.kind == live::Kind::send)
            mark_.note(live::Kind::send, lane.begin, now(), lane.side.round(), place, buffer);
        else finish(lane.side.round(), place, buffer, lane.begin, now(), status);
        if (--lane.left > 0) return;
        lane.side.done();
        start(lane);
    }

    void send(Round round, const MessageBuffer& buffer, MPI_Request& request) const {
        check(MPI_Isend(buffer.data, count(buffer.size), MPI_BYTE, buffer.message->peer.value, tagOf(round), comm_,
                        &request),
              "sending");
    }
    /// The receiver of a send may say that it has entered the round.
    void ask(Round round, const MessageBuffer& buffer, MPI_Request& request) const {
        check(MPI_Irecv(nullptr, 0, MPI_BYTE, buffer.message->peer.value, grantOf(round), comm_, &request),
              "waiting for a grant");
    }
    /// Says so to the sender of a receive.
    void grant(Round round, const MessageBuffer& buffer) {
        check(MPI_Isend(nullptr, 0, MPI_BYTE, buffer.message->peer.value, grantOf(round), comm_,
                        &grants_.emplace_back(MPI_REQUEST_NULL)),
              "granting a message");
    }
    /// What was granted has come, so the grants have.
    void endGrants() {
        if (grants_.empty()) return;
        check(MPI_Waitall(static_cast<int>(grants_.size()), grants_.data(), MPI_STATUSES_IGNORE), "granting messages");
        grants_.clear();
    }

    void alone(Round round, std::vector<MessageBuffer>& sends, std::vector<MessageBuffer>& receives) {
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

    void finish(Round round, std::size_t place, MessageBuffer& buffer, std::int64_t begin, std::int64_t end,
                const MPI_Status& status) {
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        buffer.size = bytes;
        mark_.note(live::Kind::receive, begin, end, round, place, buffer);
    }

    MPI_Comm comm_;
    const Mark& mark_;
    std::size_t ports_;
    Leaves leaves_;
    std::vector<std::int64_t> begins_;  // by send of the turn
    std::vector<Stands> stands_;        // likewise
    std::vector<MPI_Request> grants_;   // pending
    std::vector<MPI_Request> requests_;
    std::vector<int> done_;
    std::vector<MPI_Status> statuses_;
};

}  // namespace

std::unique_ptr<Exchange> freeExchange(MPI_Comm comm, const Mark& mark, int ports, Leaves leaves) {
    return std::make_unique<FreeExchange>(comm, mark, ports, leaves);
}

}  // namespace engine::mpi
