#pragma once

#include "sweep/records.h"

#include <QWidget>

#include <vector>

class QSpinBox;
class QToolButton;

namespace sweepscope::ui {

/// "◀ Trial 7 of 31 ▶": the shown trial of a sweep, and buttons for the others.
class TrialStepper : public QWidget {
    Q_OBJECT

public:
    explicit TrialStepper(QWidget *parent = nullptr);

    /// `all`: number of trials of the sweep; `trials`: those with a record. Trials that an edit removed do not count,
    /// and the buttons skip them. Keeps a number that is being typed.
    void setTrial(int number, int all, const std::vector<sweep::TrialRecord> &trials);
    QWidget *numberField() const;

Q_SIGNALS:
    void trialChosen(int number);

private:
    int m_before = 0;  ///< target of the button; 0 if there is none
    int m_after = 0;
    QToolButton *m_previous;
    QSpinBox *m_number;
    QToolButton *m_next;
};

}  // namespace sweepscope::ui
