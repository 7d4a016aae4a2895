// SPDX-License-Identifier: BSD-3-Clause
// A run as one HTML page. Frames share most of their shapes: every shape is written once, a frame is a list of numbers.
#include "app/gui/scenes/picture.hpp"
#include "app/gui/scenes/style.hpp"
#include "app/gui/scenes/words.hpp"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr std::size_t mostFrames = 600;
constexpr int framesPerRound = 6;

/// [kind, x, y, width, height or the two ends, fill, pen, line width, radius, dashed, hatched, text, pixels, bold].
QByteArray jsonOf(const Shape& shape) {
    const auto number = [](double value) { return std::round(value * 10) / 10; };
    const auto colour = [](const QColor& value) { return value.isValid() ? QJsonValue{value.name()} : QJsonValue{0}; };
    const bool line = shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow;
    const QPointF first = line ? shape.from : shape.box.topLeft();
    const QPointF second = line ? shape.to : QPointF{shape.box.width(), shape.box.height()};
    QJsonArray parts{static_cast<int>(shape.kind), number(first.x()),    number(first.y()),    number(second.x()),
                     number(second.y()),           colour(shape.fill),   colour(shape.pen),    number(shape.width),
                     number(shape.radius),         shape.dashed ? 1 : 0, shape.hatched ? 1 : 0};
    if (shape.kind == Shape::Kind::text) {
        parts.append(shape.text);
        parts.append(std::round(shape.points * 96 / 72));
        parts.append(shape.bold ? 1 : 0);
    }
    return QJsonDocument{parts}.toJson(QJsonDocument::Compact);
}

/// The moments shown: some within every round, fewer the more rounds there are.
std::vector<engine::Picoseconds> momentsOf(const Subject& subject) {
    const std::vector<engine::Picoseconds>& stops = subject.stops();
    std::vector<engine::Picoseconds> moments{engine::Picoseconds{}};
    const std::size_t every = stops.size() / mostFrames + 1;
    const auto steps = static_cast<int>(std::clamp<std::size_t>(mostFrames / stops.size(), 1, framesPerRound));
    for (std::size_t stop = 0; stop < stops.size(); stop += every) {
        const engine::Picoseconds begin = moments.back();
        for (int step = 1; step <= steps; ++step) moments.push_back(begin + (stops[stop] - begin) * step / steps);
    }
    moments.push_back(subject.run().duration);
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    return moments;
}

constexpr const char* page = R"page(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>%TITLE%</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>
:root{%COLOURS%}
body{margin:0;background:var(--paper);color:var(--ink);font:14px "DejaVu Sans",Verdana,sans-serif}
main{max-width:%WIDTH%px;margin:auto;padding:8px}
canvas{width:100%;display:block}
nav{display:flex;gap:8px;align-items:center;padding:8px 0}
button{font:inherit;padding:4px 12px}
input{flex:1}
</style></head><body><main>
<canvas id="view" role="img" aria-labelledby="words"></canvas>
<nav><button id="back" aria-label="one step back">&#9664;</button><button id="play">Play</button>
<button id="next" aria-label="one step forward">&#9654;</button>
<input id="at" type="range" min="0" aria-label="moment"></nav>
<p id="words" aria-live="polite"></p></main>
<script>
const data = %DATA%;
const canvas = document.getElementById('view'), pen = canvas.getContext('2d');
const slider = document.getElementById('at'), words = document.getElementById('words');
const scale = 2;
canvas.width = data.size[0] * scale; canvas.height = data.size[1] * scale;
slider.max = data.frames.length - 1;
let now = 0, timer = 0;
function outline(s) {
  pen.beginPath();
  if (s[0] === 1) pen.ellipse(s[1] + s[3] / 2, s[2] + s[4] / 2, s[3] / 2, s[4] / 2, 0, 0, 7);
  else if (s[8] > 0 && pen.roundRect) pen.roundRect(s[1], s[2], s[3], s[4], s[8]);
  else pen.rect(s[1], s[2], s[3], s[4]);
}
function draw(s) {
  pen.setLineDash(s[9] ? [3, 3] : []);
  pen.lineWidth = s[7];
  if (s[0] === 4) {
    pen.font = (s[13] ? 'bold ' : '') + s[12] + 'px "DejaVu Sans",Verdana,sans-serif';
    pen.fillStyle = s[6]; pen.textBaseline = 'middle';
    pen.fillText(s[11], s[1], s[2] + s[4] / 2, s[3] + 1);
  } else if (s[0] > 1) {
    pen.strokeStyle = pen.fillStyle = s[6];
    pen.beginPath(); pen.moveTo(s[1], s[2]); pen.lineTo(s[3], s[4]); pen.stroke();
    const x = s[3] - s[1], y = s[4] - s[2], far = Math.hypot(x, y), size = Math.min(far, 4 + 2 * s[7]);
    if (s[0] === 3 && far > 0) {
      const u = x / far * size, v = y / far * size;
      pen.beginPath(); pen.moveTo(s[3], s[4]); pen.lineTo(s[3] - u - 0.4 * v, s[4] - v + 0.4 * u);
      pen.lineTo(s[3] - u + 0.4 * v, s[4] - v - 0.4 * u); pen.fill();
    }
  } else {
    outline(s);
    if (s[5]) { pen.fillStyle = s[5]; pen.fill(); }
    if (s[6]) { pen.strokeStyle = s[6]; pen.stroke(); }
    if (s[10]) {
      pen.save(); outline(s); pen.clip(); pen.lineWidth = 1; pen.beginPath();
      for (let sum = Math.ceil((s[1] + s[2]) / 5) * 5; sum < s[1] + s[2] + s[3] + s[4]; sum += 5) {
        pen.moveTo(sum - s[2], s[2]); pen.lineTo(sum - s[2] - s[4], s[2] + s[4]);
      }
      pen.stroke(); pen.restore();
    }
  }
}
function show(frame) {
  now = Math.max(0, Math.min(data.frames.length - 1, frame));
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, data.size[0], data.size[1]);
  for (const index of data.frames[now]) draw(data.shapes[index]);
  slider.value = now;
  words.textContent = data.words[now];
}
function stop() { clearInterval(timer); timer = 0; document.getElementById('play').textContent = 'Play'; }
function play() {
  if (timer) return stop();
  if (now === data.frames.length - 1) show(0);
  document.getElementById('play').textContent = 'Stop';
  timer = setInterval(() => { show(now + 1); if (now === data.frames.length - 1) stop(); }, data.pause);
}
function step(way) { stop(); show(now + way); }
document.getElementById('back').onclick = () => step(-1);
document.getElementById('next').onclick = () => step(1);
document.getElementById('play').onclick = play;
slider.oninput = () => { stop(); show(+slider.value); };
document.onkeydown = event => {
  if (event.target === slider) return;
  if (event.key === 'ArrowLeft') step(-1);
  if (event.key === 'ArrowRight') step(1);
  if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); play(); }
};
show(+location.hash.slice(1) || 0);
</script></body></html>
)page";

}  // namespace

QByteArray htmlOf(const Subject& subject, const Picture& picture, const engine::Progress& progress) {
    const QSize size{picture.width, picture.height};
    const std::vector<engine::Picoseconds> moments = momentsOf(subject);
    QHash<QByteArray, qsizetype> known;
    QByteArray shapes;
    QByteArray frames;
    QJsonArray words;
    for (std::size_t i = 0; i < moments.size(); ++i) {
        progress.at(static_cast<double>(i) / static_cast<double>(moments.size()));
        const ViewState state = stateOf(subject, picture, moments[i]);
        QByteArray frame;
        const auto put = [&](const Shape& shape) {
            const QByteArray json = jsonOf(shape);
            auto found = known.constFind(json);
            if (found == known.constEnd()) {
                shapes += (shapes.isEmpty() ? "" : ",\n") + json;
                found = known.insert(json, known.size());
            }
            frame += (frame.isEmpty() ? "" : ",") + QByteArray::number(*found);
        };
        for (const Shape& shape : viewScene(picture.view, subject, state, size).shapes) {
            if (shape.kind != Shape::Kind::cells) put(shape);
            else
                for (const Shape& one : rectanglesOf(shape)) put(one);
        }
        frames += (i == 0 ? "[" : ",\n[") + frame + ']';
        words.append(momentOf(subject, moments[i]) + QStringLiteral(". ") + eventsOf(subject, moments[i]));
    }
    const auto pause =
        static_cast<int>(std::clamp(1000 * picture.seconds / static_cast<double>(moments.size()), 20.0, 2000.0));
    QByteArray data = "{\"size\":[" + QByteArray::number(size.width()) + ',' + QByteArray::number(size.height()) +
                      "],\"pause\":" + QByteArray::number(pause) + ",\"shapes\":[" + shapes + "],\n\"frames\":[" +
                      frames + "],\n\"words\":" + QJsonDocument{words}.toJson(QJsonDocument::Compact) + '}';
    // No text of a run may end the script.
    data.replace("</", "<\\/");
    QByteArray html{page};
    html.replace("%TITLE%", titleOf(subject).toHtmlEscaped().toUtf8());
    html.replace("%COLOURS%", cssVariables(picture.dark));
    html.replace("%WIDTH%", QByteArray::number(size.width()));
    html.replace("%DATA%", data);
    return html;
}

}  // namespace app::gui
