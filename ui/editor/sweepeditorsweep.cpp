// The part of SweepEditor that hands the definition over: to be started, or as the new one of a sweep that exists.

#include "sweep/launchpreparation.h"
#include "sweep/sweepfileedit.h"
#include "ui/editor/documenttitle.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/summarystrip.h"
#include "ui/editor/sweepeditor.h"
#include "ui/editor/tomlpanel.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void SweepEditor::setEdited(const std::optional<EditedSweep> &sweep)
{
    m_edited = sweep;
    followChanges();
}

bool SweepEditor::hasChanges() const
{
    if (!m_edited)
        return false;
    if (!m_toml->problem().isEmpty())
        return true;
    const DraftReading reading = readDraft(m_document->draft());
    return !reading.problems.empty() || m_edited->isChangedBy(reading.spec, m_document->text());
}

void SweepEditor::followChanges()
{
    const SweepOrigin &origin = m_document->origin();
    if (!m_edited || m_edited->id != origin.sweepId) {
        m_title->showNewSweep(origin.filePath, m_document->isModified());
        m_strip->setTarget(std::nullopt);
        return;
    }
    const bool isChanged = hasChanges();
    m_title->showSweep(m_edited->id, m_edited->name, isChanged);
    m_strip->setTarget(SummaryStrip::Target{u"#%1"_s.arg(m_edited->id), isChanged, m_edited->hindrance});
}

void SweepEditor::handOver(Purpose purpose)
{
    if (!m_toml->problem().isEmpty()) {  // what would be handed over is not what is written there
        m_notice->complain((purpose == Purpose::Start ? tr("Not started: the sweep file has a mistake. %1")
                                                      : tr("Not applied: the sweep file has a mistake. %1"))
                               .arg(m_toml->problem()));
        return;
    }
    const CheckResult *result = m_checker->result();
    if (!result) {
        m_whenChecked = purpose;
        return;
    }
    if (!result->problems.empty())
        return;
    sweep::SweepSpec spec = result->spec;
    sweep::resolveForLaunch(spec);
    const QString toml = QString::fromStdString(sweep::sweepFile(spec, m_document->text()));
    if (purpose == Purpose::Start)
        Q_EMIT startRequested(toml, m_document->origin().baseFolder);
    else if (hasChanges())
        Q_EMIT applyRequested(toml);
}

void SweepEditor::showRefusal(const std::vector<sweep::Problem> &problems, Purpose purpose)
{
    m_refusal.clear();
    m_refused = purpose;
    QStringList elsewhere;
    for (const sweep::Problem &problem : problems) {
        if (problem.field.empty()) {
            elsewhere << QString::fromStdString(problem.message);
            continue;
        }
        for (const PlacedProblem &placed : placeProblem(problem, m_document->draft()))
            m_refusal.push_back(placed);
    }
    // Nothing in the form would mend a full disk: it says so, and it may be tried again.
    if (!elsewhere.isEmpty())
        m_notice->complain(
            (purpose == Purpose::Start ? tr("Not started: %1") : tr("Not applied: %1")).arg(elsewhere.join(u'\n')));
    showChecks();
}

}  // namespace sweepscope::ui
