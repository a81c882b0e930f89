#include "ui/analysis/pruningpanel.h"

#include "ui/analysis/rungsplot.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QVBoxLayout>

#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

PruningPanel::PruningPanel(QWidget *parent) : QWidget(parent), m_plot(new RungsPlot), m_sentence(new ElidedLabel)
{
    m_plot->setAccessibleName(tr("Trials that reached each rung, and trials pruned there"));
    m_sentence->setObjectName(u"savedByPruning"_s);
    m_sentence->setForegroundRole(QPalette::PlaceholderText);
    m_sentence->setContentsMargins(spacing::small, 0, spacing::small, spacing::tiny);
    setTextRole(m_sentence, TextRole::Small);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_sentence);
}

void PruningPanel::setSaved(const analysis::SavedByPruning &saved)
{
    m_plot->setSaved(saved);
    const auto percent = std::lround(100 * saved.share);
    m_sentence->setText(
        saved.pruned == 1
            ? tr("Pruning ended 1 trial early and saved %1% of the steps.").arg(percent)
            : tr("Pruning ended %L1 trials early and saved %2% of the steps.").arg(saved.pruned).arg(percent));
}

}  // namespace sweepscope::ui
