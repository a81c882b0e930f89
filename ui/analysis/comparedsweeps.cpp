#include "ui/analysis/comparedsweeps.h"

#include <QMenu>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

ComparedSweeps::ComparedSweeps(QWidget *parent) : QPushButton(parent), m_menu(new QMenu(this))
{
    setObjectName(u"comparedSweeps"_s);
    setText(tr("Compare"));
    setToolTip(tr("Sweeps to compare with. They have the same objective."));
    setMenu(m_menu);
    m_menu->setObjectName(u"comparedSweepsMenu"_s);
    connect(m_menu, &QMenu::aboutToShow, this, &ComparedSweeps::fillMenu);
    setEnabled(false);
}

void ComparedSweeps::offer(qint64 sweepId, std::vector<Sweep> sweeps)
{
    m_sweepId = sweepId;
    m_offered = std::move(sweeps);
    setEnabled(!m_offered.empty());
}

std::set<qint64> ComparedSweeps::chosen() const
{
    if (const auto own = m_choices.find(m_sweepId); own != m_choices.end())
        return own->second;
    std::set<qint64> newest;
    for (std::size_t i = 0; i < std::min(m_offered.size(), mostByDefault); ++i)
        newest.insert(m_offered[i].id);
    return newest;
}

bool ComparedSweeps::isChosen(qint64 sweepId) const
{
    return chosen().contains(sweepId);
}

void ComparedSweeps::choose(qint64 sweepId, bool on)
{
    std::set<qint64> now = chosen();
    if (on)
        now.insert(sweepId);
    else
        now.erase(sweepId);
    m_choices[m_sweepId] = std::move(now);
    Q_EMIT chosenChanged();
}

void ComparedSweeps::fillMenu()
{
    m_menu->clear();
    for (const Sweep &sweep : m_offered) {
        QString name = sweep.name;
        QAction *action = m_menu->addAction(tr("%1 #%2").arg(name.replace(u'&', u"&&"_s)).arg(sweep.id), this,
                                            [this, id = sweep.id](bool on) { choose(id, on); });
        action->setCheckable(true);
        action->setChecked(isChosen(sweep.id));
    }
    m_menu->addSeparator();
    QAction *newest = m_menu->addAction(tr("Newest %1").arg(mostByDefault), this, [this] {
        m_choices.erase(m_sweepId);
        Q_EMIT chosenChanged();
    });
    newest->setEnabled(m_choices.contains(m_sweepId));
}

}  // namespace sweepscope::ui
