#include "ui/models/sweeptablemodel.h"

#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"

#include <QGuiApplication>
#include <QStringList>

#include <array>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

SweepSummary summaryOf(const QModelIndex &source)
{
    return source.data(SweepListModel::SummaryRole).value<SweepSummary>();
}

bool isNumber(SweepTableModel::Column column)
{
    using Column = SweepTableModel::Column;
    return column == Column::Best || column == Column::Duration || column == Column::DeviceTime;
}

}  // namespace

SweepTableModel::SweepTableModel(SweepListModel *sweeps, QObject *parent)
    : QAbstractTableModel(parent), m_sweeps(sweeps)
{
    connect(sweeps, &QAbstractItemModel::rowsAboutToBeInserted, this,
            [this](const QModelIndex &, int first, int last) { beginInsertRows({}, first, last); });
    connect(sweeps, &QAbstractItemModel::rowsInserted, this, [this] { endInsertRows(); });
    connect(sweeps, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this](const QModelIndex &, int first, int last) { beginRemoveRows({}, first, last); });
    connect(sweeps, &QAbstractItemModel::rowsRemoved, this, [this] { endRemoveRows(); });
    connect(sweeps, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first, const QModelIndex &last) {
        Q_EMIT dataChanged(index(first.row(), 0), index(last.row(), columns - 1));
    });
}

int SweepTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_sweeps->rowCount();
}

int SweepTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

bool SweepTableModel::anyRecord(bool (*has)(const sweep::SweepRecord &)) const
{
    for (int row = 0; row < m_sweeps->rowCount(); ++row) {
        if (has(m_sweeps->record(row)))
            return true;
    }
    return false;
}

bool SweepTableModel::hasTags() const
{
    return anyRecord([](const sweep::SweepRecord &sweep) { return !sweep.mark.tags.empty(); });
}

bool SweepTableModel::hasNotes() const
{
    return anyRecord([](const sweep::SweepRecord &sweep) { return !sweep.mark.note.empty(); });
}

QString SweepTableModel::columnId(int column)
{
    static const std::array ids{u"name"_s, u"tags"_s,   u"note"_s,    u"state"_s, u"progress"_s,    u"objective"_s,
                                u"best"_s, u"course"_s, u"started"_s, u"time"_s,  u"device-time"_s, u"kind"_s};
    return ids[static_cast<std::size_t>(column)];
}

QString SweepTableModel::text(const QModelIndex &source, Column column) const
{
    const SweepSummary summary = summaryOf(source);
    switch (column) {
    case Column::Name:
        return source.data().toString();
    case Column::Tags:
        return source.data(SweepListModel::TagsRole).toString();
    case Column::Note:
        return QString::fromStdString(record(source).mark.note).section(u'\n', 0, 0);
    case Column::Objective: {
        const QString objective = QString::fromStdString(record(source).objective);
        return record(source).goal == sweep::Goal::Minimize ? tr("Minimize %1").arg(objective)
                                                            : tr("Maximize %1").arg(objective);
    }
    case Column::State: {
        const QString state = source.data(SweepListModel::StateTextRole).toString();
        return summary.failures.empty() ? state : u"%1 · %2"_s.arg(state, failuresText(summary));
    }
    case Column::Progress:
        return completedText(summary);
    case Column::Best:
        return summary.best ? numberText(summary.best->value) : u"–"_s;
    case Column::Course:
        return {};
    case Column::Started:
        return source.data(SweepListModel::StartedRole).toString();
    case Column::Duration: {
        const double seconds = source.data(SweepListModel::SecondsRole).toDouble();
        const auto state = static_cast<sweep::SweepState>(source.data(SweepListModel::StateRole).toInt());
        return sweep::isActive(state) ? elapsedText(seconds) : durationText(seconds);
    }
    case Column::DeviceTime:
        return durationText(static_cast<double>(record(source).deviceTime) * 1e-9);
    case Column::Kind:
        return source.data(SweepListModel::IsRunRole).toBool() ? tr("Run") : tr("Sweep");
    }
    return {};
}

QVariant SweepTableModel::sortValue(const QModelIndex &source, Column column) const
{
    const SweepSummary summary = summaryOf(source);
    switch (column) {
    case Column::Name:
    case Column::State:
    case Column::Tags:
    case Column::Note:
    case Column::Kind:
    case Column::Objective: {
        const QString key = text(source, column).toCaseFolded();
        return key.isEmpty() ? QVariant() : QVariant(key);
    }
    case Column::DeviceTime:
        return static_cast<double>(record(source).deviceTime);
    case Column::Progress:
        return summary.progress;
    case Column::Best:
    case Column::Course:
        return summary.best ? QVariant(summary.best->value) : QVariant();
    case Column::Started:
        return source.data(SweepListModel::IdRole);
    case Column::Duration:
        return source.data(SweepListModel::SecondsRole);
    }
    return {};
}

QString SweepTableModel::toolTip(const QModelIndex &source, Column column) const
{
    const SweepSummary summary = summaryOf(source);
    switch (column) {
    case Column::Progress:
        return countsText(summary);
    case Column::Note:
        return QString::fromStdString(record(source).mark.note);
    case Column::State:
        return text(source, column);
    case Column::Best:
        if (!summary.best)
            return tr("No values reported yet");
        if (source.data(SweepListModel::IsRunRole).toBool())
            return tr("%1 %2 at step %L3")
                .arg(QString::fromStdString(record(source).objective), exactText(summary.best->value))
                .arg(summary.best->step);
        return tr("%1 %2 at step %L3 of trial %4")
            .arg(QString::fromStdString(record(source).objective), exactText(summary.best->value))
            .arg(summary.best->step)
            .arg(summary.bestTrial);
    case Column::Course:
        return summary.bestSoFar.size() > 1 ? tr("Best value so far, in order of finish time") : QString();
    default:
        return source.data(Qt::ToolTipRole).toString();
    }
}

QVariant SweepTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const QModelIndex source = m_sweeps->index(index.row());
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(source, column);
    case Qt::AccessibleTextRole:
        return column == Column::Name ? source.data(role) : text(source, column);
    case Qt::DecorationRole:
        return column == Column::State ? source.data(role) : QVariant();
    case Qt::FontRole:
        return column == Column::Name ? emphasisFont(QGuiApplication::font()) : QVariant();
    case Qt::ToolTipRole:
        return toolTip(source, column);
    case Qt::TextAlignmentRole:
        return QVariant((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return sortValue(source, column);
    case SummaryRole:
        return source.data(SweepListModel::SummaryRole);
    case IdRole:
        return source.data(SweepListModel::IdRole);
    case ArchivedRole:
        return source.data(SweepListModel::ArchivedRole);
    case StarredRole:
        return source.data(SweepListModel::StarredRole);
    case NoteRole:
        return QString::fromStdString(record(source).mark.note);
    case StateRole:
        return source.data(SweepListModel::StateRole);
    case IsRunRole:
        return source.data(SweepListModel::IsRunRole);
    default:
        return {};
    }
}

QVariant SweepTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && column == Column::Duration)
        return tr("Wall-clock time, including pauses and waits for devices. For a run that has ended, only the time "
                  "that it ran.");
    if (role == Qt::ToolTipRole && column == Column::DeviceTime)
        return tr("Duration of each ended attempt, multiplied by its devices");
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Name:
        return tr("Sweep");
    case Column::Tags:
        return tr("Tags");
    case Column::Note:
        return tr("Note");
    case Column::Objective:
        return tr("Objective");
    case Column::DeviceTime:
        return tr("Device time");
    case Column::State:
        return tr("State");
    case Column::Progress:
        return tr("Trials completed");
    case Column::Best:
        return tr("Best");
    case Column::Course:
        return tr("Best so far");
    case Column::Started:
        return tr("Started");
    case Column::Duration:
        return tr("Elapsed");
    case Column::Kind:
        return tr("Kind");
    }
    return {};
}

}  // namespace sweepscope::ui
