#pragma once

#include "protocol/engineclient.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace sweepscope::ctl {

/// What a command does when the connection to its engine breaks: says so on stderr, and gives up if there is no new one within
/// a minute.
class EnginePatience : public QObject {
public:
    EnginePatience(const protocol::EngineClient &client, const char *comment,
                   std::function<void(const QString &)> giveUp);

private:
    QTimer m_timer;
};

}  // namespace sweepscope::ctl
