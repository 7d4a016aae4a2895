// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/survey.hpp"

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace traces::reading {
namespace {

constexpr std::uint64_t undefinedCount = std::numeric_limits<std::uint64_t>::max();

/// The location that a file is of, as its name says: "12.evt".
std::optional<std::uint64_t> locationIn(std::string_view name, std::string_view ending) {
    if (!name.ends_with(ending)) return std::nullopt;
    name.remove_suffix(ending.size());
    std::uint64_t id = 0;
    const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (code != std::errc{} || end != name.data() + name.size() || std::to_string(id) != name) return std::nullopt;
    return id;
}

/// Of a file that is there; 0 where that is unknown.
std::optional<std::uint64_t> bytesIn(const std::filesystem::directory_entry& entry) {
    std::error_code gone;
    if (!entry.is_regular_file(gone) || gone) return std::nullopt;
    const std::uint64_t bytes = entry.file_size(gone);
    return gone ? 0 : bytes;
}

/// One look at the folder: a million locations may be declared of which few have a file.
std::vector<LocationFiles> filesOf(const Anchor& anchor, const World& world) {
    constexpr std::string_view ending = ".evt";
    std::vector<LocationFiles> files(world.locations.size());
    const std::filesystem::path folder = anchor.fileOf(0, ending.data()).parent_path();
    std::unordered_map<std::uint64_t, std::uint64_t> bytesOf;  // by the location's id
    std::error_code failed;
    for (std::filesystem::directory_iterator at{folder, failed}, end; !failed && at != end; at.increment(failed))
        if (const auto id = locationIn(at->path().filename().string(), ending))
            if (const auto bytes = bytesIn(*at)) bytesOf.emplace(*id, *bytes);
    // A folder that cannot be listed may have files that can be read.
    if (failed)
        for (const Location& location : world.locations)
            if (const auto bytes =
                    bytesIn(std::filesystem::directory_entry{anchor.fileOf(location.id, ending.data()), failed}))
                bytesOf.emplace(location.id, *bytes);
    for (std::size_t i = 0; i < files.size() && !bytesOf.empty(); ++i)
        if (const auto file = bytesOf.extract(world.locations[i].id)) files[i] = {file.mapped(), true};
    return files;
}

/// The first ticks of all locations that have any.
std::vector<std::uint64_t> firstTicks(const Anchor& anchor, const World& world, const Survey& known) {
    std::vector<std::uint64_t> ticks(known.files.size(), undefinedCount);
    engine::parallelFor(ticks.size(), [&](std::size_t i) {
        if (known.files[i].events) firstTick(anchor, world.locations[i].id, known.offsets, ticks[i]);
    });
    std::erase(ticks, undefinedCount);
    return ticks;
}

Expected expectedOf(const std::vector<LocationFiles>& files, const World& world) {
    Expected all;
    for (const LocationFiles& one : files) all.eventBytes += one.eventBytes;
    for (const std::uint64_t events : world.announced)
        if (events != undefinedCount) all.events += std::min(events, undefinedCount - all.events);
    // Columns that stay, and what matching takes meanwhile, as measured with messages within calls; 10^7 events took
    // 0.7 s.
    all.memory = all.eventBytes / 2 * 5;
    all.coreSeconds = static_cast<double>(all.eventBytes) * 5e-9;
    return all;
}

}  // namespace

Survey survey(const Anchor& anchor, const Definitions& definitions, const World& world, bool own) {
    Survey known{.files = filesOf(anchor, world), .clock = {}, .remark = {}, .expected = {}};
    known.expected = expectedOf(known.files, world);
    // Offsets that put locations further apart than times can say are none that were measured.
    constexpr double farthest = 2.3e6;  // seconds: half of what times can say
    std::vector<std::uint64_t> ticks;
    const auto look = [&] { ticks = own ? std::vector<std::uint64_t>{} : firstTicks(anchor, world, known); };
    const auto apart = [&] {
        if (ticks.empty()) return 0.0;
        const auto [first, last] = std::minmax_element(ticks.begin(), ticks.end());
        return static_cast<double>(*last - *first) / static_cast<double>(definitions.ticksPerSecond);
    };
    look();
    if (const double before = apart(); before > farthest) {
        known.offsets = ClockOffsets::leftOut;
        look();
        if (apart() < before)
            known.remark = engine::text("the archive's clock offsets cannot be right, they put its locations ",
                                        engine::showNumber(before / 86400, 3), " days apart: they are left out");
        else known.offsets = ClockOffsets::applied, look();
    }
    known.clock = {definitions.ticksPerSecond, ticks.empty() ? 0 : *std::min_element(ticks.begin(), ticks.end())};
    return known;
}

}  // namespace traces::reading
