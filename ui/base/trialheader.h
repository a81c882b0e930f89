#pragma once

#include "sweep/records.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QProgressBar;
class QToolButton;

namespace sweepscope::ui {

class IconLabel;
class TrialStepper;

/// The first lines of the live page: trial, state, progress.
class TrialHeader : public QWidget {
    Q_OBJECT

public:
    explicit TrialHeader(QWidget *parent = nullptr);

    void setTrial(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                  const std::vector<sweep::TrialRecord> &trials);
    void setFollowingNewest(bool following);
    QWidget *numberField() const;
    /// For a page that shows only the selected trial.
    void hideFollowing();

Q_SIGNALS:
    void trialChosen(int number);
    void followNewestChosen(bool follow);
    void detailsRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void elideTexts();

    TrialStepper *m_stepper;
    IconLabel *m_stateIcon;
    QLabel *m_state;
    QProgressBar *m_progress;
    QLabel *m_step;
    QToolButton *m_details;
    QToolButton *m_newest;
    QLabel *m_parameters;
    QLabel *m_objective;
    std::string m_definition;  ///< of the sweep; a single run needs no stepper
    QString m_stepText;
    QString m_parametersText;
};

/// "lr 0.01 · batch_size 64"
QString parametersText(const sweep::ParameterSet &parameters);

}  // namespace sweepscope::ui
