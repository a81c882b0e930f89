#include "ui/shell/navigator.h"

#include "ui/base/selectionmodel.h"
#include "ui/base/taborder.h"
#include "ui/shell/pagetabs.h"
#include "ui/theme/icons.h"

#include <QTabBar>

namespace sweepscope::ui {

Navigator::Navigator(PageTabs *tabs, SelectionModel *selection, QObject *parent)
    : QObject(parent), m_tabs(tabs), m_selection(selection)
{
    // A page opened by a click must not focus its first button.
    connect(tabs, &QTabWidget::currentChanged, this, [this] { m_tabs->tabBar()->setFocus(); });
}

void Navigator::add(QWidget *page, const QString &name, const QString &title, const QString &toolTip)
{
    const int tab = m_tabs->addPage(page, symbolIcon(name, QPalette::WindowText), title);
    m_tabs->setTabToolTip(tab, toolTip);
    m_tabs->tabBar()->setTabData(tab, name);
}

QStringList Navigator::names() const
{
    QStringList names;
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        names << m_tabs->tabBar()->tabData(tab).toString();
    return names;
}

void Navigator::open(Page page)
{
    m_tabs->setCurrentIndex(static_cast<int>(page));
}

void Navigator::open(const QString &name)
{
    m_tabs->setCurrentIndex(static_cast<int>(names().indexOf(name)));
}

void Navigator::openTrial(qint64 sweepId, int trial, Page page)
{
    m_selection->selectTrial(sweepId, trial);
    open(page);
}

void Navigator::openByKey(Page page)
{
    open(page);
    QWidget *first = firstForKeys(m_tabs->currentWidget());
    if (first && first->isVisible())
        first->setFocus(Qt::ShortcutFocusReason);
    m_tabs->window()->setAttribute(Qt::WA_KeyboardFocusChange);  // shows the focus frame
}

}  // namespace sweepscope::ui
