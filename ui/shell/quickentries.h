#pragma once

#include "protocol/engineclient.h"
#include "ui/home/quicksearch.h"

class QAction;

namespace sweepscope::ui {

class Navigator;
class SelectionModel;

/// Returns the targets of quick search: menu actions, all sweeps and their trials. Trials of the selected sweep come
/// with their parameters, others with their sweep.
std::vector<QuickEntry> quickEntries(Navigator *navigator, SelectionModel *selection, protocol::EngineClient *client,
                                     const QList<QAction *> &actions);

}  // namespace sweepscope::ui
