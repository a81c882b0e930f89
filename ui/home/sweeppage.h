#pragma once

#include "protocol/engineclient.h"

#include <QStackedWidget>

namespace sweepscope::ui {

class EditorPage;
class SweepDefinition;

/// The editor; or, of a sweep that was chosen among the started ones and is not in it, its definition.
class SweepPage : public QStackedWidget {
    Q_OBJECT

public:
    SweepPage(protocol::EngineClient *client, EditorPage *editor, QWidget *parent = nullptr);

    bool isEditing() const;
    void showEditor();
    void showDefinition(qint64 sweepId);
    /// Where the definition of a sweep is shown, let it be this one's; what is being written is not taken away.
    void follow(qint64 sweepId);

Q_SIGNALS:
    void editRequested(qint64 sweepId);
    void copyRequested(qint64 sweepId);

private:
    protocol::EngineClient *m_client;
    EditorPage *m_editor;
    SweepDefinition *m_definition;
};

}  // namespace sweepscope::ui
