// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/location_events.hpp"

#include "traces/reading/locations/file_notices.hpp"
#include "traces/reading/locations/notices.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

namespace traces::reading {
namespace {

constexpr std::uint64_t picosecondsPerSecond = 1'000'000'000'000;
constexpr std::int64_t latest = std::int64_t{1} << 62;

/// Requests pending, by their numbers: mostly few. A number may be used again before its request completed.
class Requests {
public:
    void set(std::uint64_t number, std::size_t index) {
        for (auto& [known, value] : few_)
            if (known == number) {
                value = index;
                return;
            }
        if (few_.size() < most && !many_.contains(number)) few_.emplace_back(number, index);
        else many_[number] = index;
    }
    [[nodiscard]] std::optional<std::size_t> find(std::uint64_t number) const {
        for (const auto& [known, value] : few_)
            if (known == number) return value;
        const auto entry = many_.find(number);
        return entry == many_.end() ? std::nullopt : std::optional{entry->second};
    }
    std::optional<std::size_t> take(std::uint64_t number) {
        for (auto& entry : few_)
            if (entry.first == number) {
                const std::size_t index = entry.second;
                entry = few_.back();
                few_.pop_back();
                return index;
            }
        if (many_.empty()) return std::nullopt;
        if (auto entry = many_.extract(number)) return entry.mapped();
        return std::nullopt;
    }

private:
    static constexpr std::size_t most = 16;
    std::vector<std::pair<std::uint64_t, std::size_t>> few_;
    std::unordered_map<std::uint64_t, std::size_t> many_;
};

class Tally {
public:
    Tally(const Reading& reading, std::size_t location, const LocalDefinitions& local)
        : world_{reading.world},
          rank_{reading.world.locations[location].rank},
          local_{local},
          clock_{reading.clock},
          offsets_{local.offsets},
          unknownRegion_{reading.unknownRegion},
          own_{reading.ownAttributes},
          algorithm_{reading.algorithm},
          reduction_{reading.reduction},
          ofLibrary_{reading.ofLibrary},
          component_{reading.component},
          inside_{reading.inside},
          neighbours_{reading.neighbours},
          error_{errorIn(reading.world)},
          overlapping_{reading.names == Names::asDefined},
          storage_{reading.storage},
          all_{reading.storage},
          posted_{reading.storage} {
        const std::size_t regions = world_.regions.size() + 1;
        all_.counts.resize(256);
        all_.calls.resize(regions);
        all_.communicated.resize(regions);
        openOf_.resize(regions);
    }

    void time(std::uint64_t tick) {
        if (!local_.offsets.empty()) tick = offsets_(tick);
        const std::int64_t next = clock_(tick);
        if (next < now_) ++all_.disorder;
        else now_ = next;
        if (!any_) all_.first = now_;
        any_ = true;
    }
    /// No message of a machine has more than 256 TiB, so that sums of what damaged files hold stay numbers. Runs of
    /// ours may be thought experiments.
    [[nodiscard]] std::uint64_t mostBytes() const { return std::uint64_t{1} << (own_ == undefined ? 48 : 62); }
    void count(std::uint8_t kind) { ++all_.counts[kind]; }
    void attributes(const Cursor& list) { attributes_ = list; }

    void enter(std::uint32_t id) {
        const std::int32_t region = regionOf(id);
        stack_.push_back(static_cast<std::uint32_t>(all_.begin.size()));
        all_.begin.push_back(Picoseconds{now_});
        all_.end.push_back(Picoseconds{now_});
        all_.region.push_back(region);
        all_.depth.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(stack_.size() - 1, 65535)));
        ++all_.calls[engine::asSize(region)];
        ++openOf_[engine::asSize(region)];
        topIsMpi_ = isMpi(region);
    }

    void leave(std::uint32_t id) {
        const std::int32_t region = regionOf(id);
        for (const std::size_t send : blocking_) all_.sends[send].end = now_;
        blocking_.clear();
        if (stack_.empty() || openOf_[engine::asSize(region)] == 0) {
            ++all_.unbalanced;
            return;
        }
        if (all_.region[stack_.back()] == region) closeTop();
        else if (overlapping_) closeBelow(region);
        else {
            for (; all_.region[stack_.back()] != region; ++all_.unbalanced) closeTop();
            closeTop();
        }
        topIsMpi_ = !stack_.empty() && isMpi(all_.region[stack_.back()]);
    }

    void send(const Envelope& envelope) {
        record();
        if (topIsMpi_) blocking_.push_back(all_.sends.size());
        all_.sends.push_back(endOf(envelope, callBegin(), now_, 0));
        if (own_ != undefined) attach(all_.sends.back(), all_.ownSends, true);
    }
    void receive(const Envelope& envelope) {
        record();
        all_.receives.push_back(endOf(envelope, callBegin(), now_, 0));
        if (own_ != undefined) attach(all_.receives.back(), all_.ownReceives, false);
    }
    void postSend(const Envelope& envelope, std::uint64_t request) {
        if (isInside(request)) return postSendInside(envelope, request);
        record();
        sendRequests_.set(request, all_.sends.size());
        all_.sends.push_back(endOf(envelope, callBegin(), callBegin(), End::nonBlocking | End::open));
    }
    void completeSend(std::uint64_t request) {
        const auto posted = sendRequests_.take(request);
        if (!posted) return;
        End& end = isInside(request) ? all_.insideSends[*posted] : all_.sends[*posted];
        end.end = now_;
        end.flags &= static_cast<std::uint8_t>(~End::open);
    }
    void postReceive(std::uint64_t request) {
        if (isInside(request)) attributes_ = {};
        else record();
        Blocks<End>& receives = isInside(request) ? all_.insideReceives : all_.receives;
        receiveRequests_.set(request, receives.size());
        receives.push_back({.begin = now_, .end = now_, .flags = End::nonBlocking | End::open});
    }
    void completeReceive(const Envelope& envelope, std::uint64_t request) {
        if (isInside(request)) {
            if (const auto posted = receiveRequests_.take(request)) {
                End& end = all_.insideReceives[*posted];
                end = endInside(envelope, end.begin, End::nonBlocking);
            }
            return;
        }
        record();
        if (const auto posted = receiveRequests_.take(request)) {
            End& end = all_.receives[*posted];
            end = endOf(envelope, end.begin, now_, End::nonBlocking);
        } else {
            all_.receives.push_back(endOf(envelope, callBegin(), now_, End::nonBlocking));
        }
    }
    void cancel(std::uint64_t request) {
        const bool inside = isInside(request);
        if (const auto posted = receiveRequests_.take(request))
            (inside ? all_.insideReceives : all_.receives)[*posted].flags |= End::cancelled;
        else if (const auto sent = sendRequests_.take(request))
            (inside ? all_.insideSends : all_.sends)[*sent].flags |= End::cancelled;
    }

    void beginCollective() {
        record();
        if (begun_) abandon();
        begun_ = Begun{callBegin(), stack_.empty() ? noState : stack_.back()};
    }
    void endCollective(const CollectiveRecord& collective) {
        endCollective(collective, communicatorOf(collective.communicator));
    }
    void endWindowCollective(const CollectiveRecord& collective) {
        const std::uint32_t id = collective.communicator;
        const std::int32_t window = world_.windowOf(local_.windows.empty() ? id : local_.windows(id));
        endCollective(collective, window == noIndex ? noIndex : world_.windows[engine::asSize(window)].communicator);
    }
    void requestCollective(std::uint64_t request) {
        record();
        collectiveRequests_.set(request, posted_.size());
        // One call may start several persistent ones: only the first of them begins with it.
        const Picoseconds call{callBegin()};
        const bool isFirst = posted_.empty() || posted_.back().begin < call;
        posted_.push_back({Rank{rank_}, topRegion(), isFirst ? call : Picoseconds{now_}});
    }
    void completeCollective(const CollectiveRecord& collective, std::uint64_t request) {
        record();
        const auto posted = collectiveRequests_.take(request);
        all_.parts.push_back(partOf(collective, communicatorOf(collective.communicator),
                                    posted ? posted_[*posted].begin.count() : now_, true));
        if (posted) posted_[*posted].rank = noRank;
    }
    void measure(bool on) {
        if (!on && !off_) off_ = now_;
        if (on && off_) all_.gaps.push_back({*off_, now_});
        if (on) off_.reset();
    }

    void fork(std::uint64_t threads) { tell({.number = threads, .kind = NoticeKind::fork}); }
    void other(std::uint8_t kind, Cursor& r) {
        if (const auto notice = FileNotices::areOf(kind) ? files_.noticeOf(kind, r, local_, world_)
                                                         : noticeOf(kind, r, local_, world_, rank_)) {
            // A call that returned an error has nothing else to record.
            const bool isError = notice->kind == NoticeKind::parameter && notice->subject == error_;
            if (isOneSided(notice->kind) || isError) record();
            tell(*notice);
        }
    }

    void metric(Cursor& r) {
        const std::uint64_t id = r.number32();
        values_.clear();
        bool known = true;
        for (std::uint8_t left = r.byte(); left > 0; --left) {
            const std::uint8_t type = r.byte();
            const std::uint64_t bits = r.number64();
            if (type == otf2::typeUint64) values_.push_back(static_cast<double>(bits));
            else if (type == otf2::typeInt64) values_.push_back(static_cast<double>(static_cast<std::int64_t>(bits)));
            else if (type == otf2::typeDouble) values_.push_back(std::bit_cast<double>(bits));
            else known = false;
        }
        if (r.broken()) return;
        const std::int32_t set = world_.metricSetOf(local_.metrics.empty() ? id : local_.metrics(id));
        if (!known || set == noIndex || !scale(world_.metricSets[engine::asSize(set)])) {
            ++all_.strangeMetrics;
            return;
        }
        MetricEvents& events = eventsOf(engine::asSize(set));
        events.time.push_back(Picoseconds{now_});
        for (const double value : values_) events.values.push_back(value);
    }

    LocationEvents finish(Ending ending) {
        if (begun_) abandon();
        for (const Unfinished& posted : posted_)
            if (posted.rank != noRank) all_.unfinished.push_back(posted);
        if (off_) all_.gaps.push_back({*off_, now_});
        for (const std::uint32_t open : stack_) all_.end[open] = Picoseconds{now_};
        all_.open = std::move(stack_);
        std::sort(all_.open.begin(), all_.open.end());
        all_.last = now_;
        all_.ending = ending;
        for (const std::uint64_t kind : all_.counts) all_.events += kind;
        all_.fit();
        return std::move(all_);
    }

private:
    static constexpr std::uint32_t noState = 0xffffffff;
    static constexpr std::uint32_t noParameter = 0xffffffff;

    /// The parameter that names the errors of calls.
    static std::uint32_t errorIn(const World& world) {
        const auto found = std::find_if(world.parameters.begin(), world.parameters.end(),
                                        [](const Parameter& one) { return one.name == own::errorWord; });
        return found == world.parameters.end() ? noParameter
                                               : static_cast<std::uint32_t>(found - world.parameters.begin());
    }

    struct Begun {
        std::int64_t time;
        std::uint32_t state;
    };

    void tell(Notice notice) {
        notice.time = Picoseconds{now_};
        notice.entered = static_cast<std::uint32_t>(all_.begin.size());
        all_.notices.push_back(notice);
    }

    /// Values of a record in the units of their metrics; false where they cannot be those.
    bool scale(const MetricSet& set) {
        if (set.metrics.empty() || values_.size() != set.metrics.size()) return false;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            values_[i] *= set.scales[i];
            if (!std::isfinite(values_[i])) return false;
        }
        return true;
    }
    /// A location mostly records one set of metrics, or a few in turn.
    MetricEvents& eventsOf(std::size_t set) {
        const auto [entry, isNew] = metricsOf_.try_emplace(set, all_.metrics.size());
        if (isNew) all_.metrics.push_back({set, Growing<Picoseconds>{storage_}, Growing<double>{storage_}});
        return all_.metrics[entry->second];
    }

    [[nodiscard]] std::int32_t regionOf(std::uint32_t id) const {
        const std::int32_t region = world_.regionOf(local_.regions.empty() ? id : local_.regions(id));
        return region == noIndex ? unknownRegion_ : region;
    }
    [[nodiscard]] bool isMpi(std::int32_t region) const {
        return region != unknownRegion_ && world_.regions[engine::asSize(region)].call != Call::none;
    }
    [[nodiscard]] std::int32_t topRegion() const { return stack_.empty() ? noIndex : all_.region[stack_.back()]; }
    /// When the MPI call that records an event began; now outside of any.
    [[nodiscard]] std::int64_t callBegin() const { return topIsMpi_ ? all_.begin[stack_.back()].count() : now_; }

    /// The call the location is in has a record of its own.
    void record() {
        if (!stack_.empty()) all_.communicated[engine::asSize(all_.region[stack_.back()])] = 1;
    }

    void closeTop() {
        const std::uint32_t state = stack_.back();
        stack_.pop_back();
        all_.end[state] = Picoseconds{now_};
        --openOf_[engine::asSize(all_.region[state])];
        if (begun_ && begun_->state == state) abandon();
    }
    /// Of overlapping calls the latest of `region` ends; the others stay open.
    void closeBelow(std::int32_t region) {
        const auto at = std::find_if(stack_.rbegin(), stack_.rend(),
                                     [&](std::uint32_t state) { return all_.region[state] == region; });
        all_.end[*at] = Picoseconds{now_};
        --openOf_[engine::asSize(region)];
        stack_.erase(std::next(at).base());
    }
    void abandon() {
        const std::int32_t region = begun_->state == noState ? noIndex : all_.region[begun_->state];
        all_.unfinished.push_back({rank_, region, Picoseconds{begun_->time}});
        begun_.reset();
    }

    [[nodiscard]] End endOf(const Envelope& envelope, std::int64_t begin, std::int64_t end, unsigned flags) const {
        return endOf(envelope, communicatorOf(envelope.communicator), begin, end, flags);
    }
    [[nodiscard]] End endOf(const Envelope& envelope, std::int32_t communicator, std::int64_t begin, std::int64_t end,
                            unsigned flags) const {
        return {.begin = begin,
                .end = end,
                .bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(envelope.bytes, latest)),
                .peer = world_.rankOf(communicator, envelope.peer, rank_),
                .communicator = communicator,
                .tag = envelope.tag,
                .flags = static_cast<std::uint8_t>(flags)};
    }
    /// Of a message that the library itself sent.
    [[nodiscard]] bool isInside(std::uint64_t request) const {
        return request >= own::firstInside && world_.hasInside();
    }
    [[nodiscard]] End endInside(const Envelope& envelope, std::int64_t begin, unsigned flags) const {
        const std::uint32_t id = envelope.communicator;
        return endOf(envelope, world_.communicatorOf(local_.comms.empty() ? id : local_.comms(id)), begin, now_, flags);
    }
    void postSendInside(const Envelope& envelope, std::uint64_t request) {
        std::int64_t call = begun_ ? begun_->time : callBegin();
        eachAttribute([&](std::uint64_t id, std::uint8_t type, std::uint64_t value) {
            if (id != inside_ || type != otf2::typeUint64) return;
            if (const auto posted = collectiveRequests_.find(value)) call = posted_[*posted].begin.count();
        });
        sendRequests_.set(request, all_.insideSends.size());
        all_.insideSends.push_back(endInside(envelope, now_, End::nonBlocking | End::open));
        all_.insideCalls.push_back(call);
    }
    void endCollective(const CollectiveRecord& collective, std::int32_t communicator) {
        record();
        const std::int64_t begin = begun_ ? begun_->time : callBegin();
        begun_.reset();
        all_.parts.push_back(partOf(collective, communicator, begin, false));
    }
    [[nodiscard]] CollectivePart partOf(const CollectiveRecord& record, std::int32_t communicator, std::int64_t begin,
                                        bool nonBlocking) {
        CollectivePart part{.begin = begin,
                            .end = now_,
                            .sent = record.sent,
                            .received = record.received,
                            .communicator = communicator,
                            .root = record.root,
                            .operation = std::min(record.operation, static_cast<std::uint8_t>(Operation::unknown)),
                            .nonBlocking = nonBlocking};
        if (isAtFence(part)) part.operation = static_cast<std::uint8_t>(Operation::fence);
        if (algorithm_ == undefined && reduction_ == undefined && ofLibrary_ == undefined) return part;
        // Archives that have these attach them to nothing else.
        eachAttribute([&](std::uint64_t id, std::uint8_t type, std::uint64_t value) {
            if (id == neighbours_ && value == 1)
                part.operation = static_cast<std::uint8_t>(amongNeighbours(static_cast<Operation>(part.operation)));
            if (type != otf2::typeString) return;
            const auto words = static_cast<Ref>(local_.strings.empty() ? value : local_.strings(value));
            if (id == algorithm_) part.algorithm = words;
            if (id == reduction_) part.reduction = words;
            if (id == ofLibrary_) part.ofLibrary = words;
            if (id == component_) part.component = words;
        });
        return part;
    }
    /// OTF2 has no operation of its own for MPI_Win_fence.
    [[nodiscard]] bool isAtFence(const CollectivePart& part) const {
        const std::int32_t region = topRegion();
        return part.operation == static_cast<std::uint8_t>(Operation::barrier) && region != noIndex &&
               region != unknownRegion_ && operationOf(world_.regions[engine::asSize(region)].name) == Operation::fence;
    }
    static Operation amongNeighbours(Operation operation) {
        switch (operation) {
            case Operation::allgather: return Operation::neighborAllgather;
            case Operation::allgatherv: return Operation::neighborAllgatherv;
            case Operation::alltoall: return Operation::neighborAlltoall;
            case Operation::alltoallv: return Operation::neighborAlltoallv;
            case Operation::alltoallw: return Operation::neighborAlltoallw;
            default: return operation;
        }
    }
    /// Takes the attributes of the record that is read: up to the first one of a type whose length is not looked up.
    template <class Each>
    void eachAttribute(Each each) {
        Cursor list = std::exchange(attributes_, Cursor{});
        const std::uint32_t count = list.atEnd() ? 0 : list.number32();
        for (std::uint32_t i = 0; i < count && !list.broken(); ++i) {
            const std::uint64_t id = local_.attributes.empty() ? list.number32() : local_.attributes(list.number32());
            const std::uint8_t type = list.byte();
            if (type != otf2::typeString && type != otf2::typeUint64) return;
            const std::uint64_t value = type == otf2::typeString ? list.number32() : list.number64();
            if (list.broken()) return;
            each(id, type, value);
        }
    }
    /// noIndex of those that only the library has.
    [[nodiscard]] std::int32_t communicatorOf(std::uint32_t id) const {
        const std::int32_t communicator = world_.communicatorOf(local_.comms.empty() ? id : local_.comms(id));
        return world_.isOfLibrary(communicator) ? noIndex : communicator;
    }

    /// The attributes of Collscope's messages; the port was busy from a send on, up to a receive.
    void attach(End& end, Blocks<OwnEnd>& ends, bool sends) {
        OwnEnd own;
        Cursor list = std::exchange(attributes_, Cursor{});
        const std::uint32_t count = list.atEnd() ? 0 : list.number32();
        for (std::uint32_t i = 0; i < count && !list.broken(); ++i) {
            const std::uint64_t id = local_.attributes.empty() ? list.number32() : local_.attributes(list.number32());
            const std::uint8_t type = list.byte();
            const std::uint64_t value = type == otf2::typeString ? list.number32() : list.number64();
            if (list.broken()) break;
            switch (id - own_) {
                case 0: own.round = value; break;
                case 1: own.portTime = std::min<std::uint64_t>(value, latest); break;
                case 2:
                    own.begin = value;
                    own.hasRange = true;
                    break;
                case 3: own.end = value; break;
                case 4: own.ranges = static_cast<Ref>(local_.strings.empty() ? value : local_.strings(value)); break;
                case 5: own.place = value; break;
                default: break;
            }
        }
        const auto busy = static_cast<std::int64_t>(own.portTime);
        if (sends) end.end = std::min(end.begin + busy, latest);
        else end.begin = std::max<std::int64_t>(end.end - busy, 0);
        ends.push_back(own);
    }

    const World& world_;
    Rank rank_;
    const LocalDefinitions& local_;
    TickClock clock_;
    OffsetLine offsets_;
    std::int32_t unknownRegion_;
    Ref own_;
    Ref algorithm_;
    Ref reduction_;
    Ref ofLibrary_;
    Ref component_;
    Ref inside_;
    Ref neighbours_;
    std::uint32_t error_;
    bool overlapping_;
    Storage* storage_;
    LocationEvents all_;
    std::int64_t now_ = 0;
    bool any_ = false;
    bool topIsMpi_ = false;
    Cursor attributes_;
    std::vector<std::uint32_t> stack_;   ///< states the location is in, outermost first
    std::vector<std::uint32_t> openOf_;  ///< by region: how many of them are on the stack
    std::vector<std::size_t> blocking_;  ///< blocking sends of the call the location is in
    Requests sendRequests_;
    Requests receiveRequests_;
    Requests collectiveRequests_;
    Growing<Unfinished> posted_;  ///< nonblocking collectives; those that completed have no rank
    FileNotices files_;
    std::optional<Begun> begun_;
    std::optional<std::int64_t> off_;
    std::unordered_map<std::size_t, std::size_t> metricsOf_;  ///< by set: their place in all_.metrics
    std::vector<double> values_;                              ///< of the record of metrics that is read
};

}  // namespace

TickClock::TickClock(const Clock& clock)
    : zero_{clock.zero},
      ticksPerSecond_{clock.ticksPerSecond},
      whole_{picosecondsPerSecond / clock.ticksPerSecond},
      part_{static_cast<std::uint64_t>(
          (static_cast<unsigned __int128>(picosecondsPerSecond % clock.ticksPerSecond) << 64) / clock.ticksPerSecond)} {
}

std::int64_t TickClock::operator()(std::uint64_t tick) const {
    if (tick <= zero_) return 0;
    const std::uint64_t ticks = tick - zero_;
    unsigned __int128 time = static_cast<unsigned __int128>(ticks) * whole_;
    if (part_ != 0) {
        time += static_cast<std::uint64_t>((static_cast<unsigned __int128>(ticks) * part_) >> 64);
        // The rest was rounded down: the next picosecond may be the right one.
        if (time < latest &&
            (time + 1) * ticksPerSecond_ <= static_cast<unsigned __int128>(ticks) * picosecondsPerSecond)
            ++time;
    }
    return time > static_cast<unsigned __int128>(latest) ? latest : static_cast<std::int64_t>(time);
}

std::uint64_t OffsetLine::operator()(std::uint64_t tick) {
    while (line_ + 2 < offsets_.size() && tick > offsets_[line_ + 1].at) ++line_;
    const OffsetDefinition& from = offsets_[line_];
    double slope = 0;
    if (line_ + 1 < offsets_.size() && offsets_[line_ + 1].at > from.at) {
        const OffsetDefinition& to = offsets_[line_ + 1];
        slope =
            (static_cast<double>(to.offset) - static_cast<double>(from.offset)) / static_cast<double>(to.at - from.at);
    }
    const double distance =
        tick >= from.at ? static_cast<double>(tick - from.at) : -static_cast<double>(from.at - tick);
    const double along = std::clamp(slope * distance, -9e18, 9e18);
    return tick + static_cast<std::uint64_t>(from.offset) +
           static_cast<std::uint64_t>(static_cast<std::int64_t>(std::rint(along)));
}

bool firstTick(const Anchor& anchor, std::uint64_t location, ClockOffsets offsets, std::uint64_t& tick) {
    const std::filesystem::path path = anchor.fileOf(location, ".evt");
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    struct First {
        bool found = false;
        std::uint64_t tick = 0;
    } first;
    ChunkedFile file{path, anchor.eventChunk};
    Cursor chunk;
    if (!file.peek(chunk, 64)) return false;
    for (; !chunk.atEnd() && !first.found;) {
        const std::uint8_t kind = chunk.byte();
        if (kind == mark::timestamp) {
            first.tick = chunk.full64();
            first.found = !chunk.broken();
        } else if (kind == mark::attributes) {
            chunk.record();
        } else if (kind != mark::endOfBuffer) {
            break;
        }
    }
    if (!first.found) return false;
    LocalDefinitions local;
    if (offsets == ClockOffsets::applied) local = readLocalDefinitions(anchor, location);
    tick = local.offsets.empty() ? first.tick : OffsetLine{local.offsets}(first.tick);
    return true;
}

LocationEvents readLocation(const Reading& reading, std::size_t location, std::atomic<std::uint64_t>& loaded,
                            const engine::Progress& progress) {
    if (!reading.files[location].events) return LocationEvents{};
    const std::uint64_t id = reading.world.locations[location].id;
    LocalDefinitions local = readLocalDefinitions(reading.anchor, id);
    if (reading.offsets == ClockOffsets::leftOut) local.offsets.clear();
    const std::filesystem::path path = reading.anchor.fileOf(id, ".evt");
    ChunkedFile file{path, reading.anchor.eventChunk};
    Tally tally{reading, location, local};
    Ending ending = Ending::cutOff;
    Cursor chunk;
    std::uint64_t before = 0;
    for (bool more = true; more && file.next(chunk);) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        more = tellRecords(chunk, tally, ending);
        loaded += file.loaded() - before;
        before = file.loaded();
    }
    LocationEvents all = tally.finish(ending);
    all.there = true;
    all.offsets = local.offsets;
    all.localDefinitionsThere = local.there;
    all.localDefinitionsDamaged = local.there && !local.whole;
    return all;
}

}  // namespace traces::reading
