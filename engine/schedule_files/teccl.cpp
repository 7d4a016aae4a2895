// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/teccl.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/flow_schedule.hpp"
#include "engine/schedule_files/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace engine::schedules::teccl {
namespace {

constexpr std::int64_t mostNodes = 1 << 16;
constexpr std::int64_t mostNumber = 1 << 30;

/// Reads a sentence word by word.
class Sentence {
public:
    Sentence(std::string_view words, const JsonText& in, std::size_t at)
        : words_{words}, rest_{words}, in_{in}, at_{at} {}

    [[noreturn]] void refuse() const {
        in_.refuse(at_, text("\"", words_.substr(0, 80), "\" is no sentence of TE-CCL"));
    }
    bool says(std::string_view phrase) {
        if (!rest_.starts_with(phrase)) return false;
        rest_.remove_prefix(phrase.size());
        return true;
    }
    void expect(std::string_view phrase) {
        if (!says(phrase)) refuse();
    }
    std::int64_t number(std::int64_t most) {
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (code != std::errc{} || value < 0 || value > most) refuse();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    std::string_view until(std::string_view phrase) {
        const std::size_t end = rest_.find(phrase);
        if (end == std::string_view::npos) refuse();
        const std::string_view part = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return part;
    }
    [[nodiscard]] bool atEnd() const { return rest_.empty(); }

private:
    std::string_view words_;
    std::string_view rest_;
    const JsonText& in_;
    std::size_t at_;
};

/// A chunk of a node: by the node that it starts from and its number there.
using Piece = std::pair<std::int64_t, std::int64_t>;

struct Travel {
    Piece piece;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t epoch = 0;
};

/// Whether a volume is that of a whole chunk, as nearly as solvers are exact.
bool isWhole(std::string_view volume) {
    double value = 0;
    const char* const last = volume.data() + volume.size();
    const auto [end, code] = std::from_chars(volume.data(), last, value);
    return code == std::errc{} && end == last && std::abs(value - 1) <= 1e-6;
}

class Reader {
public:
    Reader(std::string_view content, std::string_view file) : in_{content, std::string{file}}, file_{file} {}

    Stored read() {
        in_.object("a result", [&](std::string_view key) {
            if (key == "7-Flows" || key == "6-Flows") in_.array("the flows", [&] { flow(); });
            else if (key == "8-Chunk paths" || key == "7-chunk paths")
                in_.object("the chunk paths", [&](std::string_view demand) {
                    wanted(demand);
                    in_.skip();
                });
            else in_.skip();
        });
        in_.end();
        if (travels_.empty()) throw Error{text(file_, ": a result of TE-CCL without flows")};
        if (demands_.empty())
            throw Error{text(file_, ": a result of TE-CCL without chunk paths, so that it is unknown who needs what")};
        numberRanks();
        return demands_.size() == wants_.size() ? alltoall() : allgather();
    }

private:
    std::int64_t node(Sentence& words) { return words.number(mostNodes); }

    void flow() {
        const std::size_t at = in_.here();
        const std::string all = in_.word("a flow");
        Sentence words{all, in_, at};
        Travel travel;
        words.expect("Chunk ");
        travel.piece.second = words.number(mostNumber);
        words.expect(" from ");
        travel.piece.first = node(words);
        words.expect(" traveled over ");
        travel.from = node(words);
        words.expect("->");
        travel.to = node(words);
        if (words.says(" with volume "))
            if (const std::string_view volume = words.until(" "); !isWhole(volume))
                in_.refuse(at, text("a flow has the volume ", volume.substr(0, 40),
                                    " of a chunk; schedules are read only if chunks travel whole, since which part "
                                    "travels is not stated"));
        words.expect(" in epoch ");
        travel.epoch = words.number(mostNumber);
        if (words.says(" via switches "))
            while (!words.atEnd()) {
                switches_.insert(node(words));
                while (words.says(",") || words.says(" ") || words.says("->")) continue;
            }
        if (!words.atEnd()) words.refuse();
        ends_.insert({travel.from, travel.to, travel.piece.first});
        if (travel.from == travel.to) in_.refuse(at, text("node ", travel.from, " sends to itself"));
        travels_.push_back(travel);
    }

    void wanted(std::string_view demand) {
        Sentence words{demand, in_, in_.here()};
        words.expect("Demand at ");
        const std::int64_t by = node(words);
        words.expect(" for chunk ");
        const std::int64_t chunk = words.number(mostNumber);
        words.expect(" from ");
        const std::int64_t from = node(words);
        ends_.insert({by, from});
        demands_.emplace(Piece{from, chunk}, by);
        wants_.insert({from, chunk});
    }

    void numberRanks() {
        std::string names;
        const std::int64_t last = std::max(*ends_.rbegin(), switches_.empty() ? 0 : *switches_.rbegin());
        for (std::int64_t one = 0; one <= last; ++one) {
            if (switches_.contains(one) && !ends_.contains(one)) names += text(names.empty() ? "" : ", ", one);
            else ranks_.emplace(one, static_cast<std::int32_t>(ranks_.size()));
        }
        if (!names.empty())
            remark_ = text("switches, not ranks: nodes ", names, "; the other ", ranks_.size(), " nodes are ranks");
    }

    [[nodiscard]] Stored finished(Collective collective, std::int64_t chunks,
                                  const std::function<std::int64_t(const Travel&)>& chunkOf) const {
        const auto n = static_cast<std::int32_t>(ranks_.size());
        Problem problem{.collective = collective, .groupA = n};
        const std::int32_t blocks = collective == Collective::alltoallv ? n * n : n;
        problem.layout = Layout::regular(blocks, chunks * flowBytes);
        std::vector<Flow> flows;
        for (const Travel& one : travels_)
            flows.push_back({one.epoch, ranks_.at(one.from), ranks_.at(one.to), chunkOf(one)});
        Stored stored = schedules::storedFrom(std::move(flows), problem, chunks, file_);
        if (!remark_.empty()) stored.facts.remarks.push_back(remark_);
        return stored;
    }

    [[nodiscard]] Stored allgather() const {
        std::int64_t chunks = 1;
        for (const auto& [from, chunk] : wants_) chunks = std::max(chunks, chunk + 1);
        for (const Travel& one : travels_) chunks = std::max(chunks, one.piece.second + 1);
        requireFew(chunks);
        return finished(Collective::allgatherv, chunks,
                        [&](const Travel& one) { return ranks_.at(one.piece.first) * chunks + one.piece.second; });
    }

    [[nodiscard]] Stored alltoall() const {
        // Chunks from one node to another are its contribution to it, in their order.
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
        std::map<Piece, std::pair<std::int64_t, std::int64_t>> places;  // receiver, place in the contribution
        for (const auto& [piece, by] : demands_) {
            const std::int64_t place = counts[{piece.first, by}]++;
            places[piece] = {by, place};
        }
        std::int64_t chunks = 1;
        for (const auto& [ends, count] : counts) chunks = std::max(chunks, count);
        requireFew(chunks);
        const auto n = static_cast<std::int64_t>(ranks_.size());
        if (n * n > std::numeric_limits<std::int32_t>::max())
            throw Error{text(file_, ": an alltoall of ", n, " ranks has more contributions than are read")};
        return finished(Collective::alltoallv, chunks, [&](const Travel& one) {
            const auto at = places.find(one.piece);
            if (at == places.end())
                throw Error{text(file_, ": chunk ", one.piece.second, " from ", one.piece.first,
                                 " travels, but no node needs it")};
            return (ranks_.at(one.piece.first) * n + ranks_.at(at->second.first)) * chunks + at->second.second;
        });
    }

    void requireFew(std::int64_t chunks) const {
        const auto n = static_cast<std::int64_t>(ranks_.size());
        if (chunks * n * n > std::int64_t{1} << 32)
            throw Error{text(file_, ": ", n, " ranks with ", chunks, " chunks each are more than is read")};
    }

    JsonText in_;
    std::string file_;
    std::vector<Travel> travels_;
    std::set<std::int64_t> ends_;
    std::set<std::int64_t> switches_;
    std::set<std::pair<Piece, std::int64_t>> demands_;
    std::set<Piece> wants_;
    std::map<std::int64_t, std::int32_t> ranks_;
    std::string remark_;
};

}  // namespace

bool isResult(std::string_view content) {
    return content.find("\"7-Flows\"") != std::string_view::npos ||
           content.find("\"6-Flows\"") != std::string_view::npos;
}

Stored storedFrom(std::string_view content, std::string_view file) { return Reader{content, file}.read(); }

}  // namespace engine::schedules::teccl
