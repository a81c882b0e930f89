#pragma once

#include "protocol/engineclient.h"
#include "ui/home/sweepmenu.h"
#include "ui/models/sweeplistmodel.h"

#include <QTimer>
#include <QWidget>

#include <set>

class QLabel;
class QAbstractButton;
class QListView;
class QMenu;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace sweepscope::ui {

class SelectionModel;

/// Opens the pages that are about the workspace, and lists its sweeps, with buttons to create one.
class SweepSideBar : public QWidget {
    Q_OBJECT

public:
    SweepSideBar(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent = nullptr);

    SweepListModel *model() { return m_model; }
    void addPage(QAbstractButton *button);
    /// Whether the list marks the selected sweep, because the page is about it.
    void markSelected(bool mark);

Q_SIGNALS:
    void sweepSelected(qint64 sweepId);  ///< by the user
    void requested(sweepscope::ui::SweepRequest request, const QList<qint64> &sweeps);
    void newRequested();
    void openRequested();
    void exampleRequested(const QString &path);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QPushButton *addButton(const QString &name, const QString &icon, const QString &text, const QString &toolTip);
    QLayout *buildActions();
    /// A list of the sweeps, or of the runs.
    QListView *buildList(const QString &name, const QString &title);
    QLabel *buildTitle(const QString &text);
    void fillExamples(QMenu *menu);
    qint64 currentSweep() const;  ///< 0: none
    void selectSweep(qint64 sweepId);
    void sweepsChanged();
    /// Shows each sweep in its list, without archived ones.
    void filterLists();
    /// Shares the room between the lists.
    void fitLists();
    void updateChanged();
    void showMenu(QListView *list, const QPoint &position);

    protocol::EngineClient *m_client;
    SelectionModel *m_selection;
    SweepListModel *m_model;
    QVBoxLayout *m_pages;
    QListView *m_list;
    QLabel *m_title;
    QStackedWidget *m_stack;
    QLabel *m_runsTitle;
    QListView *m_runs;
    int m_sweepRows = 0;
    int m_runRows = 0;
    QMenu *m_examples;
    QTimer m_update;  ///< coalesces changes
    std::set<qint64> m_changed;
    bool m_hasLoaded = false;  ///< or failed to
    bool m_selecting = false;
    bool m_marksSelected = true;
};

}  // namespace sweepscope::ui
