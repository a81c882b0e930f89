#include "ui/editor/sweeppage.h"

#include "base/clock.h"
#include "protocol/engineclient.h"
#include "ui/base/selectionmodel.h"
#include "ui/editor/editorpage.h"
#include "ui/editor/sweepdefinition.h"
#include "ui/models/sweepsummary.h"

namespace sweepscope::ui {

SweepPage::SweepPage(protocol::EngineClient *client, SelectionModel *selection, EditorPage *editor, QWidget *parent)
    : QStackedWidget(parent), m_client(client), m_editor(editor), m_definition(new SweepDefinition(this))
{
    addWidget(m_editor);
    addWidget(m_definition);
    connect(m_definition, &SweepDefinition::editRequested, this, &SweepPage::editRequested);
    connect(m_definition, &SweepDefinition::copyRequested, this, &SweepPage::copyRequested);
    connect(m_definition, &SweepDefinition::editorRequested, this, &SweepPage::showEditor);
    connect(m_editor, &EditorPage::editCancelled, this, &SweepPage::showDefinition);
    // The state changes while the sweep is shown.
    const auto update = [this] {
        if (!isEditing())
            showDefinition(m_definition->sweepId());
    };
    connect(m_client, &protocol::EngineClient::sweepsChanged, this, update);
    connect(m_client, &protocol::EngineClient::readOnlyChanged, this, update);
    connect(selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (now.sweepId != before.sweepId)
            follow(now.sweepId);
    });
}

bool SweepPage::isEditing() const
{
    return currentWidget() == m_editor;
}

void SweepPage::showEditor()
{
    setCurrentWidget(m_editor);
}

void SweepPage::showDefinition(qint64 sweepId)
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId);
    if (!record)
        return;
    if (sweepId == m_editor->editedSweep()) {
        showEditor();
        return;
    }
    const QIcon state = stateIcon(*record, summarize(*record, m_client->trials(record->id), 1, wallNow()));
    m_definition->showSweep(*record, state, wallNow(), m_client->isReadOnly());
    setCurrentWidget(m_definition);
}

/// A page that shows a definition switches to this sweep's; unsaved edits stay.
void SweepPage::follow(qint64 sweepId)
{
    const bool isWritten = m_editor->editedSweep() == 0 || m_editor->hasChanges();
    if (!isEditing() || !isWritten)
        showDefinition(sweepId);
}

}  // namespace sweepscope::ui
