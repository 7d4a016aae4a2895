// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/source.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <fstream>

namespace traces::otf2 {

using engine::text;

namespace {

/// Events between two looks at whether to go on.
constexpr std::uint64_t portion = 1 << 18;

struct Collector {
    Definitions definitions;
    std::exception_ptr failure;

    template <class Body>
    static OTF2_CallbackCode into(void* self, Body body) {
        auto& collector = *static_cast<Collector*>(self);
        return guarded(collector.failure, [&] { body(collector.definitions); });
    }
};

OTF2_CallbackCode onClock(void* self, std::uint64_t resolution, std::uint64_t, std::uint64_t, std::uint64_t) {
    return Collector::into(self, [&](Definitions& all) { all.ticksPerSecond = resolution; });
}

OTF2_CallbackCode onString(void* self, OTF2_StringRef id, const char* words) {
    return Collector::into(self, [&](Definitions& all) { all.strings[id] = words; });
}

OTF2_CallbackCode onLocation(void* self, OTF2_LocationRef id, OTF2_StringRef, OTF2_LocationType type,
                             std::uint64_t events, OTF2_LocationGroupRef) {
    return Collector::into(self, [&](Definitions& all) { all.locations.push_back({id, type, events}); });
}

OTF2_CallbackCode onLocationProperty(void* self, OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type,
                                     OTF2_AttributeValue value) {
    if (type != OTF2_TYPE_INT64) return OTF2_CALLBACK_SUCCESS;
    return Collector::into(self, [&](Definitions& all) {
        all.locationProperties.push_back({location, name, value.int64});
    });
}

OTF2_CallbackCode onMachineProperty(void* self, OTF2_SystemTreeNodeRef, OTF2_StringRef name, OTF2_Type type,
                                    OTF2_AttributeValue value) {
    if (type != OTF2_TYPE_STRING) return OTF2_CALLBACK_SUCCESS;
    return Collector::into(self, [&](Definitions& all) { all.machineProperties.push_back({name, value.stringRef}); });
}

OTF2_CallbackCode onGroup(void* self, OTF2_GroupRef id, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                          OTF2_GroupFlag, std::uint32_t count, const std::uint64_t* members) {
    return Collector::into(self, [&](Definitions& all) {
        all.groups[id] = {
            type, paradigm,
            count == 0 ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{members, members + count}};
    });
}

OTF2_CallbackCode onComm(void* self, OTF2_CommRef id, OTF2_StringRef, OTF2_GroupRef group, OTF2_CommRef,
                         OTF2_CommFlag) {
    return Collector::into(self, [&](Definitions& all) { all.communicators[id] = {group, group}; });
}

OTF2_CallbackCode onInterComm(void* self, OTF2_CommRef id, OTF2_StringRef, OTF2_GroupRef a, OTF2_GroupRef b,
                              OTF2_CommRef, OTF2_CommFlag) {
    return Collector::into(self, [&](Definitions& all) { all.communicators[id] = {a, b}; });
}

OTF2_CallbackCode onRegion(void* self, OTF2_RegionRef id, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
                           OTF2_RegionRole, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef, std::uint32_t,
                           std::uint32_t) {
    return Collector::into(self, [&](Definitions& all) { all.regions[id] = {name, paradigm}; });
}

}  // namespace

Source::Source(const std::filesystem::path& anchor)
    : anchor_{std::filesystem::absolute(anchor)}, name_{anchor.string()}, doing_{text("read the archive ", name_)} {
    requireWhole(anchor_);
    reader_.reset(checked(OTF2_Reader_Open(anchor_.c_str()), doing_));
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader_.get()), doing_);
    OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
    check(OTF2_Reader_GetCompression(reader_.get(), &compression), doing_);
    check(OTF2_Reader_GetFileSubstrate(reader_.get(), &substrate), doing_);
    plainFiles_ = compression == OTF2_COMPRESSION_NONE && substrate == OTF2_SUBSTRATE_POSIX;
    if (plainFiles_) requireWhole(std::filesystem::path{anchor_}.replace_extension(".def"));
}

/// The library trusts its files: what a file cut off lacks it takes from whatever lay in its memory before. Files begin
/// with a chunk (03) and end with the end of the chunk (02) and of the file (01). A zero follows in anchor files, and
/// a line feed where an archive went through tools for text.
void Source::requireWhole(const std::filesystem::path& file) const {
    std::ifstream in{file, std::ios::binary};
    if (!in) return;  // whether it may be missing the library knows
    std::string tail(4, '\0');
    const bool begins = in.get() == 3;
    in.seekg(-static_cast<std::streamoff>(tail.size()), std::ios::end);
    in.read(tail.data(), static_cast<std::streamsize>(tail.size()));
    if (tail.back() == '\n') tail.pop_back();
    if (file == anchor_ && tail.back() == '\0') tail.pop_back();
    if (!begins || !in || !tail.ends_with("\2\1"))
        damaged(text(file.filename().string(), " is no OTF2 file or is cut off"));
}

std::filesystem::path Source::fileOf(const Location& location, const char* kind) const {
    return std::filesystem::path{anchor_}.replace_extension("") / text(location.id, kind);
}

std::map<std::string, std::string> Source::properties() const {
    std::uint32_t count = 0;
    char** list = nullptr;
    check(OTF2_Reader_GetPropertyNames(reader_.get(), &count, &list), doing_);
    const Gift<char*> names{list};
    std::map<std::string, std::string> properties;
    for (std::uint32_t i = 0; i < count; ++i) {
        char* words = nullptr;
        check(OTF2_Reader_GetProperty(reader_.get(), list[i], &words), doing_);
        const Gift<char> value{words};
        properties[list[i]] = words;
    }
    return properties;
}

Definitions Source::definitions() {
    Collector collector;
    OTF2_GlobalDefReader* definitions = checked(OTF2_Reader_GetGlobalDefReader(reader_.get()), doing_);
    const DefinitionCallbacks callbacks{checked(OTF2_GlobalDefReaderCallbacks_New(), doing_)};
    check(OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks.get(), onClock), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks.get(), onString), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks.get(), onLocation), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks.get(), onLocationProperty), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(callbacks.get(), onMachineProperty), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks.get(), onGroup), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks.get(), onComm), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks.get(), onInterComm), doing_);
    check(OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks.get(), onRegion), doing_);
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader_.get(), definitions, callbacks.get(), &collector), doing_);
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader_.get(), definitions, &read);
    if (collector.failure) std::rethrow_exception(collector.failure);
    check(code, doing_);
    std::uint64_t announced = 0;
    check(OTF2_Reader_GetNumberOfGlobalDefinitions(reader_.get(), &announced), doing_);
    if (read < announced) damaged(text(read, " of its ", announced, " definitions are there"));
    if (collector.definitions.ticksPerSecond == 0) damaged("its clock does not tick");
    return std::move(collector.definitions);
}

void Source::select(const std::vector<Location>& locations) {
    for (const Location& location : locations) check(OTF2_Reader_SelectLocation(reader_.get(), location.id), doing_);
    hasLocalDefinitions_ = OTF2_Reader_OpenDefFiles(reader_.get()) == OTF2_SUCCESS;
    complaints_.forget();  // an archive without local definitions is a good one
    check(OTF2_Reader_OpenEvtFiles(reader_.get()), doing_);
}

/// They hold the tables by which the library translates ids and corrects clocks on its own.
void Source::localDefinitions(const Location& location) {
    if (!hasLocalDefinitions_) return;
    if (plainFiles_) requireWhole(fileOf(location, ".def"));
    if (OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader_.get(), location.id); definitions != nullptr) {
        std::uint64_t read = 0;
        check(OTF2_Reader_ReadAllLocalDefinitions(reader_.get(), definitions, &read), doing_);
        check(OTF2_Reader_CloseDefReader(reader_.get(), definitions), doing_);
    }
    complaints_.forget();
}

void Source::events(const Location& location, const EventCallbacks& callbacks, void* self,
                    const std::exception_ptr& failure, const engine::Progress& progress) {
    if (location.events == 0) return;
    localDefinitions(location);
    if (plainFiles_) requireWhole(fileOf(location, ".evt"));
    OTF2_EvtReader* events = checked(OTF2_Reader_GetEvtReader(reader_.get(), location.id), doing_);
    check(OTF2_Reader_RegisterEvtCallbacks(reader_.get(), events, callbacks.get(), self), doing_);
    std::uint64_t sum = 0;
    for (bool more = true; more;) {
        progress.at(expected_ == 0 ? 0 : std::min(1.0, static_cast<double>(read_) / static_cast<double>(expected_)));
        std::uint64_t read = 0;  // a file cut off early leaves it as it is
        const OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(reader_.get(), events, portion, &read);
        if (failure) std::rethrow_exception(failure);
        check(code, doing_);
        sum += read;
        read_ += read;
        more = read == portion;
    }
    check(OTF2_Reader_CloseEvtReader(reader_.get(), events), doing_);
    if (sum < location.events)
        damaged(text(sum, " of the ", location.events, " events of location ", location.id, " are there"));
}

void Source::damaged(const std::string& how) const {
    throw engine::Error{
        text("cannot read the archive ", name_, ": ", how, "; the archive must be whole and undamaged")};
}

}  // namespace traces::otf2
