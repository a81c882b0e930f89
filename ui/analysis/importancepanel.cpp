#include "ui/analysis/importancepanel.h"

#include "ui/analysis/importancedelegate.h"
#include "ui/analysis/importancemodel.h"
#include "ui/models/newestjob.h"
#include "ui/plot/qcustomplotheader.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QLabel>
#include <QListView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

ImportancePanel::ImportancePanel(QWidget *parent)
    : QStackedWidget(parent),
      m_model(new ImportanceModel(this)),
      m_list(new QListView),
      m_message(new QLabel),
      m_note(new ElidedLabel),
      m_job(new NewestJob(0ms, this))
{
    m_list->setObjectName(u"importances"_s);
    m_list->setAccessibleName(tr("Parameter importance"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ImportanceDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    followTextSize(m_list, [this] { m_list->doItemsLayout(); });
    m_message->setObjectName(u"importanceMessage"_s);
    m_message->setWordWrap(true);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    m_message->setMargin(spacing::medium);
    m_note->setObjectName(u"importanceNote"_s);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setContentsMargins(spacing::small, 0, spacing::small, spacing::tiny);
    setTextRole(m_note, TextRole::Small);
    auto *bars = new QWidget;
    auto *layout = new QVBoxLayout(bars);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_note);
    addWidget(bars);
    addWidget(m_message);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (!m_choosing && index.isValid())
            Q_EMIT parameterChosen(index.data(ImportanceModel::IdRole).toString());
    });
}

ImportancePanel::~ImportancePanel() = default;

QString ImportancePanel::message() const
{
    return currentIndex() == 0 ? QString() : m_message->text();
}

QString ImportancePanel::messageFor(const AnalysisFigure &figure, const analysis::Importance &importance,
                                    Of trials) const
{
    using Problem = analysis::Importance::Problem;
    const bool isPicked = trials == Of::Picked;
    if (figure.values.parameters.empty())
        return tr("This sweep varies no parameter.");
    if (figure.values.parameters.size() == 1)
        return tr("This sweep varies only %1. Importance compares several parameters.")
            .arg(QString::fromStdString(figure.values.parameters.front().name));
    if (importance.problem == Problem::TooFewTrials)
        return tr("Importance needs at least %1 completed trials (%2 so far).")
            .arg(analysis::fewestTrials)
            .arg(importance.completed);
    if (importance.problem == Problem::AllAlike)
        return isPicked ? tr("All %L1 selected trials have the same value. No parameter makes a difference.")
                              .arg(importance.completed)
                        : tr("All trials have the same value. No parameter makes a difference.");
    if (std::ranges::all_of(importance.shares, [](double share) { return share == 0; }))
        return isPicked ? tr("Among the %L1 selected trials, no parameter matters more than expected by chance.")
                              .arg(importance.completed)
                        : tr("No parameter matters more than expected by chance.");
    return {};
}

QString ImportancePanel::note() const
{
    return m_note->text();
}

/// Describes the trials and the intervals, and how certain they leave the order.
void ImportancePanel::describe(const analysis::Importance &importance, Of trials)
{
    const QString order = importance.isOrderCertain() ? tr("80% intervals") : tr("order uncertain");
    const QString text = trials == Of::Picked ? tr("%L1 selected trials · %2")
                         : trials == Of::All  ? tr("%L1 completed trials · %2")
                                              : tr("All %L1 completed trials: too few are selected · %2");
    m_note->setText(text.arg(importance.completed).arg(order));
    QString tip = tr("From %L1 completed trials").arg(importance.completed);
    if (importance.pruned == 1)
        tip += tr(" and 1 pruned trial, which counts as worse");
    else if (importance.pruned > 1)
        tip += tr(" and %L1 pruned trials, which count as worse").arg(importance.pruned);
    if (trials == Of::AllForTooFew)
        tip +=
            tr(".\nThe importance among selected trials needs at least %1 completed ones").arg(analysis::fewestTrials);
    m_note->setToolTip(
        tip
        + tr(".\nThe error bars are 80% intervals: how much the shares vary if the trials are weighted at "
             "random.")
        + (importance.isOrderCertain() ? QString() : tr("\nThey overlap.")));
}

bool ImportancePanel::isBusy() const
{
    return m_job->isPending();
}

void ImportancePanel::setData(FigurePtr figure, std::vector<char> within)
{
    m_job->drop();
    const bool isPicked = figure && std::ranges::find(within, 0) != within.end();
    if (!isPicked) {
        showImportance(figure, figure ? figure->importance : analysis::Importance(), Of::All);
        return;
    }
    int completed = 0;
    for (std::size_t row = 0; row < within.size(); ++row)
        completed += within[row] && figure->values.isCompleted(row) ? 1 : 0;
    if (completed < analysis::fewestTrials) {
        showImportance(figure, figure->importance, Of::AllForTooFew);
        return;
    }
    m_job->request([this, figure = std::move(figure), within = std::move(within)]() -> std::function<void()> {
        return [this, figure, importance = analysis::importanceOf(analysis::rowsOf(figure->values, within))] {
            showImportance(figure, importance, Of::Picked);
        };
    });
}

void ImportancePanel::showImportance(const FigurePtr &figure, const analysis::Importance &importance, Of trials)
{
    const QScopedValueRollback choosing(m_choosing, true);
    const QString text = figure ? messageFor(*figure, importance, trials) : QString();
    m_model->setImportance(text.isEmpty() ? figure : nullptr, importance);
    if (figure && text.isEmpty())
        describe(importance, trials);
    m_message->setText(text);
    setCurrentIndex(text.isEmpty() ? 0 : 1);
    chooseParameter(m_chosen);
}

void ImportancePanel::chooseParameter(const QString &id)
{
    m_chosen = id;
    const QScopedValueRollback choosing(m_choosing, true);
    const int row = m_model->rowOf(id);
    if (row < 0)
        m_list->selectionModel()->clear();
    else
        m_list->setCurrentIndex(m_model->index(row));
}

PictureSheet ImportancePanel::sheet(const QString &title) const
{
    const int line = m_list->itemDelegate()->sizeHint({}, {}).height();
    const int rows = std::max(1, m_model->rowCount());
    const bool hasNote = m_model->rowCount() > 0;
    const int noteHeight = hasNote ? m_note->sizeHint().height() : 0;
    const QSize size(std::max(width(), textScaled(320)), line * rows + spacing::small + noteHeight);
    return titledSheet(*m_list, title, size, [this, line, size, hasNote, noteHeight](QCPPainter &painter) {
        if (m_model->rowCount() == 0)
            painter.drawText(QRect(QPoint(), size), Qt::AlignCenter | Qt::TextWordWrap, m_message->text());
        for (int row = 0; row < m_model->rowCount(); ++row)
            ImportanceDelegate::paintRow(&painter, QRect(0, row * line, size.width(), line), m_model->index(row),
                                         m_list->font(), m_list->palette());
        if (hasNote) {
            painter.setPen(subtleTextColor(m_list->palette()));
            painter.setFont(m_note->font());
            painter.drawText(QRect(spacing::small, size.height() - noteHeight, size.width(), noteHeight),
                             Qt::AlignLeft | Qt::AlignVCenter, m_note->text());
        }
    });
}

}  // namespace sweepscope::ui
