#include "ui/devices/devicecard.h"

#include "ui/devices/devicemenu.h"
#include "ui/devices/linklabel.h"
#include "ui/devices/sparkaxis.h"
#include "ui/devices/sparkline.h"
#include "ui/devices/subtlelabel.h"
#include "ui/models/devicenames.h"
#include "ui/models/devicewords.h"
#include "ui/models/valuetext.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "wording/sentence.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostProcesses = 6;
constexpr double hottest = 100;  // °C, top of the temperature curve
enum RowIndex : std::size_t { Utilization, Memory, Clock, Power, Temperature };

QString processRow(const protocol::DeviceStatus::Process &process)
{
    const QString unknown = DeviceCard::tr("unknown");
    const auto cell = [](const QString &text, const char *alignment) {
        return u"<td align=\"%1\" style=\"padding-right:14px\">%2</td>"_s.arg(QLatin1StringView(alignment),
                                                                              text.toHtmlEscaped());
    };
    return u"<tr>"_s + cell(QString::number(process.pid), "right")
           + cell(process.name.isEmpty() ? unknown : process.name, "left")
           + cell(process.user.isEmpty() ? unknown : process.user, "left")
           + cell(process.memoryBytes ? bytesText(*process.memoryBytes) : unknown, "right")
           + cell(ownerText(process), "left") + u"</tr>"_s;
}

}  // namespace

DeviceCard::DeviceCard(QWidget *parent)
    : QFrame(parent),
      m_readings(std::make_shared<DeviceReadings>()),
      m_grid(new QGridLayout(this)),
      m_title(new QLabel(this)),
      m_name(subtleLabel({}, this)),
      m_simulated(new QLabel(tr("simulated"), this)),
      m_useIcon(new IconLabel(this)),
      m_use(new QLabel(this)),
      m_condition(new QLabel(this)),
      m_rule(new QLabel(this)),
      m_menu(new DeviceMenu(this)),
      m_menuButton(new QToolButton(this)),
      m_axis(new SparkAxis(this)),
      m_throttleIcon(new IconLabel(this)),
      m_throttle(new QLabel(this)),
      m_holders(new LinkLabel(this)),
      m_processes(new QLabel(this))
{
    setProperty("card", true);
    m_grid->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    m_grid->setHorizontalSpacing(spacing::medium);
    m_grid->setVerticalSpacing(spacing::tiny);
    m_grid->setColumnStretch(1, 1);
    buildHead(m_grid);
    const auto inUnit = [](const QString &unit) {
        return [unit](double value) { return amountText(value, std::nullopt, unit); };
    };
    m_rows = {addRow(tr("Utilization"), "utilization", [](double percent) { return percentText(percent); }),
              addRow(tr("Memory"), "memory", bytesText), addRow(tr("SM clock"), "clock", inUnit(u"MHz"_s)),
              addRow(tr("Power"), "power", inUnit(u"W"_s)), addRow(tr("Temperature"), "temperature", inUnit(u"°C"_s))};
    m_grid->addWidget(m_axis, m_grid->rowCount(), 1);

    const auto addFact = [this](const QString &title, QLabel *icon, QLabel *label, const char *name) {
        label->setObjectName(QLatin1StringView(name));
        label->setWordWrap(true);
        const int row = m_grid->rowCount();
        m_grid->addWidget(subtleLabel(title, this), row, 0, Qt::AlignTop);
        auto *line = new QHBoxLayout;
        line->setSpacing(spacing::tiny);
        if (icon)
            line->addWidget(icon, 0, Qt::AlignTop);
        line->addWidget(label, 1);
        m_grid->addLayout(line, row, 1, 1, 2);
    };
    addFact(tr("Throttling"), m_throttleIcon, m_throttle, "throttle");
    addFact(tr("Used by"), nullptr, m_holders, "holders");
    addFact(tr("Processes"), nullptr, m_processes, "processes");
    m_throttle->setToolTip(tr("Reasons for reduced clocks, as reported by the driver"));
    m_holders->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_processes->setTextFormat(Qt::RichText);
    m_processes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_holders, &QLabel::linkActivated, this, [this](const QString &link) {
        if (const int at = link.toInt(); at >= 0 && at < std::ssize(m_device.holders))
            Q_EMIT holderClicked(m_device.holders[static_cast<std::size_t>(at)]);
    });
    m_grid->setRowStretch(m_grid->rowCount(), 1);
}

void DeviceCard::buildHead(QGridLayout *grid)
{
    setTextRole(m_title, TextRole::Emphasis);
    m_title->setObjectName(u"deviceTitle"_s);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_simulated->setObjectName(u"simulated"_s);
    m_simulated->setToolTip(tr("Simulated by a fake driver"));
    m_simulated->setProperty("chip", true);
    setTextRole(m_simulated, TextRole::Small);
    m_simulated->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_use->setObjectName(u"deviceUse"_s);
    m_condition->setObjectName(u"condition"_s);
    m_condition->setWordWrap(true);
    m_condition->setTextFormat(Qt::PlainText);
    buildMenuButton();
    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_title);
    head->addWidget(m_simulated);
    head->addWidget(m_name, 1);
    head->addWidget(m_useIcon);
    head->addWidget(m_use);
    head->addWidget(m_menuButton);
    grid->addLayout(head, 0, 0, 1, 3);
    grid->addWidget(m_condition, 1, 0, 1, 3);
    m_rule->setObjectName(u"deviceRule"_s);
    m_rule->setWordWrap(true);
    m_rule->setTextFormat(Qt::PlainText);
    m_rule->hide();
    grid->addWidget(m_rule, 2, 0, 1, 3);
}

void DeviceCard::buildMenuButton()
{
    m_menuButton->setObjectName(u"deviceMenu"_s);
    m_menuButton->setIcon(symbolIcon(u"settings"_s));
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    m_menuButton->setToolTip(tr("Exclude or pin this GPU, or copy its name for a sweep file"));
    m_menuButton->setAccessibleName(tr("GPU actions"));
    m_menuButton->setMenu(m_menu);
    connect(m_menu, &DeviceMenu::changeRequested, this, &DeviceCard::changeRequested);
    connect(m_menu, &DeviceMenu::choiceRequested, this, &DeviceCard::choiceRequested);
    connect(m_menu, &DeviceMenu::copied, this, &DeviceCard::copied);
}

void DeviceCard::focusMenu()
{
    m_menuButton->setFocus(Qt::TabFocusReason);
}

DeviceCard::Row DeviceCard::addRow(const QString &title, const char *name, std::function<QString(double)> valueText)
{
    const int row = m_grid->rowCount();
    auto *line = new Sparkline(this);
    line->setWords(title, std::move(valueText));
    auto *value = new QLabel(this);
    value->setObjectName(QLatin1StringView(name));
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // The curves of all cards have the same width.
    followTextSize(value, [value] {
        value->setMinimumWidth(value->fontMetrics().horizontalAdvance(widestMemoryText(std::nullopt)));
    });
    value->setAccessibleName(title);
    QLabel *label = subtleLabel(title, this);
    m_grid->addWidget(label, row, 0);
    m_grid->addWidget(line, row, 1);
    m_grid->addWidget(value, row, 2);
    return {label, line, value};
}

void DeviceCard::showDevice(const protocol::DeviceStatus &device)
{
    m_device = device;
    m_menu->showDevice(device);
    setAccessibleName(deviceTitle(device));
    showHead();
    showValues();
    showHolders();
    showProcesses();
}

void DeviceCard::showReadings(const std::shared_ptr<const DeviceReadings> &readings)
{
    m_readings = readings;
    showValues();
}

void DeviceCard::showSweep(const SweepGpus &shown)
{
    const sweep::GpuIdentity *gpu = shown.gpu(m_device.id);
    const sweep::GpuRule rule = gpu ? sweep::gpuRule(shown.devices, *gpu) : sweep::GpuRule::None;
    m_rule->setText(ruleText(rule, shown.name));
    m_rule->setVisible(!m_rule->text().isEmpty());
    m_menu->showSweep(shown);
}

void DeviceCard::showHead()
{
    m_title->setText(deviceTitle(m_device));
    m_name->setText(m_device.name);
    m_name->setToolTip(QStringList{m_device.name, m_device.id, m_device.pciBusId}.join(u'\n').trimmed());
    m_simulated->setVisible(m_device.simulated);
    m_useIcon->setIcon(useIcon(useOf(m_device)));
    m_condition->setText(conditionText(m_device));
    m_condition->setVisible(!m_device.conditions.empty());
    markProblem(m_condition, useOf(m_device) == DeviceUse::Wrong);
}

void DeviceCard::showValues()
{
    const auto now = [this, id = m_device.id.toStdString()](const char *quantity) {
        return m_readings->now(id, quantity);
    };
    std::optional<double> memoryTotal = now("memory_total");
    if (!memoryTotal && m_device.memoryBytes > 0)
        memoryTotal = m_device.memoryBytes;
    showRow(m_rows[Utilization], "utilization", 100, percentText(now("utilization")));
    showRow(m_rows[Memory], "memory", memoryTotal, memoryText(now("memory"), memoryTotal));
    showRow(m_rows[Clock], "sm_clock", now("sm_clock_max"), amountText(now("sm_clock"), now("sm_clock_max"), u"MHz"_s));
    showRow(m_rows[Power], "power", now("power_limit"), amountText(now("power"), now("power_limit"), u"W"_s));
    showRow(m_rows[Temperature], "temperature", hottest, amountText(now("temperature"), std::nullopt, u"°C"_s));
    m_axis->setEnd(m_readings->newest, m_readings->isLive());
    showThrottle(now("throttle_reasons"));
}

void DeviceCard::showRow(const Row &row, const char *quantity, std::optional<double> top, const QString &text)
{
    const DeviceReadings::Trace *trace = m_readings->find(m_device.id.toStdString(), quantity);
    const bool live = m_readings->isLive();
    row.line->setTrace(trace ? *trace : DeviceReadings::Trace(), m_readings->newest, top);
    row.line->setQuiet(!live);
    row.value->setText(text.isEmpty() ? tr("unknown") : text);
    row.value->setForegroundRole(text.isEmpty() || !live ? QPalette::PlaceholderText : QPalette::WindowText);
}

void DeviceCard::showThrottle(std::optional<double> reasons)
{
    const ThrottleText throttle = throttleText(reasons);
    m_throttle->setText(throttle.text.isEmpty() ? tr("unknown") : throttle.text);
    m_throttle->setForegroundRole(throttle.isWarning ? QPalette::WindowText : QPalette::PlaceholderText);
    m_throttleIcon->setVisible(throttle.isWarning);
    if (throttle.isWarning)
        m_throttleIcon->setIcon(symbolIcon(u"warning"_s, QPalette::WindowText));
}

/// The holder may be another engine of the machine.
void DeviceCard::showHolders()
{
    const QString lease = QString::fromStdString(wording::clause(m_device.lease));
    QStringList links;
    for (const protocol::DeviceHolder &holder : m_device.holders)
        links << u"<a href=\"%1\">%2</a>"_s.arg(links.size()).arg(holderText(holder).toHtmlEscaped());
    const QString none = m_device.recorded ? tr("unknown") : tr("none");
    const QString others = lease.isEmpty() ? none : lease.toHtmlEscaped();
    m_holders->setText(links.isEmpty() ? others : links.join(u", "_s));
    // Tab stops only if there are links.
    m_holders->setFocusPolicy(!links.isEmpty() ? Qt::StrongFocus : Qt::ClickFocus);
    m_holders->setForegroundRole(links.isEmpty() && lease.isEmpty() ? QPalette::PlaceholderText : QPalette::WindowText);
    m_use->setText(!lease.isEmpty() && useOf(m_device) == DeviceUse::Free ? tr("Leased") : useText(m_device));
}

void DeviceCard::showProcesses()
{
    QString rows;
    for (std::size_t i = 0; i < std::min(m_device.processes.size(), mostProcesses); ++i)
        rows += processRow(m_device.processes[i]);
    QString text = u"<table cellspacing=\"0\">%1</table>"_s.arg(rows);
    if (m_device.processes.size() > mostProcesses)
        text += tr("and %1 more").arg(m_device.processes.size() - mostProcesses);
    m_processes->setText(m_device.recorded            ? tr("unknown")
                         : m_device.processes.empty() ? tr("none reported by the driver")
                                                      : text);
    m_processes->setForegroundRole(m_device.processes.empty() ? QPalette::PlaceholderText : QPalette::WindowText);
}

}  // namespace sweepscope::ui
