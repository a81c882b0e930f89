#include "ui/exporting/pdfreport.h"

#include "analysis/importance.h"
#include "analysis/trialvalues.h"
#include "base/files.h"
#include "exporting/costtext.h"
#include "exporting/objectivecurve.h"
#include "exporting/reportfacts.h"
#include "launch/energyfile.h"
#include "sweep/failuregroups.h"
#include "sweep/sweepfile.h"
#include "sweep/trialtime.h"
#include "ui/exporting/pagelayout.h"
#include "ui/exporting/reportchart.h"
#include "ui/models/energytext.h"
#include "ui/models/valuetext.h"
#include "wording/sentence.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QMarginsF>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>
#include <cmath>
#include <numeric>
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
constexpr std::size_t mostRows = 100;
constexpr std::size_t mostFindings = 100;
constexpr double chartHeight = 215 * pagePoint;
constexpr double barHeight = 14 * pagePoint;
const QColor barColor(0x1f, 0x77, 0xb4);
const QColor rangeColor(0x1d, 0x23, 0x29);

using FactList = QList<QPair<QString, QString>>;

QString shown(const std::string &text)
{
    return QString::fromStdString(text);
}

FactList shown(const exporting::ReportFacts &facts)
{
    FactList list;
    for (const auto &[name, value] : facts)
        list.append({shown(name), shown(value)});
    return list;
}

class PdfContents {
public:
    PdfContents(PageLayout &layout, const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                const std::vector<sweep::TrialRecord> &trials, const sweep::CostFactors &factors)
        : m_layout(layout),
          m_workspace(workspace),
          m_sweep(sweep),
          m_trials(trials),
          m_factors(factors),
          m_best(exporting::bestTrial(sweep, trials))
    {}

    void addSummary()
    {
        m_layout.addTitle(shown(m_sweep.name));
        FactList facts = {
            {PdfWords::tr("Objective"),
             (m_sweep.goal == sweep::Goal::Minimize ? PdfWords::tr("%1, to minimize") : PdfWords::tr("%1, to maximize"))
                 .arg(shown(m_sweep.objective))},
            {PdfWords::tr("Status"), shown(sweep::toString(m_sweep.state))},
            {PdfWords::tr("Trials"), shown(exporting::stateCounts(m_trials))},
            {PdfWords::tr("Created"), dateTimeText(m_sweep.created)}};
        if (m_sweep.ended)
            facts.append({PdfWords::tr("Ended"), dateTimeText(*m_sweep.ended)});
        facts.append({PdfWords::tr("Wall-clock time"), durationText(sweep::activeSeconds(m_sweep, wallNow()))});
        if (m_sweep.deviceTime > 0)
            facts.append({PdfWords::tr("Device time"), durationText(toSeconds(m_sweep.deviceTime))});
        const launch::SweepEnergy energies =
            launch::readEnergy(launch::energyFile(m_workspace.sweepFolder(m_sweep.folder)));
        if (const auto energy = energies.known())
            facts.append({PdfWords::tr("Energy of the GPUs"),
                          u"%1, %2"_s.arg(energyText(energy->joules), methodText(energy->method))});
        if (const std::string cost =
                exporting::costText(exporting::costOfSweep(m_sweep, energies, m_factors), m_factors.currency);
            !cost.empty())
            facts.append({PdfWords::tr("Cost"), PdfWords::tr("%1, from user-defined factors").arg(shown(cost))});
        if (!m_sweep.mark.note.empty())
            facts.append({PdfWords::tr("Note"), shown(m_sweep.mark.note)});
        m_layout.addFacts(facts);
    }

    void addBest()
    {
        m_layout.addHeading(PdfWords::tr("Best trial"));
        if (m_best == nullptr || !m_best->objectiveBest) {
            m_layout.addText(PdfWords::tr("No trial has a result."));
            return;
        }
        m_layout.addText(PdfWords::tr("Trial %1: %2 %3 at step %4")
                             .arg(QString::number(m_best->number), shown(m_sweep.objective),
                                  numberText(m_best->objectiveBest->value),
                                  QString::number(m_best->objectiveBest->step)),
                         PageLayout::Style::Strong);
        FactList facts;
        for (const auto &[name, value] : m_best->parameters)
            facts.append({shown(name), parameterText(value)});
        m_layout.addFacts(facts);
    }

    /// False: stopped.
    bool addCurves(const exporting::Progress &progress)
    {
        const std::uint64_t most =
            std::clamp<std::uint64_t>(mostCurvePoints / std::max<std::size_t>(1, m_trials.size()), 20, 200);
        std::vector<ReportCurve> curves;
        for (std::size_t i = 0; i < m_trials.size(); ++i) {
            const auto share = [&](double done) {
                return !progress || progress((static_cast<double>(i) + done) / static_cast<double>(m_trials.size()));
            };
            auto curve = exporting::objectiveCurve(m_workspace, m_sweep, m_trials[i], most, share);
            if (!curve || !share(1))
                return false;
            if (m_damage.empty())
                m_damage = curve->damage;
            curves.push_back({kindOf(m_trials[i]), std::move(curve->points)});
        }
        if (!hasFinitePoint(curves))
            return true;
        m_layout.addHeading(PdfWords::tr("Curves"));
        const QString best = m_best ? PdfWords::tr("best trial, %1").arg(m_best->number) : QString();
        m_layout.addPicture(chartHeight, [curves = std::move(curves), objective = shown(m_sweep.objective),
                                          best](QPainter &painter, const QRectF &area) {
            paintReportChart(painter, area, curves, objective, best);
        });
        return true;
    }

    void addImportance()
    {
        const analysis::TrialValues values =
            analysis::collect(sweep::parseSweep(m_sweep.toml).spec, m_sweep, m_trials, {{}, {}, m_sweep.goal});
        const analysis::Importance importance = analysis::importanceOf(values);
        if (importance.problem != analysis::Importance::Problem::None)
            return;
        m_layout.addHeading(PdfWords::tr("Parameter importance"));
        m_layout.addText(PdfWords::tr("From %n completed trials. Lines are intervals with a probability of about 80%.",
                                      nullptr, importance.completed),
                         PageLayout::Style::Soft);
        std::vector<std::size_t> order(importance.shares.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return importance.shares[a] > importance.shares[b]; });
        for (const std::size_t i : order) {
            const auto paint = [name = shown(values.parameters[i].name), share = importance.shares[i],
                                low = importance.lows[i],
                                high = importance.highs[i]](QPainter &painter, const QRectF &area) {
                QFont font;
                font.setPixelSize(qRound(8.5 * pagePoint));
                painter.setFont(font);
                painter.setPen(rangeColor);
                const double left = area.width() / 4;
                const double width = area.width() * 0.6;
                const QString percent = u"%1%"_s.arg(std::lround(100 * share));
                const double y = area.center().y() + QFontMetricsF(font).capHeight() / 2;
                painter.drawText(QPointF(area.left(), y),
                                 QFontMetricsF(font).elidedText(name, Qt::ElideRight, left - 8 * pagePoint));
                painter.drawText(QPointF(area.right() - QFontMetricsF(font).horizontalAdvance(percent), y), percent);
                if (share > 0)
                    painter.fillRect(QRectF(area.left() + left, area.top() + 2 * pagePoint, width * share,
                                            area.height() - 4 * pagePoint),
                                     barColor);
                painter.fillRect(QRectF(area.left() + left + width * low, area.center().y() - 0.4 * pagePoint,
                                        width * (high - low), 0.8 * pagePoint),
                                 rangeColor);
            };
            m_layout.addPicture(barHeight, paint);
        }
    }

    void addBestTrials()
    {
        const std::vector<const sweep::TrialRecord *> order = exporting::rankedTrials(m_sweep, m_trials);
        if (order.empty())
            return;
        m_layout.addHeading(PdfWords::tr("Best trials"));
        if (order.size() > mostRows)
            m_layout.addText(PdfWords::tr("%L1 of %L2 trials with a result.").arg(mostRows).arg(order.size()),
                             PageLayout::Style::Soft);
        PageTable table;
        table.columns = {{PdfWords::tr("Trial"), true}, {PdfWords::tr("State")}, {shown(m_sweep.objective), true}};
        for (const std::string &name : m_sweep.parameterNames) {
            const bool isText = std::ranges::any_of(order, [&name](const sweep::TrialRecord *trial) {
                const sweep::ParameterValue *value = sweep::find(trial->parameters, name);
                return value && std::holds_alternative<std::string>(*value);
            });
            table.columns.append({shown(name), !isText, 0, true});
        }
        table.columns.append({PdfWords::tr("Duration"), true});
        table.strongRow = 0;
        for (std::size_t row = 0; row < std::min(order.size(), mostRows); ++row) {
            const sweep::TrialRecord &trial = *order[row];
            const auto seconds = trial.ended ? sweep::runningSeconds(trial, *trial.ended) : std::nullopt;
            QStringList cells = {QString::number(trial.number), shown(sweep::toString(trial.state)),
                                 trial.objectiveBest ? numberText(trial.objectiveBest->value) : u"–"_s};
            for (const std::string &name : m_sweep.parameterNames) {
                const sweep::ParameterValue *value = sweep::find(trial.parameters, name);
                cells << (value ? parameterText(*value) : u"–"_s);
            }
            table.rows << (cells << (seconds ? durationText(*seconds) : u"–"_s));
        }
        QStringList leftOut = m_layout.addTable(std::move(table));
        std::reverse(leftOut.begin(), leftOut.end());
        if (!leftOut.isEmpty())
            m_layout.addText(PdfWords::tr("Not shown for lack of room: %1.").arg(leftOut.join(u", "_s)),
                             PageLayout::Style::Soft);
    }

    void addFailures()
    {
        const std::vector<sweep::FailureGroup> groups = sweep::failureGroups(m_trials);
        if (groups.empty())
            return;
        m_layout.addHeading(PdfWords::tr("Failures"));
        PageTable table;
        table.columns = {
            {PdfWords::tr("Count"), true}, {PdfWords::tr("Cause"), false, 3}, {PdfWords::tr("Trials"), false, 1}};
        for (const sweep::FailureGroup &group : groups) {
            const std::string cause = wording::sentence(group.cause);
            table.rows << QStringList{QString::number(group.trials.size()),
                                      cause.empty() ? PdfWords::tr("Unknown cause") : shown(cause),
                                      shown(exporting::trialList(group.trials))};
        }
        m_layout.addTable(std::move(table));
    }

    void addFindings(const exporting::SweepFindings &found)
    {
        m_layout.addHeading(PdfWords::tr("Findings"));
        m_layout.addText(shown(exporting::findingCounts(found)), PageLayout::Style::Soft);
        std::vector<exporting::ReportedFindings> groups = exporting::groupedFindings(found);
        if (groups.size() > mostFindings)
            groups.resize(mostFindings);
        for (const exporting::ReportedFindings &group : groups) {
            const QString trials = (group.trials.size() == 1 ? PdfWords::tr("trial %1") : PdfWords::tr("trials %1"))
                                       .arg(shown(exporting::trialList(group.trials)));
            m_layout.addSubheading(shown(group.title),
                                   shown(diagnosis::nameOf(group.worst.severity)) + u", "_s + trials
                                       + (group.worst.simulated ? PdfWords::tr(", simulated GPU") : QString()));
            const QString sentence = shown(group.worst.sentence);
            m_layout.addText(group.trials.size() == 1
                                 ? sentence
                                 : PdfWords::tr("Trial %1: %2").arg(QString::number(group.worst.trial), sentence));
            if (!group.worst.hint.empty())
                m_layout.addText(sentenceText(shown(group.worst.hint)), PageLayout::Style::Soft);
        }
    }

    void addRun(const exporting::ReportedRun &run)
    {
        m_layout.addHeading(PdfWords::tr("Code of trial %1").arg(run.trial));
        m_layout.addFacts(shown(exporting::codeFacts(run)));
        addCode(PdfWords::tr("Files that differ from the revision"), run.changedFiles);
        m_layout.addHeading(PdfWords::tr("Environment of trial %1").arg(run.trial));
        m_layout.addFacts(shown(exporting::environmentFacts(run)));
        addCode(PdfWords::tr("Packages"),
                shown(exporting::packageList(run)).trimmed().replace(u'\n', u", "_s).toStdString());
    }

    void addDefinition()
    {
        m_layout.addHeading(PdfWords::tr("Definition"));
        m_layout.addText(shown(exporting::definitionWithoutSecrets(m_sweep.toml)).trimmed(), PageLayout::Style::Code);
    }

    const std::string &damage() const { return m_damage; }

private:
    ReportCurve::Kind kindOf(const sweep::TrialRecord &trial) const
    {
        if (&trial == m_best)
            return ReportCurve::Kind::Best;
        return trial.state == sweep::TrialState::Completed ? ReportCurve::Kind::Completed
               : trial.state == sweep::TrialState::Pruned  ? ReportCurve::Kind::Pruned
                                                           : ReportCurve::Kind::Other;
    }

    void addCode(const QString &title, const std::string &text)
    {
        if (text.empty())
            return;
        m_layout.addSubheading(title, {});
        m_layout.addText(shown(text).trimmed(), PageLayout::Style::Code);
    }

    PageLayout &m_layout;
    const WorkspaceLayout &m_workspace;
    const sweep::SweepRecord &m_sweep;
    const std::vector<sweep::TrialRecord> &m_trials;
    const sweep::CostFactors &m_factors;
    const sweep::TrialRecord *m_best;
    std::string m_damage;
};

}  // namespace

QPageSize::PageSizeId paperOf(const QLocale &locale)
{
    return locale.measurementSystem() == QLocale::ImperialUSSystem ? QPageSize::Letter : QPageSize::A4;
}

std::optional<PdfPages> pdfPages(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                 const std::vector<sweep::TrialRecord> &trials,
                                 const std::optional<exporting::ReportedRun> &run, const sweep::CostFactors &factors,
                                 const exporting::Progress &progress, QPageSize::PageSizeId paper)
{
    const auto partOf = [&progress](double begin) -> exporting::Progress {
        return [&progress, begin](double share) { return !progress || progress(begin + share / 2); };
    };
    const exporting::Progress firstHalf = partOf(0);
    const exporting::Progress secondHalf = partOf(0.5);
    PdfPages pages{PageLayout(QPageSize(paper).size(QPageSize::Point))};
    PdfContents contents(pages.layout, workspace, sweep, trials, factors);
    contents.addSummary();
    contents.addBest();
    if (!contents.addCurves(firstHalf))
        return std::nullopt;
    contents.addImportance();
    contents.addBestTrials();
    contents.addFailures();
    const auto findings = exporting::findingsOf(workspace, sweep, trials, secondHalf);
    if (!findings)
        return std::nullopt;
    contents.addFindings(*findings);
    if (run)
        contents.addRun(*run);
    contents.addDefinition();
    pages.damage = contents.damage().empty() ? findings->damage : contents.damage();
    return pages;
}

Expected<void> writePdfReport(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                              const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                              const std::optional<exporting::ReportedRun> &run, const sweep::CostFactors &factors,
                              const exporting::Progress &progress, QPageSize::PageSizeId paper)
{
    const auto pages = pdfPages(workspace, sweep, trials, run, factors, progress, paper);
    if (!pages)
        return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(paper));
        writer.setPageMargins({});
        writer.setTitle(shown(sweep.name));
        writer.setCreator(u"Sweepscope"_s);
        pages->layout.write(writer, PdfWords::tr("%1 (#%2), %3, written by Sweepscope")
                                        .arg(shown(sweep.name), QString::number(sweep.id), dateTimeText(wallNow())));
    }
    if (const Expected<void> written = writeFileAtomically(file, std::string_view(bytes.constData(), bytes.size()));
        !written)
        return written;
    if (!pages->damage.empty())
        return makeError(ErrorCode::Corrupt, file.string() + " was written, but " + pages->damage);
    return {};
}

}  // namespace sweepscope::ui
