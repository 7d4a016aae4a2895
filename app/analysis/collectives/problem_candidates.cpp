// SPDX-License-Identifier: BSD-3-Clause
// From the messages of a run alone to the problems that they may have solved.
#include "app/analysis/schedule/algorithm_recognition.hpp"

#include "app/analysis/collectives/recorded_problem.hpp"
#include "engine/base/error.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <set>

namespace app::analysis {

using engine::Bytes;
using engine::Layout;
using engine::Problem;
using engine::Rank;
using engine::Run;

namespace {

/// What all ranks of a run sent and received.
struct Moved {
    std::vector<Bytes> sent, received;
    std::vector<std::int64_t> sends, receives;
    Bytes smallest = 0;  ///< of messages that are not empty
    Bytes largest = 0;
    Bytes total = 0;
    Bytes unit = 0;  ///< what all of them are multiples of
    Rank last{};     ///< who got the last one

    explicit Moved(const Run& run)
        : sent(engine::asSize(run.ranks)), received(sent.size()), sends(sent.size()), receives(sent.size()) {
        engine::Picoseconds lastEnd{};
        for (std::size_t i = 0; i < run.messages.size(); ++i) {
            const Rank from = run.messages.from()[i];
            const Rank to = run.messages.to()[i];
            const Bytes bytes = run.messages.bytes()[i];
            sent[from.index()] += bytes, ++sends[from.index()];
            received[to.index()] += bytes, ++receives[to.index()];
            total += bytes;
            largest = std::max(largest, bytes);
            if (bytes > 0) smallest = smallest == 0 ? bytes : std::min(smallest, bytes);
            unit = std::gcd(unit, bytes);
            if (run.messages.receiveEnd()[i] < lastEnd) continue;
            lastEnd = run.messages.receiveEnd()[i];
            last = to;
        }
    }

    /// The one rank that only sends, or only receives.
    [[nodiscard]] std::optional<Rank> source() const { return only(receives, sends); }
    [[nodiscard]] std::optional<Rank> sink() const { return only(sends, receives); }
    /// The one rank that sent most, or received most, beyond what it got, or gave.
    [[nodiscard]] std::optional<Rank> mostSent() const { return most(sent, received); }
    [[nodiscard]] std::optional<Rank> mostReceived() const { return most(received, sent); }

private:
    static std::optional<Rank> only(const std::vector<std::int64_t>& none, const std::vector<std::int64_t>& some) {
        std::optional<Rank> found;
        for (std::size_t i = 0; i < none.size(); ++i) {
            if (none[i] > 0 || some[i] == 0) continue;
            if (found) return std::nullopt;
            found = Rank{static_cast<std::int32_t>(i)};
        }
        return found;
    }
    static std::optional<Rank> most(const std::vector<Bytes>& out, const std::vector<Bytes>& in) {
        std::vector<Bytes> net(out.size());
        for (std::size_t i = 0; i < net.size(); ++i) net[i] = out[i] - in[i];
        const auto best = std::max_element(net.begin(), net.end());
        if (*best <= 0 || std::count(net.begin(), net.end(), *best) != 1) return std::nullopt;
        return Rank{static_cast<std::int32_t>(best - net.begin())};
    }
};

/// Collects problems that are valid.
class Possible {
public:
    explicit Possible(const Run& run) : run_{run}, moved_{run} {}

    std::vector<Problem> problems() {
        if (run_.groupA > 0 && run_.groupB > 0) betweenGroups();
        else withinOne();
        return std::move(problems_);
    }

private:
    void add(Problem problem) {
        if (engine::combinesVectors(problem.collective) && problem.layout.largest() % sizeOf(problem.element) != 0)
            problem.grain = 1;
        try {
            engine::validate(problem);
        } catch (const engine::Error&) {
            return;  // the numbers do not fit together: not this problem
        }
        if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end())
            problems_.push_back(std::move(problem));
    }
    void add(engine::Collective collective, Layout layout, Rank root = Rank{0}) {
        add({.collective = collective,
             .groupA = run_.groupA > 0 && run_.groupB > 0 ? run_.groupA : run_.ranks,
             .groupB = run_.groupA > 0 ? run_.groupB : 0,
             .layout = std::move(layout),
             .root = root});
    }
    /// Likelier ones first: where a run is long, not all can be tried.
    void withinOne() {
        // Fewer messages leave someone without news; and schedules of many ranks take long to be made.
        if (static_cast<std::int64_t>(run_.messages.size()) < run_.ranks - 1) return;
        if (moved_.largest <= 1) add(engine::Collective::barrier, {});
        broadcasts();
        if (const auto sizes = gatheredSizes()) add(engine::Collective::allgatherv, *sizes);
        if (moved_.smallest == moved_.largest && moved_.largest > 0)
            add(engine::Collective::allreduce, Layout::regular(run_.ranks, moved_.largest));
        toAndFromOne();
        reductions();
        exchanges();
    }

    /// Everyone but the root receives all of it at least once. Where a root also receives, it has sent most beyond
    /// that.
    void broadcasts() {
        const auto root = moved_.source() ? moved_.source() : moved_.mostSent();
        if (!root) return;
        Bytes least = 0;
        Bytes most = 0;
        for (std::int32_t i = 0; i < run_.ranks; ++i) {
            if (i == root->value) continue;
            const Bytes bytes = moved_.received[engine::asSize(i)];
            least = least == 0 ? bytes : std::min(least, bytes);
            most = std::max(most, bytes);
        }
        add(engine::Collective::bcast, Layout::regular(1, most), *root);
        add(engine::Collective::bcast, Layout::regular(1, least), *root);
    }

    /// What all ranks would hold if each received everything but its own: sizes, or nothing.
    [[nodiscard]] std::optional<Layout> gatheredSizes() const {
        const auto ranks = static_cast<Bytes>(run_.ranks);
        if (ranks < 2 || moved_.total == 0 || moved_.total % (ranks - 1) != 0) return std::nullopt;
        const Bytes total = moved_.total / (ranks - 1);
        std::vector<Bytes> sizes;
        for (const Bytes bytes : moved_.received) {
            if (bytes > total) return std::nullopt;
            sizes.push_back(total - bytes);
        }
        return Layout::irregular(sizes);
    }

    /// Who passes contributions on sends, or receives, its own beyond that. What the root keeps nobody sees: as much as
    /// another's where all are alike, else nothing. Where others have nothing any messages would be such a collective.
    void toAndFromOne() {
        const auto sizesFor = [&](Rank root, const auto& more, const auto& less) -> std::optional<Layout> {
            std::vector<Bytes> sizes;
            Bytes other = -1;
            bool alike = true;
            for (std::int32_t i = 0; i < run_.ranks; ++i) {
                sizes.push_back(more[engine::asSize(i)] - less[engine::asSize(i)]);
                if (i == root.value) continue;
                if (sizes.back() <= 0) return std::nullopt;
                alike = alike && (other < 0 || other == sizes.back());
                other = sizes.back();
            }
            sizes[root.index()] = alike ? std::max(other, Bytes{0}) : 0;
            return Layout::irregular(sizes);
        };
        if (const auto root = moved_.sink())
            if (const auto sizes = sizesFor(*root, moved_.sent, moved_.received))
                add(engine::Collective::gatherv, *sizes, *root);
        if (const auto root = moved_.source())
            if (const auto sizes = sizesFor(*root, moved_.received, moved_.sent))
                add(engine::Collective::scatterv, *sizes, *root);
    }

    /// Lengths a vector may have: that of a message, twice it where halves go first, what a rank moves in all, and what
    /// each of `shares` of all bytes is.
    [[nodiscard]] std::set<Bytes> vectors(std::initializer_list<Bytes> shares) const {
        std::set<Bytes> lengths{moved_.largest, 2 * moved_.largest,
                                *std::max_element(moved_.sent.begin(), moved_.sent.end()),
                                *std::max_element(moved_.received.begin(), moved_.received.end())};
        for (const Bytes share : shares)
            if (share > 0 && moved_.total % share == 0) lengths.insert(moved_.total / share);
        lengths.erase(0);
        return lengths;
    }

    /// Those lengths for which at least `times` vectors are in all messages, and not more often than anyone would send
    /// them.
    [[nodiscard]] std::vector<Bytes> plausible(const std::set<Bytes>& lengths, Bytes times) const {
        const auto rounds = static_cast<Bytes>(std::bit_width(static_cast<std::uint32_t>(run_.ranks))) + 1;
        std::vector<Bytes> kept;
        for (const Bytes length : lengths)
            if (length * times <= moved_.total && moved_.total <= 2 * rounds * run_.ranks * length)
                kept.push_back(length);
        return kept;
    }

    void reductions() {
        const Bytes others = run_.ranks - 1;
        if (others < 1 || moved_.total == 0) return;
        const auto lengths = vectors({others, 2 * others});
        for (const Bytes length : plausible(lengths, 2 * others))
            add(engine::Collective::allreduce, Layout::regular(run_.ranks, length));
        // Who ends with the result: it only receives, or more than it gives, or as the last of all.
        const Rank root = moved_.sink().value_or(moved_.mostReceived().value_or(moved_.last));
        for (const Bytes length : plausible(lengths, others)) {
            const Layout layout = Layout::regular(run_.ranks, length);
            add(engine::Collective::reduce, layout, root);
            add(engine::Collective::reduce, layout, moved_.last);
            add(engine::Collective::reduceScatter, layout);
            add(engine::Collective::scan, layout);
            add({.collective = engine::Collective::scan, .groupA = run_.ranks, .layout = layout, .exclusive = true});
        }
    }

    /// Straight from one to another, each has one message; else equal ones that go so far in all. Where some have none
    /// any messages at all would be such an exchange, with nothing for the others.
    void exchanges() {
        const auto n = static_cast<Bytes>(run_.ranks);
        if (n < 2 || moved_.total == 0 || n * n > std::numeric_limits<std::int32_t>::max()) return;
        std::vector<Bytes> sizes(engine::asSize(n * n));
        if (direct(
                n * (n - 1), [&](Rank from, Rank to) { return from.value * n + to.value; }, sizes)) {
            const bool alike = moved_.smallest == moved_.largest && moved_.total == moved_.largest * n * (n - 1);
            add(engine::Collective::alltoallv,
                alike ? Layout::regular(static_cast<std::int32_t>(n * n), moved_.largest) : Layout::irregular(sizes));
        }
        std::set<Bytes> ways{n - 1, n * (n - 1) / 2, n * n / 4};
        for (Bytes radix = 2; radix <= 8; ++radix) {
            Bytes steps = 0;
            for (Bytes distance = 1; distance < n; ++distance)
                for (Bytes rest = distance; rest > 0; rest /= radix) steps += rest % radix != 0 ? 1 : 0;
            ways.insert(steps);
        }
        for (const Bytes way : ways)
            if (moved_.total % (n * way) == 0)
                add(engine::Collective::alltoallv,
                    Layout::regular(static_cast<std::int32_t>(n * n), moved_.total / (n * way)));
    }

    /// Sets the sizes of contributions that each are one message; false unless each of so many pairs has one.
    [[nodiscard]] bool direct(Bytes pairs, auto placeOf, std::vector<Bytes>& sizes) const {
        if (static_cast<Bytes>(run_.messages.size()) != pairs) return false;
        std::set<std::pair<Rank, Rank>> seen;
        for (std::size_t i = 0; i < run_.messages.size(); ++i) {
            const Rank from = run_.messages.from()[i];
            const Rank to = run_.messages.to()[i];
            if (!seen.emplace(from, to).second) return false;
            const Bytes place = placeOf(from, to);
            if (place < 0) return false;
            sizes[engine::asSize(place)] = run_.messages.bytes()[i];
        }
        return true;
    }

    /// Lengths of equal contributions between two groups: that of a message, or what whole groups of them have in
    /// common, or as much as those who receive least got of each in the other group.
    [[nodiscard]] std::set<Bytes> contributions() const {
        const auto p = static_cast<Bytes>(run_.groupA);
        const auto q = static_cast<Bytes>(run_.groupB);
        const auto groupB = moved_.received.begin() + run_.groupA;
        std::set<Bytes> lengths{moved_.smallest, moved_.largest};
        const auto part = [&](Bytes bytes, Bytes parts) {
            if (bytes % parts == 0) lengths.insert(bytes / parts);
        };
        for (const Bytes parts : {Bytes{1}, p, q, p * q}) part(moved_.unit, parts);
        part(*std::min_element(moved_.received.begin(), groupB), q);
        part(*std::min_element(groupB, moved_.received.end()), p);
        lengths.erase(0);
        return lengths;
    }

    void betweenGroups() {
        if (static_cast<std::int64_t>(run_.messages.size()) < std::min(run_.groupA, run_.groupB)) return;
        const auto p = static_cast<Bytes>(run_.groupA);
        const auto q = static_cast<Bytes>(run_.groupB);
        for (const Bytes each : contributions()) {
            add(engine::Collective::halfduplexAllgather, Layout::regular(run_.groupA, each));
            add(engine::Collective::intergroupAllgatherv, Layout::regular(run_.ranks, each));
            add(engine::Collective::intergroupAlltoallv, Layout::regular(static_cast<std::int32_t>(2 * p * q), each));
        }
        const Bytes most = *std::max_element(moved_.received.begin(), moved_.received.end());
        if (const auto root = moved_.source())
            add(engine::Collective::intergroupBcast, Layout::regular(1, most), *root);
        if (const auto root = moved_.sink())
            for (const Bytes length : vectors({}))
                add(engine::Collective::intergroupReduce, Layout::regular(run_.ranks, length), *root);
        for (const Bytes length : plausible(vectors({2 * (p + q - 1)}), p + q - 1))
            add(engine::Collective::intergroupAllreduce, Layout::regular(run_.ranks, length));
        std::vector<Bytes> sizes(engine::asSize(2 * p * q));
        const auto placeOf = [&](Rank from, Rank to) {
            const bool inA = from.value < p;
            if (inA == (to.value < p)) return Bytes{-1};
            return inA ? from.value * q + (to.value - p) : p * q + (from.value - p) * p + to.value;
        };
        if (direct(2 * p * q, placeOf, sizes)) add(engine::Collective::intergroupAlltoallv, Layout::irregular(sizes));
    }

    const Run& run_;
    Moved moved_;
    std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> possibleProblems(const Run& run) {
    if (run.messages.empty() || run.ranks < fewestRecognised) return {};
    return Possible{run}.problems();
}

}  // namespace app::analysis
