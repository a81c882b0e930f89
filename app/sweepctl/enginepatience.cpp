#include "enginepatience.h"

#include <chrono>
#include <iostream>
#include <utility>

namespace sweepscope::ctl {

namespace {
using namespace std::chrono_literals;
constexpr auto patience = 60s;
}  // namespace

EnginePatience::EnginePatience(const protocol::EngineClient &client, const char *comment,
                               std::function<void(const QString &)> giveUp)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(patience);
    connect(&m_timer, &QTimer::timeout, this, [&client, giveUp = std::move(giveUp)] { giveUp(client.errorText()); });
    connect(&client, &protocol::EngineClient::connected, &m_timer, &QTimer::stop);
    connect(&client, &protocol::EngineClient::disconnected, this, [this, comment](const QString &reason) {
        std::cerr << reason.toStdString() << ' ' << comment << '\n';
        if (!m_timer.isActive())
            m_timer.start();
    });
}

}  // namespace sweepscope::ctl
