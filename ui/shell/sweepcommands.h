#pragma once

#include "sweep/control.h"

#include <QObject>
#include <QTimer>

class QMainWindow;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class EnergyReader;
class PrintedReader;
class ProbeReader;
class SelectionModel;
class SweepListModel;
class SweepStrip;
struct WindowActions;

/// The commands for the selected sweep, in the menus and in the strip above the pages; executes pause, resume, stop and
/// retry. Updates the strip, the window's title and the actions' availability.
class SweepCommands : public QObject {
    Q_OBJECT

public:
    /// `sweeps` counts the trials. All arguments must outlive the commands.
    SweepCommands(protocol::EngineClient *client, const SelectionModel *selection, SweepListModel *sweeps,
                  const WindowActions *actions, SweepStrip *strip, QMainWindow *window);

    void update();
    /// Of any sweep.
    void rename(qint64 renamed, const QString &name);
    /// Whether the page is about the selected sweep: otherwise no command is, because what it would change is not seen.
    void setAboutSweep(bool isAboutSweep);
    /// Replaces the sweep's name in the title of the window; empty for a page about the sweep.
    void setPageTitle(const QString &title);

Q_SIGNALS:
    void probeShown(bool isProbe);                    ///< the selected sweep measures batch sizes, or does not
    void printedChanged(const QStringList &metrics);  ///< found in its output, which is not read

private:
    void connectCommands();
    void followTitle();
    void send(sweep::Control::Action action);
    void stop();
    void changeObjective(const QString &metric);
    void readOutput();
    qint64 sweepId() const;

    protocol::EngineClient *m_client;
    const SelectionModel *m_selection;
    SweepListModel *m_sweeps;
    const WindowActions *m_actions;
    SweepStrip *m_strip;
    QMainWindow *m_window;
    ProbeReader *m_probe;
    PrintedReader *m_printed;
    EnergyReader *m_energy;
    bool m_isAboutSweep = true;
    QString m_pageTitle;
    bool m_isProbe = false;
    quint64 m_edit = 0;  ///< the job of the last edit
    QTimer m_update;     ///< coalesces messages
    QTimer m_tick;       ///< for the elapsed time
};

}  // namespace sweepscope::ui
