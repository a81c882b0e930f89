#include "ui/shell/pagetabs.h"

#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QEvent>
#include <QTabBar>

namespace sweepscope::ui {

PageTabs::PageTabs(QWidget *parent) : QTabWidget(parent)
{
    setDocumentMode(true);
    setUsesScrollButtons(true);
    m_fit.setSingleShot(true);
    m_fit.setInterval(0);  // the tabs get a new font later
    connect(&m_fit, &QTimer::timeout, this, &PageTabs::fit);
    connect(this, &QTabWidget::currentChanged, this, &PageTabs::fit);
    followTextSize(this, [this] {
        setIconSize(QSize(spacing::iconSize, spacing::iconSize) * textScale());
        m_fit.start();
    });
}

int PageTabs::addPage(QWidget *page, const QIcon &icon, const QString &title)
{
    m_pages.push_back({icon, title});
    const int tab = addTab(page, icon, title);
    tabBar()->setAccessibleTabName(tab, title);
    return tab;
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

void PageTabs::show(Shown shown)
{
    for (int tab = 0; tab < count(); ++tab) {
        const Tab &page = m_pages[static_cast<std::size_t>(tab)];
        setTabIcon(tab, shown == Shown::Words ? QIcon() : page.icon);
        const bool hasWord = shown == Shown::IconsAndWords || shown == Shown::Words
                             || (shown == Shown::IconsAndOneWord && tab == currentIndex());
        setTabText(tab, hasWord ? page.title : QString());
    }
}

bool PageTabs::tabsFit() const
{
    return tabBar()->sizeHint().width() + spacing::small <= width();
}

void PageTabs::fit()
{
    const bool before = updatesEnabled();
    setUpdatesEnabled(false);
    for (const Shown shown : {Shown::IconsAndWords, Shown::Words, Shown::IconsAndOneWord, Shown::Icons}) {
        show(shown);
        if (tabsFit())
            break;
    }
    setUpdatesEnabled(before);
}

}  // namespace sweepscope::ui
