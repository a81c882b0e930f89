#include "ui/shell/preferencesdialog.h"

#include "sweep/parameter.h"
#include "ui/home/sweepnotifier.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int usualWidth = 560;
constexpr int testLimit = 20;  ///< seconds
constexpr int timedOut = 124;  ///< as timeout(1) says it
constexpr qsizetype mostOutput = 300;

QString nameOf(alerts::AlertKind kind)
{
    switch (kind) {
    case alerts::AlertKind::SweepEnded:
        return PreferencesDialog::tr("Sweep ended");
    case alerts::AlertKind::NewBest:
        return PreferencesDialog::PreferencesDialog::tr("New best value");
    case alerts::AlertKind::TrialFailed:
        return PreferencesDialog::tr("Trial failed");
    case alerts::AlertKind::TrialHung:
        return PreferencesDialog::tr("Trial hung");
    case alerts::AlertKind::DiskFilling:
        return PreferencesDialog::tr("Disk nearly full");
    }
    return {};
}

QLabel *heading(const QString &text)
{
    auto *label = new QLabel(text);
    setTextRole(label, TextRole::Heading);
    return label;
}

QLabel *note(const QString &text)
{
    auto *label = new QLabel(text);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

PreferencesDialog::PreferencesDialog(const Theme &theme, bool engineIsElsewhere, QWidget *parent)
    : QDialog(parent),
      m_scheme(new QComboBox),
      m_textSize(new QComboBox),
      m_command(new QLineEdit),
      m_test(new QPushButton(tr("Test"))),
      m_result(new QLabel),
      m_energyPrice(new QLineEdit),
      m_hourPrice(new QLineEdit),
      m_carbon(new QLineEdit),
      m_currency(new QLineEdit),
      m_costProblem(new QLabel)
{
    setObjectName(u"preferencesDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Preferences"));
    const auto known = alerts::readAlertSettings(alerts::alertSettingsFile());
    m_before = known.value_or(alerts::AlertSettings());
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    markPrimary(buttons->button(QDialogButtonBox::Save));
    connect(buttons, &QDialogButtonBox::accepted, this, &PreferencesDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::large, spacing::large, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addWidget(heading(tr("Appearance")));
    layout->addWidget(buildAppearance(theme));
    layout->addWidget(heading(tr("Alerts")));
    layout->addWidget(buildAlerts(engineIsElsewhere));
    layout->addWidget(heading(tr("Costs")));
    layout->addWidget(buildCosts());
    layout->addStretch(1);
    layout->addWidget(buttons);
    resize(textScaled(usualWidth), sizeHint().height());
    m_isReadable = known.has_value();
    if (!known) {
        for (const auto &[kind, box] : m_desktop)
            box->setEnabled(false);
        for (const auto &[kind, box] : m_byCommand)
            box->setEnabled(false);
        m_command->setEnabled(false);
        showResult(tr("%1. Correct the file to change alerts here.").arg(QString::fromStdString(known.error().message)),
                   true);
    }
}

PreferencesDialog::~PreferencesDialog() = default;

QWidget *PreferencesDialog::buildAppearance(const Theme &theme)
{
    m_scheme->setObjectName(u"preferredScheme"_s);
    m_scheme->addItem(tr("Follow system"), static_cast<int>(ColorScheme::System));
    m_scheme->addItem(tr("Light"), static_cast<int>(ColorScheme::Light));
    m_scheme->addItem(tr("Dark"), static_cast<int>(ColorScheme::Dark));
    m_scheme->setCurrentIndex(m_scheme->findData(static_cast<int>(theme.scheme())));
    m_textSize->setObjectName(u"preferredTextSize"_s);
    for (const int percent : textSizes)
        m_textSize->addItem(tr("%1%").arg(percent), percent);
    m_textSize->setCurrentIndex(m_textSize->findData(theme.textSize()));
    auto *box = new QWidget;
    auto *form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->addRow(tr("Theme"), m_scheme);
    form->addRow(tr("Text size"), m_textSize);
    return box;
}

QWidget *PreferencesDialog::buildAlerts(bool engineIsElsewhere)
{
    auto *box = new QWidget;
    auto *grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(spacing::large);
    grid->setVerticalSpacing(spacing::small);
    grid->setColumnStretch(0, 1);
    auto *desktop = new QLabel(tr("Desktop"));
    desktop->setToolTip(tr("Shows a desktop notification while no window of this workspace is active"));
    auto *command = new QLabel(tr("Command"));
    grid->addWidget(desktop, 0, 1, Qt::AlignHCenter);
    grid->addWidget(command, 0, 2, Qt::AlignHCenter);
    for (const alerts::AlertKind kind : alerts::allAlertKinds())
        addAlert(grid, kind);

    if (!SweepNotifier::hasServer(QDBusConnection::sessionBus()))
        grid->addWidget(note(tr("No notification service runs on this desktop.")), grid->rowCount(), 0, 1, 3);

    m_command->setObjectName(u"alertCommand"_s);
    m_command->setAccessibleName(tr("Command"));
    m_command->setText(QString::fromStdString(m_before.command));
    m_command->setCursorPosition(0);
    m_command->setPlaceholderText(u"echo \"$SWEEPSCOPE_TEXT\" | mail -s \"$SWEEPSCOPE_TITLE\" ann@lab.org"_s);
    m_test->setObjectName(u"testAlertCommand"_s);
    m_test->setToolTip(tr("Run the command now, with an example"));
    m_test->setEnabled(!m_command->text().isEmpty());
    connect(m_command, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_test->setEnabled(!text.trimmed().isEmpty() && !m_running);
        if (!m_running)
            showResult({}, false);
    });
    connect(m_test, &QPushButton::clicked, this, &PreferencesDialog::test);
    auto *line = new QHBoxLayout;
    line->setSpacing(spacing::small);
    line->addWidget(new QLabel(tr("Command")));
    line->addWidget(m_command, 1);
    line->addWidget(m_test);
    int row = grid->rowCount();
    grid->addLayout(line, row++, 0, 1, 3);
    m_result->setObjectName(u"alertTestResult"_s);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    m_result->hide();
    grid->addWidget(m_result, row++, 0, 1, 3);
    grid->addWidget(
        note(engineIsElsewhere
                 ? tr("The command applies to workspaces on this machine. This window shows a workspace on another "
                      "machine, which has its own settings.")
                 : tr("The command runs in a shell, even when no window is open. The variables SWEEPSCOPE_ALERT, "
                      "_TITLE, _TEXT, _SWEEP, _TRIAL and _WORKSPACE describe the event.")),
        row, 0, 1, 3);
    return box;
}

QWidget *PreferencesDialog::buildCosts()
{
    const auto known = sweep::readCostFactors(sweep::costFactorsFile());
    m_costsBefore = known.value_or(sweep::CostFactors());
    m_costsAreReadable = known.has_value();
    auto *box = new QWidget;
    auto *form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    const auto add = [&](QLineEdit *field, const QString &name, const QString &title, const QString &value) {
        field->setObjectName(name);
        field->setText(value);
        field->setEnabled(m_costsAreReadable);
        form->addRow(title, field);
    };
    const auto text = [](const std::optional<double> &number) {
        return number ? QString::fromStdString(sweep::toText(sweep::ParameterValue(*number))) : QString();
    };
    add(m_energyPrice, u"energyPrice"_s, tr("Price per kWh"), text(m_costsBefore.perKilowattHour));
    add(m_hourPrice, u"devicePrice"_s, tr("Price per device-hour"), text(m_costsBefore.perDeviceHour));
    add(m_currency, u"currency"_s, tr("Currency"), QString::fromStdString(m_costsBefore.currency));
    m_currency->setPlaceholderText(u"EUR"_s);
    add(m_carbon, u"carbonPerKilowattHour"_s, tr("CO2 per kWh (kg)"), text(m_costsBefore.carbonPerKilowattHour));
    m_costProblem->setObjectName(u"costProblem"_s);
    m_costProblem->setTextFormat(Qt::PlainText);
    m_costProblem->setWordWrap(true);
    m_costProblem->setHidden(known.has_value());
    if (!known) {
        markProblem(m_costProblem, true);
        m_costProblem->setText(
            tr("%1. Correct the file to change costs here.").arg(QString::fromStdString(known.error().message)));
    }
    form->addRow(m_costProblem);
    form->addRow(note(tr("Shown with the energy of sweeps and in exports. Empty fields are left out.")));
    return box;
}

bool PreferencesDialog::saveCosts()
{
    if (!m_costsAreReadable)
        return true;
    sweep::CostFactors factors;
    factors.currency = m_currency->text().trimmed().toStdString();
    QString problem;
    const auto read = [&](QLineEdit *field, std::optional<double> &factor) {
        const QString text = field->text().trimmed();
        bool isNumber = true;
        const double number = text.isEmpty() ? 0 : text.toDouble(&isNumber);
        const bool isRight = isNumber && std::isfinite(number) && number >= 0;
        markProblem(field, !isRight);
        if (!isRight)
            problem = tr("Enter a number of at least 0, such as 0.31, or leave the field empty.");
        else if (!text.isEmpty())
            factor = number;
    };
    read(m_energyPrice, factors.perKilowattHour);
    read(m_hourPrice, factors.perDeviceHour);
    read(m_carbon, factors.carbonPerKilowattHour);
    if (problem.isEmpty() && factors != m_costsBefore) {
        if (const auto written = sweep::writeCostFactors(sweep::costFactorsFile(), factors); !written)
            problem = QString::fromStdString(written.error().message);
    }
    markProblem(m_costProblem, !problem.isEmpty());
    m_costProblem->setText(problem);
    m_costProblem->setHidden(problem.isEmpty());
    fit();
    return problem.isEmpty();
}

void PreferencesDialog::addAlert(QGridLayout *grid, alerts::AlertKind kind)
{
    const int row = grid->rowCount();
    const QString name = nameOf(kind);
    const auto add = [&](const char *prefix, int column, const QString &accessible, bool checked) {
        auto *box = new QCheckBox;
        box->setObjectName(QLatin1StringView(prefix) + QString::fromStdString(alerts::toString(kind)));
        box->setAccessibleName(accessible);
        box->setChecked(checked);
        grid->addWidget(box, row, column, Qt::AlignHCenter);
        return box;
    };
    grid->addWidget(new QLabel(name), row, 0);
    m_desktop[kind] = add("desktop_", 1, tr("%1: desktop notification").arg(name), m_before.desktop.contains(kind));
    m_byCommand[kind] = add("command_", 2, tr("%1: command").arg(name), m_before.byCommand.contains(kind));
}

void PreferencesDialog::test()
{
    alerts::Alert example;
    example.kind = alerts::AlertKind::SweepEnded;
    example.sweep = "example";
    example.state = sweep::SweepState::Completed;
    example.text = "10 completed, 2 failed; best loss 0.12 in trial 7";
    m_running = new QProcess(this);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto &[name, value] : alerts::environmentOf(example, QDir::homePath().toStdString()))
        environment.insert(QString::fromStdString(name), QString::fromStdString(value));
    m_running->setProcessEnvironment(environment);
    m_running->setProcessChannelMode(QProcess::MergedChannels);
    m_running->setStandardInputFile(QProcess::nullDevice());
    m_test->setEnabled(false);
    showResult(tr("The command is running…"), false);
    connect(m_running, &QProcess::finished, this,
            [this, process = m_running.data()](int code, QProcess::ExitStatus status) {
                const QString output = QString::fromLocal8Bit(process->readAll()).trimmed().right(mostOutput);
                const QString end = status != QProcess::NormalExit ? tr("The command was killed.")
                                    : code == timedOut
                                        ? tr("The command did not finish within %1 s and was killed.").arg(testLimit)
                                    : code == 0 ? tr("The command succeeded.")
                                                : tr("The command failed with exit code %1.").arg(code);
                showResult(output.isEmpty() ? end : end + u'\n' + output, status != QProcess::NormalExit || code != 0);
                process->deleteLater();
                m_running.clear();
                m_test->setEnabled(true);
            });
    m_running->start(u"timeout"_s,
                     {u"-k"_s, u"2"_s, QString::number(testLimit), u"/bin/sh"_s, u"-c"_s, m_command->text()});
}

void PreferencesDialog::showResult(const QString &text, bool isProblem)
{
    markProblem(m_result, isProblem);
    m_result->setText(text);
    m_result->setHidden(text.isEmpty());
    fit();
}

/// Its width stays, so that nothing moves sideways below the mouse.
void PreferencesDialog::fit()
{
    layout()->activate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void PreferencesDialog::save()
{
    if (!saveCosts())
        return;
    alerts::AlertSettings settings;
    settings.desktop.clear();
    settings.command = m_command->text().toStdString();
    for (const alerts::AlertKind kind : alerts::allAlertKinds()) {
        if (m_desktop[kind]->isChecked())
            settings.desktop.insert(kind);
        if (m_byCommand[kind]->isChecked())
            settings.byCommand.insert(kind);
    }
    if (m_isReadable && settings != m_before) {
        if (const auto written = alerts::writeAlertSettings(alerts::alertSettingsFile(), settings); !written) {
            showResult(QString::fromStdString(written.error().message), true);
            return;
        }
    }
    Q_EMIT schemeChosen(static_cast<ColorScheme>(m_scheme->currentData().toInt()));
    Q_EMIT textSizeChosen(m_textSize->currentData().toInt());
    accept();
}

}  // namespace sweepscope::ui
