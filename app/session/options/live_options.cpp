// SPDX-License-Identifier: BSD-3-Clause
// Fields of real processes: what is measured of them, and how they are started.
#include "app/session/options/run_options_parts.hpp"
#include "engine/base/error.hpp"

namespace app::fields {
namespace {

using engine::Error;
using engine::text;
using Spec = Specification;
using Line = const std::string&;
using engine::splitphase::Nanoseconds;

Words transportNames() {
    Words names;
    for (const engine::splitphase::By by : engine::splitphase::transports) names.emplace_back(name(by));
    return names;
}

engine::splitphase::Settings& halvesOf(Spec& spec, Line what) {
    if (!spec.split) throw Error{text(what, " is about split-phase runs; add ", engine::field::splitPhase)};
    return *spec.split;
}

void takeGrants(Spec& spec, Grants grants, Line what) {
    if (spec.grants != Grants::wherePaying && spec.grants != grants)
        throw Error{text(what, ": ", grants == Grants::never ? engine::field::granted : engine::Field{"no-grants"},
                         " requests the opposite; leave one of them out")};
    spec.grants = grants;
}

constexpr std::int64_t mostRepeats = 100'000;

Nanoseconds nanosecondsIn(Line words, Line what) { return Nanoseconds{engine::readTime(words, what).count() / 1000}; }

std::string exactlyOf(Nanoseconds time) { return exactly(engine::Picoseconds{time.count() * 1000}); }

Words timeWords(Nanoseconds time) { return time.count() == 0 ? Words{} : Words{exactlyOf(time)}; }

/// "10us,30us".
std::vector<Nanoseconds> readLooks(Line words, Line what) {
    std::vector<Nanoseconds> looks;
    for (const std::string& time : engine::split(words, ',')) {
        looks.push_back(nanosecondsIn(time, what));
        if (looks.size() > 1 && looks.back() <= looks[looks.size() - 2])
            throw Error{text(what, ": ", time, " is not after the look before it; times rise")};
    }
    return looks;
}

std::string looksIn(const std::vector<Nanoseconds>& looks) {
    std::string words;
    for (const Nanoseconds time : looks) words += (words.empty() ? "" : ",") + exactlyOf(time);
    return words;
}

std::int32_t readRepeats(Line words, Line what, std::int64_t least) {
    return static_cast<std::int32_t>(engine::readInteger(words, what, least, mostRepeats));
}

}  // namespace

std::vector<Entry> liveFields() {
    return {
        {.key = "repeat",
         .label = "Executions",
         .type = "K",
         .help = "number of measured executions; the median is shown",
         .tip = "Number of measured executions; the one with the median time is shown",
         .part = Part::measuring,
         .kind = Kind::number,
         .scope = Scope::measured,
         .fallback = "1",
         .take = [](Spec& s, Line words, Line what) { s.repeats = readRepeats(words, what, 1); },
         .print = [](const Spec& s) { return counted(s.repeats); },
         .edited = {.section = Section::measuring, .low = 1, .high = mostRepeats}},
        {.key = "warm-ups",
         .label = "Warm-ups",
         .type = "W",
         .help = "unmeasured executions before the measured ones; 1 by default, 2 with --repeat",
         .tip = "Unmeasured executions before the measured ones",
         .part = Part::measuring,
         .kind = Kind::number,
         .scope = Scope::measured,
         .fallback = "1",
         .take = [](Spec& s, Line words, Line what) { s.warmUps = readRepeats(words, what, 0); },
         .print = [](const Spec& s) { return counted(s.warmUps); },
         .edited = {.section = Section::measuring, .high = mostRepeats}},
        {.key = "against",
         .label = "Against",
         .type = "ID,...",
         .help = "also measure these algorithms, in turn with the first; native is the MPI library's own algorithm, "
                 "ID:KEY=VALUE sets options",
         .part = Part::measuring,
         .scope = Scope::mpi,
         .take = [](Spec& s, Line words, Line) { s.against = engine::split(words, ','); },
         .print = [](const Spec& s) { return said(engine::joined(s.against, ",")); }},
        {.key = "no-check",
         .label = "Unchecked",
         .help = "do not check the received data",
         .part = Part::measuring,
         .kind = Kind::toggle,
         .scope = Scope::measured,
         .take = [](Spec& s, Line, Line) { s.check = false; },
         .print = [](const Spec& s) { return ifSo(!s.check); }},
        {.key = "granted",
         .label = "Granted",
         .help =
             "send a message only after its receiver has entered the round and granted it: one more startup per round",
         .tip =
             "A message is sent after its receiver has entered the round and granted it: a sender that is ahead takes "
             "no "
             "share of a port from those that are waited for, and every round has one startup more",
         .part = Part::measuring,
         .kind = Kind::toggle,
         .scope = Scope::mpi,
         .take = [](Spec& s, Line, Line what) { takeGrants(s, Grants::always, what); },
         .print = [](const Spec& s) { return ifSo(s.grants == Grants::always); },
         .edited = {.section = Section::measuring}},
        {.key = "no-grants",
         .label = "Not granted",
         .help =
             "never grant messages; by default they are granted between neighbours, in the lab and with --hostfile, if "
             "that "
             "adds at most 5% to their time",
         .tip = "No message waits for a grant of its receiver, also not between neighbours on several hosts",
         .part = Part::measuring,
         .kind = Kind::toggle,
         .scope = Scope::mpi,
         .take = [](Spec& s, Line, Line what) { takeGrants(s, Grants::never, what); },
         .print = [](const Spec& s) { return ifSo(s.grants == Grants::never); },
         .edited = {.section = Section::measuring}},

        {.key = "split-phase",
         .label = "Split-phase",
         .help = "a split-phase (nonblocking) allreduce or barrier: one call starts it, another waits for it",
         .part = Part::halves,
         .kind = Kind::toggle,
         .take = [](Spec& s, Line, Line) { s.split.emplace(); },
         .print = [](const Spec& s) { return ifSo(s.split.has_value()); }},
        {.key = "transport",
         .label = "Transport",
         .type = "HOW",
         .help =
             "one-sided (the default): written into the receiver's memory, with a notification; two-sided: sent and "
             "received",
         .part = Part::halves,
         .kind = Kind::choice,
         .fallback = "one-sided",
         .choices = transportNames,
         .take = [](Spec& s, Line words, Line what) { halvesOf(s, what).by = engine::splitphase::byNamed(words); },
         .print =
             [](const Spec& s) {
                 return unless(!s.split || s.split->by == engine::splitphase::By::oneSided, "two-sided");
             }},
        {.key = "compute",
         .label = "Computation",
         .type = "TIME",
         .help = "time that each rank computes between the two calls; the run is also measured without it, to show how "
                 "much communication is hidden",
         .part = Part::halves,
         .kind = Kind::time,
         .several = Several::list,
         .take = [](Spec& s, Line words, Line what) { halvesOf(s, what).compute = nanosecondsIn(words, what); },
         .print = [](const Spec& s) { return s.split ? timeWords(s.split->compute) : Words{}; }},
        {.key = "tests",
         .label = "Tests",
         .type = "K",
         .help = "number of progress calls during the computation, or their times: 10us,30us; 16 by default, 0: none",
         .tip = "Number of progress calls of a rank while it computes, or the times of them: 10us,30us",
         .part = Part::halves,
         .kind = Kind::number,
         .several = Several::list,
         .fallback = "16",
         .take =
             [](Spec& s, Line words, Line what) {
                 // Times have units.
                 const bool times = words.find_first_not_of("0123456789") != std::string::npos;
                 engine::splitphase::Settings& halves = halvesOf(s, what);
                 if (times) halves.at = readLooks(words, what);
                 else halves.tests = static_cast<std::int32_t>(engine::readInteger(words, what, 0, 1'000'000));
             },
         .print =
             [](const Spec& s) {
                 if (!s.split) return Words{};
                 if (!s.split->at.empty()) return said(looksIn(s.split->at));
                 return unless(s.split->tests == 16, text(s.split->tests));
             }},
        {.key = "timeout",
         .label = "Timeout",
         .type = "TIME",
         .help = "how long each progress call waits for messages; 0 (the default): it only tests",
         .tip = "How long a progress call waits for messages; 0: it only tests",
         .part = Part::halves,
         .kind = Kind::time,
         .fallback = "0",
         .take = [](Spec& s, Line words, Line what) { halvesOf(s, what).timeout = nanosecondsIn(words, what); },
         .print = [](const Spec& s) { return s.split ? timeWords(s.split->timeout) : Words{}; }},
        {.key = "look-cost",
         .label = "Cost of a progress call",
         .type = "TIME",
         .help = "time that a progress call itself takes, in virtual time; 0 by default",
         .part = Part::halves,
         .kind = Kind::time,
         .scope = Scope::virtualTime,
         .fallback = "0",
         .take = [](Spec& s, Line words, Line what) { halvesOf(s, what).looking = nanosecondsIn(words, what); },
         .print = [](const Spec& s) { return s.split ? timeWords(s.split->looking) : Words{}; }},
        {.key = "background",
         .label = "In the background",
         .help = "in virtual time, messages also progress in the background, not only in progress calls",
         .part = Part::halves,
         .kind = Kind::toggle,
         .scope = Scope::virtualTime,
         .take = [](Spec& s, Line, Line what) { halvesOf(s, what).background = true; },
         .print = [](const Spec& s) { return ifSo(s.split && s.split->background); }},

        {.key = "mpirun",
         .label = "Launcher",
         .type = "COMMAND",
         .help = "the launcher; several words, such as 'srun -n 64', are used unchanged",
         .tip =
             "The program that starts the processes, with the arguments it needs here; several words, such as srun -n "
             "8, are used unchanged",
         .part = Part::launch,
         .scope = Scope::mpi,
         .fallback = "mpirun",
         .take = [](Spec& s, Line words, Line) { s.launcher.command = words; },
         .print = [](const Spec& s) { return said(s.launcher.command); },
         .edited = {.section = Section::launch, .unset = "mpirun"}},
        {.key = "hostfile",
         .label = "Hosts",
         .type = "FILE",
         .help = "file of hosts, in the format of the launcher",
         .tip =
             "Where the processes run: on this machine, on the hosts of the lab, or on those of a file in the format "
             "of the launcher",
         .part = Part::launch,
         .scope = Scope::mpi,
         .take = [](Spec& s, Line words, Line) { s.launcher.hostfile = words; },
         .print = [](const Spec& s) { return said(s.launcher.hostfile); },
         .edited = {.section = Section::launch}},
        {.key = "lab",
         .label = "Hosts",
         .help = "run on the hosts of the lab that 'collscope lab up' has set up",
         .part = Part::launch,
         .kind = Kind::toggle,
         .scope = Scope::mpi,
         .take = [](Spec& s, Line, Line) { s.launcher.lab = true; },
         .print = [](const Spec& s) { return ifSo(s.launcher.lab); }},
    };
}

}  // namespace app::fields
