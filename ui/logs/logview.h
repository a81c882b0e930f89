#pragma once

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

/// Shows log lines: the newest so many, more on demand. Stays at the end while it is there; a reader who scrolled up is
/// not moved.
class LogView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogView(QWidget *parent = nullptr);

    void clearLines();
    /// Take a batch: whole lines at the end, then what is unfinished.
    void append(const LogBatch &batch, bool withRank);
    void prepend(const std::vector<ShownLine> &lines, bool withRank = false);
    void setLineLimit(int lines) { m_limit = lines; }
    /// Whether who is at the end stays there when lines come.
    void setFollowing(bool following) { m_isFollowing = following; }
    int lineLimit() const { return m_limit; }
    int lineCount() const { return static_cast<int>(m_lines.size()); }
    /// Where the lines begin: of each file the first line that is kept, or would come.
    LogPosition begin() const;
    /// Where those begin that are appended next, after clearLines().
    void setBegin(const LogPosition &begin) { m_begin = begin; }
    bool hasBegin() const { return !m_begin.empty(); }
    /// Something of the files lies before the lines.
    bool hasEarlier() const;

    void setWrapped(bool wrapped);
    bool isAtEnd() const;
    void scrollToEnd();

    /// What is marked and counted. An invalid pattern finds nothing.
    void setPattern(const std::optional<QRegularExpression> &pattern);
    struct Hits {
        int count = 0;
        int current = 0;       ///< which of them is selected, from 1; 0: none
        bool complete = true;  ///< false: the rest is still being counted
        bool tooSlow = false;  ///< it is not: the pattern takes too long
    };
    Hits hits() const;
    /// Whether the lines' hits are counted; off where somebody counts those of the whole files.
    void setCounting(bool counting);

    struct Found {
        bool found = false;
        bool wrapped = false;  ///< went on from the other end
        bool tooSlow = false;  ///< gave up: the pattern takes too long
    };
    using Answer = std::function<void(const Found &)>;
    /// Selects the pattern's next hit after the cursor, or the last one before it. Long searches go on while the window
    /// lives; another one, or another pattern, ends them without an answer.
    /// `mayWrap`: from the other end where there is none up to this one.
    void findNext(bool forward, bool mayWrap, Answer answer);
    void findFirst(const QRegularExpression &pattern, Answer answer);
    /// Selects the hit in the line that lies at this offset of its file. False: it is not shown, or fits no more.
    bool findAt(int file, qint64 offset, const QRegularExpression &pattern);
    struct Selected {
        int file = 0;
        qint64 offset = 0;  ///< of its line
        int inLine = 0;     ///< how many hits of the line lie before it
        bool operator==(const Selected &) const = default;
    };
    /// The hit that is selected, where it is in a whole line of a file.
    std::optional<Selected> selectedHit() const;

Q_SIGNALS:
    void hitsChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void insertAtEnd(const std::vector<ShownLine> &lines, bool withRank);
    void insertLines(QTextCursor &cursor, const std::vector<ShownLine> &lines, bool withRank) const;
    void removePartial();
    void trim();
    QTextCharFormat format(const TextStyle &style) const;

    /// A whole line; one block of the document.
    struct Line {
        qint64 offset = -1;
        qint64 end = -1;
        int file = 0;
        int hits = notCounted;
    };
    static constexpr int notCounted = -1;
    static Line lineOf(const ShownLine &shown) { return {shown.offset, shown.end, shown.file, notCounted}; }

    void paintMarks(const QRect &where);
    bool paintMarks(QPainter &painter, const QTextBlock &block, const QPointF &place,
                    const std::function<bool()> &mayGoOn) const;
    void showWhatCame();
    void countOn();
    void forgetCounts();
    void startSearch(TextSearch::Request request, Answer answer);
    int prefixLength(const QString &text) const;
    QString textOf(const QTextBlock &block) const;
    int textPosition(const QTextBlock &block) const;

    std::deque<Line> m_lines;
    LogPosition m_begin;      // where a file begins of which no line is kept
    bool m_withRank = false;  // the lines begin with it
    int m_partialLines = 0;   // blocks after them
    int m_limit = 50'000;
    bool m_isFollowing = true;
    std::optional<QRegularExpression> m_pattern;
    std::size_t m_counted = 0;  // lines before this one are counted
    int m_hits = 0;             // in all that are
    bool m_isCounting = true;
    bool m_countTooSlow = false;
    QTimer m_counting;
    bool m_markTooSlow = false;
    TextSearch *m_search;
    QTimer m_painting;  // lines that came faster than a screen shows pictures
    QElapsedTimer m_sincePainted;
};

}  // namespace sweepscope::ui
