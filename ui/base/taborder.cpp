#include "ui/base/taborder.h"

#include <QAbstractScrollArea>
#include <QLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVariant>
#include <QWidget>

namespace sweepscope::ui {

namespace {

constexpr auto firstProperty = "firstForKeys";

/// Collects focusable widgets in reading order. All layouts are filled from left to right and from top to bottom.
class Reading {
public:
    void read(QWidget *widget)
    {
        if (widget->focusPolicy() != Qt::NoFocus && !widget->focusProxy() && !qobject_cast<QTabWidget *>(widget))
            found.append(widget);
        if (auto *tabs = qobject_cast<QTabWidget *>(widget)) {
            // The tab bar takes the focus itself: otherwise Tab would return to it from the last widget of a page.
            tabs->setFocusProxy(nullptr);
            tabs->setFocusPolicy(Qt::NoFocus);
            read(tabs->tabBar());
            for (int page = 0; page < tabs->count(); ++page)
                read(tabs->widget(page));
        } else if (auto *stack = qobject_cast<QStackedWidget *>(widget)) {
            for (int page = 0; page < stack->count(); ++page)
                read(stack->widget(page));
        } else if (auto *splitter = qobject_cast<QSplitter *>(widget)) {
            for (int part = 0; part < splitter->count(); ++part)
                read(splitter->widget(part));
        } else if (auto *area = qobject_cast<QScrollArea *>(widget)) {
            if (area->widget())
                read(area->widget());
        } else if (widget->layout() && !qobject_cast<QAbstractScrollArea *>(widget)) {
            read(widget->layout());
        }
    }

    QList<QWidget *> found;

private:
    void read(QLayout *layout)
    {
        for (int i = 0; i < layout->count(); ++i) {
            QLayoutItem *item = layout->itemAt(i);
            if (item->widget())
                read(item->widget());
            else if (item->layout())
                read(item->layout());
        }
    }
};

}  // namespace

void setFirstForKeys(QWidget *page, QWidget *first)
{
    page->setProperty(firstProperty, QVariant::fromValue(first));
}

QWidget *firstForKeys(const QWidget *page)
{
    return page->property(firstProperty).value<QWidget *>();
}

void orderTabs(QWidget *root)
{
    Reading reading;
    reading.read(root);
    for (qsizetype i = 1; i < reading.found.size(); ++i)
        QWidget::setTabOrder(reading.found[i - 1], reading.found[i]);
}

}  // namespace sweepscope::ui
