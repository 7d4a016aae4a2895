// SPDX-License-Identifier: BSD-3-Clause
// Fields of the execution: where, at which costs, under which conditions.
#include "app/session/options/costs.hpp"
#include "app/session/options/models.hpp"
#include "app/session/options/run_options_parts.hpp"

namespace app::fields {
namespace {

using engine::text;
using Spec = Specification;
using Line = const std::string&;

Words modelNames() {
    Words names;
    for (const NamedModel& one : models()) names.push_back(one.model.name);
    return names;
}

Words sharingNames() {
    Words names;
    for (const auto& [kind, name] : emulation::sharingNames) names.emplace_back(name);
    return names;
}

std::vector<Offer> sharingOffers() {
    constexpr std::array labels{"never crowded", "shared by messages", "shared fairly", "fairly, by latency"};
    std::vector<Offer> offers;
    for (const auto& [kind, name] : emulation::sharingNames)
        offers.push_back({.words = std::string{name}, .label = labels.at(static_cast<std::size_t>(kind))});
    return offers;
}

Words arrivalNames() { return {"none", "random:", "ramp:", "late:"}; }
Words whereNames() { return {"virtual", "threads", "mpi"}; }
Words steppingNames() { return {"free", "lockstep"}; }
/// Sets one of the costs of the model.
template <auto cost, auto read>
void takeCost(Spec& spec, Line words, Line what) {
    spec.run.model.*cost = read(words, what);
    spec.costsKnown = true;
}

void takeEager(Spec& spec, Line words, Line what) {
    spec.run.model.eagerLimit.reset();
    if (words != "all") spec.run.model.eagerLimit = engine::readBytes(words, what);
    spec.costsKnown = true;
}

/// Where a startup and a time per byte are what a message costs.
bool inVirtualTime(const Spec& spec) { return spec.run.on == "virtual" && !spec.run.model.logGP; }

/// "ramp:1ms", with times that read back exactly.
std::string arrivalWords(const emulation::Arrival& arrival) {
    using Pattern = emulation::Arrival::Pattern;
    const std::string most = exactly(arrival.most);
    switch (arrival.pattern) {
        case Pattern::none: return {};
        case Pattern::random: return text("random:", most, ',', arrival.seed);
        case Pattern::ramp: return "ramp:" + most;
        case Pattern::late: return text("late:", arrival.rank, ',', most);
    }
    return {};
}

/// The list alone of "slow-ranks=3:2.5,7:4".
std::string listOf(const emulation::Perturbation& perturbation) {
    const std::string words = toText(perturbation);
    return words.substr(words.find('=') + 1);
}

}  // namespace

std::vector<Entry> executionFields() {
    return {
        {.key = "on",
         .label = "Run",
         .type = "WHERE",
         .help = "virtual (the default), threads or mpi",
         .tip = "Emulated in virtual time, or executed by threads of this program or by processes that mpirun starts",
         .kind = Kind::choice,
         .fallback = "virtual",
         .choices = whereNames,
         .take = [](Spec& s, Line words, Line what) { s.run.on = chosen(words, what, whereNames()); },
         .print = [](const Spec& s) { return unless(s.run.on == "virtual", s.run.on); },
         .edited = {.section = Section::where,
                    .offers = {{"virtual", "in virtual time"}, {"threads", "on threads"}, {"mpi", "over MPI"}}}},
        {.key = "model",
         .label = "Model",
         .type = "NAME",
         .help =
             "cost model of virtual time: a name from 'list models', @FILE, or all values in one word, "
             "alpha=1us:beta=1ns/B:gamma=0ns/B; where a command has --alpha, --beta and --gamma, they override its values",
         .tip = "A machine whose costs are known; the fields below override its values",
         .scope = Scope::noThreads,
         .several = Several::list,
         .choices = modelNames,
         .take =
             [](Spec& s, Line words, Line) {
                 s.run.model = modelFromWord(words);
                 s.costsKnown = true;
             },
         .print = [](const Spec& s) { return said(costWords(s).model); },
         .edited = {.section = Section::machine}},
        {.key = "alpha",
         .label = "Startup \u03b1",
         .type = "TIME",
         .help = "startup of a message; 1us by default",
         .tip = "Startup of a message",
         .kind = Kind::time,
         .scope = Scope::noThreads,
         .several = Several::list,
         .take = takeCost<&engine::Model::alpha, engine::readTime>,
         .print = [](const Spec& s) { return said(costWords(s).alpha); },
         .now = [](const Spec& s) { return inVirtualTime(s) ? exactly(s.run.model.alpha) : std::string{}; },
         .edited = {.section = Section::machine, .needed = true, .chip = "\u03b1"}},
        {.key = "beta",
         .label = "Byte \u03b2",
         .type = "TIME/BYTE",
         .help = "time per byte; 0.4ns/B by default",
         .tip = "Time per byte moved, or a speed such as 2.5 GB/s",
         .kind = Kind::rate,
         .scope = Scope::noThreads,
         .several = Several::list,
         .take = takeCost<&engine::Model::beta, engine::readRate>,
         .print = [](const Spec& s) { return said(costWords(s).beta); },
         .now = [](const Spec& s) { return inVirtualTime(s) ? exactly(s.run.model.beta) : std::string{}; },
         .edited = {.section = Section::machine, .needed = true, .chip = "\u03b2"}},
        {.key = "bandwidth",
         .label = "Byte \u03b2",
         .type = "SPEED",
         .help = "in place of --beta, such as 2.5GB/s",
         .kind = Kind::rate,
         .scope = Scope::noThreads,
         .several = Several::list,
         .take = takeCost<&engine::Model::beta, engine::readBandwidth>,
         .print = [](const Spec&) { return Words{}; }},  // --beta says it
        {.key = "gamma",
         .label = "Combine \u03b3",
         .type = "TIME/BYTE",
         .help = "time per combined byte; 0ns/B by default",
         .tip = "Time per byte combined",
         .kind = Kind::rate,
         .scope = Scope::noThreads,
         .several = Several::list,
         .take = takeCost<&engine::Model::gamma, engine::readRate>,
         .print = [](const Spec& s) { return said(costWords(s).gamma); },
         .edited = {.section = Section::machine, .needed = true}},
        {.key = "gamma-of",
         .label = "Of operations",
         .type = "LIST",
         .help = "time per combined byte of operations that differ from --gamma: max=0.3ns/B,user=5ns/B",
         .tip = "Time per combined byte of single operations, where it differs: max=0.3ns/B,user=5ns/B",
         .kind = Kind::list,
         .scope = Scope::virtualTime,
         .take =
             [](Spec& s, Line words, Line what) {
                 for (const std::string& one : engine::split(words, ',')) engine::setGammaOf(s.run.model, one, what);
                 s.costsKnown = true;
             },
         .print = [](const Spec& s) { return costWords(s).gammaOf; }},
        {.key = "loggp",
         .label = "LogGP",
         .type = "PARAMETERS",
         .help =
             "LogGP in place of alpha and beta: L=5us,o=1us,g=2us,G=1ns/B,O=0ns/B: latency L, overhead of the processor "
             "o per message and O per byte, gap of the port g per message and G per byte; omitted ones are 0",
         .tip =
             "In place of \u03b1 and \u03b2: L=5us,o=1us,g=2us,G=1ns/B,O=0ns/B: latency L, overhead o per message and O "
             "per byte, gap g per message and G per byte; omitted ones are 0",
         .scope = Scope::virtualTime,
         .take = takeCost<&engine::Model::logGP, engine::readLogGP>,
         .print = [](const Spec& s) { return said(costWords(s).logGP); },
         .edited = {.section = Section::costs, .unset = "none: \u03b1 and \u03b2 apply"}},
        {.key = "eager",
         .label = "Eager",
         .type = "BYTES",
         .help = "messages larger than this wait for their receiver (rendezvous); all (the default): every message is "
                 "eager",
         .tip = "Bytes; larger messages wait for their receiver",
         .kind = Kind::bytes,
         .scope = Scope::virtualTime,
         .fallback = "all",
         .take = takeEager,
         .print = [](const Spec& s) { return said(costWords(s).eager); },
         .edited = {.section = Section::costs, .unset = "all"}},
        {.key = "progress",
         .label = "Rounds",
         .type = "HOW",
         .help =
             "free (the default): each rank starts its next round as soon as it can; lockstep: all ranks start each "
             "round together",
         .tip = "Whether a rank continues as soon as its own round is complete, or waits for all ranks",
         .kind = Kind::choice,
         .scope = Scope::virtualTime,
         .fallback = "free",
         .choices = steppingNames,
         .take =
             [](Spec& s, Line words, Line what) {
                 s.run.stepping = chosen(words, what, steppingNames()) == "free" ? emulation::Stepping::free
                                                                                 : emulation::Stepping::lockstep;
             },
         .print = [](const Spec& s) { return unless(s.run.stepping == emulation::Stepping::free, "lockstep"); },
         .edited = {.section = Section::machine,
                    .offers = {{"free", "each at its own pace"}, {"lockstep", "all in step"}}}},
        {.key = "sharing",
         .label = "Links",
         .type = "HOW",
         .help = "how messages share links: bottleneck (the default), fair, fair-weighted (by 1/latency), none",
         .tip = "Whether messages on one link slow each other down",
         .kind = Kind::choice,
         .scope = Scope::virtualTime,
         .fallback = "bottleneck",
         .choices = sharingNames,
         .take =
             [](Spec& s, Line words, Line what) {
                 s.run.sharing = emulation::sharingFromText(chosen(words, what, sharingNames())).sharing;
             },
         .print =
             [](const Spec& s) {
                 return unless(s.run.sharing == emulation::Sharing::bottleneck, toText(s.run.sharing, {}));
             },
         .edited = {.section = Section::machine, .offers = sharingOffers()}},
        {.key = "header",
         .label = "Header",
         .type = "BYTES",
         .help = "fair sharing: header bytes added to each message",
         .tip = "Header bytes added to each message, if links are shared fairly",
         .kind = Kind::bytes,
         .scope = Scope::virtualTime,
         .fallback = "0",
         .take = [](Spec& s, Line words, Line what) { s.run.protocol.header = engine::readBytes(words, what); },
         .print = [](const Spec& s) { return unless(s.run.protocol.header == 0, exactly(s.run.protocol.header)); },
         .edited = {.section = Section::wire, .unset = "0 B"}},
        {.key = "detached",
         .label = "Detached",
         .type = "BYTES",
         .help = "fair sharing: senders do not wait for messages smaller than this",
         .tip = "Senders do not wait for smaller messages, if links are shared fairly",
         .kind = Kind::bytes,
         .scope = Scope::virtualTime,
         .fallback = "0",
         .take = [](Spec& s, Line words, Line what) { s.run.protocol.detached = engine::readBytes(words, what); },
         .print = [](const Spec& s) { return unless(s.run.protocol.detached == 0, exactly(s.run.protocol.detached)); },
         .edited = {.section = Section::wire, .unset = "0 B"}},
        {.key = "arrival",
         .label = "Start",
         .type = "PATTERN",
         .help = "when ranks start: none (the default), random:1ms,SEED, ramp:1ms, or late:RANK,1ms",
         .tip =
             "When ranks start: random:10us,SEED within 10 \u00b5s, ramp:10us one after the other, late:RANK,10us one "
             "of them",
         .scope = Scope::virtualTime,
         .choices = arrivalNames,
         .take = [](Spec& s, Line words, Line) { s.run.perturbation.arrival = emulation::readArrival(words); },
         .print = [](const Spec& s) { return said(arrivalWords(s.run.perturbation.arrival)); },
         .edited = {.section = Section::perturbation,
                    .unset = "all at once",
                    .offers = offersOf(Words{"random:10us,1", "ramp:10us", "late:0,10us"}),
                    .anythingElse = true}},
        {.key = "slow-ranks",
         .label = "Slow ranks",
         .type = "LIST",
         .help =
             "3:2.5,7:4 slows rank 3 down by a factor of 2.5 and rank 7 by a factor of 4; in replays MPI_Init keeps its time",
         .tip = "3:2.5,7:4 slows rank 3 down by a factor of 2.5 and rank 7 by a factor of 4",
         .scope = Scope::virtualTime,
         .take = [](Spec& s, Line words, Line) { s.run.perturbation.slowRanks = emulation::readSlowRanks(words); },
         .print =
             [](const Spec& s) {
                 return said(listOf({.arrival = {}, .slowRanks = s.run.perturbation.slowRanks, .slowLinks = {}}));
             },
         .edited = {.section = Section::perturbation, .unset = "none"}},
        {.key = "slow-links",
         .label = "Slow links",
         .type = "LIST",
         .help = "3-4:8 slows the link from rank 3 to rank 4 down by a factor of 8; s0 is switch 0, p0 place 0",
         .tip = "3-4:8 slows the link from rank 3 to rank 4 down by a factor of 8; s0 is switch 0, p0 place 0",
         .scope = Scope::virtualTime,
         .take = [](Spec& s, Line words, Line) { s.run.perturbation.slowLinks = emulation::readSlowLinks(words); },
         .print =
             [](const Spec& s) {
                 return said(listOf({.arrival = {}, .slowRanks = {}, .slowLinks = s.run.perturbation.slowLinks}));
             },
         .edited = {.section = Section::perturbation, .unset = "none"}},
    };
}

}  // namespace app::fields
