#pragma once

#include <QObject>
#include <QString>

class QFileSystemWatcher;
class QWidget;

namespace sweepscope::ui {

class NoticeBar;
class SweepDocument;
class TomlPanel;

/// Opens and saves the editor's sweep file, and offers to reload it when another program changes it.
class SweepFileCommands : public QObject {
    Q_OBJECT

public:
    /// Does not save text in `toml` that cannot be parsed. `dialogParent`: of the file dialogs.
    SweepFileCommands(SweepDocument *document, TomlPanel *toml, NoticeBar *notice, QWidget *dialogParent);

    /// Returns false, with a notice, if the file cannot be read. Opens a file with problems as far as it can be parsed.
    bool open(const QString &path);
    void openWithDialog();
    void save();
    void saveAs();

Q_SIGNALS:
    void opened();

private:
    void saveTo(const QString &path);
    void writeTo(const QString &path);
    void watchFile();
    void offerReload();

    SweepDocument *m_document;
    TomlPanel *m_toml;
    NoticeBar *m_notice;
    QWidget *m_dialogParent;
    QFileSystemWatcher *m_watcher;
    QString m_lastFolder;  ///< of the last opened or saved sweep file that is not part of the installation
};

}  // namespace sweepscope::ui
