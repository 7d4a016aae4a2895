// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/matching/message_columns.hpp"

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/storage/storage.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>
#include <numeric>
#include <utility>

namespace traces::reading {
namespace {

/// Ends of one rank that neither met another nor were taken back.
class Halves {
public:
    Halves(const std::vector<RankEnds>& ranks, const Partners& partners, std::size_t rank)
        : ends_{ranks[rank]}, ofSend_{partners.ofSend[rank]}, hasReceive_{partners.hasReceive[rank]} {}

    [[nodiscard]] bool hasSend(std::size_t i) const {
        return ofSend_[i] == alone && (ends_.sends[i].flags & End::cancelled) == 0;
    }
    [[nodiscard]] bool hasReceive(std::size_t i) const {
        return hasReceive_[i] == 0 && (ends_.receives[i].flags & End::cancelled) == 0;
    }

private:
    const RankEnds& ends_;
    const Values<std::uint32_t>& ofSend_;
    const Values<std::uint8_t>& hasReceive_;
};

Half halfOf(Side side, Rank self, const End& end) {
    return {.side = side,
            .self = self,
            .peer = end.peer,
            .communicator = end.communicator,
            .tag = end.tag,
            .bytes = end.bytes,
            .begin = Picoseconds{end.begin},
            .end = Picoseconds{end.end},
            .nonBlocking = (end.flags & End::nonBlocking) != 0};
}

/// Whole numbers with any single characters between them: "0-10,30-40".
void addRanges(const std::string& words, Growing<engine::Range>& ranges) {
    std::vector<std::int64_t> ends;
    const char* at = words.data();
    for (const char* const end = at + words.size(); at < end; ++at) {
        const auto [next, failed] = std::from_chars(at, end, ends.emplace_back());
        if (failed != std::errc{}) return;
        at = next;
    }
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) ranges.push_back({ends[i], ends[i + 1]});
}

OwnColumns ownColumns(const std::vector<RankEnds>& ranks, const Partners& partners, const Definitions& definitions,
                      Storage* storage) {
    Growing<std::int64_t> round{storage};
    Growing<std::uint64_t> place{storage}, start{storage};
    Growing<engine::Range> what{storage};
    start.push_back(0);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (std::size_t i = 0; i < partners.ofSend[rank].size(); ++i) {
            if (partners.ofSend[rank][i] == alone) continue;
            const OwnEnd& own = ranks[rank].ownSends[i];
            round.push_back(static_cast<std::int64_t>(own.round));
            place.push_back(own.place);
            if (own.hasRange) what.push_back({static_cast<Bytes>(own.begin), static_cast<Bytes>(own.end)});
            if (own.ranges != undefined) addRanges(definitions.words(own.ranges), what);
            start.push_back(what.size());
        }
    return {round.column(), place.column(), start.column(), what.column()};
}

/// Sends of one rank that lie one behind the other: what one core turns into columns at once.
struct Piece {
    std::size_t rank = 0;
    std::size_t begin = 0;    ///< of its sends
    std::size_t end = 0;      ///< behind the last one
    std::size_t first = 0;    ///< in the columns
    std::size_t matched = 0;  ///< messages
};

/// Small ones, so that cores work side by side on the same part of every column: fewer pages are begun before the ends
/// that become them are given back.
std::vector<Piece> piecesOf(const Partners& partners) {
    constexpr std::size_t size = std::size_t{1} << 15;
    std::vector<Piece> pieces;
    for (std::size_t rank = 0; rank < partners.ofSend.size(); ++rank) {
        const std::size_t sends = partners.ofSend[rank].size();
        for (std::size_t begin = 0; begin < sends; begin += size)
            pieces.push_back({.rank = rank, .begin = begin, .end = std::min(begin + size, sends)});
    }
    return pieces;
}

std::size_t matchedIn(const Piece& piece, const Partners& partners) {
    const std::uint32_t* const its = partners.ofSend[piece.rank].begin();
    return piece.end - piece.begin - static_cast<std::size_t>(std::count(its + piece.begin, its + piece.end, alone));
}

/// Of one rank.
struct Count {
    std::size_t received = 0;  ///< receives that met a send
    std::size_t halves = 0;    ///< ends that met no other
};
std::vector<Count> countsOf(const std::vector<RankEnds>& ranks, const Partners& partners) {
    std::vector<Count> counts(ranks.size());
    engine::parallelFor(ranks.size(), [&](std::size_t rank) {
        Count its;
        const Halves halves{ranks, partners, rank};
        for (std::size_t i = 0; i < ranks[rank].sends.size(); ++i) its.halves += halves.hasSend(i) ? 1 : 0;
        for (const std::uint8_t met : partners.hasReceive[rank]) its.received += met;
        for (std::size_t i = 0; i < ranks[rank].receives.size(); ++i) its.halves += halves.hasReceive(i) ? 1 : 0;
        counts[rank] = its;
    });
    return counts;
}

/// Ends that no column has yet; gives them back as soon as all that could need them is done.
class Remaining {
public:
    Remaining(std::vector<RankEnds>& ranks, const std::vector<Piece>& pieces, const std::vector<Count>& counts)
        : ranks_{ranks}, pieces_{pieces}, isDone_(pieces.size()), next_(ranks.size()), awaited_(ranks.size()) {
        for (std::size_t k = pieces.size(); k-- > 0;) next_[pieces[k].rank] = k;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) awaited_[rank] = counts[rank].received;
    }

    /// Where ranks send to few, their sends and what those met are hardly ever there both.
    void received(std::size_t peer, std::size_t count) {
        if (count > 0 && (awaited_[peer] -= count) == 0) ranks_[peer].receives.clear();
    }
    /// Pieces of a rank are done nearly in their order.
    void done(std::size_t k) {
        const std::lock_guard lock{guard_};
        isDone_[k] = true;
        const std::size_t rank = pieces_[k].rank;
        std::size_t& next = next_[rank];
        while (next < pieces_.size() && pieces_[next].rank == rank && isDone_[next]) ++next;
        if (next == pieces_.size() || pieces_[next].rank != rank) ranks_[rank].sends.clear();
        else ranks_[rank].sends.forgetBefore(pieces_[next].begin);
    }

private:
    std::vector<RankEnds>& ranks_;
    const std::vector<Piece>& pieces_;
    std::mutex guard_;
    std::vector<bool> isDone_;                       ///< by piece
    std::vector<std::size_t> next_;                  ///< by rank: its first piece that is not done
    std::vector<std::atomic<std::size_t>> awaited_;  ///< receives by rank
};

/// The columns of messages in one form or another.
template <template <class> class Of>
struct MessageColumns {
    Of<Rank> from, to;
    Of<std::int32_t> communicator;
    Of<std::uint32_t> tag;
    Of<Bytes> bytes;
    Of<Picoseconds> sendBegin, sendEnd, receiveBegin, receiveEnd;
    Of<MessageFlags> flags;
};
/// Calls each(one of `a`, the same one of `b`).
template <class A, class B, class Each>
void eachColumn(A& a, B& b, Each each) {
    each(a.from, b.from), each(a.to, b.to), each(a.communicator, b.communicator), each(a.tag, b.tag);
    each(a.bytes, b.bytes), each(a.flags, b.flags);
    each(a.sendBegin, b.sendBegin), each(a.sendEnd, b.sendEnd);
    each(a.receiveBegin, b.receiveBegin), each(a.receiveEnd, b.receiveEnd);
}

template <class T>
using ValuesOf = std::span<T>;
template <class T>
using ListOf = std::vector<T>;
using MessageValues = MessageColumns<ValuesOf>;

template <class Lists>
MessageValues valuesOf(Lists& lists) {
    MessageValues values;
    eachColumn(values, lists, []<class T>(std::span<T>& its, auto& list) { its = list; });
    return values;
}

void set(const MessageValues& values, std::size_t at, Rank sender, const End& send, const End& receive) {
    values.from[at] = sender;
    values.to[at] = send.peer;
    values.communicator[at] = send.communicator;
    values.tag[at] = send.tag;
    values.bytes[at] = send.bytes;
    values.sendBegin[at] = Picoseconds{send.begin};
    values.sendEnd[at] = Picoseconds{send.end};
    values.receiveBegin[at] = Picoseconds{receive.begin};
    values.receiveEnd[at] = Picoseconds{receive.end};
    unsigned said = 0;
    if ((send.flags & End::nonBlocking) != 0) said |= flag::sendNonBlocking;
    if ((send.flags & End::open) != 0) said |= flag::sendEndUnknown;
    if ((receive.flags & End::nonBlocking) != 0) said |= flag::receiveNonBlocking;
    if ((receive.flags & End::inferred) != 0) said |= flag::receiveInferred;
    if (send.bytes != receive.bytes) said |= flag::bytesDiffer;
    values.flags[at] = static_cast<MessageFlags>(said);
}

/// The columns of messages while pieces of them are written side by side.
class WrittenMessages {
public:
    WrittenMessages(std::size_t count, Storage* storage) {
        eachColumn(all_, all_, [&]<class T>(WrittenColumn<T>& one, auto&) { one = WrittenColumn<T>{count, storage}; });
        eachColumn(values_, all_, [&](auto& values, auto& one) {
            values = one.values();
            spilt_ = spilt_ || one.spilt();
        });
    }

    /// Calls write(values, first place) for a piece of them; what lies in a file is written there when the piece is
    /// done.
    template <class Write>
    void piece(std::size_t first, std::size_t count, Write write) const {
        if (!spilt_) return write(values_, first);
        MessageColumns<ListOf> lists;
        eachColumn(lists, lists, [&](auto& list, auto&) { list.resize(count); });
        write(valuesOf(lists), std::size_t{0});
        eachColumn(all_, lists,
                   [&]<class T>(const WrittenColumn<T>& one, std::vector<T>& list) { one.write(first, list); });
    }

    void give(Messages& messages) {
        eachColumn(all_, messages, [](auto& one, auto& column) { column = one.column(); });
    }

private:
    MessageColumns<WrittenColumn> all_;
    MessageValues values_;
    bool spilt_ = false;
};

/// Writes the messages of a piece, whose sends met `partners`, to `values` from place `at` on.
void fill(const MessageValues& values, std::size_t at, const Piece& piece, const std::vector<RankEnds>& ranks,
          const Values<std::uint32_t>& partners, Remaining& remaining, Disputed& disputed) {
    const Rank self{static_cast<std::int32_t>(piece.rank)};
    std::size_t peer = piece.rank, taken = 0;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
        if (partners[i] == alone) continue;
        const End& send = ranks[piece.rank].sends[i];
        if (send.peer.index() != peer) remaining.received(peer, std::exchange(taken, 0)), peer = send.peer.index();
        ++taken;
        const End& receive = ranks[peer].receives[partners[i]];
        set(values, at++, self, send, receive);
        if (send.bytes != receive.bytes && disputed.count++ == 0)
            disputed = {1, self, send.peer, send.bytes, receive.bytes};
    }
    remaining.received(peer, taken);
}

/// Ends that met no other, rank by rank, sends before receives.
Column<Half> halvesOf(const std::vector<RankEnds>& ranks, const Partners& partners, const std::vector<Count>& counts,
                      Storage* storage) {
    std::vector<std::size_t> first(ranks.size() + 1);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) first[rank + 1] = counts[rank].halves;
    std::partial_sum(first.begin(), first.end(), first.begin());
    auto [halves, halfAt] = makeColumn<Half>(first.back(), storage);
    engine::parallelFor(ranks.size(), [&, halfAt = halfAt](std::size_t rank) {
        const Rank self{static_cast<std::int32_t>(rank)};
        const Halves its{ranks, partners, rank};
        std::size_t at = first[rank];
        for (std::size_t i = 0; at < first[rank + 1] && i < ranks[rank].sends.size(); ++i)
            if (its.hasSend(i)) halfAt[at++] = halfOf(Side::send, self, ranks[rank].sends[i]);
        for (std::size_t i = 0; at < first[rank + 1]; ++i)
            if (its.hasReceive(i)) halfAt[at++] = halfOf(Side::receive, self, ranks[rank].receives[i]);
    });
    return std::move(halves);
}

}  // namespace

std::string Disputed::words() const {
    if (count == 0) return {};
    return engine::text(count, count == 1 ? " message has" : " messages have",
                        " another size at the receiver than at the sender: rank ", from, " sent ",
                        engine::showBytes(sent), " and rank ", to, " got ", engine::showBytes(received),
                        "; the sender is believed");
}

Matched columnsOf(std::vector<RankEnds>&& ranks, const Partners& partners, const Definitions& definitions, bool own,
                  Storage* storage) {
    Matched result;
    std::vector<Piece> pieces = piecesOf(partners);
    engine::parallelFor(pieces.size(), [&](std::size_t k) { pieces[k].matched = matchedIn(pieces[k], partners); });
    std::size_t count = 0;
    for (Piece& piece : pieces) piece.first = std::exchange(count, count + piece.matched);
    if (own) result.own = ownColumns(ranks, partners, definitions, storage);
    const std::vector<Count> counts = countsOf(ranks, partners);
    result.halves = halvesOf(ranks, partners, counts, storage);
    WrittenMessages messages{count, storage};
    Remaining remaining{ranks, pieces, counts};
    std::vector<Disputed> disputed(pieces.size());
    engine::parallelFor(pieces.size(), [&](std::size_t k) {
        const Piece& piece = pieces[k];
        messages.piece(piece.first, piece.matched, [&](const MessageValues& values, std::size_t at) {
            fill(values, at, piece, ranks, partners.ofSend[piece.rank], remaining, disputed[k]);
        });
        remaining.done(k);
    });
    messages.give(result.messages);
    for (const Disputed& one : disputed) {
        const std::int64_t before = result.disputed.count;
        if (before == 0) result.disputed = one;
        result.disputed.count = before + one.count;
    }
    return result;
}

}  // namespace traces::reading
