#pragma once

#include "protocol/engineclient.h"
#include "ui/plot/trialchoice.h"

#include <QWidget>

class QAction;
class QPushButton;

namespace sweepscope::ui {

struct TrialCommands;
class TrialMarker;
class TrialUndo;

/// The buttons of the Trial page. Handles notes, traces, retries and stops itself; the page does the rest.
class TrialActionBar : public QWidget {
    Q_OBJECT

public:
    explicit TrialActionBar(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// Enables the actions that this trial allows now.
    void setTrial(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);
    /// Hides the text of buttons, less important ones first, until they fit into `width`. Icons and tooltips remain.
    void fitInto(int width);

Q_SIGNALS:
    void curvesRequested();
    void logRequested();
    void folderRequested();
    void checkpointRequested();
    void cloneRequested();

private:
    QPushButton *addButton(const QString &name, const QString &icon, const QString &text, const QString &toolTip);
    void editNote();
    void trigger(QAction *TrialCommands::*which);

    protocol::EngineClient *m_client;
    TrialUndo *m_undo;
    TrialMarker *m_marker;
    TrialChoice m_trial;
    int m_width = 0;
    QPushButton *m_curves;
    QPushButton *m_log;
    QPushButton *m_folder;
    QPushButton *m_checkpoint;
    QPushButton *m_note;
    QPushButton *m_clone;
    QPushButton *m_trace;
    QPushButton *m_retry;
    QPushButton *m_stop;
};

}  // namespace sweepscope::ui
