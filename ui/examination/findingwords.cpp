#include "ui/examination/findingwords.h"

#include "diagnosis/rule.h"
#include "diagnosis/words.h"
#include "ui/models/valuetext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct FindingWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Finding)
};

QString clockText(WallNs time)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(time / 1'000'000);
    const bool isToday = when.date() == QDate::currentDate();
    return QLocale().toString(when, isToday ? u"HH:mm:ss"_s : u"d MMM yyyy, HH:mm:ss"_s);
}

}  // namespace

QIcon severityIcon(diagnosis::Severity severity)
{
    const QString path = u":/icons/severity-%1.svg"_s.arg(QString::fromStdString(diagnosis::nameOf(severity)));
    QIcon icon(path);
    icon.addFile(path, {}, QIcon::Selected);
    return icon;
}

QString ruleTitle(const std::string &rule)
{
    return QString::fromStdString(diagnosis::titleOf(rule));
}

QString severityText(diagnosis::Severity severity)
{
    switch (severity) {
    case diagnosis::Severity::Note:
        return FindingWords::tr("Note");
    case diagnosis::Severity::Warning:
        return FindingWords::tr("Warning");
    case diagnosis::Severity::Problem:
        return FindingWords::tr("Problem");
    }
    return {};
}

QString placeText(const diagnosis::Finding &finding, const QString &device)
{
    QString text = FindingWords::tr("Trial %1").arg(finding.trial);
    if (finding.attempt > 1)
        text += FindingWords::tr(", attempt %1").arg(finding.attempt);
    if (finding.rank)
        text += u" · "_s + FindingWords::tr("rank %1").arg(*finding.rank);
    if (!device.isEmpty())
        text += u" · "_s + device;
    return text;
}

QString windowText(const diagnosis::Finding &finding)
{
    const diagnosis::Window &window = finding.window;
    QString text;
    if (window.fromStep && window.fromStep == window.toStep)
        text = FindingWords::tr("step %1 · ").arg(*window.fromStep);
    else if (window.fromStep && window.toStep)
        text = FindingWords::tr("steps %1 to %2 · ").arg(*window.fromStep).arg(*window.toStep);
    text += clockText(window.from);
    constexpr double shortest = 0.05;  // shorter durations would read "0.0 s"
    if (toSeconds(window.to - window.from) >= shortest)
        text += FindingWords::tr(", for %1").arg(durationText(toSeconds(window.to - window.from)));
    return text;
}

QString thresholdText(const diagnosis::Finding &finding)
{
    const QString source = QString::fromStdString(finding.thresholdSource);
    if (finding.threshold == 0)
        return source;
    return FindingWords::tr("%1, threshold %2 (%3)")
        .arg(QString::fromStdString(diagnosis::withUnit(finding.value, finding.unit)),
             QString::fromStdString(diagnosis::withUnit(finding.threshold, finding.unit)), source);
}

}  // namespace sweepscope::ui
