#include "ui/editor/sweepfolders.h"

#include "base/installation.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

bool isOfTheProgram(const QString &path)
{
    const QString place = QFileInfo(path).canonicalFilePath();
    if (place.isEmpty())
        return false;
    const QDir share(QString::fromStdString(shareFolder().string()));
    // The folder of examples may be a link.
    for (const QString &folder : {share.canonicalPath(), QDir(share.filePath(u"examples"_s)).canonicalPath()}) {
        if (!folder.isEmpty() && (place == folder || place.startsWith(folder + u'/')))
            return true;
    }
    return false;
}

QString folderToBegin(const QString &folder, const QString &lastUsed)
{
    if (!isOfTheProgram(folder))
        return folder;
    if (!lastUsed.isEmpty())
        return lastUsed;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() ? documents : QDir::homePath();
}

}  // namespace sweepscope::ui
