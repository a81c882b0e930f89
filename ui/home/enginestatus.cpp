#include "ui/home/enginestatus.h"

#include "ui/models/devicenames.h"
#include "ui/models/machinewords.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "wording/sentence.h"

#include <QDir>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QString withTilde(const QString &path)
{
    const QString home = QDir::homePath();
    return path.startsWith(home + u'/') ? u"~"_s + path.mid(home.size()) : path;
}

QString gpusText(int count, bool simulated)
{
    if (simulated)
        return count == 1 ? EngineStatus::tr("1 simulated GPU") : EngineStatus::tr("%1 simulated GPUs").arg(count);
    return count == 1 ? EngineStatus::tr("1 GPU") : EngineStatus::tr("%1 GPUs").arg(count);
}

/// Relative to the connection's label: messages are longer.
constexpr int roomOfMessage = 1000;
constexpr int leastRoomOfWorkspace = 140;

template <typename Label>
Label *plainLabel(const QString &name, QWidget *parent)
{
    auto *label = new Label(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

EngineStatus::EngineStatus(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_icon(new IconLabel(this)),
      m_connection(plainLabel<ElidedLabel>(u"engineState"_s, this)),
      m_message(new ElidedLabel(this)),
      m_workspace(plainLabel<QLabel>(u"workspacePath"_s, this)),
      m_devices(plainLabel<QLabel>(u"devicesNote"_s, this))
{
    m_message->setObjectName(u"statusMessage"_s);
    m_message->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::medium, 2, spacing::medium, 2);
    layout->setSpacing(spacing::tiny);
    layout->addWidget(m_icon);
    layout->addWidget(m_connection, 1);
    layout->addSpacing(spacing::large);
    layout->addWidget(m_message, roomOfMessage);
    layout->addWidget(m_workspace);
    layout->addSpacing(spacing::large);
    layout->addWidget(m_devices);

    connect(m_client, &protocol::EngineClient::connected, this, [this] { setConnection(true, {}); });
    connect(m_client, &protocol::EngineClient::disconnected, this,
            [this](const QString &reason) { setConnection(false, reason); });
    connect(m_client, &protocol::EngineClient::silentChanged, this, &EngineStatus::updateTexts);
    connect(m_client, &protocol::EngineClient::devicesChanged, this, &EngineStatus::updateDevices);
    connect(m_client, &protocol::EngineClient::readOnlyChanged, this, &EngineStatus::updateTexts);
    setConnection(m_client->isConnected(), m_client->errorText());
    updateDevices();
    followTextSize(m_connection, [this] { updateTexts(); });
}

void EngineStatus::setMessage(const QString &message)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    updateTexts();
}

void EngineStatus::setConnection(bool connected, const QString &reason)
{
    m_connected = connected;
    m_reason = reason;
    updateTexts();
}

void EngineStatus::updateTexts()
{
    const bool isSilent = m_client->isSilent();
    const QString icon = isSilent ? u"warning"_s : m_connected ? u"connected"_s : u"disconnected"_s;
    m_icon->setIcon(symbolIcon(icon, QPalette::PlaceholderText));
    const bool bad = isSilent || (!m_connected && !m_reason.isEmpty());
    QPalette colors;  // colours that are not set follow the theme
    if (bad)
        colors.setColor(QPalette::PlaceholderText, problemColor(palette()));
    m_connection->setPalette(colors);
    QString text = isSilent                      ? tr("The engine does not respond")
                   : m_client->isReading()       ? tr("No engine is running")
                   : m_connected                 ? tr("Engine connected")
                   : bad && m_client->isMirror() ? tr("Not connected: %1").arg(m_reason)
                   : bad                         ? tr("No engine: %1").arg(m_reason)
                                                 : tr("Connecting to the engine…");
    if (m_client->isReadOnly())
        text = tr("Read-only · %1").arg(text);
    m_connection->setToolTip(isSilent ? tr("No response for ten seconds. The engine continues when it can.")
                             : m_client->isReadOnly() ? tr("You cannot start, stop or edit anything in this window.")
                             : m_connected            ? tr("The engine runs the trials, with or without this window.")
                                                      : text);
    m_connection->setText(text);
    const bool isTelling = !m_message->text().isEmpty();
    const int whole = m_connection->fontMetrics().horizontalAdvance(text) + 1;
    m_connection->setMinimumWidth(isTelling ? std::min(whole, width() / 3) : 0);
    m_connection->setAccessibleName(text);

    const QString workspace = m_client->workspaceName();
    const int room = isTelling ? leastRoomOfWorkspace : std::max(leastRoomOfWorkspace, width() / 3);
    m_workspace->setText(fontMetrics().elidedText(withTilde(workspace), Qt::ElideMiddle, room));
    m_workspace->setToolTip(tr("Workspace: %1").arg(workspace));
}

void EngineStatus::updateDevices()
{
    int gpus = 0;
    int cores = 0;
    bool simulated = false;
    QStringList lines;
    for (const protocol::DeviceStatus &device : m_client->devices()) {
        ++(device.gpu ? gpus : cores);
        simulated = simulated || device.simulated;
        const QString name = device.simulated ? tr("%1 (simulated)").arg(device.name) : device.name;
        if (device.gpu || !device.holders.empty())
            lines << (device.holders.empty()
                          ? u"%1  %2"_s.arg(device.id, name)
                          : u"%1  %2: %3"_s.arg(device.id, name, holderTexts(device.holders).join(u", "_s)));
        for (const facts::Fact &condition : device.conditions)
            lines << QString::fromStdString(wording::sentence(condition));
    }
    QStringList parts;
    if (gpus > 0)
        parts << gpusText(gpus, simulated);
    else if (cores > 0)
        parts << tr("no GPU");
    if (cores > 0)
        parts << (cores == 1 ? tr("1 CPU core") : tr("%1 CPU cores").arg(cores));
    int connected = 0;
    int used = 0;
    for (const protocol::MachineStatus &machine : m_client->machines()) {
        used += machine.isUsed ? 1 : 0;
        connected += machine.isConnected ? 1 : 0;
        if (machine.isUsed)
            lines << tr("%1: %2").arg(machine.name, stateText(machine));
    }
    if (used > 0)
        parts << (connected < used ? tr("%1 of %2 other machines connected").arg(connected).arg(used)
                  : used == 1      ? tr("1 other machine")
                                   : tr("%1 other machines").arg(used));
    m_devices->setText(parts.join(u", "_s));
    if (!m_client->devicesNote().isEmpty())
        lines.prepend(m_client->devicesNote());
    m_devices->setToolTip(lines.join(u'\n'));
    updateTexts();
}

void EngineStatus::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateTexts();
    QWidget::changeEvent(event);
}

void EngineStatus::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    updateTexts();
}

}  // namespace sweepscope::ui
