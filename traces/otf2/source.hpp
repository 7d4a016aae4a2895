// SPDX-License-Identifier: BSD-3-Clause
// An archive opened for reading: its properties, its definitions, and the events of one location at a time.
#pragma once

#include "engine/executor.hpp"
#include "traces/otf2/check.hpp"
#include "traces/otf2/handles.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace traces::otf2 {

struct Location {
    OTF2_LocationRef id = 0;
    OTF2_LocationType type = OTF2_LOCATION_TYPE_UNKNOWN;
    std::uint64_t events = 0;
};

struct Group {
    OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
    OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
    std::vector<std::uint64_t> members;
};

/// Peers of a message are counted within `remote` (for an inter-communicator, the group the other side is in).
struct Communicator {
    OTF2_GroupRef local = OTF2_UNDEFINED_GROUP;
    OTF2_GroupRef remote = OTF2_UNDEFINED_GROUP;
};

struct Region {
    OTF2_StringRef name = OTF2_UNDEFINED_STRING;
    OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
};

struct LocationProperty {
    OTF2_LocationRef location = 0;
    OTF2_StringRef name = OTF2_UNDEFINED_STRING;
    std::int64_t value = 0;
};

/// A property of a machine whose value is a string.
struct MachineProperty {
    OTF2_StringRef name = OTF2_UNDEFINED_STRING;
    OTF2_StringRef value = OTF2_UNDEFINED_STRING;
};

/// What the archive defines, as far as runs need it.
struct Definitions {
    std::uint64_t ticksPerSecond = 1;
    std::unordered_map<OTF2_StringRef, std::string> strings;
    std::vector<Location> locations;
    std::map<OTF2_GroupRef, Group> groups;
    std::unordered_map<OTF2_CommRef, Communicator> communicators;
    std::unordered_map<OTF2_RegionRef, Region> regions;
    std::vector<LocationProperty> locationProperties;
    std::vector<MachineProperty> machineProperties;
};

/// Runs `body` inside a callback of the library, which is C: an exception waits in `failure` until the library is left.
template <class Body>
OTF2_CallbackCode guarded(std::exception_ptr& failure, Body body) noexcept {
    try {
        body();
        return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
        failure = std::current_exception();
        return OTF2_CALLBACK_INTERRUPT;
    }
}

/// All of it throws Error when the archive cannot be read.
class Source {
public:
    explicit Source(const std::filesystem::path& anchor);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::map<std::string, std::string> properties() const;
    [[nodiscard]] Definitions definitions();

    /// Chooses the locations whose events will be read.
    void select(const std::vector<Location>& locations);

    /// Reads the events of a selected location. `self` is handed to the callbacks, which put into `failure` what they
    /// throw. Throws Cancelled between portions.
    void events(const Location& location, const EventCallbacks& callbacks, void* self,
                const std::exception_ptr& failure, const engine::Progress& progress);

    /// Counts towards the share that `events` reports.
    void expect(std::uint64_t events) { expected_ = events; }

    /// Throws Error: the archive contradicts itself.
    [[noreturn]] void damaged(const std::string& how) const;

private:
    void localDefinitions(const Location& location);
    void requireWhole(const std::filesystem::path& file) const;
    [[nodiscard]] std::filesystem::path fileOf(const Location& location, const char* kind) const;

    std::filesystem::path anchor_;
    std::string name_;
    std::string doing_;
    Complaints complaints_;
    Reader reader_;
    bool plainFiles_ = false;  ///< neither compressed nor packed into one
    bool hasLocalDefinitions_ = false;
    std::uint64_t expected_ = 0;
    std::uint64_t read_ = 0;
};

}  // namespace traces::otf2
