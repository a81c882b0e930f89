#pragma once

#include "ui/base/enginepage.h"
#include "ui/logs/sweepsearch.h"

#include <QVariant>

#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QSettings;

namespace sweepscope::ui {

class IconLabel;
class SweepSearchPanel;
class TrialLog;
class TrialStepper;

/// Shows what the ranks of the selected trial wrote, by attempt; for a failed trial the first error.
class LogsPage : public EnginePage {
    Q_OBJECT

public:
    /// The settings for search and line wrapping are stored.
    LogsPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings = nullptr,
             QWidget *parent = nullptr);

    /// Shows the first error again, also of the current trial.
    void showError();
    /// Adds a button for searchAllTrials().
    void addSearchAction(QAction *action);
    /// Searches the logs of all trials of the sweep for the text in the search field.
    void searchAllTrials();

private:
    void refresh() override;
    void showNothing();
    void leadToError(const sweep::TrialRecord &trial);
    void openHit(const SweepHit &hit);
    void showAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);

    TrialStepper *m_stepper;
    IconLabel *m_stateIcon;
    QLabel *m_title;
    QLabel *m_cause;
    QComboBox *m_attempt;
    TrialLog *m_log;
    SweepSearchPanel *m_found;
    qint64 m_shownSweep = 0;
    int m_shownTrial = 0;
    std::optional<SweepHit> m_toOpen;  ///< once its trial is shown
    QVariant m_ledTo;                  ///< the log chosen by the page rather than by the user
};

}  // namespace sweepscope::ui
