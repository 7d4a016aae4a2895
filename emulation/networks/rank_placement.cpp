// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/rank_placement.hpp"

#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace emulation {
namespace {

using Places = std::vector<std::int32_t>;

constexpr std::string_view behind = " placement=";                    // in names of networks
constexpr std::int64_t mostBytesOfPlacement = std::int64_t{1} << 28;  // of a file

/// A network seen from ranks that stand elsewhere on it, some of its places perhaps free.
class Placed final : public Network {
public:
    /// `network` has a rank on every place.
    Placed(NetworkPtr network, Places places, std::string name)
        : network_{std::move(network)},
          name_{std::move(name)},
          ranks_{static_cast<std::int32_t>(places.size())},
          nodeAt_(engine::asSize(network_->ranks()), -1) {
        for (std::size_t rank = 0; rank < places.size(); ++rank)
            nodeAt_[engine::asSize(places[rank])] = static_cast<std::int32_t>(rank);
        for (std::size_t place = 0; place < nodeAt_.size(); ++place)
            if (nodeAt_[place] < 0) {
                nodeAt_[place] = static_cast<std::int32_t>(places.size());
                places.push_back(static_cast<std::int32_t>(place));
            }
        places_ = std::make_shared<const Places>(std::move(places));
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t places() const override { return network_->ranks(); }
    [[nodiscard]] std::int32_t placeOf(std::int32_t node) const override { return (*places_)[engine::asSize(node)]; }
    [[nodiscard]] std::int32_t links() const override { return network_->links(); }
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        network_->route(at(*places_, from), at(*places_, to), out);
    }
    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        const LinkEnds there = network_->ends(link);
        return {nodeAt(there.from), nodeAt(there.to)};
    }
    [[nodiscard]] std::optional<LinkQuality> quality(LinkId link) const override { return network_->quality(link); }
    [[nodiscard]] std::optional<engine::Picoseconds> startup(Rank from, Rank to) const override {
        return network_->startup(at(*places_, from), at(*places_, to));
    }
    [[nodiscard]] bool oneAtATime(LinkId link) const override { return network_->oneAtATime(link); }
    [[nodiscard]] LinkQuality least(LinkQuality ofModel) const override { return network_->least(ofModel); }
    [[nodiscard]] engine::Wiring wiring() const override {
        const engine::Wiring there = network_->wiring();
        if (there.kind() == engine::Wiring::Kind::any) return there;
        return engine::Wiring::named(name_, [there, places = places_](Rank a, Rank b) {
            return there.adjacent(at(*places, a), at(*places, b));
        });
    }
    [[nodiscard]] std::vector<int> shape() const override { return network_->shape(); }
    [[nodiscard]] std::int32_t rowOf(Rank rank) const override { return network_->rowOf(at(*places_, rank)); }
    [[nodiscard]] std::string nodeName(std::int32_t node) const override {
        return node < places() ? Network::nodeName(node) : network_->nodeName(node);
    }

private:
    static Rank at(const Places& places, Rank rank) { return Rank{places[rank.index()]}; }
    [[nodiscard]] std::int32_t nodeAt(std::int32_t node) const {
        return node < places() ? nodeAt_[engine::asSize(node)] : node;
    }

    NetworkPtr network_;
    std::string name_;
    std::int32_t ranks_;
    std::shared_ptr<const Places> places_;  // of every rank, then the free ones
    Places nodeAt_;                         // on every place
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

/// Rank r on place floor(r * places / ranks).
Places spread(std::int64_t places, std::int64_t ranks) {
    Places spread;
    for (std::int64_t rank = 0; rank < ranks; ++rank)
        spread.push_back(static_cast<std::int32_t>(rank * places / ranks));
    return spread;
}

/// Fisher and Yates; no distribution of the standard library, because those differ from one to the other.
Places shuffled(std::int32_t ranks, std::uint64_t seed) {
    Places places(engine::asSize(ranks));
    std::iota(places.begin(), places.end(), 0);
    std::mt19937_64 random{seed};
    for (std::size_t left = places.size(); left > 1; --left) std::swap(places[left - 1], places[random() % left]);
    return places;
}

/// The numbers in the file, each below `places`, or openPlaces where that is everyPlace.
Places fromFile(const std::string& path, std::int32_t places, std::int32_t ranks) {
    const std::string what = engine::text(engine::field::placement, " @", path);
    const std::string words =
        engine::contentOf(path, mostBytesOfPlacement, engine::text(what, ": cannot read the file"));
    const std::int64_t last = (places == everyPlace ? std::max(openPlaces, ranks) : places) - 1;
    Places found;
    std::vector<std::pair<std::int32_t, std::int64_t>> lineOf;  // by place
    engine::eachLine(words, what, engine::Comments::anywhere, [&](std::string_view line, std::int64_t number) {
        for (const std::string& word : engine::wordsOfLine(line)) {
            const std::int64_t place = engine::readInteger(word, "place", 0, std::numeric_limits<std::int64_t>::max());
            if (place > last)
                throw engine::Error{engine::text("place ", place, " is too large; the largest place ",
                                                 places == everyPlace ? "of a network of open size is " : "is ", last)};
            found.push_back(static_cast<std::int32_t>(place));
            lineOf.emplace_back(found.back(), number);
        }
    });
    std::ranges::sort(lineOf);
    const auto twice = std::ranges::adjacent_find(lineOf, {}, &std::pair<std::int32_t, std::int64_t>::first);
    if (twice != lineOf.end())
        throw engine::Error{
            engine::text(what, ':', std::next(twice)->second, ": place ", twice->first, " is given to two ranks")};
    if (std::cmp_not_equal(found.size(), ranks))
        throw engine::Error{engine::text(what, " names ", found.size(), " places, but there are ", ranks, " ranks")};
    return found;
}

}  // namespace

std::vector<std::int32_t> placesOf(const Network& network, std::string_view specification, std::int32_t ranks) {
    const auto first = [ranks](Places places) {
        places.resize(engine::asSize(ranks));
        return places;
    };
    if (specification.starts_with('@')) return fromFile(std::string{specification.substr(1)}, network.ranks(), ranks);
    constexpr std::string_view random = "random:";
    if (specification.starts_with(random)) {
        const auto seed =
            engine::readInteger(specification.substr(random.size()), engine::text(engine::field::placement, " random"),
                                0, std::numeric_limits<std::int64_t>::max());
        return first(shuffled(network.ranks(), static_cast<std::uint64_t>(seed)));
    }
    if (specification == "round-robin") return first(roundRobin(network));
    if (specification == "snake") return first(snake(network));
    if (specification == "spread") return spread(network.ranks(), ranks);
    if (specification == "block") return spread(ranks, ranks);
    if (specification == "random")
        throw engine::Error{engine::text(engine::field::placement, " random needs a seed, for example ",
                                         engine::field::placement, " random:1")};
    const std::string hint = engine::didYouMean(specification, {placementNames.begin(), placementNames.end()});
    throw engine::Error{
        engine::text(engine::field::placement, ": unknown placement '", specification, "'",
                     hint.empty() ? "; it is block, round-robin, snake, spread, random:SEED or @FILE" : hint)};
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

NetworkPtr placed(const PlacedName& name, std::int32_t ranks) {
    if (const auto second = name.placement.find(behind); second != std::string_view::npos)
        throw engine::Error{engine::text(engine::field::topology, ' ', name.network, behind,
                                         name.placement.substr(0, second), " has a placement; leave ",
                                         engine::field::placement, ' ', name.placement.substr(second + behind.size()),
                                         " out")};
    NetworkPtr network = makeNetwork(name.network, everyPlace);
    if (network == nullptr) {
        std::int32_t places = ranks;
        if (ranks != everyPlace && name.placement.starts_with('@')) {
            const Places named = fromFile(std::string{name.placement.substr(1)}, everyPlace, ranks);
            places = std::max(places, std::ranges::max(named) + 1);
        }
        network = makeNetwork(name.network, places);
        if (network == nullptr) return nullptr;
    }
    if (ranks == everyPlace) ranks = network->ranks();
    if (network->ranks() < ranks) return makeNetwork(name.network, ranks);  // throws, and names a size that fits
    Places places = placesOf(*network, name.placement, ranks);
    if (std::cmp_equal(places.size(), network->ranks()) && std::ranges::is_sorted(places)) return network;
    std::string full = toText(PlacedName{network->name(), name.placement});
    return std::make_shared<const Placed>(std::move(network), std::move(places), std::move(full));
}

}  // namespace emulation
