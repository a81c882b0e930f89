#pragma once

#include <QString>

namespace sweepscope::ui {

/// Whether it came with the program, as the examples did: nothing of a person's belongs there.
bool isOfTheProgram(const QString &path);

/// Where a dialog for sweep files begins: in `folder`, or, where that is the program's, in the one last used; else in the
/// person's documents.
QString folderToBegin(const QString &folder, const QString &lastUsed);

}  // namespace sweepscope::ui
