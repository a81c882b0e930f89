#pragma once

#include <QWidget>

class QSpinBox;
class QToolButton;

namespace sweepscope::ui {

/// "◀ Trial 7 of 31 ▶": which trial of a sweep a page shows, and the way to the others.
class TrialStepper : public QWidget {
    Q_OBJECT

public:
    explicit TrialStepper(QWidget *parent = nullptr);

    /// A number that is being typed stays.
    void setTrial(int number, int trials);

Q_SIGNALS:
    void trialChosen(int number);

private:
    QToolButton *m_previous;
    QSpinBox *m_number;
    QToolButton *m_next;
};

}  // namespace sweepscope::ui
