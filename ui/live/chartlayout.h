#pragma once

#include "ui/live/chart.h"

#include <QObject>
#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// Where a chart goes: seen from another one.
struct ChartPlace {
    enum class Side {
        Above,  ///< in a row of its own
        Below,  ///< likewise
        Left,   ///< in the same row
        Right   ///< likewise
    };

    Side side = Side::Below;
    QString of;  ///< the other's id; a chart that is not there: at the end

    bool operator==(const ChartPlace &) const = default;
};

/// So many charts stand beside each other at most: more would have no room for their axes.
inline constexpr qsizetype mostBeside = 4;
/// So many are taken from settings, which may be damaged.
inline constexpr int mostKept = 100;

/// Which charts there are and how they are arranged, in rows from the top, as the person wants it; ids are Chart's. One
/// stays always. Each change can be undone.
class ChartLayout : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// For a request: empty for the usual ones, which depend on the trial.
    const ChartRows &rows() const { return m_rows; }
    bool isUsual() const { return m_rows.isEmpty(); }
    /// Those that there are, usual ones included.
    const ChartRows &presentRows() const { return m_rows.isEmpty() ? m_usual : m_rows; }
    QStringList present() const;
    /// Its row among presentRows(); -1: it is not there.
    qsizetype rowOf(const QString &id) const;
    /// What the usual ones are, as the last frame shows.
    void setUsual(const ChartRows &rows) { m_usual = rows; }

    void add(const QString &id, const ChartPlace &place = {});
    bool canRemove() const { return present().size() > 1; }
    void remove(const QString &id);
    void move(const QString &id, const ChartPlace &place);
    /// In the same place; where `next` is there already, it stays one.
    void replace(const QString &id, const QString &next);
    void useUsual();

    bool canUndo() const { return !m_before.empty(); }
    bool canRedo() const { return !m_after.empty(); }
    void undo();
    void redo();
    /// Another sweep's: nothing of it can be undone.
    void restore(const ChartRows &rows);

Q_SIGNALS:
    void changed();

private:
    void set(ChartRows rows);

    ChartRows m_rows;
    ChartRows m_usual;
    std::vector<ChartRows> m_before;
    std::vector<ChartRows> m_after;
};

/// For settings: a line for each chart, with a mark where it stands beside the one before it.
QStringList toLines(const ChartRows &rows);
ChartRows fromLines(const QStringList &lines);

}  // namespace sweepscope::ui
