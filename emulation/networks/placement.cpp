// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/placement.hpp"

#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

namespace emulation {
namespace {

using Places = std::vector<std::int32_t>;

constexpr std::string_view behind = " placement=";          // in names of networks
constexpr std::int64_t mostPlaces = std::int64_t{1} << 28;  // bytes of a file

/// A network seen from ranks that stand elsewhere on it.
class Placed final : public Network {
public:
    Placed(NetworkPtr network, Places places, std::string name)
        : network_{std::move(network)}, name_{std::move(name)}, rankAt_(places.size()) {
        for (std::size_t rank = 0; rank < places.size(); ++rank)
            rankAt_[engine::asSize(places[rank])] = static_cast<std::int32_t>(rank);
        places_ = std::make_shared<const Places>(std::move(places));
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return network_->ranks(); }
    [[nodiscard]] std::int32_t links() const override { return network_->links(); }
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        network_->route(placeOf(*places_, from), placeOf(*places_, to), out);
    }
    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        const LinkEnds there = network_->ends(link);
        return {nodeAt(there.from), nodeAt(there.to)};
    }
    [[nodiscard]] std::optional<LinkQuality> quality(LinkId link) const override { return network_->quality(link); }
    [[nodiscard]] std::optional<engine::Picoseconds> startup(Rank from, Rank to) const override {
        return network_->startup(placeOf(*places_, from), placeOf(*places_, to));
    }
    [[nodiscard]] bool oneAtATime(LinkId link) const override { return network_->oneAtATime(link); }
    [[nodiscard]] LinkQuality least(LinkQuality ofModel) const override { return network_->least(ofModel); }
    [[nodiscard]] engine::Wiring wiring() const override {
        const engine::Wiring there = network_->wiring();
        if (there.kind() == engine::Wiring::Kind::any) return there;
        return engine::Wiring::named(name_, [there, places = places_](Rank a, Rank b) {
            return there.adjacent(placeOf(*places, a), placeOf(*places, b));
        });
    }
    [[nodiscard]] std::vector<int> shape() const override { return network_->shape(); }
    [[nodiscard]] std::int32_t rowOf(Rank rank) const override { return network_->rowOf(placeOf(*places_, rank)); }
    [[nodiscard]] std::string nodeName(std::int32_t node) const override {
        return node < ranks() ? engine::text(node) : network_->nodeName(node);
    }

private:
    static Rank placeOf(const Places& places, Rank rank) { return Rank{places[rank.index()]}; }
    [[nodiscard]] std::int32_t nodeAt(std::int32_t place) const {
        return place < ranks() ? rankAt_[engine::asSize(place)] : place;
    }

    NetworkPtr network_;
    std::string name_;
    std::shared_ptr<const Places> places_;  // of every rank
    Places rankAt_;                         // on every place
};

/// The places of every row, rising.
std::vector<Places> rowsOf(const Network& network) {
    std::vector<Places> rows;
    for (Rank place{0}; place.value < network.ranks(); ++place) {
        const std::size_t row = engine::asSize(network.rowOf(place));
        if (rows.size() <= row) rows.resize(row + 1);
        rows[row].push_back(place.value);
    }
    return rows;
}

/// Column by column: the first place of every row, then the second, ...
Places roundRobin(const Network& network) {
    const std::vector<Places> rows = rowsOf(network);
    Places places;
    for (std::size_t column = 0; places.size() < engine::asSize(network.ranks()); ++column)
        for (const Places& row : rows)
            if (column < row.size()) places.push_back(row[column]);
    return places;
}

/// Whether every row but the last one is as long as the shape says.
bool hasEvenRows(const std::vector<Places>& rows, int length) {
    return std::all_of(rows.begin(), rows.empty() ? rows.end() : rows.end() - 1,
                       [&](const Places& row) { return row.size() == engine::asSize(length); });
}

/// Along the first row, back along the second, ...
Places snakeAlong(std::vector<Places> rows) {
    Places places;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (row % 2 == 1) std::ranges::reverse(rows[row]);
        places.insert(places.end(), rows[row].begin(), rows[row].end());
    }
    return places;
}

/// Counting in which a digit runs back where the digits above it are odd together: one step changes one digit by one.
Places snake(const Network& network) {
    const std::vector<int> lengths = network.shape();
    if (std::vector<Places> rows = rowsOf(network); !hasEvenRows(rows, lengths.back()))
        return snakeAlong(std::move(rows));
    std::int64_t all = 1;
    for (const int length : lengths) all *= length;
    Places places;
    for (std::int64_t count = 0; count < all; ++count) {
        std::int64_t below = all;
        std::int64_t place = 0;
        std::int64_t above = 0;  // sum of the digits of `place` so far
        for (const int length : lengths) {
            below /= length;
            const std::int64_t digit = count / below % length;
            const std::int64_t turned = above % 2 == 0 ? digit : length - 1 - digit;
            place = place * length + turned;
            above += turned;
        }
        if (place < network.ranks()) places.push_back(static_cast<std::int32_t>(place));
    }
    return places;
}

/// Fisher and Yates; no distribution of the standard library, because those differ from one to the other.
Places shuffled(std::int32_t ranks, std::uint64_t seed) {
    Places places(engine::asSize(ranks));
    std::iota(places.begin(), places.end(), 0);
    std::mt19937_64 random{seed};
    for (std::size_t left = places.size(); left > 1; --left) std::swap(places[left - 1], places[random() % left]);
    return places;
}

Places fromFile(const std::string& path, std::int32_t ranks) {
    std::istringstream file{engine::contentOf(
        path, mostPlaces, engine::text(engine::field::placement, " @", path, ": the file cannot be read"))};
    const std::string what = engine::text(engine::field::placement, " @", path);
    Places places;
    std::vector<bool> taken(engine::asSize(ranks));
    for (std::string line; std::getline(file, line);) {
        std::istringstream words{line.substr(0, line.find('#'))};
        for (std::string word; words >> word;) {
            const auto place = static_cast<std::int32_t>(engine::readInteger(word, what, 0, ranks - 1));
            if (taken[engine::asSize(place)])
                throw engine::Error{engine::text(what, ": place ", place, " is given to two ranks")};
            taken[engine::asSize(place)] = true;
            places.push_back(place);
        }
    }
    if (places.size() != taken.size())
        throw engine::Error{engine::text(what, " names ", places.size(), " places, but there are ", ranks, " ranks")};
    return places;
}

}  // namespace

Places placesOf(const Network& network, std::string_view specification) {
    if (specification.starts_with('@')) return fromFile(std::string{specification.substr(1)}, network.ranks());
    constexpr std::string_view random = "random:";
    if (specification.starts_with(random)) {
        const auto seed =
            engine::readInteger(specification.substr(random.size()), engine::text(engine::field::placement, " random"),
                                0, std::numeric_limits<std::int64_t>::max());
        return shuffled(network.ranks(), static_cast<std::uint64_t>(seed));
    }
    if (specification == "round-robin") return roundRobin(network);
    if (specification == "snake") return snake(network);
    if (specification == "block") {
        Places places(engine::asSize(network.ranks()));
        std::iota(places.begin(), places.end(), 0);
        return places;
    }
    if (specification == "random")
        throw engine::Error{engine::text(engine::field::placement, " random needs a seed, for example ",
                                         engine::field::placement, " random:1")};
    const std::string hint = engine::didYouMean(specification, {placementNames.begin(), placementNames.end()});
    throw engine::Error{engine::text(engine::field::placement, ": unknown placement '", specification, "'",
                                     hint.empty() ? "; it is block, round-robin, snake, random:SEED or @FILE" : hint)};
}

std::string toText(const PlacedName& name) {
    return name.placement.empty() ? std::string{name.network} : engine::text(name.network, behind, name.placement);
}

// The name of a network may hold blanks and signs of equality: it ends where it says where ranks stand.
PlacedName placedNameFrom(std::string_view name) {
    const auto at = name.find(behind);
    if (at == std::string_view::npos) return {name, {}};
    return {name.substr(0, at), name.substr(at + behind.size())};
}

NetworkPtr placed(NetworkPtr network, std::string_view specification) {
    Places places = placesOf(*network, specification);
    if (std::is_sorted(places.begin(), places.end())) return network;
    std::string name = toText(PlacedName{network->name(), specification});
    return std::make_shared<const Placed>(std::move(network), std::move(places), std::move(name));
}

}  // namespace emulation
