#include "ui/home/sweeppage.h"

#include "ui/editor/editorpage.h"
#include "ui/home/sweepdefinition.h"

namespace sweepscope::ui {

SweepPage::SweepPage(client::EngineClient *client, EditorPage *editor, QWidget *parent)
    : QStackedWidget(parent), m_client(client), m_editor(editor), m_definition(new SweepDefinition(this))
{
    addWidget(m_editor);
    addWidget(m_definition);
    connect(m_definition, &SweepDefinition::copyRequested, this, &SweepPage::copyRequested);
    connect(m_definition, &SweepDefinition::editorRequested, this, &SweepPage::showEditor);
    // Its state changes while it is shown.
    connect(m_client, &client::EngineClient::sweepsChanged, this, [this] { follow(m_definition->sweepId()); });
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
    m_definition->showSweep(*record, wallNow());
    setCurrentWidget(m_definition);
}

void SweepPage::follow(qint64 sweepId)
{
    if (!isEditing())
        showDefinition(sweepId);
}

}  // namespace sweepscope::ui
