#pragma once

#include "ui/home/sweepbuttons.h"
#include "ui/models/sweeplistmodel.h"

#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace sweepscope::ui {

class EmptyView;
class SelectionModel;
class SweepTableModel;

/// Where one begins: the sweeps of the workspace with how they go, and the ways to a new one.
class HomePage : public QWidget {
    Q_OBJECT

public:
    /// `sweeps`: the side bar's, kept up to date by it. `examples`: filled when it is about to be shown.
    HomePage(SweepListModel *sweeps, SelectionModel *selection, QMenu *examples, QWidget *parent = nullptr);

    void setWorkspace(const QString &folder);
    void setReadOnly(bool readOnly);

Q_SIGNALS:
    void sweepOpened(qint64 sweepId);
    void editRequested(qint64 sweepId);
    void copyRequested(qint64 sweepId);
    void stopRequested(qint64 sweepId);
    void archiveRequested(qint64 sweepId, bool archived);
    void deleteRequested(qint64 sweepId);
    void newRequested();
    void openRequested();
    void exampleRequested();  ///< the first one, to begin with

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildTable();
    void fitColumns();
    QLayout *buildHead(QMenu *examples);
    /// Its row is the current one; 0, or one that is not listed: none is.
    void selectSweep(qint64 sweepId);
    void updateShown();
    void showArchived(bool on);
    int archivedSweeps() const;
    void takeBackArchiving();
    void updateButtons();
    void deleteCurrent();
    qint64 currentSweep() const;  ///< 0: none
    void showMenu(const QPoint &position);

    SweepListModel *m_sweeps;
    SweepTableModel *m_model;
    QSortFilterProxyModel *m_sorted;
    QTableView *m_table;
    QLabel *m_workspace;
    QPushButton *m_archived;  ///< whether archived sweeps are listed
    SweepButtons m_begin{};
    QPushButton *m_clone;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    QList<qint64> m_justArchived;  ///< what Ctrl+Z brings back, the last first
    bool m_readOnly = false;
};

}  // namespace sweepscope::ui
