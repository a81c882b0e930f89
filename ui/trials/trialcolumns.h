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

/// The columns of the trial table: which are shown, their order, their widths, and the sort column. Stored per sweep; a
/// sweep without settings uses the last ones.
class TrialColumns : public QObject {
    Q_OBJECT

public:
    TrialColumns(QTableView *table, const TrialTableModel *model, QSettings *settings);

    /// The model has another sweep. `key` identifies it in the settings; empty: nothing is stored.
    void restore(const QString &key);
    /// Widens columns whose contents have become longer; elided columns get the free space.
    void grow();
    /// Fits columns to new contents, except those that the user has resized.
    void fit();
    /// Adds a checkable action for each column, and one that resets all.
    void fillMenu(QMenu *menu);
    void show(const QString &columnId);
    /// Moves a column by `places` shown columns, to the right or (negative) to the left.
    void move(int section, int places);
    /// Returns the shown sections from the left.
    QList<int> shownSections() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QStringList usualOrder() const;
    bool isUsuallyShown(int section) const;
    void setUsual();
    void showReasons();
    void arrange(const QStringList &order);
    QStringList completed(const QStringList &order) const;
    bool isStretched(int section) const;
    int widthOfTitle(int section) const;
    int widestNumber(int section) const;
    void apply(const QString &group);
    void save();
    void setShown(int section, bool shown);

    QTableView *m_table;
    QWidget *m_viewport;
    const TrialTableModel *m_model;
    QSettings *m_settings;
    QString m_key;
    std::set<int> m_sizedByHand;
    std::set<int> m_widened;           ///< beyond the usual width, into free space
    bool m_hidesReasons = false;       ///< the column is shown, but has nothing to show
    bool m_arranging = false;          ///< changes are not made by the user
    const QMenu *m_pressed = nullptr;  ///< where the mouse button was pressed; only compared, never dereferenced
    bool m_wasArranging = false;       ///< before the model was reset
};

}  // namespace sweepscope::ui
