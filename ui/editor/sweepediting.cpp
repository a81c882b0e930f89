#include "ui/editor/sweepediting.h"

#include "protocol/engineclient.h"
#include "sweep/sweepfile.h"
#include "ui/editor/editedsweep.h"
#include "ui/editor/editquestion.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/summarystrip.h"
#include "ui/editor/sweepeditor.h"
#include "ui/models/editability.h"
#include "ui/models/reasontext.h"

#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SweepEditing::SweepEditing(protocol::EngineClient *client, SweepEditor *editor)
    : QObject(editor), m_client(client), m_editor(editor)
{
    connect(m_editor->strip()->applyButton(), &QPushButton::clicked, this, &SweepEditing::apply);
    connect(m_editor->document(), &SweepDocument::originChanged, this, &SweepEditing::follow);
    connect(m_client, &protocol::EngineClient::sweepsChanged, this, &SweepEditing::follow);
    connect(m_client, &protocol::EngineClient::requestDone, this, &SweepEditing::onDone);
    connect(m_client, &protocol::EngineClient::sweepRefused, this, &SweepEditing::onRefused);
    connect(m_client, &protocol::EngineClient::requestFailed, this, &SweepEditing::onFailed);
}

qint64 SweepEditing::sweepId() const
{
    return m_editor->document()->origin().sweepId;
}

void SweepEditing::edit(qint64 sweepId)
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId);
    if (!record || sweepId == this->sweepId())
        return;
    m_editor->notice()->dismiss();
    load(*record);
}

void SweepEditing::adopt(qint64 sweepId)
{
    m_seen.reset();
    m_editor->document()->becomeSweep(sweepId);
}

void SweepEditing::load(const sweep::SweepRecord &record)
{
    const QString file = record.id == sweepId() ? m_editor->document()->origin().filePath : QString();
    m_editor->document()->replace(draftOf(sweep::parseSweep(record.toml).spec),
                                  {file, QString::fromStdString(record.baseFolder), record.id}, numberedName(record),
                                  record.toml);
}

void SweepEditing::apply()
{
    if (const std::optional<QString> toml = m_editor->definition(SweepEditor::Purpose::Apply))
        send({.sweepId = sweepId(), .toml = *toml});
}

void SweepEditing::undoLastEdit(qint64 sweepId)
{
    send({.sweepId = sweepId, .toml = {}, .isUndo = true});
}

void SweepEditing::send(Request request)
{
    if (m_request || m_question || request.sweepId == 0)
        return;
    if (!request.isDryRun)
        m_done = request;
    request.job = request.isUndo ? m_client->undoEdit(request.sweepId, request.isDryRun)
                                 : m_client->editSweep(request.sweepId, request.toml, request.isDryRun);
    if (request.isDryRun)
        m_dryRun = request.job;
    m_request = std::move(request);
    Q_EMIT busyChanged();
}

void SweepEditing::answered()
{
    m_request.reset();
    Q_EMIT busyChanged();
}

void SweepEditing::onDone(quint64 job, const facts::Facts &reply)
{
    if (!m_request || m_request->job != job)
        return;
    const Request request = *m_request;
    answered();
    if (request.isDryRun)
        confirm(request, reply);
    else if (request.sweepId == sweepId())
        offerUndo(request);
}

/// Offers to undo it, as after every other action on trials.
void SweepEditing::offerUndo(const Request &request)
{
    const sweep::SweepRecord *record = m_client->sweep(request.sweepId);
    if (!record || request.isUndo)
        return;  // followDefinition() reports it
    m_editor->notice()->offer(tr("Changes applied to %1.").arg(numberedName(*record)),
                              {{u"notice.undoEdit"_s, tr("Undo"), [this, id = record->id] { undoLastEdit(id); }}});
}

void SweepEditing::confirm(const Request &request, const facts::Facts &consequence)
{
    const sweep::SweepRecord *record = m_client->sweep(request.sweepId);
    if (!record)
        return;
    QMessageBox *question =
        editQuestion(numberedName(*record), request.isUndo, replyText(consequence), m_editor->window());
    m_question = question;
    // The question describes the effect on the current definition, so a new one cancels it.
    connect(m_client, &protocol::EngineClient::sweepsChanged, question,
            [this, question, id = record->id, toml = record->toml] {
                const sweep::SweepRecord *now = m_client->sweep(id);
                if (!now || now->toml != toml || !whyNotEdited(*now, m_client->isReadOnly()).isEmpty())
                    question->reject();
            });
    connect(m_client, &protocol::EngineClient::disconnected, question, &QDialog::reject);
    connect(question, &QMessageBox::buttonClicked, this, [this, question, request](QAbstractButton *button) {
        if (question->buttonRole(button) != QMessageBox::AcceptRole)
            return;
        m_question = nullptr;
        Request confirmed = request;
        confirmed.isDryRun = false;
        send(std::move(confirmed));
    });
    question->open();
}

void SweepEditing::onRefused(quint64 job, const std::vector<sweep::Problem> &problems)
{
    if (!m_request || m_request->job != job)
        return;
    const bool isOfTheForm = !m_request->isUndo && m_request->sweepId == sweepId();
    m_done.reset();
    answered();
    if (isOfTheForm) {
        m_editor->showRefusal(problems, SweepEditor::Purpose::Apply);
        return;
    }
    QStringList sentences;
    for (const sweep::Problem &problem : problems)
        sentences << QString::fromStdString(sweep::describe(problem, {}));
    m_editor->notice()->complain(tr("Not undone: %1").arg(sentences.join(u'\n')));
}

void SweepEditing::onFailed(quint64 job, const facts::Fact &reason)
{
    if (!m_request || m_request->job != job)
        return;
    m_done.reset();
    answered();
    m_editor->notice()->complain(reasonText(reason));
}

void SweepEditing::follow()
{
    const qint64 id = sweepId();
    const sweep::SweepRecord *record = id != 0 ? m_client->sweep(id) : nullptr;
    const bool isKnown = m_seen && m_seen->sweep.id == id;
    if (record && isKnown && m_seen->toml != record->toml) {
        followDefinition(*record);
    } else if (record) {
        see(*record);
    } else {
        m_editor->setEdited(std::nullopt);
        if (id != 0 && isKnown && m_client->isConnected())
            detach();
    }
}

void SweepEditing::see(const sweep::SweepRecord &record)
{
    if (m_seen && m_seen->sweep.id == record.id && m_seen->toml == record.toml)
        m_seen->sweep.hindrance = whyNotEdited(record, false);  // parsing the rest takes time
    else
        m_seen = {record.toml, editedSweep(record)};
    m_editor->setEdited(m_seen->sweep);
}

/// After the sweep was deleted: keeps the draft.
void SweepEditing::detach()
{
    const QString number = QString::number(m_seen->sweep.id);
    m_seen.reset();
    m_editor->document()->becomeSweep(0);
    m_editor->notice()->inform(tr("Sweep #%1 was deleted. The form now holds a new sweep.").arg(number));
}

void SweepEditing::followDefinition(const sweep::SweepRecord &record)
{
    const bool hadChanges = m_editor->hasChanges();
    const bool isOwn =
        m_done && m_done->sweepId == record.id && (m_done->isUndo || m_done->toml.toStdString() == record.toml);
    const bool isApplied = isOwn && !m_done->isUndo;
    if (isOwn)
        m_done.reset();
    if (!isApplied)
        m_editor->notice()->dismiss();  // the edit that it offers to undo is not the last one any more
    const bool isUndone = isOwn && !isApplied;
    const sweep::SweepSpec before = m_seen->sweep.spec;
    see(record);
    Q_EMIT definitionChanged();
    if (isUndone && m_editor->hasChanges()) {
        load(record);
        if (hadChanges)
            m_editor->notice()->inform(tr("Your unapplied changes were replaced. Press Ctrl+Z to restore them."));
        return;
    }
    if (!m_editor->hasChanges()) {
        m_editor->document()->markSaved();
        return;
    }
    if (!hadChanges) {
        load(record);
        if (!isOwn)
            m_editor->notice()->inform((differsInGpusAlone(before, m_seen->sweep.spec)
                                            ? tr("The GPUs of %1 have changed. The form shows the new definition.")
                                            : tr("The definition of %1 has changed. The form shows the new one."))
                                           .arg(numberedName(record)));
        return;
    }
    if (isApplied)
        return;  // and the user has typed more since
    m_editor->notice()->offer(
        tr("%1 was changed elsewhere. Your changes are kept. Applying them replaces the new definition.")
            .arg(numberedName(record)),
        {{u"notice.showNew"_s, tr("Show new definition"), [this, id = record.id] {
              if (const sweep::SweepRecord *now = m_client->sweep(id))
                  load(*now);
          }}});
}

}  // namespace sweepscope::ui
