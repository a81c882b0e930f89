#include "ui/trials/comparisonpanel.h"

#include "ui/base/emptyview.h"
#include "ui/live/picturesaver.h"
#include "ui/live/trialplots.h"
#include "ui/live/trialsource.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/trials/comparisonmodel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int rowHeight = 26;
constexpr int columnWidth = 110;
constexpr int firstPlotsWidth = 600;  ///< relative
constexpr int firstTableWidth = 400;
constexpr int widthForBoth = 860;

}  // namespace

ComparisonPanel::ComparisonPanel(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_plots(new TrialPlots(this)),
      m_model(new ComparisonModel(wallNow, this)),
      m_table(new QTableView(this)),
      m_note(new QLabel(this)),
      m_same(new ElidedLabel(this)),
      m_facts(new QWidget(this)),
      m_curves(new QToolButton(this)),
      m_differences(new QToolButton(this)),
      m_alone(new QToolButton(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyView(u"compare"_s, this))
{
    setObjectName(u"comparison"_s);
    m_plots->setObjectName(u"comparisonPlots"_s);
    m_plots->setForTrials();
    m_plots->setEmptyText(tr("These trials have not reported this metric yet."));
    m_table->setObjectName(u"comparisonTable"_s);
    m_table->setAccessibleName(tr("Differences"));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    followTextSize(m_table->verticalHeader(),
                   [header = m_table->verticalHeader()] { header->setDefaultSectionSize(textScaled(rowHeight)); });
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    // The padding of a column header would leave no room for the text. Nor would the arrow of a sorted column, which
    // takes its height from every line of a vertical header.
    m_table->verticalHeader()->setStyleSheet(
        u"QHeaderView::section { padding: 0 8px; border: none; }"
        "QHeaderView::up-arrow, QHeaderView::down-arrow { width: 0; height: 0; }"_s);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setDefaultSectionSize(textScaled(columnWidth));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setToolTip(tr("Click, or press Enter in a cell, to open the trial"));
    const auto open = [this](int column) {
        Q_EMIT trialActivated(m_model->trials()[static_cast<std::size_t>(column)].number);
    };
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, open);
    connect(m_table, &QTableView::activated, this, [open](const QModelIndex &index) { open(index.column()); });
    m_table->setTabKeyNavigation(false);
    auto *splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_plots);
    m_same->setObjectName(u"comparisonSame"_s);
    setTextRole(m_same, TextRole::Small);
    m_same->setContentsMargins(spacing::small, 0, 0, 0);
    auto *facts = new QVBoxLayout(m_facts);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setSpacing(spacing::tiny);
    facts->addWidget(m_same);
    facts->addWidget(m_table, 1);
    splitter->addWidget(m_facts);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({firstPlotsWidth, firstTableWidth});
    auto *both = new QWidget(this);
    auto *bothLayout = new QVBoxLayout(both);
    bothLayout->setContentsMargins(0, 0, 0, 0);
    bothLayout->setSpacing(spacing::tiny);
    bothLayout->addWidget(buildHead());
    bothLayout->addWidget(splitter, 1);
    m_stack->addWidget(both);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, spacing::tiny, 0, 0);
    layout->addWidget(m_stack);

    m_empty->setMessage(tr("Nothing to compare"),
                        tr("To compare trials, Shift+click or Ctrl+click two or more above."));
    m_update.setSingleShot(true);
    m_update.setInterval(120ms);
    connect(&m_update, &QTimer::timeout, this, &ComparisonPanel::update);
    update();
}

QWidget *ComparisonPanel::buildHead()
{
    auto *head = new QWidget(this);
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    m_curves->setObjectName(u"comparisonCurves"_s);
    m_curves->setText(tr("Curves"));
    m_differences->setObjectName(u"comparisonDifferences"_s);
    m_differences->setText(tr("Differences"));
    for (QToolButton *button : {m_curves, m_differences}) {
        button->setCheckable(true);
        button->setAutoExclusive(true);
        connect(button, &QToolButton::toggled, this, &ComparisonPanel::arrange);
        layout->addWidget(button);
    }
    m_curves->setChecked(true);
    m_note->setObjectName(u"comparisonNote"_s);
    setTextRole(m_note, TextRole::Small);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the tooltip has the full text
    layout->addWidget(m_note, 1);
    m_alone->setObjectName(u"comparisonAlone"_s);
    m_alone->setIcon(symbolIcon(u"fit"_s));
    m_alone->setAccessibleName(tr("Maximize comparison"));
    m_alone->setToolTip(tr("Maximize the comparison and hide the trial table"));
    m_alone->setCheckable(true);
    connect(m_alone, &QToolButton::toggled, this, &ComparisonPanel::aloneChosen);
    layout->addWidget(m_alone);
    return head;
}

PictureSaver *ComparisonPanel::pictures() const
{
    return m_plots->pictures();
}

bool ComparisonPanel::isAlone() const
{
    return m_alone->isChecked();
}

void ComparisonPanel::arrange()
{
    const bool hasRoom = width() >= textScaled(widthForBoth);
    m_curves->setVisible(!hasRoom);
    m_differences->setVisible(!hasRoom);
    m_plots->setVisible(hasRoom || m_curves->isChecked());
    m_facts->setVisible(hasRoom || m_differences->isChecked());
}

void ComparisonPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ComparisonPanel::showTrials(qint64 sweepId, std::vector<int> trials)
{
    m_leftOut = trials.size() > mostTrials ? trials.size() - mostTrials : 0;
    trials.resize(trials.size() - m_leftOut);
    m_sweepId = sweepId;
    m_trials = std::move(trials);
    refresh();
}

void ComparisonPanel::refresh()
{
    if (!m_update.isActive())
        m_update.start();
}

void ComparisonPanel::update()
{
    const sweep::SweepRecord *sweep = m_client->sweep(m_sweepId);
    const std::vector<sweep::TrialRecord> &all = m_client->trials(m_sweepId);
    std::vector<sweep::TrialRecord> records;
    std::vector<TrialSource> sources;
    for (const int number : m_trials) {
        if (!sweep || number < 1 || static_cast<std::size_t>(number) > all.size())
            continue;
        const sweep::TrialRecord &trial = all[static_cast<std::size_t>(number - 1)];
        records.push_back(trial);
        if (trial.attempts > 0)
            sources.push_back(sourceToShow(*m_client, *sweep, trial));
    }
    const bool enough = records.size() >= 2;
    m_stack->setCurrentIndex(enough ? 0 : 1);
    if (!enough) {
        m_plots->clear();
        m_model->setTrials({}, {});
        return;
    }
    if (sources.empty())
        m_plots->clear();
    else
        m_plots->showSources(sources);
    QStringList numbers;
    for (const sweep::TrialRecord &trial : records)
        numbers << QString::number(trial.number);
    m_plots->pictures()->setTitle(tr("%1 · trials %2").arg(QString::fromStdString(sweep->name), numbers.join(u", "_s)),
                                  u"%1-trials-%2"_s.arg(QString::fromStdString(sweep->folder), numbers.join(u'-')));
    const QModelIndex current = m_table->currentIndex();
    const QPoint cell(current.column(), current.row());
    m_model->setTrials(*sweep, std::move(records));
    // Keep the current cell for keyboard users while trials run.
    if (const QModelIndex again = m_model->index(cell.y(), cell.x()); again.isValid())
        m_table->selectionModel()->setCurrentIndex(again, QItemSelectionModel::NoUpdate);
    QStringList notes{tr("Curves: mean over ranks. Best and last: rank 0.")};
    if (m_leftOut > 0)
        notes
            << tr("Shows the first %L1 of %L2 selected trials.").arg(m_trials.size()).arg(m_trials.size() + m_leftOut);
    m_note->setText(notes.join(u' '));
    m_note->setToolTip(m_note->text());
    showSame();
}

void ComparisonPanel::showSame()
{
    const QStringList &same = m_model->sameParameters();
    const QString list = same.join(u" · "_s);
    const bool isAll = static_cast<std::size_t>(same.size()) == m_model->parameterCount();
    m_same->setText(isAll ? tr("All parameters equal: %1").arg(list) : tr("Equal: %1").arg(list));
    m_same->setToolTip((isAll ? tr("All parameters are equal:") : tr("Equal in all of these trials:")) + u'\n'
                       + same.join(u'\n'));
    m_same->setVisible(!same.isEmpty());
}

}  // namespace sweepscope::ui
