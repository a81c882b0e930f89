#pragma once

#include <QModelIndex>
#include <QString>

namespace sweepscope::ui {

class TrialTableModel;

/// The condition, as TrialFilter reads it, that the trials with the same value in this cell meet: "lr = 0.01",
/// "state = failed". Empty unless the cell shows a parameter that the trial has, or its state.
QString cellCondition(const TrialTableModel &model, const QModelIndex &cell);

}  // namespace sweepscope::ui
