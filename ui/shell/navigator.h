#pragma once

#include <QObject>
#include <QStringList>

class QIcon;
class QWidget;

namespace sweepscope::ui {

class PageTabs;
class SelectionModel;

/// In the order of their tabs.
enum class Page { Home, Sweep, Live, Trials, Trial, Logs, Timeline, Findings, Devices, Analysis };

/// Opens pages, and trials on them.
class Navigator : public QObject {
    Q_OBJECT

public:
    Navigator(PageTabs *tabs, SelectionModel *selection, QObject *parent = nullptr);

    /// As the next one. `name` is for programs and for the icon.
    void add(QWidget *page, const QString &name, const QString &title, const QString &toolTip);
    QStringList names() const;

    void open(Page page);
    /// One of names().
    void open(const QString &name);
    /// Selects the trial, too.
    void openTrial(qint64 sweepId, int trial, Page page);
    /// By a key: the keys go on to the table, plot or log that the page is about.
    void openByKey(Page page);

private:
    PageTabs *m_tabs;
    SelectionModel *m_selection;
};

}  // namespace sweepscope::ui
