#include "ui/analysis/plotcard.h"

#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

PlotCard::PlotCard(QWidget *parent)
    : QWidget(parent),
      m_head(new QHBoxLayout),
      m_title(new QLabel),
      m_tabs(new QTabBar),
      m_maximize(new QToolButton),
      m_stack(new QStackedWidget)
{
    auto *frame = new QFrame;
    frame->setProperty("card", true);
    auto *inFrame = new QVBoxLayout(frame);
    inFrame->setContentsMargins(1, 1, 1, 1);
    inFrame->addWidget(m_stack);
    setTextRole(m_title, TextRole::Emphasis);
    m_tabs->setExpanding(false);
    m_tabs->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_head->setContentsMargins(0, 0, 0, 0);
    m_head->setSpacing(spacing::small);
    m_head->addWidget(m_title);
    m_head->addWidget(m_tabs);
    m_head->addStretch(1);
    m_maximize->setObjectName(u"maximizeCard"_s);
    m_maximize->setIcon(symbolIcon(u"fit"_s));
    m_maximize->setAutoRaise(true);
    m_maximize->setCheckable(true);
    connect(m_maximize, &QToolButton::toggled, this, [this](bool isMaximized) {
        follow();
        Q_EMIT maximizeToggled(isMaximized);
    });
    m_head->addWidget(m_maximize);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(m_head);
    layout->addWidget(frame, 1);
    // All heads are as high as one with a combo box or tabs.
    followTextSize(m_title, [this] {
        QTabBar tabs;
        tabs.addTab(u"x"_s);
        m_title->setMinimumHeight(std::max(QComboBox().sizeHint().height(), tabs.sizeHint().height()));
    });
    connect(m_tabs, &QTabBar::currentChanged, this, [this] {
        follow();
        Q_EMIT plotChosen();
    });
}

void PlotCard::addPlot(const QString &title, QWidget *plot, QWidget *beside)
{
    m_entries.push_back({plot, beside});
    m_stack->addWidget(plot);
    if (beside)
        m_head->insertWidget(m_head->count() - 2, beside);
    m_tabs->addTab(title);
    follow();
}

bool PlotCard::isMaximized() const
{
    return m_maximize->isChecked();
}

void PlotCard::setMaximized(bool isMaximized)
{
    m_maximize->setChecked(isMaximized);
}

void PlotCard::setPlotShown(QWidget *plot, bool isShown)
{
    const auto found = std::ranges::find(m_entries, plot, &Entry::plot);
    if (found == m_entries.end())
        return;
    m_tabs->setTabVisible(static_cast<int>(found - m_entries.begin()), isShown);
    follow();
}

/// Shows the plot of the current tab with its controls, and tabs only where there is a choice.
void PlotCard::follow()
{
    int shown = 0;
    for (int i = 0; i < m_tabs->count(); ++i)
        shown += m_tabs->isTabVisible(i) ? 1 : 0;
    const int current = m_tabs->currentIndex();
    if (current < 0 || current >= static_cast<int>(m_entries.size()))
        return;
    m_title->setText(m_tabs->tabText(current));
    m_maximize->setAccessibleName(tr("Maximize %1").arg(m_tabs->tabText(current)));
    m_maximize->setToolTip(m_maximize->isChecked() ? tr("Show all plots (M)") : tr("Maximize (M)"));
    m_title->setVisible(shown < 2);
    m_tabs->setVisible(shown >= 2);
    m_tabs->updateGeometry();  // setTabVisible() does not tell the layout
    m_stack->setCurrentIndex(current);
    for (int i = 0; i < static_cast<int>(m_entries.size()); ++i) {
        if (QWidget *beside = m_entries[static_cast<std::size_t>(i)].beside)
            beside->setVisible(i == current);
    }
}

}  // namespace sweepscope::ui
