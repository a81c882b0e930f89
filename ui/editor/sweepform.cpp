#include "ui/editor/sweepform.h"

#include "ui/editor/allocationsection.h"
#include "ui/editor/celltableview.h"
#include "ui/editor/devicessection.h"
#include "ui/editor/editabletable.h"
#include "ui/editor/firstpointssection.h"
#include "ui/editor/formfield.h"
#include "ui/editor/goalsection.h"
#include "ui/editor/limitssection.h"
#include "ui/editor/probesection.h"
#include "ui/editor/runsection.h"
#include "ui/editor/spacesection.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr int widestForm = 1180;

bool isOf(const PlacedProblem &problem, const QString &table)
{
    return problem.field == table || problem.field.startsWith(table + u'.');
}

}  // namespace

SweepForm::SweepForm(QWidget *parent) : QScrollArea(parent)
{
    setObjectName(u"sweepForm"_s);
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setFocusPolicy(Qt::NoFocus);
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(spacing::large, spacing::large, spacing::large, spacing::large);
    layout->setSpacing(spacing::large);
    followTextSize(content, [content] { content->setMaximumWidth(textScaled(widestForm)); });
    setWidget(content);
    add(m_goal = new GoalSection(content));
    add(new SpaceSection(content));
    add(new ConstraintSection(content));
    add(m_firstPoints = new FirstPointsSection(content));
    add(m_run = new RunSection(content));
    add(m_devices = new DevicesSection(content));
    add(new LimitsSection(content));
    add(m_probe = new ProbeSection(content));
    connect(m_probe, &ProbeSection::probeRequested, this, &SweepForm::probeRequested);
    connect(m_probe, &ProbeSection::suggestionAccepted, this, &SweepForm::suggestionAccepted);
    add(m_allocation = new AllocationSection(content));
    layout->addStretch();
    const QList<FormField *> fields = content->findChildren<FormField *>();
    m_fields.assign(fields.begin(), fields.end());
    for (FormField *field : m_fields)
        field->editor()->installEventFilter(this);
    const QList<EditableTable *> tables = content->findChildren<EditableTable *>();
    m_tables.assign(tables.begin(), tables.end());
}

void SweepForm::add(FormSection *section)
{
    m_sections.push_back(section);
    widget()->layout()->addWidget(section);
    connect(section, &FormSection::edited, this, &SweepForm::onEdited);
}

void SweepForm::onEdited(const QString &place)
{
    if (!m_displaying)
        Q_EMIT edited(place);
}

void SweepForm::display(const SweepDraft &draft)
{
    const bool outer = std::exchange(m_displaying, true);
    m_displayed = draft;
    for (FormSection *section : m_sections)
        section->display(draft);
    m_displaying = outer;
}

SweepDraft SweepForm::draft() const
{
    SweepDraft draft = m_displayed;
    for (const FormSection *section : m_sections)
        section->readInto(draft);
    return draft;
}

void SweepForm::setBaseFolder(const QString &folder)
{
    m_run->setBaseFolder(folder);
}

void SweepForm::setMachineText(const QString &text)
{
    m_devices->setMachineText(text);
}

void SweepForm::setKnownMachines(const QStringList &names)
{
    m_devices->setKnownMachines(names);
}

void SweepForm::setReported(const QStringList &metrics)
{
    m_goal->setReported(metrics);
}

void SweepForm::setChoice(const facts::Fact &choice)
{
    m_goal->setChoice(choice);
}

void SweepForm::setLaunched(bool isLaunched)
{
    m_firstPoints->setLaunched(isLaunched);
}

void SweepForm::setSuggestion(const std::optional<ProbeSuggestion> &suggestion)
{
    m_probe->setSuggestion(suggestion);
}

void SweepForm::showFirstPoints(const PointPreview *preview, const QString &reason)
{
    if (preview)
        m_firstPoints->showPreview(*preview);
    else
        m_firstPoints->showNothing(reason);
}

void SweepForm::showAllocation(const AllocationPreview *preview, const QString &reason)
{
    if (preview)
        m_allocation->showPreview(*preview);
    else
        m_allocation->showNothing(reason);
}

void SweepForm::showMemory(const QStringList &lines)
{
    m_allocation->showMemory(lines);
}

FormField *SweepForm::fieldFor(const QString &path) const
{
    FormField *best = nullptr;
    for (FormField *field : m_fields) {
        const bool fits = path == field->path() || path.startsWith(field->path() + u'.');
        if (fits && (!best || field->path().size() > best->path().size()))
            best = field;
    }
    return best;
}

EditableTable *SweepForm::tableFor(const PlacedProblem &problem) const
{
    const auto found =
        std::ranges::find_if(m_tables, [&](const EditableTable *table) { return isOf(problem, table->name()); });
    return found != m_tables.end() ? *found : nullptr;
}

void SweepForm::showProblems(const std::vector<PlacedProblem> &problems)
{
    std::vector<QString> sentences(m_fields.size());
    for (const PlacedProblem &problem : problems) {
        FormField *field = fieldFor(problem.field);
        for (std::size_t i = 0; i < m_fields.size(); ++i)
            if (m_fields[i] == field && sentences[i].isEmpty())
                sentences[i] = problem.message;
    }
    for (std::size_t i = 0; i < m_fields.size(); ++i)
        m_fields[i]->setProblem(sentences[i]);
    for (EditableTable *table : m_tables) {
        std::vector<PlacedProblem> ofTable;
        std::ranges::copy_if(problems, std::back_inserter(ofTable),
                             [&](const PlacedProblem &problem) { return tableFor(problem) == table; });
        table->showProblems(std::move(ofTable));
    }
}

void SweepForm::focusProblem(const PlacedProblem &problem)
{
    if (EditableTable *table = tableFor(problem)) {
        table->focusProblem(problem);
        ensureWidgetVisible(table, 0, spacing::huge);
    } else if (FormField *field = fieldFor(problem.field)) {
        for (FormSection *section : m_sections)
            section->reveal(field);
        field->editor()->setFocus(Qt::OtherFocusReason);
        ensureWidgetVisible(field, 0, spacing::huge);
    } else if (problem.field == "run.worker"_L1) {
        m_run->workerChoice()->setFocus(Qt::OtherFocusReason);
        ensureWidgetVisible(m_run->workerChoice(), 0, spacing::huge);
    }
}

void SweepForm::beginAtName()
{
    auto *name = qobject_cast<QLineEdit *>(fieldFor(u"sweep.name"_s)->editor());
    name->setFocus(Qt::OtherFocusReason);
    name->selectAll();
    scrollToTop();
}

void SweepForm::scrollToTop()
{
    ensureVisible(0, 0);
}

void SweepForm::showAllocationSection()
{
    verticalScrollBar()->setValue(m_allocation->y());
}

QString SweepForm::titleOf(const PlacedProblem &problem) const
{
    if (const EditableTable *table = tableFor(problem)) {
        const QString name = problem.field.section(u'.', 1);
        if (problem.row >= 0 && (name.isEmpty() || name == QString::number(problem.row + 1)))
            return tr("Row %1").arg(problem.row + 1);
        if (!name.isEmpty())
            return name;
        return table->view()->accessibleName();
    }
    const FormField *field = fieldFor(problem.field);
    return field ? field->title() : problem.field == "run.worker"_L1 ? tr("Worker") : problem.field;
}

bool SweepForm::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FocusIn) {
        if (auto *editor = qobject_cast<QWidget *>(watched); editor && QApplication::mouseButtons() == Qt::NoButton)
            ensureWidgetVisible(editor, 0, spacing::huge * 2);
    }
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace sweepscope::ui
