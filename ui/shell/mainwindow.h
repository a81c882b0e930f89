#pragma once

#include "protocol/engineclient.h"
#include "ui/base/selectionmodel.h"
#include "ui/home/sweepmenu.h"
#include "ui/shell/navigator.h"
#include "ui/shell/windowactions.h"
#include "ui/shell/windowsettings.h"

#include <QMainWindow>

class QSettings;
class QSplitter;
class QStackedWidget;

namespace sweepscope::ui {

class AnalysisPage;
class DevicesPage;
class EditorPage;
class FindingsPage;
class HomePage;
class LivePage;
class LogsPage;
class MediaPage;
class PageBar;
class PictureSaver;
class ProbePage;
class SweepCommands;
class SweepPage;
class SweepSideBar;
class SweepStrip;
class SweepUndo;
class Theme;
class TimelinePage;
class TrialPage;
class TrialsPage;
class WindowClosing;

/// Composes the pages around one selection. The state of the sweeps belongs to the client.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    using Page = ui::Page;

    MainWindow(protocol::EngineClient *client, Theme *theme, QSettings *settings, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Opens `sweepFile` in the editor, or an example. Without a file, the first state from the engine decides what is
    /// shown: the newest running sweep, else the newest one, else the editor.
    void begin(const QString &sweepFile);
    /// Opens the dialog that adds a machine.
    void addMachine(const QString &address);

    void openFile(const QString &path);
    SelectionModel &selection() { return m_selection; }
    void showPage(Page page) { m_navigator->open(page); }
    /// `name` is one of pageNames().
    void showPage(const QString &name) { m_navigator->open(name); }
    QStringList pageNames() const { return m_navigator->names(); }

protected:
    void closeEvent(QCloseEvent *event) override;
    bool event(QEvent *event) override;

private:
    /// The first example that can start; empty if there is none.
    QString examplePath() const;
    void openExample();
    void openImported(const QString &file, const QString &toml);
    void buildPages();
    void connectActions(const Theme *theme);
    void connectSweepLists();
    void connectPages();
    void connectClient();

    void followPage();
    bool isRun(qint64 sweepId);
    qint64 sweepId() const { return m_selection.current().sweepId; }
    void chooseFirstSweep();
    void showTileMenu(qint64 sweepId, int trial, const QPoint &globalPosition);
    void openLog(qint64 sweepId, int trial);
    void carryOutRequest(SweepRequest request, const QList<qint64> &sweeps);
    void joinSweeps(const QList<qint64> &sweeps);
    void editSweep(qint64 sweepId);
    void copySweep(qint64 sweepId);
    void useProbedValue(const QString &parameter, double value);
    void showEditor();
    void exportCsv();
    PictureSaver *picturesOfPage();
    void exportPlots();
    void openMachine(const QString &address);
    void addMachineElsewhere(const QString &address);
    void search();
    void showPageMessage(const QString &message);
    void clearPageMessage();

    protocol::EngineClient *m_client;
    SelectionModel m_selection;
    QSettings *m_settings;
    EditorPage *m_editor;
    WindowActions m_actions;
    QSplitter *m_splitter;
    WindowSettings m_windowSettings;
    SweepSideBar *m_sideBar;
    SweepStrip *m_strip;
    QStackedWidget *m_pages;
    Navigator *m_navigator;
    PageBar *m_pageBar;
    HomePage *m_home;
    SweepPage *m_sweepPage;
    LivePage *m_live;
    TrialsPage *m_trials;
    TrialPage *m_trial;
    LogsPage *m_logs;
    TimelinePage *m_timeline;
    FindingsPage *m_findings;
    MediaPage *m_media;
    DevicesPage *m_devices;
    AnalysisPage *m_analysis;
    ProbePage *m_probe;
    QStackedWidget *m_results;  ///< one of these two
    WindowClosing *m_closing;
    SweepCommands *m_commands;
    SweepUndo *m_sweepUndo;
    bool m_chooseOnArrival = false;
    QString m_pageMessage;       ///< in the status bar, about what the page shows
    bool m_opensEditor = false;  ///< rather than the definition of the selected sweep
};

}  // namespace sweepscope::ui
