#pragma once

#include "ui/logs/levelcounts.h"
#include "ui/logs/logfeed.h"
#include "ui/logs/textsearch.h"

#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTextCursor>
#include <QTimer>

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::ui {

class LogGutter;

/// Shows the latest log lines, and earlier ones on request. Stays at the end while it is there; new lines do not move a
/// view that was scrolled up.
class LogView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogView(QWidget *parent = nullptr);

    void clearLines();
    /// Appends a batch: whole lines, then unfinished ones.
    void append(const LogBatch &batch, bool withRank);
    void prepend(const std::vector<ShownLine> &lines, bool withRank = false);
    void setLineLimit(int lines) { m_limit = lines; }
    /// Whether a view at the end stays there when lines arrive.
    void setFollowing(bool following) { m_isFollowing = following; }
    int lineLimit() const { return m_limit; }
    int lineCount() const { return static_cast<int>(m_lines.size()); }
    /// Position of the first lines: for each file, the first line that is kept or would come next.
    LogPosition begin() const;
    /// Position of the lines that are appended after clearLines().
    void setBegin(const LogPosition &begin) { m_begin = begin; }
    bool hasBegin() const { return !m_begin.empty(); }
    /// Whether the files have content before the lines.
    bool hasEarlier() const;

    void setWrapped(bool wrapped);
    /// Shows the time of each line next to it.
    void setTimesShown(bool shown);
    bool isAtEnd() const;
    void scrollToEnd();

    static constexpr int notCounted = -1;
    /// A whole line, which is one block of the document.
    struct Line {
        qint64 offset = -1;
        qint64 end = -1;
        int file = 0;
        int hits = notCounted;
        WallNs time = 0;  ///< 0 if unknown
        LineLevel level{};
    };
    /// Calls `take` for each visible line; null for an unfinished one.
    void eachVisibleLine(const std::function<void(const QRectF &place, const Line *line)> &take) const;
    const std::deque<Line> &lines() const { return m_lines; }
    /// Number of warnings and errors in the lines.
    const LevelCounts &levelCounts() const { return m_levels; }

    /// A line of a file.
    struct Place {
        int file = 0;
        qint64 offset = 0;
        bool operator==(const Place &) const = default;
    };
    /// The line that the user looks at: with the cursor, else at the top. nullopt at the end of the log.
    std::optional<Place> viewedPlace() const;
    /// The line with the cursor, if it is of a file.
    std::optional<Place> cursorPlace() const;
    /// Shows and selects the line: the first hit in it, if there is one. Returns false if it is not among the lines.
    bool showLine(const Place &place);

    /// Sets what is marked and counted. An invalid pattern matches nothing.
    void setPattern(const std::optional<QRegularExpression> &pattern);
    struct Hits {
        int count = 0;
        int current = 0;       ///< index of the selected hit, from 1; 0 if none
        bool complete = true;  ///< false: the rest is being counted
        bool tooSlow = false;  ///< given up: the pattern takes too long
    };
    Hits hits() const;
    /// Whether to count hits in the lines; off if those of the whole files are counted elsewhere.
    void setCounting(bool counting);

    struct Found {
        bool found = false;
        bool wrapped = false;  ///< continued from the other end
        bool tooSlow = false;  ///< given up: the pattern takes too long
    };
    using Answer = std::function<void(const Found &)>;
    /// Selects the next hit after the cursor, or the last one before it. Long searches run in the background; another
    /// search or pattern cancels them without an answer. `mayWrap`: continues from the other end if there is none.
    void findNext(bool forward, bool mayWrap, Answer answer);
    void findFirst(const QRegularExpression &pattern, Answer answer);
    /// Selects the hit in the line at this offset of its file. Returns false if the line is not shown or does not match
    /// any more.
    bool findAt(int file, qint64 offset, const QRegularExpression &pattern);
    struct Selected {
        int file = 0;
        qint64 offset = 0;  ///< of its line
        int inLine = 0;     ///< number of earlier hits in the line
        bool operator==(const Selected &) const = default;
    };
    /// The selected hit, if it is in a whole line of a file.
    std::optional<Selected> selectedHit() const;

Q_SIGNALS:
    void hitsChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void insertAtEnd(const std::vector<ShownLine> &lines, bool withRank);
    void insertLines(QTextCursor &cursor, const std::vector<ShownLine> &lines, bool withRank) const;
    void removePartial();
    void trim();
    QTextCharFormat format(const TextStyle &style) const;

    static Line lineOf(const ShownLine &shown)
    {
        return {shown.offset, shown.end, shown.file, notCounted, shown.time, shown.level};
    }
    std::deque<Line>::const_iterator findLine(const Place &place) const;
    void copyWithTimes() const;
    void layOutGutter();

    void paintMarks(const QRect &where);
    bool paintMarks(QPainter &painter, const QTextBlock &block, const QPointF &place,
                    const std::function<bool()> &mayGoOn) const;
    void showWhatCame();
    void countOn();
    void resetCounts();
    void startSearch(TextSearch::Request request, Answer answer);
    int prefixLength(const QString &text) const;
    QString textOf(const QTextBlock &block) const;
    int textPosition(const QTextBlock &block) const;

    LogGutter *m_gutter;
    std::deque<Line> m_lines;
    LevelCounts m_levels;
    bool m_isCursorPlaced = false;  // by the user or a search
    LogPosition m_begin;            // for files without a kept line
    bool m_withRank = false;        // lines begin with the rank
    int m_partialLines = 0;         // number of blocks after them
    int m_limit = 50'000;
    bool m_isFollowing = true;
    std::optional<QRegularExpression> m_pattern;
    std::size_t m_counted = 0;  // lines before this index are counted
    int m_hits = 0;             // in all counted lines
    bool m_isCounting = true;
    bool m_countTooSlow = false;
    QTimer m_counting;
    bool m_markTooSlow = false;
    TextSearch *m_search;
    QTimer m_painting;  // for lines that arrive faster than the screen refreshes
    QElapsedTimer m_sincePainted;
};

}  // namespace sweepscope::ui
