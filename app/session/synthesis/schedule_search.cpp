// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/synthesis/schedule_search.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/synthesis/counting_bounds.hpp"
#include "engine/synthesis/spreading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace app {
namespace {

using engine::asSize;
using engine::Error;
using engine::Picoseconds;
using engine::text;
using engine::synthesis::Cut;
using engine::synthesis::Fabric;
using engine::synthesis::Found;
using engine::synthesis::Kind;
using engine::synthesis::LaneGraph;
using engine::synthesis::Load;
using engine::synthesis::OutOfTime;
using engine::synthesis::Search;
using engine::synthesis::SearchProblem;
using engine::synthesis::searchProblemOf;
using engine::synthesis::Truth;
using Clock = std::chrono::steady_clock;

constexpr std::int32_t mostChunksTried = 8;  // of a contribution, where their number is not asked for
constexpr std::int32_t mostStepsMore = 6;    // than the fewest, likewise
constexpr int mostDoublings = 5;             // of chunks, of methods that do not search
constexpr std::uint32_t mostSeeds = 32;
constexpr int questionsPerLimit = 8;                      // one question may take this part of the time for several
constexpr std::chrono::milliseconds mostForTidying{500};  // to make one schedule symmetric

/// Both halves of a composition, or the only search twice.
struct Pair {
    Found forward;
    Found back;
};

class ScheduleSearch {
public:
    ScheduleSearch(const SynthesisWish& wish, const engine::Problem& problem, const emulation::Network& network,
                   const NetworkFabric& made, const ScheduleBounds& bounds, std::span<const CostLine> known,
                   Clock::time_point end, const engine::Progress& progress)
        : wish_{wish},
          problem_{problem},
          network_{network},
          made_{made},
          bounds_{bounds},
          known_{known},
          fabric_{made.fabric},
          progress_{progress},
          end_{end} {
        const SearchProblem one = searchProblemOf(problem_, 1);
        kind_ = one.kind;
        if (kind_ == Kind::reversed) fabric_ = reversed(fabric_);
        halves_ = kind_ == Kind::composed ? 2 : 1;
        symmetric_ = isSymmetric(fabric_);
        beta_ = made.lane.value_or(wish.model.beta);
        uniform_ = made.exact && std::all_of(fabric_.lanes.begin(), fabric_.lanes.end(),
                                             [](std::int32_t lanes) { return lanes == 1; });
        const std::optional<std::int32_t> fewest = fewestSteps(fabric_, one.chunks);
        if (!fewest)
            throw Error{
                text(engine::field::topology, ": no path leads from a rank to another one that needs its data")};
        fewest_ = *fewest;
        if (fewest_ == 0) throw Error{"no rank needs anything from another one, so there is nothing to search for"};
        largest_ = largestOf(one);
    }

    std::vector<SearchRow> rows(const LaneGraph& graph) {
        if (wish_.method != SearchMethod::solver) spread(graph);
        else if (wish_.proof.empty()) search();
        else prove();
        std::stable_sort(rows_.begin(), rows_.end(), [](const SearchRow& a, const SearchRow& b) {
            return std::tuple{a.steps, a.chunks, a.rounds} < std::tuple{b.steps, b.chunks, b.rounds};
        });
        for (SearchRow& row : rows_)
            row.best =
                row.answer == SearchAnswer::found &&
                std::none_of(rows_.begin(), rows_.end(), [&](const SearchRow& other) {
                    if (other.answer != SearchAnswer::found || &other == &row) return false;
                    if (other.steps > row.steps || isLess(row.share, other.share)) return false;
                    return other.steps < row.steps || isLess(other.share, row.share) || other.chunks < row.chunks;
                });
        // What the catalogue has is of interest only as far as it is the best.
        std::erase_if(rows_, [](const SearchRow& row) { return row.known && !row.best; });
        if (wish_.method == SearchMethod::solver && wish_.proof.empty()) tidy();
        return std::move(rows_);
    }

    [[nodiscard]] std::int32_t fewest() const { return fewest_ * halves_; }
    [[nodiscard]] bool composed() const { return halves_ == 2; }
    [[nodiscard]] engine::Rate beta() const { return beta_; }
    [[nodiscard]] CostLine limit() const {
        return {.name = "lower bound", .steps = bounds_.steps, .share = leastShare()};
    }

    /// What all chunks of a question have together, in contributions: less than 1 where blocks of a vector are meant.
    [[nodiscard]] double unit() const {
        return static_cast<double>(largest_) /
               static_cast<double>(std::max<engine::Bytes>(problem_.layout.largest(), 1));
    }

private:
    /// As of a CostLine.
    [[nodiscard]] double leastShare() const {
        const auto contribution = beta_ * std::max<engine::Bytes>(problem_.layout.largest(), 1);
        return contribution.count() == 0
                   ? 0
                   : static_cast<double>(bounds_.bytes.count()) / static_cast<double>(contribution.count());
    }
    /// By more than bytes are rounded.
    static bool isLess(double a, double b) { return a < b * (1 - 1e-6); }

    /// Whether the reversed network is the same one. Through switches that is not looked for.
    static bool isSymmetric(const Fabric& fabric) {
        std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> there;
        std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> back;
        for (const engine::synthesis::Channel& channel : fabric.channels) {
            if (channel.links.size() != 1) return false;
            const std::int32_t lanes = fabric.lanes[asSize(channel.links.front())];
            there.emplace(channel.from, channel.to, lanes);
            back.emplace(channel.to, channel.from, lanes);
        }
        return there == back;
    }
    static engine::Bytes largestOf(const SearchProblem& question) {
        engine::Bytes largest = 0;
        for (const engine::synthesis::Chunk& chunk : question.chunks) largest = std::max(largest, chunk.range.size());
        return largest;
    }

    [[nodiscard]] engine::synthesis::Patience patience(bool single) const {
        const auto now = Clock::now();
        auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - now);
        if (!single) left = std::min(left, wish_.limit / questionsPerLimit);
        return {.time = std::max(left, std::chrono::milliseconds{0}), .stop = [this] {
                    const std::chrono::duration<double> rest = end_ - Clock::now();
                    const std::chrono::duration<double> whole = wish_.limit;
                    if (progress_.report) progress_.report(std::clamp(1 - rest / whole, 0.0, 1.0));
                    return progress_.stop.stop_requested();
                }};
    }

    [[nodiscard]] engine::synthesis::Poll poll() const {
        return [this] {
            if (progress_.stop.stop_requested()) throw engine::Cancelled{};
            if (Clock::now() > end_) throw OutOfTime{};
        };
    }

    /// Decides one question for both halves.
    Truth decide(Search& forward, Search* back, std::int32_t rounds, bool single, Pair& found) {
        auto decision = forward.decide(rounds, patience(single));
        progress_.at(0);
        if (decision.truth != Truth::satisfiable) return decision.truth;
        found.forward = std::move(decision.found);
        if (back == nullptr) {
            found.back = found.forward;
            return Truth::satisfiable;
        }
        decision = back->decide(rounds, patience(single));
        progress_.at(0);
        found.back = std::move(decision.found);
        return decision.truth;
    }

    SearchRow rowOf(std::int32_t chunks, std::int32_t steps, std::int32_t rounds, SearchAnswer answer,
                    Clock::time_point begin) const {
        return {.chunks = chunks,
                .steps = steps * halves_,
                .rounds = rounds * halves_,
                .answer = answer,
                .bound = boundOf(steps * halves_),
                .took = Clock::now() - begin};
    }
    /// Of a whole schedule, with chunks like those that are being searched for. Only where all links are alike does a
    /// step last as long as one of its chunks.
    [[nodiscard]] Picoseconds boundOf(std::int32_t steps) const {
        Picoseconds bytes = bounds_.bytes;
        if (uniform_ && !wish_.serialized)
            bytes = std::max(bytes, beta_ * (engine::Bytes{least_} * halves_ * smallest_));
        return std::max(bounds_.time, engine::later(engine::lasting(steps, bounds_.startup), bytes));
    }
    /// Gives a row its cost and its share.
    void weigh(SearchRow& row, const CostLine& line) const {
        row.cost = line.cost;
        row.share = line.share;
    }

    /// What was found, as a row that carries its schedule.
    SearchRow foundRow(const SearchProblem& question, std::int32_t chunks, std::int32_t steps, const Pair& found,
                       Clock::time_point begin) const {
        const std::int32_t rounds = std::max(found.forward.rounds, found.back.rounds);
        SearchRow row = rowOf(chunks, steps, rounds, SearchAnswer::found, begin);
        static const std::vector<engine::synthesis::Send> none;
        engine::schedules::Stored stored =
            storedOf(problem_, question, steps, found.forward.sends, kind_ == Kind::composed ? found.back.sends : none);
        stored.facts.remarks.push_back(
            text("synthesized for ", wish_.network.topology.empty() ? "full" : wish_.network.topology, ": ",
                 analysis::counted(chunks, "chunk"), " per contribution, ", analysis::counted(row.steps, "step"), ", ",
                 analysis::counted(row.rounds, "round"), " of one chunk per lane"));
        row.schedule = std::make_shared<const engine::schedules::Stored>(std::move(stored));
        weigh(row, costLineOf({}, planOf(row), network_, made_, wish_.model));
        return row;
    }

    /// What is known of all schedules with these chunks and steps.
    void count(const SearchProblem& question, std::int32_t steps) {
        load_ = heaviestLoad(fabric_, question.chunks);
        least_ = std::max({load_.rounds(), fewestRounds(fabric_, question.chunks, steps), steps});
        const engine::Bytes largest = largestOf(question);
        smallest_ = largest;
        for (const engine::synthesis::Chunk& chunk : question.chunks)
            smallest_ = std::min(smallest_, chunk.range.size());
        // Chunks of one size on lanes that are not rounded: what is counted is what is carried.
        counts_ = made_.exact && smallest_ * 100 >= largest * 99;
    }

    /// The question without anything that is known, so that its proof stands alone.
    void prove() {
        const std::int32_t steps = *wish_.steps / halves_;
        const std::int32_t rounds = *wish_.rounds / halves_;
        const SearchProblem question = searchProblemOf(problem_, *wish_.chunks);
        count(question, steps);
        const auto begin = Clock::now();
        Pair found;
        Truth truth = Truth::unknown;
        try {
            Search search{fabric_, question.chunks, steps, rounds, wish_.proof, {}, poll()};
            truth = decide(search, nullptr, rounds, true, found);
            search.closeProof();
        } catch (const OutOfTime&) {  // undecided
        }
        if (truth == Truth::satisfiable) {
            if (kind_ == Kind::composed && !symmetric_) {
                searchOne(question, *wish_.chunks, steps);
                return;
            }
            rows_.push_back(foundRow(question, *wish_.chunks, steps, found, begin));
        } else {
            rows_.push_back(rowOf(*wish_.chunks, steps, rounds,
                                  truth == Truth::unsatisfiable ? SearchAnswer::impossible : SearchAnswer::undecided,
                                  begin));
        }
    }

    /// Puts symmetric schedules into the place of the best ones, where some are found soon.
    void tidy() {
        if (kind_ == Kind::composed && !symmetric_) return;
        for (SearchRow& row : rows_) {
            if (!row.best || !row.schedule) continue;
            const auto until = std::min(end_, Clock::now() + mostForTidying);
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
            if (left.count() < 1) return;
            const SearchProblem question = searchProblemOf(problem_, row.chunks);
            const std::int32_t steps = row.steps / halves_;
            const std::optional<Found> found =
                tidied(fabric_, question.chunks, steps, row.rounds / halves_,
                       {.time = left, .stop = [&] { return Clock::now() > until || progress_.stop.stop_requested(); }});
            progress_.at(1);
            if (!found || found->rounds * halves_ != row.rounds) continue;
            const SearchRow tidy = foundRow(question, row.chunks, steps, {*found, *found}, Clock::now());
            if (*row.cost < *tidy.cost || isLess(row.share, tidy.share)) continue;
            row.schedule = tidy.schedule;
            row.cost = tidy.cost;
            row.share = tidy.share;
        }
    }

    /// Schedules without a search, for more and more chunks.
    void spread(LaneGraph graph) {
        const bool trees = wish_.method == SearchMethod::trees;
        const SearchProblem one = searchProblemOf(problem_, 1);
        if (trees)
            for (const engine::synthesis::Chunk& chunk : one.chunks)
                if (std::count(chunk.needed.begin(), chunk.needed.end(), true) +
                        (chunk.needed[asSize(chunk.owner)] ? 0 : 1) <
                    fabric_.ranks)
                    throw Error{text("--method: trees spread data that all ranks need, and of ",
                                     name(problem_.collective), " they do not; choose ", name(SearchMethod::greedy))};
        if (kind_ == Kind::reversed) graph = engine::synthesis::reversed(std::move(graph));
        std::int64_t chunks = wish_.chunks.value_or(1);
        const std::vector<std::int64_t> whole = weightsOf(one);
        std::optional<Cut> wholeCut;
        try {
            if (trees) wholeCut = heaviestCut(graph, whole, poll());
            if (trees && !wish_.chunks) chunks = std::min<std::int64_t>(partsOf(graph, *wholeCut), largest_);
        } catch (const OutOfTime&) {  // the first question is undecided as well
        }
        for (int doublings = 0; doublings <= mostDoublings; ++doublings, chunks *= 2) {
            std::optional<SearchProblem> question;
            try {
                question = searchProblemOf(problem_, static_cast<std::int32_t>(chunks));
            } catch (const Error&) {
                if (doublings == 0) throw;
                break;
            }
            const auto begin = Clock::now();
            count(*question, 1);
            const auto number = static_cast<std::int32_t>(chunks);
            try {
                const std::vector<std::int64_t> weights = weightsOf(*question);
                Cut cut{.chunks = 0};
                if (trees && wholeCut && isMultiple(weights, whole, chunks))
                    cut = {.chunks = wholeCut->chunks * chunks, .width = wholeCut->width};
                else if (trees) cut = heaviestCut(graph, weights, poll());
                std::optional<Found> forward = spread(*question, fabric_, graph, cut);
                std::optional<Found> back = forward;
                if (kind_ == Kind::composed && !symmetric_) {
                    const LaneGraph other = engine::synthesis::reversed(graph);
                    back =
                        spread(*question, reversed(fabric_), other, trees ? heaviestCut(other, weights, poll()) : cut);
                }
                if (!forward || !back) break;
                const std::int32_t steps = std::max(forward->rounds, back->rounds);
                SearchRow row = foundRow(*question, number, steps, {*forward, *back}, begin);
                row.bound = bounds_.time;  // of any number of steps
                rows_.push_back(std::move(row));
            } catch (const OutOfTime&) {
                if (rows_.empty()) rows_.push_back(rowOf(number, fewest_, least_, SearchAnswer::undecided, begin));
                rows_.back().method = wish_.method;
                rows_.back().bound = bounds_.time;
                break;
            }
            rows_.back().method = wish_.method;
            progress_.at(static_cast<double>(doublings + 1) / (mostDoublings + 1));
            // Twice as many chunks take some times as long.
            if (wish_.chunks || Clock::now() + 4 * (Clock::now() - begin) > end_) break;
        }
    }

    std::optional<Found> spread(const SearchProblem& question, const Fabric& fabric, const LaneGraph& graph,
                                const Cut& cut) const {
        if (wish_.method == SearchMethod::trees) {
            const std::vector<std::int64_t> weights = weightsOf(question);
            try {
                const engine::synthesis::Packing packing = packTrees(graph, weights, cut, poll());
                if (auto found = alongTrees(fabric, question.chunks, packing.trees, poll())) return found;
            } catch (const Error&) {  // some switch has more ways in than out
            }
            // Through switches, trees may take ways that the network's routes do not: these take none of them.
            const LaneGraph direct = directOf(fabric);
            return alongTrees(fabric, question.chunks,
                              packTrees(direct, weights, heaviestCut(direct, weights, poll()), poll()).trees, poll());
        }
        const std::int32_t least = heaviestLoad(fabric, question.chunks).rounds();
        std::optional<Found> best;
        for (std::uint32_t seed = 0; seed < mostSeeds; ++seed) {
            progress_.at(static_cast<double>(seed) / mostSeeds);
            const std::int32_t most = best ? best->rounds - 1 : std::numeric_limits<std::int32_t>::max();
            try {
                if (auto found = greedily(fabric, question.chunks, seed, most, poll())) best = std::move(found);
            } catch (const OutOfTime&) {
                if (!best) throw;
            }
            if ((best && best->rounds <= least) || Clock::now() > end_) break;
        }
        return best;
    }

    static bool isMultiple(const std::vector<std::int64_t>& weights, const std::vector<std::int64_t>& whole,
                           std::int64_t times) {
        for (std::size_t rank = 0; rank < whole.size(); ++rank)
            if (weights[rank] != whole[rank] * times) return false;
        return true;
    }
    [[nodiscard]] std::vector<std::int64_t> weightsOf(const SearchProblem& question) const {
        std::vector<std::int64_t> weights(asSize(fabric_.ranks));
        for (const engine::synthesis::Chunk& chunk : question.chunks) ++weights[asSize(chunk.owner)];
        return weights;
    }

    void search() {
        const std::int32_t first = wish_.steps ? *wish_.steps / halves_ : fewest_;
        const std::int32_t last = wish_.steps ? first : fewest_ + mostStepsMore;
        for (std::int32_t steps = first; steps <= last; ++steps) {
            if (!wish_.rounds) takeKnown(steps);
            if (attained_) return;
            const std::int32_t most = wish_.chunks.value_or(mostChunksTried);
            for (std::int32_t chunks = wish_.chunks.value_or(1); chunks <= most; ++chunks) {
                if (!wish_.chunks && chunks > largest_) break;  // no more bytes to cut
                std::optional<SearchProblem> question;
                try {
                    question = searchProblemOf(problem_, chunks);
                } catch (const Error&) {
                    if (wish_.chunks || chunks == 1) throw;
                    break;
                }
                searchOne(*question, chunks, steps);
                if (attained_ && !wish_.rounds && !wish_.steps) return;
                if (attained_) break;
                if (Clock::now() >= end_) return;
            }
        }
    }

    /// Adds the catalogue's schedules with at most a number of steps. They need no search: only schedules with fewer
    /// bytes are searched for.
    void takeKnown(std::int32_t steps) {
        for (const CostLine& line : known_) {
            if (!line.direct || line.steps > std::int64_t{steps} * halves_ || line.steps % halves_ != 0) continue;
            const auto begin = Clock::now();
            for (std::int32_t chunks = wish_.chunks.value_or(1); chunks <= wish_.chunks.value_or(mostChunksTried);
                 ++chunks) {
                if (chunks > largest_) break;
                const std::int32_t rounds = wholeRounds(line, chunks);
                if (rounds < line.steps || rounds % halves_ != 0) continue;
                const std::int32_t half = rounds / halves_;
                if (bestRounds_ > 0 && std::int64_t{half} * bestChunks_ >= std::int64_t{bestRounds_} * chunks) break;
                count(searchProblemOf(problem_, chunks), static_cast<std::int32_t>(line.steps) / halves_);
                if (!counts_) break;
                SearchRow row =
                    rowOf(chunks, static_cast<std::int32_t>(line.steps) / halves_, half, SearchAnswer::found, begin);
                weigh(row, line);
                row.known = line.plan;
                std::erase_if(rows_, [&](const SearchRow& other) {
                    return other.known && other.steps >= row.steps;  // it has fewer bytes than those
                });
                rows_.push_back(std::move(row));
                bestRounds_ = half;
                bestChunks_ = chunks;
                noteAttained();
                break;
            }
        }
    }

    /// Rounds of a schedule of the catalogue, if each of its steps carries whole chunks; else 0.
    [[nodiscard]] std::int32_t wholeRounds(const CostLine& line, std::int32_t chunks) const {
        std::int32_t rounds = 0;
        for (const double load : line.loads) {
            const double exact = load / unit() * chunks;
            const auto whole = static_cast<std::int32_t>(std::lround(exact));
            if (whole < 1 || std::abs(exact - whole) > 1e-9) return 0;
            rounds += whole;
        }
        return rounds;
    }

    /// Notes whether no schedule that is searched moves fewer bytes than the best one, after count() for its chunks.
    void noteAttained() {
        if (counts_ && bestRounds_ > 0 && std::int64_t{bestRounds_} * load_.width == load_.chunks) attained_ = true;
        for (const SearchRow& row : rows_)
            if (row.answer == SearchAnswer::found && !isLess(leastShare(), row.share)) attained_ = true;
    }

    /// Decides every number of rounds that is of interest for a number of chunks and of steps.
    void searchOne(const SearchProblem& question, std::int32_t chunks, std::int32_t steps) {
        count(question, steps);
        const std::int32_t least = least_;
        const auto begin = Clock::now();
        if (wish_.rounds) {
            const std::int32_t rounds = *wish_.rounds / halves_;
            if (steps < fewest_ || rounds < least) {
                if (rounds >= steps || wish_.steps) {
                    rows_.push_back(rowOf(chunks, steps, rounds, SearchAnswer::impossible, begin));
                    rows_.back().counted = true;
                }
                return;
            }
            descend(question, chunks, steps, rounds, rounds, true);
            return;
        }
        if (steps < fewest_) {
            rows_.push_back(rowOf(chunks, steps, least, SearchAnswer::impossible, begin));
            rows_.back().counted = true;
            return;
        }
        // Only fewer bytes than in all schedules of no more steps are of interest.
        std::int32_t most = 2 * least + 2;
        const bool bounded = bestRounds_ > 0;
        if (bounded) most = static_cast<std::int32_t>((std::int64_t{bestRounds_} * chunks - 1) / bestChunks_);
        if (most < least) return;
        const auto enough = static_cast<std::int32_t>(
            std::min<std::int64_t>(std::int64_t{steps} * static_cast<std::int64_t>(question.chunks.size()), 1 << 20));
        while (!descend(question, chunks, steps, most, least, wish_.chunks && wish_.steps) && !bounded &&
               most < enough && Clock::now() < end_ && rows_.back().answer == SearchAnswer::impossible) {
            rows_.pop_back();  // more rounds are tried; the row of the most stays
            most = std::min(2 * most, enough);
        }
        if (bestChunks_ == chunks) noteAttained();
    }

    /// From `most` rounds down to `least`, as far as schedules are found; whether any was.
    bool descend(const SearchProblem& question, std::int32_t chunks, std::int32_t steps, std::int32_t most,
                 std::int32_t least, bool single) {
        auto begin = Clock::now();
        std::optional<Search> forward;
        std::optional<Search> back;
        try {
            forward.emplace(fabric_, question.chunks, steps, most, "", std::vector<engine::synthesis::Symmetry>{},
                            poll());
            if (kind_ == Kind::composed && !symmetric_)
                back.emplace(reversed(fabric_), question.chunks, steps, most, "",
                             std::vector<engine::synthesis::Symmetry>{}, poll());
        } catch (const OutOfTime&) {
            rows_.push_back(rowOf(chunks, steps, most, SearchAnswer::undecided, begin));
            return false;
        }
        bool any = false;
        for (std::int32_t rounds = most; rounds >= least;) {
            Pair found;
            const Truth truth = decide(*forward, back ? &*back : nullptr, rounds, single, found);
            if (truth != Truth::satisfiable) {
                rows_.push_back(
                    rowOf(chunks, steps, rounds,
                          truth == Truth::unsatisfiable ? SearchAnswer::impossible : SearchAnswer::undecided, begin));
                break;
            }
            SearchRow row = foundRow(question, chunks, steps, found, begin);
            const std::int32_t needed = row.rounds / halves_;
            if (any) rows_.back() = std::move(row);
            else rows_.push_back(std::move(row));
            any = true;
            if (bestRounds_ == 0 || std::int64_t{needed} * bestChunks_ < std::int64_t{bestRounds_} * chunks) {
                bestRounds_ = needed;
                bestChunks_ = chunks;
            }
            rounds = needed - 1;
            begin = Clock::now();
        }
        return any;
    }

    const SynthesisWish& wish_;
    const engine::Problem& problem_;
    const emulation::Network& network_;
    const NetworkFabric& made_;
    const ScheduleBounds& bounds_;
    std::span<const CostLine> known_;
    Fabric fabric_;
    const engine::Progress& progress_;
    Clock::time_point end_;
    Kind kind_ = Kind::forward;
    std::int32_t halves_ = 1;
    bool symmetric_ = true;
    engine::Rate beta_{};
    std::int32_t fewest_ = 0;
    engine::Bytes largest_ = 0;
    bool uniform_ = false;         ///< every link has one lane, and none is faster
    Load load_{};                  ///< of the chunks that are being searched for
    std::int32_t least_ = 0;       ///< rounds, of a half, by counting
    engine::Bytes smallest_ = 0;   ///< chunk
    bool counts_ = false;          ///< rounds are proportional to the bytes on the links
    std::int32_t bestRounds_ = 0;  ///< of a half; the fewest for its chunks that was found so far; 0: none
    std::int32_t bestChunks_ = 1;
    bool attained_ = false;  ///< no schedule moves fewer bytes through the heaviest load
    std::vector<SearchRow> rows_;
};

}  // namespace

void searchSchedules(const SynthesisWish& wish, const emulation::Network& network, const NetworkFabric& fabric,
                     const ScheduleBounds& bounds, std::chrono::steady_clock::time_point end,
                     const engine::Progress& progress, Synthesis& synthesis) {
    ScheduleSearch search{wish, synthesis.problem, network, fabric, bounds, synthesis.catalogue, end, progress};
    synthesis.fewestSearched = search.fewest();
    synthesis.composed = search.composed();
    synthesis.rows = search.rows(fabric.graph);
    synthesis.limit = search.limit();
    synthesis.unit = search.unit();
    synthesis.beta = static_cast<double>(search.beta().femtosecondsPerByte) / 1000;
}

}  // namespace app
