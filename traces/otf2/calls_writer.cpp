// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/calls.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/otf2/check.hpp"
#include "traces/otf2/definition_writer.hpp"
#include "traces/otf2/handles.hpp"
#include "traces/otf2/program_events.hpp"
#include "traces/recording/staging.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace traces {
namespace otf2 {
namespace {

using engine::Error;
using engine::text;
using engine::live::Called;
using engine::live::Calls;
using engine::live::Event;
using engine::live::Kind;
using engine::live::Other;
using engine::live::OtherGroup;
using engine::live::Record;
using engine::live::Site;
using engine::live::Team;
using engine::live::TeamKind;

constexpr std::uint64_t nanoseconds = 1'000'000'000;

OTF2_RegionRole roleOf(Called called) {
    switch (engine::live::blockingOf(called)) {
        case Called::bcast:
        case Called::scatter:
        case Called::scatterv: return OTF2_REGION_ROLE_COLL_ONE2ALL;
        case Called::gather:
        case Called::gatherv:
        case Called::reduce: return OTF2_REGION_ROLE_COLL_ALL2ONE;
        case Called::exscan:
        case Called::scan: return OTF2_REGION_ROLE_COLL_OTHER;
        case Called::barrier: return OTF2_REGION_ROLE_BARRIER;
        default: return OTF2_REGION_ROLE_COLL_ALL2ALL;
    }
}

OTF2_RegionRole roleOf(Other call) {
    switch (engine::live::groupOf(call)) {
        case OtherGroup::message: return OTF2_REGION_ROLE_POINT2POINT;
        case OtherGroup::collective: return OTF2_REGION_ROLE_COLL_ALL2ALL;
        case OtherGroup::oneSided: return OTF2_REGION_ROLE_RMA;
        case OtherGroup::file: return OTF2_REGION_ROLE_FILE_IO;
        default: return OTF2_REGION_ROLE_FUNCTION;
    }
}

/// "tuned" of "mca_coll_tuned.so".
std::string componentOf(std::string_view file) {
    constexpr std::string_view before = "mca_coll_";
    if (!file.starts_with(before)) return {};
    file.remove_prefix(before.size());
    return std::string{file.substr(0, file.find('.'))};
}

/// "bcast_intra_chain" of "ompi_coll_base_bcast_intra_chain", and "basic_allreduce_inter" of a component's own; nothing
/// where the function chooses an algorithm, or its name is that of the collective.
std::string algorithmOf(std::string_view function) {
    for (const std::string_view before : {"ompi_coll_base_", "mca_coll_"})
        if (function.starts_with(before)) return std::string{function.substr(before.size())};
    return {};
}

/// The number of a region that is a function of the program: between those of calls and of calls that found nothing.
constexpr std::uint32_t functionOfProgram = numberOf(Other::none);
const std::string callersUnknown = "(callers not recorded)";

/// The function that a site lies in, whatever its line.
Site functionAt(const Site& site) {
    if (site.function.empty()) return {.object = site.object, .offset = site.offset};
    return {.function = site.function, .file = site.file};
}

/// Whether a path, from the innermost function on, goes back to the start of its thread: to the C library, or to a
/// function of Python. What calls main is taken away.
bool endsWhereThreadsBegin(std::vector<Site>& path) {
    const auto isC = [](const Site& site) {
        return std::filesystem::path{site.object}.filename().string().starts_with("libc.so");
    };
    // The first function of the program calls the library, which calls main.
    if (path.size() > 1 && !isC(path.back()) && isC(path[path.size() - 2])) path.pop_back();
    if (path.empty() || !isC(path.back())) return !path.empty() && path.back().object == path.back().file;
    while (!path.empty() && isC(path.back())) path.pop_back();
    return true;
}

/// A location: the thread of a process that calls.
struct Caller {
    std::int32_t process = 0;
    std::uint16_t thread = 0;
    std::uint64_t events = 0;
};

class CallsWriter {
public:
    CallsWriter(const Calls& calls, const std::filesystem::path& place, const std::filesystem::path& named)
        : calls_{calls},
          teams_{engine::live::teamsOf(calls.teamFiles)},
          doing_{text("write the archive ", named.string())},
          destination_{place, doing_},
          written_{.processes = calls.processes, .hasRules = teams_.ways.size() > 1} {
        archive_ = beginArchive(destination_, "traces", definitionChunk(), own::creator);
    }

    CallsWritten write() {
        strings_.emplace(archive_.get(), doing_);
        writer_ = checked(OTF2_Archive_GetGlobalDefWriter(archive_.get()), doing_);
        for (const std::string& way : teams_.ways) ways_.push_back(strings_->string(way));
        for (const std::string_view name : engine::live::operationNames)
            reductions_.push_back(strings_->string(std::string{name}));
        for (const std::string_view name : engine::live::errorClassNames)
            errors_.push_back(strings_->string(std::string{name}));
        for (std::int32_t process = 0; process < calls_.processes; ++process) callers_.push_back({process, 0, 0});
        check(OTF2_Archive_OpenEvtFiles(archive_.get()), doing_);
        for (std::int32_t process = 0; process < calls_.processes; ++process) events(calls_.recordOf(process));
        check(OTF2_Archive_CloseEvtFiles(archive_.get()), doing_);
        localDefinitions();
        definitions(*strings_);
        check(OTF2_Archive_Close(archive_.release()), doing_);
        return written_;
    }

private:
    /// A group lists every member with up to ten bytes, in one chunk.
    [[nodiscard]] std::uint64_t definitionChunk() const {
        const std::uint64_t needed = static_cast<std::uint64_t>(calls_.processes) * 11 + 4096;
        if (needed > OTF2_CHUNK_SIZE_MAX)
            throw Error{text("an OTF2 archive can contain at most ", OTF2_CHUNK_SIZE_MAX / 11,
                             " processes; the program had ", calls_.processes)};
        return std::max<std::uint64_t>(needed, OTF2_CHUNK_SIZE_MIN);
    }

    /// Thread after thread; the calls of one follow each other.
    void events(const Record& record) {
        engine::live::requireWatched(record);
        std::map<std::uint16_t, std::vector<Event>> byThread{{0, {}}};
        for (const Event& event : record.events)
            if (event.kind >= Kind::call) byThread[engine::live::threadOf(event)].push_back(event);
        hosts_.push_back(record.host);
        written_.dropped += record.dropped;
        ranksDropped_ += record.dropped > 0 ? 1 : 0;
        const auto& sites = teams_.sites[engine::asSize(record.process)];
        std::map<std::pair<std::uint32_t, std::uint16_t>, OTF2_RegionRef> met;
        std::map<std::uint16_t, std::vector<OTF2_RegionRef>> functions;
        const Names names{
            .ways = ways_,
            .reductions = reductions_,
            .errors = errors_,
            .communicator = [&](std::int32_t team) { return communicatorOf(record, team); },
            .inside = [&](std::int32_t team) { return insideOf(communicatorOf(record, team)); },
            .isOfLibrary =
                [&](std::int32_t team) { return teams_.all[communicatorOf(record, team)].kind == TeamKind::library; },
            .carried =
                [&](std::span<const engine::live::Carrier> carriers) {
                    return carriedBy(carriers, teams_.insides.codes[engine::asSize(record.process)]);
                },
            .window =
                [&](std::int32_t team, std::uint32_t number) {
                    return windows_
                        .try_emplace({communicatorOf(record, team), number},
                                     static_cast<OTF2_RmaWinRef>(windows_.size()))
                        .first->second;
                },
            .file =
                [&](std::int32_t team, std::uint32_t number) {
                    return files_
                        .try_emplace({communicatorOf(record, team), number},
                                     static_cast<OTF2_IoHandleRef>(files_.size()))
                        .first->second;
                },
            .group =
                [&](std::int32_t team, const std::vector<std::int32_t>& ranks) {
                    return groupOf(communicatorOf(record, team), ranks);
                },
            .region =
                [&](std::uint32_t call, std::uint16_t number) {
                    const auto [entry, isNew] = met.try_emplace({call, number}, 0);
                    if (!isNew) return entry->second;
                    const auto site = sites.find(number);
                    return entry->second = regionOf(call, site != sites.end() ? site->second : Site{});
                },
            .functions = [&](std::uint16_t number) -> std::span<const OTF2_RegionRef> {
                const auto [entry, isNew] = functions.try_emplace(number);
                if (isNew) entry->second = functionsOf(engine::asSize(record.process), number);
                return entry->second;
            },
            .time = [&](std::int64_t time) { return timeOf(record, time); }};
        for (const auto& [thread, own] : byThread) {
            const std::size_t place = thread == 0 ? engine::asSize(record.process) : callers_.size();
            if (thread != 0) callers_.push_back({record.process, thread, 0});
            events(record, own, place, names);
        }
    }

    void events(const Record& record, const std::vector<Event>& own, std::size_t place, const Names& names) {
        OTF2_EvtWriter* writer = checked(OTF2_Archive_GetEvtWriter(archive_.get(), place), doing_);
        // Parts of a call have no time of their own.
        const auto call = std::find_if(own.begin(), own.end(), [](const Event& event) {
            return event.kind == Kind::call || event.kind == Kind::request || event.kind == Kind::step;
        });
        OTF2_TimeStamp first = timeOf(record, record.clock[0].at);
        if (call != own.end()) {
            first = std::min(first, timeOf(record, call->begin));
            first_ = std::min(first_, timeOf(record, call->begin));
        }
        ProgramEvents events{writer, names, first, doing_};
        if (record.dropped == 0) {
            events.write(own);
        } else {
            events.write(untilLastCall(own));
            events.off(record.turnBegan);
        }
        last_ = std::max(last_, events.last());
        written_.calls += events.calls();
        written_.replaced += events.replaced();
        incomplete_ += events.incomplete();
        apart_ += events.apart();
        callers_[place].events = events.count();
        check(OTF2_Archive_CloseEvtWriter(archive_.get(), writer), doing_);
    }

    /// Without messages of the library behind the last call: they have a record of their own, and belong to calls for
    /// which there was no room.
    static std::vector<Event> untilLastCall(const std::vector<Event>& own) {
        const auto isInside = [](const Event& event) {
            return event.kind == Kind::internal || event.kind == Kind::algorithm;
        };
        std::int64_t last = std::numeric_limits<std::int64_t>::min();
        for (const Event& event : own)
            if (!isInside(event)) last = std::max({last, event.begin, event.end});
        std::vector<Event> kept;
        std::ranges::copy_if(own, std::back_inserter(kept),
                             [&](const Event& event) { return !isInside(event) || event.begin <= last; });
        return kept;
    }

    static OTF2_TimeStamp timeOf(const Record& record, std::int64_t own) {
        return static_cast<OTF2_TimeStamp>(std::max<std::int64_t>(0, record.common(own)));
    }

    [[nodiscard]] OTF2_CommRef communicatorOf(const Record& record, std::int32_t team) const {
        const auto& own = teams_.ofProcess[engine::asSize(record.process)];
        if (team < 0 || engine::asSize(team) >= own.size())
            throw Error{
                text("the record of process ", record.process, " names a communicator that it does not describe")};
        return static_cast<OTF2_CommRef>(own[engine::asSize(team)]);
    }

    /// The communicator by which the library's own messages within one are written: a further one, unless it is known
    /// to the library alone.
    OTF2_CommRef insideOf(OTF2_CommRef communicator) {
        if (teams_.all[communicator].kind == TeamKind::library) return communicator;
        const auto [entry, isNew] =
            insides_.try_emplace(communicator, static_cast<OTF2_CommRef>(teams_.all.size() + insides_.size()));
        return entry->second;
    }

    /// "allreduce_intra_ring_segmented:segsize=1024"; names of functions that only choose an algorithm are left out.
    Carried carriedBy(std::span<const engine::live::Carrier> carriers,
                      const std::map<std::uint16_t, engine::live::Code>& codes) {
        std::vector<std::string> names;
        std::string component;
        for (const engine::live::Carrier& carrier : carriers) {
            if (const auto code = codes.find(carrier.function); code != codes.end()) {
                std::string name = algorithmOf(code->second.name);
                for (std::size_t i = 0; i < std::min(code->second.arguments.size(), carrier.arguments.size()); ++i)
                    name += text(i == 0 ? ':' : ',', code->second.arguments[i], '=', carrier.arguments[i]);
                if (!name.empty() && (names.empty() || names.back() != name)) names.push_back(std::move(name));
            }
            if (const auto code = codes.find(carrier.component); code != codes.end() && component.empty())
                component = componentOf(code->second.file);
        }
        const auto stringOf = [&](const std::string& words) {
            return words.empty() ? OTF2_UNDEFINED_STRING : strings_->string(words);
        };
        return {stringOf(engine::joined(names, " + ")), stringOf(component)};
    }

    /// Of the processes that have these ranks in a communicator. Such groups come behind those of the communicators.
    OTF2_GroupRef groupOf(OTF2_CommRef communicator, const std::vector<std::int32_t>& ranks) {
        const std::vector<std::int32_t>& all = teams_.all[communicator].members;
        std::vector<std::int32_t> members;
        for (const std::int32_t rank : ranks)
            if (rank >= 0 && engine::asSize(rank) < all.size()) members.push_back(all[engine::asSize(rank)]);
        auto first = static_cast<OTF2_GroupRef>(1 + teams_.all.size());
        for (const Team& team : teams_.all) first += team.kind == TeamKind::inter ? 1 : 0;
        const auto [entry, isNew] =
            targets_.try_emplace(std::move(members), static_cast<OTF2_GroupRef>(first + targets_.size()));
        if (isNew) targetsInOrder_.push_back(&*entry);
        return entry->second;
    }

    void localDefinitions() {
        check(OTF2_Archive_OpenDefFiles(archive_.get()), doing_);
        for (std::size_t place = 0; place < callers_.size(); ++place)
            check(OTF2_Archive_CloseDefWriter(archive_.get(),
                                              checked(OTF2_Archive_GetDefWriter(archive_.get(), place), doing_)),
                  doing_);
        check(OTF2_Archive_CloseDefFiles(archive_.get()), doing_);
    }

    void definitions(DefinitionWriter& strings) {
        first_ = std::min(first_, last_);
        check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, nanoseconds, first_, last_ - first_,
                                                        OTF2_UNDEFINED_TIMESTAMP),
              doing_);
        check(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, strings.string("MPI"),
                                                 OTF2_PARADIGM_CLASS_PROCESS),
              doing_);
        for (const auto& [attribute, name, description, type] :
             {std::tuple{algorithmAttribute, own::algorithmWord, "what replaced the library's own collective",
                         OTF2_TYPE_STRING},
              std::tuple{reductionAttribute, own::reductionWord, "the operation that a reduction combines by",
                         OTF2_TYPE_STRING},
              std::tuple{libraryAlgorithmAttribute, own::libraryAlgorithmWord,
                         "the library's function that carried out the collective", OTF2_TYPE_STRING},
              std::tuple{libraryComponentAttribute, own::libraryComponentWord, "the component of the library that did",
                         OTF2_TYPE_STRING},
              std::tuple{insideAttribute, own::insideWord, "the request of the collective to which the message belongs",
                         OTF2_TYPE_UINT64},
              std::tuple{neighboursAttribute, own::neighboursWord, "1: each rank exchanges data with its neighbours",
                         OTF2_TYPE_UINT64}})
            check(OTF2_GlobalDefWriter_WriteAttribute(writer_, attribute, strings.string(name),
                                                      strings.string(description), type),
                  doing_);
        hosts(strings);
        for (std::size_t number = 0; number < inOrder_.size(); ++number)
            region(static_cast<OTF2_RegionRef>(number), inOrder_[number]->first.first, inOrder_[number]->first.second);
        communicators(strings);
        windows(strings);
        files(strings);
        check(OTF2_GlobalDefWriter_WriteParameter(writer_, errorParameter, strings.string(own::errorWord),
                                                  OTF2_PARAMETER_TYPE_STRING),
              doing_);
    }

    /// A call from one place is a region, whichever processes make it.
    OTF2_RegionRef regionOf(std::uint32_t call, const Site& site) {
        // Of one line compilers make several calls.
        Site place = site;
        if (!place.function.empty() || !place.file.empty()) place.offset = 0;
        const auto [entry, isNew] = regions_.try_emplace({call, place}, static_cast<OTF2_RegionRef>(regions_.size()));
        if (isNew) inOrder_.push_back(&*entry);
        return entry->second;
    }

    /// The functions of the program on the way to a call, from the outermost on; none where only the call is known of
    /// each.
    std::vector<OTF2_RegionRef> functionsOf(std::size_t process, std::uint16_t number) {
        const auto& sites = teams_.sites[process];
        const auto& callers = teams_.callers[process];
        if (callers.empty()) return {};
        std::vector<Site> path;
        for (bool goesOn = true; goesOn;) {
            if (const auto site = sites.find(number); site != sites.end()) {
                path.push_back(site->second);
                if (const auto around = teams_.around[process].find(number); around != teams_.around[process].end())
                    path.insert(path.end(), around->second.begin(), around->second.end());
            }
            const auto caller = callers.find(number);
            goesOn = caller != callers.end();
            if (goesOn) number = caller->second;
        }
        std::vector<OTF2_RegionRef> functions;
        if (!endsWhereThreadsBegin(path))
            functions.push_back(regionOf(functionOfProgram, Site{.function = callersUnknown}));
        for (auto site = path.rbegin(); site != path.rend(); ++site)
            functions.push_back(regionOf(functionOfProgram, functionAt(*site)));
        return functions;
    }

    void region(OTF2_RegionRef number, std::uint32_t call, const Site& site) {
        if (call == functionOfProgram) return function(number, site);
        const std::size_t collectives = engine::live::everyCalled.size();
        const bool isOther = call >= collectives;
        const bool foundNothing = call > functionOfProgram;
        if (foundNothing) call -= foundNothingOf(Other{}) - numberOf(Other{});
        const auto other = static_cast<Other>(isOther ? call - collectives : 0);
        const auto called = static_cast<Called>(isOther ? 0 : call);
        const OTF2_StringRef name = strings_->string(foundNothing ? text(engine::live::nameOf(other), own::foundNothing)
                                                     : isOther    ? std::string{engine::live::nameOf(other)}
                                                                  : engine::live::nameOfCall(called));
        const bool known = !site.object.empty() || !site.file.empty();
        const auto line = static_cast<std::uint32_t>(site.line);
        check(OTF2_GlobalDefWriter_WriteRegion(
                  writer_, number, name, name,
                  strings_->string(known ? text(own::calledAt, siteToText(site)) : std::string{}),
                  isOther ? roleOf(other) : roleOf(called), OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                  strings_->string(site.file), line, line),
              doing_);
    }

    void function(OTF2_RegionRef number, const Site& site) {
        const OTF2_StringRef name =
            strings_->string(site.function.empty() ? siteToText(site) : engine::live::demangled(site.function));
        check(OTF2_GlobalDefWriter_WriteRegion(writer_, number, name, name,
                                               strings_->string("function, as far as it calls MPI"),
                                               OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_SAMPLING, OTF2_REGION_FLAG_NONE,
                                               strings_->string(site.file), 0, 0),
              doing_);
    }

    void hosts(DefinitionWriter& strings) {
        const OTF2_StringRef host = strings.string("host");
        std::map<std::string, OTF2_SystemTreeNodeRef> nodes;
        for (const std::string& name : hosts_) {
            const auto [entry, isNew] = nodes.try_emplace(name, static_cast<OTF2_SystemTreeNodeRef>(nodes.size()));
            if (isNew)
                check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, entry->second, strings.string(name), host,
                                                               OTF2_UNDEFINED_SYSTEM_TREE_NODE),
                      doing_);
        }
        if (!nodes.empty()) {
            property(strings, own::standing, calls_.hangReport);
            property(strings, own::limits, limits());
            property(strings, own::sharing, sharing());
            property(strings, own::polling, polling());
            property(strings, own::library, library());
            property(strings, own::inside, insideLines());
        }
        for (std::int32_t process = 0; process < calls_.processes; ++process)
            check(OTF2_GlobalDefWriter_WriteLocationGroup(
                      writer_, static_cast<OTF2_LocationGroupRef>(process), strings.string(text("rank ", process)),
                      OTF2_LOCATION_GROUP_TYPE_PROCESS, nodes[hosts_[engine::asSize(process)]],
                      OTF2_UNDEFINED_LOCATION_GROUP),
                  doing_);
        for (std::size_t i = 0; i < callers_.size(); ++i) {
            const Caller& caller = callers_[i];
            const std::string name = caller.thread == 0 ? text("rank ", caller.process)
                                                        : text("rank ", caller.process, ", thread ", caller.thread);
            check(OTF2_GlobalDefWriter_WriteLocation(writer_, i, strings.string(name), OTF2_LOCATION_TYPE_CPU_THREAD,
                                                     caller.events, static_cast<OTF2_LocationGroupRef>(caller.process)),
                  doing_);
        }
    }

    void property(DefinitionWriter& strings, std::string name, const std::vector<std::string>& lines) {
        const std::string whole = engine::joined(lines, "\n");
        if (whole.empty()) return;
        own::eachPiece(std::move(name), whole, [&](const std::string& pieceName, std::string_view words) {
            OTF2_AttributeValue piece;
            piece.stringRef = strings.string(std::string{words});
            check(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer_, 0, strings.string(pieceName),
                                                                   OTF2_TYPE_STRING, piece),
                  doing_);
        });
    }

    /// Of hosts with more threads that call MPI than processors for them.
    [[nodiscard]] std::vector<std::string> sharing() const {
        struct OfHost {
            std::int64_t ranks = 0;
            std::int64_t threads = 0;
            std::int64_t switches = 0;
            std::set<std::int32_t> processors{};
        };
        std::map<std::string, OfHost> all;
        for (std::size_t process = 0; process < std::min(hosts_.size(), teams_.processors.size()); ++process) {
            const engine::live::Processors& own = teams_.processors[process];
            if (own.usable.empty()) continue;
            OfHost& host = all[hosts_[process]];
            ++host.ranks;
            host.threads += std::max<std::int64_t>(
                1, std::ranges::count(callers_, static_cast<std::int32_t>(process), &Caller::process));
            host.switches += own.switches;
            host.processors.insert(own.usable.begin(), own.usable.end());
        }
        std::vector<std::string> lines;
        for (const auto& [name, host] : all) {
            const auto processors = static_cast<std::int64_t>(host.processors.size());
            if (host.threads > processors)
                lines.push_back(
                    text(host.threads > host.ranks ? text(host.threads, " threads of ") : "", host.ranks,
                         host.ranks == 1 ? " rank share " : " ranks share ", processors,
                         processors == 1 ? " processor" : " processors", " of host ", name,
                         host.switches > 0 ? text(" (", host.switches, " involuntary context switches)") : ""));
        }
        return lines;
    }

    [[nodiscard]] std::vector<std::string> polling() const {
        std::vector<std::string> lines;
        for (std::size_t process = 0; process < teams_.polls.size(); ++process)
            for (const engine::live::Polls& its : teams_.polls[process])
                lines.push_back(text(process, ' ', its.calls, ' ', its.nanoseconds, ' ', its.call, ' ', its.within));
        return lines;
    }

    [[nodiscard]] std::vector<std::string> library() const {
        std::vector<std::string> lines;
        for (const std::string& words : teams_.insides.library) lines.push_back("library " + words);
        for (const std::string& words : teams_.insides.asked) lines.push_back("asked " + words);
        return lines;
    }

    /// Records of before have nothing to say of it.
    [[nodiscard]] std::vector<std::string> insideLines() const {
        const engine::live::Insides& insides = teams_.insides;
        if (!insides.refusals.empty()) return {"no: " + *insides.refusals.begin()};
        if (!insides.recorded) return {};
        std::vector<std::string> lines{"yes"};
        lines.insert(lines.end(), insides.limits.begin(), insides.limits.end());
        if (incomplete_ > 0)
            lines.push_back(text(incomplete_, incomplete_ == 1 ? " message" : " messages",
                                 " within collectives: the time of completion was not recorded"));
        const auto& unrecorded = insides.unrecorded;
        const auto ranks = unrecorded.size() - engine::asSize(std::count(unrecorded.begin(), unrecorded.end(), 0));
        if (const auto sum = std::accumulate(unrecorded.begin(), unrecorded.end(), std::int64_t{0}); sum > 0)
            lines.push_back(text(sum, sum == 1 ? " message or algorithm" : " messages and algorithms",
                                 " within collectives ", sum == 1 ? "was" : "were", " not recorded: the records of ",
                                 ranks, ranks == 1 ? " rank was" : " ranks were",
                                 " full (record with larger --calls or COLLSCOPE_CALLS)"));
        return lines;
    }

    [[nodiscard]] std::vector<std::string> limits() const {
        std::vector<std::string> lines;
        if (written_.dropped > 0)
            lines.push_back(text(written_.dropped, written_.dropped == 1 ? " call was" : " calls were",
                                 " not recorded: the records of ", ranksDropped_,
                                 ranksDropped_ == 1 ? " rank was" : " ranks were",
                                 " full (record with larger --calls or COLLSCOPE_CALLS)"));
        if (teams_.alone > 0)
            lines.push_back(text(teams_.alone, teams_.alone == 1 ? " call was" : " calls were",
                                 " recorded without callers: unwinding the stack would have taken more than 1.5% of "
                                 "the time"));
        if (apart_ > 0)
            lines.push_back(text(apart_, apart_ == 1 ? " call" : " calls",
                                 " of collectives with processes of another MPI_COMM_WORLD (MPI_Comm_spawn): only the "
                                 "time was recorded; these processes are in an archive of their own"));
        for (const auto& [why, calls] : teams_.notes)
            lines.push_back(
                text("a rule was not followed in ", calls, calls == 1 ? " call" : " calls", " of a rank: ", why));
        return lines;
    }

    /// The group of all locations comes first, and groups before the communicators made of them.
    void communicators(DefinitionWriter& strings) {
        std::vector<std::int32_t> all(engine::asSize(calls_.processes));
        std::iota(all.begin(), all.end(), 0);
        group(strings, OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
        std::vector<OTF2_GroupRef> groupsOf;
        for (std::size_t i = 0; i < teams_.all.size(); ++i) {
            const Team& team = teams_.all[i];
            const OTF2_GroupRef first = groups_;
            if (team.kind == TeamKind::inter) {
                group(strings, OTF2_GROUP_TYPE_COMM_GROUP, team.members);
                group(strings, OTF2_GROUP_TYPE_COMM_GROUP, team.others);
            } else {
                group(strings, team.kind == TeamKind::self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
                      team.members);
            }
            groupsOf.push_back(first);
            communicator(static_cast<OTF2_CommRef>(i), team,
                         strings.string(team.kind == TeamKind::library ? own::insideOfLibrary : team.name), first,
                         OTF2_UNDEFINED_COMM);
        }
        std::vector<std::pair<OTF2_CommRef, OTF2_CommRef>>
            insides;  // with their parents, in the order of their numbers
        for (const auto& [parent, inside] : insides_) insides.emplace_back(inside, parent);
        std::sort(insides.begin(), insides.end());
        for (const auto& [inside, parent] : insides)
            communicator(inside, teams_.all[parent],
                         strings.string(std::string{own::insideOf} + teams_.all[parent].name), groupsOf[parent],
                         parent);
    }

    /// `first`: its group, or the first of two that follow each other.
    void communicator(OTF2_CommRef number, const Team& team, OTF2_StringRef name, OTF2_GroupRef first,
                      OTF2_CommRef parent) {
        check(team.kind == TeamKind::inter
                  ? OTF2_GlobalDefWriter_WriteInterComm(writer_, number, name, first, first + 1, parent,
                                                        OTF2_COMM_FLAG_NONE)
                  : OTF2_GlobalDefWriter_WriteComm(writer_, number, name, first, parent, OTF2_COMM_FLAG_NONE),
              doing_);
    }

    /// In the order of their numbers, as archives define them.
    void windows(DefinitionWriter& strings) {
        for (const auto* target : targetsInOrder_) group(strings, OTF2_GROUP_TYPE_COMM_GROUP, target->first);
        std::vector<OTF2_CommRef> communicators(windows_.size());
        for (const auto& [window, number] : windows_) communicators[number] = window.first;
        for (std::size_t number = 0; number < communicators.size(); ++number)
            check(
                OTF2_GlobalDefWriter_WriteRmaWin(writer_, static_cast<OTF2_RmaWinRef>(number), strings.string("window"),
                                                 communicators[number], OTF2_RMA_WIN_FLAG_NONE),
                doing_);
    }

    void files(DefinitionWriter& strings) {
        if (files_.empty()) return;
        check(OTF2_GlobalDefWriter_WriteIoParadigm(writer_, 0, strings.string("MPI-IO"), strings.string("MPI I/O"),
                                                   OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                                   nullptr, nullptr, nullptr),
              doing_);
        std::vector<std::pair<OTF2_CommRef, std::uint32_t>> inOrder(files_.size());
        for (const auto& [file, number] : files_) inOrder[number] = file;
        for (OTF2_IoHandleRef number = 0; number < inOrder.size(); ++number) {
            const auto [communicator, its] = inOrder[number];
            const auto known = teams_.files.find({static_cast<std::int32_t>(communicator), its});
            const OTF2_StringRef name = strings.string(known != teams_.files.end() ? known->second : std::string{});
            check(OTF2_GlobalDefWriter_WriteIoRegularFile(writer_, number, name, OTF2_UNDEFINED_SYSTEM_TREE_NODE),
                  doing_);
            check(OTF2_GlobalDefWriter_WriteIoHandle(writer_, number, name, number, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                                     communicator, OTF2_UNDEFINED_IO_HANDLE),
                  doing_);
        }
    }

    void group(DefinitionWriter& strings, OTF2_GroupType type, const std::vector<std::int32_t>& ranks) {
        const std::vector<std::uint64_t> members{ranks.begin(), ranks.end()};
        check(OTF2_GlobalDefWriter_WriteGroup(writer_, groups_, strings.string(""), type, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(members.size()),
                                              members.data()),
              doing_);
        ++groups_;
    }

    const Calls& calls_;
    engine::live::Teams teams_;
    std::string doing_;
    Destination destination_;
    Archive archive_;
    std::optional<DefinitionWriter> strings_;  ///< once the archive is ready
    OTF2_GlobalDefWriter* writer_ = nullptr;
    OTF2_GroupRef groups_ = 0;
    std::vector<OTF2_StringRef> ways_, reductions_, errors_;
    /// By communicator, and which of its windows.
    std::map<std::pair<OTF2_CommRef, std::uint32_t>, OTF2_RmaWinRef> windows_;
    std::map<std::pair<OTF2_CommRef, std::uint32_t>, OTF2_IoHandleRef> files_;  ///< likewise
    using Targets = std::map<std::vector<std::int32_t>, OTF2_GroupRef>;
    std::map<OTF2_CommRef, OTF2_CommRef> insides_;  ///< by communicator: that of the library's own messages
    Targets targets_;  ///< groups of processes that windows are opened to, or whose are reached
    std::vector<Targets::const_pointer> targetsInOrder_;
    using Regions = std::map<std::pair<std::uint32_t, Site>, OTF2_RegionRef>;
    Regions regions_;                              ///< by call and place
    std::vector<Regions::const_pointer> inOrder_;  ///< of their numbers: archives define them so
    std::vector<Caller> callers_;
    std::vector<std::string> hosts_;
    OTF2_TimeStamp first_ = std::numeric_limits<OTF2_TimeStamp>::max();
    OTF2_TimeStamp last_ = 0;
    std::int64_t ranksDropped_ = 0;  ///< some of whose calls were dropped
    std::int64_t incomplete_ = 0;    ///< messages within collectives
    std::int64_t apart_ = 0;         ///< calls of collectives with processes of another MPI_COMM_WORLD
    CallsWritten written_;
};

}  // namespace
}  // namespace otf2

CallsWritten writeCalls(const engine::live::Calls& calls, const std::filesystem::path& folder) {
    Staging staging{folder, Overwrite::refuse};
    const otf2::Complaints complaints;
    const CallsWritten written = otf2::CallsWriter{calls, staging.place(), folder}.write();
    staging.publish();
    return written;
}

std::string inWords(const CallsWritten& written, const std::filesystem::path& folder) {
    using engine::text;
    std::string words = text(written.calls, " calls of ", written.processes,
                             written.processes == 1 ? " process" : " processes", " recorded in ", folder.string());
    if (written.hasRules) words += text(", ", written.replaced, " of them replaced");
    if (written.dropped > 0)
        words += text("; for ", written.dropped, " there was no room: record with larger --calls or COLLSCOPE_CALLS");
    return words;
}

}  // namespace traces
