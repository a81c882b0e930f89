#pragma once

#include "sweep/records.h"

#include <QWidget>

#include <vector>

class QSpinBox;
class QToolButton;

namespace sweepscope::ui {

/// "◀ Trial 7 of 31 ▶": which trial of a sweep a page shows, and the way to the others.
class TrialStepper : public QWidget {
    Q_OBJECT

public:
    explicit TrialStepper(QWidget *parent = nullptr);

    /// `all`: of the sweep; `trials` are those that are here. Those that an edit removed do not count, and the buttons
    /// pass them by. A number that is being typed stays.
    void setTrial(int number, int all, const std::vector<sweep::TrialRecord> &trials);
    QWidget *numberField() const;

Q_SIGNALS:
    void trialChosen(int number);

private:
    int m_before = 0;  ///< the number that the button goes to; 0: there is none
    int m_after = 0;
    QToolButton *m_previous;
    QSpinBox *m_number;
    QToolButton *m_next;
};

}  // namespace sweepscope::ui
