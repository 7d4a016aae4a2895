// SPDX-License-Identifier: BSD-3-Clause
#include "traces/flight_recorder/dump.hpp"

#include "engine/base/error.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/flight_recorder/pickled_data.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>

namespace traces::flight {

namespace fs = std::filesystem;
using engine::Error;
using engine::text;

namespace {

constexpr std::uintmax_t largest = std::uintmax_t{256} << 20;  ///< bytes of a dump
constexpr std::size_t mostFrames = 64, mostTensors = 4096, mostDimensions = 64, longestWords = 4096;
constexpr std::size_t mostEntries = 1'000'000;
constexpr std::size_t mostCopied = std::size_t{1} << 30;  ///< bytes of a dump's entries and groups in memory

/// Many places of a pickle may refer to the same long words.
std::string wordsOf(const Node& node) { return node.words.substr(0, longestWords); }

std::string wordsAt(const Node& node, std::string_view key) {
    const Node* const found = node.at(key);
    if (found == nullptr) return {};
    if (found->kind == Node::Kind::words) return wordsOf(*found);
    if (found->kind == Node::Kind::number) return text(found->number);
    // Types of several tensors.
    std::string all;
    if (found->kind != Node::Kind::list) return all;
    for (std::size_t i = 0; i < std::min(found->items.size(), mostTensors) && all.size() < longestWords; ++i)
        all += (i == 0 ? "" : ", ") + wordsOf(*found->items[i]);
    all.resize(std::min(all.size(), longestWords));
    return all;
}

std::int64_t integerAt(const Node& node, std::string_view key, std::int64_t otherwise) {
    const Node* const found = node.at(key);
    return found == nullptr ? otherwise : found->integer(otherwise);
}

Sizes sizesAt(const Node& node, std::string_view key) {
    Sizes sizes;
    const Node* const found = node.at(key);
    if (found == nullptr || found->kind != Node::Kind::list) return sizes;
    for (std::size_t i = 0; i < std::min(found->items.size(), mostTensors); ++i) {
        std::vector<std::int64_t>& tensor = sizes.emplace_back();
        const Node& its = *found->items[i];
        for (std::size_t d = 0; d < std::min(its.items.size(), mostDimensions); ++d)
            tensor.push_back(its.items[d]->integer(0));
    }
    return sizes;
}

/// "0" and "1" of "[0, 1]", or of a list.
std::vector<std::int64_t> ranksOf(const Node& node) {
    std::vector<std::int64_t> ranks;
    if (node.kind == Node::Kind::list)
        for (const Node* item : node.items) ranks.push_back(item->integer(-1));
    for (std::size_t i = 0; node.kind == Node::Kind::words && i < node.words.size();) {
        std::int64_t rank = 0;
        const auto [end, fault] = std::from_chars(node.words.data() + i, node.words.data() + node.words.size(), rank);
        if (fault == std::errc{}) {
            ranks.push_back(rank);
            i = static_cast<std::size_t>(end - node.words.data());
        } else {
            ++i;
        }
    }
    std::erase_if(ranks, [](std::int64_t rank) { return rank < 0; });
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

std::vector<std::string> framesOf(const Node& entry) {
    std::vector<std::string> frames;
    const Node* const found = entry.at("frames");
    if (found == nullptr || found->kind != Node::Kind::list) return frames;
    for (std::size_t i = 0; i < std::min(found->items.size(), mostFrames); ++i) {
        const Node& frame = *found->items[i];
        const std::string function = wordsAt(frame, "name");
        const std::string place = text(wordsAt(frame, "filename"), ':', wordsAt(frame, "line"));
        frames.push_back(function.empty() ? place : text(function, ", ", place));
    }
    return frames;
}

Entry entryOf(const Node& node) {
    Entry entry;
    entry.record = integerAt(node, "record_id", 0);
    std::string profiled = wordsAt(node, "profiling_name");
    if (const std::size_t colon = profiled.find(':'); colon != std::string::npos) profiled.erase(0, colon + 1);
    const std::size_t space = profiled.find(' ');
    entry.operation = profiled.substr(0, space);
    if (const Node* const group = node.at("process_group")) {
        if (group->kind == Node::Kind::list && !group->items.empty()) {
            entry.group = wordsOf(*group->items[0]);
            if (group->items.size() > 1) entry.description = wordsOf(*group->items[1]);
        } else {
            entry.group = wordsOf(*group);
        }
    } else {
        entry.group = wordsAt(node, "pg_id");
    }
    // Version 1 counts collectives and transfers together, and names groups by numbers.
    const std::int64_t both = integerAt(node, "seq_id", 0);
    entry.sequence = integerAt(node, "collective_seq_id", both);
    entry.transfer = integerAt(node, "p2p_seq_id", both);
    entry.isTransfer = integerAt(node, "is_p2p", 0) != 0 || entry.operation == "send" || entry.operation == "recv";
    if (space != std::string::npos) {
        // "send 0->1", "recv 1<-0"
        const std::string_view ends = std::string_view{profiled}.substr(space + 1);
        std::int64_t a = -1, b = -1;
        const auto first = std::from_chars(ends.data(), ends.data() + ends.size(), a);
        if (first.ec == std::errc{} && ends.data() + ends.size() - first.ptr > 2) {
            (void)std::from_chars(first.ptr + 2, ends.data() + ends.size(), b);
            const bool sends = *first.ptr == '-';
            entry.source = sends ? a : b;
            entry.target = sends ? b : a;
        }
    }
    entry.in = sizesAt(node, "input_sizes");
    entry.out = sizesAt(node, "output_sizes");
    entry.inTypes = wordsAt(node, "input_dtypes");
    entry.outTypes = wordsAt(node, "output_dtypes");
    const std::string state = wordsAt(node, "state");
    entry.state = state == "completed" ? State::completed : state == "started" ? State::started : State::scheduled;
    entry.created = integerAt(node, "time_created_ns", 0);
    entry.frames = framesOf(node);
    return entry;
}

std::size_t bytesOf(const Entry& entry) {
    std::size_t bytes = sizeof(Entry) + entry.operation.size() + entry.group.size() + entry.description.size() +
                        entry.inTypes.size() + entry.outTypes.size();
    for (const Sizes* sizes : {&entry.in, &entry.out})
        for (const std::vector<std::int64_t>& tensor : *sizes) bytes += sizeof(tensor) + 8 * tensor.size();
    for (const std::string& frame : entry.frames) bytes += sizeof(frame) + frame.size();
    return bytes;
}

std::optional<char> firstByte(const fs::path& path) {
    std::ifstream in{path, std::ios::binary};
    char byte = 0;
    while (in.get(byte))
        if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') return byte;
    return std::nullopt;
}

/// Of json, whether it looks like a dump among other json: its first bytes name something that only dumps have.
bool looksLikeDump(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return false;
    const std::optional<char> first = firstByte(path);
    if (first == '\x80') return true;
    if (first != '{') return false;
    std::ifstream in{path, std::ios::binary};
    std::string begin(1 << 16, '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(in.gcount()));
    const auto has = [&](std::string_view word) { return begin.find(word) != std::string::npos; };
    // Traces of the profiler have process groups, too.
    return (has("\"pg_config\"") || has("\"entries\"")) && !has("\"traceEvents\"") && !has("\"schemaVersion\"") &&
           !has("\"distributedInfo\"");
}

/// The number that the file's name ends with, before its ending.
std::int64_t rankInName(const fs::path& path) {
    std::string name = path.filename().string();
    for (const std::string_view ending : {".json", ".pickle", ".pkl"})
        if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    std::size_t begin = name.size();
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1])) != 0 && name.size() - begin < 7)
        --begin;
    return begin == name.size() ? -1 : std::stoll(name.substr(begin));
}

Dump readDump(const fs::path& path) {
    const std::string name = path.string();
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(path, failed);
    if (failed) throw Error{text("cannot read ", name, ": ", failed.message())};
    if (size > largest) throw Error{text(name, ": more than 256 MiB; a Flight Recorder dump is smaller")};
    std::ifstream in{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
    if (!in && !in.eof()) throw Error{text("cannot read ", name)};
    const bool pickled = !bytes.empty() && bytes[0] == '\x80';
    const Document document = pickled ? readPickle(bytes, name) : readJson(bytes, name);
    const Node& root = *document.root;
    const Node* const entries = root.at("entries");
    const Node* const groups = root.at("pg_config");
    if (root.kind != Node::Kind::dictionary || (entries == nullptr && groups == nullptr))
        throw Error{text(name, ": not a Flight Recorder dump (\"entries\" is missing)")};
    Dump dump;
    dump.path = path;
    dump.rank = integerAt(root, "rank", -1);
    if (dump.rank < 0) dump.rank = rankInName(path);
    if (dump.rank < 0)
        throw Error{text(name, ": the rank is unknown; name the file as PyTorch does, with the rank at its end")};
    dump.version = wordsAt(root, "version");
    std::size_t copied = 0;
    const auto count = [&](std::size_t more) {
        copied += more;
        if (copied > mostCopied)
            throw Error{text(name, ": its entries and groups take more than 1 GiB; a Flight Recorder dump is smaller")};
    };
    if (groups != nullptr && groups->kind == Node::Kind::dictionary)
        for (std::size_t i = 0; i + 1 < groups->items.size(); i += 2)
            if (const Node* const ranks = groups->items[i + 1]->at("ranks")) {
                std::vector<std::int64_t>& its = dump.groups[wordsOf(*groups->items[i])];
                its = ranksOf(*ranks);
                count(8 * its.size() + longestWords);
            }
    if (entries != nullptr && entries->kind == Node::Kind::list) {
        if (entries->items.size() > mostEntries)
            throw Error{text(name, ": more than ", mostEntries, " entries; a Flight Recorder dump has fewer")};
        for (const Node* entry : entries->items) {
            dump.entries.push_back(entryOf(*entry));
            count(bytesOf(dump.entries.back()));
        }
    }
    std::stable_sort(dump.entries.begin(), dump.entries.end(),
                     [](const Entry& a, const Entry& b) { return a.record < b.record; });
    return dump;
}

std::vector<fs::path> filesOf(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) return {path};
    std::vector<fs::path> files;
    for (fs::directory_iterator at{path, failed}, end; !failed && at != end; at.increment(failed))
        if (looksLikeDump(at->path())) files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::string_view name(State state) {
    switch (state) {
        case State::scheduled: return "scheduled";
        case State::started: return "started";
        case State::completed: return "completed";
    }
    return {};
}

bool isDumps(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        if (path.extension() == ".records") return false;
        for (fs::directory_iterator at{path, ignored}, end; !ignored && at != end; at.increment(ignored))
            if (at->path().extension() == ".otf2") return false;
        return !filesOf(path).empty();
    }
    return looksLikeDump(path);
}

std::vector<Dump> readDumps(const fs::path& path) {
    const std::vector<fs::path> files = filesOf(path);
    std::vector<Dump> dumps(files.size());
    engine::parallelFor(
        files.size(), [&](std::size_t i) { dumps[i] = readDump(files[i]); }, [] {});
    std::sort(dumps.begin(), dumps.end(), [](const Dump& a, const Dump& b) { return a.rank < b.rank; });
    for (std::size_t i = 1; i < dumps.size(); ++i)
        if (dumps[i].rank == dumps[i - 1].rank)
            throw Error{text(dumps[i - 1].path.string(), " and ", dumps[i].path.string(), " are both of rank ",
                             dumps[i].rank, "; keep the dumps of one run in a folder")};
    return dumps;
}

}  // namespace traces::flight
