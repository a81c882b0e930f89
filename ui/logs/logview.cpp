#include "ui/logs/logview.h"

#include "ui/logs/terminalcolors.h"
#include "ui/theme/textsize.h"
#include "ui/theme/trialcolors.h"

#include <QLocale>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr qint64 paintMs = 16;

}  // namespace

LogView::LogView(QWidget *parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setTextRole(this, TextRole::Monospace);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Log"));
    // Each once per turn of the event loop, however much comes in between.
    for (QTimer *timer : {&m_counting, &m_searching, &m_painting}) {
        timer->setSingleShot(true);
        timer->setInterval(0);
    }
    connect(&m_counting, &QTimer::timeout, this, &LogView::countOn);
    connect(&m_searching, &QTimer::timeout, this, &LogView::searchOn);
    m_painting.setTimerType(Qt::PreciseTimer);
    connect(&m_painting, &QTimer::timeout, this, &LogView::showWhatCame);
    m_sincePainted.start();
}

void LogView::clearLines()
{
    m_search.reset();
    clear();
    m_lines.clear();
    m_begin.clear();
    m_partialLines = 0;
    forgetCounts();
}

bool LogView::isAtEnd() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum();
}

void LogView::resizeEvent(QResizeEvent *event)
{
    // Another height moves the end, not the person who is there.
    const bool atEnd = isAtEnd();
    QPlainTextEdit::resizeEvent(event);
    if (atEnd)
        scrollToEnd();
}

void LogView::scrollToEnd()
{
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    horizontalScrollBar()->setValue(0);
}

QTextCharFormat LogView::format(const TextStyle &style) const
{
    QTextCharFormat result;
    if (style.color.isValid())
        result.setForeground(readableColor(style.color, palette()));
    else if (style.ansiColor)
        result.setForeground(terminalColor(*style.ansiColor, palette()));
    if (style.bold)
        result.setFontWeight(QFont::Bold);
    return result;
}

void LogView::insertLines(QTextCursor &cursor, const std::vector<ShownLine> &lines, bool withRank) const
{
    // Plain stretches go in as one text: that is what makes a hundred thousand lines quick.
    const QTextCharFormat plain;
    QString pending;
    const auto flush = [&] {
        if (!pending.isEmpty())
            cursor.insertText(pending, plain);
        pending.clear();
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const StyledLine &line = lines[i].line;
        if (i > 0)
            pending += QLatin1Char('\n');
        if (withRank) {
            QTextCharFormat prefix;
            prefix.setForeground(readableColor(rankColor(lines[i].file), palette()));
            flush();
            cursor.insertText(QStringLiteral("[rank %1] ").arg(lines[i].file), prefix);
        }
        int taken = 0;
        for (const StyledSpan &span : line.spans) {
            pending += QStringView(line.text).mid(taken, span.start - taken);
            flush();
            cursor.insertText(line.text.mid(span.start, span.length), format(span.style));
            taken = span.start + span.length;
        }
        pending += QStringView(line.text).mid(taken);
    }
    flush();
}

void LogView::showWhatCame()
{
    m_painting.stop();
    m_sincePainted.start();
    viewport()->repaint();  // before more lines come
}

void LogView::removePartial()
{
    if (m_partialLines == 0)
        return;
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    const QTextBlock first = document()->findBlockByNumber(std::max(0, document()->blockCount() - m_partialLines));
    // The line break before it goes too, unless nothing stands before it.
    cursor.setPosition(std::max(0, first.position() - (m_lines.empty() ? 0 : 1)), QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    m_partialLines = 0;
}

void LogView::insertAtEnd(const std::vector<ShownLine> &lines, bool withRank)
{
    if (lines.empty())
        return;
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    if (!m_lines.empty() || m_partialLines > 0)
        cursor.insertText(QStringLiteral("\n"), QTextCharFormat());
    insertLines(cursor, lines, withRank);
}

void LogView::append(const LogBatch &batch, bool withRank)
{
    m_withRank = withRank;
    const bool atEnd = isAtEnd();
    const bool hadSelection = textCursor().hasSelection();
    // Not by setUpdatesEnabled(): that updates at once when it ends, and leaves a hole where the page is painted meanwhile.
    viewport()->setAttribute(Qt::WA_UpdatesDisabled, true);
    QTextCursor edit(document());
    edit.beginEditBlock();
    removePartial();
    const auto remark = [this](const QString &text) {
        ShownLine note;
        note.line.text = text;
        insertAtEnd({note}, false);
        m_lines.emplace_back();
    };
    if (batch.restarted)
        remark(tr("── the file was truncated or replaced; what follows is new ──"));
    if (batch.skipped > 0)
        remark(tr("── %1 were written faster than they can be shown; a search finds what is in them ──")
                   .arg(locale().formattedDataSize(batch.skipped)));
    insertAtEnd(batch.lines, withRank);
    for (const ShownLine &line : batch.lines)
        m_lines.push_back(lineOf(line));
    insertAtEnd(batch.partial, withRank);
    m_partialLines = static_cast<int>(batch.partial.size());
    trim();
    edit.endEditBlock();
    if (m_isFollowing && atEnd && !hadSelection)
        scrollToEnd();
    viewport()->setAttribute(Qt::WA_UpdatesDisabled, false);
    // Not by a timer alone: where more lines wait already, it comes after them.
    if (const qint64 tooEarly = paintMs - m_sincePainted.elapsed(); tooEarly <= 0)
        showWhatCame();
    else if (!m_painting.isActive())
        m_painting.start(static_cast<int>(tooEarly));
    m_counting.start();
}

void LogView::prepend(const std::vector<ShownLine> &lines, bool withRank)
{
    if (lines.empty())
        return;
    m_withRank = withRank;
    const int scrolled = verticalScrollBar()->value();
    const int blocksBefore = document()->blockCount();
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    insertLines(cursor, lines, withRank);
    cursor.insertText(QStringLiteral("\n"), QTextCharFormat());
    cursor.endEditBlock();
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        m_lines.push_front(lineOf(*line));
    m_counted = 0;
    m_counting.start();
    m_limit = std::max(m_limit, lineCount() + 10'000);
    verticalScrollBar()->setValue(scrolled + document()->blockCount() - blocksBefore);
}

void LogView::trim()
{
    // Some slack, so that not every line that comes in costs one that goes out.
    const int tooMany = lineCount() - m_limit;
    if (tooMany < 1000 && tooMany < m_limit / 20 + 1)
        return;
    const int scrolled = verticalScrollBar()->value();
    QTextCursor cursor(document());
    cursor.setPosition(document()->findBlockByNumber(tooMany).position(), QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    const auto kept = m_lines.begin() + tooMany;
    for (auto line = m_lines.begin(); line != kept; ++line) {
        m_hits -= std::max(0, line->hits);
        const auto file = static_cast<std::size_t>(line->file);
        if (line->end >= 0 && file < m_begin.size())
            m_begin[file] = line->end;
    }
    m_lines.erase(m_lines.begin(), kept);
    m_counted -= std::min(m_counted, static_cast<std::size_t>(tooMany));
    verticalScrollBar()->setValue(std::max(0, scrolled - tooMany));
}

LogPosition LogView::begin() const
{
    LogPosition result = m_begin;
    std::vector<bool> isKnown(result.size());
    std::size_t unknown = result.size();
    for (auto line = m_lines.begin(); line != m_lines.end() && unknown > 0; ++line) {
        const auto file = static_cast<std::size_t>(line->file);
        if (line->offset < 0 || file >= result.size() || isKnown[file])
            continue;
        result[file] = line->offset;
        isKnown[file] = true;
        --unknown;
    }
    return result;
}

bool LogView::hasEarlier() const
{
    return (!m_lines.empty() && m_lines.front().offset > 0 && m_begin.size() == 1)
           || std::ranges::any_of(m_begin, [](qint64 offset) { return offset > 0; });
}

void LogView::setWrapped(bool wrapped)
{
    const bool atEnd = isAtEnd();
    setLineWrapMode(wrapped ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
    setWordWrapMode(wrapped ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
    if (atEnd)
        scrollToEnd();
}

}  // namespace sweepscope::ui
