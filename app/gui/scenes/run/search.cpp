// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/search.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <QRegularExpression>

#include <algorithm>
#include <functional>

namespace app::gui {
namespace {

using Condition = std::function<bool(std::size_t)>;

std::int64_t numberIn(const QString& word) { return engine::readInteger(word.toStdString(), "search", 0, 1 << 30); }

Condition ofRank(const DrawableRun& subject, const QString& which, std::int64_t number) {
    const engine::Messages& messages = subject.run().messages;
    const engine::Rank rank{static_cast<std::int32_t>(number)};
    if (which == QLatin1String("from")) return [&messages, rank](std::size_t i) { return messages.from()[i] == rank; };
    if (which == QLatin1String("to")) return [&messages, rank](std::size_t i) { return messages.to()[i] == rank; };
    return [&messages, rank](std::size_t i) { return messages.from()[i] == rank || messages.to()[i] == rank; };
}

Condition carries(const DrawableRun& subject, std::int64_t number) {
    return [&subject, number](std::size_t i) {
        const auto parts = subject.carried(i);
        return std::any_of(parts.begin(), parts.end(),
                           [&](const auto& part) { return part.first <= number && number <= part.second; });
    };
}

std::vector<Condition> conditionsIn(const DrawableRun& subject, QString words) {
    static const QRegularExpression way{QStringLiteral("^(\\d+)\\s*(?:->|>|\u2192)\\s*(\\d+)(?=\\s|$)")};
    static const QRegularExpression size{QStringLiteral("^([<>])\\s*(\\d+(?:\\.\\d+)?\\s*[kKMG]?i?B)(?=\\s|$)")};
    static const QRegularExpression named{
        QStringLiteral("^(rank|from|to|round|block|segment|contribution)s?\\s+(\\d+)(?=\\s|$)")};
    const engine::Messages& messages = subject.run().messages;
    std::vector<Condition> conditions;
    for (words = words.trimmed(); !words.isEmpty(); words = words.trimmed()) {
        QRegularExpressionMatch match = way.match(words);
        if (match.hasMatch()) {
            conditions.push_back(ofRank(subject, QStringLiteral("from"), numberIn(match.captured(1))));
            conditions.push_back(ofRank(subject, QStringLiteral("to"), numberIn(match.captured(2))));
        } else if (match = size.match(words); match.hasMatch()) {
            const engine::Bytes bytes = engine::readBytes(match.captured(2).toStdString(), "search");
            const bool larger = match.captured(1) == QLatin1String(">");
            conditions.push_back([&messages, bytes, larger](std::size_t i) {
                return larger ? messages.bytes()[i] > bytes : messages.bytes()[i] < bytes;
            });
        } else if (match = named.match(words); match.hasMatch()) {
            const QString key = match.captured(1);
            const std::int64_t number = numberIn(match.captured(2));
            if (key == QLatin1String("round"))
                conditions.push_back(
                    [&messages, number](std::size_t i) { return messages.round()[i].value + 1 == number; });
            else if (key == QLatin1String("rank") || key == QLatin1String("from") || key == QLatin1String("to"))
                conditions.push_back(ofRank(subject, key, number));
            else conditions.push_back(carries(subject, number));
        } else {
            throw engine::Error{engine::text("'", words.toStdString(),
                                             "' cannot be searched for; try rank 3, from 3, "
                                             "to 3, 3 > 4, round 5, block 7 or > 64 KiB")};
        }
        words = words.mid(match.capturedLength());
    }
    return conditions;
}

}  // namespace

std::vector<std::size_t> search(const DrawableRun& subject, const QString& words) {
    const std::vector<Condition> conditions = conditionsIn(subject, words);
    std::vector<std::size_t> found;
    if (conditions.empty()) return found;
    for (std::size_t i = 0; i < subject.run().messages.size(); ++i) {
        bool fits = true;
        for (const Condition& condition : conditions) fits = fits && condition(i);
        if (fits) found.push_back(i);
    }
    return found;
}

}  // namespace app::gui
