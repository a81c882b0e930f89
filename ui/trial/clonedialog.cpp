#include "ui/trial/clonedialog.h"

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

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int dialogWidth = 420;
constexpr int tallest = 420;

}  // namespace

CloneDialog::CloneDialog(protocol::EngineClient *client, qint64 sweepId, const sweep::TrialRecord &trial,
                         QWidget *parent)
    : QDialog(parent), m_client(client), m_sweepId(sweepId), m_problem(new QLabel(this))
{
    setObjectName(u"cloneDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Clone trial %1 with changes").arg(trial.number));
    auto *hint = new QLabel(tr("Adds one trial to the sweep. It starts when devices are free. Values outside the "
                               "sweep's ranges are allowed. Leave a parameter empty if its condition is not met."),
                            this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);

    auto *fields = new QWidget;
    auto *form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, spacing::small, 0);
    for (const auto &[name, value] : trial.parameters) {
        auto *field = new QLineEdit(exactText(value), fields);
        field->setObjectName(u"clone."_s + QString::fromStdString(name));
        form->addRow(QString::fromStdString(name), field);
        connect(field, &QLineEdit::textEdited, m_problem, &QWidget::hide);  // the problem was about the previous text
        m_fields.emplace_back(name, field);
    }
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(fields);
    scroll->setMinimumHeight(std::min(fields->sizeHint().height() + spacing::small, tallest));

    m_problem->setObjectName(u"cloneProblem"_s);
    m_problem->setProperty("problem", true);
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    QPushButton *add = buttons->addButton(tr("Add trial"), QDialogButtonBox::AcceptRole);
    add->setObjectName(u"cloneAdd"_s);
    add->setProperty("primary", true);
    add->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &CloneDialog::send);
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
    resize(textScaled(dialogWidth), sizeHint().height());
}

void CloneDialog::send()
{
    if (m_job != 0)
        return;  // disabling the button would move the focus, and Enter, to Cancel
    std::map<std::string, std::string> point;
    for (const auto &[name, field] : m_fields) {
        const QString value = field->text().trimmed();
        if (!value.isEmpty() || !field->isModified())
            point.emplace(name, value.toStdString());
    }
    m_problem->hide();
    m_job = m_client->enqueueTrial(m_sweepId, point);
}

void CloneDialog::answered(quint64 job, const QString &problem)
{
    if (m_job == 0 || job != m_job)
        return;
    m_job = 0;
    if (problem.isEmpty()) {
        Q_EMIT added();
        accept();
        return;
    }
    m_problem->setText(problem);
    m_problem->show();
    if (!m_fields.empty())
        m_fields.front().second->setFocus();
}

}  // namespace sweepscope::ui
