#pragma once

#include "ui/base/enginepage.h"

#include <QVariant>

class QComboBox;
class QLabel;
class QSettings;

namespace sweepscope::ui {

class TrialLog;
class TrialStepper;

/// What the ranks of the selected trial wrote, attempt by attempt. Of a failed trial the first error is shown.
class LogsPage : public EnginePage {
    Q_OBJECT

public:
    /// How logs are searched and broken into lines is kept in the settings.
    LogsPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings = nullptr,
             QWidget *parent = nullptr);

    /// To the first error again, also of the trial that is shown.
    void showError();

private:
    void refresh() override;
    void showNothing();
    void leadToError(const sweep::TrialRecord &trial);
    void showAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);

    TrialStepper *m_stepper;
    QLabel *m_stateIcon;
    QLabel *m_title;
    QLabel *m_cause;
    QComboBox *m_attempt;
    TrialLog *m_log;
    qint64 m_shownSweep = 0;
    int m_shownTrial = 0;
    QVariant m_ledTo;  ///< what the page chose in the log, and not the person
};

}  // namespace sweepscope::ui
