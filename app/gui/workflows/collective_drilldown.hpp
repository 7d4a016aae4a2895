// SPDX-License-Identifier: BSD-3-Clause
// A collective of a trace, or a stretch of its messages, opened: it is shown as a run by itself, in rounds, and there
// is a way back to the trace as it was left.
#pragma once

#include "app/gui/widgets/worker.hpp"
#include "app/gui/workflows/run_loader.hpp"
#include "app/gui/workflows/window_contents.hpp"

#include <QAction>

namespace app::gui {

class CollectiveDrilldown final : public QObject {
    Q_OBJECT

public:
    CollectiveDrilldown(Playback& playback, Contents& contents, RunLoader& presenter);

    /// Opens what `meaning` is of: a collective, a call or a wait of a rank, a message; else nothing.
    void open(const Meaning& meaning);
    /// Opens an instance by its number, from 1, as answers count them.
    void openInstance(std::int64_t number);
    /// Opens what is chosen, else the instance that the selected rank is in at the cursor.
    void openChosen();
    /// Shows the trace again, where it was left.
    void leave();

    /// Both of them as actions, for menus; enabled where there is something to be opened, or to go back to.
    [[nodiscard]] QAction* opening() const { return opening_; }
    [[nodiscard]] QAction* leaving() const { return leaving_; }
    [[nodiscard]] bool inside() const { return outer_.subject != nullptr; }
    [[nodiscard]] bool busy() const { return worker_.busy(); }

private:
    struct Outer {
        DrawableRunPtr subject;
        QString name;
        std::filesystem::path source;
        ViewState state;
    };
    using Find = std::function<std::optional<std::size_t>(analysis::TraceAnalysis&)>;

    void start(Find find);
    void follow();

    Playback* playback_;
    Contents* contents_;
    RunLoader* runLoader_;
    QAction* opening_;
    QAction* leaving_;
    Outer outer_;           ///< of which something is shown; no subject: none
    DrawableRunPtr shown_;  ///< that something
    Worker worker_;
};

}  // namespace app::gui
