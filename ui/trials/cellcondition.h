#pragma once

#include <QModelIndex>
#include <QString>

namespace sweepscope::ui {

class TrialTableModel;

/// Returns the condition, in TrialFilter's syntax, that trials with the same value in this cell meet: "lr = 0.01",
/// "state = failed". Empty unless the cell shows the state, or a parameter that the trial has.
QString cellCondition(const TrialTableModel &model, const QModelIndex &cell);

}  // namespace sweepscope::ui
