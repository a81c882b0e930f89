#include "ui/editor/documenttitle.h"

#include "ui/theme/textsize.h"

#include <QDir>
#include <QFileInfo>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

DocumentTitle::DocumentTitle(QWidget *parent) : ElidedLabel(parent)
{
    setObjectName(u"documentTitle"_s);
    setTextRole(this, TextRole::Emphasis);
}

void DocumentTitle::showNewSweep(const QString &filePath, bool isModified)
{
    const QString file = QFileInfo(filePath).fileName();
    if (filePath.isEmpty())
        showWords(tr("New sweep"), {});
    else
        showWords(isModified ? tr("New sweep from %1 (changed)").arg(file) : tr("New sweep from %1").arg(file),
                  QDir::toNativeSeparators(filePath));
}

void DocumentTitle::showSweep(qint64 sweepId, const QString &name, bool isChanged)
{
    const QString sweep = u"#%1 %2"_s.arg(sweepId).arg(name);
    if (isChanged)
        showWords(tr("Changes to %1").arg(sweep), tr("They take effect when you apply them"));
    else
        showWords(sweep, tr("Current definition"));
}

void DocumentTitle::showWords(const QString &text, const QString &details)
{
    setText(text);
    setToolTip(details.isEmpty() ? text : text + u'\n' + details);
}

}  // namespace sweepscope::ui
