#include "ui/plot/chartsmenu.h"

#include "ui/plot/chart.h"
#include "ui/plot/chartlayout.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/stepparts.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QString menuText(const QString &title)
{
    return QString(title).replace(u'&', u"&&"_s);
}

QString idOfSeries(const QStringList &names)
{
    Chart chart;
    chart.kind = Chart::Kind::Series;
    chart.series = names;
    return chart.id();
}

QString idOfStepParts()
{
    Chart chart;
    chart.kind = Chart::Kind::StepParts;
    return chart.id();
}

}  // namespace

ChartsMenu::ChartsMenu(ChartLayout *layout, QWidget *parent) : QMenu(parent), m_layout(layout)
{
    setObjectName(u"chartsMenu"_s);
    setStyleSheet(u"QMenu { menu-scrollable: 1; }"_s);  // there may be more metrics than fit on the screen
    connect(this, &QMenu::aboutToShow, this, &ChartsMenu::fill);
}

void ChartsMenu::setChoices(const PlotFrame &frame)
{
    m_devices = frame.stripIds;
    m_series = frame.seriesNames;
}

void ChartsMenu::setTrial(const TrialChoice &trial)
{
    if (m_trial == trial)
        return;
    m_trial = trial;
    Q_EMIT trialChanged();
}

/// Reads the trial's number when the action is triggered.
void ChartsMenu::addPinOf(const QString &id, QMenu *menu)
{
    const bool isPinned = Chart::fromId(id).isPinned();
    QAction *pin = menu->addAction(symbolIcon(isPinned ? u"follow"_s : u"pin"_s), tr("Unpin (show selected trial)"),
                                   this, [this, id, isPinned] {
                                       Chart other = Chart::fromId(id);
                                       other.pinned = isPinned ? TrialChoice() : m_trial;
                                       m_layout->replace(id, other.id());
                                   });
    pin->setObjectName(u"chartPin"_s);
    if (isPinned)
        return;
    const auto nameTrial = [this, pin] {
        pin->setText(tr("Pin to trial %1").arg(m_trial.trial));
        pin->setEnabled(m_trial.trial > 0);
    };
    nameTrial();
    connect(this, &ChartsMenu::trialChanged, pin, nameTrial);
}

void ChartsMenu::addActionsOf(const QString &id, QMenu *menu)
{
    const qsizetype row = m_layout->rowOf(id);
    if (row < 0)
        return;
    ChartLayout *layout = m_layout;
    const ChartRows &rows = layout->presentRows();
    const bool isAlone = rows[row].size() == 1;
    const auto move = [&](const QString &name, const QString &icon, const QString &text, qsizetype beside,
                          ChartPlace::Side side) {
        // At the first or last row there is no row to move to.
        const bool canBe = beside >= 0 && beside < rows.size();
        const ChartPlace place{side, canBe ? rows[beside].at(rows[beside].first() == id ? 1 : 0) : QString()};
        QAction *action = menu->addAction(icon.isEmpty() ? QIcon() : symbolIcon(icon), text, layout,
                                          [layout, id, place] { layout->move(id, place); });
        action->setEnabled(canBe);
        action->setObjectName(name);
    };
    move(u"chartUp"_s, u"up"_s, tr("Move up"), isAlone ? row - 1 : row, ChartPlace::Side::Above);
    move(u"chartDown"_s, u"down"_s, tr("Move down"), isAlone ? row + 1 : row, ChartPlace::Side::Below);
    if (isAlone) {
        const bool canBe = row > 0 && rows[row - 1].size() < mostBeside;
        const ChartPlace place{ChartPlace::Side::Right, canBe ? rows[row - 1].last() : QString()};
        QAction *beside =
            menu->addAction(tr("Place side by side"), layout, [layout, id, place] { layout->move(id, place); });
        beside->setEnabled(canBe);
        beside->setObjectName(u"chartBeside"_s);
    } else {
        const qsizetype place = rows[row].indexOf(id);
        const bool isFirst = place == 0;
        const QString of = rows[row].at(isFirst ? 1 : place - 1);
        const ChartPlace next{isFirst ? ChartPlace::Side::Right : ChartPlace::Side::Left, of};
        QAction *sideways = menu->addAction(isFirst ? tr("Move right") : tr("Move left"), layout,
                                            [layout, id, next] { layout->move(id, next); });
        sideways->setObjectName(u"chartSideways"_s);
    }
    addPinOf(id, menu);
    QAction *remove =
        menu->addAction(symbolIcon(u"delete"_s), tr("Remove"), layout, [layout, id] { layout->remove(id); });
    remove->setObjectName(u"chartRemove"_s);
    remove->setEnabled(layout->canRemove());
}

void ChartsMenu::addAdditions(QMenu *menu, const ChartPlace &place)
{
    const QStringList present = m_layout->present();
    const auto offer = [&](QMenu *where, const QString &id, const QString &title) {
        QAction *action =
            where->addAction(menuText(title), m_layout, [layout = m_layout, id, place] { layout->add(id, place); });
        action->setData(id);
        action->setEnabled(!present.contains(id));
    };
    QMenu *series = menu->addMenu(symbolIcon(u"add"_s), tr("Add metric"));
    series->setObjectName(u"addSeries"_s);
    for (const QString &name : m_series)
        offer(series, idOfSeries({name}), name);
    series->setEnabled(!m_series.isEmpty());
    series->addSeparator();
    QAction *several = series->addAction(tr("Combine metrics…"), this, [this, place] { chooseSeveral(place); });
    several->setObjectName(u"severalSeries"_s);
    several->setEnabled(m_series.size() > 1);
    QMenu *devices = menu->addMenu(symbolIcon(u"devices"_s), tr("Add device plot"));
    devices->setObjectName(u"addDevices"_s);
    for (const QString &id : m_devices)
        offer(devices, id, panelTitle(id));
    devices->setEnabled(!m_devices.isEmpty());
    const bool hasParts = std::ranges::any_of(
        stepParts, [this](const StepPart &part) { return m_series.contains(QLatin1StringView(part.series)); });
    if (hasParts)
        offer(menu, idOfStepParts(), tr("Add step-time breakdown"));
    if (!present.contains(chosenChart()))
        offer(menu, chosenChart(), tr("Add selected metric"));
}

void ChartsMenu::addAdditionsAround(const QString &id, QMenu *menu)
{
    const qsizetype row = m_layout->rowOf(id);
    QMenu *right = menu->addMenu(symbolIcon(u"add"_s), tr("Add to the right"));
    right->setObjectName(u"addRight"_s);
    right->setEnabled(row >= 0 && m_layout->presentRows()[row].size() < mostBeside);
    addAdditions(right, {ChartPlace::Side::Right, id});
    QMenu *below = menu->addMenu(symbolIcon(u"add"_s), tr("Add below"));
    below->setObjectName(u"addBelow"_s);
    addAdditions(below, {ChartPlace::Side::Below, id});
}

void ChartsMenu::fill()
{
    clear();
    qDeleteAll(findChildren<QMenu *>(Qt::FindDirectChildrenOnly));
    addAdditions(this, {});
    addSeparator();
    for (const QString &id : m_layout->present()) {
        QMenu *one = addMenu(menuText(panelTitle(id)));
        one->setObjectName(id);
        addActionsOf(id, one);
    }
    addSeparator();
    QAction *undo = addAction(symbolIcon(u"undo"_s), tr("Undo\tCtrl+Z"), m_layout, &ChartLayout::undo);
    undo->setEnabled(m_layout->canUndo());
    QAction *redo = addAction(symbolIcon(u"redo"_s), tr("Redo\tCtrl+Shift+Z"), m_layout, &ChartLayout::redo);
    redo->setEnabled(m_layout->canRedo());
    QAction *usual = addAction(tr("Reset to default charts"), m_layout, &ChartLayout::useUsual);
    usual->setEnabled(!m_layout->isUsual());
}

void ChartsMenu::chooseSeveral(const ChartPlace &place)
{
    auto *dialog = new QDialog(parentWidget() ? parentWidget()->window() : nullptr);
    dialog->setObjectName(u"seriesDialog"_s);
    dialog->setWindowTitle(tr("Combine metrics"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto *list = new QListWidget;
    list->setAccessibleName(tr("Series"));
    for (const QString &name : m_series) {
        auto *item = new QListWidgetItem(name, list);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(Qt::Unchecked);
    }
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    QPushButton *add = buttons->button(QDialogButtonBox::Ok);
    add->setText(tr("Add chart"));
    add->setEnabled(false);
    auto *layout = new QVBoxLayout(dialog);
    layout->setSpacing(spacing::medium);
    layout->addWidget(new QLabel(tr("Each curve shows the mean of the ranks.")));
    layout->addWidget(list);
    layout->addWidget(buttons);
    const auto checked = [list] {
        QStringList names;
        for (int row = 0; row < list->count(); ++row) {
            if (list->item(row)->checkState() == Qt::Checked)
                names << list->item(row)->text();
        }
        return names;
    };
    connect(list, &QListWidget::itemChanged, dialog, [add, checked] { add->setEnabled(!checked().isEmpty()); });
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    connect(dialog, &QDialog::accepted, m_layout,
            [layout = m_layout, checked, place] { layout->add(idOfSeries(checked()), place); });
    dialog->open();
}

}  // namespace sweepscope::ui
