#pragma once

#include "ui/live/plotpicture.h"

#include <QObject>

#include <functional>

class QFileDialog;
class QMenu;
class QAction;
class QWidget;

namespace sweepscope::ui {

class LivePlot;

/// Takes plots away as a picture: into a file that the person names, or to the clipboard.
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
    /// Written on the side; `told` says how it went.
    void save(const QString &file);
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
    void write(const QString &file, const std::function<PictureSheet()> &sheet);

    QWidget *m_widget;
    Source m_source;
    QString m_title;
    QString m_fileName;
    QString m_folder;  ///< where the last one went
};

}  // namespace sweepscope::ui
