#pragma once

#include <QObject>
#include <QStringList>

class QIcon;
class QWidget;

namespace sweepscope::ui {

class PageTabs;
class SelectionModel;

/// In tab order.
enum class Page { Home, Sweep, Live, Trials, Trial, Logs, Timeline, Findings, Devices, Analysis };

/// Opens pages, and selects trials for them.
class Navigator : public QObject {
    Q_OBJECT

public:
    Navigator(PageTabs *tabs, SelectionModel *selection, QObject *parent = nullptr);

    /// Appends a page. `name` identifies it for programs, and its icon.
    void add(QWidget *page, const QString &name, const QString &title, const QString &toolTip);
    QStringList names() const;

    void open(Page page);
    /// `name` is one of names().
    void open(const QString &name);
    /// Also selects the trial.
    void openTrial(qint64 sweepId, int trial, Page page);
    /// Opens a page by a shortcut: moves the focus to its main table, plot or log.
    void openByKey(Page page);

private:
    PageTabs *m_tabs;
    SelectionModel *m_selection;
};

}  // namespace sweepscope::ui
