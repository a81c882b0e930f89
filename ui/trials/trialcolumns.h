#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include <set>

class QMenu;
class QSettings;
class QTableView;
class QWidget;

namespace sweepscope::ui {

class TrialTableModel;

/// Which columns of the table of trials are shown, in which order, how wide, and by which the table is sorted. Kept for
/// each sweep; a sweep that nobody has arranged looks like the one that was arranged last.
class TrialColumns : public QObject {
    Q_OBJECT

public:
    TrialColumns(QTableView *table, const TrialTableModel *model, QSettings *settings);

    /// The model has another sweep. `key` names it in the settings; empty: nothing is kept.
    void restore(const QString &key);
    /// Columns whose contents have become longer; what is free beside them goes to those that are cut.
    void grow();
    /// Contents have become others: as wide as these need, but for columns that the person has sized.
    void fit();
    /// One checkable action for each column, and one that sets all back.
    void fillMenu(QMenu *menu);
    void show(const QString &columnId);
    /// Past so many of those that are shown, to the right or (negative) to the left.
    void move(int section, int places);
    /// Sections that are shown, from the left.
    QList<int> shownSections() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QStringList usualOrder() const;
    bool isUsuallyShown(int section) const;
    void setUsual();
    void arrange(const QStringList &order);
    QStringList completed(const QStringList &order) const;
    bool isStretched(int section) const;
    void apply(const QString &group);
    void save();
    void setShown(int section, bool shown);

    QTableView *m_table;
    QWidget *m_viewport;
    const TrialTableModel *m_model;
    QSettings *m_settings;
    QString m_key;
    std::set<int> m_sizedByHand;
    std::set<int> m_widened;           ///< beyond what is usual, into room that is free
    bool m_arranging = false;          ///< by the program
    const QMenu *m_pressed = nullptr;  ///< in which the mouse button went down; never followed
    bool m_wasArranging = false;       ///< before the model was reset
};

}  // namespace sweepscope::ui
