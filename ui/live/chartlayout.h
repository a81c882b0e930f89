#pragma once

#include <QObject>
#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// Which charts stand below the first one, and in which order, as the person arranged them; ids are Chart's. Each change
/// can be undone.
class ChartLayout : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// For a request: empty for the usual ones, which depend on the trial.
    const QStringList &charts() const { return m_charts; }
    bool isUsual() const { return m_charts.isEmpty(); }
    /// The ids that there are, usual ones included.
    QStringList present() const;
    /// What the usual ones are, as the last frame shows.
    void setUsual(const QStringList &ids) { m_usual = ids; }

    void add(const QString &id);
    void remove(const QString &id);
    /// `place` among the others, from 0.
    void move(const QString &id, qsizetype place);
    /// In the same place; where `next` is there already, it stays one.
    void replace(const QString &id, const QString &next);
    void useUsual();

    bool canUndo() const { return !m_before.empty(); }
    bool canRedo() const { return !m_after.empty(); }
    void undo();
    void redo();
    /// Another sweep's: nothing of it can be undone.
    void restore(const QStringList &charts);

Q_SIGNALS:
    void changed();

private:
    void set(QStringList charts);
    void setPresent(const QStringList &ids);

    QStringList m_charts;
    QStringList m_usual;
    std::vector<QStringList> m_before;
    std::vector<QStringList> m_after;
};

}  // namespace sweepscope::ui
