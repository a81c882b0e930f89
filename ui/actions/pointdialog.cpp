#include "ui/actions/pointdialog.h"

#include "ui/models/reasontext.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int pointWidth = 420;
constexpr int tallestFields = 420;

}  // namespace

PointDialog::PointDialog(protocol::EngineClient *client, const QString &name, const QString &hint,
                         const std::vector<Field> &fields, const QString &buttonText, QWidget *parent)
    : QDialog(parent), m_client(client), m_problem(new QLabel(this))
{
    setObjectName(name + u"Dialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    auto *about = new QLabel(hint, this);
    about->setWordWrap(true);
    about->setForegroundRole(QPalette::PlaceholderText);

    auto *rows = new QWidget;
    auto *form = new QFormLayout(rows);
    form->setContentsMargins(0, 0, spacing::small, 0);
    for (const Field &field : fields) {
        const QString parameter = QString::fromStdString(field.parameter);
        auto *edit = new QLineEdit(field.value, rows);
        edit->setObjectName(name + u'.' + parameter);
        edit->setPlaceholderText(field.placeholder);
        auto *problem = new QLabel(rows);
        problem->setObjectName(edit->objectName() + u".problem"_s);
        problem->setProperty("problem", true);
        problem->setWordWrap(true);
        problem->hide();
        auto *column = new QVBoxLayout;
        column->setSpacing(spacing::tiny);
        column->addWidget(edit);
        column->addWidget(problem);
        form->addRow(parameter, column);
        if (auto *label = qobject_cast<QLabel *>(form->labelForField(column)))
            label->setBuddy(edit);
        if (!field.choices.isEmpty()) {
            auto *completer = new QCompleter(field.choices, edit);
            completer->setCaseSensitivity(Qt::CaseInsensitive);
            edit->setCompleter(completer);
        }
        const auto forget = [this, edit, problem] {  // problems were about the previous text
            m_problem->hide();
            problem->hide();
            markProblem(edit, false);
        };
        connect(edit, &QLineEdit::textChanged, this, forget);
        m_fields.emplace_back(field.parameter, edit);
        m_choices.push_back(field.choices);
        m_fieldProblems.push_back(problem);
    }
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(rows);
    scroll->setMinimumHeight(std::min(rows->sizeHint().height() + spacing::small, tallestFields));
    scroll->setVisible(!m_fields.empty());

    m_problem->setObjectName(name + u"Problem"_s);
    m_problem->setProperty("problem", true);
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    QPushButton *add = buttons->addButton(buttonText, QDialogButtonBox::AcceptRole);
    add->setObjectName(name + u"Add"_s);
    add->setProperty("primary", true);
    add->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &PointDialog::send);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(client, &protocol::EngineClient::requestDone, this, [this](quint64 job) { answered(job, {}); });
    connect(client, &protocol::EngineClient::requestFailed, this,
            [this](quint64 job, const facts::Fact &answer) { answered(job, reasonText(answer)); });

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::huge, spacing::huge, spacing::huge, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addWidget(about);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    resize(textScaled(pointWidth), sizeHint().height());
}

bool PointDialog::checkFields()
{
    QLineEdit *first = nullptr;
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        QLineEdit *edit = m_fields[i].second;
        const QString value = edit->text().trimmed();
        const bool isWrong = !value.isEmpty() && !m_choices[i].isEmpty() && !m_choices[i].contains(value);
        markProblem(edit, isWrong);
        m_fieldProblems[i]->setVisible(isWrong);
        if (!isWrong)
            continue;
        m_fieldProblems[i]->setText(tr("Enter one of these values: %1").arg(m_choices[i].join(u", "_s)));
        first = first ? first : edit;
    }
    if (first)
        first->setFocus();
    return first == nullptr;
}

void PointDialog::send()
{
    if (m_job != 0)
        return;  // disabling the button would move the focus, and Enter, to Cancel
    m_problem->hide();
    if (checkFields())
        m_job = request();
}

void PointDialog::answered(quint64 job, const QString &problem)
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
