// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/exact_quantity_text.hpp"

#include "engine/base/text.hpp"

namespace app::gui {
namespace {

const QChar micro{0x00b5};

template <class Value, class Read>
QString exact(const std::string& brief, Value value, Read read, double number, const char* unit) {
    return read(brief, "value") == value ? QString::fromStdString(brief) : QString::number(number, 'g', 15) + unit;
}

/// "L=5us": without the blank between number and unit.
QString letter(const char* name, QString words) {
    return QString::fromLatin1(name) + '=' + words.remove(' ').replace(micro, 'u');
}

}  // namespace

QString exactWords(engine::Bytes bytes) {
    return exact(engine::showBytes(bytes, engine::ofPoints), bytes, engine::readBytes, static_cast<double>(bytes),
                 " B");
}

QString exactWords(engine::Picoseconds time) {
    return exact(engine::showTime(time, engine::ofPoints), time, engine::readTime,
                 static_cast<double>(time.count()) / 1e6, " us")
        .replace("us", QString{micro} + 's');
}

QString exactWords(engine::Rate rate) {
    return exact(engine::showRate(rate, engine::ofPoints), rate, engine::readRate,
                 static_cast<double>(rate.femtosecondsPerByte) / 1e6, " ns/B");
}

QString exactWords(const engine::LogGP& logGP) {
    const QStringList letters{letter("L", exactWords(logGP.latency)), letter("o", exactWords(logGP.overhead)),
                              letter("g", exactWords(logGP.gap)), letter("G", exactWords(logGP.gapPerByte)),
                              letter("O", exactWords(logGP.overheadPerByte))};
    return letters.join(',');
}

QString forPeople(fields::Kind kind, const std::string& words) {
    switch (kind) {
        case fields::Kind::bytes: return exactWords(engine::readBytes(words, ""));
        case fields::Kind::time: return exactWords(engine::readTime(words, ""));
        case fields::Kind::rate: return exactWords(engine::readRate(words, ""));
        default: return QString::fromStdString(words);
    }
}

std::string plainly(const QString& typed) {
    return typed.trimmed().replace(micro, 'u').replace(QChar{0x03bc}, 'u').toStdString();
}

}  // namespace app::gui
