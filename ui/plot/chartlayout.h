#pragma once

#include "ui/plot/chart.h"

#include <QObject>
#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// The position of a chart, relative to another one.
struct ChartPlace {
    enum class Side {
        Above,  ///< in a new row
        Below,  ///< in a new row
        Left,   ///< in the same row
        Right   ///< likewise
    };

    Side side = Side::Below;
    QString of;  ///< id of the other chart; if it does not exist: at the end

    bool operator==(const ChartPlace &) const = default;
};

/// Maximum number of charts in a row: more would have no room for their axes.
inline constexpr qsizetype mostBeside = 4;
/// Limits what is read from settings, which may be damaged.
inline constexpr int mostKept = 100;

/// The user's charts and their arrangement, in rows from the top, by Chart's ids. At least one remains. Each change can
/// be undone.
class ChartLayout : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// For a request: empty for the default charts, which depend on the trial.
    const ChartRows &rows() const { return m_rows; }
    bool isUsual() const { return m_rows.isEmpty(); }
    /// The current charts, including default ones.
    const ChartRows &presentRows() const { return m_rows.isEmpty() ? m_usual : m_rows; }
    QStringList present() const;
    /// Its row in presentRows(); -1 if there is none.
    qsizetype rowOf(const QString &id) const;
    /// Sets the default charts, as in the last frame.
    void setUsual(const ChartRows &rows) { m_usual = rows; }

    void add(const QString &id, const ChartPlace &place = {});
    bool canRemove() const { return present().size() > 1; }
    void remove(const QString &id);
    void move(const QString &id, const ChartPlace &place);
    /// Replaces a chart in its place; does not duplicate `next` if it exists already.
    void replace(const QString &id, const QString &next);
    void useUsual();

    bool canUndo() const { return !m_before.empty(); }
    bool canRedo() const { return !m_after.empty(); }
    void undo();
    void redo();
    /// Restores the charts of another sweep and clears the undo history.
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

/// For settings: a line per chart, with a mark if it is in the row of the one before it.
QStringList toLines(const ChartRows &rows);
ChartRows fromLines(const QStringList &lines);

}  // namespace sweepscope::ui
