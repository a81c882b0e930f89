#pragma once

#include "sweep/records.h"

#include <QModelIndexList>
#include <QString>

namespace sweepscope::ui {

/// The trial's parameters as one JSON object, in declared order, floats so that they read back the same.
QString parametersAsJson(const sweep::TrialRecord &trial);

/// Rows as they are shown, of these columns (none: of all), with
/// a line of titles: cells by tabs, rows by line breaks. Spreadsheets take it.
QString rowsAsText(const QAbstractItemModel &model, const QList<int> &rows, const QList<int> &sections = {});

}  // namespace sweepscope::ui
