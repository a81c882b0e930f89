#include "ui/editor/documenttitle.h"

#include "ui/theme/textsize.h"

#include <QDir>
#include <QFileInfo>
#include <QPainter>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

DocumentTitle::DocumentTitle(QWidget *parent) : QLabel(parent)
{
    setObjectName(u"documentTitle"_s);
    setTextFormat(Qt::PlainText);
    setTextRole(this, TextRole::Emphasis);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
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
        showWords(tr("Changes to %1").arg(sweep), tr("It runs as before until they are applied"));
    else
        showWords(sweep, tr("Its definition as it is now"));
}

void DocumentTitle::showWords(const QString &text, const QString &details)
{
    setText(text);
    setToolTip(details.isEmpty() ? text : text + u'\n' + details);
}

void DocumentTitle::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

}  // namespace sweepscope::ui
