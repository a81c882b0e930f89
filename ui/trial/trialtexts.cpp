#include "ui/trial/trialtexts.h"

#include "exporting/costtext.h"
#include "launch/attemptenvironment.h"
#include "launch/failurekind.h"
#include "ui/models/devicenames.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"
#include "wording/sentence.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <map>
#include <string>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct TrialWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Trial)
};

QString stateWord(const std::string &word)
{
    const std::optional<sweep::TrialState> state = sweep::trialStateFromString(word);
    return state ? stateText(*state) : QString::fromStdString(word);
}

QString clockText(WallNs time)
{
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(time / 1'000'000), u"d MMM HH:mm:ss"_s);
}

Fact namedFact(const std::string &name, const std::string &value)
{
    return {{QString::fromStdString(name), QString::fromStdString(value)}, {}, {}, 0, {}};
}

}  // namespace

std::vector<Fact> eventFacts(const std::vector<RankEvent> &events)
{
    std::vector<Fact> facts;
    for (const RankEvent &event : events) {
        const QIcon icon = event.kind == feed::EventKind::Message ? QIcon() : symbolIcon(u"warning"_s);
        facts.push_back({{event.text, QLocale().toString(event.rank), QLocale().toString(event.step)},
                         clockText(event.timeNs),
                         icon,
                         0,
                         {}});
    }
    return facts;
}

std::vector<Fact> parameterFacts(const sweep::TrialRecord &trial)
{
    std::vector<Fact> facts;
    for (const auto &[name, value] : trial.parameters) {
        const QString exact = exactText(value);
        facts.push_back({{QString::fromStdString(name), parameterText(value)},
                         QString::fromStdString(name) + u" = "_s + exact,
                         {},
                         0,
                         {}});
    }
    return facts;
}

std::vector<Fact> historyFacts(const sweep::TrialHistory &history)
{
    std::vector<Fact> facts;
    for (const sweep::HistoryEntry &entry : history.entries) {
        const bool isChange = entry.after != entry.before;  // a star or a note leaves the state as it is
        const auto state = isChange ? sweep::trialStateFromString(entry.after) : std::nullopt;
        const QString reason = reasonText(entry.reason);
        Fact fact{{clockText(entry.time), isChange ? stateWord(entry.after) : QString(), reason}, reason, {}, 1, {}};
        if (state)
            fact.icon = stateIcon(*state);
        facts.push_back(std::move(fact));
    }
    return facts;
}

QString metricsTitle(const std::vector<int> &reportingRanks, int ranks)
{
    const auto reporting = static_cast<int>(reportingRanks.size());
    if (ranks < 2 || reporting == 0)
        return TrialWords::tr("Metrics");
    if (reporting == ranks)
        return TrialWords::tr("Metrics (all ranks)");
    return reporting == 1 ? TrialWords::tr("Metrics (rank %1 only)").arg(reportingRanks.front())
                          : TrialWords::tr("Metrics (%1 of %2 ranks)").arg(reporting).arg(ranks);
}

std::vector<Fact> metricFacts(const std::vector<MetricSummary> &metrics)
{
    std::vector<Fact> facts;
    const auto text = [](const std::optional<double> &value) { return value ? numberText(*value) : u"–"_s; };
    for (const MetricSummary &metric : metrics) {
        const QString name = metric.unit.isEmpty() ? metric.name : u"%1 (%2)"_s.arg(metric.name, metric.unit);
        facts.push_back({{name, text(metric.last), text(metric.low), text(metric.high)},
                         TrialWords::tr("%1: last value is the mean of the ranks; %2 points")
                             .arg(name, QLocale().toString(metric.points)),
                         {},
                         0,
                         {}});
    }
    return facts;
}

std::vector<Fact> environmentFacts(const sweep::AttemptLaunch &launch,
                                   const std::optional<launch::AttemptEnvironment> &environment)
{
    std::vector<Fact> facts;
    for (const auto &[name, value] : launch.environment)
        facts.push_back(namedFact(name, value));
    for (const auto &[name, value] : environment ? environment->variables : std::map<std::string, std::string>()) {
        if (!launch.environment.contains(name))
            facts.push_back(namedFact(name, value));
    }
    return facts;
}

QString attemptCostText(const sweep::AttemptRecord *attempt, const series::Energy &energy,
                        const sweep::CostFactors &factors)
{
    std::optional<double> hours;
    if (attempt && attempt->ended && attempt->launch) {
        std::size_t devices = 0;
        for (const std::vector<std::string> &rank : attempt->launch->devices)
            devices += rank.size();
        if (devices > 0)
            hours = toSeconds(*attempt->ended - attempt->created) / 3600 * static_cast<double>(devices);
    }
    const sweep::Cost cost = sweep::costOf(factors, energy.joules / series::joulesPerKilowattHour, hours);
    return QString::fromStdString(exporting::costText(cost, factors.currency));
}

std::vector<Fact> packageFacts(const launch::AttemptEnvironment &environment)
{
    std::vector<Fact> facts;
    for (const auto &[name, version] : environment.packages)
        facts.push_back(namedFact(name, version));
    for (const auto &[name, version] : environment.conda)
        facts.push_back(namedFact(name + " (Conda)", version));
    return facts;
}

std::vector<Fact> machineFacts(const launch::AttemptEnvironment &environment)
{
    std::vector<Fact> facts;
    for (const auto &[name, value] : environment.machine)
        facts.push_back(namedFact(name, value));
    if (!environment.python.empty())
        facts.push_back(namedFact("python", environment.python));
    return facts;
}

QString attemptText(const sweep::AttemptRecord &attempt, bool isQueued, WallNs now)
{
    const QString time = durationText(toSeconds(attempt.ended.value_or(now) - attempt.created));
    if (!attempt.ended)
        return (isQueued ? TrialWords::tr("queued for %1") : TrialWords::tr("running for %1")).arg(time);
    const QString text = TrialWords::tr("%1 after %2").arg(stateWord(attempt.outcome), time);
    const bool isSaid =
        attempt.failure.empty()
        || attempt.failure == launch::toString(launch::FailureKind::ExitCode);  // the history has the number
    return isSaid ? text : text + u" · "_s + QString::fromStdString(wording::failure(attempt.failure));
}

QString commandText(const std::vector<std::string> &command)
{
    QStringList words;
    for (const std::string &argument : command) {
        const bool plain =
            !argument.empty() && argument.find_first_of(" \t\n'\"\\$`*?;&|<>(){}[]#~!") == std::string::npos;
        QString word = QString::fromStdString(argument);
        words << (plain ? word : u'\'' + word.replace(u'\'', u"'\\''"_s) + u'\'');
    }
    return words.join(u' ');
}

QString sourceText(const sweep::SourceState &source)
{
    if (source.revision.empty())
        return TrialWords::tr("not a git repository");
    QString text = QString::fromStdString(source.revision);
    if (!source.branch.empty())
        text += u" (%1)"_s.arg(QString::fromStdString(source.branch));
    return source.isChanged ? TrialWords::tr("%1, with uncommitted changes").arg(text) : text;
}

QString snapshotText(const sweep::SourceState &source)
{
    // The whole id is one word of 40 characters, which no column of the page has room for.
    return source.problem.empty() ? QString::fromStdString(source.tree.substr(0, 12))
                                  : TrialWords::tr("none: %1").arg(QString::fromStdString(source.problem));
}

QString rankDevicesText(const std::vector<std::vector<std::string>> &devices,
                        const std::vector<protocol::DeviceStatus> &machine)
{
    QStringList ranks;
    for (std::size_t rank = 0; rank < devices.size(); ++rank) {
        QStringList names;
        for (const std::string &device : devices[rank])
            names << deviceNameOrId(device, machine);
        ranks << TrialWords::tr("rank %1: %2")
                     .arg(rank)
                     .arg(names.isEmpty() ? TrialWords::tr("no dedicated device") : names.join(u", "_s));
    }
    return ranks.join(u" · "_s);
}

}  // namespace sweepscope::ui
