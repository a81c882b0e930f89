#pragma once

#include <QtGlobal>

class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Puts a sweep that has ended out of the lists, or back into them.
void setArchived(protocol::EngineClient *client, qint64 sweepId, bool archived);

/// Asks before a sweep that has ended is deleted: with what it goes, and that nothing brings it back. Offers to archive
/// it instead.
void askToDelete(protocol::EngineClient *client, qint64 sweepId, QWidget *parent);

}  // namespace sweepscope::ui
