#include "ui/logs/sweepsearchpanel.h"

#include "ui/logs/sweephitdelegate.h"
#include "ui/logs/sweephitsmodel.h"
#include "ui/logs/sweepsearchjob.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace sweepscope::ui {

namespace {

constexpr int leastRows = 2;  ///< that are seen in a low window

}  // namespace

SweepSearchPanel::SweepSearchPanel(QWidget *parent)
    : QWidget(parent),
      m_text(new ElidedLabel),
      m_stop(new QToolButton),
      m_table(new QTableView),
      m_model(new SweepHitsModel(this)),
      m_job(new SweepSearchJob(this))
{
    m_text->setObjectName(QStringLiteral("sweepSearchState"));
    m_text->setTextFormat(Qt::PlainText);
    m_stop->setObjectName(QStringLiteral("sweepSearchStop"));
    m_stop->setIcon(symbolIcon(QStringLiteral("stop")));
    m_stop->setText(tr("Cancel"));
    m_stop->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto *close = new QToolButton;
    close->setObjectName(QStringLiteral("sweepSearchClose"));
    close->setIcon(symbolIcon(QStringLiteral("close")));
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the list of found lines"));

    m_table->setObjectName(QStringLiteral("sweepHits"));
    m_table->setAccessibleName(tr("Found lines"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new SweepHitDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->installEventFilter(this);
    followTextSize(m_table, [this] { layOutColumns(); });

    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_text, 1);
    head->addWidget(m_stop);
    head->addWidget(close);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    hide();

    connect(m_job, &SweepSearchJob::found, this,
            [this](const std::vector<SweepHit> &hits, const SweepSearchState &state) {
                m_state = state;
                m_model->append(hits);
                if (!m_table->currentIndex().isValid())
                    m_table->setCurrentIndex(m_model->index(0, SweepHitsModel::Text));
                showState();
            });
    connect(m_job, &SweepSearchJob::finished, this, &SweepSearchPanel::showState);
    connect(m_stop, &QToolButton::clicked, this, &SweepSearchPanel::stop);
    connect(close, &QToolButton::clicked, this, &SweepSearchPanel::close);
    const auto choose = [this](const QModelIndex &index) { Q_EMIT hitChosen(m_model->hit(index.row())); };
    connect(m_table, &QTableView::clicked, this, choose);
}

void SweepSearchPanel::layOutColumns()
{
    const QFontMetrics metrics = m_table->fontMetrics();
    const int row = metrics.height() + spacing::tiny;
    m_table->verticalHeader()->setDefaultSectionSize(row);
    m_table->setMinimumHeight(leastRows * row + 2 * m_table->frameWidth());
    const auto setWidth = [this, &metrics](int column, const QString &text) {
        m_table->setColumnWidth(column, metrics.horizontalAdvance(text) + 2 * spacing::small);
    };
    setWidth(SweepHitsModel::Trial, tr("Trial %1").arg(9999));
    setWidth(SweepHitsModel::Log, m_hasAttempts ? tr("Attempt %1, rank %2").arg(99).arg(99) : tr("Rank %1").arg(99));
    setWidth(SweepHitsModel::Line, QStringLiteral("999,999"));
}

void SweepSearchPanel::search(const SweepSearch &search, bool isPartial)
{
    m_search = search;
    m_isPartial = isPartial;
    m_isStopped = false;
    m_state = {};
    m_hasAttempts = std::ranges::any_of(search.trials, [](const auto &trial) { return trial.attempts > 1; });
    layOutColumns();
    m_model->clear();
    m_job->start(search);
    showState();
    show();
    m_table->setFocus();
}

void SweepSearchPanel::stop()
{
    m_isStopped = m_job->isSearching();
    m_job->cancel();
    showState();
}

void SweepSearchPanel::close()
{
    m_job->cancel();
    m_model->clear();
    hide();
}

void SweepSearchPanel::showState()
{
    m_stop->setVisible(m_job->isSearching());
    m_text->setText(stateText());
    Q_EMIT counted(m_state.lines, m_state.trialsWithHits);
}

/// Says what was searched, and what is not listed.
QString SweepSearchPanel::stateText() const
{
    const QLocale numbers;
    const QString lines = m_state.lines == 1 ? tr("1 line") : tr("%1 lines").arg(numbers.toString(m_state.lines));
    const QString all = numbers.toString(static_cast<qint64>(m_search.trials.size()));
    QString text;
    if (m_state.tooSlow)
        return tr("Search takes too long: simplify the pattern");
    if (m_job->isSearching())
        text =
            tr("Searching trial %1 of %2, all attempts: %3")
                .arg(numbers.toString(std::min<qint64>(m_state.trials + 1, std::ssize(m_search.trials))), all, lines);
    else if (m_isStopped)
        text = tr("Canceled after %1 of %2 trials: %3").arg(numbers.toString(m_state.trials), all, lines);
    else if (m_state.isFull)
        text = tr("First %L1 lines, from %2 of %3 trials. Refine the search to see others.")
                   .arg(m_search.linesOfAll)
                   .arg(numbers.toString(m_state.trials), all);
    else if (m_state.lines == 0)
        text = tr("Not found in the logs of %1 trials, all attempts").arg(all);
    else
        text = tr("%1 in %2 of %3 trials, all attempts").arg(lines, numbers.toString(m_state.trialsWithHits), all);
    if (m_state.isShortened)
        text += QStringLiteral(" · ") + tr("first %1 of each log listed").arg(m_search.linesOfALog);
    if (m_isPartial && !m_job->isSearching())
        text += QStringLiteral(" · ") + tr("searched the %L1 logs that were copied to this machine").arg(m_state.logs);
    return text;
}

bool SweepSearchPanel::eventFilter(QObject *object, QEvent *event)
{
    if (object == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_table->currentIndex().isValid()) {
            Q_EMIT hitChosen(m_model->hit(m_table->currentIndex().row()));
            return true;
        }
        if (key == Qt::Key_Escape) {
            if (m_job->isSearching())
                stop();
            else
                close();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace sweepscope::ui
