#include "ui/exporting/pdfreport.h"

#include "analysis/importance.h"
#include "analysis/trialvalues.h"
#include "base/files.h"
#include "exporting/costtext.h"
#include "exporting/objectivecurve.h"
#include "exporting/reportfacts.h"
#include "launch/energyfile.h"
#include "sweep/sweepfile.h"
#include "sweep/trialtime.h"
#include "ui/models/energytext.h"
#include "ui/models/valuetext.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFont>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPainterPath>
#include <QPdfWriter>
#include <QTextDocument>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct PdfWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::PdfReport)
};

constexpr std::uint64_t mostCurvePoints = 40'000;  ///< of all trials together, unless they are very many
constexpr std::size_t mostRows = 300;
constexpr std::size_t mostParameters = 6;  ///< as many as a page is wide
constexpr std::size_t mostFindings = 100;
constexpr QSize pictureSize(1800, 800);
constexpr QRect plotArea(190, 20, 1580, 690);
constexpr QSize sizeOnPage(634, 282);

struct Curve {
    bool isBest = false;
    std::vector<feed::Point> points{};
};

QString html(const std::string &text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString heading(const QString &text)
{
    return u"<h2>%1</h2>"_s.arg(text);
}

QString imageTag(const QImage &image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return u"<p><img width=\"%1\" height=\"%2\" src=\"data:image/png;base64,%3\"></p>"_s.arg(sizeOnPage.width())
        .arg(sizeOnPage.height())
        .arg(QString::fromLatin1(bytes.toBase64()));
}

/// Values on one axis: linear, or logarithmic if they span more than two decades.
class Axis {
public:
    Axis(double low, double high) : m_isLog(low > 0 && high / low > 100), m_low(toAxis(low)), m_high(toAxis(high))
    {
        if (!(m_high > m_low)) {
            m_low -= 0.5;
            m_high += 0.5;
        }
    }
    double share(double value) const { return (toAxis(value) - m_low) / (m_high - m_low); }
    double valueAt(double share) const
    {
        const double value = m_low + share * (m_high - m_low);
        return m_isLog ? std::pow(10, value) : value;
    }

private:
    double toAxis(double value) const { return m_isLog ? std::log10(value) : value; }

    bool m_isLog;
    double m_low;
    double m_high;
};

QImage pictureOf(const std::vector<Curve> &curves, const QString &objective)
{
    double lowStep = std::numeric_limits<double>::infinity();
    double low = lowStep;
    double highStep = -lowStep;
    double high = -low;
    for (const Curve &curve : curves) {
        for (const feed::Point &point : curve.points) {
            if (!std::isfinite(point.value))
                continue;
            lowStep = std::min(lowStep, static_cast<double>(point.step));
            highStep = std::max(highStep, static_cast<double>(point.step));
            low = std::min(low, point.value);
            high = std::max(high, point.value);
        }
    }
    if (!(low <= high))
        return {};
    const Axis value(low, high);
    const double steps = std::max(1.0, highStep - lowStep);
    QImage image(pictureSize, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font = painter.font();
    font.setPixelSize(28);
    painter.setFont(font);
    constexpr int ticks = 4;
    for (int i = 0; i <= ticks; ++i) {
        const double share = static_cast<double>(i) / ticks;
        const int y = plotArea.bottom() - static_cast<int>(share * plotArea.height());
        const int x = plotArea.left() + static_cast<int>(share * plotArea.width());
        painter.setPen(QColor(0xd5dade));
        painter.drawLine(plotArea.left(), y, plotArea.right(), y);
        painter.setPen(QColor(0x444444));
        painter.drawText(QRect(0, y - 20, plotArea.left() - 14, 40), Qt::AlignRight | Qt::AlignVCenter,
                         numberText(value.valueAt(share)));
        const int right = i == ticks ? plotArea.right() : x + 120;
        painter.drawText(QRect(right - 240, plotArea.bottom() + 8, 240, 40),
                         i == ticks ? Qt::AlignRight : Qt::AlignHCenter,
                         numberText(std::round(lowStep + share * steps)));
    }
    painter.drawText(QRect(plotArea.left(), plotArea.bottom() + 46, plotArea.width(), 40), Qt::AlignHCenter,
                     PdfWords::tr("%1 by step").arg(objective));
    painter.setClipRect(plotArea.adjusted(-3, -3, 3, 3));
    QColor usual(0x1f77b4);
    usual.setAlphaF(curves.size() > 200 ? 0.12F : 0.4F);
    for (const bool best : {false, true}) {  // the best one on top
        painter.setPen(QPen(best ? QColor(0xd1490c) : usual, best ? 5 : 2.5));
        for (const Curve &curve : curves) {
            if (curve.isBest != best)
                continue;
            QPainterPath path;
            bool isDrawing = false;
            for (const feed::Point &point : curve.points) {
                if (!std::isfinite(point.value)) {
                    isDrawing = false;
                    continue;
                }
                const QPointF place(plotArea.left()
                                        + (static_cast<double>(point.step) - lowStep) / steps * plotArea.width(),
                                    plotArea.bottom() - value.share(point.value) * plotArea.height());
                if (std::exchange(isDrawing, true))
                    path.lineTo(place);
                else
                    path.moveTo(place);
            }
            if (path.elementCount() == 1)
                painter.drawEllipse(path.currentPosition(), 3, 3);
            painter.drawPath(path);
        }
    }
    return image;
}

QString titleOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                const std::vector<sweep::TrialRecord> &trials, const sweep::TrialRecord *best)
{
    std::map<std::string, int> counts;
    for (const sweep::TrialRecord &trial : trials)
        ++counts[sweep::toString(trial.state)];
    QStringList states;
    for (const auto &[state, count] : counts)
        states << u"%1 %2"_s.arg(count).arg(QString::fromStdString(state));
    QString text = u"<h1>%1</h1><p>%2</p>"_s.arg(
        html(sweep.name), PdfWords::tr("%n trials: %1. Created %2.", nullptr, static_cast<int>(trials.size()))
                              .arg(states.join(u", "_s), dateTimeText(sweep.created)));
    const launch::SweepEnergy energies = launch::readEnergy(launch::energyFile(workspace.sweepFolder(sweep.folder)));
    const sweep::CostFactors factors = sweep::readCostFactors(sweep::costFactorsFile()).value_or(sweep::CostFactors());
    if (const auto energy = energies.known())
        text += u"<p>%1</p>"_s.arg(
            PdfWords::tr("Energy of the GPUs: %1, %2.").arg(energyText(energy->joules), methodText(energy->method)));
    if (const std::string cost =
            exporting::costText(exporting::costOfSweep(sweep, energies, factors), factors.currency);
        !cost.empty())
        text += u"<p>%1</p>"_s.arg(PdfWords::tr("Cost: %1, by factors that the user set.").arg(html(cost)));
    if (!sweep.mark.note.empty())
        text += u"<p>%1</p>"_s.arg(html(sweep.mark.note));
    if (best == nullptr || !best->objectiveBest)
        return text + u"<p>%1</p>"_s.arg(PdfWords::tr("No trial has a result."));
    text += u"<p><b>%1</b></p><p>"_s.arg(PdfWords::tr("Best trial: %1, %2 %3 at step %4")
                                             .arg(best->number)
                                             .arg(html(sweep.objective), numberText(best->objectiveBest->value))
                                             .arg(best->objectiveBest->step));
    for (const auto &[name, value] : best->parameters)
        text += html(name) + u" = "_s + parameterText(value).toHtmlEscaped() + u"<br>"_s;
    return text + u"</p>"_s;
}

QString importanceOf(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    const analysis::TrialValues values =
        analysis::collect(sweep::parseSweep(sweep.toml).spec, sweep, trials, {{}, {}, sweep.goal});
    const analysis::Importance importance = analysis::importanceOf(values);
    if (importance.problem != analysis::Importance::Problem::None)
        return {};
    QString text = heading(PdfWords::tr("Importance of parameters"))
                   + u"<table cellpadding=\"3\"><tr><th align=\"left\">%1</th><th>%2</th><th>%3</th></tr>"_s.arg(
                       PdfWords::tr("Parameter"), PdfWords::tr("Share"), PdfWords::tr("80% interval"));
    std::vector<std::size_t> order(importance.shares.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return importance.shares[a] > importance.shares[b]; });
    const auto percent = [](double share) { return u"%1%"_s.arg(std::lround(100 * share)); };
    for (const std::size_t i : order)
        text += u"<tr><td>%1</td><td align=\"right\">%2</td><td align=\"right\">%3 – %4</td></tr>"_s.arg(
            html(values.parameters[i].name), percent(importance.shares[i]), percent(importance.lows[i]),
            percent(importance.highs[i]));
    return text + u"</table>"_s;
}

/// The best trials first, those without a result last.
QString tableOf(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<const sweep::TrialRecord *> order;
    for (const sweep::TrialRecord &trial : trials)
        order.push_back(&trial);
    std::stable_sort(order.begin(), order.end(), [&](const auto *a, const auto *b) {
        const bool hasResult = sweep::mayBeBest(*a);
        return hasResult != sweep::mayBeBest(*b) ? hasResult : hasResult && sweep::isBetter(*a, *b, sweep.goal);
    });
    const std::size_t parameters = std::min(sweep.parameterNames.size(), mostParameters);
    QString text = heading(PdfWords::tr("Results"));
    if (order.size() > mostRows)
        text += u"<p>%1</p>"_s.arg(PdfWords::tr("The %L1 best of %L2 trials.").arg(mostRows).arg(order.size()));
    text +=
        u"<table border=\"1\" cellspacing=\"0\" cellpadding=\"3\" style=\"border-collapse: collapse\"><thead><tr><th>%1</th><th>%2</th><th>%3</th>"_s
            .arg(PdfWords::tr("Trial"), PdfWords::tr("State"), html(sweep.objective));
    for (std::size_t i = 0; i < parameters; ++i)
        text += u"<th>%1</th>"_s.arg(html(sweep.parameterNames[i]));
    text += u"<th>%1</th></tr></thead>"_s.arg(PdfWords::tr("Duration"));
    for (std::size_t row = 0; row < std::min(order.size(), mostRows); ++row) {
        const sweep::TrialRecord &trial = *order[row];
        const auto seconds = trial.ended ? sweep::runningSeconds(trial, *trial.ended) : std::nullopt;
        text += u"<tr><td align=\"right\">%1</td><td>%2</td><td align=\"right\">%3</td>"_s.arg(trial.number)
                    .arg(html(sweep::toString(trial.state)),
                         trial.objectiveBest ? numberText(trial.objectiveBest->value) : u"–"_s);
        for (std::size_t i = 0; i < parameters; ++i) {
            const sweep::ParameterValue *value = sweep::find(trial.parameters, sweep.parameterNames[i]);
            text += u"<td align=\"right\">%1</td>"_s.arg(value ? parameterText(*value).toHtmlEscaped() : u"–"_s);
        }
        text += u"<td align=\"right\">%1</td></tr>"_s.arg(seconds ? durationText(*seconds) : u"–"_s);
    }
    return text + u"</table>"_s;
}

QString findingsText(const exporting::SweepFindings &found)
{
    QString text = heading(PdfWords::tr("Findings"))
                   + u"<p>%1</p>"_s.arg(
                       PdfWords::tr("%L1 findings in %L2 attempts.").arg(found.findings.size()).arg(found.attempts));
    for (std::size_t i = 0; i < std::min(found.findings.size(), mostFindings); ++i) {
        const diagnosis::Finding &finding = found.findings[i];
        text += u"<p>%1: %2 %3</p>"_s.arg(PdfWords::tr("Trial %1").arg(finding.trial), html(finding.sentence),
                                          html(finding.hint));
    }
    return text;
}

/// nullopt: stopped.
std::optional<QImage> curvesOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                               const std::vector<sweep::TrialRecord> &trials, const sweep::TrialRecord *best,
                               const exporting::Progress &progress, std::string &damage)
{
    const std::uint64_t most =
        std::clamp<std::uint64_t>(mostCurvePoints / std::max<std::size_t>(1, trials.size()), 20, 200);
    std::vector<Curve> curves;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const auto share = [&](double done) {
            return !progress || progress((static_cast<double>(i) + done) / static_cast<double>(trials.size()));
        };
        auto curve = exporting::objectiveCurve(workspace, sweep, trials[i], most, share);
        if (!curve || !share(1))
            return std::nullopt;
        if (damage.empty())
            damage = curve->damage;
        curves.push_back({best == &trials[i], std::move(curve->points)});
    }
    return pictureOf(curves, QString::fromStdString(sweep.objective));
}

}  // namespace

Expected<void> writePdfReport(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                              const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                              const exporting::Progress &progress)
{
    const auto cancelled = [&] {
        return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
    };
    const auto partOf = [&progress](double begin) -> exporting::Progress {
        return [&progress, begin](double share) { return !progress || progress(begin + share / 2); };
    };
    const sweep::TrialRecord *best = exporting::bestTrial(sweep, trials);
    std::string damage;
    const exporting::Progress firstHalf = partOf(0);
    const exporting::Progress secondHalf = partOf(0.5);
    const auto curves = curvesOf(workspace, sweep, trials, best, firstHalf, damage);
    const auto findings = curves ? exporting::findingsOf(workspace, sweep, trials, secondHalf) : std::nullopt;
    if (!findings)
        return cancelled();
    if (damage.empty())
        damage = findings->damage;

    QString text = titleOf(workspace, sweep, trials, best);
    if (!curves->isNull())
        text += heading(PdfWords::tr("Curves")) + imageTag(*curves);
    text +=
        importanceOf(sweep, trials) + tableOf(sweep, trials) + findingsText(*findings)
        + heading(PdfWords::tr("Definition"))
        + u"<pre style=\"white-space: pre-wrap\">%1</pre>"_s.arg(html(exporting::definitionWithoutSecrets(sweep.toml)));

    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setTitle(QString::fromStdString(sweep.name));
        writer.setCreator(u"Sweepscope"_s);
        QTextDocument document;
        QFont font = document.defaultFont();
        font.setPointSize(9);
        document.setDefaultFont(font);
        document.setHtml(text);
        document.print(&writer);
    }
    if (const Expected<void> written = writeFileAtomically(file, std::string_view(bytes.constData(), bytes.size()));
        !written)
        return written;
    if (!damage.empty())
        return makeError(ErrorCode::Corrupt, file.string() + " was written, but " + damage);
    return {};
}

}  // namespace sweepscope::ui
