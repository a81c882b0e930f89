#pragma once

#include "client/engineclient.h"

#include <QStackedWidget>

namespace sweepscope::ui {

class EditorPage;
class SweepDefinition;

/// The editor; or, of a sweep that was chosen among the started ones, what it was started with.
class SweepPage : public QStackedWidget {
    Q_OBJECT

public:
    SweepPage(client::EngineClient *client, EditorPage *editor, QWidget *parent = nullptr);

    bool isEditing() const;
    void showEditor();
    void showDefinition(qint64 sweepId);
    /// Where a definition is shown, let it be this sweep's.
    void follow(qint64 sweepId);

Q_SIGNALS:
    void copyRequested(qint64 sweepId);

private:
    client::EngineClient *m_client;
    EditorPage *m_editor;
    SweepDefinition *m_definition;
};

}  // namespace sweepscope::ui
