#include "ui/editor/sweepeditor.h"

#include "sweep/launchpreparation.h"
#include "sweep/probe.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"
#include "ui/editor/allocationsection.h"
#include "ui/editor/documenttitle.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/summarystrip.h"
#include "ui/editor/sweepfilecommands.h"
#include "ui/editor/sweepfolders.h"
#include "ui/editor/sweepform.h"
#include "ui/editor/tomlpanel.h"
#include "ui/editor/valuelist.h"
#include "ui/models/installedworker.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QSplitter>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr int tomlWidth = 340;
constexpr int widthForBoth = 960;     ///< from this width the sweep file is shown next to the form
constexpr int formBesideToml = 1180;  ///< the form is no wider

}  // namespace

SweepEditor::SweepEditor(QWidget *parent)
    : QWidget(parent),
      m_document(new SweepDocument(this)),
      m_checker(new SweepChecker(this)),
      m_previewer(new PointPreviewer(this)),
      m_planner(new AllocationPlanner(this)),
      m_memory(new MemoryPlanner(this)),
      m_bar(new QWidget(this)),
      m_title(new DocumentTitle(m_bar)),
      m_notice(new NoticeBar(this)),
      m_splitter(new QSplitter(this)),
      m_form(new SweepForm(m_splitter)),
      m_toml(new TomlPanel(m_splitter)),
      m_strip(new SummaryStrip(this)),
      m_showToml(new QToolButton(m_bar)),
      m_files(new SweepFileCommands(m_document, m_toml, m_notice, this))
{
    auto *bar = new QHBoxLayout(m_bar);
    bar->setContentsMargins(spacing::medium, spacing::tiny, spacing::medium, spacing::tiny);
    bar->setSpacing(spacing::tiny);
    bar->addSpacing(spacing::tiny);
    bar->addWidget(m_title, 1);
    addButtons();
    m_showToml->setObjectName(u"showToml"_s);
    m_showToml->setText(tr("Sweep file"));
    m_showToml->setIcon(symbolIcon(u"show"_s));
    m_showToml->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_showToml->setCheckable(true);
    m_showToml->setFocusPolicy(Qt::StrongFocus);
    bar->addSpacing(spacing::small);
    bar->addWidget(m_showToml);

    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_toml->setMinimumWidth(tomlWidth);
    m_toml->setEditable(true);
    m_toml->hide();
    m_notice->setHeir(m_form);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_notice);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_strip);

    connect(m_showToml, &QToolButton::toggled, m_toml, &QWidget::setVisible);
    connect(m_showToml, &QToolButton::clicked, this, [this] { m_tomlIsChosen = true; });
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitByUser = true; });
    connect(m_form, &SweepForm::edited, this, &SweepEditor::onEdited);
    connect(m_toml, &TomlPanel::edited, this, &SweepEditor::onTomlEdited);
    connect(qApp, &QApplication::focusChanged, m_document, &SweepDocument::endEdit);
    connect(m_document, &SweepDocument::draftReplaced, m_toml, &TomlPanel::discardEdits);
    connect(m_document, &SweepDocument::draftReplaced, this, &SweepEditor::showMistakenText);
    connect(m_document, &SweepDocument::anotherSweepShown, m_form, &SweepForm::scrollToTop);
    connect(m_document, &SweepDocument::anotherSweepShown, this, &SweepEditor::forgetPlan);
    connect(m_document, &SweepDocument::draftChanged, this, &SweepEditor::onDraftChanged);
    connect(m_document, &SweepDocument::originChanged, this, &SweepEditor::followOrigin);
    connect(m_document->undoStack(), &QUndoStack::cleanChanged, this, &SweepEditor::followOrigin);
    connect(m_files, &SweepFileCommands::opened, this, &SweepEditor::followOrigin);
    connect(m_checker, &SweepChecker::checked, this, &SweepEditor::showChecks);
    connect(m_previewer, &PointPreviewer::previewed, this, [this] { m_form->showFirstPoints(m_previewer->preview()); });
    connect(m_planner, &AllocationPlanner::planned, this, &SweepEditor::showPlan);
    connect(m_memory, &MemoryPlanner::planned, this, [this] { m_form->showMemory(m_memory->lines()); });
    connect(m_form, &SweepForm::probeRequested, this, &SweepEditor::makeProbe);
    connect(m_form, &SweepForm::suggestionAccepted, this, &SweepEditor::useSuggestion);
    connect(m_strip, &SummaryStrip::allocationRequested, m_form, &SweepForm::showAllocationSection);
    connect(m_strip, &SummaryStrip::problemActivated, this, [this](const PlacedProblem &problem) {
        if (problem.field == u"toml"_s)
            m_toml->focusText();
        else
            m_form->focusProblem(problem);
    });
    followOrigin();
    onDraftChanged();
}

QToolButton *SweepEditor::addButton(const QString &name, const QString &icon, const QString &text,
                                    QKeySequence::StandardKey keys)
{
    auto *action = new QAction(symbolIcon(icon), text, this);
    action->setObjectName(name);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(tr("%1 (%2)").arg(text, action->shortcut().toString(QKeySequence::NativeText)));
    addAction(action);
    auto *button = new QToolButton(m_bar);
    button->setObjectName(name + u".button"_s);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    m_bar->layout()->addWidget(button);
    return button;
}

void SweepEditor::addButtons()
{
    m_openingButtons = {addButton(u"new"_s, u"new"_s, tr("New"), QKeySequence::New),
                        addButton(u"open"_s, u"open"_s, tr("Open…"), QKeySequence::Open)};
    m_actions.create = m_openingButtons[0]->defaultAction();
    m_actions.open = m_openingButtons[1]->defaultAction();
    m_actions.save = addButton(u"save"_s, u"save"_s, tr("Save"), QKeySequence::Save)->defaultAction();
    m_actions.saveAs = addButton(u"saveAs"_s, u"save"_s, tr("Save as…"), QKeySequence::SaveAs)->defaultAction();
    connect(m_actions.create, &QAction::triggered, this, &SweepEditor::newSweep);
    connect(m_actions.open, &QAction::triggered, m_files, &SweepFileCommands::openWithDialog);
    connect(m_actions.save, &QAction::triggered, m_files, &SweepFileCommands::save);
    connect(m_actions.saveAs, &QAction::triggered, m_files, &SweepFileCommands::saveAs);
    QToolButton *undo = addButton(u"undo"_s, u"undo"_s, tr("Undo"), QKeySequence::Undo);
    QToolButton *redo = addButton(u"redo"_s, u"redo"_s, tr("Redo"), QKeySequence::Redo);
    QUndoStack *stack = m_document->undoStack();
    connect(undo->defaultAction(), &QAction::triggered, stack, &QUndoStack::undo);
    connect(redo->defaultAction(), &QAction::triggered, stack, &QUndoStack::redo);
    connect(stack, &QUndoStack::canUndoChanged, undo->defaultAction(), &QAction::setEnabled);
    connect(stack, &QUndoStack::canRedoChanged, redo->defaultAction(), &QAction::setEnabled);
    m_editingButtons = {undo, redo};
    for (QToolButton *button : m_editingButtons) {
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setAccessibleName(button->text());
        button->defaultAction()->setEnabled(false);
    }
}

bool SweepEditor::openFile(const QString &path)
{
    return m_files->open(path);
}

bool SweepEditor::event(QEvent *event)
{
    // The user may have added a missing file in another program.
    if (event->type() == QEvent::WindowActivate) {
        m_refusal.clear();
        m_checker->repeat();
        m_planner->repeat();
    }
    return QWidget::event(event);
}

void SweepEditor::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (!m_tomlIsChosen)  // otherwise chosen by the user, permanently
        m_showToml->setChecked(width() >= textScaled(widthForBoth));
    const int form = std::min(textScaled(formBesideToml), width() * 2 / 3);
    if (m_showToml->isChecked() && !m_isSplitByUser)
        m_splitter->setSizes({form, width() - form});
}

void SweepEditor::onEdited(const QString &place)
{
    // An edit of the form discards text that could not be parsed. Undo does not cover it, so offer to restore it.
    const QString lost = m_toml->problem().isEmpty() ? QString() : m_toml->toml();
    m_toml->discardEdits();
    m_document->edit(m_form->draft(), place);
    if (!lost.isEmpty())
        m_notice->offer(tr("The form replaced sweep file text that had an error."),
                        {{u"notice.bringBack"_s, tr("Restore"), [this, lost] { m_toml->type(lost); }}});
}

/// The form follows the text once all of it can be parsed; until then it stays as it is.
void SweepEditor::onTomlEdited(const QString &toml)
{
    m_notice->withdrawComplaint();  // the panel shows current problems below the text
    const sweep::ParsedSweep parsed = sweep::parseSweep(toml.toStdString());
    if (!parsed.problems.empty()) {
        const sweep::Problem &first = parsed.problems.front();
        m_toml->showProblem(first.line, QString::fromStdString(
                                            first.field.empty() ? first.message : first.field + ": " + first.message));
        followChanges();
        showChecks();
        return;
    }
    m_toml->showProblem(0, {});
    showChecks();
    m_document->edit(draftOf(parsed.spec), toml.toStdString(), u"toml"_s);
    followChanges();
}

void SweepEditor::onDraftChanged()
{
    m_refusal.clear();
    m_form->display(m_document->draft());
    followChanges();
    requestCheck();
}

void SweepEditor::requestCheck()
{
    m_checker->request({m_document->draft(), m_machine, m_document->origin().baseFolder, m_document->text(), m_worker});
}

void SweepEditor::showChecks()
{
    const CheckResult *result = m_checker->result();
    if (!result)
        return;
    // If the text is no TOML, the empty form must not complain about missing values.
    const std::vector<PlacedProblem> ofForm = isNothingUnderstood() ? std::vector<PlacedProblem>() : result->problems;
    // What is started right after typing is refused for what the check finds a moment later.
    std::erase_if(m_refusal,
                  [&ofForm](const PlacedProblem &problem) { return std::ranges::count(ofForm, problem) != 0; });
    std::vector<PlacedProblem> problems = ofForm;
    problems.insert(problems.end(), m_refusal.begin(), m_refusal.end());
    m_form->showProblems(problems);
    m_toml->setToml(result->toml);
    m_toml->setNote(m_toml->problem().isEmpty() ? lossText(*result) : m_toml->problem());
    std::vector<SummaryStrip::Entry> entries;
    // A mistake that concerns several rows counts once.
    const auto add = [&entries](SummaryStrip::Entry entry) {
        const bool isListed = std::ranges::any_of(entries, [&entry](const SummaryStrip::Entry &listed) {
            return listed.title == entry.title && listed.problem.message == entry.problem.message;
        });
        if (!isListed)
            entries.push_back(std::move(entry));
    };
    if (!m_toml->problem().isEmpty())
        add({tr("Sweep file"), {u"toml"_s, m_toml->problem()}});
    // What the form lacks because the text has an error is not a second error.
    for (const PlacedProblem &problem : m_toml->problem().isEmpty() ? ofForm : std::vector<PlacedProblem>())
        add({m_form->titleOf(problem), problem});
    for (const PlacedProblem &problem : m_refusal)
        add({m_form->titleOf(problem), problem, m_refused == Purpose::Start});
    m_strip->showResult(*result, entries);
    m_form->setChoice(result->choice);
    requestPoints(*result);
    requestPlan(*result);
    Q_EMIT tomlShown();
}

bool SweepEditor::hasUnsavedWork() const
{
    const bool isOfASweep = m_edited && m_edited->id == m_document->origin().sweepId;
    const bool isMistaken = !m_toml->problem().isEmpty() && m_toml->toml().toStdString() != m_document->text();
    return isMistaken || (isOfASweep ? hasChanges() : m_document->isModified());
}

QString SweepEditor::toml() const
{
    return m_toml->toml();
}

bool SweepEditor::isNothingUnderstood() const
{
    return !m_toml->problem().isEmpty() && m_document->isBlank();
}

/// Shows the text of a file that cannot be parsed, to be corrected there; also when undo returns to it.
void SweepEditor::showMistakenText()
{
    const std::string &text = m_document->text();
    if (text.empty() || m_document->origin().sweepId != 0)
        return;
    const sweep::ParsedSweep parsed = sweep::parseSweep(text);
    if (parsed.problems.empty() || m_document->draft() != draftOf(parsed.spec))
        return;
    m_notice->dismiss();
    typeToml(QString::fromStdString(text));
}

void SweepEditor::typeToml(const QString &toml)
{
    m_toml->type(toml);
    if (!m_toml->problem().isEmpty() && !m_tomlIsChosen)
        m_showToml->setChecked(true);
}

/// What saving would lose of the open file.
QString SweepEditor::lossText(const CheckResult &result) const
{
    const QString path = m_document->origin().filePath;
    if (path.isEmpty() || isOfTheProgram(path))
        return {};
    if (const QString damage = m_document->damage(); !damage.isEmpty())
        return damage;
    return result.losesComments ? tr("Saving discards the comments of %1, because this text replaces the whole file.")
                                      .arg(QFileInfo(path).fileName())
                                : QString();
}

void SweepEditor::requestPoints(const CheckResult &result)
{
    const PlacedProblem *problem = problemOfSearch(result);
    if (!problem) {
        m_previewer->request(result.spec);
        return;
    }
    m_previewer->drop();
    m_form->showFirstPoints(nullptr, tr("No points yet. %1: %2").arg(m_form->titleOf(*problem), problem->message));
}

void SweepEditor::requestPlan(const CheckResult &result)
{
    if (result.problems.empty()) {
        m_planner->request(result.spec);
        return;
    }
    m_planner->drop();
    m_memory->drop();
    m_strip->setPlan({}, {});
    const PlacedProblem &first = result.problems.front();
    m_form->showAllocation(nullptr,
                           tr("The sweep cannot start yet. %1: %2").arg(m_form->titleOf(first), first.message));
}

/// The plan and the points of another sweep, until there are those of this sweep.
void SweepEditor::forgetPlan()
{
    if (!m_checker->isPending())
        return;  // the definition is the same, and its plan is requested
    m_previewer->drop();
    m_form->showFirstPoints(nullptr);
    m_planner->drop();
    m_memory->drop();
    m_strip->setPlan({}, {});
    m_form->showAllocation(nullptr, tr("Reading the devices…"));
}

void SweepEditor::showPlan()
{
    const AllocationPreview *preview = m_planner->preview();
    m_form->showAllocation(preview);
    m_form->showMemory(preview && preview->impossible.isEmpty() ? m_memory->lines() : QStringList());
    if (preview && preview->impossible.isEmpty())
        m_memory->request(*preview, m_document->origin().baseFolder.toStdString());
    else
        m_memory->drop();
    if (preview && !preview->plan.planned.empty())
        m_strip->setPlan(preview->plan.leftOut.empty() ? std::optional(preview->plan.atOnce) : std::nullopt,
                         planEndText(*preview));
    else if (preview && preview->plan.isUnderWay && preview->impossible.isEmpty())
        m_strip->setPlan({}, planEndText(*preview));
    else
        m_strip->setPlan({}, {});
}

void SweepEditor::makeProbe()
{
    const DraftReading reading = readDraft(m_document->draft());
    const auto probe = sweep::probeOf(reading.spec, {});
    if (!reading.problems.empty())
        m_notice->complain(tr("Fix the fields marked red, then probe batch sizes."));
    else if (!probe)
        m_notice->complain(
            tr("This sweep cannot be probed: %1 %2")
                .arg(QString::fromStdString(probe.error().field), QString::fromStdString(probe.error().message)));
    else {
        m_probed = m_document->draft();
        m_probedOrigin = m_document->origin();
        m_document->turnInto(draftOf(*probe), {QString(), m_document->origin().baseFolder}, tr("Batch-size probe"));
        m_notice->offer(tr("The form now shows a batch-size probe of your sweep."),
                        {{u"notice.bringBack"_s, tr("Back to sweep"), [this] { m_document->undoStack()->undo(); }}});
    }
}

/// Whether the probe was created here, so that the original sweep can be restored.
bool SweepEditor::isProbeOfProbed() const
{
    return m_probed && m_document->draft().name().toStdString() == sweep::probeName(m_probed->name().toStdString());
}

void SweepEditor::setSuggestion(const std::optional<ProbeSuggestion> &suggestion)
{
    m_suggestion = suggestion;
    const bool canBeUsed = !m_document->draft().isProbe || isProbeOfProbed();
    m_form->setSuggestion(canBeUsed ? suggestion : std::nullopt);
}

void SweepEditor::useSuggestion()
{
    if (!m_suggestion)
        return;
    const bool isProbe = m_document->draft().isProbe;
    SweepDraft draft = isProbe ? *m_probed : m_document->draft();
    setSingleValue(draft, m_suggestion->parameter, textOfNumber(m_suggestion->value));
    if (isProbe)
        m_document->turnInto(draft, m_probedOrigin, tr("Use %1").arg(m_suggestion->text()));
    else
        m_document->edit(draft, u"probe.suggestion"_s);
}

void SweepEditor::setMachine(const std::optional<sweep::Capacity> &machine, const QString &words)
{
    m_machine = machine;
    m_form->setMachineText(words);
    requestCheck();
}

void SweepEditor::setWorker(const std::filesystem::path &worker)
{
    m_worker = worker;
}

void SweepEditor::setKnownMachines(const QStringList &names)
{
    m_form->setKnownMachines(names);
}

void SweepEditor::setReported(const QStringList &metrics)
{
    m_form->setReported(metrics);
}

void SweepEditor::setHindrance(const QString &reason)
{
    m_strip->setHindrance(reason);
}

void SweepEditor::setReadOnly(bool readOnly)
{
    m_form->setReadOnly(readOnly);
    m_toml->setEditable(!readOnly);
    for (QToolButton *button : m_editingButtons)
        button->setVisible(!readOnly);
}

void SweepEditor::hideOpeningButtons()
{
    for (QToolButton *button : m_openingButtons)
        button->hide();
}

void SweepEditor::newSweep()
{
    QUndoStack *stack = m_document->undoStack();
    const QString name = m_document->draft().name();
    const bool wasUnsaved = hasUnsavedWork();
    const int before = stack->index();
    m_notice->dismiss();
    const sweep::WorkerKind worker = isMissing(m_worker) ? sweep::WorkerKind::Command : sweep::WorkerKind::Builtin;
    m_document->replace(newSweepDraft(worker), {QString(), QDir::homePath()}, tr("New sweep"));
    beginAtName();
    if (wasUnsaved && stack->index() > before)
        m_notice->offer(tr("A new sweep replaced the unsaved sweep %1.").arg(name),
                        {{u"notice.bringBack"_s, tr("Restore"), [stack, before] { stack->setIndex(before); }}});
}

void SweepEditor::beginAtName()
{
    m_form->beginAtName();
}

void SweepEditor::setSweep(const sweep::SweepSpec &spec, const QString &baseFolder, const QString &title,
                           const std::string &text)
{
    m_notice->dismiss();
    m_document->replace(draftOf(spec), {QString(), baseFolder}, title, text);
}

void SweepEditor::followOrigin()
{
    const SweepOrigin &origin = m_document->origin();
    m_form->setBaseFolder(origin.baseFolder);
    followChanges();
    requestCheck();  // the last result may be that of another sweep
    showChecks();
}

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
    const bool isLaunched = m_edited && m_edited->id == origin.sweepId;
    m_form->setLaunched(isLaunched);
    if (!isLaunched) {
        m_title->showNewSweep(origin.filePath, m_document->isModified());
        m_strip->setTarget(std::nullopt);
        return;
    }
    const bool isChanged = hasChanges();
    m_title->showSweep(m_edited->id, m_edited->name, isChanged);
    m_strip->setTarget(
        SummaryStrip::Target{u"#%1"_s.arg(m_edited->id), isChanged, m_edited->hindrance, m_edited->isRun});
}

std::optional<QString> SweepEditor::definition(Purpose purpose)
{
    if (!m_toml->problem().isEmpty()) {  // the form does not have what is written there
        m_notice->complain((purpose == Purpose::Start ? tr("Not started: the sweep file has an error. %1")
                                                      : tr("Not applied: the sweep file has an error. %1"))
                               .arg(m_toml->problem()));
        return std::nullopt;
    }
    DraftReading reading = readDraft(m_document->draft());
    if (!reading.problems.empty())
        return std::nullopt;  // the checks show them
    sweep::resolveForLaunch(reading.spec);
    return QString::fromStdString(sweep::sweepFile(reading.spec, m_document->text()));
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
    // Problems outside of the form, such as a full disk, are shown in a notice; the user can try again.
    if (!elsewhere.isEmpty())
        m_notice->complain(
            (purpose == Purpose::Start ? tr("Not started: %1") : tr("Not applied: %1")).arg(elsewhere.join(u'\n')));
    showChecks();
}

}  // namespace sweepscope::ui
