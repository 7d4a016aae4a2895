// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/library_internals/internal.hpp"

#include "engine/live/pmpi/recording/recorder_session.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace engine::mpi::pmpi {

void setBytes(live::Event& message, Bytes bytes) noexcept {
    std::memcpy(reinterpret_cast<std::byte*>(&message) + offsetof(live::Step, bytes), &bytes, sizeof bytes);
}

void complete(live::Event& message) noexcept { message.end = now(); }

void complete(live::Event& message, std::int32_t peer, Bytes bytes) noexcept {
    auto step = std::bit_cast<live::Step>(message);
    step.end = now();
    step.peer = peer;
    step.bytes = bytes;
    message = std::bit_cast<live::Event>(step);
}

void Internal::start(MPI_Comm ours, bool isWanted) {
    char words[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(words, &length);
    std::string version{words};
    std::replace(version.begin(), version.end(), '\t', ' ');
    session_.describe(live::wordsLine("library", 0, version.substr(0, version.find('\n'))));
    for (char** variable = environ; *variable != nullptr; ++variable)
        for (const library::Setting& setting : library::settings())
            if (const std::string_view set{*variable};
                set.starts_with(setting.prefix) && (setting.except.empty() || !set.starts_with(setting.except)))
                session_.describe(live::wordsLine("asked", 0, set.substr(setting.dropped)));

    std::string why = "COLLSCOPE_INSIDE is no";
    try {
        if (isWanted) why = library::watch(*this, ours);
    } catch (const std::exception& failure) {
        why = failure.what();
    }
    if (!why.empty()) session_.describe(live::wordsLine("inside", 0, why));
    if (!trueOnAll(why.empty(), ours)) return library::unwatch();
    session_.describe(live::wordsLine("inside", 1, ""));
    on_ = true;
}

void Internal::stop() {
    if (on_.exchange(false)) library::unwatch();
}

void Internal::limit(std::string_view sentence) { session_.describe(live::wordsLine("inside", 1, sentence)); }

void Internal::carried(live::Called called, MPI_Comm comm, std::int64_t begin) noexcept {
    if (!isOn()) return;
    try {
        const library::Carried by = library::carriedBy(called, comm);
        if (by.function == nullptr && by.component == nullptr) return;
        live::Carrier carrier{.begin = begin, .end = begin};
        if (currentCall.carrier != nullptr) carrier = std::bit_cast<live::Carrier>(*currentCall.carrier);
        else carrier.function = numberOf(by.function);
        carrier.component = numberOf(by.component);
        if (currentCall.carrier != nullptr) *currentCall.carrier = std::bit_cast<live::Event>(carrier);
        else (void)session_.recordInside(std::bit_cast<live::Event>(carrier));
    } catch (const std::exception&) {
        return;  // the collective remains without a name
    }
}

live::Carrier Internal::persistentOf(live::Called called, MPI_Comm comm) {
    if (!isOn()) return {};
    const library::Carried by = library::carriedBy(called, comm, true);
    return {.function = numberOf(by.function), .component = numberOf(by.component)};
}

void Internal::carried(live::Carrier carrier, std::int64_t begin) noexcept {
    if (!isOn() || carrier.component == 0) return;
    carrier.begin = carrier.end = begin;
    (void)session_.recordInside(std::bit_cast<live::Event>(carrier));
}

live::Event* Internal::post(live::CallEffect deed, std::int32_t team, std::int32_t peer, std::int32_t tag,
                            Bytes bytes) noexcept {
    const live::Step step{.begin = now(),
                          .bytes = bytes,
                          .tag = tag,
                          .peer = peer,
                          .team = team,
                          .kind = live::Kind::internal,
                          .deed = deed};
    return session_.recordInside(std::bit_cast<live::Event>(step));
}

std::int32_t Internal::teamOf(const std::vector<std::int32_t>& members) {
    const std::lock_guard lock{mutex_};
    const auto [known, isNew] = teams_.try_emplace(members, 0);
    if (isNew) known->second = session_.introduce({.kind = live::TeamKind::library, .members = members});
    return known->second;
}

std::uint16_t Internal::numberOf(const void* code, const char* arguments) {
    if (code == nullptr) return 0;
    // Call sites are return addresses, which lie after the call.
    const auto address = reinterpret_cast<std::uintptr_t>(code) + 1;
    return codes_.of(address, [&](std::uint16_t number) {
        const live::Site site = siteAt(address);
        live::Code own{.file = std::filesystem::path{site.object}.filename().string(), .name = site.function};
        if (*arguments != '\0') own.arguments = split(arguments, ',');
        session_.describe(live::codeLine(number, own));
    });
}

}  // namespace engine::mpi::pmpi
