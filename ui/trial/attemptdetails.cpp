#include "ui/trial/attemptdetails.h"

#include "ui/models/energytext.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/trial/commandview.h"
#include "ui/trial/facttable.h"
#include "ui/trial/trialtexts.h"

#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int leastTablesHeight = 100;

/// A label as high as its text. A layout asks a label with word wrap for its preferred height, and gives it less if
/// room is short.
class WrappedLabel : public QLabel {
public:
    using QLabel::QLabel;

    void fit()
    {
        setMinimumHeight(0);                                     // heightForWidth() is never less than this
        setMinimumHeight(std::max(0, heightForWidth(width())));  // -1 without text
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QLabel::resizeEvent(event);
        fit();
    }
    void changeEvent(QEvent *event) override
    {
        QLabel::changeEvent(event);
        // After the layout has followed the text size.
        if (event->type() == QEvent::FontChange)
            QTimer::singleShot(0, this, &WrappedLabel::fit);
    }
};

}  // namespace

AttemptDetails::AttemptDetails(QWidget *parent)
    : QWidget(parent),
      m_chooser(new QComboBox(this)),
      m_outcome(new QLabel(this)),
      m_form(new QFormLayout),
      m_command(new CommandView(this)),
      m_tables(new QTabWidget(this)),
      m_files(new FactsModel({tr("File"), tr("Size")}, 1, this)),
      m_events(new FactsModel({tr("Event"), tr("Rank"), tr("Step")}, 1, this)),
      m_environment(new FactsModel({tr("Variable"), tr("Value")}, 2, this)),
      m_packages(new FactsModel({tr("Package"), tr("Version")}, 2, this)),
      m_machineFacts(new FactsModel({tr("Property"), tr("Value")}, 2, this))
{
    m_chooser->setObjectName(u"trialAttempt"_s);
    m_chooser->setAccessibleName(tr("Attempt"));
    m_outcome->setObjectName(u"attemptOutcome"_s);
    m_outcome->setForegroundRole(QPalette::PlaceholderText);
    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_chooser);
    head->addWidget(m_outcome, 1);

    QFormLayout *form = m_form;
    form->setHorizontalSpacing(spacing::medium);
    form->setVerticalSpacing(spacing::tiny);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_cause = addLine(form, u"attemptCause"_s, tr("Reason"));
    m_command->setObjectName(u"attemptCommand"_s);
    addRow(form, tr("Command"), m_command);
    m_folder = addLine(form, u"attemptFolder"_s, tr("Working directory"));
    m_source = addLine(form, u"attemptSource"_s, tr("Git revision"));
    m_snapshot = addLine(form, u"attemptSnapshot"_s, tr("Code snapshot"));
    m_devices = addLine(form, u"attemptDevices"_s, tr("Devices"));
    m_energy = addLine(form, u"attemptEnergy"_s, tr("Energy"));
    form->setRowVisible(m_energy, false);

    auto *files = new FactTable(u"attemptFiles"_s, m_files, 0);
    files->setAccessibleName(tr("Files of the attempt"));
    files->setToolTip(tr("Press Enter or double-click to open a file"));
    files->setEmptyText(tr("No files."));
    auto *events = new FactTable(u"attemptEvents"_s, m_events, 0);
    events->setAccessibleName(tr("Events of the attempt"));
    events->setEmptyText(tr("No messages, warnings or errors."));
    auto *environment = new FactTable(u"attemptEnvironment"_s, m_environment, 1);
    environment->setAccessibleName(tr("Environment of the attempt"));
    environment->setEmptyText(tr("Not recorded by this attempt."));
    auto *packages = new FactTable(u"attemptPackages"_s, m_packages, 1);
    packages->setAccessibleName(tr("Packages of the attempt"));
    packages->setEmptyText(tr("No Python packages recorded."));
    auto *machine = new FactTable(u"attemptMachine"_s, m_machineFacts, 1);
    machine->setAccessibleName(tr("Machine of the attempt"));
    machine->setEmptyText(tr("Not recorded by this attempt."));
    // Gets the rest of the height, until everything scrolls.
    m_tables->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_tables->setMinimumHeight(leastTablesHeight);
    m_tables->setDocumentMode(true);
    m_tables->addTab(files, tr("Files"));
    m_tables->addTab(events, tr("Events"));
    m_tables->addTab(environment, tr("Environment"));
    m_tables->addTab(packages, tr("Packages"));
    m_tables->addTab(machine, tr("Machine"));
    connect(files, &FactTable::targetActivated, this, &AttemptDetails::fileActivated);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addLayout(head);
    layout->addLayout(form);
    layout->addWidget(m_tables, 1);
    layout->addStretch(0);  // an attempt that has not started has no tables
    connect(m_chooser, &QComboBox::currentIndexChanged, this, [this] {
        showChosen();
        Q_EMIT attemptChosen(chosenAttempt());
    });
    connect(m_chooser, &QComboBox::activated, this, [this] { Q_EMIT attemptActivated(chosenAttempt()); });
    showChosen();
}

QLabel *AttemptDetails::addLine(QFormLayout *form, const QString &name, const QString &title)
{
    auto *value = new WrappedLabel(this);
    value->setObjectName(name);
    value->setTextFormat(Qt::PlainText);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    value->setWordWrap(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    value->setSizePolicy(policy);
    addRow(form, title, value);
    return value;
}

void AttemptDetails::addRow(QFormLayout *form, const QString &title, QWidget *value)
{
    value->setAccessibleName(title);
    auto *label = new QLabel(title);
    label->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(label, value);
}

void AttemptDetails::setAttempts(const std::vector<sweep::AttemptRecord> &attempts)
{
    m_attempts = attempts;
    {
        const QSignalBlocker quiet(m_chooser);
        m_chooser->clear();
        for (const sweep::AttemptRecord &attempt : attempts)
            m_chooser->addItem(tr("Attempt %1").arg(attempt.number), attempt.number);
        showWanted();
    }
    m_chooser->setEnabled(attempts.size() > 1);
    showChosen();
    Q_EMIT attemptChosen(chosenAttempt());
}

void AttemptDetails::setEmptyText(const QString &text)
{
    m_emptyText = text;
    updateTime();
}

void AttemptDetails::setQueued(bool queued)
{
    m_isQueued = queued;
    updateTime();
}

void AttemptDetails::choose(int number)
{
    m_wanted = number;
    showWanted();
}

void AttemptDetails::showWanted()
{
    const int wanted = m_chooser->findData(m_wanted);
    m_chooser->setCurrentIndex(wanted >= 0 ? wanted : m_chooser->count() - 1);
}

const sweep::AttemptRecord *AttemptDetails::chosen() const
{
    const int index = m_chooser->currentIndex();
    return index >= 0 && index < static_cast<int>(m_attempts.size()) ? &m_attempts[static_cast<std::size_t>(index)]
                                                                     : nullptr;
}

int AttemptDetails::chosenAttempt() const
{
    const sweep::AttemptRecord *attempt = chosen();
    return attempt ? attempt->number : 0;
}

void AttemptDetails::updateTime()
{
    const sweep::AttemptRecord *attempt = chosen();
    m_outcome->setText(attempt ? attemptText(*attempt, m_isQueued, wallNow()) : m_emptyText);
    m_outcome->setToolTip(attempt ? tr("From the start of this attempt to its end") : QString());
}

void AttemptDetails::showChosen()
{
    const sweep::AttemptRecord *attempt = chosen();
    m_chooser->setVisible(attempt != nullptr);
    m_tables->setVisible(attempt != nullptr);
    for (QWidget *line : std::initializer_list<QWidget *>{m_command, m_folder, m_source, m_devices})
        m_form->setRowVisible(line, attempt != nullptr);
    updateTime();
    const auto show = [](QLabel *value, const QString &text) {
        value->setText(text.isEmpty() ? u"–"_s : text);
        value->setToolTip(text);
        static_cast<WrappedLabel *>(value)->fit();
    };
    // For a single attempt, the page shows the cause above.
    m_form->setRowVisible(m_cause, m_attempts.size() > 1);
    show(m_cause, attempt ? reasonText(attempt->reason) : QString());
    const bool known = attempt && attempt->launch;
    m_command->setCommand(known ? commandText(attempt->launch->command) : u"–"_s);
    show(m_folder, known ? QString::fromStdString(attempt->launch->folder) : QString());
    show(m_source, known && attempt->launch->source ? sourceText(*attempt->launch->source) : QString());
    const QString snapshot = known && attempt->launch->source ? snapshotText(*attempt->launch->source) : QString();
    m_form->setRowVisible(m_snapshot, !snapshot.isEmpty());
    show(m_snapshot, snapshot);
    m_snapshot->setToolTip(snapshot.isEmpty() ? QString() : QString::fromStdString(attempt->launch->source->tree));
    show(m_devices, known ? rankDevicesText(attempt->launch->devices, m_machine) : QString());
    m_devices->setToolTip(known ? rankDevicesText(attempt->launch->devices, {}) : QString());
    m_environment->setFacts(known ? environmentFacts(*attempt->launch, m_recorded) : std::vector<Fact>());
}

void AttemptDetails::setEnvironment(const std::optional<launch::AttemptEnvironment> &environment)
{
    if (m_recorded == environment)
        return;
    m_recorded = environment;
    const sweep::AttemptRecord *attempt = chosen();
    if (attempt && attempt->launch)
        m_environment->setFacts(environmentFacts(*attempt->launch, m_recorded));
    m_packages->setFacts(environment ? packageFacts(*environment) : std::vector<Fact>());
    m_machineFacts->setFacts(environment ? machineFacts(*environment) : std::vector<Fact>());
}

void AttemptDetails::setFiles(const std::vector<AttemptFile> &files)
{
    std::vector<Fact> facts;
    for (const AttemptFile &file : files)
        facts.push_back({{file.path, fileSizeText(file.bytes)}, {}, {}, 0, file.path});
    m_files->setFacts(std::move(facts));
}

void AttemptDetails::setEnergy(const std::optional<series::Energy> &energy, const sweep::CostFactors &factors)
{
    m_form->setRowVisible(m_energy, energy.has_value());
    if (!energy)
        return;
    QString text = tr("%1, %2").arg(energyText(energy->joules), methodText(energy->method));
    if (const QString cost = attemptCostText(chosen(), *energy, factors); !cost.isEmpty())
        text += tr("; %1 by the factors in Preferences").arg(cost);
    m_energy->setText(text);
    static_cast<WrappedLabel *>(m_energy)->fit();
}

void AttemptDetails::setEvents(const std::vector<RankEvent> &events)
{
    m_events->setFacts(eventFacts(events));
}

}  // namespace sweepscope::ui
