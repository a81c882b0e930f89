#include "protocol/recordcodec.h"

#include "protocol/cborfields.h"
#include "protocol/markcodec.h"
#include "protocol/metriccodec.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <limits>
#include <string>

namespace sweepscope::protocol {

namespace {

QCborValue valueToCbor(const sweep::ParameterValue &value)
{
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        return QCborValue(static_cast<qint64>(*integer));
    if (const auto *number = std::get_if<double>(&value))
        return QCborValue(*number);
    if (const auto *boolean = std::get_if<bool>(&value))
        return QCborValue(*boolean);
    return QCborValue(text(std::get<std::string>(value)));
}

std::optional<sweep::ParameterValue> valueFromCbor(const QCborValue &untrusted)
{
    if (untrusted.isInteger())
        return static_cast<std::int64_t>(untrusted.toInteger());
    if (untrusted.isDouble())
        return untrusted.toDouble();
    if (untrusted.isBool())
        return untrusted.toBool();
    if (untrusted.isString())
        return untrusted.toString().toStdString();
    return std::nullopt;
}

void put(QCborMap &map, const char *key, const std::optional<WallNs> &time)
{
    if (time)
        map.insert(QLatin1String(key), static_cast<qint64>(*time));
}

void put(QCborMap &map, const char *key, const std::optional<sweep::ObjectiveValue> &objective)
{
    if (objective)
        map.insert(QLatin1String(key), QCborArray{objective->value, static_cast<qint64>(objective->step)});
}

std::optional<sweep::ObjectiveValue> objective(CborFields &fields, const char *key)
{
    const QCborArray untrusted = fields.optionalArray(key);
    if (untrusted.isEmpty())
        return std::nullopt;
    if (untrusted.size() != 2 || !(untrusted.at(0).isDouble() || untrusted.at(0).isInteger())
        || !untrusted.at(1).isInteger()) {
        fields.fail(std::string("has no [value, step] in '") + key + "'");
        return std::nullopt;
    }
    return sweep::ObjectiveValue{untrusted.at(0).toDouble(), untrusted.at(1).toInteger()};
}

constexpr int withoutLimit = -1;  ///< for trialsToCome

int priority(CborFields &fields)
{
    const qint64 value = fields.optionalInteger("priority").value_or(0);
    if (value < -sweep::highestPriority || value > sweep::highestPriority)
        fields.fail("has a priority beyond " + std::to_string(sweep::highestPriority));
    return static_cast<int>(std::clamp<qint64>(value, -sweep::highestPriority, sweep::highestPriority));
}

/// Returns `value` unless reading a field failed.
template <typename T>
Expected<T> checked(const CborFields &fields, T &&value)
{
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return std::forward<T>(value);
}

}  // namespace

QCborArray toCbor(const sweep::ParameterSet &parameters)
{
    QCborArray array;
    for (const auto &[name, value] : parameters) {
        array.append(text(name));
        array.append(valueToCbor(value));
    }
    return array;
}

Expected<sweep::ParameterSet> parametersFromCbor(const QCborValue &untrusted)
{
    const QCborArray array = untrusted.toArray();
    if (!untrusted.isArray() || array.size() % 2 != 0)
        return makeError(ErrorCode::Corrupt, "invalid parameters: not a list of names and values");
    sweep::ParameterSet parameters;
    parameters.reserve(static_cast<std::size_t>(array.size() / 2));
    for (qsizetype i = 0; i < array.size(); i += 2) {
        const std::optional<sweep::ParameterValue> value = valueFromCbor(array.at(i + 1));
        if (!array.at(i).isString() || !value)
            return makeError(ErrorCode::Corrupt, "invalid parameters: not a name and a plain value");
        parameters.emplace_back(array.at(i).toString().toStdString(), *value);
    }
    return parameters;
}

QCborMap toCbor(const sweep::TrialRecord &trial)
{
    QCborMap map;
    map.insert(QLatin1String("number"), trial.number);
    map.insert(QLatin1String("state"), text(sweep::toString(trial.state)));
    map.insert(QLatin1String("parameters"), toCbor(trial.parameters));
    // CBOR in Qt has only signed 64-bit integers: this transfers the bits, not the number.
    map.insert(QLatin1String("seed"), static_cast<qint64>(trial.seed));
    map.insert(QLatin1String("ranks"), trial.ranks);
    map.insert(QLatin1String("attempts"), trial.attempts);
    if (trial.firstAttempt != 0)
        map.insert(QLatin1String("firstAttempt"), trial.firstAttempt);
    if (!trial.devices.empty())
        map.insert(QLatin1String("devices"), texts(trial.devices));
    if (trial.simulated)
        map.insert(QLatin1String("simulated"), true);
    put(map, "objectiveLast", trial.objectiveLast);
    put(map, "objectiveBest", trial.objectiveBest);
    if (trial.pointMean)
        map.insert(QLatin1String("pointMean"),
                   QCborArray{trial.pointMean->value, trial.pointMean->error, trial.pointMean->runs});
    if (trial.violation != 0)
        map.insert(QLatin1String("violation"), trial.violation);
    if (!trial.metrics.empty())
        map.insert(QLatin1String("metrics"), toCbor(trial.metrics));
    put(map, "started", trial.started);
    put(map, "attemptStarted", trial.attemptStarted);
    put(map, "attemptEnded", trial.attemptEnded);
    put(map, "ended", trial.ended);
    if (trial.ran != 0)
        map.insert(QLatin1String("ran"), static_cast<qint64>(trial.ran));
    if (trial.paused != 0)
        map.insert(QLatin1String("paused"), static_cast<qint64>(trial.paused));
    put(map, "pausedSince", trial.pausedSince);
    map.insert(QLatin1String("step"), static_cast<qint64>(trial.step));
    map.insert(QLatin1String("progress"), trial.progress);
    if (trial.reason)
        map.insert(QLatin1String("reason"), toCbor(trial.reason));
    if (trial.priority != 0)
        map.insert(QLatin1String("priority"), trial.priority);
    if (trial.enqueued)
        map.insert(QLatin1String("enqueued"), true);
    if (trial.chosen)
        map.insert(QLatin1String("chosen"), toCbor(trial.chosen));
    if (!trial.mark.isEmpty())
        map.insert(QLatin1String("mark"), toCbor(trial.mark));
    return map;
}

Expected<sweep::TrialRecord> trialFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a trial");
    sweep::TrialRecord trial;
    trial.number = static_cast<int>(fields.integer("number", 1, static_cast<qint64>(sweep::maxTrials)));
    if (const auto state = sweep::trialStateFromString(fields.utf8("state")))
        trial.state = *state;
    else
        fields.fail("has an unknown state");
    if (Expected<sweep::ParameterSet> parameters = parametersFromCbor(fields.value("parameters")))
        trial.parameters = std::move(*parameters);
    else
        fields.fail("has no valid parameters");
    trial.seed = static_cast<std::uint64_t>(fields.integer("seed"));
    trial.ranks = static_cast<int>(fields.integer("ranks", 1, maxInt));
    trial.attempts = static_cast<int>(fields.integer("attempts", 0, maxInt));
    trial.firstAttempt =
        static_cast<int>(std::clamp<qint64>(fields.optionalInteger("firstAttempt").value_or(0), 0, maxInt));
    trial.devices = fields.optionalTexts("devices");
    trial.simulated = fields.value("simulated").toBool();
    trial.objectiveLast = objective(fields, "objectiveLast");
    trial.objectiveBest = objective(fields, "objectiveBest");
    if (const QCborArray mean = fields.value("pointMean").toArray(); mean.size() == 3)
        trial.pointMean = sweep::PointMean{mean.at(0).toDouble(), mean.at(1).toDouble(),
                                           static_cast<int>(std::clamp<qint64>(mean.at(2).toInteger(), 0, maxInt))};
    trial.violation = fields.value("violation").toDouble();
    if (const QCborValue metrics = fields.value("metrics"); !metrics.isUndefined()) {
        if (Expected<std::vector<sweep::MetricValue>> values = metricsFromCbor(metrics))
            trial.metrics = std::move(*values);
        else
            fields.fail("has bad metrics: " + values.error().message);
    }
    trial.started = fields.optionalInteger("started");
    trial.attemptStarted = fields.optionalInteger("attemptStarted");
    trial.attemptEnded = fields.optionalInteger("attemptEnded");
    trial.ended = fields.optionalInteger("ended");
    trial.ran = std::max<WallNs>(0, fields.optionalInteger("ran").value_or(0));
    trial.pausedSince = fields.optionalInteger("pausedSince");
    trial.paused = std::max<WallNs>(0, fields.optionalInteger("paused").value_or(0));
    trial.step = fields.integer("step");
    trial.progress = fields.number("progress");
    if (!(trial.progress >= 0 && trial.progress <= 1))
        fields.fail("has a progress outside 0 to 1");
    trial.reason = fields.fact("reason");
    trial.priority = priority(fields);
    trial.enqueued = fields.value("enqueued").toBool();
    trial.chosen = fields.fact("chosen");
    if (fields.value("mark").isMap()) {
        if (Expected<sweep::Mark> mark = markFromCbor(fields.value("mark")))
            trial.mark = std::move(*mark);
        else
            fields.fail("has a bad mark: " + mark.error().message);
    }
    return checked(fields, std::move(trial));
}

QCborMap toCbor(const sweep::SweepRecord &sweep)
{
    QCborMap map;
    map.insert(QLatin1String("id"), static_cast<qint64>(sweep.id));
    map.insert(QLatin1String("name"), text(sweep.name));
    map.insert(QLatin1String("folder"), text(sweep.folder));
    map.insert(QLatin1String("state"), text(sweep::toString(sweep.state)));
    map.insert(QLatin1String("objective"), text(sweep.objective));
    map.insert(QLatin1String("maximize"), sweep.goal == sweep::Goal::Maximize);
    map.insert(QLatin1String("parameterNames"), texts(sweep.parameterNames));
    map.insert(QLatin1String("toml"), text(sweep.toml));
    map.insert(QLatin1String("baseFolder"), text(sweep.baseFolder));
    map.insert(QLatin1String("trialsTotal"), sweep.trialsTotal);
    if (sweep.trialsToCome != 0)
        map.insert(QLatin1String("trialsToCome"), sweep.trialsToCome.value_or(withoutLimit));
    map.insert(QLatin1String("created"), static_cast<qint64>(sweep.created));
    put(map, "ended", sweep.ended);
    if (sweep.rested != 0)
        map.insert(QLatin1String("rested"), static_cast<qint64>(sweep.rested));
    if (sweep.deviceTime != 0)
        map.insert(QLatin1String("deviceTime"), static_cast<qint64>(sweep.deviceTime));
    if (sweep.state == sweep::SweepState::Stopping)
        map.insert(QLatin1String("stopMode"), text(sweep::toString(sweep.stopMode)));
    if (sweep.edits != 0)
        map.insert(QLatin1String("edits"), sweep.edits);
    if (sweep.archived)
        map.insert(QLatin1String("archived"), true);
    if (!sweep.mark.isEmpty())
        map.insert(QLatin1String("mark"), toCbor(sweep.mark));
    if (sweep.priority != 0)
        map.insert(QLatin1String("priority"), sweep.priority);
    if (!sweep.warnings.empty())
        map.insert(QLatin1String("warnings"), toCbor(sweep.warnings));
    if (sweep.held) {
        map.insert(QLatin1String("heldTrial"), sweep.held->number);
        map.insert(QLatin1String("heldReason"), toCbor(sweep.held->reason));
    }
    return map;
}

Expected<sweep::SweepRecord> sweepFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a sweep");
    sweep::SweepRecord sweep;
    sweep.id = fields.integer("id", 1);
    sweep.name = fields.utf8("name");
    sweep.folder = fields.utf8("folder");
    if (const auto state = sweep::sweepStateFromString(fields.utf8("state")))
        sweep.state = *state;
    else
        fields.fail("has an unknown state");
    sweep.objective = fields.utf8("objective");
    sweep.goal = fields.boolean("maximize") ? sweep::Goal::Maximize : sweep::Goal::Minimize;
    sweep.parameterNames = fields.optionalTexts("parameterNames");
    sweep.toml = fields.utf8("toml");
    sweep.baseFolder = fields.utf8("baseFolder");
    sweep.trialsTotal = static_cast<int>(fields.integer("trialsTotal", 0, static_cast<qint64>(sweep::maxTrials)));
    const qint64 toCome = fields.optionalInteger("trialsToCome").value_or(0);
    if (toCome < withoutLimit || toCome > static_cast<qint64>(sweep::maxTrials))
        fields.fail("has a number of trials to come that is out of range");
    else if (toCome == withoutLimit)
        sweep.trialsToCome.reset();
    else
        sweep.trialsToCome = static_cast<int>(toCome);
    sweep.created = fields.integer("created");
    sweep.ended = fields.optionalInteger("ended");
    sweep.rested = fields.optionalInteger("rested").value_or(0);
    sweep.deviceTime = std::max<WallNs>(0, fields.optionalInteger("deviceTime").value_or(0));
    if (sweep.state == sweep::SweepState::Stopping) {
        if (const auto mode = sweep::stopModeFromString(fields.utf8("stopMode")))
            sweep.stopMode = *mode;
        else
            fields.fail("has an unknown stopMode");
    }
    if (!fields.value("edits").isUndefined())
        sweep.edits = static_cast<int>(fields.integer("edits", 0, std::numeric_limits<int>::max()));
    sweep.archived = fields.value("archived").toBool();
    if (fields.value("mark").isMap()) {
        if (Expected<sweep::Mark> mark = markFromCbor(fields.value("mark")))
            sweep.mark = std::move(*mark);
        else
            fields.fail("has a bad mark: " + mark.error().message);
    }
    sweep.priority = priority(fields);
    sweep.warnings = fields.facts("warnings");
    if (!fields.value("heldTrial").isUndefined())
        sweep.held =
            sweep::HeldTrial{static_cast<int>(fields.integer("heldTrial", 1, maxInt)), fields.fact("heldReason")};
    return checked(fields, std::move(sweep));
}

QCborMap toCbor(const sweep::Control &control)
{
    QCborMap map;
    map.insert(QLatin1String("action"), text(sweep::toString(control.action)));
    QCborArray trials;
    for (const int number : control.trials)
        trials.append(number);
    map.insert(QLatin1String("trials"), trials);
    map.insert(QLatin1String("stopMode"), text(sweep::toString(control.stopMode)));
    map.insert(QLatin1String("priority"), control.priority);
    map.insert(QLatin1String("steps"), control.steps);
    if (!control.mark.isEmpty())
        map.insert(QLatin1String("mark"), toCbor(control.mark));
    return map;
}

Expected<sweep::Control> controlFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a command");
    sweep::Control control;
    if (const auto action = sweep::actionFromString(fields.utf8("action")))
        control.action = *action;
    else
        fields.fail("has an unknown action");
    for (const QCborValue &number : fields.optionalArray("trials")) {
        if (number.toInteger() < 1 || number.toInteger() > static_cast<qint64>(sweep::maxTrials)) {
            fields.fail("names an invalid trial");
            break;
        }
        control.trials.push_back(static_cast<int>(number.toInteger()));
    }
    if (const auto mode = sweep::stopModeFromString(fields.utf8("stopMode")))
        control.stopMode = *mode;
    else
        fields.fail("has an unknown stopMode");
    control.priority = priority(fields);
    if (!fields.value("steps").isUndefined())
        control.steps = static_cast<int>(fields.integer("steps", 1, sweep::mostTraceSteps));
    if (fields.value("mark").isMap()) {
        if (Expected<sweep::MarkChange> change = markChangeFromCbor(fields.value("mark")))
            control.mark = std::move(*change);
        else
            fields.fail("has a bad mark: " + change.error().message);
    }
    return checked(fields, std::move(control));
}

QCborMap toCbor(const sweep::Problem &problem)
{
    QCborMap map;
    map.insert(QLatin1String("field"), text(problem.field));
    map.insert(QLatin1String("message"), text(problem.message));
    map.insert(QLatin1String("line"), problem.line);
    map.insert(QLatin1String("column"), problem.column);
    map.insert(QLatin1String("position"), problem.position);
    return map;
}

Expected<sweep::Problem> problemFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a problem");
    sweep::Problem problem;
    problem.field = fields.utf8("field");
    problem.message = fields.utf8("message");
    problem.line = static_cast<int>(fields.integer("line", 0, maxInt));
    problem.column = static_cast<int>(fields.integer("column", 0, maxInt));
    problem.position = static_cast<int>(fields.integer("position", 0, maxInt));
    return checked(fields, std::move(problem));
}

}  // namespace sweepscope::protocol
