// LogView's search: what is marked, what is counted, and the next hit. A person's regular expression may take for ever, and
// lines come in all the time, so all of it is done in slices that no frame feels.
#include "ui/logs/logview.h"

#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <ctime>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr double sliceMs = 4;
constexpr double markMs = 30;
constexpr qint64 searchMs = 10'000;
/// A line (of 16 KB at most) that takes so long is looked at again.
constexpr double slowLineMs = 3;
constexpr int maxMarks = 2000;

/// What this thread has worked: a machine that has no time for it makes no pattern slow.
double workedMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Calls `take` with each match that is not empty, until it returns false.
template <typename Take>
void eachMatch(const QRegularExpression &pattern, const QString &text, qsizetype from, Take take)
{
    QRegularExpressionMatchIterator matches = pattern.globalMatch(text, from);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() > 0 && !take(match))
            return;
    }
}

/// PCRE gave up, after some tens of milliseconds: such a pattern is given up too.
bool takesForEver(const QRegularExpression &pattern, const QString &text, double neededMs)
{
    return neededMs > slowLineMs && !pattern.match(text).isValid();
}

int countIn(const QRegularExpression &pattern, const QString &text)
{
    int count = 0;
    eachMatch(pattern, text, 0, [&count](const QRegularExpressionMatch &) { return ++count > 0; });
    return count;
}

/// First match at or after `from`, or last match that begins before it.
QRegularExpressionMatch matchIn(const QRegularExpression &pattern, const QString &text, qsizetype from, bool forward)
{
    QRegularExpressionMatch result;
    eachMatch(pattern, text, forward ? from : 0, [&](const QRegularExpressionMatch &match) {
        if (!forward && match.capturedStart() >= from)
            return false;
        result = match;
        return !forward;
    });
    return result;
}

}  // namespace

void LogView::setPattern(const std::optional<QRegularExpression> &pattern)
{
    m_search.reset();
    m_pattern = pattern && pattern->isValid() && !pattern->pattern().isEmpty() ? pattern : std::nullopt;
    for (Line &line : m_lines)
        line.hits = notCounted;
    forgetCounts();
    m_markTooSlow = false;
    viewport()->update();
    m_counting.start();
}

void LogView::forgetCounts()
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
    const double begin = workedMs();
    double last = begin;
    QTextBlock block = document()->findBlockByNumber(static_cast<int>(m_counted));
    for (; m_counted < m_lines.size() && last - begin < sliceMs && !m_countTooSlow; ++m_counted, block = block.next()) {
        Line &line = m_lines[m_counted];
        if (line.hits != notCounted)
            continue;
        const QString text = textOf(block);
        line.hits = countIn(*m_pattern, text);
        m_hits += line.hits;
        const double now = workedMs();
        m_countTooSlow = line.hits == 0 && takesForEver(*m_pattern, text, now - last);
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
    // Of the selection's line all matches before it, and whether one begins with it.
    const QTextBlock block = document()->findBlock(cursor.selectionStart());
    int earlier = 0;
    for (int number = 0; number < std::min(block.blockNumber(), lineCount()); ++number)
        earlier += std::max(0, m_lines[static_cast<std::size_t>(number)].hits);
    eachMatch(*m_pattern, textOf(block), 0, [&](const QRegularExpressionMatch &match) {
        ++earlier;
        if (textPosition(block) + match.capturedStart() == cursor.selectionStart())
            hits.current = earlier;
        return hits.current == 0;
    });
    // What is selected was found, whether it is counted or not.
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
    eachMatch(*m_pattern, textOf(block), 0, [&](const QRegularExpressionMatch &match) {
        isHit = textPosition(block) + match.capturedStart() == cursor.selectionStart();
        result.inLine += isHit ? 0 : 1;
        return !isHit;
    });
    return isHit && line.offset >= 0 ? std::optional(result) : std::nullopt;
}

/// "[rank 0] " is no part of what the rank wrote.
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

/// In the document.
int LogView::textPosition(const QTextBlock &block) const
{
    return block.position() + (m_withRank ? prefixLength(block.text()) : 0);
}

void LogView::select(const QTextBlock &block, const QRegularExpressionMatch &match)
{
    const int begin = textPosition(block);
    QTextCursor cursor(block);
    cursor.setPosition(begin + static_cast<int>(match.capturedStart()));
    cursor.setPosition(begin + static_cast<int>(match.capturedEnd()), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    centerCursor();
}

void LogView::findNext(bool forward, bool mayWrap, Answer answer)
{
    if (!m_pattern) {
        m_search.reset();
        answer({});
        return;
    }
    Search search;
    search.pattern = *m_pattern;
    search.isShownPattern = true;
    search.forward = forward;
    search.mayWrap = mayWrap;
    search.answer = std::move(answer);
    QTextCursor from = textCursor();
    from.setPosition(forward ? from.selectionEnd() : from.selectionStart());
    begin(std::move(search), from);
}

void LogView::findFirst(const QRegularExpression &pattern, Answer answer)
{
    Search search;
    search.pattern = pattern;
    search.mayWrap = false;
    search.answer = std::move(answer);
    begin(std::move(search), QTextCursor(document()->firstBlock()));
}

bool LogView::findAt(int file, qint64 offset, const QRegularExpression &pattern)
{
    const auto line = std::ranges::find_if(
        m_lines, [file, offset](const Line &one) { return one.offset == offset && one.file == file; });
    if (line == m_lines.end())
        return false;
    m_search.reset();
    const QTextBlock block = document()->findBlockByNumber(static_cast<int>(line - m_lines.begin()));
    const QRegularExpressionMatch match = matchIn(pattern, textOf(block), 0, true);
    if (match.hasMatch())
        select(block, match);
    return match.hasMatch();
}

void LogView::begin(Search search, const QTextCursor &from)
{
    search.next = from;
    search.begin = from;
    search.clock.start();
    m_search = std::move(search);
    searchOn();
}

/// A line that is counted need not be looked at.
bool LogView::hasNoHit(int block) const
{
    return m_search->isShownPattern && block < lineCount() && m_lines[static_cast<std::size_t>(block)].hits == 0;
}

void LogView::searchOn()
{
    if (!m_search)
        return;
    Search &search = *m_search;
    const double begin = workedMs();
    double last = begin;
    QTextBlock block = search.next.block();
    qsizetype position = search.next.positionInBlock();
    while (last - begin < sliceMs) {
        if (!hasNoHit(block.blockNumber())) {
            const QString text = textOf(block);
            const qsizetype inText = std::max<qsizetype>(0, position - (textPosition(block) - block.position()));
            const QRegularExpressionMatch match = matchIn(search.pattern, text, inText, search.forward);
            if (match.hasMatch()) {
                select(block, match);
                endSearch({true, search.wrapped, false});
                return;
            }
            const double now = workedMs();
            if (takesForEver(search.pattern, text, now - last) || search.clock.elapsed() > searchMs) {
                endSearch({false, false, true});
                return;
            }
            last = now;
        }
        // The block where it began is looked at again for what lies on the cursor's other side.
        const bool isRound = search.wrapped && block == search.begin.block();
        block = search.forward ? block.next() : block.previous();
        if (!block.isValid() && search.mayWrap && !search.wrapped) {
            search.wrapped = true;
            block = search.forward ? document()->firstBlock() : document()->lastBlock();
        }
        if (isRound || !block.isValid()) {
            endSearch({false, search.wrapped, false});
            return;
        }
        position = search.forward ? 0 : block.length() - 1;
    }
    // Lines come and go until the next turn: the cursor goes with its own.
    search.next.setPosition(block.position() + static_cast<int>(position));
    m_searching.start();
}

void LogView::endSearch(const Found &found)
{
    const Answer answer = std::move(m_search->answer);
    m_search.reset();
    answer(found);
}

void LogView::paintEvent(QPaintEvent *event)
{
    if (m_pattern && !m_markTooSlow)
        paintMarks(event->rect());
    QPlainTextEdit::paintEvent(event);
}

/// Painted here and not as the text's extra selections: each of these has a cursor, which moves with every line that comes.
void LogView::paintMarks(const QRect &where)
{
    QPainter painter(viewport());
    const double begin = workedMs();
    int count = 0;
    const auto mayGoOn = [&] { return ++count <= maxMarks && workedMs() - begin < markMs; };
    QTextBlock block = firstVisibleBlock();
    QPointF place = blockBoundingGeometry(block).translated(contentOffset()).topLeft();
    for (double last = begin; block.isValid() && place.y() <= where.bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();  // lays it out
        const bool isPainted = place.y() + height < where.top() || paintMarks(painter, block, place, mayGoOn);
        const double now = workedMs();
        m_markTooSlow = takesForEver(*m_pattern, textOf(block), now - last);
        if (!isPainted || m_markTooSlow)
            return;
        last = now;
        place.ry() += height;
    }
}

/// False: it was not to go on.
bool LogView::paintMarks(QPainter &painter, const QTextBlock &block, const QPointF &place,
                         const std::function<bool()> &mayGoOn) const
{
    QColor color = palette().color(QPalette::Highlight);
    color.setAlpha(80);
    bool goesOn = true;
    eachMatch(*m_pattern, textOf(block), 0,
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
                  return goesOn = mayGoOn();
              });
    return goesOn;
}

}  // namespace sweepscope::ui
