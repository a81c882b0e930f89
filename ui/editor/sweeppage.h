#pragma once

#include "protocol/engineclient.h"

#include <QStackedWidget>

namespace sweepscope::ui {

class EditorPage;
class SelectionModel;
class SweepDefinition;

/// The editor, or the definition of a launched sweep that is not open in the editor.
class SweepPage : public QStackedWidget {
    Q_OBJECT

public:
    SweepPage(protocol::EngineClient *client, SelectionModel *selection, EditorPage *editor, QWidget *parent = nullptr);

    bool isEditing() const;
    void showEditor();
    void showDefinition(qint64 sweepId);

Q_SIGNALS:
    void editRequested(qint64 sweepId);
    void copyRequested(qint64 sweepId);

private:
    void follow(qint64 sweepId);

    protocol::EngineClient *m_client;
    EditorPage *m_editor;
    SweepDefinition *m_definition;
};

}  // namespace sweepscope::ui
