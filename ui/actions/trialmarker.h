#pragma once

#include "protocol/engineclient.h"

#include <QObject>

#include <vector>

class QMenu;
class QWidget;

namespace sweepscope::ui {

class TrialUndo;

/// Stars trials, and edits their notes and tags in a dialog. `undo` sends the commands or remembers them.
class TrialMarker : public QObject {
    Q_OBJECT

public:
    TrialMarker(protocol::EngineClient *client, TrialUndo *undo, QWidget *dialogParent);

    /// Stars `trials`; if all of them are starred, removes the stars.
    void toggleStars(qint64 sweepId, const std::vector<int> &trials);
    void edit(qint64 sweepId, const std::vector<int> &trials);
    /// Adds both commands to `menu`.
    void addTo(QMenu *menu, qint64 sweepId, const std::vector<int> &trials);

Q_SIGNALS:
    /// A mark was written; the column with this id (TrialTableModel::columnId) shows it.
    void written(const QString &columnId);

private:
    bool areAllStarred(qint64 sweepId, const std::vector<int> &trials) const;

    protocol::EngineClient *m_client;
    TrialUndo *m_undo;
    QWidget *m_dialogParent;
};

}  // namespace sweepscope::ui
