#pragma once

#include "ui/plot/plotpicture.h"

#include <QObject>

#include <functional>

class QComboBox;
class QFileDialog;
class QMenu;
class QAction;
class QWidget;

namespace sweepscope::ui {

class LivePlot;
class PictureJob;

/// Saves plots as a picture, to a file that the user chooses or to the clipboard. Threads paint and write; if that
/// takes long, a dialog shows the progress and can cancel it.
class PictureSaver : public QObject {
    Q_OBJECT

public:
    /// Adds the actions to the plot's context menu.
    explicit PictureSaver(LivePlot *plot);
    /// For any widget that can be painted under a title.
    using Source = std::function<PictureSheet(const QString &title)>;
    PictureSaver(QWidget *widget, Source source);

    /// Sets the title above the plots, which names sweep and trial, and the default file name.
    void setTitle(const QString &title, const QString &fileName);
    void askForFile();
    void copy();
    /// Emits `reported` with the result.
    void save(const QString &file);
    bool isBusy() const { return m_jobs > 0; }
    /// For the next picture: light unless the user chooses otherwise.
    void setDark(bool dark) { m_dark = dark; }
    void setResolution(int dotsPerInch) { m_resolution = dotsPerInch; }
    /// Saves a part instead of the whole; `part` is for the file name.
    void askForFile(const PictureSheet &sheet, const QString &part);
    void copy(const PictureSheet &sheet);
    const QString &title() const { return m_title; }
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
    QFileDialog *askForName(const QString &name);
    void addChoices(QFileDialog *dialog);
    void write(const QString &file, const PictureSheet &sheet);
    PictureStyle style(PictureFormat format, const PictureSheet &sheet) const;
    void run(RecordedPicture picture, const QString &file);
    void finish(PictureJob *job);

    QWidget *m_widget;
    Source m_source;
    QString m_title;
    QString m_fileName;
    QString m_folder;  ///< of the last picture
    bool m_dark = false;
    int m_resolution;
    int m_jobs = 0;
};

}  // namespace sweepscope::ui
