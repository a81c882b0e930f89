#include "ui/devices/machinedialog.h"

#include "sweep/deviceplace.h"
#include "sweep/duration.h"
#include "ui/devices/machinecheck.h"
#include "ui/devices/subtlelabel.h"
#include "ui/models/valuetext.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHostAddress>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int machineDialogWidth = 620;
constexpr int checkHeight = 250;
constexpr int mostConcurrent = 10'000;
constexpr double linesOfField = 2.6;

QLineEdit *lineEdit(const QString &name, const std::string &text, const QString &placeholder)
{
    auto *edit = new QLineEdit(QString::fromStdString(text));
    edit->setObjectName(name);
    edit->setPlaceholderText(placeholder);
    return edit;
}

QPlainTextEdit *linesEdit(const QString &name, const QString &text, const QString &placeholder)
{
    auto *edit = new QPlainTextEdit(text);
    edit->setObjectName(name);
    edit->setPlaceholderText(placeholder);
    edit->setTabChangesFocus(true);
    setTextRole(edit, TextRole::Monospace);
    followTextSize(edit, [edit] {
        edit->setFixedHeight(static_cast<int>(edit->fontMetrics().lineSpacing() * linesOfField) + 2 * spacing::small);
    });
    return edit;
}

std::string addressOf(const remote::Machine &machine)
{
    if (machine.ssh.destination.empty())
        return {};
    return machine.ssh.port == 0 ? machine.ssh.destination : toString(machine.ssh);
}

QString dataText(const std::map<std::string, std::string> &data)
{
    QStringList lines;
    for (const auto &[name, folder] : data)
        lines << QString::fromStdString(name + " = " + folder);
    return lines.join(u'\n');
}

QIcon iconOf(Finding finding)
{
    switch (finding) {
    case Finding::Good:
        return stateIcon(sweep::TrialState::Completed);
    case Finding::Warning:
        return QIcon(u":/icons/severity-warning.svg"_s);
    case Finding::Bad:
        return QIcon(u":/icons/severity-problem.svg"_s);
    }
    return {};
}

struct DialogWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::MachineDialog)
};

/// Names the field that it changes.
QString remedyOf(const CheckRow &row)
{
    const QString remedy = sentenceText(QString::fromStdString(row.remedy));
    const std::map<std::string, QString> fields{{"folder", DialogWords::tr("Remote folder")},
                                                {"setup", DialogWords::tr("Setup commands")},
                                                {"data", DialogWords::tr("Data folders")}};
    const auto field = fields.find(row.setting);
    return field == fields.end() ? remedy : DialogWords::tr("%1 (%2)").arg(remedy, field->second);
}

QLabel *textLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

MachineDialog::MachineDialog(std::filesystem::path machinesFile, remote::Machine machine, QWidget *parent)
    : QDialog(parent),
      m_file(std::move(machinesFile)),
      m_before(std::move(machine)),
      m_name(lineEdit(u"machineName"_s, m_before.name, tr("gpu1"))),
      m_address(lineEdit(u"machineAddress"_s, addressOf(m_before),
                         tr("user@host, a host of ~/.ssh/config, or ssh://user@host:port"))),
      m_folder(lineEdit(u"machineFolder"_s, m_before.folder, u"~/.local/share/sweepscope"_s)),
      m_setup(linesEdit(u"machineSetup"_s, QString::fromStdString(m_before.setup),
                        u"module load cuda\nsource ~/venv/bin/activate"_s)),
      m_container(lineEdit(u"machineContainer"_s, m_before.container, u"apptainer exec --nv torch.sif"_s)),
      m_python(lineEdit(u"machinePython"_s,
                        m_before.python == remote::Machine().python ? std::string() : m_before.python,
                        QString::fromStdString(remote::Machine().python))),
      m_data(linesEdit(u"machineData"_s, dataText(m_before.data), u"imagenet = /data/imagenet"_s)),
      m_rankAddress(
          lineEdit(u"machineRankAddress"_s, m_before.address, tr("IP address; default: the one that ssh reached"))),
      m_concurrent(new QSpinBox(this)),
      m_lostAfter(lineEdit(u"machineLostAfter"_s, m_before.lostAfter ? sweep::toText(*m_before.lostAfter) : "",
                           tr("2h; default: never"))),
      m_problem(new QLabel(this)),
      m_checkButton(new QPushButton(tr("&Check"), this)),
      m_checkState(subtleLabel(tr("Connects, copies a program (6 MiB), and runs an empty attempt."), this)),
      m_area(new QScrollArea(this)),
      m_inside(nullptr),
      m_results(new QFrame(this)),
      m_rows(nullptr),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this)),
      m_check(new MachineCheck(this))
{
    setObjectName(u"machineDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(m_before.name.empty() ? tr("Add machine")
                                         : tr("Machine %1").arg(QString::fromStdString(m_before.name)));
    m_problem->setObjectName(u"machineProblem"_s);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    markProblem(m_problem, true);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(spacing::medium);
    auto *inside = new QWidget;
    m_inside = new QVBoxLayout(inside);
    m_inside->setContentsMargins(0, 0, 0, 0);
    m_inside->setSpacing(spacing::medium);
    m_inside->addWidget(buildForm());
    m_inside->addLayout(buildChecks());
    m_inside->addStretch(1);
    m_area->setObjectName(u"machineArea"_s);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setWidget(inside);
    layout->addWidget(m_area, 1);
    layout->addWidget(m_problem);
    layout->addWidget(m_buttons);
    markPrimary(m_buttons->button(QDialogButtonBox::Save));
    m_checkButton->setAutoDefault(false);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &MachineDialog::save);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QLineEdit *edit : {m_name, m_address, m_folder, m_container, m_python, m_rankAddress, m_lostAfter})
        connect(edit, &QLineEdit::textChanged, this, &MachineDialog::follow);
    connect(m_concurrent, &QSpinBox::valueChanged, this, &MachineDialog::follow);
    for (QPlainTextEdit *edit : {m_setup, m_data})
        connect(edit, &QPlainTextEdit::textChanged, this, &MachineDialog::follow);
    connect(m_checkButton, &QPushButton::clicked, this, &MachineDialog::check);
    connect(m_check, &MachineCheck::rowFound, this, &MachineDialog::addRow);
    connect(m_check, &MachineCheck::finished, this, &MachineDialog::noteEnd);
    QScrollBar *bar = m_area->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int /*least*/, int most) {
        if (m_rows != nullptr)  // a row was added
            bar->setValue(most);
    });
    m_name->setFocus();
    follow();
    fit();
}

void MachineDialog::propose(const std::string &name)
{
    m_name->setText(QString::fromStdString(name));
    m_name->selectAll();
}

/// As high as its contents, but never higher than the screen.
void MachineDialog::fit()
{
    const QRect screenArea = screen()->availableGeometry();
    const int frame = frameGeometry().height() - height();
    const int width = std::min(std::max(this->width(), textScaled(machineDialogWidth)), screenArea.width());
    const QWidget *inside = m_area->widget();
    m_area->setMinimumWidth(inside->minimumSizeHint().width());
    const int wanted = m_inside->totalHeightForWidth(width - layout()->contentsMargins().left() * 2)
                       + sizeHint().height() - m_area->sizeHint().height();
    resize(width, std::min(std::max(height(), wanted), screenArea.height() - frame));
    if (isVisible())
        move(x(), std::max(screenArea.top(), std::min(y(), screenArea.bottom() - frameGeometry().height())));
}

QWidget *MachineDialog::buildForm()
{
    auto *form = new QWidget(this);
    auto *fields = new QFormLayout(form);
    fields->setContentsMargins(0, 0, 0, 0);
    fields->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    fields->setVerticalSpacing(spacing::small);
    fields->setHorizontalSpacing(spacing::medium);
    fields->addRow(tr("&Name"), m_name);
    fields->addRow(tr("&Address"), m_address);
    fields->addRow(tr("Remote &folder"), m_folder);
    fields->addRow(tr("Se&tup commands"), m_setup);
    fields->addRow(tr("C&ontainer"), m_container);
    fields->addRow(tr("&Python"), m_python);
    fields->addRow(tr("&Data folders"), m_data);
    fields->addRow(tr("Address for &ranks"), m_rankAddress);
    fields->addRow(tr("&Max concurrent trials"), m_concurrent);
    fields->addRow(tr("&Lost after"), m_lostAfter);
    m_concurrent->setObjectName(u"machineConcurrent"_s);
    m_concurrent->setRange(0, mostConcurrent);
    m_concurrent->setSpecialValueText(tr("No limit"));
    m_concurrent->setValue(m_before.concurrent);
    m_name->setToolTip(tr("Name in sweep files: machines = [\"gpu1\"]"));
    m_folder->setToolTip(tr("For programs and attempts, preferably on a local disk"));
    m_rankAddress->setToolTip(tr("For ranks on other machines, for example in a separate training network"));
    m_lostAfter->setToolTip(tr("Time without a connection after which its trials count as lost"));
    m_setup->setToolTip(tr("Commands that set up the environment of trials, run in a login shell"));
    m_container->setToolTip(tr("Prefix of the command of a trial, after the setup commands"));
    m_data->setToolTip(tr("One per line, NAME = FOLDER. A trial finds the folder in SWEEPSCOPE_DATA_NAME"));
    return form;
}

QLayout *MachineDialog::buildChecks()
{
    m_checkButton->setObjectName(u"machineCheck"_s);
    m_checkState->setObjectName(u"machineCheckState"_s);
    m_checkState->setWordWrap(true);
    auto *layout = new QGridLayout;
    layout->setSpacing(spacing::small);
    layout->addWidget(m_checkButton, 0, 0, Qt::AlignTop);
    layout->addWidget(m_checkState, 0, 1);
    layout->setColumnStretch(1, 1);
    m_results->setObjectName(u"machineCheckRows"_s);
    m_results->setProperty("card", true);
    new QVBoxLayout(m_results);
    m_results->hide();
    layout->addWidget(m_results, 1, 0, 1, 2);
    return layout;
}

Expected<remote::Machine> MachineDialog::machine() const
{
    remote::Machine machine = m_before;
    machine.name = m_name->text().trimmed().toStdString();
    if (!sweep::isMachineName(machine.name))
        return makeError(ErrorCode::BadInput,
                         tr("Use letters, digits, '-', '_' and '.' in the name. localhost is reserved.").toStdString());
    Expected<remote::SshTarget> target = remote::parseSshTarget(m_address->text().trimmed().toStdString());
    if (!target)
        return tl::unexpected(target.error());
    machine.folder = m_folder->text().trimmed().toStdString();
    if (machine.folder.empty())
        machine.folder = target->folder;
    target->folder.clear();
    machine.ssh = *target;
    machine.setup = m_setup->toPlainText().trimmed().toStdString();
    machine.container = m_container->text().trimmed().toStdString();
    machine.python = m_python->text().trimmed().toStdString();
    if (machine.python.empty())
        machine.python = remote::Machine().python;
    machine.data.clear();
    for (const QString &line : m_data->toPlainText().split(u'\n', Qt::SkipEmptyParts)) {
        const qsizetype equal = line.indexOf(u'=');
        const QString name = line.first(std::max<qsizetype>(0, equal)).trimmed();
        if (name.isEmpty())
            return makeError(ErrorCode::BadInput, tr("\"%1\" is not NAME = FOLDER.").arg(line).toStdString());
        machine.data[name.toStdString()] = line.sliced(equal + 1).trimmed().toStdString();
    }
    machine.concurrent = m_concurrent->value();
    const QString address = m_rankAddress->text().trimmed();
    if (!address.isEmpty() && QHostAddress(address).isNull())
        return makeError(ErrorCode::BadInput, tr("The address for ranks must be an IP address.").toStdString());
    machine.address = address.toStdString();
    const std::string lostAfter = m_lostAfter->text().trimmed().toStdString();
    machine.lostAfter = sweep::parseDuration(lostAfter);
    if (!machine.lostAfter && !lostAfter.empty())
        return makeError(ErrorCode::BadInput, tr("“Lost after” must be a duration such as 2h.").toStdString());
    // The reader of the file knows all rules.
    if (const auto read = remote::machinesIn(remote::toToml({machine}), m_file.filename().string()); !read)
        return tl::unexpected(read.error());
    return machine;
}

/// Empty fields that must be filled are no mistake yet.
void MachineDialog::follow()
{
    const bool isWhole = !m_name->text().trimmed().isEmpty() && !m_address->text().trimmed().isEmpty();
    const Expected<remote::Machine> read = machine();
    m_problem->setText(isWhole && !read ? sentenceText(QString::fromStdString(read.error().message)) : QString());
    m_problem->setVisible(!m_problem->text().isEmpty());
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(read.has_value());
    m_checkButton->setEnabled(read.has_value() && !m_check->isRunning());
    noteChange();
}

/// Results of other settings than the present ones are greyed.
void MachineDialog::noteChange()
{
    if (m_rows == nullptr || !m_checked || m_check->isRunning())
        return;
    const Expected<remote::Machine> read = machine();
    const bool isSame = read && *read == *m_checked;
    if (m_rows->isEnabled() == isSame)
        return;
    m_rows->setEnabled(isSame);
    m_checkState->setText(isSame ? m_conclusion : tr("The settings have changed since this check."));
}

void MachineDialog::check()
{
    const Expected<remote::Machine> read = machine();
    if (!read || m_check->isRunning())
        return;
    delete m_rows;
    m_rows = new QWidget(m_results);
    auto *layout = new QGridLayout(m_rows);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(spacing::small);
    layout->setVerticalSpacing(spacing::small);
    layout->setColumnStretch(2, 1);
    m_results->layout()->addWidget(m_rows);
    m_results->layout()->setAlignment(m_rows, Qt::AlignTop);
    m_results->setMinimumHeight(textScaled(checkHeight));
    m_results->show();
    m_checkState->setText(tr("Checking…"));
    m_checked = *read;
    m_check->start(*read);
    follow();
    fit();
}

void MachineDialog::addRow(const CheckRow &row)
{
    if (m_rows == nullptr)
        return;
    auto *rows = static_cast<QGridLayout *>(m_rows->layout());
    const int place = rows->rowCount();
    auto *icon = new QLabel;
    icon->setPixmap(iconOf(row.finding).pixmap(textScaled(spacing::iconSize)));
    auto *subject = new QLabel(QString::fromStdString(row.subject));
    setTextRole(subject, TextRole::Emphasis);
    QLabel *text = textLabel(QString::fromStdString(row.text));
    text->setObjectName(u"machineRow-"_s + QString::fromStdString(row.subject));
    rows->addWidget(icon, place, 0, Qt::AlignTop);
    rows->addWidget(subject, place, 1, Qt::AlignTop);
    rows->addWidget(text, place, 2);
    if (!row.remedy.empty())
        rows->addWidget(textLabel(remedyOf(row)), place + 1, 2);
}

void MachineDialog::noteEnd(bool canRunTrials)
{
    m_conclusion = canRunTrials ? tr("The machine can run trials.") : tr("The machine cannot run trials.");
    m_checkState->setText(m_conclusion);
    follow();
    fit();
}

void MachineDialog::save()
{
    const Expected<remote::Machine> read = machine();
    Expected<std::vector<remote::Machine>> machines = remote::readMachines(m_file);
    const auto complain = [this](const std::string &message) {
        m_problem->setText(sentenceText(QString::fromStdString(message)));
        m_problem->show();
    };
    if (!read || !machines)
        return complain((read ? machines.error() : read.error()).message);
    if (read->name != m_before.name
        && std::ranges::find(*machines, read->name, &remote::Machine::name) != machines->end())
        return complain(tr("The workspace already has a machine %1.").arg(m_name->text()).toStdString());
    std::erase_if(*machines, [this](const remote::Machine &known) { return known.name == m_before.name; });
    machines->push_back(*read);
    std::ranges::sort(*machines, {}, &remote::Machine::name);
    if (const Expected<void> written = remote::writeMachines(m_file, *machines); !written)
        return complain(written.error().message);
    Q_EMIT saved(QString::fromStdString(read->name));
    accept();
}

}  // namespace sweepscope::ui
