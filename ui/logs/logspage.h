#pragma once

#include "client/engineclient.h"
#include "ui/live/trialchoice.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace sweepscope::ui {

class TrialLog;

/// What the ranks of one trial wrote, attempt by attempt. Follows the newest running trial until the person picks one.
class LogsPage : public QWidget {
    Q_OBJECT

public:
    explicit LogsPage(client::EngineClient *client, QWidget *parent = nullptr);

    /// The person picked this trial. Of a failed one the first error is shown. A number of 0: the newest running one.
    void showTrial(qint64 sweepId, int trialNumber);

private:
    void refresh();
    void showAttempts(const sweep::TrialRecord &trial, bool otherTrial);
    void showChosenAttempt();

    client::EngineClient *m_client;
    QStackedWidget *m_stack;
    QLabel *m_stateIcon;
    QLabel *m_title;
    QLabel *m_cause;
    QComboBox *m_attempt;
    TrialLog *m_log;
    QTimer m_refresh;  // many messages, one refresh
    TrialChoice m_shown;
    TrialChoice m_refreshed;
    int m_attempts = 0;
    bool m_followNewest = true;
};

}  // namespace sweepscope::ui
