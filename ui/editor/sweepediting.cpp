#include "ui/editor/sweepediting.h"

#include "protocol/engineclient.h"
#include "sweep/sweepfile.h"
#include "ui/editor/editedsweep.h"
#include "ui/editor/editquestion.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/sweepeditor.h"
#include "ui/models/reasontext.h"

#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SweepEditing::SweepEditing(protocol::EngineClient *client, SweepEditor *editor)
    : QObject(editor), m_client(client), m_editor(editor)
{
    connect(m_editor, &SweepEditor::applyRequested, this, &SweepEditing::apply);
    connect(m_editor->document(), &SweepDocument::originChanged, this, &SweepEditing::follow);
    connect(m_client, &protocol::EngineClient::sweepsChanged, this, &SweepEditing::follow);
    connect(m_client, &protocol::EngineClient::requestDone, this,
            [this](quint64 job, const facts::Facts &answer) { onDone(job, replyText(answer)); });
    connect(m_client, &protocol::EngineClient::sweepRefused, this, &SweepEditing::onRefused);
    connect(m_client, &protocol::EngineClient::requestFailed, this,
            [this](quint64 job, const facts::Fact &answer) { onFailed(job, reasonText(answer)); });
    connect(m_client, &protocol::EngineClient::disconnected, this, &SweepEditing::onDisconnected);
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

void SweepEditing::apply(const QString &toml)
{
    Request request;
    request.sweepId = sweepId();
    request.toml = toml;
    send(std::move(request));
}

void SweepEditing::undoLastEdit(qint64 sweepId)
{
    Request request;
    request.sweepId = sweepId;
    request.isUndo = true;
    send(std::move(request));
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

void SweepEditing::onDone(quint64 job, const QString &message)
{
    if (!m_request || m_request->job != job)
        return;
    const Request request = *m_request;
    answered();
    if (request.isDryRun)
        ask(request, message);
    else if (request.sweepId == sweepId())
        tellDone(request);
}

/// With the way back, as there is after whatever else is done to trials.
void SweepEditing::tellDone(const Request &request)
{
    const sweep::SweepRecord *record = m_client->sweep(request.sweepId);
    if (!record || request.isUndo)
        return;  // followDefinition() says what it has to
    m_editor->notice()->offer(tr("Changes applied to %1.").arg(numberedName(*record)),
                              {{u"notice.undoEdit"_s, tr("Undo"), [this, id = record->id] { undoLastEdit(id); }}});
}

void SweepEditing::ask(const Request &request, const QString &consequence)
{
    const sweep::SweepRecord *record = m_client->sweep(request.sweepId);
    if (!record)
        return;
    QMessageBox *question = editQuestion(numberedName(*record), request.isUndo, consequence, m_editor->window());
    m_question = question;
    // What it says is of the definition that the sweep has now.
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

void SweepEditing::onFailed(quint64 job, const QString &message)
{
    if (!m_request || m_request->job != job)
        return;
    m_done.reset();
    answered();
    m_editor->notice()->complain(message);
}

void SweepEditing::onDisconnected(const QString &reason)
{
    if (!m_request)
        return;
    const bool isDryRun = m_request->isDryRun;
    answered();
    if (!isDryRun)
        m_editor->notice()->complain(
            tr("The connection to the engine was lost while the sweep was being changed. Check its "
               "definition before you change it again. %1")
                .arg(reason));
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
            letGo();
    }
}

void SweepEditing::see(const sweep::SweepRecord &record)
{
    if (m_seen && m_seen->sweep.id == record.id && m_seen->toml == record.toml)
        m_seen->sweep.hindrance = whyNotEdited(record, false);  // the rest is what takes time
    else
        m_seen = {record.toml, editedSweep(record)};
    m_editor->setEdited(m_seen->sweep);
}

/// The sweep is deleted: what was written for it stays.
void SweepEditing::letGo()
{
    const QString number = QString::number(m_seen->sweep.id);
    m_seen.reset();
    m_editor->document()->becomeSweep(0);
    m_editor->notice()->tell(tr("The sweep #%1 was deleted. What is written here is a new one now.").arg(number));
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
        m_editor->notice()->dismiss();  // what it offers to undo is not the last edit any more
    const bool isUndone = isOwn && !isApplied;
    const sweep::SweepSpec before = m_seen->sweep.spec;
    see(record);
    Q_EMIT definitionChanged();
    if (isUndone && m_editor->hasChanges()) {
        load(record);
        if (hadChanges)
            m_editor->notice()->tell(tr("Your unapplied changes were replaced. Ctrl+Z brings them back."));
        return;
    }
    if (!m_editor->hasChanges()) {
        m_editor->document()->markSaved();
        return;
    }
    if (!hadChanges) {
        load(record);
        if (!isOwn)
            m_editor->notice()->tell(
                (differsInGpusAlone(before, m_seen->sweep.spec)
                     ? tr("The GPUs of %1 were changed, on the Devices page or elsewhere. This is its "
                          "definition now.")
                     : tr("%1 was changed elsewhere. This is its definition now."))
                    .arg(numberedName(record)));
        return;
    }
    if (isApplied)
        return;  // and typed on meanwhile
    m_editor->notice()->offer(
        tr("%1 has another definition meanwhile. Your changes are kept; if you apply them, they take its place.")
            .arg(numberedName(record)),
        {{u"notice.showNew"_s, tr("Show the new one"), [this, id = record.id] {
              if (const sweep::SweepRecord *now = m_client->sweep(id))
                  load(*now);
          }}});
}

}  // namespace sweepscope::ui
