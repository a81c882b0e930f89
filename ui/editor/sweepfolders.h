#pragma once

#include <QString>

namespace sweepscope::ui {

/// Whether the path is inside the installation, like the examples: no place for a user's files.
bool isOfTheProgram(const QString &path);

/// Returns where a dialog for sweep files starts: in `folder`, or, if that is inside the installation, in the last used
/// one, else in the user's documents.
QString folderToBegin(const QString &folder, const QString &lastUsed);

}  // namespace sweepscope::ui
