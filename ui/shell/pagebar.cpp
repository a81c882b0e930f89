#include "ui/shell/pagebar.h"

#include "ui/shell/navigator.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

PageBar::PageBar(QWidget *parent)
    : QWidget(parent),
      m_sweepPages(new QHBoxLayout),
      m_trialPages(new QHBoxLayout),
      m_separator(nullptr),
      m_trial(new QLabel(this))
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
    m_separator = separator;

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::small, 0, spacing::small, 0);
    layout->setSpacing(spacing::small);
    layout->setSizeConstraint(QLayout::SetNoConstraint);  // it would keep the window wide
    m_sweepPages->setSpacing(2);
    m_trialPages->setSpacing(2);
    layout->addLayout(m_sweepPages);
    layout->addWidget(separator);
    layout->addWidget(m_trial);
    layout->addLayout(m_trialPages);
    layout->addStretch(1);
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
    m_separator->setHidden(m_isDraft);
    m_trial->setHidden(m_isDraft || m_isRun);
    fit();
}

void PageBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
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

void PageBar::fit()
{
    for (const Shown shown : {Shown::IconsAndWords, Shown::Words, Shown::IconsAndOneWord, Shown::Icons}) {
        show(shown);
        for (QLayout *changed : {static_cast<QLayout *>(m_sweepPages), static_cast<QLayout *>(m_trialPages), layout()})
            changed->invalidate();
        if (layout()->sizeHint().width() <= width())
            break;
    }
}

}  // namespace sweepscope::ui
