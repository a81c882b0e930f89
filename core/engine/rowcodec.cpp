#include "engine/rowcodec.h"

#include "base/enumnames.h"
#include "protocol/metriccodec.h"
#include "protocol/recordcodec.h"
#include "sweep/trialtime.h"

#include <QCborArray>
#include <QCborValue>
#include <QJsonArray>
#include <QJsonDocument>

#include <limits>

namespace sweepscope::engine {

namespace {

std::optional<WallNs> time(const QSqlQuery &row, int column)
{
    const QVariant value = row.value(column);
    return value.isNull() ? std::nullopt : std::optional<WallNs>(value.toLongLong());
}

std::vector<std::string> texts(const QSqlQuery &row, int column)
{
    std::vector<std::string> list;
    for (const QJsonValue &item : QJsonDocument::fromJson(row.value(column).toByteArray()).array())
        list.push_back(item.toString().toStdString());
    return list;
}

std::optional<sweep::ObjectiveValue> objective(const QSqlQuery &row, int column)
{
    if (row.value(column + 1).isNull())
        return std::nullopt;
    const QVariant value = row.value(column);
    return sweep::ObjectiveValue{value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.toDouble(),
                                 row.value(column + 1).toLongLong()};
}

tl::unexpected<Error> damaged(const sweep::TrialRecord &trial)
{
    return makeError(ErrorCode::Corrupt, "the database has a damaged row: trial " + std::to_string(trial.number)
                                             + " of sweep " + std::to_string(trial.sweepId));
}

Expected<std::vector<sweep::MetricValue>> metricsFromVariant(const QVariant &stored)
{
    if (stored.isNull())
        return std::vector<sweep::MetricValue>();
    return protocol::metricsFromCbor(QCborValue::fromCbor(stored.toByteArray()));
}

QVariant metricsToVariant(const std::vector<sweep::MetricValue> &metrics)
{
    return metrics.empty() ? QVariant() : QVariant(QCborValue(protocol::toCbor(metrics)).toCbor());
}

void bindObjective(QSqlQuery &query, const std::optional<sweep::ObjectiveValue> &objective)
{
    query.addBindValue(objective ? QVariant(objective->value) : QVariant());
    query.addBindValue(objective ? toVariant(objective->step) : QVariant());
}

using pruning::LogEntry;
constexpr EnumNames<LogEntry::Event, 4> pruneEventNames{{{LogEntry::Event::Reached, "reached"},
                                                         {LogEntry::Event::Completed, "completed"},
                                                         {LogEntry::Event::StartedOver, "started_over"},
                                                         {LogEntry::Event::Promoted, "promoted"}}};

}  // namespace

std::string text(const QSqlQuery &row, int column)
{
    return row.value(column).toString().toStdString();
}

QVariant toVariant(std::int64_t number)
{
    return QVariant(static_cast<qlonglong>(number));
}

QVariant toVariant(const std::string &utf8)
{
    return QVariant(QString::fromStdString(utf8));
}

QVariant toVariant(const std::optional<WallNs> &time)
{
    return time ? toVariant(*time) : QVariant();
}

QVariant toVariant(const std::vector<std::string> &list)
{
    QJsonArray array;
    for (const std::string &item : list)
        array.append(QString::fromStdString(item));
    return QVariant(QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Compact)));
}

Expected<sweep::SweepRecord> sweepFromRow(const QSqlQuery &row)
{
    sweep::SweepRecord sweep;
    sweep.id = row.value(0).toLongLong();
    sweep.name = text(row, 1);
    sweep.folder = text(row, 2);
    const std::optional<sweep::SweepState> state = sweep::sweepStateFromString(text(row, 3));
    if (!state)
        return makeError(ErrorCode::Corrupt, "the database has sweep " + std::to_string(sweep.id)
                                                 + " in the unknown state '" + text(row, 3) + "'");
    sweep.state = *state;
    sweep.objective = text(row, 4);
    sweep.goal = row.value(5).toBool() ? sweep::Goal::Maximize : sweep::Goal::Minimize;
    sweep.parameterNames = texts(row, 6);
    sweep.toml = text(row, 7);
    sweep.baseFolder = text(row, 8);
    sweep.trialsTotal = row.value(9).toInt();
    sweep.created = row.value(10).toLongLong();
    sweep.ended = time(row, 11);
    sweep.stopMode = sweep::stopModeFromString(text(row, 12)).value_or(sweep::StopMode::Now);
    sweep.priority = row.value(13).toInt();
    sweep.archived = row.value(14).toBool();
    sweep.edits = row.value(15).toInt();
    sweep.rested = row.value(16).toLongLong();
    sweep.deviceTime = static_cast<WallNs>(row.value(17).toDouble());
    sweep.trialsToCome = row.value(18).isNull() ? std::nullopt : std::optional<int>(row.value(18).toInt());
    sweep.definition = row.value(19).toInt();
    sweep.mark = {row.value(20).toBool(), texts(row, 21), text(row, 22)};
    return sweep;
}

Expected<TrialRow> trialFromRow(const QSqlQuery &row)
{
    TrialRow trial;
    sweep::TrialRecord &record = trial.record;
    record.sweepId = row.value(0).toLongLong();
    record.number = row.value(1).toInt();
    const std::optional<sweep::TrialState> state = sweep::trialStateFromString(text(row, 2));
    Expected<sweep::ParameterSet> parameters =
        protocol::parametersFromCbor(QCborValue::fromCbor(row.value(3).toByteArray()));
    if (!state || !parameters)
        return damaged(record);
    record.state = *state;
    record.parameters = std::move(*parameters);
    record.seed = static_cast<std::uint64_t>(row.value(4).toLongLong());
    record.ranks = row.value(5).toInt();
    record.attempts = row.value(6).toInt();
    trial.failures = row.value(7).toInt();
    record.devices = texts(row, 8);
    record.objectiveLast = objective(row, 9);
    record.objectiveBest = objective(row, 11);
    record.started = time(row, 13);
    record.ended = time(row, 14);
    record.step = row.value(15).toLongLong();
    record.progress = row.value(16).toDouble();
    record.reason = factFromRow(row, 17);
    record.attemptStarted = sweep::waitsAsJob(record) ? std::nullopt : time(row, 18);
    record.priority = row.value(19).toInt();
    record.enqueued = row.value(20).toBool();
    trial.spared = row.value(21).toBool();
    record.simulated = row.value(22).toBool();
    trial.pending = pendingRequestFromString(text(row, 23)).value_or(PendingRequest::Nothing);
    record.mark = {row.value(24).toBool(), texts(row, 25), text(row, 26)};
    if (Expected<std::vector<sweep::MetricValue>> metrics = metricsFromVariant(row.value(27)))
        record.metrics = std::move(*metrics);
    else
        return damaged(record);
    record.paused = row.value(28).toLongLong();
    record.pausedSince = time(row, 29);
    record.attemptEnded = time(row, 30);
    record.firstAttempt = row.value(31).toInt();
    record.ran = row.value(32).toLongLong();
    trial.firstStep = time(row, 33);
    trial.objectiveReached = time(row, 34);
    record.chosen = factFromRow(row, 35);
    if (!row.value(36).isNull())
        record.pointMean = sweep::PointMean{row.value(36).toDouble(), row.value(37).toDouble(), row.value(38).toInt()};
    record.violation = row.value(39).toDouble();
    return trial;
}

QVariant toVariant(const facts::Fact &fact)
{
    return toVariant(facts::toJson(fact));
}

facts::Fact factFromRow(const QSqlQuery &row, int column)
{
    const std::string json = text(row, column);
    if (json.empty())
        return {};
    // A damaged database still shows the rest of its content.
    return facts::fromJson(json).value_or(facts::Fact(facts::Code::Unknown).with(facts::Field::Detail, json));
}

std::string outcomeText(const std::vector<std::pair<std::string, double>> &outcome)
{
    if (outcome.empty())
        return {};
    QJsonArray pairs;
    for (const auto &[name, value] : outcome)
        pairs.append(QJsonArray{QString::fromStdString(name), QString::number(value, 'g', 17)});
    return QJsonDocument(pairs).toJson(QJsonDocument::Compact).toStdString();
}

std::vector<std::pair<std::string, double>> outcomeFromText(const std::string &json)
{
    std::vector<std::pair<std::string, double>> outcome;
    for (const QJsonValue &pair : QJsonDocument::fromJson(QByteArray::fromStdString(json)).array())
        outcome.emplace_back(pair[0].toString().toStdString(), pair[1].toString().toDouble());
    return outcome;
}

QVariant parametersToVariant(const sweep::ParameterSet &parameters)
{
    return QVariant(QCborValue(protocol::toCbor(parameters)).toCbor());
}

void bindTrialChanges(QSqlQuery &query, const TrialRow &trial)
{
    const sweep::TrialRecord &record = trial.record;
    query.addBindValue(toVariant(sweep::toString(record.state)));
    query.addBindValue(record.attempts);
    query.addBindValue(trial.failures);
    query.addBindValue(toVariant(record.devices));
    bindObjective(query, record.objectiveLast);
    bindObjective(query, record.objectiveBest);
    query.addBindValue(toVariant(record.started));
    query.addBindValue(toVariant(record.ended));
    query.addBindValue(toVariant(record.step));
    query.addBindValue(record.progress);
    query.addBindValue(toVariant(record.reason));
    query.addBindValue(record.priority);
    query.addBindValue(trial.spared ? 1 : 0);
    query.addBindValue(record.simulated ? 1 : 0);
    query.addBindValue(toVariant(toString(trial.pending)));
    query.addBindValue(metricsToVariant(record.metrics));
    query.addBindValue(toVariant(record.paused));
    query.addBindValue(toVariant(record.pausedSince));
    query.addBindValue(record.mark.starred ? 1 : 0);
    query.addBindValue(toVariant(record.mark.tags));
    query.addBindValue(toVariant(record.mark.note));
    query.addBindValue(record.firstAttempt);
    query.addBindValue(toVariant(record.ran));
    query.addBindValue(toVariant(trial.firstStep));
    query.addBindValue(toVariant(trial.objectiveReached));
    const sweep::PointMean mean = record.pointMean.value_or(sweep::PointMean());
    query.addBindValue(record.pointMean ? QVariant(mean.value) : QVariant());
    query.addBindValue(mean.error);
    query.addBindValue(mean.runs);
    query.addBindValue(record.violation);
    query.addBindValue(toVariant(record.sweepId));
    query.addBindValue(record.number);
}

AttemptRow attemptFromRow(const QSqlQuery &row)
{
    AttemptRow attempt;
    attempt.sweepId = row.value(0).toLongLong();
    attempt.trial = row.value(1).toInt();
    attempt.number = row.value(2).toInt();
    attempt.id = text(row, 3);
    if (!row.value(4).isNull())
        attempt.agent = launch::ProcessIdentity{row.value(4).toInt(), row.value(5).toULongLong()};
    attempt.created = row.value(6).toLongLong();
    attempt.devices = row.value(7).toInt();
    return attempt;
}

pruning::LogEntry pruneLogEntryFromRow(const QSqlQuery &row)
{
    const auto real = [&row](int column) {
        const QVariant value = row.value(column);
        return value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.toDouble();
    };
    pruning::LogEntry entry;
    entry.trial = row.value(0).toInt();
    entry.event = valueOf(pruneEventNames, text(row, 1)).value_or(pruning::LogEntry::Event::Reached);
    entry.value = {row.value(2).toLongLong(), real(3), real(4)};
    entry.definition = row.value(5).toInt();
    entry.isDecided = !row.value(6).isNull();
    entry.isPruned = row.value(6).toBool();
    entry.peers = row.value(7).toInt();
    if (!row.value(8).isNull())
        entry.bound = row.value(8).toDouble();
    return entry;
}

void bindPruneLogEntry(QSqlQuery &query, const pruning::LogEntry &entry)
{
    query.addBindValue(entry.trial);
    query.addBindValue(toVariant(nameOf(pruneEventNames, entry.event)));
    query.addBindValue(toVariant(entry.value.rung));
    query.addBindValue(entry.value.best);  // SQLite stores NULL for NaN
    query.addBindValue(entry.value.last);
    query.addBindValue(entry.definition);
    query.addBindValue(entry.isDecided ? QVariant(entry.isPruned ? 1 : 0) : QVariant());
    query.addBindValue(entry.peers);
    query.addBindValue(entry.bound ? QVariant(*entry.bound) : QVariant());
}

}  // namespace sweepscope::engine
