// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/export/export_job.hpp"
#include "app/gui/playback/playback.hpp"
#include "app/gui/settings/recent_files.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "app/gui/widgets/worker.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

class QFormLayout;

namespace app::gui {

/// How what is shown is to be written: as what, which view, how large, which moment; with the picture itself, and the
/// command that does the same. It speaks of the run and the moment that were shown when it was opened.
class ExportDialog final : public QDialog {
    Q_OBJECT

public:
    /// `source`: the archive that is shown; empty: a run that was made. `name`: what it is called.
    ExportDialog(QWidget* parent, const Playback& playback, std::filesystem::path source, const QString& name,
                 Files& files);

    /// Writes to `file`, whose ending decides the kind. What went wrong stands in the dialog.
    void write(const std::filesystem::path& file, engine::Existing existing);
    /// What is chosen.
    [[nodiscard]] Picture picture() const;
    [[nodiscard]] const FileKind& kind() const;
    void choose(const FileKind& kind);
    [[nodiscard]] QString command() const { return command_->text(); }
    [[nodiscard]] QString sentence() const { return sentence_->text(); }
    [[nodiscard]] bool busy() const { return writer_.busy() || painter_.busy() || drawing_.isActive(); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Which moment a picture shows.
    enum class Moment : std::uint8_t { shown, end, round };

    void buildForm(const Playback& playback);
    [[nodiscard]] Moment moment() const;
    void takeSize();
    void follow();
    void draw();
    void ask();
    void say(const QString& sentence, bool wrong);

    DrawableRunPtr subject_;
    std::filesystem::path source_;
    Files* files_;
    engine::Picoseconds shown_{};
    std::optional<std::int64_t> block_;
    std::vector<Mark> marks_;
    QFormLayout* form_;
    QComboBox* kind_;
    QComboBox* view_;
    QComboBox* size_;
    QSpinBox* width_;
    QSpinBox* height_;
    QComboBox* moment_;
    QSpinBox* round_;
    QSpinBox* seconds_;
    QComboBox* colours_;
    QCheckBox* follows_;
    QLabel* preview_;
    QLabel* sentence_;
    QLineEdit* command_;
    QPushButton* copy_;
    QPushButton* export_;
    RunProgress* progress_;
    QTimer drawing_;
    Worker painter_;
    Worker writer_;
};

}  // namespace app::gui
