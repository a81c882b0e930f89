#pragma once

#include "ui/models/sweeplistmodel.h"

#include <QPushButton>
#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTableView;

namespace sweepscope::ui {

class EmptyView;
class ListedSweeps;
class SelectionModel;
class SweepTableModel;

/// The sweeps of the workspace with their progress.
class HomePage : public QWidget {
    Q_OBJECT

public:
    /// `sweeps`: the model of the side bar, which updates it.
    HomePage(SweepListModel *sweeps, SelectionModel *selection, QWidget *parent = nullptr);

    void setWorkspace(const QString &folder);
    void setReadOnly(bool readOnly) { m_readOnly = readOnly; }
    /// The menu with other machines.
    void setMachines(QMenu *menu) { m_connect->setMenu(menu); }

Q_SIGNALS:
    void sweepOpened(qint64 sweepId);
    void sweepChosen(qint64 sweepId);  ///< its row is the current one
    void editRequested(qint64 sweepId);
    void copyRequested(qint64 sweepId);
    void stopRequested(qint64 sweepId);
    void archiveRequested(qint64 sweepId, bool archived);
    void deleteRequested(qint64 sweepId);
    void exampleRequested();  ///< the first example

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildTable();
    void fitColumns();
    QLayout *buildHead();
    /// Makes the sweep's row the current one; no row if 0 or not listed.
    void selectSweep(qint64 sweepId);
    void updateShown();
    void showArchived(bool on);
    int archivedSweeps() const;
    void undoArchiving();
    void updateButtons();
    void deleteCurrent();
    qint64 currentSweep() const;  ///< 0: none
    void showMenu(const QPoint &position);

    SweepListModel *m_sweeps;
    SweepTableModel *m_model;
    ListedSweeps *m_sorted;
    QTableView *m_table;
    QLabel *m_workspace;
    QLineEdit *m_filter;
    QPushButton *m_archived;  ///< whether archived sweeps are listed
    QPushButton *m_clone;
    QPushButton *m_connect;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    QList<qint64> m_justArchived;  ///< restored by Ctrl+Z, the last first
    bool m_readOnly = false;
    bool m_changing = false;  ///< rows come and go: the user chooses none
    qint64 m_selected = 0;
};

}  // namespace sweepscope::ui
