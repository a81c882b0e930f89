#pragma once

#include <QString>
#include <QStringList>

namespace sweepscope::ui {

/// The sweep files installed with the program, the simplest first.
QStringList exampleFiles();

/// A title that says what an example shows; the file's name if it is not an example.
QString exampleTitle(const QString &path);

}  // namespace sweepscope::ui
