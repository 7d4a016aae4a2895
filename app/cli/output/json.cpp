// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/json.hpp"

#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "engine/base/text.hpp"

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::seconds;

Json secondsOrNull(const std::optional<Picoseconds>& time) { return time ? Json(seconds(*time)) : Json{}; }

std::string_view kindName(engine::Option::Kind kind) {
    switch (kind) {
        case engine::Option::Kind::integer: return "integer";
        case engine::Option::Kind::choice: return "choice";
        case engine::Option::Kind::bytes: return "bytes";
        case engine::Option::Kind::text: return "text";
    }
    return {};
}

/// The last three parts add up to the time of the run; the first is what of them was before the rank entered.
Json perRankJson(const engine::Run& run) {
    Json absent = Json::array();
    Json busy = Json::array();
    Json wait = Json::array();
    Json idle = Json::array();
    for (const analysis::RankTimeBreakdown& times : analysis::rankTimeBreakdownsOf(run))
        absent.push_back(seconds(times.notYetEntered));
    for (const engine::RankTimes& times : run.perRank) {
        busy.push_back(seconds(times.busy));
        wait.push_back(seconds(times.noCommunication));
        idle.push_back(seconds(times.finishedEarly));
    }
    return {{"absent_s", absent}, {"busy_s", busy}, {"no_communication_s", wait}, {"finished_early_s", idle}};
}

Json linksJson(const Report& report) {
    const std::optional<emulation::LinkPeak> peak = report.peak();
    if (!peak) return {{"busiest", {}}};
    return {{"busiest",
             {{"name", report.network->linkName(peak->link)},
              {"bytes", peak->bytes},
              {"round", report.congestion->peakRound.value}}}};
}

/// What the links of the network force; null where they are not shared.
Json networkJson(const Report& report) {
    const auto& network = report.limits->network;
    if (!network || !report.network) return {};
    Json links = Json::array();
    for (const engine::LinkId link : network->links) links.push_back(report.network->linkName(link));
    Json json{{"kind", emulation::bounds::name(network->kind)},
              {"bytes", network->bytes},
              {"bytes_per_s", network->speed * 1e15},
              {"time_s", seconds(network->time())},
              {"words", analysis::inWords(*network, *report.network)},
              {"links", links},
              {"beaten", report.limits->beaten}};
    Json senders = Json::array();
    if (network->kind == emulation::bounds::NetworkBound::Kind::cut)
        for (std::int32_t rank = 0; rank < report.network->ranks(); ++rank)
            if (network->side[engine::asSize(rank)] == 1) senders.push_back(rank);
    json["sending_ranks"] = senders;
    const auto load = report.bindingLoad();
    json["run_bytes"] = load ? Json(load->all) : Json{};
    json["run_busiest_link_bytes"] = load ? Json(load->busiest) : Json{};
    return json;
}

/// Of one class of schedules; null where it has no bounds.
Json limitJson(const analysis::Limit& limit) {
    return {{"rounds", limit.rounds.value},
            {"bytes_in_a_row", limit.serializedBytes},
            {"time_s", secondsOrNull(limit.time)},
            {"full_network_time_s", secondsOrNull(limit.fullNetworkTime)},
            {"why", limit.rounds.why},
            {"attained", orNull(limit.rounds.attained)}};
}

Json boundsJson(const Report& report) {
    Json json{{"startups", {}},
              {"volume_bytes", {}},
              {"time_s", secondsOrNull(report.timeBound())},
              {"why", {}},
              {"unit_rounds", {}},
              {"first_byte_startups", {}},
              {"rounds", {}},
              {"class", {}},
              {"rank_bytes", {}},
              {"whole_blocks", {}},
              {"cut_at_will", {}},
              {"together", {}},
              {"network", {}},
              {"full_network_time_s", {}},
              {"network_forces_s", {}}};
    if (!report.limits) return json;
    const analysis::Limits& limits = *report.limits;
    const engine::Bounds& bounds = limits.bounds;
    json["startups"] = bounds.startups.value;
    json["volume_bytes"] = bounds.volume.value;
    json["first_byte_startups"] = bounds.firstByte;
    std::string why = "startups: " + bounds.startups.why + "; volume: " + bounds.volume.why;
    if (bounds.unitRounds) {
        json["unit_rounds"] = bounds.unitRounds->value;
        why += "; unit rounds: " + bounds.unitRounds->why;
    }
    json["why"] = why;
    json["rounds"] = limits.held().rounds.value;
    json["class"] = name(limits.blocks);
    json["rank_bytes"] = bounds.perRank;
    if (limits.whole) json["whole_blocks"] = limitJson(*limits.whole);
    json["cut_at_will"] = limitJson(limits.anyMessages);
    json["network"] = networkJson(report);
    json["full_network_time_s"] = secondsOrNull(limits.held().fullNetworkTime);
    if (limits.held().time) json["network_forces_s"] = seconds(limits.networkForces());
    if (const auto& together = bounds.together)
        json["together"] = {{"startups", together->value.startups},
                            {"volume_bytes", together->value.volume},
                            {"why", together->why},
                            {"source", together->source},
                            {"attained", orNull(together->attained)}};
    return json;
}

Json gapJson(const std::optional<analysis::Gap>& gap) {
    Json json = Json::object();
    for (const analysis::GapCause& cause : analysis::gapCauses)
        json[std::string{cause.key}] = gap ? Json(seconds((*gap).*cause.time)) : Json{};
    return json;
}

/// True when the data were compared or the schedule is proved, and neither failed.
Json verifiedJson(const Report& report) {
    if (!report.correct || (report.verdict && !report.verdict->proved)) return false;
    return report.compared || report.verdict ? Json(true) : Json{};
}

Json resemblesJson(const Report& report) {
    Json all = Json::array();
    for (const analysis::Recognition& one : report.resembles)
        all.push_back({{"algorithm", analysis::wordsOf(one.plan)},
                       {"problem", toText(one.plan.problem)},
                       {"same_share", one.confidence}});
    return all;
}

}  // namespace

Json modelJson(const engine::Model& model) {
    const auto rate = [](engine::Rate r) { return static_cast<double>(r.femtosecondsPerByte) / 1e15; };
    Json json{{"name", model.name}};
    if (const auto& logGP = model.logGP) {
        json["L_s"] = seconds(logGP->latency);
        json["o_s"] = seconds(logGP->overhead);
        json["g_s"] = seconds(logGP->gap);
        json["G_s_per_byte"] = rate(logGP->gapPerByte);
        json["O_s_per_byte"] = rate(logGP->overheadPerByte);
    } else {
        json["alpha_s"] = seconds(model.alpha);
        json["beta_s_per_byte"] = rate(model.beta);
    }
    json["gamma_s_per_byte"] = rate(model.gamma);
    for (const auto& [operation, given] : model.gammaOf)
        json["gamma_of_s_per_byte"][std::string{name(operation)}] = rate(given);
    if (model.eagerLimit) json["eager_bytes"] = *model.eagerLimit;
    return json;
}

namespace {

Json choicesJson(const engine::Choices& choices) {
    Json values = Json::object();
    for (const engine::Choice& one : choices) values[one.option] = valueJson(one.value);
    return values;
}

}  // namespace

Json algorithmJson(const engine::Algorithm& algorithm) {
    Json options = Json::array();
    for (const engine::Option& option : algorithm.options)
        options.push_back({{"name", option.name},
                           {"kind", kindName(option.kind)},
                           {"fallback", option.fallback},
                           {"meaning", option.meaning},
                           {"choices", option.choices}});
    Json errata = Json::array();
    for (const engine::Erratum& erratum : algorithm.errata)
        errata.push_back({{"place", erratum.place}, {"correction", erratum.correction}});
    Json knownAs = Json::array();
    for (const engine::KnownAs& known : algorithm.knownAs) {
        knownAs.push_back({{"library", known.library}, {"call", known.call}, {"name", known.name}});
        if (known.number >= 0) knownAs.back()["number"] = known.number;
    }
    return {{"id", algorithm.id},
            {"collective", name(algorithm.collective)},
            {"title", algorithm.title},
            {"idea", algorithm.idea},
            {"source", algorithm.source},
            {"formula", algorithm.formula},
            {"letters", algorithm.letters},
            {"options", options},
            {"known_as", knownAs},
            {"errata", errata},
            {"runs_on", algorithm.plan == nullptr ? Json::array({"mpi"}) : Json::array({"virtual", "threads", "mpi"})}};
}

namespace {

Json connectionsJson(const Report& report) {
    if (!report.totals || !report.totals->connections) return {};
    return {{"pairs", report.totals->connections->pairs}, {"most_of_a_rank", report.totals->connections->most}};
}

/// The place of every rank; null where rank r is on place r and no place is free.
Json placesJson(const Report& report) {
    Json places = Json::array();
    if (!report.network) return {};
    for (std::int32_t rank = 0; rank < report.network->ranks(); ++rank) places.push_back(report.network->placeOf(rank));
    const bool moved =
        std::ranges::any_of(places, [&, rank = 0](const Json& place) mutable { return place != rank++; });
    return moved || report.network->places() > report.network->ranks()
               ? Json{{"count", report.network->places()}, {"of_ranks", places}}
               : Json{};
}

}  // namespace

Json reportJson(const Report& report) {
    const engine::Run& run = *report.run;
    const engine::Setting& setting = run.setting;
    Json json{{"version", COLLSCOPE_VERSION},
              {"algorithm", orNull(setting.algorithm)},
              {"problem", orNull(setting.problem)},
              {"options", report.plan ? optionsJson(report.plan->options) : Json{}},
              {"chosen", report.plan ? choicesJson(engine::choicesOf(*report.plan)) : Json{}},
              {"on", orNull(setting.on)},
              {"model", report.model ? modelJson(*report.model) : Json{}},
              {"topology", orNull(setting.topology)},
              {"places", placesJson(report)},
              {"progress", orNull(setting.progress)},
              {"sharing", orNull(setting.sharing)},
              {"routing", orNull(setting.routing)},
              {"unevenness", orNull(setting.perturbation)},
              {"ranks", run.ranks},
              {"rounds", run.setting.on == "trace" ? Json{} : Json(run.rounds)},
              {"startups", run.setting.on == "trace" ? Json{} : Json(report.startups())},
              {"messages", run.messageCount},
              {"bytes", run.byteCount},
              {"connections", connectionsJson(report)},
              {"time_s", seconds(run.duration)},
              {"lockstep_time_s", secondsOrNull(report.lockstep)},
              {"predicted_time_s", secondsOrNull(report.predictedTime)},
              {"idle_share", run.setting.on == "trace" ? Json{} : Json(idleShare(run))},
              {"per_rank", perRankJson(run)},
              {"links", linksJson(report)},
              {"bounds", boundsJson(report)},
              {"gap", gapJson(report.gap)},
              {"verified", verifiedJson(report)},
              {"fault", orNull(report.fault)},
              {"resembles", resemblesJson(report)},
              {"dropped_events", run.droppedMessages},
              {"remarks", run.remarks}};
    return json;
}

}  // namespace app::cli
