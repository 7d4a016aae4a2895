// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/native_collectives.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/compose.hpp"

#include <algorithm>

namespace engine::live {
namespace {

constexpr const char* between = " on an intercommunicator";
constexpr const char* unseen = " Its messages are unknown: it has no schedule, and runs only over MPI.";

/// `how` it is called: " on an intercommunicator".
Native native(Collective collective, std::string_view call, std::string_view how, const std::string& idea,
              const std::string& source, std::vector<Option> options = {},
              decltype(Algorithm::objects) objects = nullptr) {
    return {.about = {.id = text(name(collective), "/native"),
                      .collective = collective,
                      .title = text("The MPI library's ", call, how),
                      .idea = idea + unseen,
                      .source = source,
                      .formula = {},
                      .letters = {},
                      .options = std::move(options),
                      .objects = objects},
            .call = call};
}

}  // namespace

std::span<const Native> natives() {
    const auto inOne = [](Collective collective, std::string_view call, std::string_view section) {
        return native(collective, call, "", text(call, " on one communicator."), text("MPI 3.1, section ", section));
    };
    const auto betweenTwo = [](Collective collective, std::string_view call, std::string_view section) {
        return native(collective, call, between, text(call, between, "."),
                      text("MPI 3.1, sections 5.2.2 and ", section));
    };
    static const std::vector<Native> all = [&] {
        std::vector<Native> made{
            native(Collective::bcast, "MPI_Bcast", "",
                   "MPI_Bcast on one communicator, or with groups=G in two levels: among the leaders of G groups, "
                   "then inside all groups at once, on communicators that are split once and kept.",
                   "MPI 3.1, section 5.4; in groups Hasanov et al. 2014, section 3",
                   {{.name = "groups",
                     .kind = Option::Kind::integer,
                     .fallback = "1",
                     .meaning = "groups of the two-level broadcast; 1: one level"}},
                   objectsToGroups),
            native(Collective::halfduplexAllgather, "MPI_Allgatherv",
                   " on an intercommunicator; group B contributes nothing",
                   "MPI_Allgatherv on an intercommunicator, group B contributing nothing.",
                   "MPI 3.1, sections 5.2.2 and 5.7"),
            native(Collective::scan, "MPI_Scan", "", "MPI_Scan on one communicator, or MPI_Exscan.",
                   "MPI 3.1, section 5.11", {exclusiveOption()}),
            inOne(Collective::allgatherv, "MPI_Allgatherv", "5.7"),
            inOne(Collective::alltoallv, "MPI_Alltoallv", "5.8"),
            inOne(Collective::allreduce, "MPI_Allreduce", "5.9.6"),
            inOne(Collective::barrier, "MPI_Barrier", "5.3"),
            inOne(Collective::gatherv, "MPI_Gatherv", "5.5"),
            inOne(Collective::reduce, "MPI_Reduce", "5.9.1"),
            inOne(Collective::reduceScatter, "MPI_Reduce_scatter", "5.10.2"),
            inOne(Collective::scatterv, "MPI_Scatterv", "5.6"),
            betweenTwo(Collective::intergroupAllgatherv, "MPI_Allgatherv", "5.7"),
            betweenTwo(Collective::intergroupBcast, "MPI_Bcast", "5.4"),
            betweenTwo(Collective::intergroupReduce, "MPI_Reduce", "5.9.1"),
            betweenTwo(Collective::intergroupAllreduce, "MPI_Allreduce", "5.9.6"),
            betweenTwo(Collective::intergroupAlltoallv, "MPI_Alltoallv", "5.8"),
        };
        std::sort(made.begin(), made.end(), [](const Native& a, const Native& b) { return a.about.id < b.about.id; });
        return made;
    }();
    return all;
}

const Native* nativeNamed(std::string_view id) {
    const auto all = natives();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Native& native) { return native.about.id == id; });
    return found == all.end() ? nullptr : &*found;
}

const Algorithm& methodNamed(std::string_view id) {
    const Native* native = nativeNamed(id);
    return native != nullptr ? native->about : algorithmNamed(id);
}

Options optionsFor(const Native& native, const Problem& problem, const std::map<std::string, std::string>& given) {
    const Algorithm& about = native.about;
    Options options{about.id, about.options, given};
    if (about.objects != nullptr)
        if (const Objection objection = about.objects(problem, options)) throw Error{text(about.id, ": ", *objection)};
    return options;
}

}  // namespace engine::live
