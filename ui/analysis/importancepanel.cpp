#include "ui/analysis/importancepanel.h"

#include "ui/analysis/importancedelegate.h"
#include "ui/analysis/importancemodel.h"
#include "ui/plot/qcustomplotheader.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QLabel>
#include <QListView>
#include <QScopedValueRollback>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

ImportancePanel::ImportancePanel(QWidget *parent)
    : QStackedWidget(parent), m_model(new ImportanceModel(this)), m_list(new QListView), m_message(new QLabel)
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
    addWidget(m_list);
    addWidget(m_message);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (!m_choosing && index.isValid())
            Q_EMIT parameterChosen(index.data(ImportanceModel::IdRole).toString());
    });
}

QString ImportancePanel::message() const
{
    return currentIndex() == 0 ? QString() : m_message->text();
}

QString ImportancePanel::messageFor(const AnalysisFigure &figure) const
{
    using Problem = analysis::Importance::Problem;
    const analysis::Importance &importance = figure.importance;
    if (figure.values.parameters.empty())
        return tr("This sweep varies no parameter.");
    if (importance.problem == Problem::TooFewTrials)
        return tr("Importance needs at least %1 completed trials (%2 so far).")
            .arg(analysis::fewestTrials)
            .arg(importance.completed);
    if (importance.problem == Problem::AllAlike)
        return tr("All trials have the same value. No parameter makes a difference.");
    if (std::ranges::all_of(importance.shares, [](double share) { return share == 0; }))
        return tr("No parameter matters more than expected by chance.");
    return {};
}

void ImportancePanel::setFigure(const FigurePtr &figure)
{
    const QScopedValueRollback choosing(m_choosing, true);
    const QString text = figure ? messageFor(*figure) : QString();
    m_model->setFigure(text.isEmpty() ? figure : nullptr);
    m_message->setText(text);
    setCurrentIndex(text.isEmpty() ? 0 : 1);
}

void ImportancePanel::chooseParameter(const QString &id)
{
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
    const QSize size(std::max(width(), textScaled(320)), line * rows + spacing::small);
    return titledSheet(*m_list, title, size, [this, line, size](QCPPainter &painter) {
        if (m_model->rowCount() == 0)
            painter.drawText(QRect(QPoint(), size), Qt::AlignCenter | Qt::TextWordWrap, m_message->text());
        for (int row = 0; row < m_model->rowCount(); ++row)
            ImportanceDelegate::paintRow(&painter, QRect(0, row * line, size.width(), line), m_model->index(row),
                                         m_list->font(), m_list->palette());
    });
}

}  // namespace sweepscope::ui
