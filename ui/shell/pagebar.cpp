#include "ui/shell/pagebar.h"

#include "ui/shell/navigator.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/theme/wraplayout.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QToolButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

PageBar::PageBar(QWidget *parent)
    : QWidget(parent),
      m_sweepGroup(new QWidget(this)),
      m_trialGroup(new QWidget(this)),
      m_sweepPages(new QHBoxLayout(m_sweepGroup)),
      m_trialPages(new QHBoxLayout(m_trialGroup)),
      m_trial(new QLabel(this)),
      m_row(new WrapLayout(this))
{
    setObjectName(u"pageBar"_s);
    setAccessibleName(tr("Pages"));
    m_trial->setObjectName(u"pageBarTrial"_s);
    setTextRole(m_trial, TextRole::Emphasis);
    m_trial->setToolTip(tr("The pages to the right show this trial."));
    auto *separator = new QFrame(this);
    separator->setFrameShape(QFrame::VLine);
    separator->setForegroundRole(QPalette::Mid);
    separator->setObjectName(u"pageBarSeparator"_s);

    m_row->setContentsMargins(spacing::small, 0, spacing::small, 0);
    m_row->setSpacing(spacing::small);
    m_row->setSizeConstraint(QLayout::SetNoConstraint);  // it would keep the window wide
    for (QHBoxLayout *group : {m_sweepPages, m_trialPages}) {
        group->setContentsMargins(0, 0, 0, 0);
        group->setSpacing(2);
    }
    m_trialPages->addWidget(separator);
    m_trialPages->addSpacing(spacing::small);
    m_trialPages->addWidget(m_trial);
    m_trialPages->addSpacing(spacing::small);
    for (QWidget *group : {m_sweepGroup, m_trialGroup}) {
        group->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        m_row->addWidget(group);
    }
    setTrial(0);

    m_fit.setSingleShot(true);
    m_fit.setInterval(0);  // the buttons get a new font later
    connect(&m_fit, &QTimer::timeout, this, &PageBar::fit);
    followTextSize(this, [this] { m_fit.start(); });
}

void PageBar::add(QToolButton *button, QHBoxLayout *group)
{
    m_buttons.push_back(button);
    group->addWidget(button);
    connect(button, &QToolButton::toggled, this, &PageBar::fit);
    m_fit.start();
}

void PageBar::setTrial(int number)
{
    const QString text = number == 0 ? tr("Trial") : tr("Trial %1").arg(number);
    if (text == m_trial->text())
        return;
    m_trial->setText(text);
    m_fit.start();
}

void PageBar::setDraft(bool isDraft)
{
    m_isDraft = isDraft;
    hideUnused();
}

void PageBar::setRun(bool isRun)
{
    m_isRun = isRun;
    hideUnused();
}

void PageBar::hideUnused()
{
    for (std::size_t i = 1; i < m_buttons.size(); ++i) {
        const Page page = static_cast<Page>(static_cast<std::size_t>(Page::Sweep) + i);
        const bool comparesTrials = page == Page::Trials || page == Page::Analysis;
        m_buttons[i]->setHidden(m_isDraft || (m_isRun && comparesTrials));
    }
    m_trialGroup->setHidden(m_isDraft);
    m_trial->setHidden(m_isDraft || m_isRun);
    fit();
}

void PageBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())  // its height follows from what it shows
        fit();
}

void PageBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        m_fit.start();
}

void PageBar::show(Shown shown)
{
    for (QToolButton *button : m_buttons) {
        const bool hasWord = shown == Shown::IconsAndWords || (shown == Shown::IconsAndOneWord && button->isChecked());
        button->setToolButtonStyle(shown == Shown::Words ? Qt::ToolButtonTextOnly
                                   : hasWord             ? Qt::ToolButtonTextBesideIcon
                                                         : Qt::ToolButtonIconOnly);
    }
}

bool PageBar::fits(Shown shown, Rows rows)
{
    show(shown);
    for (QWidget *group : {m_sweepGroup, m_trialGroup}) {  // otherwise the row learns of it later
        group->layout()->invalidate();
        group->updateGeometry();
    }
    return (rows == Rows::One ? m_row->widthOfOneRow() : m_row->minimumSize().width()) <= width();
}

void PageBar::fit()
{
    const bool found = fits(Shown::IconsAndWords, Rows::One) || fits(Shown::Words, Rows::One)
                       || fits(Shown::Words, Rows::Two) || fits(Shown::IconsAndOneWord, Rows::One);
    if (!found)
        show(Shown::Icons);
    updateGeometry();
}

}  // namespace sweepscope::ui
