#include "ui/probe/probepage.h"

#include "ui/base/emptyview.h"
#include "ui/base/taborder.h"
#include "ui/models/valuetext.h"
#include "ui/probe/probemodel.h"
#include "ui/probe/probeplot.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int probeRowHeight = 28;

}  // namespace

ProbePage::ProbePage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent)
    : EnginePage(client, selection, u"findings"_s, 200ms, parent),
      m_reader(client, ProbeReader::When::WhileRunning),
      m_model(new ProbeModel(this)),
      m_sentence(new QLabel(this)),
      m_use(new QPushButton(this)),
      m_plot(new ProbePlot),
      m_table(new QTableView(this))
{
    setObjectName(u"probePage"_s);
    buildTable();
    content()->addLayout(buildHead());
    content()->addWidget(m_plot, 1);
    content()->addWidget(m_table, 1);
    setFirstForKeys(this, m_table);
    connect(&m_reader, &ProbeReader::changed, this, &ProbePage::showProbe);
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (const std::optional<ProbeSuggestion> suggestion = m_reader.suggestion())
            Q_EMIT valueRequested(suggestion->parameter, suggestion->value);
    });
    showEmpty();
}

QLayout *ProbePage::buildHead()
{
    m_sentence->setObjectName(u"probeSentence"_s);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_use->setObjectName(u"useSuggestionButton"_s);
    m_use->setToolTip(tr("Open the probed sweep in the editor, with this value"));
    markPrimary(m_use);
    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::medium);
    head->addWidget(m_sentence, 1);
    head->addWidget(m_use);
    return head;
}

void ProbePage::buildTable()
{
    m_table->setObjectName(u"probeTable"_s);
    m_table->setAccessibleName(tr("Measurements"));
    auto *sorted = new QSortFilterProxyModel(m_table);
    sorted->setSourceModel(m_model);
    sorted->setSortRole(ProbeModel::SortRole);
    m_table->setModel(sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(ProbeModel::Column::Value), Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    followTextSize(m_table->verticalHeader(),
                   [header = m_table->verticalHeader()] { header->setDefaultSectionSize(textScaled(probeRowHeight)); });
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_table, &QTableView::activated, this, [this, sorted](const QModelIndex &index) {
        Q_EMIT trialActivated(sweepId(), m_model->trialAt(sorted->mapToSource(index).row()));
    });
}

void ProbePage::refresh()
{
    m_reader.setSweep(sweepId());
    showProbe();
}

void ProbePage::showProbe()
{
    const std::optional<diagnosis::BatchProbe> &probe = m_reader.probe();
    if (!probe || probe->measurements.empty()) {
        showEmpty(tr("Nothing measured yet"), tr("Each trial of a probe measures one value for a short time."));
        return;
    }
    QString sentence = sentenceText(QString::fromStdString(probe->sentence));
    if (probe->simulated)
        sentence += u' ' + tr("(simulated GPUs)");
    m_sentence->setText(sentence);
    const std::optional<ProbeSuggestion> suggestion = m_reader.suggestion();
    m_use->setVisible(suggestion.has_value());
    m_use->setEnabled(!client()->isReadOnly());
    if (suggestion)
        m_use->setText(tr("Use %1").arg(suggestion->text()));
    m_plot->setProbe(*probe);
    m_model->setProbe(*probe);
    showContent();
}

}  // namespace sweepscope::ui
