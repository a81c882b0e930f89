#include "ui/trial/commandview.h"

#include "ui/theme/textsize.h"

#include <QMimeData>
#include <QTextBlock>
#include <QTextBoundaryFinder>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sweepscope::ui {

namespace {

constexpr int mostLines = 4;
constexpr QChar wordJoiner(0x2060);  ///< invisible; a line does not break at it

/// Qt breaks a line after a hyphen or slash, too. Copying removes the joiners again.
QString withoutBreaksInWords(const QString &text)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Line, text);
    QString joined;
    qsizetype begin = 0;
    for (qsizetype place = finder.toNextBoundary(); place > 0 && place < text.size(); place = finder.toNextBoundary()) {
        if (text[place - 1].isSpace())
            continue;
        joined += text.sliced(begin, place - begin) + wordJoiner;
        begin = place;
    }
    return joined + text.sliced(begin);
}

}  // namespace

CommandView::CommandView(QWidget *parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(0);
    setTextRole(this, TextRole::Monospace);
}

void CommandView::setCommand(const QString &command)
{
    if (command == m_command)
        return;
    m_command = command;
    setPlainText(withoutBreaksInWords(command));
    fit();
}

void CommandView::fit()
{
    const double lines = std::max(1.0, document()->size().height());
    const double height = blockBoundingRect(document()->firstBlock()).height();
    setVerticalScrollBarPolicy(lines > mostLines ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    const int frame = std::max(0, this->height() - viewport()->height());  // the viewport may have an old size
    const int text = static_cast<int>(std::ceil(height * std::min(1.0, mostLines / lines)));
    setFixedHeight(text + 1 + frame);  // with less room, Qt considers the last line hidden
}

void CommandView::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    fit();
}

void CommandView::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        QTimer::singleShot(0, this, &CommandView::fit);  // after the document has the font
}

QMimeData *CommandView::createMimeDataFromSelection() const
{
    const std::unique_ptr<QMimeData> shown(QPlainTextEdit::createMimeDataFromSelection());
    auto copied = std::make_unique<QMimeData>();
    copied->setText(shown->text().remove(wordJoiner));
    return copied.release();
}

}  // namespace sweepscope::ui
