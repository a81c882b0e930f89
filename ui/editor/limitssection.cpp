#include "ui/editor/limitssection.h"

#include "ui/editor/fieldgrid.h"
#include "ui/editor/formfield.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr int leastTrials = 2;
constexpr int mostTrials = 10'000;
constexpr QLatin1StringView medianWord("median");
constexpr QLatin1StringView halvingWord("halving");

}  // namespace

LimitsSection::LimitsSection(QWidget *parent)
    : FormSection(tr("Limits"), QString(), parent),
      m_method(new QComboBox),
      m_firstStep(new QLineEdit),
      m_every(new QLineEdit),
      m_factor(new QLineEdit),
      m_minTrials(new QSpinBox),
      m_time(new QLineEdit),
      m_deviceTime(new QLineEdit)
{
    addPruning();
    addBudget();
    followMethod();
}

void LimitsSection::addPruning()
{
    FieldGrid *grid = addGrid();
    m_method->addItem(tr("Never"), QString());
    m_method->addItem(tr("Worse than the median"), QString(medianWord));
    m_method->addItem(tr("Successive halving"), QString(halvingWord));
    addBox(grid, u"prune.method"_s, tr("End trials earl&y"), m_method)
        ->setHelp(tr("Trials are compared with all that came to the same step; one that is behind is pruned."));
    m_firstStepField = addLine(grid, u"prune.first_step"_s, tr("Compared first at step"), m_firstStep);
    m_everyField = addLine(grid, u"prune.every"_s, tr("Then every so many steps"), m_every);
    m_every->setPlaceholderText(tr("as many as to the first"));
    m_factorField = addLine(grid, u"prune.factor"_s, tr("Halving factor"), m_factor);
    m_factorField->setHelp(
        tr("Of so many trials the best one goes on, and is compared again at so many times the step."));
    m_factor->setPlaceholderText(QString::number(sweep::PruneSection().factor));
    m_minTrialsField =
        addSpin(grid, u"prune.min_trials"_s, tr("Compare at least"), m_minTrials, leastTrials, mostTrials);
    m_minTrials->setSuffix(tr(" trials"));
    connect(m_method, &QComboBox::currentIndexChanged, this, &LimitsSection::followMethod);
}

void LimitsSection::addBudget()
{
    FieldGrid *grid = addGrid();
    m_time->setPlaceholderText(tr("no limit"));
    m_deviceTime->setPlaceholderText(tr("no limit"));
    addLine(grid, u"budget.time"_s, tr("Time for the sweep"), m_time)
        ->setHelp(tr("So long after the start no further trial begins: for example 90m, 8h or 2d."));
    addLine(grid, u"budget.device_time"_s, tr("Time of all devices"), m_deviceTime)
        ->setHelp(tr("Time of all trials, times their devices: 40h are ten hours on four GPUs."));
}

std::optional<sweep::PruneMethod> LimitsSection::method() const
{
    const QString word = m_method->currentData().toString();
    if (word.isEmpty())
        return std::nullopt;
    return word == medianWord ? sweep::PruneMethod::Median : sweep::PruneMethod::Halving;
}

void LimitsSection::followMethod()
{
    const std::optional<sweep::PruneMethod> chosen = method();
    m_firstStepField->setEnabled(chosen.has_value());
    m_minTrialsField->setEnabled(chosen.has_value());
    m_everyField->setVisible(chosen != sweep::PruneMethod::Halving);
    m_everyField->setEnabled(chosen.has_value());
    m_factorField->setVisible(chosen == sweep::PruneMethod::Halving);
}

void LimitsSection::display(const SweepDraft &draft)
{
    const PruneDraft &prune = draft.prune;
    QString word;
    if (prune.method)
        word = *prune.method == sweep::PruneMethod::Median ? medianWord : halvingWord;
    chooseData(m_method, word);
    showText(m_firstStep, prune.firstStep);
    showText(m_every, prune.every);
    showText(m_factor, prune.factor);
    showValue(m_minTrials, prune.minTrials);
    showText(m_time, draft.budgetTime);
    showText(m_deviceTime, draft.budgetDeviceTime);
    followMethod();
}

void LimitsSection::readInto(SweepDraft &draft) const
{
    draft.prune = {method(), m_firstStep->text(), m_every->text(), m_factor->text(), m_minTrials->value()};
    draft.budgetTime = m_time->text();
    draft.budgetDeviceTime = m_deviceTime->text();
}

}  // namespace sweepscope::ui
