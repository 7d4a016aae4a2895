// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/interview.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Picoseconds;

/// The cells of a table by the names of their columns.
class Signposts {
public:
    explicit Signposts(const engine::Table& table) : table_{table} {}

    template <class Value>
    [[nodiscard]] std::optional<Value> in(std::size_t row, std::initializer_list<std::string_view> names) const {
        for (const std::string_view name : names) {
            const auto found = std::find_if(table_.columns.begin(), table_.columns.end(),
                                            [&](const engine::Column& column) { return column.name == name; });
            if (found == table_.columns.end()) continue;
            const auto column = static_cast<std::size_t>(found - table_.columns.begin());
            if (const auto* value = std::get_if<Value>(&table_.rows[row][column])) return *value;
        }
        return std::nullopt;
    }

private:
    const engine::Table& table_;
};

Place placeOf(Inquiry& inquiry, const engine::Table& table, std::size_t row) {
    const Signposts posts{table};
    Place place;
    const analysis::Instance* instance = nullptr;
    if (const auto number = posts.in<std::int64_t>(row, {"instance"}))
        instance = &inquiry.instances()[static_cast<std::size_t>(*number) - 1];
    // The instances themselves stand in the time of the trace, what happened within one in its own.
    const bool itself = table.name == "collectives";
    const auto begin = itself ? std::nullopt : posts.in<Picoseconds>(row, {"begin_s", "first_s"});
    if (begin) {
        place.begin = *begin + (instance ? instance->begin : Picoseconds{});
        if (const auto end = posts.in<Picoseconds>(row, {"end_s"})) place.end = std::max(*end, *begin);
        else if (const auto length = posts.in<Picoseconds>(row, {"duration_s"})) place.end = *place.begin + *length;
    } else if (instance) {
        place.begin = instance->begin;
        place.end = instance->end;
    }
    const auto rank = posts.in<std::int64_t>(row, {"rank", "origin", "from", "last"});
    if (rank) {
        const bool within = instance && !itself && static_cast<std::size_t>(*rank) < instance->ranks.size();
        place.rank =
            within ? instance->ranks[static_cast<std::size_t>(*rank)] : engine::Rank{static_cast<std::int32_t>(*rank)};
    }
    const auto round = posts.in<std::int64_t>(row, {"round", "planned_round", "peak_round"});
    if (round && inquiry.trace().own()) place.round = engine::Round{*round};
    return place;
}

}  // namespace

// An answer that was broken off may have left half of what it found out: then all is found out anew.
template <class Ask>
auto Interview::asked(const AnswerWish& wish, const engine::Progress& progress, Ask ask) {
    const std::lock_guard alone{mutex_};
    progress.at(0);
    try {
        if (!inquiry_ || !(inquiry_->wish() == wish)) inquiry_.emplace(trace_, wish, progress);
        else inquiry_->tell(progress);
        return ask(*inquiry_);
    } catch (...) {
        inquiry_.reset();
        throw;
    }
}

Answer Interview::ask(const Question& question, const AnswerWish& wish, const engine::Progress& progress) {
    return asked(wish, progress, [&](Inquiry& inquiry) {
        Answer answer{.table = answerTo(question, inquiry), .places = {}};
        answer.places.reserve(answer.table.rows.size());
        for (std::size_t row = 0; row < answer.table.rows.size(); ++row)
            answer.places.push_back(placeOf(inquiry, answer.table, row));
        return answer;
    });
}

std::vector<std::string> Interview::summary(const AnswerWish& wish, const engine::Progress& progress) {
    return asked(wish, progress, [](Inquiry& inquiry) { return firstPage(inquiry); });
}

}  // namespace app
