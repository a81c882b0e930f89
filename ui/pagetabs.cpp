#include "ui/pagetabs.h"

#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QEvent>
#include <QTabBar>

namespace sweepscope::ui {

PageTabs::PageTabs(QWidget *parent) : QTabWidget(parent)
{
    setDocumentMode(true);
    m_fit.setSingleShot(true);
    m_fit.setInterval(0);  // the tabs hear of a new font after this
    connect(&m_fit, &QTimer::timeout, this, &PageTabs::fit);
    followTextSize(this, [this] {
        setIconSize(QSize(spacing::iconSize, spacing::iconSize) * textScale());
        m_fit.start();
    });
}

int PageTabs::addPage(QWidget *page, const QIcon &icon, const QString &title)
{
    m_icons.push_back(icon);
    return addTab(page, icon, title);
}

void PageTabs::resizeEvent(QResizeEvent *event)
{
    QTabWidget::resizeEvent(event);
    fit();
}

void PageTabs::changeEvent(QEvent *event)
{
    QTabWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        m_fit.start();
}

void PageTabs::setIconsShown(bool shown)
{
    for (int tab = 0; tab < count(); ++tab)
        setTabIcon(tab, shown ? m_icons[static_cast<std::size_t>(tab)] : QIcon());
}

void PageTabs::fit()
{
    const bool before = updatesEnabled();
    setUpdatesEnabled(false);
    setIconsShown(true);
    if (tabBar()->sizeHint().width() + spacing::small > width())
        setIconsShown(false);
    setUpdatesEnabled(before);
}

}  // namespace sweepscope::ui
