#include "ui/models/sweeplistmodel.h"

#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "sweep/trialtime.h"
#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SweepListModel::SweepListModel(WallClock clock, QObject *parent) : QAbstractListModel(parent), m_clock(std::move(clock))
{}

void SweepListModel::setSweeps(const std::vector<sweep::SweepRecord> &sweeps)
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (std::ranges::find(sweeps, sweepId(row), &sweep::SweepRecord::id) != sweeps.end())
            continue;
        beginRemoveRows({}, row, row);
        m_entries.erase(m_entries.begin() + row);
        endRemoveRows();
    }
    for (const sweep::SweepRecord &record : sweeps) {
        const auto place =
            std::ranges::lower_bound(m_entries, record.id, std::greater{}, [](const Entry &e) { return e.record.id; });
        const auto row = static_cast<int>(place - m_entries.begin());
        if (place != m_entries.end() && place->record.id == record.id) {
            const bool isEdited = place->record.toml != record.toml;
            place->record = record;
            if (isEdited)
                place->readDefinition();
            Q_EMIT dataChanged(index(row), index(row));
        } else {
            beginInsertRows({}, row, row);
            Entry entry{.record = record, .summary = {}};
            entry.summary.total = record.trialsTotal + record.trialsToCome.value_or(0);
            entry.summary.hasNoEnd = !record.trialsToCome;
            entry.readDefinition();
            entry.summary.isRun = entry.isRun;
            m_entries.insert(place, std::move(entry));
            endInsertRows();
        }
    }
}

void SweepListModel::Entry::readDefinition()
{
    const sweep::SweepSpec spec = sweep::parseSweep(record.toml).spec;
    concurrent = spec.devices.concurrent;
    isProbe = spec.probe.has_value();
    isRun = sweep::isRun(spec);
}

void SweepListModel::setTrials(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials)
{
    const int row = rowOf(sweepId);
    if (row < 0)
        return;
    Entry &entry = m_entries[static_cast<std::size_t>(row)];
    entry.summary = summary(sweepId, trials);
    Q_EMIT dataChanged(index(row), index(row));
}

int SweepListModel::rowOf(qint64 sweepId) const
{
    const auto found = std::ranges::find(m_entries, sweepId, [](const Entry &e) { return e.record.id; });
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

qint64 SweepListModel::sweepId(int row) const
{
    return m_entries[static_cast<std::size_t>(row)].record.id;
}

SweepSummary SweepListModel::summary(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials) const
{
    const int row = rowOf(sweepId);
    if (row < 0)
        return {};
    const Entry &entry = m_entries[static_cast<std::size_t>(row)];
    SweepSummary summary = summarize(entry.record, trials, entry.concurrent, m_clock());
    summary.isProbe = entry.isProbe;
    if (entry.isProbe) {  // its trials differ in throughput; their loss says nothing after so few steps
        summary.best.reset();
        summary.bestMean.reset();
        summary.bestTrial = 0;
        summary.bestSoFar.clear();
    }
    summary.isRun = entry.isRun;
    if (entry.isRun && entry.record.ended && !trials.empty())
        summary.ranSeconds = sweep::runningSeconds(trials.front(), m_clock());
    return summary;
}

int SweepListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QString SweepListModel::detail(const Entry &entry) const
{
    const SweepSummary &summary = entry.summary;
    if (entry.isRun)
        return summary.best
                   ? u"%1 %2"_s.arg(QString::fromStdString(entry.record.objective), numberText(summary.best->value))
                   : completedText(summary);
    QString text = completedText(summary);
    if (summary.best)
        text += u" · "_s + tr("best %1").arg(numberText(summary.best->value));
    return text;
}

QString SweepListModel::toolTip(const Entry &entry) const
{
    const QString tags = tagsText(entry.record.mark);
    const QString about = tr("%1 (number %2), %3")
                              .arg(QString::fromStdString(entry.record.name))
                              .arg(entry.record.id)
                              .arg(stateText(entry.record, entry.summary));
    const QString started = tr("Started %1").arg(dateTimeText(entry.record.created));
    const QString text =
        entry.isRun ? about + u'\n' + started : about + u'\n' + countsText(entry.summary) + u'\n' + started;
    return tags.isEmpty() ? text : tr("%1\nTags: %2").arg(text, tags);
}

QString tagsText(const sweep::Mark &mark)
{
    QStringList tags;
    for (const std::string &tag : mark.tags)
        tags << QString::fromStdString(tag);
    return tags.join(u", "_s);
}

QVariant SweepListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Entry &entry = m_entries[static_cast<std::size_t>(index.row())];
    const QString name = QString::fromStdString(entry.record.name);
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case Qt::DecorationRole:
        return stateIcon(entry.record, entry.summary);
    case Qt::AccessibleTextRole: {
        QString text = entry.record.mark.starred ? tr("%1, starred").arg(name) : name;
        for (const QString &more : {stateText(entry.record, entry.summary), detail(entry)})
            text += more.isEmpty() ? more : u", "_s + more;
        return text;
    }
    case Qt::ToolTipRole:
        return toolTip(entry);
    case IdRole:
        return QVariant::fromValue<qint64>(entry.record.id);
    case StateRole:
        return static_cast<int>(entry.record.state);
    case StateTextRole:
        return stateText(entry.record, entry.summary);
    case ArchivedRole:
        return entry.record.archived;
    case ProgressRole:
        return entry.summary.progress;
    case SummaryRole:
        return QVariant::fromValue(entry.summary);
    case DetailRole:
        return detail(entry);
    case StartedRole:
        return momentText(entry.record.created, m_clock());
    case StarredRole:
        return entry.record.mark.starred;
    case TagsRole:
        return tagsText(entry.record.mark);
    case SecondsRole:
        return entry.summary.ranSeconds.value_or(sweep::activeSeconds(entry.record, m_clock()));
    case IsRunRole:
        return entry.isRun;
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
