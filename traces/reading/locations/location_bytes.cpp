// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/location_bytes.hpp"

#include "engine/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

namespace traces::reading {
namespace {

/// Calls `each` with every member, in one order for both directions.
template <class Events, class Each>
void members(Events& e, Each each) {
    each(e.begin), each(e.end), each(e.region), each(e.depth), each(e.notices), each(e.open);
    each(e.sends), each(e.receives), each(e.ownSends), each(e.ownReceives), each(e.parts), each(e.metrics);
    each(e.insideSends), each(e.insideReceives), each(e.insideCalls);
    each(e.unfinished), each(e.gaps), each(e.calls), each(e.communicated), each(e.offsets);
    each(e.counts), each(e.events), each(e.disorder), each(e.unbalanced), each(e.strangeMetrics), each(e.first),
        each(e.last);
    each(e.ending), each(e.there), each(e.localDefinitionsDamaged), each(e.localDefinitionsThere);
}

/// What stands before values, which follow those of the same member that were told before.
struct Head {
    std::uint32_t member = 0;  ///< as `members` counts them
    std::uint32_t part = 0;    ///< of metrics: three for each set, its number, its times, its values
    std::uint64_t bytes = 0;
};

constexpr std::size_t bytesAtOnce = std::size_t{1} << 20;

class Writer {
public:
    explicit Writer(const std::function<void(std::string_view)>& tell) : tell_{tell} {}

    template <class T>
    void operator()(const T& value) {
        run(std::span{&value, 1});
        ++head_.member;
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        run(std::span{values});
        ++head_.member;
    }
    template <class T>
    void operator()(const Growing<T>& values) {
        run(values.span());
        ++head_.member;
    }
    template <class T>
    void operator()(const Blocks<T>& values) {
        for (std::size_t at = 0; at < values.size();) {
            const std::span<const T> block = values.blockAt(at);
            run(block);
            at += block.size();
        }
        ++head_.member;
    }
    void operator()(const std::vector<MetricEvents>& all) {
        for (const MetricEvents& one : all) {
            run(std::span{&one.set, 1});
            ++head_.part;
            run(one.time.span());
            ++head_.part;
            run(one.values.span());
            ++head_.part;
        }
        head_.part = 0;
        ++head_.member;
    }

    void finish() {
        if (!piece_.empty()) tell_(piece_);
        piece_.clear();
    }

private:
    template <class T>
    void run(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        constexpr std::size_t most = bytesAtOnce / sizeof(T);
        while (!values.empty()) {
            const std::span<const T> some = values.first(std::min(most, values.size()));
            values = values.subspan(some.size());
            head_.bytes = some.size_bytes();
            piece_.append(reinterpret_cast<const char*>(&head_), sizeof head_);
            piece_.append(reinterpret_cast<const char*>(some.data()), some.size_bytes());
            if (piece_.size() >= bytesAtOnce) finish();
        }
    }

    const std::function<void(std::string_view)>& tell_;
    Head head_;
    std::string piece_;
};

/// Adds the values behind one head to the member that it names.
class Taking {
public:
    Taking(const Head& head, std::string_view bytes, Storage* storage)
        : head_{head}, bytes_{bytes}, storage_{storage} {}

    template <class T>
    void operator()(T& member) {
        if (at_++ == head_.member) take(member);
    }
    [[nodiscard]] bool taken() const { return head_.member < at_; }

private:
    template <class T>
    void take(T& value) {
        ENSURE(bytes_.size() == sizeof value, "the bytes of a location are not whole");
        std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof value);
    }
    template <class T>
    void take(std::vector<T>& values) {
        add<T>(values);
    }
    template <class T>
    void take(Growing<T>& values) {
        add<T>(values);
    }
    template <class T>
    void take(Blocks<T>& values) {
        add<T>(values);
    }
    void take(std::vector<MetricEvents>& all) {
        const std::size_t set = head_.part / 3;
        ENSURE(set <= all.size(), "the bytes of a location have come in another order");
        if (set == all.size()) all.push_back({0, Growing<Picoseconds>{storage_}, Growing<double>{storage_}});
        if (head_.part % 3 == 0) take(all[set].set);
        else if (head_.part % 3 == 1) add<Picoseconds>(all[set].time);
        else add<double>(all[set].values);
    }

    template <class T, class Values>
    void add(Values& values) {
        ENSURE(bytes_.size() % sizeof(T) == 0, "the bytes of a location are not whole");
        const std::size_t count = bytes_.size() / sizeof(T);
        if constexpr (std::is_same_v<Values, std::vector<T>>) {
            values.resize(values.size() + count);
            if (count > 0)
                std::memcpy(static_cast<void*>(&values[values.size() - count]), bytes_.data(), bytes_.size());
        } else {
            values.append(bytes_.data(), count);
        }
    }

    Head head_;
    std::string_view bytes_;
    Storage* storage_;
    std::uint32_t at_ = 0;
};

}  // namespace

void tellBytes(const LocationEvents& events, const std::function<void(std::string_view)>& tell) {
    Writer writer{tell};
    members(events, [&](const auto& member) { writer(member); });
    writer.finish();
}

void Arriving::take(std::string_view piece) {
    while (!piece.empty()) {
        Head head;
        ENSURE(piece.size() >= sizeof head, "the bytes of a location end early");
        std::memcpy(&head, piece.data(), sizeof head);
        piece.remove_prefix(sizeof head);
        ENSURE(head.bytes <= piece.size(), "the bytes of a location end early");
        Taking taking{head, piece.substr(0, engine::asSize(head.bytes)), storage_};
        members(events_, [&](auto& member) { taking(member); });
        ENSURE(taking.taken(), "the bytes of a location are of something else");
        piece.remove_prefix(engine::asSize(head.bytes));
    }
}

}  // namespace traces::reading
