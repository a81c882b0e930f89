#include "ui/editor/numberedtext.h"

#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

class NumberedText::Margin : public QWidget {
public:
    explicit Margin(NumberedText *text) : QWidget(text), m_text(text) { setObjectName(u"lineNumbers"_s); }

protected:
    void paintEvent(QPaintEvent *event) override { m_text->paintMargin(event); }
    void wheelEvent(QWheelEvent *event) override { m_text->wheelEvent(event); }

private:
    NumberedText *m_text;
};

NumberedText::NumberedText(QWidget *parent) : QPlainTextEdit(parent), m_margin(new Margin(this))
{
    connect(this, &QPlainTextEdit::blockCountChanged, this, &NumberedText::fitMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &area, int dy) {
        if (dy != 0)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, area.y(), m_margin->width(), area.height());
    });
    fitMargin();
}

void NumberedText::markLine(int line)
{
    m_marked = line;
    m_margin->update();
}

int NumberedText::signSize() const
{
    return fontMetrics().ascent();
}

int NumberedText::marginWidth() const
{
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return spacing::tiny + signSize() + spacing::tiny + digits * fontMetrics().horizontalAdvance(u'9') + spacing::small;
}

void NumberedText::fitMargin()
{
    const int width = marginWidth();
    setViewportMargins(isRightToLeft() ? 0 : width, 0, isRightToLeft() ? width : 0, 0);
    const QRect inside = contentsRect();
    m_margin->setGeometry(
        QRect(isRightToLeft() ? inside.right() - width + 1 : inside.left(), inside.top(), width, viewport()->height()));
    m_margin->update();
}

bool NumberedText::event(QEvent *event)
{
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    // Common in addition to Ctrl+Shift+Z, which Qt supports.
    if (isKey && !isReadOnly() && static_cast<QKeyEvent *>(event)->keyCombination() == (Qt::CTRL | Qt::Key_Y)) {
        if (event->type() == QEvent::KeyPress)
            redo();
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void NumberedText::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    fitMargin();
}

void NumberedText::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutDirectionChange)
        fitMargin();
}

void NumberedText::paintMargin(QPaintEvent *event)
{
    QPainter painter(m_margin);
    painter.fillRect(event->rect(), sidePanelColor(palette()));
    painter.setFont(font());
    const int end = m_margin->width() - spacing::small;
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > event->rect().bottom())
            break;
        const bool isMarked = block.blockNumber() + 1 == m_marked;
        painter.setPen(isMarked ? problemColor(palette()) : subtleTextColor(palette()));
        const QRectF number(0, line.top(), end, fontMetrics().height());
        painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter, QString::number(block.blockNumber() + 1));
        if (!isMarked)
            continue;
        const int size = signSize();
        const QRect sign(spacing::tiny, static_cast<int>(number.center().y()) - size / 2, size, size);
        symbolIcon(u"warning"_s, QPalette::Text).paint(&painter, sign);
    }
}

}  // namespace sweepscope::ui
