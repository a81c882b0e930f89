#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>

namespace sweepscope::ui {

/// The sweep files installed with the program, the simplest first.
QStringList exampleFiles();

/// A title that says what an example shows; the file's name if it is not an example.
QString exampleTitle(const QString &path);

/// The first one that can start with this built-in worker; empty if none is installed. An empty path means that the worker
/// is unknown.
QString firstExample(const std::filesystem::path &worker);

/// Why the example cannot start with this built-in worker; empty if it can.
QString whyExampleCannotStart(const QString &path, const std::filesystem::path &worker);

}  // namespace sweepscope::ui
