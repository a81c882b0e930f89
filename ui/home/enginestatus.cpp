#include "ui/home/enginestatus.h"

#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

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

QLabel *plainLabel(const QString &name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

EngineStatus::EngineStatus(client::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_icon(new QLabel(this)),
      m_connection(plainLabel(u"engineState"_s, this)),
      m_workspace(plainLabel(u"workspacePath"_s, this)),
      m_devices(plainLabel(u"devicesNote"_s, this))
{
    m_connection->setMinimumWidth(0);
    m_connection->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::medium, 2, spacing::medium, 2);
    layout->setSpacing(spacing::tiny);
    layout->addWidget(m_icon);
    layout->addWidget(m_connection, 1);
    layout->addSpacing(spacing::large);
    layout->addWidget(m_workspace);
    layout->addSpacing(spacing::large);
    layout->addWidget(m_devices);

    connect(m_client, &client::EngineClient::connected, this, [this] { setConnection(true, {}); });
    connect(m_client, &client::EngineClient::disconnected, this,
            [this](const QString &reason) { setConnection(false, reason); });
    connect(m_client, &client::EngineClient::silentChanged, this, &EngineStatus::updateTexts);
    connect(m_client, &client::EngineClient::devicesChanged, this, &EngineStatus::updateDevices);
    connect(m_client, &client::EngineClient::readOnlyChanged, this, &EngineStatus::updateTexts);
    setConnection(m_client->isConnected(), m_client->errorText());
    updateDevices();
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
    m_icon->setPixmap(symbolIcon(icon, QPalette::PlaceholderText).pixmap(spacing::iconSize));
    const bool bad = isSilent || (!m_connected && !m_reason.isEmpty());
    QPalette colors;  // what is not set goes with the theme
    if (bad)
        colors.setColor(QPalette::PlaceholderText, problemColor(palette()));
    m_connection->setPalette(colors);
    QString text = isSilent                ? tr("The engine does not answer")
                   : m_client->isReading() ? tr("No engine runs")
                   : m_connected           ? tr("Engine connected")
                   : bad                   ? tr("No engine: %1").arg(m_reason)
                                           : tr("Connecting to the engine…");
    if (m_client->isReadOnly())
        text = tr("Read-only · %1").arg(text);
    m_connection->setToolTip(isSilent ? tr("It has said nothing for ten seconds. It goes on by itself when it can.")
                             : m_client->isReadOnly() ? tr("Nothing can be started, stopped or edited in this window.")
                             : m_connected            ? tr("The engine runs the trials, with or without this window.")
                                                      : text);
    m_connection->setText(
        m_connection->fontMetrics().elidedText(text, Qt::ElideRight, std::max(m_connection->width(), 100)));
    m_connection->setAccessibleName(text);

    const QString workspace = m_client->workspace();
    m_workspace->setText(workspace.isEmpty() ? QString()
                                             : fontMetrics().elidedText(withTilde(workspace), Qt::ElideMiddle,
                                                                        std::max(140, width() / 3)));
    m_workspace->setToolTip(tr("Workspace: %1").arg(workspace));
}

void EngineStatus::updateDevices()
{
    int gpus = 0;
    int cores = 0;
    bool simulated = false;
    QStringList lines;
    for (const client::DeviceStatus &device : m_client->devices()) {
        ++(device.gpu ? gpus : cores);
        simulated = simulated || device.simulated;
        const QString name = device.simulated ? tr("%1 (simulated)").arg(device.name) : device.name;
        if (device.gpu || !device.holders.isEmpty())
            lines << (device.holders.isEmpty() ? u"%1  %2"_s.arg(device.id, name)
                                               : u"%1  %2: %3"_s.arg(device.id, name, device.holders.join(u", "_s)));
    }
    QStringList parts;
    if (gpus > 0)
        parts << gpusText(gpus, simulated);
    else if (cores > 0)
        parts << tr("no GPU");
    if (cores > 0)
        parts << (cores == 1 ? tr("1 CPU core") : tr("%1 CPU cores").arg(cores));
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
