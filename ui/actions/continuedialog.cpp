#include "ui/actions/continuedialog.h"

#include "sweep/continuedpoint.h"
#include "sweep/keys.h"
#include "sweep/sweepfile.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <optional>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int widthOfContinuing = 420;
constexpr int tallestFields = 420;

bool mayChange(const sweep::SweepSpec &spec, const std::string &name)
{
    const auto fixed = sweep::settingsOfCheckpoint();
    return spec.run.worker != sweep::WorkerKind::Builtin
           || (name != "seed" && std::find(fixed.begin(), fixed.end(), name) == fixed.end());
}

/// The value that these trials have in common.
std::optional<sweep::ParameterValue> commonValue(const std::vector<const sweep::TrialRecord *> &trials,
                                                 const sweep::SweepSpec &spec, const std::string &name)
{
    std::optional<sweep::ParameterValue> common;
    for (const sweep::TrialRecord *trial : trials) {
        const sweep::ParameterValue *value = sweep::find(trial->parameters, name);
        if (value == nullptr) {
            const auto setting = spec.run.settings.find(name);
            const sweep::Key *key = sweep::findBuiltinSetting(name);
            value = setting != spec.run.settings.end() ? &setting->second
                    : key != nullptr                   ? &key->defaultValue
                                                       : nullptr;
        }
        if (value == nullptr || (common && *common != *value))
            return std::nullopt;
        common = *value;
    }
    return common;
}

}  // namespace

ContinueDialog::ContinueDialog(protocol::EngineClient *client, const sweep::SweepRecord &sweep, std::vector<int> trials,
                               QWidget *parent)
    : QDialog(parent), m_client(client), m_sweepId(sweep.id), m_trials(std::move(trials)), m_problem(new QLabel(this))
{
    setObjectName(u"continueDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    const int count = static_cast<int>(m_trials.size());
    setWindowTitle(count == 1 ? tr("Continue trial %1").arg(m_trials.front())
                              : tr("Continue %Ln trials", nullptr, count));
    auto *hint = new QLabel(
        (count == 1 ? tr("Adds a trial that starts from the last checkpoint of trial %1.").arg(m_trials.front())
                    : tr("Adds %Ln trials. Each starts from the last checkpoint of one of these.", nullptr, count))
            + u' ' + tr("Empty fields keep their values."),
        this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);

    const sweep::SweepSpec spec = sweep::parseSweep(sweep.toml).spec;
    std::vector<const sweep::TrialRecord *> records;
    for (const sweep::TrialRecord &trial : client->trials(sweep.id)) {
        if (std::ranges::find(m_trials, trial.number) != m_trials.end())
            records.push_back(&trial);
    }
    std::vector<std::string> names;
    if (spec.run.worker == sweep::WorkerKind::Builtin)
        names.emplace_back("epochs");
    for (const sweep::Dimension &dimension : spec.space) {
        if (mayChange(spec, dimension.name) && std::ranges::find(names, dimension.name) == names.end())
            names.push_back(dimension.name);
    }

    auto *fields = new QWidget;
    auto *form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, spacing::small, 0);
    for (const std::string &name : names) {
        auto *field = new QLineEdit(fields);
        field->setObjectName(u"continue."_s + QString::fromStdString(name));
        const std::optional<sweep::ParameterValue> value = commonValue(records, spec, name);
        field->setPlaceholderText(value ? exactText(*value) : tr("different values"));
        form->addRow(QString::fromStdString(name), field);
        connect(field, &QLineEdit::textEdited, m_problem, &QWidget::hide);  // the problem was about the previous text
        m_fields.emplace_back(name, field);
    }
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(fields);
    scroll->setMinimumHeight(std::min(fields->sizeHint().height() + spacing::small, tallestFields));
    scroll->setVisible(!m_fields.empty());

    m_problem->setObjectName(u"continueProblem"_s);
    m_problem->setProperty("problem", true);
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    QPushButton *add = buttons->addButton(count == 1 ? tr("Add trial") : tr("Add %Ln trials", nullptr, count),
                                          QDialogButtonBox::AcceptRole);
    add->setObjectName(u"continueAdd"_s);
    add->setProperty("primary", true);
    add->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &ContinueDialog::send);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(client, &protocol::EngineClient::requestDone, this, [this](quint64 job) { answered(job, {}); });
    connect(client, &protocol::EngineClient::requestFailed, this,
            [this](quint64 job, const facts::Fact &answer) { answered(job, reasonText(answer)); });

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::huge, spacing::huge, spacing::huge, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addWidget(hint);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    resize(textScaled(widthOfContinuing), sizeHint().height());
}

void ContinueDialog::send()
{
    if (m_job != 0)
        return;  // disabling the button would move the focus, and Enter, to Cancel
    std::map<std::string, std::string> changes;
    for (const auto &[name, field] : m_fields) {
        if (const QString value = field->text().trimmed(); !value.isEmpty())
            changes.emplace(name, value.toStdString());
    }
    m_problem->hide();
    m_job = m_client->continueTrials(m_sweepId, m_trials, changes);
}

void ContinueDialog::answered(quint64 job, const QString &problem)
{
    if (m_job == 0 || job != m_job)
        return;
    m_job = 0;
    if (problem.isEmpty()) {
        accept();
        return;
    }
    m_problem->setText(problem);
    m_problem->show();
    if (!m_fields.empty())
        m_fields.front().second->setFocus();
}

}  // namespace sweepscope::ui
