#include "ui/analysis/frontpanel.h"

#include "ui/theme/spacing.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

FrontPanel::FrontPanel(QWidget *parent)
    : QWidget(parent),
      m_choosers(new QWidget),
      m_x(new QComboBox),
      m_y(new QComboBox),
      m_plot(new TrialScatter(u"frontPlot"_s))
{
    m_x->setObjectName(u"frontX"_s);
    m_x->setAccessibleName(tr("Horizontal objective"));
    m_y->setObjectName(u"frontY"_s);
    m_y->setAccessibleName(tr("Vertical objective"));
    m_plot->setAccessibleName(tr("Trials over two objectives, and their Pareto front"));
    auto *choosers = new QHBoxLayout(m_choosers);
    choosers->setContentsMargins(spacing::small, spacing::tiny, spacing::small, 0);
    choosers->setSpacing(spacing::tiny);
    choosers->addWidget(m_x);
    choosers->addWidget(new QLabel(u"×"_s));
    choosers->addWidget(m_y);
    choosers->addStretch(1);
    for (QComboBox *chooser : {m_x, m_y})
        chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_choosers->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_choosers);
    layout->addWidget(m_plot, 1);
    connect(m_x, &QComboBox::currentIndexChanged, this, [this] { chooseObjective(m_x, m_y); });
    connect(m_y, &QComboBox::currentIndexChanged, this, [this] { chooseObjective(m_y, m_x); });
}

void FrontPanel::setData(std::shared_ptr<const ObjectivesFigure> objectives, FigurePtr figure, std::vector<char> within)
{
    m_objectives = std::move(objectives);
    m_figure = std::move(figure);
    m_within = std::move(within);
    offerObjectives();
    showFront();
}

void FrontPanel::offerObjectives()
{
    QStringList names;
    if (m_objectives) {
        for (const std::string &name : m_objectives->results.names)
            names << QString::fromStdString(name);
    }
    QStringList before;
    for (int i = 0; i < m_x->count(); ++i)
        before << m_x->itemText(i);
    if (names == before)
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_shownX = 0;
    m_shownY = 1;
    for (const auto &[chooser, shown] : {std::pair(m_x, m_shownX), std::pair(m_y, m_shownY)}) {
        chooser->clear();
        chooser->addItems(names);
        chooser->setCurrentIndex(shown);
    }
    m_choosers->setVisible(names.size() > 2);
}

/// If the user chooses the objective of the other axis, the axes are exchanged.
void FrontPanel::chooseObjective(QComboBox *changed, QComboBox *other)
{
    if (m_filling)
        return;
    const QScopedValueRollback filling(m_filling, true);
    if (changed->currentIndex() == other->currentIndex())
        other->setCurrentIndex(changed == m_x ? m_shownX : m_shownY);
    m_shownX = m_x->currentIndex();
    m_shownY = m_y->currentIndex();
    showFront();
}

void FrontPanel::showFront()
{
    if (m_objectives && m_figure)
        m_plot->setContent(frontContent(*m_objectives, static_cast<std::size_t>(m_shownX),
                                        static_cast<std::size_t>(m_shownY), *m_figure, m_within));
    else
        m_plot->setContent({});
}

}  // namespace sweepscope::ui
