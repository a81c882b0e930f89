#pragma once

#include "ui/home/enginepage.h"
#include "ui/live/trialchoice.h"

#include <QVariant>

class QComboBox;
class QLabel;
class QSettings;

namespace sweepscope::ui {

class TrialLog;
class TrialStepper;

/// What the ranks of one trial wrote, attempt by attempt. Follows the newest running trial until the person picks one.
class LogsPage : public EnginePage {
    Q_OBJECT

public:
    /// How logs are searched and broken into lines is kept in the settings.
    explicit LogsPage(protocol::EngineClient *client, QSettings *settings = nullptr, QWidget *parent = nullptr);

    /// The person picked this trial. Of a failed one the first error is shown. A number of 0: the newest running one.
    void showTrial(qint64 sweepId, int trialNumber);

Q_SIGNALS:
    void shownTrialChanged(qint64 sweepId, int number);  ///< the person went to another one here

private:
    void refresh() override;
    void leadToError(const sweep::TrialRecord &trial);
    void showAttempts(const sweep::TrialRecord &trial, bool otherTrial);
    void showChosenAttempt();

    TrialStepper *m_stepper;
    QLabel *m_stateIcon;
    QLabel *m_title;
    QLabel *m_cause;
    QComboBox *m_attempt;
    TrialLog *m_log;
    TrialChoice m_shown;
    TrialChoice m_refreshed;
    QVariant m_ledTo;  ///< what the page chose in the log, and not the person
    int m_attempts = 0;
    bool m_followNewest = true;
};

}  // namespace sweepscope::ui
