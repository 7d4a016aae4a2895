// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/profile.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/kineto/kernels.hpp"
#include "traces/kineto/source.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#define RAPIDJSON_HAS_STDSTRING 0
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

namespace traces::kineto {

/// How many of the first bytes belong to a string as they stand: up to its end, an escape or a control character.
static std::size_t plainBytes(std::string_view bytes) {
    constexpr std::uint64_t ones = 0x0101010101010101U, tops = 0x8080808080808080U;
    const auto hasZero = [](std::uint64_t word) { return (word - ones) & ~word & tops; };
    std::size_t at = 0;
    for (std::uint64_t word = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
        std::memcpy(&word, bytes.data() + at, sizeof word);
        const std::uint64_t others =
            hasZero(word ^ (ones * '"')) | hasZero(word ^ (ones * '\\')) | ((word - ones * ' ') & ~word & tops);
        if (others == 0) continue;
        // The lowest of these bits is right: a borrow changes those above it alone.
        if constexpr (std::endian::native == std::endian::little)
            return at + static_cast<std::size_t>(std::countr_zero(others)) / 8;
        break;
    }
    const auto isPlain = [](char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= ' '; };
    while (at < bytes.size() && isPlain(bytes[at])) ++at;
    return at;
}

/// Of what one word of a trace may have; compressed, a few bytes may be gigabytes of one.
constexpr std::size_t longestWord = std::size_t{1} << 24U, longestNumber = 1024;

/// How many of the first bytes are a number without an exponent; 0 where there is none, or it may go on.
static std::size_t numberBytes(std::string_view bytes) {
    std::size_t at = bytes.starts_with('-') ? 1 : 0;
    const auto digits = [&] {
        const std::size_t first = at;
        while (at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9') ++at;
        return at - first;
    };
    const std::size_t first = at, whole = digits();
    if (whole == 0 || (whole > 1 && bytes[first] == '0')) return 0;
    if (at < bytes.size() && bytes[at] == '.') {
        ++at;
        if (digits() == 0) return 0;
    }
    if (at == bytes.size()) return 0;
    const char next = bytes[at];
    return next == ',' || next == '}' || next == ']' || next == '\n' || next == ' ' || next == '\r' ? at : 0;
}

}  // namespace traces::kineto

namespace rapidjson {

// RapidJSON looks at the bytes one by one else.
template <>
inline void SkipWhitespace(traces::kineto::Source& source) {
    source.skipSpaces();
}

template <>
template <>
inline void Reader::ScanCopyUnescapedString(traces::kineto::Source& source, Reader::StackStream<char>& out) {
    for (;;) {
        const std::string_view bytes = source.atHand();
        const std::size_t plain = traces::kineto::plainBytes(bytes);
        if (out.Length() > traces::kineto::longestWord)
            return source.stop(
                engine::text("has a string of more than ", engine::showBytes(traces::kineto::longestWord)));
        if (plain == 0) return;
        std::memcpy(out.Push(static_cast<SizeType>(plain)), bytes.data(), plain);
        source.pass(plain);
        if (plain < bytes.size()) return;
    }
}

}  // namespace rapidjson

namespace traces::kineto {

using engine::Error;
using engine::text;

namespace {

constexpr std::int64_t latest = std::int64_t{4'000'000'000} * 1'000'000'000;  ///< ns; the year 2096
constexpr std::size_t deepest = 200;

/// The microseconds that a number says, in ns; nothing where it is none or out of range.
std::optional<std::int64_t> nanoseconds(std::string_view number) {
    std::int64_t whole = 0, part = 0;
    std::size_t at = 0;
    const bool negative = !number.empty() && number[0] == '-';
    if (negative) ++at;
    const std::size_t digits = at;
    for (; at < number.size() && number[at] >= '0' && number[at] <= '9'; ++at) {
        if (whole > latest / 1000) return std::nullopt;
        whole = whole * 10 + (number[at] - '0');
    }
    if (at == digits || whole > latest / 1000) return std::nullopt;
    if (at < number.size() && number[at] == '.') {
        std::int64_t unit = 100;
        for (++at; at < number.size() && number[at] >= '0' && number[at] <= '9'; ++at, unit /= 10)
            part += unit * (number[at] - '0');
    }
    if (at != number.size()) {
        // With an exponent, as Python writes large and small ones.
        double value = 0;
        const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (fault != std::errc{} || end != number.data() + number.size()) return std::nullopt;
        const double ns = value * 1000;
        if (!(std::abs(ns) <= static_cast<double>(latest))) return std::nullopt;
        return std::llround(ns);
    }
    const std::int64_t ns = whole * 1000 + part;
    if (ns > latest) return std::nullopt;
    return negative ? -ns : ns;
}

std::optional<std::int64_t> integer(std::string_view number) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (fault != std::errc{}) return std::nullopt;
    return value;
}

/// The ranks in "[0, 1, 2]"; `cut` where dots stand for more, or a number is no rank.
std::vector<std::int32_t> ranksIn(std::string_view words, bool& cut) {
    std::vector<std::int32_t> ranks;
    cut = words.find("...") != std::string_view::npos;
    for (std::size_t i = 0; i < words.size();) {
        std::int64_t value = 0;
        const auto [end, fault] = std::from_chars(words.data() + i, words.data() + words.size(), value);
        if (fault == std::errc::invalid_argument) {
            ++i;
            continue;
        }
        if (fault == std::errc{} && value >= 0 && value < mostRanks) ranks.push_back(static_cast<std::int32_t>(value));
        else cut = true;
        i = static_cast<std::size_t>(end - words.data());
    }
    return ranks;
}

class Interned {
public:
    std::int32_t operator()(std::string_view word, std::vector<std::string>& words) {
        const auto known = places_.find(word);
        if (known != places_.end()) return known->second;
        const auto place = static_cast<std::int32_t>(words.size());
        words.emplace_back(word);
        places_.emplace(std::string{word}, place);
        return place;
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
    };
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> places_;
};

/// Compares a number of bytes that the compiler knows, without a call.
template <std::size_t size>
bool is(std::string_view word, const char (&known)[size]) {  // NOLINT: literals are arrays
    return word.size() == size - 1 && std::memcmp(word.data(), known, size - 1) == 0;
}

std::optional<Kind> kindOf(std::string_view category) {
    if (is(category, "cpu_op") || is(category, "Operator")) return Kind::operation;
    if (is(category, "kernel") || is(category, "Kernel")) return Kind::kernel;
    if (is(category, "cuda_runtime") || is(category, "cuda_driver") || is(category, "Runtime") ||
        is(category, "hip_runtime") || is(category, "xpu_runtime") || is(category, "privateuse1_runtime") ||
        is(category, "privateuse1_driver"))
        return Kind::runtime;
    if (is(category, "user_annotation")) return Kind::annotation;
    if (is(category, "python_function")) return Kind::python;
    if (is(category, "gpu_memcpy") || is(category, "Memcpy")) return Kind::copy;
    if (is(category, "gpu_memset") || is(category, "Memset")) return Kind::fill;
    if (is(category, "cuda_sync")) return Kind::wait;
    return std::nullopt;
}

/// Takes what RapidJSON reads.
class Taker {
public:
    Taker(Profile& profile, const engine::Progress& progress, const Source& source, std::atomic<std::uint64_t>& loaded)
        : profile_{profile}, progress_{progress}, source_{source}, loaded_{loaded} {}

    // What RapidJSON calls; false ends the reading.
    bool Null() { return true; }
    bool Bool(bool) { return true; }
    bool Int(int) { return true; }
    bool Uint(unsigned) { return true; }
    bool Int64(std::int64_t) { return true; }
    bool Uint64(std::uint64_t) { return true; }
    bool Double(double) { return true; }  // NaN and infinities alone: all others come as RawNumber
    bool RawNumber(const char* number, rapidjson::SizeType length, bool) {
        const std::string_view value{number, length};
        switch (where_.back()) {
            case Where::event: eventNumber(value); break;
            case Where::args: argsNumber(value); break;
            case Where::list: listNumber(value); break;
            case Where::root:
                if (key_ == "baseTimeNanoseconds")
                    if (const std::int64_t base = integer(value).value_or(0); base >= 0 && base < latest) base_ = base;
                break;
            case Where::info:
                if (key_ == "rank") profile_.rank = integer(value).value_or(-1);
                else if (key_ == "world_size") profile_.worldSize = integer(value).value_or(-1);
                break;
            case Where::ranks:
                if (const auto rank = integer(value);
                    rank && *rank >= 0 && *rank < mostRanks && !profile_.groups.empty())
                    profile_.groups.back().ranks.push_back(static_cast<std::int32_t>(*rank));
                break;
            default: break;
        }
        return true;
    }
    bool String(const char* word, rapidjson::SizeType length, bool) {
        const std::string_view value{word, length};
        switch (where_.back()) {
            case Where::event: eventWord(value); break;
            case Where::args: argsWord(value); break;
            case Where::list:
                if (arg_ == Arg::inputType && facts_.elementType.empty()) facts_.elementType = value;
                break;
            case Where::root:
                if (key_ == "distributedInfo") infoWords(value);
                break;
            case Where::group:
                if (key_ == "pg_name") profile_.groups.back().name = value;
                else if (key_ == "pg_desc") profile_.groups.back().description = value;
                else if (key_ == "ranks") {
                    bool cut = false;
                    profile_.groups.back().ranks = ranksIn(value, cut);
                    if (cut) profile_.groups.back().ranks.clear();
                }
                break;
            default: break;
        }
        return true;
    }
    bool Key(const char* word, rapidjson::SizeType length, bool) {
        const std::string_view key{word, length};
        switch (where_.back()) {
            case Where::event: field_ = fieldOf(key); break;
            case Where::args: arg_ = argOf(key); break;
            case Where::root:
            case Where::info:
            case Where::group: key_ = key; break;
            default: break;
        }
        return true;
    }
    bool StartObject() {
        switch (where_.back()) {
            case Where::outside: return enter(Where::root);
            case Where::events: beginEvent(); return enter(Where::event);
            case Where::event: return enter(field_ == Field::args ? Where::args : Where::other);
            case Where::root: return enter(key_ == "distributedInfo" ? Where::info : Where::other);
            case Where::groups: profile_.groups.emplace_back(); return enter(Where::group);
            default: return enter(Where::other);
        }
    }
    bool EndObject(rapidjson::SizeType) {
        if (where_.back() == Where::event) endEvent();
        where_.pop_back();
        return true;
    }
    bool StartArray() {
        switch (where_.back()) {
            case Where::outside: sawEvents_ = true; return enter(Where::events);  // Chrome's other form
            case Where::root:
                if (key_ == "traceEvents") {
                    sawEvents_ = true;
                    return enter(Where::events);
                }
                return enter(Where::other);
            case Where::args: return enter(Where::list);
            case Where::list: return enter(Where::list);
            case Where::info: return enter(key_ == "pg_config" ? Where::groups : Where::other);
            case Where::group: return enter(key_ == "ranks" ? Where::ranks : Where::other);
            default: return enter(Where::other);
        }
    }
    bool EndArray(rapidjson::SizeType) {
        if (where_.back() == Where::list && where_[where_.size() - 2] == Where::list && arg_ == Arg::inputDims)
            dimsDone_ = dims_ > 0;
        where_.pop_back();
        return true;
    }

    [[nodiscard]] bool sawEvents() const { return sawEvents_; }
    [[nodiscard]] bool tooDeep() const { return where_.size() > deepest; }
    void finish() {
        profile_.passedOver += static_cast<std::int64_t>(
            std::erase_if(profile_.activities, [&](const Activity& one) { return one.end > latest - base_; }));
        for (Activity& one : profile_.activities) one.begin += base_, one.end += base_;
        for (Lane& one : profile_.lanes)
            if (const auto named = threadNames_.find({one.process, one.thread}); named != threadNames_.end())
                one.name = named->second;
    }

private:
    enum class Where : std::uint8_t { outside, root, events, event, args, list, info, groups, group, ranks, other };
    enum class Field : std::uint8_t { other, phase, category, name, process, thread, begin, duration, args };
    enum class Arg : std::uint8_t {
        other,
        name,
        correlation,
        device,
        stream,
        collective,
        in,
        out,
        size,
        elementType,
        group,
        description,
        ranks,
        start,
        stride,
        sequence,
        inputDims,
        inputType,
        producer,
        recordedBy
    };

    bool enter(Where where) {
        where_.push_back(where);
        return where_.size() <= deepest;
    }

    static Field fieldOf(std::string_view key) {
        switch (key.size()) {
            case 2: return is(key, "ph") ? Field::phase : is(key, "ts") ? Field::begin : Field::other;
            case 3:
                return is(key, "cat")   ? Field::category
                       : is(key, "pid") ? Field::process
                       : is(key, "tid") ? Field::thread
                       : is(key, "dur") ? Field::duration
                                        : Field::other;
            case 4: return is(key, "name") ? Field::name : is(key, "args") ? Field::args : Field::other;
            default: return Field::other;
        }
    }

    static Arg argOf(std::string_view key) {
        switch (key.size()) {
            case 3: return is(key, "Seq") ? Arg::sequence : Arg::other;
            case 4: return is(key, "name") ? Arg::name : Arg::other;
            case 5: return is(key, "dtype") ? Arg::elementType : Arg::other;
            case 6: return is(key, "device") ? Arg::device : is(key, "stream") ? Arg::stream : Arg::other;
            case 10:
                return is(key, "Group size")   ? Arg::size
                       : is(key, "Input Dims") ? Arg::inputDims
                       : is(key, "Input type") ? Arg::inputType
                                               : Arg::other;
            case 11: return is(key, "correlation") ? Arg::correlation : Arg::other;
            case 13: return is(key, "In msg nelems") ? Arg::in : Arg::other;
            case 14:
                return is(key, "Out msg nelems") ? Arg::out : is(key, "wait_on_stream") ? Arg::producer : Arg::other;
            case 15: return is(key, "Collective name") ? Arg::collective : Arg::other;
            case 17: return is(key, "Global rank start") ? Arg::start : Arg::other;
            case 18:
                return is(key, "Process Group Name")   ? Arg::group
                       : is(key, "Global rank stride") ? Arg::stride
                                                       : Arg::other;
            case 19: return is(key, "Process Group Ranks") ? Arg::ranks : Arg::other;
            case 25: return is(key, "Process Group Description") ? Arg::description : Arg::other;
            case 33: return is(key, "wait_on_cuda_event_record_corr_id") ? Arg::recordedBy : Arg::other;
            default: return Arg::other;
        }
    }

    void beginEvent() {
        phase_ = 0;
        kind_.reset();
        name_.clear();
        process_.reset(), thread_.reset(), begin_.reset(), duration_.reset();
        device_.reset(), stream_.reset();
        correlation_ = -1;
        producer_.reset(), recordedBy_.reset();
        // "Input type" alone stands with all operations.
        if (hasFacts_ || !facts_.elementType.empty()) facts_ = {};
        hasFacts_ = false;
        argName_.clear();
        dims_ = -1;
        dimsDone_ = false;
        field_ = Field::other;
        arg_ = Arg::other;
    }

    void eventNumber(std::string_view value) {
        switch (field_) {
            case Field::begin: begin_ = nanoseconds(value); break;
            case Field::duration: duration_ = nanoseconds(value); break;
            case Field::process: process_ = integer(value); break;
            case Field::thread: thread_ = integer(value); break;
            default: break;
        }
    }

    void eventWord(std::string_view value) {
        switch (field_) {
            case Field::phase: phase_ = value.empty() ? '\0' : value[0]; break;
            case Field::category: kind_ = kindOf(value); break;
            case Field::name: name_ = value; break;
            // "stream 7" and "Spans": of older and of foreign ones.
            case Field::process: process_ = integer(value); break;
            case Field::thread: thread_ = numberBehind(value); break;
            case Field::begin: begin_ = nanoseconds(value); break;
            case Field::duration: duration_ = nanoseconds(value); break;
            default: break;
        }
    }

    static std::optional<std::int64_t> numberBehind(std::string_view words) {
        const std::size_t digits = words.find_first_of("0123456789");
        return digits == std::string_view::npos ? std::nullopt : integer(words.substr(digits));
    }

    void fact(std::int64_t CollectiveFacts::*what, std::string_view value,
              std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
        const auto number = integer(value);
        if (!number || *number < 0 || *number > most) return;
        facts_.*what = *number;
        hasFacts_ = true;
    }

    void argsNumber(std::string_view value) {
        switch (arg_) {
            case Arg::correlation: correlation_ = integer(value).value_or(-1); break;
            case Arg::device: device_ = integer(value); break;
            case Arg::stream: stream_ = integer(value); break;
            case Arg::producer: producer_ = integer(value); break;
            case Arg::recordedBy: recordedBy_ = integer(value); break;
            case Arg::in: fact(&CollectiveFacts::in, value, mostElements); break;
            case Arg::out: fact(&CollectiveFacts::out, value, mostElements); break;
            case Arg::size: fact(&CollectiveFacts::size, value); break;
            case Arg::start: fact(&CollectiveFacts::start, value); break;
            case Arg::stride: fact(&CollectiveFacts::stride, value); break;
            case Arg::sequence: fact(&CollectiveFacts::sequence, value); break;
            case Arg::group: facts_.group = value, hasFacts_ = true; break;
            default: break;
        }
    }

    void argsWord(std::string_view value) {
        switch (arg_) {
            case Arg::name: argName_ = value; break;
            case Arg::collective: facts_.name = value, hasFacts_ = true; break;
            case Arg::elementType: facts_.elementType = value, hasFacts_ = true; break;
            case Arg::group: facts_.group = value, hasFacts_ = true; break;
            case Arg::description: facts_.description = value, hasFacts_ = true; break;
            case Arg::ranks:
                facts_.ranks = ranksIn(value, facts_.ranksCut);
                hasFacts_ = true;
                break;
            // A few versions write all of them as words.
            default: argsNumber(value);
        }
    }

    void listNumber(std::string_view value) {
        if (arg_ == Arg::ranks) {
            if (const auto rank = integer(value); rank && *rank >= 0 && *rank < mostRanks)
                facts_.ranks.push_back(static_cast<std::int32_t>(*rank)), hasFacts_ = true;
            else facts_.ranksCut = true;
        } else if (arg_ == Arg::inputDims && !dimsDone_) {
            // Of more elements than can be, as of none, the number counts as not recorded.
            const std::int64_t length = integer(value).value_or(0), before = dims_ < 0 ? 1 : dims_;
            dims_ = length > 0 && before <= mostElements / length ? before * length : 0;
        }
    }

    /// Some tools make one string of Python of what Kineto writes.
    void infoWords(std::string_view words) {
        const auto numberOf = [&](std::string_view key) -> std::int64_t {
            const std::size_t at = words.find(key);
            if (at == std::string_view::npos) return -1;
            std::string_view rest = words.substr(at + key.size());
            rest.remove_prefix(std::min(rest.find_first_not_of("'\": "), rest.size()));
            return integer(rest).value_or(-1);
        };
        profile_.rank = numberOf("'rank'");
        profile_.worldSize = numberOf("'world_size'");
    }

    void endEvent() {
        if ((++count_ & 0xfffU) == 0) {
            if (progress_.stop.stop_requested()) throw engine::Cancelled{};
            const std::uint64_t now = source_.consumed();
            loaded_ += now - reported_;
            reported_ = now;
        }
        if (phase_ == 'M') {
            if (name_ == "thread_name" && process_ && thread_) threadNames_[{*process_, *thread_}] = argName_;
            return;
        }
        if (phase_ != 'X' || !kind_) return;
        if (*kind_ == Kind::wait) {
            const bool isKnown =
                device_ && stream_ && correlation_ >= 0 && producer_ && recordedBy_ && *recordedBy_ >= 0;
            if (isKnown) profile_.waits.push_back({*device_, *stream_, correlation_, *producer_, *recordedBy_});
            return;
        }
        if (isOfAccelerator(*kind_)) {
            if (device_) process_ = device_;
            if (stream_) thread_ = stream_;
        }
        if (!process_ || !thread_ || !begin_ || !duration_ || *duration_ < 0 ||
            *duration_ > latest - std::max<std::int64_t>(*begin_, 0)) {
            ++profile_.passedOver;
            return;
        }
        Activity& one = profile_.activities.emplace_back();
        one.begin = *begin_;
        one.end = *begin_ + *duration_;
        one.correlation = correlation_;
        one.kind = *kind_;
        const bool isComms = one.kind == Kind::annotation && name_.find(':') != std::string::npos;
        one.name = names_(name_, profile_.names);
        one.lane = laneOf({*process_, *thread_, isOfAccelerator(one.kind), {}});
        if (isComms && dims_ > 0 && communicationNamed(name_)) {
            facts_.name = name_.substr(name_.find(':') + 1);
            facts_.in = dims_;
            hasFacts_ = true;
        }
        if (hasFacts_ && !facts_.name.empty()) {
            one.facts = static_cast<std::int32_t>(profile_.facts.size());
            profile_.facts.push_back(std::move(facts_));
        }
    }

    std::int32_t laneOf(Lane&& lane) {
        if (last_ >= 0) {
            const Lane& known = profile_.lanes[static_cast<std::size_t>(last_)];
            if (known.process == lane.process && known.thread == lane.thread && known.isStream == lane.isStream)
                return last_;
        }
        const auto [entry, isNew] = lanes_.try_emplace({lane.process, lane.thread, lane.isStream},
                                                       static_cast<std::int32_t>(profile_.lanes.size()));
        if (isNew) profile_.lanes.push_back(std::move(lane));
        return last_ = entry->second;
    }

    Profile& profile_;
    const engine::Progress& progress_;
    const Source& source_;
    std::atomic<std::uint64_t>& loaded_;
    std::uint64_t reported_ = 0;
    std::uint64_t count_ = 0;
    std::vector<Where> where_{Where::outside};
    std::string key_;
    bool sawEvents_ = false;
    std::int64_t base_ = 0;

    Field field_ = Field::other;
    Arg arg_ = Arg::other;
    char phase_ = 0;
    std::optional<Kind> kind_;
    std::string name_;
    std::optional<std::int64_t> process_, thread_, begin_, duration_, device_, stream_, producer_, recordedBy_;
    std::int64_t correlation_ = -1;
    CollectiveFacts facts_;
    bool hasFacts_ = false;
    std::string argName_;
    std::int64_t dims_ = -1;  ///< elements of the first of the inputs
    bool dimsDone_ = false;

    Interned names_;
    std::map<std::tuple<std::int64_t, std::int64_t, bool>, std::int32_t> lanes_;
    std::int32_t last_ = -1;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> threadNames_;
};

constexpr std::string_view isNone = "not a trace of the PyTorch profiler";
constexpr unsigned flags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag;

}  // namespace

}  // namespace traces::kineto

namespace rapidjson {

// Strings and numbers that lie in the buffer as they are need not be copied. RapidJSON reads the others; the flag makes
// its functions other ones than these, and has no effect where numbers are strings.
constexpr unsigned copying = traces::kineto::flags | kParseFullPrecisionFlag;

template <>
template <>
inline void Reader::ParseString<traces::kineto::flags>(traces::kineto::Source& source, traces::kineto::Taker& taker,
                                                       bool isKey) {
    const std::string_view bytes = source.atHand().substr(1);
    const std::size_t plain = traces::kineto::plainBytes(bytes);
    if (plain == bytes.size() || bytes[plain] != '"') return ParseString<copying>(source, taker, isKey);
    const auto length = static_cast<SizeType>(plain);
    (void)(isKey ? taker.Key(bytes.data(), length, true) : taker.String(bytes.data(), length, true));
    source.pass(plain + 2);
}

template <>
template <>
inline void Reader::ParseNumber<traces::kineto::flags>(traces::kineto::Source& source, traces::kineto::Taker& taker) {
    source.gather(traces::kineto::longestNumber);
    const std::string_view bytes = source.atHand();
    const std::size_t length = traces::kineto::numberBytes(bytes);
    if (length == 0 && bytes.size() >= traces::kineto::longestNumber &&
        bytes.substr(0, traces::kineto::longestNumber).find_first_not_of("+-.0123456789eE") == std::string_view::npos)
        source.stop(engine::text("has a number of more than ", traces::kineto::longestNumber, " digits"));
    if (length == 0) return ParseNumber<copying>(source, taker);
    (void)taker.RawNumber(bytes.data(), static_cast<SizeType>(length), true);
    source.pass(length);
}

}  // namespace rapidjson

namespace traces::kineto {

Profile readProfile(const std::filesystem::path& path, std::atomic<std::uint64_t>& loaded,
                    const engine::Progress& progress) {
    Profile profile;
    profile.path = path;
    // What is not used of it takes no memory; what grows is copied again and again.
    constexpr std::uint64_t leastEvent = 80;
    profile.activities.reserve(plainSize(path) / leastEvent);
    Source source{path};
    Taker taker{profile, progress, source, loaded};
    rapidjson::Reader reader;
    const rapidjson::ParseResult result = reader.Parse<flags>(source, taker);
    if (result.IsError()) {
        if (!source.damage().empty()) throw Error{text(path.string(), ": ", source.damage())};
        if (taker.tooDeep()) throw Error{text(path.string(), ": ", isNone, " (nested more than ", deepest, " deep)")};
        if (source.Peek() == '\0' && taker.sawEvents())
            throw Error{text(path.string(), " ends early, at byte ", result.Offset(),
                             ": the profiler had not written all of it; take the trace again, or leave the file out")};
        throw Error{text(path.string(), ": not valid json at byte ", result.Offset(), ": ",
                         rapidjson::GetParseError_En(result.Code()))};
    }
    if (!taker.sawEvents()) throw Error{text(path.string(), ": ", isNone, " (\"traceEvents\" is missing)")};
    taker.finish();
    if (profile.rank >= mostRanks || profile.worldSize > mostRanks)
        throw Error{text(path.string(), ": rank ", profile.rank, " of ", profile.worldSize,
                         " in distributedInfo: at most ", mostRanks, " ranks can be read")};
    return profile;
}

bool looksLikeProfile(const std::filesystem::path& path) {
    try {
        Source source{path};
        source.skipSpaces();
        return source.Peek() == '{' || source.Peek() == '[';
    } catch (const Error&) {
        return false;
    }
}

}  // namespace traces::kineto
