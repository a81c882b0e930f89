#include "ui/models/sweepkey.h"

#include <QCryptographicHash>

namespace sweepscope::ui {

QString settingsKey(const QString &workspace, const sweep::SweepRecord &sweep)
{
    const QString place = workspace + u'/' + QString::fromStdString(sweep.folder);
    return QString::fromLatin1(QCryptographicHash::hash(place.toUtf8(), QCryptographicHash::Sha1).toHex().first(16));
}

}  // namespace sweepscope::ui
