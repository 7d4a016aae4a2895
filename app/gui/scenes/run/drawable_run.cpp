// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/drawable_run.hpp"
#include "app/gui/scenes/drawing/style.hpp"

#include "app/analysis/messages/messages_in_flight.hpp"
#include "app/gui/scenes/drawing/background_priority.hpp"
#include "app/gui/scenes/drawing/colours.hpp"
#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/catalogue/compose.hpp"

#include <algorithm>
#include <future>
#include <mutex>

namespace app::gui {
namespace {

using engine::Picoseconds;

// Cells of the matrix that are followed at most: 1024 ranks x 256 columns. Beyond, blocks are taken together.
constexpr std::int32_t mostCells = 1 << 18;
constexpr std::int32_t mostColumns = 512;
constexpr std::size_t fewMessages = 5000;
constexpr std::size_t sortedMessages = 1'000'000;

std::optional<engine::Problem> problemOf(const Report& report) {
    if (report.plan && !report.plan->schedule->facts().unstated.empty()) return std::nullopt;
    if (report.plan) return report.plan->problem;
    if (report.run->setting.problem.empty()) return std::nullopt;
    try {
        engine::Problem problem = engine::problemFromText(report.run->setting.problem);
        if (problem.ranks() <= report.run->ranks) return problem;
    } catch (const engine::Error&) {
        // A foreign trace may say anything there; then the problem is not known.
    }
    return std::nullopt;
}

/// Whether one of `all`, by rank and time, is the rank's at this time.
bool worksThen(const std::vector<engine::LocalWork>& all, engine::Rank rank, Picoseconds time) {
    const auto after = std::upper_bound(all.begin(), all.end(), std::pair{rank, time},
                                        [](const auto& at, const engine::LocalWork& its) {
                                            return at < std::pair{its.rank, its.begin};
                                        });
    return after != all.begin() && std::prev(after)->rank == rank && time < std::prev(after)->end;
}

}  // namespace

struct DrawableRun::KeptRoute {
    std::mutex access;
    std::int32_t column = -1;
    std::shared_ptr<const analysis::Route> route;
};

DrawableRun::DrawableRun(Report report, traces::RecordingPtr recording, const engine::Progress& progress, Rounds rounds)
    : rounds_{rounds},
      report_{std::make_shared<const Report>(std::move(report))},
      recording_{std::move(recording)},
      queue_{std::make_shared<analysis::AnalysisQueue>(Trace{*report_, recording_})},
      firstSight_{std::make_shared<EarlyProgram>()},
      programmed_{programmedLater(queue_, firstSight_)},
      problem_{problemOf(*report_)},
      route_{std::make_shared<KeptRoute>()},
      chains_{chainsOf(report_)} {
    if (isProgram()) communication_ = traces::communicationOf(*recording_);
    rankTimeBreakdowns_ = analysis::rankTimeBreakdownsOf(run());
    computing_ = engine::computingOf(run());
    anyAbsent_ =
        std::any_of(rankTimeBreakdowns_.begin(), rankTimeBreakdowns_.end(),
                    [](const analysis::RankTimeBreakdown& its) { return its.notYetEntered > engine::Picoseconds{}; });
    noteRounds();
    noteMessages();
    noteLeaders();
    progress.at(0.5);
    if (const auto peak = report_->peak()) peakLoad_ = peak->bytes;
    blueprint_ = NetworkShape{report_->network.get(), run(), sideOf(engine::Rank{0}) == Side::a};
    noteGroups();
    if (run().messages.size() > fewMessages || run().ranks > 256)
        density_ = Density{run(), index_, Bundles{run().ranks, groupEdges()}};
    progress.at(0.9);
    if (problem_) {
        columns_ = analysis::Columns{*problem_, report_->plan ? &*report_->plan : nullptr, run(),
                                     std::min(mostColumns, mostCells / std::max(run().ranks, 1))};
        holdings_ = analysis::BlockOwnership{*problem_, report_->plan ? &*report_->plan : nullptr,
                                             report_->verdict ? &*report_->verdict : nullptr, run(), columns_};
        order_ = analysis::ReductionOrder{*problem_, report_->plan ? &*report_->plan : nullptr,
                                          report_->verdict ? &*report_->verdict : nullptr};
        for (const bool dark : {false, true})
            for (std::int32_t column = 0; column < columns_.count(); ++column)
                colours_[dark ? 1 : 0].push_back(originColour(column, columns_.count(), dark));
    }
    fault_ = faultOf(*report_, columns_);
    counting_ = std::make_shared<const Counting>(
        report_, report_->run->setting.on == "trace" ? recording_ : traces::RecordingPtr{});
    progress.at(1);
}

void DrawableRun::noteRounds() {
    const engine::Run& run = *report_->run;
    noteMiddles();
    for (std::size_t round = 0; round < run.perRound.size(); ++round) {
        if (run.perRound[round].messages == 0) continue;
        const engine::Round number{static_cast<std::int64_t>(round)};
        roundBegins_.emplace_back(run.perRound[round].begin, number);
        roundMiddles_.emplace_back(middleBegins_[round], number);
        stops_.push_back(middleBegins_[round]);
    }
    stops_.push_back(run.duration);
    std::sort(stops_.begin(), stops_.end());
    stops_.erase(std::unique(stops_.begin(), stops_.end()), stops_.end());
    std::sort(roundMiddles_.begin(), roundMiddles_.end());
    // Without lockstep ranks may begin a round before others began the one before it.
    std::sort(roundBegins_.begin(), roundBegins_.end());
    for (std::size_t i = 1; i < roundBegins_.size(); ++i)
        roundBegins_[i].second = std::max(roundBegins_[i].second, roundBegins_[i - 1].second);
    Picoseconds over{};
    for (const engine::RoundTimes& round : run.perRound) {
        if (round.messages > 0) over = std::max(over, round.end);
        overUpTo_.push_back(over);
    }
}

// Messages of a round lie side by side; those of the last one kept may be few, but begin no later than the rest.
void DrawableRun::noteMiddles() {
    const engine::Run& run = *report_->run;
    for (const engine::RoundTimes& round : run.perRound) middleBegins_.push_back(round.begin);
    const auto rounds = run.messages.round();
    for (std::size_t first = 0; first < rounds.size() && run.perRound.size() > 1;) {
        const engine::Round round = rounds[first];
        std::vector<Picoseconds> begins;
        for (; first < rounds.size() && rounds[first] == round; ++first)
            begins.push_back(std::min(run.messages.sendBegin()[first], run.messages.receiveBegin()[first]));
        middleBegins_[round.index()] = engine::lowerMedian(std::move(begins));
    }
}

// Those by rank beside those by time.
void DrawableRun::noteMessages() {
    const engine::Run& run = *report_->run;
    const engine::Messages& messages = run.messages;
    std::future<void> byRank =
        std::async(messages.size() > quickMessages ? std::launch::async : std::launch::deferred, [&] {
            sent_.emplace(messages.from(), run.ranks);
            received_.emplace(messages.to(), run.ranks);
            doneAt_.resize(static_cast<std::size_t>(run.ranks));
            for (std::size_t i = 0; i < messages.size(); ++i) {
                largestMessage_ = std::max(largestMessage_, messages.bytes()[i]);
                smallestMessage_ = std::min(smallestMessage_, messages.bytes()[i]);
                anyQueued_ = anyQueued_ || queued(i);
                Picoseconds& sender = doneAt_[messages.from()[i].index()];
                Picoseconds& receiver = doneAt_[messages.to()[i].index()];
                sender = std::max(sender, messages.sendEnd()[i]);
                receiver = std::max(receiver, messages.receiveEnd()[i]);
            }
            if (messages.size() <= sortedMessages) mostUnderWay_ = analysis::mostUnderWay(messages);
            for (const engine::LocalWork& its : engine::workOf(run))
                doneAt_[its.rank.index()] = std::max(doneAt_[its.rank.index()], its.end);
        });
    index_ = MessageIndex{run};
    byRank.get();
}

bool DrawableRun::combines(engine::Rank rank, Picoseconds time) const { return worksThen(run().combining, rank, time); }

bool DrawableRun::computes(engine::Rank rank, Picoseconds time) const { return worksThen(computing_, rank, time); }

void DrawableRun::noteLeaders() {
    const engine::Run& run = *report_->run;
    const auto between = std::find_if(run.stages.begin(), run.stages.end(),
                                      [](const engine::Stage& stage) { return stage.name == engine::betweenGroups; });
    if (between == run.stages.end()) return;
    leads_.resize(static_cast<std::size_t>(run.ranks));
    const engine::Round end = between->first + between->rounds;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::Round round = run.messages.round()[i];
        if (round < between->first || round >= end) continue;
        leads_[run.messages.from()[i].index()] = leads_[run.messages.to()[i].index()] = true;
    }
}

Side DrawableRun::sideOf(engine::Rank rank) const {
    const engine::Run& run = *report_->run;
    if (problem_ && rank.value >= problem_->ranks()) return Side::dummy;
    const std::int32_t groupA = problem_ && problem_->groupB > 0 ? problem_->groupA : run.groupA;
    const std::int32_t groupB = problem_ ? problem_->groupB : run.groupB;
    if (groupB == 0) return !leads_.empty() && leads_[rank.index()] ? Side::leader : Side::whole;
    if (rank.value >= groupA + groupB) return Side::dummy;
    return rank.value < groupA ? Side::a : Side::b;
}

namespace {

/// The round of the last entry at or before `time`; 0 before the first.
engine::Round lastBefore(const std::vector<std::pair<Picoseconds, engine::Round>>& entries, Picoseconds time) {
    const auto after = std::upper_bound(entries.begin(), entries.end(), time,
                                        [](Picoseconds t, const auto& one) { return t < one.first; });
    return after == entries.begin() ? engine::Round{0} : std::prev(after)->second;
}

}  // namespace

engine::Round DrawableRun::roundAt(Picoseconds time) const {
    const RoundSpan span = roundsAt(time);
    return std::clamp(lastBefore(roundMiddles_, time), span.first, span.last);
}

RoundSpan DrawableRun::roundsAt(Picoseconds time) const {
    const engine::Round last = lastBefore(roundBegins_, time);
    const auto open = std::upper_bound(overUpTo_.begin(), overUpTo_.end(), time);
    const engine::Round first{static_cast<std::int64_t>(open - overUpTo_.begin())};
    return {std::min(first, last), last};
}

std::optional<engine::Round> DrawableRun::roundOf(engine::Rank rank, Picoseconds time) const {
    const engine::Messages& messages = run().messages;
    std::optional<engine::Round> latest;
    const auto look = [&](std::span<const std::uint32_t> its, std::span<const Picoseconds> begins) {
        // In the order of rounds, and nearly in that of time: strands of a rank may overtake each other a little.
        auto after = std::partition_point(its.begin(), its.end(), [&](std::uint32_t i) { return begins[i] <= time; });
        if (after != its.begin())
            latest = std::max(latest.value_or(engine::Round{0}), messages.round()[*std::prev(after)]);
    };
    look(sentBy(rank), messages.sendBegin());
    look(receivedBy(rank), messages.receiveBegin());
    return latest;
}

Picoseconds DrawableRun::roundBegan(Picoseconds time) const {
    const auto after = std::upper_bound(stops_.begin(), std::prev(stops_.end()), time);
    return after == stops_.begin() ? Picoseconds{} : *std::prev(after);
}

std::vector<std::size_t> DrawableRun::messagesAt(Picoseconds time) const {
    const engine::Messages& messages = run().messages;
    std::vector<std::size_t> found;
    for (const std::uint32_t i : index_.touching(time, time))
        if (std::max(messages.sendEnd()[i], messages.receiveEnd()[i]) > time &&
            std::min(analysis::sendsFrom(run(), i), analysis::receivesFrom(run(), i)) <= time)
            found.push_back(i);
    return found;
}

std::shared_ptr<const analysis::Route> DrawableRun::routeOf(std::int32_t column) const {
    const std::scoped_lock lock{route_->access};
    if (route_->column != column || !route_->route) {
        route_->route = std::make_shared<const analysis::Route>(analysis::routeOf(run(), columns_, holdings_, column));
        route_->column = column;
    }
    return route_->route;
}

std::int32_t DrawableRun::columnOf(std::size_t message) const {
    const auto what = run().messages.what(message);
    return what.empty() || columns_.count() == 0 ? -1 : columns_.columnAt(what.front().begin);
}

std::vector<std::pair<std::int32_t, std::int32_t>> DrawableRun::carried(std::size_t message) const {
    std::vector<std::pair<std::int32_t, std::int32_t>> found;
    if (columns_.count() == 0) return found;
    for (const engine::Range range : run().messages.what(message))
        if (!range.empty()) found.emplace_back(columns_.numberAt(range.begin), columns_.numberAt(range.end - 1));
    return found;
}

QString DrawableRun::labelOf(std::int32_t block) const {
    const auto& asked = problem();
    const bool personal = asked && (asked->collective == engine::Collective::alltoallv ||
                                    asked->collective == engine::Collective::intergroupAlltoallv);
    const auto to = personal ? receiverOf(*asked, engine::Block{block}) : std::nullopt;
    if (!to) return QString::number(block);
    return QStringLiteral("%1\u2192%2").arg(ownerOf(*asked, engine::Block{block}).value).arg(to->value);
}

QString DrawableRun::columnName(std::int32_t column) const {
    const std::int32_t first = columns_.firstIn(column);
    if (const QString label = labelOf(first);
        columns_.firstIn(column + 1) == first + 1 && label.contains(QChar{0x2192}))
        return QString::fromStdString(columns_.singular()) + ' ' + label;
    return QString::fromStdString(columns_.name(column));
}

QString DrawableRun::cargoOf(std::size_t message) const {
    const auto parts = carried(message);
    if (parts.empty()) return {};
    std::int32_t all = 0;
    for (const auto& [first, last] : parts) all += last - first + 1;
    if (columns_.kind() == analysis::Columns::Kind::contributions && all > 1)
        return QStringLiteral("\u03a3%1").arg(all);
    const auto [first, last] = parts.front();
    const QString begin = labelOf(first);
    if (all == 1) return begin;
    const QString end = labelOf(parts.size() == 1 ? last : parts[1].first);
    if (parts.size() == 1 && !begin.contains(QChar{0x2192})) return QStringLiteral("%1-%2").arg(begin, end);
    if (all == 2) return QStringLiteral("%1, %2").arg(begin, end);
    return QStringLiteral("%1 +%2").arg(begin).arg(all - 1);
}

QString DrawableRun::cargoInWords(std::size_t message) const {
    const QString cargo = cargoOf(message);
    if (cargo.isEmpty()) return QStringLiteral("a message");
    if (cargo.startsWith(QChar{0x3a3})) return QStringLiteral("a sum of %1 contributions").arg(cargo.mid(1));
    if (columns_.uncut()) return QString::fromStdString(columns_.name(0));
    const QString one = QString::fromStdString(columns_.singular()) + ' ';
    const QString several = QString::fromStdString(columns_.plural()) + ' ';
    const qsizetype more = cargo.indexOf(QStringLiteral(" +"));
    if (more > 0) return one + cargo.left(more) + QStringLiteral(" and %1 more").arg(cargo.mid(more + 2));
    if (cargo.contains('-')) return several + cargo;
    const QStringList both = cargo.split(QStringLiteral(", "));
    return both.size() == 2 ? several + both.join(QStringLiteral(" and ")) : one + cargo;
}

QColor DrawableRun::colourOf(std::int32_t column, bool dark) const {
    if (column < 0) return paletteFor(dark).muted;
    return colours_[dark ? 1 : 0][static_cast<std::size_t>(column)];
}

}  // namespace app::gui
