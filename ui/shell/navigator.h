#pragma once

#include <QObject>
#include <QStringList>

class QButtonGroup;
class QStackedWidget;
class QToolButton;
class QWidget;

namespace sweepscope::ui {

class SelectionModel;

/// By what they are about: the workspace, the selected sweep, its selected trial.
enum class Page { Home, Devices, Sweep, Trials, Analysis, Timeline, Findings, Media, Trial, Live, Logs };
enum class Scope { Workspace, Sweep, Trial };

constexpr Scope scopeOf(Page page)
{
    if (page < Page::Sweep)
        return Scope::Workspace;
    return page < Page::Trial ? Scope::Sweep : Scope::Trial;
}

/// Opens pages, and selects trials for them.
class Navigator : public QObject {
    Q_OBJECT

public:
    Navigator(QStackedWidget *pages, SelectionModel *selection, QObject *parent = nullptr);

    /// Appends a page and returns the button that opens it, which the caller places. `name` identifies the page for
    /// programs, and its icon.
    void setTitle(Page page, const QString &title);
    QToolButton *add(QWidget *page, const QString &name, const QString &title, const QString &toolTip);
    QStringList names() const { return m_names; }

    Page current() const;
    void open(Page page);
    /// `name` is one of names().
    void open(const QString &name);
    /// Also selects the trial.
    void openTrial(qint64 sweepId, int trial, Page page);
    /// Opens a page by a shortcut: moves the focus to its main table, plot or log.
    void openByKey(Page page);
    /// Moves the focus to the button of the current page.
    void focusButton();

Q_SIGNALS:
    void opened(sweepscope::ui::Page page);

private:
    QStackedWidget *m_pages;
    QButtonGroup *m_buttons;  ///< their ids are pages
    SelectionModel *m_selection;
    QStringList m_names;
};

}  // namespace sweepscope::ui
