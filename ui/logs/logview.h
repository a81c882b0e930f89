#pragma once

#include "ui/logs/logfeed.h"

#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTextCursor>

#include <deque>
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
    void prepend(const std::vector<ShownLine> &lines);
    void setLineLimit(int lines) { m_limit = lines; }
    int lineLimit() const { return m_limit; }
    int lineCount() const { return static_cast<int>(m_offsets.size()); }
    /// Offset of the first line kept, in its file; -1: not from a file.
    qint64 firstOffset() const { return m_offsets.empty() ? -1 : m_offsets.front(); }

    void setWrapped(bool wrapped);
    bool isAtEnd() const;
    void scrollToEnd();

    /// Search. An invalid pattern finds nothing.
    void setPattern(const std::optional<QRegularExpression> &pattern);
    struct Found {
        bool found = false;
        bool wrapped = false;  ///< went on from the other end
        bool tooSlow = false;  ///< gave up: the pattern takes too long
    };
    /// `mayWrap`: from the other end where there is none up to this one.
    Found findNext(bool forward, bool mayWrap = true);
    /// The hit in the line that lies at this offset of its file. False: it is not shown, or fits no more.
    bool findAt(qint64 offset, const QRegularExpression &pattern);
    struct Hits {
        int count = 0;
        int current = 0;       ///< which of them is selected, from 1; 0: none
        bool complete = true;  ///< false: there may be more, counting took too long
    };
    Hits countHits() const;
    Found findFirst(const QRegularExpression &pattern);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void insertAtEnd(const std::vector<ShownLine> &lines, bool withRank);
    void insertLines(QTextCursor &cursor, const std::vector<ShownLine> &lines, bool withRank) const;
    void removePartial();
    void trim();
    void highlightVisible();
    QTextCharFormat format(const TextStyle &style) const;
    Found find(const QRegularExpression &pattern, QTextCursor from, bool forward, bool mayWrap = true);

    std::deque<qint64> m_offsets;  // of the whole lines, one for each block
    int m_partialLines = 0;        // blocks after them
    int m_limit = 50'000;
    std::optional<QRegularExpression> m_pattern;
};

}  // namespace sweepscope::ui
