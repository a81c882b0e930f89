// LogView's search: over blocks, with a time limit, because a person's regular expression may take for ever.
#include "ui/logs/logview.h"

#include <QElapsedTimer>
#include <QTextBlock>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr qint64 searchMs = 400;
constexpr qint64 countMs = 200;
constexpr int maxHighlights = 500;

/// First match at or after `from`, or last match that begins before it. Empty matches do not count.
QRegularExpressionMatch matchIn(const QRegularExpression &pattern, const QString &text, qsizetype from, bool forward)
{
    QRegularExpressionMatch result;
    QRegularExpressionMatchIterator matches = pattern.globalMatch(text, forward ? from : 0);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() == 0)
            continue;
        if (forward)
            return match;
        if (match.capturedStart() >= from)
            break;
        result = match;
    }
    return result;
}

}  // namespace

void LogView::setPattern(const std::optional<QRegularExpression> &pattern)
{
    m_pattern = pattern && pattern->isValid() && !pattern->pattern().isEmpty() ? pattern : std::nullopt;
    highlightVisible();
}

LogView::Found LogView::find(const QRegularExpression &pattern, QTextCursor from, bool forward, bool mayWrap)
{
    QElapsedTimer clock;
    clock.start();
    Found result;
    QTextBlock block = from.block();
    qsizetype position = forward ? from.selectionEnd() - block.position() : from.selectionStart() - block.position();
    // One round through all blocks, and the first one again for what lies on the cursor's other side.
    for (int left = document()->blockCount(); left >= 0; --left) {
        const QRegularExpressionMatch match = matchIn(pattern, block.text(), position, forward);
        if (match.hasMatch()) {
            QTextCursor cursor(block);
            cursor.setPosition(block.position() + static_cast<int>(match.capturedStart()));
            cursor.setPosition(block.position() + static_cast<int>(match.capturedEnd()), QTextCursor::KeepAnchor);
            setTextCursor(cursor);
            centerCursor();
            result.found = true;
            break;
        }
        if (clock.elapsed() > searchMs) {
            result.tooSlow = true;
            return result;
        }
        block = forward ? block.next() : block.previous();
        if (!block.isValid() && !mayWrap)
            break;
        if (!block.isValid()) {
            block = forward ? document()->firstBlock() : document()->lastBlock();
            result.wrapped = true;
        }
        position = forward ? 0 : block.length();
    }
    highlightVisible();
    return result;
}

LogView::Found LogView::findNext(bool forward, bool mayWrap)
{
    return m_pattern ? find(*m_pattern, textCursor(), forward, mayWrap) : Found();
}

bool LogView::findAt(qint64 offset, const QRegularExpression &pattern)
{
    const auto line = std::ranges::find(m_offsets, offset);
    if (line == m_offsets.end())
        return false;
    const QTextBlock block = document()->findBlockByNumber(static_cast<int>(line - m_offsets.begin()));
    return find(pattern, QTextCursor(block), true, false).found;
}

LogView::Hits LogView::countHits() const
{
    Hits hits;
    const int selected = textCursor().hasSelection() ? textCursor().selectionStart() : -1;
    QElapsedTimer clock;
    clock.start();
    for (QTextBlock block = document()->firstBlock(); m_pattern && block.isValid(); block = block.next()) {
        QRegularExpressionMatchIterator matches = m_pattern->globalMatch(block.text());
        while (matches.hasNext()) {
            const QRegularExpressionMatch match = matches.next();
            if (match.capturedLength() == 0)
                continue;
            ++hits.count;
            if (block.position() + match.capturedStart() == selected)
                hits.current = hits.count;
        }
        if (clock.elapsed() > countMs) {
            hits.complete = false;
            break;
        }
    }
    return hits;
}

LogView::Found LogView::findFirst(const QRegularExpression &pattern)
{
    return find(pattern, QTextCursor(document()->firstBlock()), true);
}

void LogView::highlightVisible()
{
    QList<QTextEdit::ExtraSelection> selections;
    QTextBlock block = firstVisibleBlock();
    QElapsedTimer clock;
    clock.start();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (m_pattern && block.isValid() && top < viewport()->height() && clock.elapsed() < searchMs) {
        QRegularExpressionMatchIterator matches = m_pattern->globalMatch(block.text());
        while (matches.hasNext() && selections.size() < maxHighlights) {
            const QRegularExpressionMatch match = matches.next();
            if (match.capturedLength() == 0)
                continue;
            QTextEdit::ExtraSelection selection;
            selection.cursor = QTextCursor(block);
            selection.cursor.setPosition(block.position() + static_cast<int>(match.capturedStart()));
            selection.cursor.setPosition(block.position() + static_cast<int>(match.capturedEnd()),
                                         QTextCursor::KeepAnchor);
            QColor back = palette().color(QPalette::Highlight);
            back.setAlpha(80);
            selection.format.setBackground(back);
            selections.append(selection);
        }
        top += blockBoundingRect(block).height();
        block = block.next();
    }
    if (!selections.isEmpty() || !extraSelections().isEmpty())
        setExtraSelections(selections);
}

}  // namespace sweepscope::ui
