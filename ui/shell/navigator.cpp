#include "ui/shell/navigator.h"

#include "ui/base/selectionmodel.h"
#include "ui/base/taborder.h"
#include "ui/theme/icons.h"
#include "ui/theme/itemfocus.h"

#include <QApplication>
#include <QButtonGroup>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

class PageButton : public QToolButton {
protected:
    void paintEvent(QPaintEvent *event) override
    {
        QToolButton::paintEvent(event);
        QPainter painter(this);
        paintWidgetFocus(&painter, this);
    }
};

}  // namespace

Navigator::Navigator(QStackedWidget *pages, SelectionModel *selection, QObject *parent)
    : QObject(parent), m_pages(pages), m_buttons(new QButtonGroup(this)), m_selection(selection)
{
    connect(m_buttons, &QButtonGroup::idClicked, this, [this](int id) { open(static_cast<Page>(id)); });
}

QToolButton *Navigator::add(QWidget *page, const QString &name, const QString &title, const QString &toolTip)
{
    auto *button = new PageButton;
    button->setObjectName(name + u"PageButton"_s);
    button->setProperty("page", true);  // for the style sheet
    button->setText(title);
    button->setIcon(symbolIcon(name, QPalette::WindowText));
    button->setToolTip(toolTip);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    m_buttons->addButton(button, m_pages->addWidget(page));
    m_names << name;
    button->setChecked(m_names.size() == 1);
    return button;
}

void Navigator::setTitle(Page page, const QString &title)
{
    m_buttons->button(static_cast<int>(page))->setText(title);
}

Page Navigator::current() const
{
    return static_cast<Page>(m_pages->currentIndex());
}

void Navigator::open(Page page)
{
    if (page == current())
        return;
    // Otherwise the first widget of a page that a button of another page opens would get it.
    const bool losesFocus = m_pages->isAncestorOf(QApplication::focusWidget());
    m_pages->setCurrentIndex(static_cast<int>(page));
    m_buttons->button(static_cast<int>(page))->setChecked(true);
    Q_EMIT opened(page);
    if (losesFocus)
        focusButton();
}

void Navigator::open(const QString &name)
{
    open(static_cast<Page>(m_names.indexOf(name)));
}

void Navigator::openTrial(qint64 sweepId, int trial, Page page)
{
    m_selection->selectTrial(sweepId, trial);
    open(page);
}

void Navigator::openByKey(Page page)
{
    open(page);
    QWidget *first = firstForKeys(m_pages->currentWidget());
    const bool isTaken = first && first->isVisible();
    if (isTaken)
        first->setFocus(Qt::ShortcutFocusReason);
    // Shows the focus frame, but not around the button of a page that takes no keys.
    m_pages->window()->setAttribute(Qt::WA_KeyboardFocusChange, isTaken);
}

void Navigator::focusButton()
{
    m_buttons->button(m_pages->currentIndex())->setFocus();
}

}  // namespace sweepscope::ui
