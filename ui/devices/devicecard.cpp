#include "ui/devices/devicecard.h"

#include "ui/devices/devicemenu.h"
#include "ui/devices/devicewords.h"
#include "ui/devices/sparkline.h"
#include "ui/devices/subtlelabel.h"
#include "ui/models/devicenames.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostProcesses = 6;
constexpr double hottest = 100;  // °C: the scale of the temperature's line
enum RowIndex : std::size_t { Utilization, Memory, Clock, Power, Temperature };

QString processRow(const protocol::DeviceStatus::Process &process)
{
    const QString unknown = DeviceCard::tr("not known");
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
      m_grid(new QGridLayout(this)),
      m_title(new QLabel(this)),
      m_name(subtleLabel({}, this)),
      m_simulated(new QLabel(tr("simulated"), this)),
      m_useIcon(new QLabel(this)),
      m_use(new QLabel(this)),
      m_condition(new QLabel(this)),
      m_rule(new QLabel(this)),
      m_menu(new DeviceMenu(this)),
      m_menuButton(new QToolButton(this)),
      m_throttleIcon(new QLabel(this)),
      m_throttle(new QLabel(this)),
      m_holders(new QLabel(this)),
      m_processes(new QLabel(this))
{
    setProperty("card", true);
    m_grid->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    m_grid->setHorizontalSpacing(spacing::medium);
    m_grid->setVerticalSpacing(spacing::tiny);
    m_grid->setColumnStretch(1, 1);
    buildHead(m_grid);
    m_rows = {addRow(tr("Utilization"), "utilization"), addRow(tr("Memory"), "memory"), addRow(tr("SM clock"), "clock"),
              addRow(tr("Power"), "power"), addRow(tr("Temperature"), "temperature")};

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
    addFact(tr("Held back"), m_throttleIcon, m_throttle, "throttle");
    addFact(tr("Used by"), nullptr, m_holders, "holders");
    addFact(tr("Processes"), nullptr, m_processes, "processes");
    m_throttle->setToolTip(tr("What keeps the clocks below their maximum, as the driver says"));
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
    m_simulated->setToolTip(tr("A fake driver made this device up"));
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
    m_menuButton->setToolTip(tr("Exclude this GPU from the shown sweep, pin it, or copy its name for a sweep file"));
    m_menuButton->setAccessibleName(tr("What can be done with this GPU"));
    m_menuButton->setMenu(m_menu);
    connect(m_menu, &DeviceMenu::changeRequested, this, &DeviceCard::changeRequested);
    connect(m_menu, &DeviceMenu::choiceRequested, this, &DeviceCard::choiceRequested);
    connect(m_menu, &DeviceMenu::copied, this, &DeviceCard::copied);
}

void DeviceCard::focusMenu()
{
    m_menuButton->setFocus(Qt::TabFocusReason);
}

DeviceCard::Row DeviceCard::addRow(const QString &title, const char *name)
{
    const int row = m_grid->rowCount();
    auto *line = new Sparkline(this);
    auto *value = new QLabel(this);
    value->setObjectName(QLatin1StringView(name));
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // The lines of all cards are equally long.
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

void DeviceCard::showDevice(const protocol::DeviceStatus &device, const DeviceReadings &readings, bool live)
{
    m_device = device;
    m_menu->showDevice(device);
    setAccessibleName(deviceTitle(device));
    const auto lease = readings.leases.find(device.id.toStdString());
    showHead(device);
    showReadings(device, readings, live);
    showHolders(device, lease != readings.leases.end() ? QString::fromStdString(lease->second) : QString());
    showProcesses(device);
}

void DeviceCard::showSweep(const SweepGpus &shown)
{
    const sweep::GpuIdentity *gpu = shown.gpu(m_device.id);
    const sweep::GpuRule rule = gpu ? sweep::gpuRule(shown.devices, *gpu) : sweep::GpuRule::None;
    m_rule->setText(ruleText(rule, shown.name));
    m_rule->setVisible(!m_rule->text().isEmpty());
    m_menu->showSweep(shown);
}

void DeviceCard::showHead(const protocol::DeviceStatus &device)
{
    m_title->setText(deviceTitle(device));
    m_name->setText(device.name);
    m_name->setToolTip(QStringList{device.name, device.id, device.pciBusId}.join(u'\n').trimmed());
    m_simulated->setVisible(device.simulated);
    m_useIcon->setPixmap(useIcon(useOf(device)).pixmap(spacing::iconSize));
    m_use->setText(useText(device));
    m_condition->setText(conditionText(device));
    m_condition->setVisible(!device.condition.isEmpty());
    markProblem(m_condition, useOf(device) == DeviceUse::Wrong);
}

void DeviceCard::showReadings(const protocol::DeviceStatus &device, const DeviceReadings &readings, bool live)
{
    const std::string id = device.id.toStdString();
    const auto now = [&](const char *quantity) { return readings.now(id, quantity); };
    std::optional<double> memoryTotal = now("memory_total");
    if (!memoryTotal && device.memoryBytes > 0)
        memoryTotal = device.memoryBytes;
    const auto row = [&](RowIndex index, const char *quantity, std::optional<double> top, const QString &text) {
        showRow(m_rows[index], readings.find(id, quantity), readings.newest, top, text, live);
    };
    row(Utilization, "utilization", 100, percentText(now("utilization")));
    row(Memory, "memory", memoryTotal, memoryText(now("memory"), memoryTotal));
    row(Clock, "sm_clock", now("sm_clock_max"), amountText(now("sm_clock"), now("sm_clock_max"), u"MHz"_s));
    row(Power, "power", now("power_limit"), amountText(now("power"), now("power_limit"), u"W"_s));
    row(Temperature, "temperature", hottest, amountText(now("temperature"), std::nullopt, u"°C"_s));
    showThrottle(now("throttle_reasons"));
}

void DeviceCard::showRow(const Row &row, const ReadingTrace *trace, WallNs end, std::optional<double> top,
                         const QString &text, bool live)
{
    row.line->setTrace(trace ? trace->points : std::vector<TimedValue>(), end, top);
    row.line->setQuiet(!live);
    row.value->setText(text.isEmpty() ? tr("not known") : text);
    row.value->setForegroundRole(text.isEmpty() || !live ? QPalette::PlaceholderText : QPalette::WindowText);
}

void DeviceCard::showThrottle(std::optional<double> reasons)
{
    const ThrottleText throttle = throttleText(reasons);
    m_throttle->setText(throttle.text.isEmpty() ? tr("not known") : throttle.text);
    m_throttle->setForegroundRole(throttle.isWarning ? QPalette::WindowText : QPalette::PlaceholderText);
    m_throttleIcon->setVisible(throttle.isWarning);
    if (throttle.isWarning)
        m_throttleIcon->setPixmap(symbolIcon(u"warning"_s, QPalette::WindowText).pixmap(spacing::iconSize));
}

/// Where it is nobody of this workspace it may be another engine of the machine.
void DeviceCard::showHolders(const protocol::DeviceStatus &device, const QString &lease)
{
    QStringList links;
    for (const protocol::DeviceHolder &holder : device.holders)
        links << u"<a href=\"%1\">%2</a>"_s.arg(links.size()).arg(holderText(holder).toHtmlEscaped());
    const QString nobody = device.remembered ? tr("not known") : tr("nobody");
    const QString others = lease.isEmpty() ? nobody : lease.toHtmlEscaped();
    m_holders->setText(links.isEmpty() ? others : links.join(u", "_s));
    // Tab stops where there is something to follow.
    m_holders->setFocusPolicy(!links.isEmpty() ? Qt::StrongFocus : Qt::ClickFocus);
    m_holders->setForegroundRole(links.isEmpty() && lease.isEmpty() ? QPalette::PlaceholderText : QPalette::WindowText);
    if (!lease.isEmpty() && useOf(device) == DeviceUse::Free)
        m_use->setText(tr("Leased"));
}

void DeviceCard::showProcesses(const protocol::DeviceStatus &device)
{
    QString rows;
    for (std::size_t i = 0; i < std::min(device.processes.size(), mostProcesses); ++i)
        rows += processRow(device.processes[i]);
    QString text = u"<table cellspacing=\"0\">%1</table>"_s.arg(rows);
    if (device.processes.size() > mostProcesses)
        text += tr("and %1 more").arg(device.processes.size() - mostProcesses);
    m_processes->setText(device.remembered          ? tr("not known")
                         : device.processes.empty() ? tr("none reported by the driver")
                                                    : text);
    m_processes->setForegroundRole(device.processes.empty() ? QPalette::PlaceholderText : QPalette::WindowText);
}

}  // namespace sweepscope::ui
