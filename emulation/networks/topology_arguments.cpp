// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emulation {
namespace {

/// A network whose links are all of one kind.
class EvenLinks final : public Network {
public:
    EvenLinks(NetworkPtr network, LinkQuality quality, std::string name)
        : network_{std::move(network)}, quality_{quality}, name_{std::move(name)} {}

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return network_->ranks(); }
    [[nodiscard]] std::int32_t places() const override { return network_->places(); }
    [[nodiscard]] std::int32_t links() const override { return network_->links(); }
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override { network_->route(from, to, out); }
    [[nodiscard]] std::shared_ptr<const Lines> lines() const override { return network_->lines(); }
    [[nodiscard]] LinkEnds ends(LinkId link) const override { return network_->ends(link); }
    [[nodiscard]] std::optional<LinkQuality> quality(LinkId link) const override {
        const std::optional<LinkQuality> own = network_->quality(link);
        return own ? own : quality_;
    }
    [[nodiscard]] std::optional<engine::Picoseconds> startup(Rank from, Rank to) const override {
        return network_->startup(from, to);
    }
    [[nodiscard]] bool oneAtATime(LinkId link) const override { return network_->oneAtATime(link); }
    [[nodiscard]] LinkQuality least(LinkQuality ofModel) const override {
        return network_->least({ofModel.latency, quality_.beta});
    }
    [[nodiscard]] engine::Wiring wiring() const override { return network_->wiring(); }
    [[nodiscard]] std::vector<int> shape() const override { return network_->shape(); }
    [[nodiscard]] std::int32_t rowOf(Rank rank) const override { return network_->rowOf(rank); }
    [[nodiscard]] std::string nodeName(std::int32_t node) const override { return network_->nodeName(node); }

private:
    NetworkPtr network_;
    LinkQuality quality_;
    std::string name_;
};

}  // namespace

std::optional<std::string> Arguments::option(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? std::nullopt : std::optional{found->second};
}

std::int32_t Arguments::number(const std::string& words, std::int64_t low, std::int64_t high) const {
    return static_cast<std::int32_t>(engine::readInteger(words, where, low, high, example));
}

Arguments readArguments(std::string_view kind, std::string_view words, std::size_t sizes, std::string_view example,
                        std::initializer_list<std::string_view> known) {
    Arguments arguments;
    arguments.where = engine::text(engine::field::topology, " ", kind);
    arguments.example = example;
    if (!words.empty()) {
        const std::vector<std::string> names{known.begin(), known.end()};
        for (const std::string& part : engine::split(words, ',')) {
            const auto sign = part.find('=');
            if (sign == std::string::npos) {
                arguments.sizes.push_back(part);
                continue;
            }
            const std::string name = part.substr(0, sign);
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                const std::string hint = engine::didYouMean(name, names);
                throw engine::Error{engine::text(arguments.where, ": unknown option '", name, "'",
                                                 hint.empty() ? engine::text("; write for example ", example) : hint)};
            }
            if (!arguments.options.emplace(name, part.substr(sign + 1)).second)
                throw engine::Error{engine::text(arguments.where, ": option '", name, "' is given twice")};
        }
    }
    if (sizes == atLeastOne ? arguments.sizes.empty() : arguments.sizes.size() != sizes) {
        if (sizes == 0)
            throw engine::Error{
                engine::text(arguments.where, " takes no sizes; write ", engine::field::topology, " ", example)};
        const std::size_t given = arguments.sizes.size();
        throw engine::Error{engine::text(
            arguments.where,
            sizes == 1 || sizes == atLeastOne ? " needs a size" : engine::text(" needs ", sizes, " numbers"),
            ", such as ", example, given == 0 ? std::string{} : engine::text("; '", words, "' has ", given))};
    }
    if (!words.empty()) arguments.where += engine::text(":", words);
    return arguments;
}

std::int32_t requirePlaces(const std::string& where, std::int64_t places, std::int32_t ranks, Fill fill,
                           const std::string& fitting) {
    if (ranks == everyPlace) {
        if (places > std::numeric_limits<std::int32_t>::max())
            throw engine::Error{engine::text(where, " has more than 2^31-1 places; choose a smaller network")};
        return static_cast<std::int32_t>(places);
    }
    if (places == ranks || (fill == Fill::atMost && places > ranks)) return ranks;
    throw engine::Error{
        engine::text(where, " has ", places, " places, but there are ", ranks, " ranks",
                     fitting.empty() ? "" : "; " + fitting + " would fit",
                     places > ranks ? engine::text("; ", engine::field::placement, " block leaves places free") : "")};
}

void requireLinks(const std::string& where, __int128 links) {
    if (links > std::numeric_limits<std::int32_t>::max())
        throw engine::Error{engine::text(where, " has more than 2^31-1 links; choose a smaller network")};
}

std::vector<int> balanced(std::int32_t product, std::size_t count) {
    std::vector<int> factors;
    for (; count > 1; --count) {
        // The largest divisor that is not above the root of what is left.
        std::int32_t divisor = 1;
        for (std::int32_t d = 1; std::pow(d, static_cast<double>(count)) <= product + 0.5; ++d)
            if (product % d == 0) divisor = d;
        factors.push_back(divisor);
        product /= divisor;
    }
    factors.push_back(product);
    std::sort(factors.rbegin(), factors.rend());
    return factors;
}

std::string squarest(std::string_view kind, std::int32_t ranks) {
    std::vector<int> lengths = balanced(ranks, 2);
    if (lengths.back() == 1) lengths.pop_back();
    return engine::text(kind, ':', engine::showDimensions(lengths));
}

LinkQuality readQuality(std::string_view words, std::string_view what) {
    const auto plus = words.find('+');
    if (plus == std::string_view::npos)
        throw engine::Error{
            engine::text(what, ": '", words, "' is no startup and time per byte; write for example 1us+0.8ns/B")};
    return {engine::readTime(words.substr(0, plus), what), engine::readRate(words.substr(plus + 1), what)};
}

NetworkPtr withLinks(NetworkPtr network, LinkQuality quality, const std::string& words) {
    if (network->links() == 0)
        throw engine::Error{
            engine::text(engine::field::topology, " ", network->name(), " has no links to share; leave link= out")};
    std::string name = network->name();
    name += engine::text(name.find(':') == std::string::npos ? ':' : ',', "link=", words);
    return std::make_shared<const EvenLinks>(std::move(network), quality, std::move(name));
}

}  // namespace emulation
