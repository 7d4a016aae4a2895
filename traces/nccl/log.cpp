// SPDX-License-Identifier: BSD-3-Clause
#include "traces/nccl/log.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

namespace traces::nccl {
namespace {

namespace fs = std::filesystem;
using std::string_view;

constexpr string_view mark = "NCCL INFO ";
constexpr std::int32_t mostRanks = 1 << 16, mostChannels = 1024;
constexpr std::size_t longestLine = 1 << 16;

/// Words of a line, from left to right.
class Words {
public:
    explicit Words(string_view line) : rest_{line} {}

    bool skip(string_view words) {
        blanks();
        if (!rest_.starts_with(words)) return false;
        rest_.remove_prefix(words.size());
        return true;
    }
    std::optional<std::int64_t> number(int base = 10) {
        blanks();
        std::int64_t value = 0;
        const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
        if (fault != std::errc{}) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    /// A rank, or nobody; nothing where it is neither.
    std::optional<std::int32_t> rank() {
        const auto value = number();
        if (!value || *value < nobody || *value >= mostRanks) return std::nullopt;
        return static_cast<std::int32_t>(*value);
    }
    /// Up to the next blank.
    string_view word() {
        blanks();
        const std::size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
        const string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return word;
    }
    /// What stands behind `key` and a blank.
    static string_view behind(string_view line, string_view key) {
        const std::size_t at = line.find(key);
        return at == string_view::npos ? string_view{} : Words{line.substr(at + key.size())}.word();
    }
    /// Without what `bracketed` encloses, as in "0[1a000]".
    void skipBracket() {
        if (!rest_.starts_with('[')) return;
        const std::size_t end = rest_.find(']');
        rest_.remove_prefix(end == string_view::npos ? rest_.size() : end + 1);
    }
    [[nodiscard]] bool done() {
        blanks();
        return rest_.empty();
    }
    [[nodiscard]] string_view rest() const { return rest_; }

private:
    void blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
    }
    string_view rest_;
};

std::optional<std::int64_t> wholeNumber(string_view words) {
    Words its{words};
    return its.number();
}

/// "host:pid:tid", the last word before "[device] NCCL INFO".
struct Writer {
    std::string host, process, thread;  ///< `process` and `thread` include what is before them
};

Writer writerOf(string_view prefix) {
    while (prefix.ends_with(' ')) prefix.remove_suffix(1);
    if (prefix.ends_with(']')) prefix = prefix.substr(0, std::min(prefix.rfind('['), prefix.size()));
    while (prefix.ends_with(' ')) prefix.remove_suffix(1);
    if (const std::size_t blank = prefix.rfind(' '); blank != string_view::npos) prefix.remove_prefix(blank + 1);
    Writer writer;
    writer.thread = prefix;
    const std::size_t tid = prefix.rfind(':');
    const std::size_t pid = tid == string_view::npos || tid == 0 ? string_view::npos : prefix.rfind(':', tid - 1);
    if (pid == string_view::npos) return writer;
    writer.process = prefix.substr(0, tid);
    const string_view before = prefix.substr(0, pid);
    const std::size_t colon = before.rfind(':');
    writer.host = colon == string_view::npos ? before : before.substr(colon + 1);
    return writer;
}

constexpr std::array<int, 12> datatypeBytes{1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

std::string named(string_view word, std::initializer_list<const char*> names) {
    const auto number = wholeNumber(word);
    if (!number) return std::string{word};
    return *number >= 0 && std::cmp_less(*number, names.size()) ? names.begin()[*number] : std::string{word};
}

/// What a thread wrote between the start and the end of an initialisation.
struct Session {
    Communicator its{};
    std::string host{}, process{}, handle{};
    std::int32_t rank = nobody;
    std::int32_t ranks = 0;
    bool inTopology = false;
    std::vector<std::pair<std::size_t, std::string>> nesting{};  ///< column and name of nodes of the topology
    [[nodiscard]] bool empty() const {
        return its.channels.empty() && its.connections.empty() && its.topology.empty() && handle.empty();
    }
};

class Reader {
public:
    void line(string_view line) {
        if (const std::size_t at = line.find("NCCL version "); at != string_view::npos && log_.version.empty())
            log_.version = Words{line.substr(at + 13)}.word();
        // Processes that share a stream write into each other's lines.
        const std::size_t at = line.rfind(mark);
        if (at == string_view::npos) return;
        ++log_.lines;
        std::string_view message = line.substr(at + mark.size());
        while (message.ends_with('\r') || message.ends_with(' ')) message.remove_suffix(1);
        const Writer writer = writerOf(line.substr(0, at));
        Session& session = sessions_[writer.thread];
        session.host = writer.host;
        session.process = writer.process;
        if (session.inTopology) topologyLine(session, message);
        else if (message.starts_with("=== System ")) session.inTopology = true;
        else if (message.starts_with("Trees ")) trees(session, message.substr(5));
        else if (message.starts_with("Channel ") || message.starts_with("Ring ")) channelLine(session, message);
        else if (const std::size_t comm = message.find("comm 0x"); comm != string_view::npos)
            commLine(session, message);
        else if (message.find(" Bytes -> Algo ") != string_view::npos) choice(message);
    }

    Log finish() {
        for (auto& [thread, session] : sessions_) assign(session);
        for (auto& [process, from, to, via] : later_)
            if (Communicator* its = onlyOf(process)) its->connections.emplace(std::pair{from, to}, via);
            else ++log_.unassigned;
        for (auto& call : calls_) {
            const auto known = handles_.find({call.process, call.handle});
            Communicator* its = known != handles_.end() ? &log_.communicators[known->second] : onlyWith(call.ranks);
            if (its == nullptr) {
                ++log_.unassigned;
                continue;
            }
            Calls& sum = its->calls[{call.operation, call.bytes}];
            sum.lines += call.lines;
            sum.callers.emplace(call.process, call.handle);
        }
        for (Communicator& its : log_.communicators)
            if (its.ranks == 0) its.ranks = largestRank(its) + 1;
        return std::move(log_);
    }

private:
    static std::int32_t largestRank(const Communicator& its) {
        std::int32_t largest = nobody;
        for (const auto& [number, channel] : its.channels) {
            for (const std::int32_t rank : channel.order) largest = std::max(largest, rank);
            for (const auto& [rank, ring] : channel.ring) largest = std::max({largest, rank, ring.first, ring.second});
            for (const auto& [rank, node] : channel.tree) {
                largest = std::max({largest, rank, node.parent});
                for (const std::int32_t child : node.children) largest = std::max(largest, child);
            }
        }
        for (const auto& [pair, via] : its.connections) largest = std::max({largest, pair.first, pair.second});
        return largest;
    }

    static void topologyLine(Session& session, string_view message) {
        if (message.starts_with("===")) {
            session.inTopology = false;
            session.nesting.clear();
            return;
        }
        const std::size_t column = message.find_first_not_of(' ');
        if (column == string_view::npos) return;
        Host& host = session.its.topology[session.host];
        const auto node = [&](string_view words) {
            const std::string name{Words{words}.word()};
            const std::size_t rank = words.find(" (");
            if (name.starts_with("GPU/") && rank != string_view::npos)
                if (const auto number = wholeNumber(words.substr(rank + 2));
                    number && *number >= 0 && *number < mostRanks)
                    host.accelerators[name] = static_cast<std::int32_t>(*number);
            return name;
        };
        if (message[column] != '+') {
            session.nesting = {{column, node(message.substr(column))}};
            return;
        }
        const std::size_t open = message.find('[', column), close = message.find("] - ", column);
        if (open == string_view::npos || close == string_view::npos || close < open) return;
        const std::size_t below = close + 4;
        while (!session.nesting.empty() && session.nesting.back().first > column) session.nesting.pop_back();
        if (session.nesting.empty() || session.nesting.back().first != column) return;
        HostLink link{session.nesting.back().second, node(message.substr(below)),
                      std::string{Words{message.substr(column + 1, open - column - 1)}.word()}};
        const string_view speed = message.substr(open + 1, close - open - 1);
        if (std::from_chars(speed.data(), speed.data() + speed.size(), link.gigabytes).ec != std::errc{} ||
            !(link.gigabytes > 0 && link.gigabytes < 1e6))
            return;
        const bool known = std::any_of(host.links.begin(), host.links.end(), [&](const HostLink& one) {
            return one.kind == link.kind &&
                   ((one.from == link.from && one.to == link.to) || (one.from == link.to && one.to == link.from));
        });
        session.nesting.emplace_back(below, link.to);
        if (!known) host.links.push_back(std::move(link));
    }

    void trees(Session& session, string_view line) {
        Words words{line};
        while (words.skip("[")) {
            const auto channel = words.number();
            if (!channel || *channel < 0 || *channel >= mostChannels || !words.skip("]")) return;
            std::string_view its = words.word();
            // A line that NCCL cut ends within its last tree.
            if (words.done() && line.size() + 5 >= 1023) return;
            its = its.substr(0, its.find('|'));
            std::array<std::vector<std::int32_t>, 3> parts;
            std::size_t part = 0;
            Words numbers{its};
            while (!numbers.done()) {
                const auto rank = numbers.rank();
                if (!rank) return;
                parts[part].push_back(*rank);
                if (numbers.skip("/")) continue;
                if (!numbers.done() && (!numbers.skip("->") || ++part == parts.size())) return;
            }
            // 2.4 writes the parent first.
            if (part == 2 && parts[0].size() == 1 && parts[2].size() > 1) std::swap(parts[0], parts[2]);
            if (part != 2 || parts[1].size() != 1 || parts[2].size() != 1 || parts[1][0] == nobody) return;
            TreeNode node{parts[2][0], std::move(parts[0])};
            std::erase(node.children, nobody);
            session.rank = parts[1][0];
            session.its.channels[static_cast<std::int32_t>(*channel)].tree[session.rank] = std::move(node);
        }
    }

    /// Of a ring, or of a connection.
    void channelLine(Session& session, string_view message) {
        Words words{message};
        const bool ring = words.word() == "Ring";
        const auto number = words.number();
        if (!number || *number < 0 || *number >= mostChannels) return;
        const auto channelNumber = static_cast<std::int32_t>(*number);
        if (words.skip("/")) (void)words.number();
        if (!words.skip(":")) return;
        std::vector<std::int32_t> ranks;
        bool arrows = false, cut = false;
        while (const auto rank = words.rank()) {
            ranks.push_back(*rank);
            words.skipBracket();
            if (words.skip("->")) arrows = true;
            else if (arrows) break;
        }
        if (!arrows) {
            if (ring || ranks.empty()) return;
            // "..." stands for the rest, and may cut a number.
            if (words.skip("...")) {
                cut = true;
                if (words.rest().empty() && !ranks.empty() && !message.ends_with(" ...")) ranks.pop_back();
            } else if (!words.done()) {
                return;
            }
            Channel& its = session.its.channels[channelNumber];
            its.order = std::move(ranks);
            its.cut = cut;
        } else if (ring && ranks.size() == 3 && words.done()) {
            session.its.channels[channelNumber].ring[ranks[1]] = {ranks[0], ranks[2]};
        } else if (ranks.size() == 2) {
            if (words.skip("[send]") || words.skip("[receive]")) (void)words.done();
            if (!words.skip("via")) return;
            std::string via{words.word()};
            if (session.ranks == 0 && session.empty()) later_.push_back({session.process, ranks[0], ranks[1], via});
            else session.its.connections.emplace(std::pair{ranks[0], ranks[1]}, std::move(via));
        }
    }

    void commLine(Session& session, string_view message) {
        if (message.find(": opCount ") != string_view::npos) return call(session, message);
        const auto rank = wholeNumber(Words::behind(message, " rank "));
        auto ranks = wholeNumber(Words::behind(message, " nranks "));
        if (!ranks) ranks = wholeNumber(Words::behind(message, " nRanks "));
        if (!rank || !ranks || *ranks < 1 || *ranks > mostRanks || *rank < 0 || *rank >= *ranks) return;
        if (message.find("Destroy") != string_view::npos || message.find("Abort") != string_view::npos) return;
        const bool start = message.ends_with("Init START");
        // A session that did not complete.
        if (start && !session.empty()) {
            assign(session);
            session = {.host = session.host, .process = session.process};
        }
        session.rank = static_cast<std::int32_t>(*rank);
        session.ranks = static_cast<std::int32_t>(*ranks);
        session.handle = Words::behind(message, "comm ");
        if (const string_view id = Words::behind(message, "commId "); !id.empty()) session.its.id = id;
        if (message.find("Init COMPLETE") == string_view::npos) return;
        assign(session);
        session = {.host = session.host, .process = session.process};
    }

    void call(const Session& session, string_view message) {
        const auto count = wholeNumber(Words::behind(message, " count "));
        const auto datatype = wholeNumber(Words::behind(message, " datatype "));
        const auto ranks = wholeNumber(Words::behind(message, "[nranks="));
        const string_view operation = message.substr(0, message.find(": opCount"));
        if (!count || !datatype || *datatype < 0 || std::cmp_greater_equal(*datatype, datatypeBytes.size()) ||
            *count < 0 || *count > std::int64_t{1} << 50 || operation.size() > 64)
            return;
        const engine::Bytes bytes = *count * datatypeBytes[static_cast<std::size_t>(*datatype)];
        const Call its{session.process, std::string{Words::behind(message, " comm ")}, std::string{operation}, bytes,
                       ranks ? static_cast<std::int32_t>(std::min<std::int64_t>(*ranks, mostRanks)) : 0};
        const auto [place, added] = known_.try_emplace({its.process, its.handle, its.operation, bytes}, calls_.size());
        if (added) calls_.push_back(its);
        ++calls_[place->second].lines;
    }

    void choice(string_view message) {
        Words words{message};
        Choice its;
        if (const std::size_t colon = message.find(": ");
            colon != string_view::npos && colon < message.find(" Bytes")) {
            its.operation = message.substr(0, colon);
            words = Words{message.substr(colon + 2)};
        }
        const auto bytes = words.number();
        if (!bytes || *bytes < 0 || !words.skip("Bytes") || !words.skip("->") || !words.skip("Algo")) return;
        its.bytes = *bytes;
        its.algorithm =
            named(words.word(), {"TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"});
        if (!words.skip("proto")) return;
        its.protocol = named(words.word(), {"LL", "LL128", "SIMPLE"});
        if (words.skip("channel{Lo..Hi}={")) {
            const auto low = words.number();
            const auto high = words.skip("..") ? words.number() : std::nullopt;
            if (low && high && *low >= 0 && *high < mostChannels)
                its.firstChannel = static_cast<std::int32_t>(*low), its.lastChannel = static_cast<std::int32_t>(*high);
        }
        ++log_.choices[its];
    }

    /// Adds a session to its communicator.
    void assign(Session& session) {
        if (session.empty()) return;
        const auto fits = [&](const Communicator& one) {
            if (!session.its.id.empty() || !one.id.empty()) return one.id == session.its.id;
            // Without ids the k-th communicator of a rank joins the k-th of the others.
            return (one.ranks == session.ranks || one.ranks == 0 || session.ranks == 0) &&
                   (session.rank == nobody || !one.seen.contains(session.rank));
        };
        auto at = std::find_if(log_.communicators.begin(), log_.communicators.end(), fits);
        if (at == log_.communicators.end()) {
            log_.communicators.push_back({.id = session.its.id, .ranks = session.ranks});
            at = std::prev(log_.communicators.end());
        }
        if (session.ranks > 0) at->ranks = session.ranks;
        if (session.rank != nobody) {
            at->seen.insert(session.rank);
            if (!session.host.empty()) at->hosts[session.rank] = session.host;
        }
        const auto place = static_cast<std::size_t>(at - log_.communicators.begin());
        if (!session.handle.empty()) handles_[{session.process, session.handle}] = place;
        ofProcess_[session.process].insert(place);
        for (auto& [number, channel] : session.its.channels) {
            Channel& its = at->channels[number];
            if (!channel.order.empty()) its.order = std::move(channel.order), its.cut = channel.cut;
            its.ring.merge(channel.ring);
            its.tree.merge(channel.tree);
        }
        at->connections.merge(session.its.connections);
        at->topology.merge(session.its.topology);
    }

    Communicator* onlyOf(const std::string& process) {
        const auto its = ofProcess_.find(process);
        if (its == ofProcess_.end()) return log_.communicators.size() == 1 ? &log_.communicators[0] : nullptr;
        return its->second.size() == 1 ? &log_.communicators[*its->second.begin()] : nullptr;
    }
    Communicator* onlyWith(std::int32_t ranks) {
        Communicator* found = nullptr;
        for (Communicator& one : log_.communicators)
            if (one.ranks == ranks) {
                if (found != nullptr) return nullptr;
                found = &one;
            }
        if (found != nullptr || !log_.communicators.empty()) return found;
        log_.communicators.push_back({.ranks = ranks});
        return &log_.communicators.back();
    }

    struct Later {
        std::string process;
        std::int32_t from, to;
        std::string via;
    };
    struct Call {
        std::string process, handle, operation;
        engine::Bytes bytes = 0;
        std::int32_t ranks = 0;
        std::int64_t lines = 0;
    };

    Log log_;
    std::map<std::string, Session> sessions_;  ///< by thread
    std::map<std::pair<std::string, std::string>, std::size_t> handles_;
    std::map<std::string, std::set<std::size_t>> ofProcess_;
    std::vector<Later> later_;  ///< connections that were made after initialisation
    std::vector<Call> calls_;
    std::map<std::tuple<std::string, std::string, std::string, engine::Bytes>, std::size_t> known_;
};

bool holdsMark(const fs::path& file) {
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) return false;
    std::ifstream in{file, std::ios::binary};
    std::string head(std::size_t{1} << 20, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    return head.find(mark) != std::string::npos;
}

std::vector<fs::path> filesOf(const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_directory(path, unknown)) return {path};
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator{path, unknown})
        if (holdsMark(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

bool isLog(const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_directory(path, unknown)) return holdsMark(path);
    for (const fs::directory_entry& entry : fs::directory_iterator{path, unknown})
        if (entry.path().extension() == ".otf2") return false;
    return !filesOf(path).empty();
}

Log readLog(const fs::path& path) {
    Reader reader;
    for (const fs::path& file : filesOf(path)) {
        std::ifstream in{file, std::ios::binary};
        if (!in) throw engine::Error{engine::text(file.string(), ": the file cannot be read")};
        for (std::string line; std::getline(in, line);)
            if (line.size() <= longestLine) reader.line(line);
    }
    Log log = reader.finish();
    if (log.communicators.empty() && log.choices.empty())
        throw engine::Error{
            engine::text(path.string(),
                         ": no rings, trees or collectives of NCCL in it; record it with NCCL_DEBUG=INFO, and without "
                         "NCCL_DEBUG_SUBSYS or with INIT,GRAPH,TUNING,COLL")};
    return log;
}

}  // namespace traces::nccl
