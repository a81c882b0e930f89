#pragma once

#include <QString>
#include <QStringList>

namespace sweepscope::ui {

/// Sweep files that came with the program, the first to try first.
QStringList exampleFiles();

/// What an example shows, for a newcomer; of one that is not known the file's name.
QString exampleTitle(const QString &path);

}  // namespace sweepscope::ui
