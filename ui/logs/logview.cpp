#include "ui/logs/logview.h"

#include "ui/logs/linematches.h"
#include "ui/logs/linetime.h"
#include "ui/logs/loggutter.h"
#include "ui/logs/terminalcolors.h"
#include "ui/models/valuetext.h"
#include "ui/theme/textsize.h"
#include "ui/theme/trialcolors.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr qint64 paintMs = 16;
constexpr double markMs = 30;
constexpr int maxMarks = 2000;

}  // namespace

LogView::LogView(QWidget *parent)
    : QPlainTextEdit(parent), m_gutter(new LogGutter(this)), m_search(new TextSearch(this))
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setTextRole(this, TextRole::Monospace);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Log"));
    // Each at most once per turn of the event loop, however much arrives between.
    for (QTimer *timer : {&m_counting, &m_painting}) {
        timer->setSingleShot(true);
        timer->setInterval(0);
    }
    connect(&m_counting, &QTimer::timeout, this, &LogView::countOn);
    m_painting.setTimerType(Qt::PreciseTimer);
    connect(&m_painting, &QTimer::timeout, this, &LogView::showWhatCame);
    m_sincePainted.start();
    layOutGutter();
}

void LogView::clearLines()
{
    m_search->cancel();
    clear();
    m_lines.clear();
    m_levels = {};
    m_isCursorPlaced = false;
    m_begin.clear();
    m_partialLines = 0;
    resetCounts();
}

bool LogView::isAtEnd() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum();
}

void LogView::resizeEvent(QResizeEvent *event)
{
    // A new height must not move the view away from the end.
    const bool atEnd = isAtEnd();
    QPlainTextEdit::resizeEvent(event);
    layOutGutter();
    if (atEnd)
        scrollToEnd();
}

void LogView::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOutGutter();
}

void LogView::layOutGutter()
{
    const bool atEnd = isAtEnd();
    const int width = m_gutter->neededWidth();
    if (viewportMargins().left() != width)
        setViewportMargins(width, 0, 0, 0);
    const QRect inner = contentsRect();
    m_gutter->setGeometry(inner.left(), inner.top(), width, viewport()->height());
    if (atEnd)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogView::setTimesShown(bool shown)
{
    m_gutter->setTimesShown(shown);
    layOutGutter();
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
    // Insert plain text in large pieces: this makes a hundred thousand lines fast.
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
    viewport()->repaint();  // before more lines arrive
    m_gutter->repaint();
}

void LogView::removePartial()
{
    if (m_partialLines == 0)
        return;
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    const QTextBlock first = document()->findBlockByNumber(std::max(0, document()->blockCount() - m_partialLines));
    // Include the line break before it, unless nothing precedes it.
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
    // setUpdatesEnabled() would repaint immediately, and leave a hole if the page is painted meanwhile.
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
        remark(tr("── file truncated or replaced; new content follows ──"));
    if (batch.skipped > 0)
        remark(
            tr("── %1 skipped: output too fast to show; search still covers it ──").arg(fileSizeText(batch.skipped)));
    insertAtEnd(batch.lines, withRank);
    for (const ShownLine &line : batch.lines) {
        m_lines.push_back(lineOf(line));
        m_levels.add(line.level);
    }
    insertAtEnd(batch.partial, withRank);
    m_partialLines = static_cast<int>(batch.partial.size());
    trim();
    edit.endEditBlock();
    if (m_isFollowing && atEnd && !hadSelection)
        scrollToEnd();
    viewport()->setAttribute(Qt::WA_UpdatesDisabled, false);
    // A timer alone would fire only after lines that are already waiting.
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
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        m_lines.push_front(lineOf(*line));
        m_levels.add(line->level);
    }
    m_counted = 0;
    m_counting.start();
    m_limit = std::max(m_limit, lineCount() + 10'000);
    verticalScrollBar()->setValue(scrolled + document()->blockCount() - blocksBefore);
}

void LogView::trim()
{
    // Some slack, so that not every new line removes an old one.
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
        m_levels.add(line->level, -1);
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

void LogView::setPattern(const std::optional<QRegularExpression> &pattern)
{
    m_search->cancel();
    m_pattern = pattern && pattern->isValid() && !pattern->pattern().isEmpty() ? pattern : std::nullopt;
    for (Line &line : m_lines)
        line.hits = notCounted;
    resetCounts();
    m_markTooSlow = false;
    viewport()->update();
    m_counting.start();
}

void LogView::resetCounts()
{
    m_counted = 0;
    m_hits = 0;
    m_countTooSlow = false;
}

void LogView::setCounting(bool counting)
{
    if (counting && !m_isCounting)
        m_counting.start();
    m_isCounting = counting;
}

void LogView::countOn()
{
    if (!m_pattern || !m_isCounting || m_countTooSlow)
        return;
    const int before = m_hits;
    const double begin = threadCpuMs();
    double last = begin;
    QTextBlock block = document()->findBlockByNumber(static_cast<int>(m_counted));
    for (; m_counted < m_lines.size() && last - begin < searchSliceMs && !m_countTooSlow;
         ++m_counted, block = block.next()) {
        Line &line = m_lines[m_counted];
        if (line.hits != notCounted)
            continue;
        const QString text = textOf(block);
        line.hits = countMatches(*m_pattern, text);
        m_hits += line.hits;
        const double now = threadCpuMs();
        m_countTooSlow = line.hits == 0 && takesTooLong(*m_pattern, text, now - last);
        last = now;
    }
    const bool isDone = m_counted == m_lines.size() || m_countTooSlow;
    if (!isDone)
        m_counting.start();
    if (isDone || m_hits != before)
        Q_EMIT hitsChanged();
}

LogView::Hits LogView::hits() const
{
    Hits hits;
    if (!m_pattern)
        return hits;
    hits.count = m_hits;
    hits.complete = m_counted == m_lines.size();
    hits.tooSlow = m_countTooSlow;
    const QTextCursor cursor = textCursor();
    if (!cursor.hasSelection())
        return hits;
    // In the selection's line, count the matches before it, and whether one begins with it.
    const QTextBlock block = document()->findBlock(cursor.selectionStart());
    int earlier = 0;
    for (int number = 0; number < std::min(block.blockNumber(), lineCount()); ++number)
        earlier += std::max(0, m_lines[static_cast<std::size_t>(number)].hits);
    eachMatch(*m_pattern, textOf(block), [&](const QRegularExpressionMatch &match) {
        ++earlier;
        if (textPosition(block) + match.capturedStart() == cursor.selectionStart())
            hits.current = earlier;
        return hits.current == 0;
    });
    // The selection is a hit, even if it is not counted yet.
    hits.count = std::max(hits.count, hits.current);
    return hits;
}

std::optional<LogView::Selected> LogView::selectedHit() const
{
    const QTextCursor cursor = textCursor();
    const QTextBlock block = document()->findBlock(cursor.selectionStart());
    if (!m_pattern || !cursor.hasSelection() || block.blockNumber() >= lineCount())
        return std::nullopt;
    const Line &line = m_lines[static_cast<std::size_t>(block.blockNumber())];
    Selected result{line.file, line.offset, 0};
    bool isHit = false;
    eachMatch(*m_pattern, textOf(block), [&](const QRegularExpressionMatch &match) {
        isHit = textPosition(block) + match.capturedStart() == cursor.selectionStart();
        result.inLine += isHit ? 0 : 1;
        return !isHit;
    });
    return isHit && line.offset >= 0 ? std::optional(result) : std::nullopt;
}

/// "[rank 0] " is not part of what the rank wrote.
int LogView::prefixLength(const QString &text) const
{
    const bool hasRank = m_withRank && text.startsWith(QLatin1String("[rank "));
    return hasRank ? static_cast<int>(text.indexOf(QLatin1String("] "))) + 2 : 0;
}

QString LogView::textOf(const QTextBlock &block) const
{
    const QString text = block.text();
    const int prefix = prefixLength(text);
    return prefix > 0 ? text.mid(prefix) : text;
}

/// Returns the position of the text in the document.
int LogView::textPosition(const QTextBlock &block) const
{
    return block.position() + (m_withRank ? prefixLength(block.text()) : 0);
}

/// Selects the hit, then calls `answer`.
void LogView::startSearch(TextSearch::Request request, Answer answer)
{
    request.prefixLength = [this](const QString &text) { return prefixLength(text); };
    request.answer = [this, answer = std::move(answer)](const TextSearch::Result &result) {
        if (!result.hit.isNull()) {
            setTextCursor(result.hit);
            centerCursor();
            m_isCursorPlaced = true;
        }
        answer({!result.hit.isNull(), result.wrapped, result.tooSlow});
    };
    m_search->start(std::move(request));
}

void LogView::findNext(bool forward, bool mayWrap, Answer answer)
{
    if (!m_pattern) {
        m_search->cancel();
        answer({});
        return;
    }
    TextSearch::Request request;
    request.pattern = *m_pattern;
    request.forward = forward;
    request.mayWrap = mayWrap;
    request.from = textCursor();
    request.from.setPosition(forward ? request.from.selectionEnd() : request.from.selectionStart());
    request.isSkipped = [this](int block) {
        return block < lineCount() && m_lines[static_cast<std::size_t>(block)].hits == 0;
    };
    startSearch(std::move(request), std::move(answer));
}

void LogView::findFirst(const QRegularExpression &pattern, Answer answer)
{
    TextSearch::Request request;
    request.pattern = pattern;
    request.from = QTextCursor(document()->firstBlock());
    request.isSkipped = [](int) { return false; };
    startSearch(std::move(request), std::move(answer));
}

std::deque<LogView::Line>::const_iterator LogView::findLine(const Place &place) const
{
    return std::ranges::find_if(
        m_lines, [&place](const Line &one) { return one.offset == place.offset && one.file == place.file; });
}

bool LogView::showLine(const Place &place)
{
    const auto line = findLine(place);
    if (line == m_lines.end())
        return false;
    if (m_pattern && findAt(place.file, place.offset, *m_pattern))
        return true;
    m_search->cancel();
    QTextCursor cursor(document()->findBlockByNumber(static_cast<int>(line - m_lines.begin())));
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    centerCursor();
    horizontalScrollBar()->setValue(0);
    m_isCursorPlaced = true;
    return true;
}

std::optional<LogView::Place> LogView::cursorPlace() const
{
    const int number = textCursor().blockNumber();
    if (number >= lineCount() || m_lines[static_cast<std::size_t>(number)].offset < 0)
        return std::nullopt;
    const Line &line = m_lines[static_cast<std::size_t>(number)];
    return Place{line.file, line.offset};
}

std::optional<LogView::Place> LogView::viewedPlace() const
{
    if (m_isCursorPlaced && viewport()->rect().intersects(cursorRect()))
        return cursorPlace();
    if (isAtEnd())
        return std::nullopt;
    for (auto number = static_cast<std::size_t>(firstVisibleBlock().blockNumber()); number < m_lines.size(); ++number) {
        if (m_lines[number].offset >= 0)
            return Place{m_lines[number].file, m_lines[number].offset};
    }
    return std::nullopt;
}

void LogView::mousePressEvent(QMouseEvent *event)
{
    QPlainTextEdit::mousePressEvent(event);
    m_isCursorPlaced = true;
}

void LogView::keyPressEvent(QKeyEvent *event)
{
    const int before = textCursor().position();
    QPlainTextEdit::keyPressEvent(event);
    m_isCursorPlaced |= textCursor().position() != before;
}

/// The text of a log, as it is copied, has no times: these belong to the window.
void LogView::contextMenuEvent(QContextMenuEvent *event)
{
    const std::unique_ptr<QMenu> menu(createStandardContextMenu(event->pos()));
    QAction *copy = menu->addAction(tr("Copy with times"), this, &LogView::copyWithTimes);
    copy->setEnabled(textCursor().hasSelection());
    menu->exec(event->globalPos());
}

void LogView::copyWithTimes() const
{
    const QTextCursor cursor = textCursor();
    QString text;
    const QTextBlock last = document()->findBlock(cursor.selectionEnd());
    for (QTextBlock block = document()->findBlock(cursor.selectionStart()); block.isValid(); block = block.next()) {
        const auto number = static_cast<std::size_t>(block.blockNumber());
        const WallNs time = number < m_lines.size() ? m_lines[number].time : 0;
        text += fullTimeText(time) + QLatin1Char(' ') + block.text() + QLatin1Char('\n');
        if (block == last)
            break;
    }
    QGuiApplication::clipboard()->setText(text);
}

void LogView::eachVisibleLine(const std::function<void(const QRectF &place, const Line *line)> &take) const
{
    QTextBlock block = firstVisibleBlock();
    QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    for (; block.isValid() && place.top() <= viewport()->height(); block = block.next()) {
        place.setHeight(blockBoundingRect(block).height());
        const auto number = static_cast<std::size_t>(block.blockNumber());
        take(place, number < m_lines.size() ? &m_lines[number] : nullptr);
        place.translate(0, place.height());
    }
}

bool LogView::findAt(int file, qint64 offset, const QRegularExpression &pattern)
{
    const auto line = findLine({file, offset});
    if (line == m_lines.end())
        return false;
    m_search->cancel();
    const QTextBlock block = document()->findBlockByNumber(static_cast<int>(line - m_lines.begin()));
    const QRegularExpressionMatch match = findMatch(pattern, textOf(block), 0, true);
    if (!match.hasMatch())
        return false;
    QTextCursor cursor(block);
    cursor.setPosition(textPosition(block) + static_cast<int>(match.capturedStart()));
    cursor.setPosition(textPosition(block) + static_cast<int>(match.capturedEnd()), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    centerCursor();
    m_isCursorPlaced = true;
    return true;
}

void LogView::paintEvent(QPaintEvent *event)
{
    if (m_pattern && !m_markTooSlow)
        paintMarks(event->rect());
    QPlainTextEdit::paintEvent(event);
    m_gutter->update();
}

/// Painted here rather than as extra selections: each of these has a cursor, which moves with every new line.
void LogView::paintMarks(const QRect &where)
{
    QPainter painter(viewport());
    const double begin = threadCpuMs();
    int count = 0;
    const auto mayGoOn = [&] { return ++count <= maxMarks && threadCpuMs() - begin < markMs; };
    QTextBlock block = firstVisibleBlock();
    QPointF place = blockBoundingGeometry(block).translated(contentOffset()).topLeft();
    for (double last = begin; block.isValid() && place.y() <= where.bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();  // lays the block out
        const bool isPainted = place.y() + height < where.top() || paintMarks(painter, block, place, mayGoOn);
        const double now = threadCpuMs();
        m_markTooSlow = takesTooLong(*m_pattern, textOf(block), now - last);
        if (!isPainted || m_markTooSlow)
            return;
        last = now;
        place.ry() += height;
    }
}

/// Returns false if `mayGoOn` cancelled it.
bool LogView::paintMarks(QPainter &painter, const QTextBlock &block, const QPointF &place,
                         const std::function<bool()> &mayGoOn) const
{
    QColor color = palette().color(QPalette::Highlight);
    color.setAlpha(80);
    bool continues = true;
    eachMatch(*m_pattern, textOf(block),
              [&, prefix = textPosition(block) - block.position()](const QRegularExpressionMatch &match) {
                  const int from = prefix + static_cast<int>(match.capturedStart());
                  const int to = prefix + static_cast<int>(match.capturedEnd());
                  for (int i = 0; i < block.layout()->lineCount(); ++i) {
                      const QTextLine line = block.layout()->lineAt(i);
                      const int end = line.textStart() + line.textLength();
                      if (from >= end || to <= line.textStart())
                          continue;
                      const double left = line.cursorToX(std::max(from, line.textStart()));
                      const double right = line.cursorToX(std::min(to, end));
                      painter.fillRect(QRectF(left, line.y(), right - left, line.height()).translated(place), color);
                  }
                  return continues = mayGoOn();
              });
    return continues;
}

}  // namespace sweepscope::ui
