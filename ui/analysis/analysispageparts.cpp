// What the Analysis page is made of, and what leads where.
#include "ui/analysis/analysispage.h"
#include "ui/analysis/importancepanel.h"
#include "ui/analysis/parallelview.h"
#include "ui/analysis/targetchooser.h"
#include "ui/analysis/trialscatter.h"
#include "ui/base/emptyview.h"
#include "ui/live/picturesaver.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int besideChosen = 100;  ///< pixels that are seen on both sides of the chosen axis

/// A plot in a frame, under its name. All heads are as high as that of the one with a choice.
QWidget *card(const QString &title, QWidget *beside, QWidget *plot)
{
    auto *card = new QWidget;
    auto *frame = new QFrame;
    frame->setProperty("card", true);
    auto *inFrame = new QVBoxLayout(frame);
    inFrame->setContentsMargins(1, 1, 1, 1);
    inFrame->addWidget(plot);
    auto *heading = new QLabel(title);
    setTextRole(heading, TextRole::Emphasis);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(spacing::small);
    head->addWidget(heading);
    if (beside)
        head->addWidget(beside);
    head->addStretch(1);
    followTextSize(heading, [heading] { heading->setMinimumHeight(QComboBox().sizeHint().height()); });
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(head);
    layout->addWidget(frame, 1);
    return card;
}

}  // namespace

void AnalysisPage::build()
{
    m_target = new TargetChooser;
    m_log = new QCheckBox;
    m_summary = new QLabel;
    m_clear = new QPushButton(tr("Clear ranges"));
    m_show = new QPushButton(tr("Show in Trials"));
    m_parallel = new ParallelView;
    m_importance = new ImportancePanel;
    m_parameter = new QComboBox;
    m_slice = new TrialScatter(u"slicePlot"_s);
    m_history = new TrialScatter(u"historyPlot"_s);
    m_slice->setAccessibleName(tr("The chosen parameter against the value"));
    m_history->setAccessibleName(tr("Values in the order in which trials ended, and the best so far"));
    m_noValues = new EmptyView(u"analysis"_s);
    m_plots = new QStackedWidget;
    m_plots->addWidget(buildPlots());
    m_plots->addWidget(m_noValues);
    content()->addWidget(buildHead());
    content()->addWidget(m_plots, 1);
}

QWidget *AnalysisPage::buildHead()
{
    m_log->setObjectName(u"analysisLog"_s);
    m_log->setText(tr("Log scale"));
    m_log->setToolTip(tr("Logarithmic axis of the value, where all are above 0 (L)"));
    m_log->setAccessibleName(tr("Logarithmic axis of the value"));
    m_summary->setObjectName(u"analysisSummary"_s);
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_clear->setObjectName(u"analysisClear"_s);
    m_clear->setToolTip(tr("All trials again (Escape)"));
    m_clear->hide();
    m_show->setObjectName(u"analysisShowTrials"_s);
    m_show->setIcon(symbolIcon(u"trials"_s));
    m_show->setToolTip(tr("The trials within the chosen ranges, in the table; drag along an axis to choose a range"));
    m_show->setEnabled(false);
    auto *head = new QWidget;
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_target);
    layout->addWidget(m_log);
    layout->addWidget(m_summary, 1);
    layout->addWidget(m_clear);
    layout->addWidget(m_show);
    return head;
}

QWidget *AnalysisPage::buildPlots()
{
    QScrollArea *scroll = m_parallelArea = new QScrollArea;  // many axes in a narrow window
    scroll->setObjectName(u"parallelArea"_s);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_parallel);
    followTextSize(scroll, [this, scroll] {
        scroll->setMinimumHeight(m_parallel->minimumSizeHint().height()
                                 + scroll->horizontalScrollBar()->sizeHint().height());
    });
    m_parameter->setObjectName(u"sliceParameter"_s);
    m_parameter->setAccessibleName(tr("Parameter of the slice"));
    m_parameter->setSizeAdjustPolicy(QComboBox::AdjustToContents);

    auto *below = new QSplitter(Qt::Horizontal);
    below->setProperty("quiet", true);
    below->addWidget(card(tr("Importance"), nullptr, m_importance));
    below->addWidget(card(tr("Slice"), m_parameter, m_slice));
    below->addWidget(card(tr("History"), nullptr, m_history));
    auto *all = new QSplitter(Qt::Vertical);
    all->setProperty("quiet", true);
    all->addWidget(card(tr("Parallel coordinates"), nullptr, scroll));
    all->addWidget(below);
    for (QSplitter *splitter : {below, all}) {
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(spacing::medium);
        for (int i = 0; i < splitter->count(); ++i)
            splitter->setStretchFactor(i, 1);
    }
    below->setSizes({300, 360, 360});
    all->setSizes({360, 300});
    auto *room = new QScrollArea;  // large texts in a low window
    room->setObjectName(u"analysisArea"_s);
    room->setFrameShape(QFrame::NoFrame);
    room->setWidgetResizable(true);
    room->setFocusPolicy(Qt::NoFocus);
    room->setWidget(all);
    return room;
}

void AnalysisPage::connectPlots()
{
    connect(m_target, &TargetChooser::targetChosen, this, [this] {
        m_parallel->clearRanges();
        keep();
        refresh();
    });
    connect(m_target, &TargetChooser::goalChosen, this, [this] {
        keep();
        refresh();
    });
    connect(m_log, &QCheckBox::toggled, this, [this] {
        if (m_filling)
            return;
        keep();
        refresh();
    });
    connect(m_parallel, &ParallelView::axesMoved, this, &AnalysisPage::keep);
    auto *log = new QShortcut(Qt::Key_L, this);
    log->setContext(Qt::WidgetWithChildrenShortcut);
    connect(log, &QShortcut::activated, m_log, &QAbstractButton::click);
    connect(m_clear, &QPushButton::clicked, m_parallel, &ParallelView::clearRanges);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (!m_figure)
            return;
        const std::vector<char> within = rowsWithin(*m_figure, m_parallel->ranges());
        std::vector<int> trials;
        for (std::size_t row = 0; row < within.size(); ++row) {
            if (within[row])
                trials.push_back(m_figure->values.trials[row]);
        }
        Q_EMIT filterRequested(filterText(*m_figure, m_parallel->ranges()), trials);
    });

    connect(m_parallel, &ParallelView::rangesChanged, this, [this] {
        if (!m_filling)
            showRanges();
    });
    connect(m_parallel, &ParallelView::axisChosen, this, &AnalysisPage::chooseParameter);
    connect(m_parallel, &ParallelView::axisChosen, m_parallelArea, [this] {
        // What the keys go to is seen.
        m_parallelArea->ensureVisible(m_parallel->chosenPlace(), 0, textScaled(besideChosen), 0);
    });
    connect(m_importance, &ImportancePanel::parameterChosen, this, &AnalysisPage::chooseParameter);
    connect(m_parameter, &QComboBox::currentTextChanged, this, &AnalysisPage::chooseParameter);
    const auto selected = [this](int trial) { selection()->selectTrial(m_sweepId, trial); };
    const auto activated = [this](int trial) { Q_EMIT trialActivated(m_sweepId, trial); };
    connect(m_parallel, &ParallelView::trialSelected, this, selected);
    connect(m_parallel, &ParallelView::trialActivated, this, activated);
    for (TrialScatter *plot : {m_slice, m_history}) {
        plot->setTexts([this](int trial) { return trialText(trial); });
        connect(plot, &TrialScatter::trialSelected, this, selected);
        connect(plot, &TrialScatter::trialActivated, this, activated);
    }
}

/// Each plot can be saved and copied; the menu's commands take the one that had the keyboard last.
void AnalysisPage::addPictures()
{
    m_pictures[0] = new PictureSaver(m_parallel, [this](const QString &title) { return m_parallel->sheet(title); });
    m_pictures[1] =
        new PictureSaver(m_importance->list(), [this](const QString &title) { return m_importance->sheet(title); });
    int index = 2;
    for (TrialScatter *plot : {m_slice, m_history})
        m_pictures[index++] = new PictureSaver(plot, [plot](const QString &title) {
            return titledSheet(*plot, title, plot->size(),
                               [plot](QCPPainter &painter) { plot->paintPicture(&painter); });
        });
    const QWidget *widgets[] = {m_parallel, m_importance->list(), m_slice, m_history};
    connect(qApp, &QApplication::focusChanged, this, [this, widgets](QWidget *, QWidget *now) {
        const auto found = std::ranges::find(widgets, now);
        if (found != std::end(widgets))
            m_picturesOf = static_cast<int>(found - std::begin(widgets));
    });
}

/// Which sweep a picture is of stands above it.
void AnalysisPage::nameSheets(const sweep::SweepRecord &record)
{
    const QString sweep = QString::fromStdString(record.name);
    const std::pair<QString, QString> names[] = {{tr("parallel coordinates"), u"parallel-coordinates"_s},
                                                 {tr("importance"), u"importance"_s},
                                                 {tr("slice"), u"slice"_s},
                                                 {tr("history"), u"history"_s}};
    for (std::size_t i = 0; i < std::size(names); ++i)
        m_pictures[i]->setTitle(u"%1 · %2 · %3"_s.arg(sweep, names[i].first, m_target->title()),
                                u"%1-%2"_s.arg(sweep, names[i].second));
}

}  // namespace sweepscope::ui
