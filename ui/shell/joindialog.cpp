#include "ui/shell/joindialog.h"

#include "importing/joinedsweeps.h"
#include "sweep/validation.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int joinWidth = 480;
constexpr int sweepRole = Qt::UserRole;

std::vector<importing::JoinedPart> partsOf(const protocol::EngineClient &client,
                                           const std::vector<std::int64_t> &sweeps)
{
    std::vector<importing::JoinedPart> parts;
    for (const std::int64_t id : sweeps) {
        if (const sweep::SweepRecord *sweep = client.sweep(id))
            parts.push_back({*sweep, client.trials(id)});
    }
    return parts;
}

/// Empty if they differ.
std::vector<sweep::Objective> sharedObjectives(const std::vector<importing::JoinedPart> &parts)
{
    return parts.empty() ? std::vector<sweep::Objective>()
                         : importing::joinedObjectives(parts, {}).value_or(std::vector<sweep::Objective>());
}

}  // namespace

JoinDialog::JoinDialog(protocol::EngineClient *client, const QList<qint64> &chosen, QWidget *parent)
    : QDialog(parent),
      m_client(client),
      m_sweeps(new QListWidget(this)),
      m_name(new QLineEdit(this)),
      m_objective(new QComboBox(this)),
      m_summary(new QLabel(this)),
      m_problem(new QLabel(this))
{
    setObjectName(u"joinDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Join sweeps"));
    auto *hint = new QLabel(
        tr("Creates a sweep with copies of the trials of these sweeps. The originals stay unchanged. Curves, logs and "
           "media are kept, checkpoints are not."),
        this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    m_sweeps->setObjectName(u"joinSweeps"_s);
    m_sweeps->setAccessibleName(tr("Sweeps"));
    m_sweeps->setSpacing(spacing::tiny);
    QListWidgetItem *first = nullptr;
    const std::vector<sweep::SweepRecord> &sweeps = client->sweeps();
    for (auto sweep = sweeps.rbegin(); sweep != sweeps.rend(); ++sweep) {
        const bool isChosen = chosen.contains(sweep->id);
        if (sweep->archived && !isChosen)
            continue;
        const QString goal = sweep->goal == sweep::Goal::Minimize ? tr("minimizes %1") : tr("maximizes %1");
        const QString trials = sweep->trialsTotal == 1 ? tr("1 trial") : tr("%L1 trials").arg(sweep->trialsTotal);
        auto *item = new QListWidgetItem(
            u"%1 (#%2) · %3 · %4"_s.arg(QString::fromStdString(sweep->name), QString::number(sweep->id), trials,
                                        goal.arg(QString::fromStdString(sweep->objective))),
            m_sweeps);
        item->setData(sweepRole, static_cast<qint64>(sweep->id));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
        if (isChosen && first == nullptr)
            first = item;
    }
    m_sweeps->setCurrentItem(first);
    m_name->setObjectName(u"joinName"_s);
    m_objective->setObjectName(u"joinObjective"_s);
    m_objective->setPlaceholderText(tr("Choose a metric"));
    m_summary->setObjectName(u"joinSummary"_s);
    m_summary->setWordWrap(true);
    m_problem->setObjectName(u"joinProblem"_s);
    m_problem->setProperty("problem", true);
    m_problem->setWordWrap(true);

    auto *form = new QFormLayout;
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Objective"), m_objective);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    m_join = buttons->addButton(tr("Join sweeps"), QDialogButtonBox::AcceptRole);
    m_join->setObjectName(u"joinButton"_s);
    m_join->setDefault(true);
    markPrimary(m_join);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::huge, spacing::huge, spacing::huge, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addWidget(hint);
    layout->addWidget(m_sweeps, 1);
    layout->addLayout(form);
    layout->addWidget(m_summary);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    resize(textScaled(joinWidth), sizeHint().height());

    connect(buttons, &QDialogButtonBox::accepted, this, &JoinDialog::send);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_sweeps, &QListWidget::itemChanged, this, &JoinDialog::follow);
    connect(m_name, &QLineEdit::textChanged, this, &JoinDialog::check);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &JoinDialog::check);
    connect(client, &protocol::EngineClient::sweepLaunched, this, [this](quint64 job, qint64 id) {
        if (m_job == 0 || job != m_job)
            return;
        accept();
        Q_EMIT joined(id);
    });
    connect(client, &protocol::EngineClient::sweepRefused, this,
            [this](quint64 job, const std::vector<sweep::Problem> &problems) {
                if (m_job == 0 || job != m_job)
                    return;
                m_job = 0;
                showProblem(problems.empty() ? QString()
                                             : sentenceText(QString::fromStdString(problems.front().message)));
            });
    connect(client, &protocol::EngineClient::requestFailed, this, [this](quint64 job, const facts::Fact &reason) {
        if (m_job == 0 || job != m_job)
            return;
        m_job = 0;
        showProblem(reasonText(reason));
    });
    follow();
}

std::vector<std::int64_t> JoinDialog::checkedSweeps() const
{
    std::vector<std::int64_t> ids;
    for (int row = m_sweeps->count() - 1; row >= 0; --row) {  // the oldest first
        if (m_sweeps->item(row)->checkState() == Qt::Checked)
            ids.push_back(m_sweeps->item(row)->data(sweepRole).toLongLong());
    }
    return ids;
}

void JoinDialog::follow()
{
    const std::vector<importing::JoinedPart> parts = partsOf(*m_client, checkedSweeps());
    m_name->setPlaceholderText(parts.empty() ? QString() : QString::fromStdString(importing::joinedName(parts)));
    const QString before = m_objective->currentText();
    {
        const QSignalBlocker blocker(m_objective);
        m_objective->clear();
        QStringList shared;
        for (const sweep::Objective &objective : sharedObjectives(parts))
            shared << QString::fromStdString(objective.name);
        if (!shared.isEmpty())
            m_objective->addItem(shared.join(u", "_s), QString());
        for (const std::string &metric : importing::commonMetrics(parts)) {
            const QString name = QString::fromStdString(metric);
            if (shared != QStringList{name})
                m_objective->addItem(name, name);
        }
        m_objective->setCurrentIndex(std::max(m_objective->findText(before), shared.isEmpty() ? -1 : 0));
    }
    qsizetype ended = 0;
    qsizetype unfinished = 0;
    for (const importing::JoinedPart &part : parts) {
        const auto final = std::ranges::count_if(
            part.trials, [](const sweep::TrialRecord &trial) { return sweep::isFinal(trial.state); });
        ended += final;
        unfinished += std::ssize(part.trials) - final;
    }
    QStringList sentences;
    if (parts.size() < 2)
        sentences << tr("Choose at least two sweeps.");
    else
        sentences << (ended == 1 ? tr("The new sweep has 1 trial.") : tr("The new sweep has %L1 trials.").arg(ended));
    if (unfinished > 0)
        sentences << (unfinished == 1 ? tr("1 trial that has not ended is left out.")
                                      : tr("%L1 trials that have not ended are left out.").arg(unfinished));
    m_summary->setText(sentences.join(u' '));
    check();
}

void JoinDialog::check()
{
    const std::vector<importing::JoinedPart> parts = partsOf(*m_client, checkedSweeps());
    QString problem;
    if (!m_name->text().trimmed().isEmpty()) {
        const std::string wrong = sweep::nameProblem(m_name->text().trimmed().toStdString());
        problem = wrong.empty() ? QString() : tr("The name %1").arg(QString::fromStdString(wrong));
    }
    if (problem.isEmpty() && parts.size() >= 2) {
        const auto objectives = importing::joinedObjectives(parts, m_objective->currentData().toString().toStdString());
        problem = objectives ? QString() : QString::fromStdString(objectives.error().message);
    }
    showProblem(problem);
    m_join->setEnabled(problem.isEmpty() && parts.size() >= 2);
}

void JoinDialog::showProblem(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void JoinDialog::send()
{
    if (m_job != 0)
        return;  // disabling the button would move the focus, and Enter, to Cancel
    showProblem({});
    m_job = m_client->joinSweeps(checkedSweeps(), m_name->text().trimmed(), m_objective->currentData().toString());
}

}  // namespace sweepscope::ui
