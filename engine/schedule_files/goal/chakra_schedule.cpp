// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/goal/chakra_schedule.hpp"

#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/goal/chakra_protobuf.hpp"
#include "engine/schedule_files/goal/goal_schedule.hpp"
#include "engine/schedule_files/msccl/msccl_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

namespace engine::schedules::chakra {
namespace {

constexpr std::string_view ending = ".et";
constexpr std::int32_t mostParts = 1 << 14;
constexpr std::int64_t mostNodes = std::int64_t{1} << 24;

/// A name and what it stands for: a text or a number.
struct Attribute {
    std::string_view name{};
    std::string_view words{};
    std::uint64_t value = 0;
};

Attribute attributeFrom(std::string_view bytes, std::string_view file) {
    Attribute one;
    Wire{bytes, file}.fields([&](const Field& field) {
        if (field.number == 1) one.name = field.bytes;
        else if (field.isBytes) one.words = field.bytes;
        else one.value = field.value;
    });
    return one;
}

/// Calls use(attribute) for those of the metadata.
template <class Use>
void eachAttribute(std::string_view metadata, std::string_view file, Use use) {
    Wire{metadata, file}.fields([&](const Field& field) {
        if (field.number == 2 && field.isBytes) use(attributeFrom(field.bytes, file));
    });
}

class Reader {
public:
    Reader(std::string_view content, std::string_view file) : file_{file} {
        Wire parts{content, file};
        while (!parts.ended()) {
            if (static_cast<std::int32_t>(goal_.ranks.size()) == mostParts)
                throw Error{text(file_, ": has more than ", mostParts, " ranks, which is the most that is read")};
            part(parts.take(parts.number()));
        }
    }

    Stored read() {
        if (collective_.empty())
            throw Error{text(file_, ": states no collective in its metadata, so that it cannot be proved")};
        const auto ranks = static_cast<std::int64_t>(goal_.ranks.size());
        static const std::map<std::string, Collective, std::less<>> names{
            {"allreduce", Collective::allreduce},         {"allgather", Collective::allgatherv},
            {"reducescatter", Collective::reduceScatter}, {"reduce_scatter", Collective::reduceScatter},
            {"alltoall", Collective::alltoallv},
        };
        const auto named = names.find(collective_);
        if (named == names.end())
            throw Error{text(file_, ": its collective is '", collective_,
                             "'; allreduce, allgather, reduce_scatter and ", "alltoall are read")};
        Problem problem{.collective = named->second, .groupA = static_cast<std::int32_t>(ranks)};
        const Bytes vector = bytesOfAll(problem.collective);
        switch (problem.collective) {
            case Collective::allgatherv: problem.layout = Layout::regular(problem.groupA, vector / ranks); break;
            case Collective::alltoallv:
                problem.layout = Layout::regular(problem.groupA * problem.groupA, vector / ranks);
                break;
            default: problem.layout = Layout::regular(problem.groupA, vector); break;
        }
        problem.ports = problem.groupA;
        goal_.problem = problem;
        return goal::storedFrom(goal_, file_);
    }

private:
    void part(std::string_view content) {
        const auto rank = goal_.ranks.size();
        std::vector<goal::Operation>& operations = goal_.ranks.emplace_back();
        std::vector<Node> nodes;
        std::map<std::uint64_t, std::uint32_t> places;
        Wire messages{content, file_};
        bool first = true;
        while (!messages.ended()) {
            const std::string_view message = messages.take(messages.number());
            if (std::exchange(first, false)) {
                metadata(message);
                continue;
            }
            if (++nodes_ > mostNodes)
                throw Error{text(file_, ": has more than ", mostNodes, " nodes, which is the most that is read")};
            nodes.push_back(nodeFrom(message, file_));
            if (!places.emplace(nodes.back().id, static_cast<std::uint32_t>(nodes.size() - 1)).second)
                throw Error{text(file_, ": rank ", rank, " has node ", nodes.back().id, " twice")};
        }
        for (const Node& each : nodes) {
            goal::Operation one{.line = static_cast<std::int64_t>(each.id)};
            for (const std::uint64_t other : each.waitsFor) {
                const auto place = places.find(other);
                if (place == places.end())
                    throw Error{text(file_, ": rank ", rank, ", node ", each.id, " waits for node ", other,
                                     ", which does not exist")};
                one.waitsFor.push_back(place->second);
            }
            const auto kind = static_cast<NodeKind>(each.kind);
            if (kind == NodeKind::collective)
                throw Error{text(file_, ": rank ", rank, ", node ", each.id,
                                 " is a collective: this is a program, not the schedule of a collective")};
            if (kind == NodeKind::send || kind == NodeKind::receive) {
                const std::uint64_t peer = kind == NodeKind::send ? each.target : each.source;
                if (peer >= static_cast<std::uint64_t>(mostParts) || peer == rank)
                    throw Error{text(file_, ": rank ", rank, ", node ", each.id, " has rank ", peer, " as its peer")};
                if (each.size == 0 || each.size > std::uint64_t{1} << 48U)
                    throw Error{text(file_, ": rank ", rank, ", node ", each.id, " has ", each.size, " bytes")};
                one.kind = kind == NodeKind::send ? goal::Kind::send : goal::Kind::receive;
                one.peer = Rank{static_cast<std::int32_t>(peer)};
                one.bytes = static_cast<Bytes>(each.size);
                one.tag = static_cast<std::int64_t>(each.tag & 0x7fffffffU);
                highest_ = std::max(highest_, one.peer.value);
                if (kind == NodeKind::receive) received_ = std::max(received_, receivedBy_[rank] += one.bytes);
                else if (rank == 0) sentByFirst_ += one.bytes;
            }
            operations.push_back(std::move(one));
        }
    }

    void metadata(std::string_view message) {
        eachAttribute(message, file_, [&](const Attribute& one) {
            if (one.name == "collective") collective_ = one.words;
            if (one.name == "input_file") made_ = one.words;
        });
    }

    /// Of the vector, or of all contributions together; of an alltoall of what one rank sends.
    Bytes bytesOfAll(Collective collective) {
        const auto ranks = static_cast<Bytes>(goal_.ranks.size());
        if (highest_ >= ranks)
            throw Error{text(file_, ": its files are of ranks 0 to ", ranks - 1, ", but a node has rank ", highest_,
                             " as its peer")};
        if (received_ == 0) throw Error{text(file_, ": no rank receives anything")};
        if (made_.find("<algo") != std::string::npos) {
            const msccl::File msccl = msccl::fileFrom(made_, text(file_, ": input_file"));
            std::int64_t chunks = 0;
            if (!msccl.gpus.empty())
                for (const msccl::ThreadBlock& block : msccl.gpus.front().blocks)
                    for (const msccl::Step& step : block.steps)
                        if (msccl::sends(step.kind)) chunks += step.count;
            if (chunks > 0 && msccl.loop > 0 && sentByFirst_ % chunks == 0) return sentByFirst_ / chunks * msccl.loop;
        }
        const Bytes once = received_ / (ranks - 1) * ranks;
        const Bytes all = collective == Collective::allreduce ? once / 2 : once;
        goal_.remarks.push_back(text("the files do not state the size: ", all, " bytes are assumed, so that the ",
                                     "busiest rank receives nothing twice"));
        return all;
    }

    std::string file_;
    goal::File goal_;
    std::string collective_;
    std::string made_;  ///< the file of MSCCL that the trace was made from
    std::map<std::size_t, Bytes> receivedBy_;
    Bytes received_ = 0;  ///< by the rank that receives most
    Bytes sentByFirst_ = 0;
    std::int32_t highest_ = 0;
    std::int64_t nodes_ = 0;
};

void appendNumber(std::string& to, std::uint64_t value) {
    for (; value >= 128; value >>= 7U) to += static_cast<char>((value & 127U) | 128U);
    to += static_cast<char>(value);
}

}  // namespace

Node nodeFrom(std::string_view message, std::string_view file) {
    Node node;
    Wire{message, file}.fields([&](const Field& field) {
        switch (field.number) {
            case 1: node.id = field.value; break;
            case 2: node.name = field.bytes; break;
            case 3: node.kind = field.value; break;
            case 4:
            case 5:
                if (!field.isBytes) node.waitsFor.push_back(field.value);
                else
                    for (Wire ids{field.bytes, file}; !ids.ended();) node.waitsFor.push_back(ids.number());
                break;
            case 7: node.duration = field.value; break;
            case 10: {
                const Attribute one = attributeFrom(field.bytes, file);
                if (one.name == "comm_type") node.type = one.value;
                else if (one.name == "comm_size") node.size = one.value;
                else if (one.name == "comm_src") node.source = one.value;
                else if (one.name == "comm_dst") node.target = one.value;
                else if (one.name == "comm_tag") node.tag = one.value;
                else if (one.name == "is_cpu_op") node.onHost = one.value != 0;
                else if (one.name == "pg_name") node.group = one.words;
                break;
            }
            default: break;
        }
    });
    return node;
}

std::optional<Part> partOf(std::string_view path) {
    if (!path.ends_with(ending)) return std::nullopt;
    path.remove_suffix(ending.size());
    const auto dot = path.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    Part part{.name = std::string{path.substr(0, dot)}};
    const std::string_view digits = path.substr(dot + 1);
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), part.rank);
    if (wrong != std::errc{} || end != digits.data() + digits.size() || part.rank < 0) return std::nullopt;
    return part;
}

bool isOfJob(const std::string& path) {
    std::error_code unknown;
    if (!partOf(path) || !std::filesystem::is_regular_file(path, unknown)) return false;
    constexpr std::streamsize longestNumber = 10;
    std::ifstream file{path, std::ios::binary};
    std::string head;
    const auto read = [&](std::streamsize more) {
        const std::size_t before = head.size();
        head.resize(before + static_cast<std::size_t>(more));
        file.read(head.data() + before, more);
        head.resize(before + static_cast<std::size_t>(file.gcount()));
    };
    read(longestNumber);
    try {
        Wire length{head, path};
        const std::uint64_t size = length.number();
        if (size > static_cast<std::uint64_t>(mostFileBytes)) return true;
        const std::size_t prefix = length.at();
        if (const std::uint64_t whole = prefix + size; whole > head.size())
            read(static_cast<std::streamsize>(whole - head.size()));
        Wire rest{head, path};
        (void)rest.take(prefix);
        bool isSchedule = false;
        eachAttribute(rest.take(size), path,
                      [&](const Attribute& one) { isSchedule = isSchedule || one.name == "collective"; });
        return !isSchedule;
    } catch (const Error&) {
        return true;  // damaged, as the reader of jobs says more exactly
    }
}

std::string contentOf(const std::string& path) {
    const std::optional<Part> part = partOf(path);
    if (!part) throw Error{text(path, ": not named as a Chakra execution trace, NAME.RANK.et")};
    std::string all;
    for (std::int32_t rank = 0; rank < mostParts; ++rank) {
        const std::string one = text(part->name, '.', rank, ending);
        std::error_code unknown;
        if (rank > 0 && !std::filesystem::exists(one, unknown)) break;
        const std::string content = engine::contentOf(one, mostFileBytes, text("cannot read '", one, "'"));
        appendNumber(all, content.size());
        all += content;
        if (static_cast<std::int64_t>(all.size()) > mostFileBytes)
            throw Error{
                text(path, ": its files have more than ", mostFileBytes, " bytes, which is the most that is read")};
    }
    return all;
}

Stored storedFrom(std::string_view content, std::string_view file) { return Reader{content, file}.read(); }

}  // namespace engine::schedules::chakra
