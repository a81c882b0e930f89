#pragma once

#include "sweep/records.h"

#include <QModelIndexList>
#include <QString>

namespace sweepscope::ui {

/// Returns the trial's parameters as a JSON object, in declaration order, with floats that read back as the same
/// values.
QString parametersAsJson(const sweep::TrialRecord &trial);

/// Returns rows as shown, for these columns (empty: all), with a line of titles: cells separated by tabs, rows by line
/// breaks, as spreadsheets accept.
QString rowsAsText(const QAbstractItemModel &model, const QList<int> &rows, const QList<int> &sections = {});

}  // namespace sweepscope::ui
