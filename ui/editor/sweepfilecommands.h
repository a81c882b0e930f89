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
    /// What is typed in `toml` and cannot be parsed is not saved. `dialogParent`: of the file dialogs.
    SweepFileCommands(SweepDocument *document, TomlPanel *toml, NoticeBar *notice, QWidget *dialogParent);

    /// False, with a notice, when it cannot be read. A file with problems is opened as far as it could be understood.
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
    QString m_lastFolder;  ///< of a sweep file that was opened or saved, unless it came with the program
};

}  // namespace sweepscope::ui
