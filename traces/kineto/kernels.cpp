// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/kernels.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace traces::kineto {

namespace {

struct Named {
    std::string_view word;  ///< small letters and digits alone
    Operation operation;
    Call call;
    std::string_view name;
};

/// By what PyTorch, NCCL and Gloo call them.
constexpr auto operations = std::to_array<Named>({
    {"allreduce", Operation::allreduce, Call::collective, "all_reduce"},
    {"allreducecoalesced", Operation::allreduce, Call::collective, "all_reduce"},
    {"allreducesparse", Operation::unknown, Call::collective, "all_reduce_sparse"},
    {"allreducewithbias", Operation::allreduce, Call::collective, "all_reduce"},
    {"broadcast", Operation::bcast, Call::collective, "broadcast"},
    {"broadcastoop", Operation::bcast, Call::collective, "broadcast"},
    {"reduce", Operation::reduce, Call::collective, "reduce"},
    {"reduceoop", Operation::reduce, Call::collective, "reduce"},
    {"allgather", Operation::allgather, Call::collective, "all_gather"},
    {"allgatherbase", Operation::allgather, Call::collective, "all_gather"},
    {"allgathercoalesced", Operation::allgather, Call::collective, "all_gather"},
    {"allgatherintotensor", Operation::allgather, Call::collective, "all_gather"},
    {"allgatherintotensorcoalesced", Operation::allgather, Call::collective, "all_gather"},
    {"allgatherv", Operation::allgatherv, Call::collective, "all_gather (uneven)"},
    {"reducescatter", Operation::reduceScatterBlock, Call::collective, "reduce_scatter"},
    {"reducescatterbase", Operation::reduceScatterBlock, Call::collective, "reduce_scatter"},
    {"reducescattertensor", Operation::reduceScatterBlock, Call::collective, "reduce_scatter"},
    {"reducescattertensorcoalesced", Operation::reduceScatterBlock, Call::collective, "reduce_scatter"},
    {"reducescatterv", Operation::reduceScatter, Call::collective, "reduce_scatter (uneven)"},
    {"alltoall", Operation::alltoall, Call::collective, "all_to_all"},
    {"alltoallbase", Operation::alltoall, Call::collective, "all_to_all"},
    {"alltoallpivot", Operation::alltoall, Call::collective, "all_to_all"},
    {"alltoallv", Operation::alltoallv, Call::collective, "all_to_all (uneven)"},
    {"gather", Operation::gather, Call::collective, "gather"},
    {"scatter", Operation::scatter, Call::collective, "scatter"},
    {"barrier", Operation::barrier, Call::collective, "barrier"},
    {"send", Operation::unknown, Call::send, "send"},
    {"isend", Operation::unknown, Call::send, "send"},
    {"recv", Operation::unknown, Call::receive, "recv"},
    {"irecv", Operation::unknown, Call::receive, "recv"},
    {"recvanysource", Operation::unknown, Call::receive, "recv"},
    {"sendrecv", Operation::unknown, Call::sendReceive, "SendRecv"},
});

std::string plain(std::string_view name) {
    std::string letters;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

std::string upper(std::string_view word) {
    std::string letters;
    for (const char c : word) letters += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return letters;
}

constexpr auto algorithms = std::to_array<std::string_view>(
    {"RING", "TREE", "COLLNET", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"});
constexpr auto protocols = std::to_array<std::string_view>({"LL", "LL128", "SIMPLE"});

template <std::size_t count>
bool isOneOf(const std::string& word, const std::array<std::string_view, count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The longest of the words that the name ends with, whatever its letters' case, which is taken off; empty: none.
template <std::size_t count>
std::string_view takenFromEnd(std::string_view& name, const std::array<std::string_view, count>& words) {
    const std::string letters = upper(name);
    std::string_view longest;
    for (const std::string_view word : words)
        if (word.size() > longest.size() && letters.ends_with(word)) longest = word;
    name.remove_suffix(longest.size());
    return longest;
}

}  // namespace

std::optional<Communication> communicationNamed(std::string_view name) {
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
    // "send 0->1", "recv 1<-0"
    const std::string letters = plain(name.substr(0, name.find(' ')));
    for (const Named& one : operations)
        if (one.word == letters) return Communication{one.operation, one.call, std::string{one.name}, true};
    return std::nullopt;
}

std::optional<CommunicationKernel> communicationKernel(std::string_view name) {
    const std::string_view whole = name.substr(0, name.find_first_of("(<"));
    const std::size_t kernel = std::min(whole.find("Kernel"), whole.find("kernel"));
    const std::size_t library = whole.starts_with("msccl") ? 5 : 4;
    if (kernel == std::string_view::npos || kernel < library ||
        !(library == 5 || whole.starts_with("nccl") || whole.starts_with("rccl")))
        return std::nullopt;
    CommunicationKernel found{{Operation::unknown, Call::collective, std::string{whole}, false}, {}};
    std::string_view before = whole.substr(library, kernel - library);
    if (!before.empty() && !before.ends_with("Dev")) {
        found.ran.protocol = takenFromEnd(before, protocols);
        found.ran.algorithm = takenFromEnd(before, algorithms);
        if (auto does = communicationNamed(before)) found.does = *std::move(does);
        return found;
    }
    std::string_view rest = whole.substr(kernel + 6);
    bool first = true;
    while (!rest.empty()) {
        if (rest.front() == '_') rest.remove_prefix(1);
        const std::size_t end = std::min(rest.find('_'), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(end);
        if (word.empty()) continue;
        if (first) {
            if (auto does = communicationNamed(word)) found.does = *std::move(does);
            first = false;
            continue;
        }
        // Sends and receives go along no ring, though their kernel is called so.
        if (found.does.call == Call::sendReceive) break;
        const std::string letters = upper(word);
        if (const std::string both = found.ran.algorithm + '_' + letters; isOneOf(both, algorithms))
            found.ran.algorithm = both;
        else if (isOneOf(letters, algorithms)) found.ran.algorithm = letters;
        else if (isOneOf(letters, protocols)) found.ran.protocol = letters;
    }
    return found;
}

Bytes elementBytes(std::string_view type) {
    struct Size {
        std::string_view word;
        Bytes bytes;
    };
    constexpr auto sizes = std::to_array<Size>({
        {"float", 4},          {"float32", 4},      {"int", 4},        {"int32", 4},
        {"uint32", 4},         {"double", 8},       {"float64", 8},    {"long", 8},
        {"int64", 8},          {"uint64", 8},       {"half", 2},       {"float16", 2},
        {"bfloat16", 2},       {"short", 2},        {"int16", 2},      {"uint16", 2},
        {"byte", 1},           {"char", 1},         {"bool", 1},       {"uint8", 1},
        {"int8", 1},           {"complexfloat", 8}, {"complex64", 8},  {"complexdouble", 16},
        {"complex128", 16},    {"unsignedchar", 1}, {"signedchar", 1}, {"longint", 8},
        {"shortint", 2},       {"float8e4m3fn", 1}, {"float8e5m2", 1}, {"float8e4m3fnuz", 1},
        {"float8e5m2fnuz", 1}, {"c10bfloat16", 2},  {"c10half", 2},
    });
    const std::string letters = plain(type);
    for (const Size& one : sizes)
        if (one.word == letters) return one.bytes;
    return 0;
}

std::string shortName(std::string_view kernel) {
    std::string_view name = kernel;
    if (name.starts_with("void ")) name.remove_prefix(5);
    // "(anonymous namespace)" is a part of names.
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    std::string result;
    while (!name.empty()) {
        if (name.starts_with(unnamed)) {
            name.remove_prefix(unnamed.size());
            continue;
        }
        if (name.front() == '<' || name.front() == '(') break;
        result += name.front();
        name.remove_prefix(1);
    }
    while (!result.empty() && result.back() == ' ') result.pop_back();
    return result.empty() ? std::string{kernel} : result;
}

}  // namespace traces::kineto
