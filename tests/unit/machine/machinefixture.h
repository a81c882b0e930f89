#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/devicewatcher.h"
#include "unit/live/attemptfixture.h"

#include <QLabel>
#include <QString>
#include <QTest>

#include <memory>
#include <string>

/// A GPU and its readings.
namespace sweepscope::ui {

inline constexpr WallNs start = AttemptFixture::start;
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

/// Returns all readings in the feed; nullptr after a timeout.
inline std::shared_ptr<const DeviceReadings> readingsOf(const AttemptFixture &attempt)
{
    DeviceWatcher watcher;
    std::shared_ptr<const DeviceReadings> read;
    QObject::connect(&watcher, &DeviceWatcher::readingsReady, &watcher,
                     [&read](const auto &readings) { read = readings; });
    watcher.setFile(attempt.devicesFeed());
    watcher.setActive(true);
    const bool isRead = QTest::qWaitFor([&read] { return read && read->isWhole; }, 30'000);
    return isRead ? read : nullptr;
}

template <typename Widget>
QString text(const Widget &card, const QString &name)
{
    const auto *label = card.template findChild<QLabel *>(name);
    return label ? label->text() : QStringLiteral("no such label");
}

}  // namespace sweepscope::ui
