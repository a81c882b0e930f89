#pragma once

#include <QtGlobal>

class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Hides an ended sweep from the lists, or shows it again.
void setArchived(protocol::EngineClient *client, qint64 sweepId, bool archived);

/// Asks before an ended sweep is deleted: says what is lost for good, and offers to archive the sweep instead.
void askToDelete(protocol::EngineClient *client, qint64 sweepId, QWidget *parent);

}  // namespace sweepscope::ui
