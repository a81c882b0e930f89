// TrialPlots' context menu: of the chart that it was opened on, and of all.
#include "ui/live/trialplots.h"

#include "ui/live/chartpicture.h"
#include "ui/live/chartsmenu.h"
#include "ui/live/liveplot.h"
#include "ui/live/picturesaver.h"
#include "ui/theme/icons.h"

#include <QMenu>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

/// The chart's own come first. Of one alone (M) those of all are its own.
void TrialPlots::addPictureActions(QMenu *menu, const PictureSaver::Actions &pictures, const PlotPane *pane)
{
    if (m_plot->panes().size() < 2)
        return;
    pictures.save->setText(tr("Save all charts as picture…"));
    pictures.copy->setText(tr("Copy picture of all charts"));
    if (!pane)
        return;
    const QString id = m_plot->chartOf(*pane);
    const auto add = [&](const QString &name, const QString &icon, const QString &text, auto use) {
        auto *action = new QAction(symbolIcon(icon), text, menu);
        action->setObjectName(name);
        connect(action, &QAction::triggered, m_pictures, [this, id, use] {
            // The trial may have changed while the menu was open.
            if (const std::optional<PictureSheet> sheet = sheetOfChart(*m_plot, id, m_pictures->title()))
                use(*sheet);
        });
        menu->insertAction(pictures.save, action);
    };
    add(u"saveChart"_s, u"image"_s, tr("Save this chart as picture…"),
        [this, name = fileNameOfChart(pane->title())](const PictureSheet &sheet) {
            m_pictures->askForFile(sheet, name);
        });
    add(u"copyChart"_s, u"copy"_s, tr("Copy picture of this chart"),
        [this](const PictureSheet &sheet) { m_pictures->copy(sheet); });
}

void TrialPlots::fillMenu(QMenu *menu, const PictureSaver::Actions &pictures, const QPoint &place)
{
    const PlotPane *titled = m_plot->titleAt(place);
    const PlotPane *pane = titled ? titled : m_plot->paneAt(place);
    addPictureActions(menu, pictures, pane);
    QAction *outliers = menu->addAction(tr("Ignore outliers\tO"), this, &TrialPlots::ignoreOutliers);
    outliers->setCheckable(true);
    outliers->setChecked(m_plot->ignoresOutliers());
    outliers->setToolTip(tr("Vertical axes are fitted without single values far from all others"));
    outliers->setObjectName(u"ignoreOutliers"_s);
    if (m_hasOneChart)
        return;
    menu->addSeparator();
    if (!pane) {
        m_chartsMenu->addAdditions(menu, {});
        return;
    }
    const QString id = m_plot->chartOf(*pane);
    const bool isAlone = m_plot->alone() == id;
    QAction *alone = menu->addAction(isAlone ? tr("Show all charts\tM") : tr("Maximize chart\tM"), m_plot,
                                     [this, id, isAlone] { m_plot->setAlone(isAlone ? QString() : id); });
    alone->setObjectName(u"chartAlone"_s);
    alone->setEnabled(isAlone || m_plot->panes().size() > 1);
    m_chartsMenu->addActionsOf(id, menu);
    menu->addSeparator();
    m_chartsMenu->addAdditionsAround(id, menu);
}

}  // namespace sweepscope::ui
