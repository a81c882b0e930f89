#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/recentreadings.h"
#include "unit/live/attemptfixture.h"

#include <QLabel>
#include <QString>

#include <string>

/// A GPU, and what was read of the machine.
namespace sweepscope::ui {

inline constexpr WallNs start = AttemptFixture::start;
inline constexpr WallNs second = AttemptFixture::second;
inline const std::string gpuId = "GPU-8a7c";

inline protocol::DeviceStatus gpu()
{
    protocol::DeviceStatus device;
    device.id = QString::fromStdString(gpuId);
    device.name = QStringLiteral("NVIDIA H200");
    device.gpu = true;
    device.index = 3;
    device.memoryBytes = 140e9;
    return device;
}

inline DeviceReadings readingsOf(const AttemptFixture &attempt)
{
    RecentReadings recent(attempt.source().devicesFeed);
    while (!recent.poll(1024 * 1024)) {
    }
    return recent.readings();
}

template <typename Widget>
QString text(const Widget &card, const QString &name)
{
    const auto *label = card.template findChild<QLabel *>(name);
    return label ? label->text() : QStringLiteral("no such label");
}

}  // namespace sweepscope::ui
