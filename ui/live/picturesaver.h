#pragma once

#include "ui/live/plotpicture.h"

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

/// Saves plots as a picture: to a file that the person names, or to the clipboard. Threads paint and write; where that takes
/// long, a window shows how far it is and can cancel it.
class PictureSaver : public QObject {
    Q_OBJECT

public:
    /// The plot gets a context menu for it.
    explicit PictureSaver(LivePlot *plot);
    /// Any widget that can be painted under a title.
    using Source = std::function<PictureSheet(const QString &title)>;
    PictureSaver(QWidget *widget, Source source);

    /// What stands above the plots: which sweep and trial. The file's name comes from it too.
    void setTitle(const QString &title, const QString &fileName);
    void askForFile();
    void copy();
    /// `told` says how it went.
    void save(const QString &file);
    bool isBusy() const { return m_jobs > 0; }
    /// Of what is saved and copied next: light unless the person has chosen otherwise.
    void setDark(bool dark) { m_dark = dark; }
    void setResolution(int dotsPerInch) { m_resolution = dotsPerInch; }
    /// Of something else than the whole; `part` is for the file's name.
    void askForFile(const PictureSheet &sheet, const QString &part);
    void copy(const PictureSheet &sheet);
    const QString &title() const { return m_title; }
    struct Actions {
        QAction *save;
        QAction *copy;
    };
    Actions addActions(QMenu *menu);

Q_SIGNALS:
    void told(const QString &sentence);
    /// The plot's; others may add to it.
    void menuOpens(QMenu *menu, const sweepscope::ui::PictureSaver::Actions &pictures, const QPoint &place);

private:
    QFileDialog *askForName(const QString &name);
    void addChoices(QFileDialog *dialog);
    void write(const QString &file, const PictureSheet &sheet);
    PictureLook look(PictureFormat format, const PictureSheet &sheet) const;
    void run(RecordedPicture picture, const QString &file);
    void finish(PictureJob *job);

    QWidget *m_widget;
    Source m_source;
    QString m_title;
    QString m_fileName;
    QString m_folder;  ///< where the last one went
    bool m_dark = false;
    int m_resolution;
    int m_jobs = 0;
};

}  // namespace sweepscope::ui
