// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/location_bytes.hpp"

#include "engine/error.hpp"

#include <cstring>
#include <type_traits>

namespace traces::reading {
namespace {

/// Calls `each` with every member, in one order for both directions.
template <class Events, class Each>
void members(Events& e, Each each) {
    each(e.begin), each(e.end), each(e.region), each(e.depth), each(e.open);
    each(e.sends), each(e.receives), each(e.ownSends), each(e.ownReceives), each(e.parts), each(e.metrics);
    each(e.unfinished), each(e.gaps), each(e.calls), each(e.communicated), each(e.offsets);
    each(e.counts), each(e.events), each(e.disorder), each(e.unbalanced), each(e.strangeMetrics), each(e.first),
        each(e.last);
    each(e.ending), each(e.there), each(e.localDefinitionsDamaged), each(e.localDefinitionsThere);
}

class Writer {
public:
    template <class T>
    void operator()(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T>);
        (*this)(static_cast<std::uint64_t>(values.size()));
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    template <class T>
    void operator()(const Growing<T>& values) {
        each(values);
    }
    template <class T>
    void operator()(const Blocks<T>& values) {
        each(values);
    }
    void operator()(const std::vector<MetricEvents>& all) {
        (*this)(static_cast<std::uint64_t>(all.size()));
        for (const MetricEvents& one : all) (*this)(one.set), each(one.time), each(one.values);
    }
    std::string finish() { return std::move(bytes_); }

private:
    template <class Values>
    void each(const Values& values) {
        (*this)(static_cast<std::uint64_t>(values.size()));
        for (std::size_t i = 0; i < values.size(); ++i) (*this)(values[i]);
    }

    std::string bytes_;
};

class Unpacking {
public:
    Unpacking(std::string_view bytes, Storage* storage) : bytes_{bytes}, storage_{storage} {}

    template <class T>
    void operator()(T& value) {
        const std::string_view from = next(sizeof value);
        std::memcpy(static_cast<void*>(&value), from.data(), from.size());
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        const std::string_view from = next(count<T>());
        values.resize(from.size() / sizeof(T));
        if (!from.empty()) std::memcpy(static_cast<void*>(values.data()), from.data(), from.size());
    }
    template <class T>
    void operator()(Growing<T>& values) {
        each<T>(values);
    }
    template <class T>
    void operator()(Blocks<T>& values) {
        each<T>(values);
    }
    void operator()(std::vector<MetricEvents>& all) {
        for (std::size_t left = count<char>(); left > 0; --left) {
            MetricEvents& one =
                all.emplace_back(MetricEvents{0, Growing<Picoseconds>{storage_}, Growing<double>{storage_}});
            (*this)(one.set), (*this)(one.time), (*this)(one.values);
        }
    }
    [[nodiscard]] bool atEnd() const { return bytes_.empty(); }

private:
    template <class T, class Values>
    void each(Values& values) {
        const std::string_view from = next(count<T>());
        for (std::size_t at = 0; at < from.size(); at += sizeof(T)) {
            T value;
            std::memcpy(static_cast<void*>(&value), from.data() + at, sizeof(T));
            values.push_back(value);
        }
    }
    template <class T>
    std::size_t count() {
        std::uint64_t values = 0;
        (*this)(values);
        ENSURE(values <= bytes_.size() / sizeof(T), "the bytes of a location end early");
        return engine::asSize(values) * sizeof(T);
    }
    std::string_view next(std::size_t length) {
        ENSURE(length <= bytes_.size(), "the bytes of a location end early");
        const std::string_view part = bytes_.substr(0, length);
        bytes_.remove_prefix(length);
        return part;
    }

    std::string_view bytes_;
    Storage* storage_;
};

}  // namespace

std::string toBytes(const LocationEvents& events) {
    Writer writer;
    members(events, [&](const auto& member) { writer(member); });
    return writer.finish();
}

LocationEvents locationFrom(std::string_view bytes, Storage* storage) {
    LocationEvents events{storage};
    Unpacking unpacking{bytes, storage};
    members(events, [&](auto& member) { unpacking(member); });
    ENSURE(unpacking.atEnd(), "the bytes of a location go on after its end");
    return events;
}

}  // namespace traces::reading
