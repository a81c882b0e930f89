#pragma once

#include <QtGlobal>

class QWidget;

namespace sweepscope::client {
class EngineClient;
}

namespace sweepscope::ui {

/// Stops the sweep; asks first while trials of it run, because what they have not finished is lost.
void askToStop(client::EngineClient *client, qint64 sweepId, QWidget *parent);

}  // namespace sweepscope::ui
