// SPDX-License-Identifier: BSD-3-Clause
#include "engine/natives.hpp"

#include "engine/compose.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace engine::live {
namespace {

constexpr const char* unseen = " It shows nobody its messages: it has no schedule, and runs only over MPI.";

Native native(Collective collective, std::string_view call, const std::string& title, const std::string& idea,
              const std::string& source, std::vector<Option> options = {},
              decltype(Algorithm::objects) objects = nullptr) {
    return {.about = {.id = text(name(collective), "/native"),
                      .collective = collective,
                      .title = title,
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
    static const std::vector<Native> all{
        native(Collective::allgatherv, "MPI_Allgatherv", "The MPI library's own allgather",
               "MPI_Allgatherv on one communicator.", "MPI 3.1, section 5.7"),
        native(Collective::allreduce, "MPI_Allreduce", "The MPI library's own allreduce",
               "MPI_Allreduce on one communicator.", "MPI 3.1, section 5.9.6"),
        native(Collective::barrier, "MPI_Barrier", "The MPI library's own barrier", "MPI_Barrier on one communicator.",
               "MPI 3.1, section 5.3"),
        native(
            Collective::bcast, "MPI_Bcast", "The MPI library's own broadcast",
            "MPI_Bcast on one communicator, or with groups=G in two levels: among the leaders of G groups, then inside "
            "all groups at once, on communicators that are split once and kept.",
            "MPI 3.1, section 5.4; in groups Hasanov et al. 2014, section 3",
            {{.name = "groups",
              .kind = Option::Kind::integer,
              .fallback = "1",
              .meaning = "groups of the two-level broadcast; 1: one level"}},
            objectsToGroups),
        native(Collective::halfduplexAllgather, "MPI_Allgatherv", "The MPI library's own allgather between two groups",
               "MPI_Allgatherv on an intercommunicator, group B contributing nothing.",
               "MPI 3.1, sections 5.2.2 and 5.7"),
        native(Collective::intergroupAllgatherv, "MPI_Allgatherv", "The MPI library's own allgather between two groups",
               "MPI_Allgatherv on an intercommunicator.", "MPI 3.1, sections 5.2.2 and 5.7"),
    };
    return all;
}

const Native* nativeNamed(std::string_view id) {
    const auto all = natives();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Native& native) { return native.about.id == id; });
    return found == all.end() ? nullptr : &*found;
}

Options optionsFor(const Native& native, const Problem& problem, const std::map<std::string, std::string>& given) {
    const Algorithm& about = native.about;
    Options options{about.id, about.options, given};
    if (about.objects != nullptr)
        if (const Objection objection = about.objects(problem, options)) throw Error{text(about.id, ": ", *objection)};
    return options;
}

}  // namespace engine::live
