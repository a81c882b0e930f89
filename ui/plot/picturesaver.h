#pragma once

#include "ui/plot/picturedialog.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

class QMenu;
class QAction;
class QSettings;
class QWidget;

namespace sweepscope::ui {

class LivePlot;

/// Exports plots as pictures, to files that the user chooses or to the clipboard. Threads paint and write; if that
/// takes long, a dialog shows the progress and can cancel it.
class PictureSaver : public QObject {
    Q_OBJECT

public:
    /// Adds the actions to the plot's context menu.
    explicit PictureSaver(LivePlot *plot);
    /// For any widget that can be painted under a title.
    using Source = std::function<PictureSheet(const QString &title)>;
    PictureSaver(QWidget *widget, Source source);

    /// Sets the title above the plots, which names sweep and trial, and the default file name; other characters than
    /// letters and digits are replaced.
    void setTitle(const QString &title, const QString &fileName);
    const QString &title() const { return m_title; }
    /// Remembers the user's choices; null: nothing is stored.
    void setSettings(QSettings *settings) { m_settings = settings; }
    /// Whether there is something to export.
    bool hasPlot() const;
    /// Of a plot with several charts, all of them and each one.
    std::vector<PictureSubject> subjects();

    /// Opens the dialog.
    void askForFile() { askForFile(subjects(), 0); }
    void askForFile(std::vector<PictureSubject> subjects, std::size_t chosen);
    void askForChart(const QString &id);
    void copy();
    void copyChart(const QString &id);
    /// As on screen. Emits `reported` with the result.
    void save(const QString &file);
    bool isBusy() const { return m_jobs > 0; }
    /// The form of pictures that are saved without the dialog: light unless the user chooses otherwise.
    void setForm(const PictureForm &form) { m_form = form; }
    struct Actions {
        QAction *save;
        QAction *copy;
    };
    Actions addActions(QMenu *menu);

Q_SIGNALS:
    void reported(const QString &sentence);
    /// The plot's context menu; others may add to it.
    void menuOpens(QMenu *menu, const sweepscope::ui::PictureSaver::Actions &pictures, const QPoint &place);

private:
    PictureForm formOfScreen() const;
    PictureSubject subjectOf(const QString &id, const QString &name, const QString &fileName);
    std::optional<RecordedPicture> record(const QString &id, const PictureForm &form) const;
    std::optional<PictureSheet> sheetOfPlot(const QString &id, const QString &title, const PictureShape &shape) const;
    RecordedPicture recordWidget(const QString &title, const PictureForm &form, const PictureShape &shape) const;
    void copyRecorded(std::optional<RecordedPicture> picture);
    void run(const std::vector<PictureOrder> &orders);
    void finish(PictureJob *job);

    QWidget *m_widget;
    LivePlot *m_plot = nullptr;  ///< null: the widget is another one
    Source m_source;
    QString m_title;
    QString m_fileName;
    QSettings *m_settings = nullptr;
    PictureForm m_form;
    int m_jobs = 0;
};

}  // namespace sweepscope::ui
