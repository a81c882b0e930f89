#pragma once

#include "ui/home/sweepmenu.h"
#include "ui/models/sweeplistmodel.h"

#include <QPushButton>
#include <QWidget>

#include <set>

class QLabel;
class QLineEdit;
class QMenu;
class QSettings;
class QStackedWidget;
class QTableView;

namespace sweepscope::ui {

class EmptyView;
class SelectionModel;
class SweepRows;
class SweepTableModel;

/// The sweeps of the workspace with their progress.
class HomePage : public QWidget {
    Q_OBJECT

public:
    /// `sweeps`: the model of the side bar, which updates it. `settings` keeps columns and groups, and may be null.
    HomePage(SweepListModel *sweeps, SelectionModel *selection, QSettings *settings, QWidget *parent = nullptr);

    void setWorkspace(const QString &folder);
    void setReadOnly(bool readOnly) { m_readOnly = readOnly; }

Q_SIGNALS:
    void sweepOpened(qint64 sweepId);
    void sweepChosen(qint64 sweepId);  ///< its row is the current one
    void requested(sweepscope::ui::SweepRequest request, const QList<qint64> &sweeps);
    void exampleRequested();  ///< the first example
    void machineRequested();  ///< to connect to

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildTable();
    void restoreView();
    int fitContents(bool isNarrow);
    void fitColumns();
    QLayout *buildHead();
    bool handleTableKey(QKeyEvent *event);
    bool handleFilterKey(QKeyEvent *event);
    void keepRows();
    void restoreRows();
    /// Makes the sweep's row the current one; no row if 0 or not listed.
    void selectSweep(qint64 sweepId);
    void updateShown();
    void setColumnShown(int column, bool shown);
    bool isUsuallyShown(int column) const;
    void fillView(QMenu *menu);
    void fold(int row, bool folded);
    int archivedSweeps() const;
    void updateButtons();
    void request(SweepRequest request, const QList<qint64> &sweeps);
    qint64 currentSweep() const;           ///< 0: none
    QList<qint64> selectedSweeps() const;  ///< in the order of the rows
    std::vector<sweep::SweepRecord> recordsOf(const QList<qint64> &sweeps) const;
    void showMenu(const QPoint &position);

    SweepListModel *m_sweeps;
    SweepTableModel *m_model;
    SweepRows *m_rows;
    QSettings *m_settings;
    QTableView *m_table;
    QLabel *m_workspace;
    QLineEdit *m_filter;
    QPushButton *m_archived;  ///< whether archived sweeps are listed
    QPushButton *m_view;      ///< groups and columns
    QPushButton *m_clone;
    QPushButton *m_connect;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    std::set<int> m_chosenColumns;  ///< shown or hidden by the user
    QList<qint64> m_keptSelection;  ///< while the rows are reset
    bool m_readOnly = false;
    bool m_changing = false;  ///< rows come and go: the user chooses none
    qint64 m_selected = 0;
};

}  // namespace sweepscope::ui
