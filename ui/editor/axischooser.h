#pragma once

#include "analysis/trialvalues.h"

#include <QComboBox>
#include <QStringList>

namespace sweepscope::ui {

/// Chooses what an axis of a plot shows: a parameter, or the number of the trial.
class AxisChooser : public QComboBox {
    Q_OBJECT

public:
    static constexpr int trialNumber = -1;

    explicit AxisChooser(QWidget *parent = nullptr);

    /// Selects the user's choice if it is offered, else the parameter with index `usual`.
    void offer(const std::vector<analysis::Parameter> &parameters, int usual);
    /// The index of the parameter, or trialNumber.
    int parameter() const;

protected:
    /// Only while it has the focus, so that scrolling the page does not change it.
    void wheelEvent(QWheelEvent *event) override;

private:
    QStringList m_names;
    QString m_chosen;  ///< by the user
};

}  // namespace sweepscope::ui
