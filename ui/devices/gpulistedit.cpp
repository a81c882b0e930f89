#include "ui/devices/gpulistedit.h"

#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"
#include "ui/devices/gpuchoicedialog.h"
#include "ui/models/devicenames.h"
#include "ui/models/devicewords.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"

#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <tuple>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QString whyFixed(const protocol::EngineClient &client, const sweep::SweepRecord &record)
{
    if (client.isReadOnly())
        return GpuListEdit::tr("This window is read-only");
    if (!client.isConnected())
        return GpuListEdit::tr("No connection to the engine");
    if (!sweep::canBeStopped(record.state))
        return sweep::isActive(record.state)
                   ? GpuListEdit::tr("%1 is stopping").arg(QString::fromStdString(record.name))
                   : GpuListEdit::tr("%1 has ended, so its GPUs can no longer change. Copy the line for another sweep.")
                         .arg(QString::fromStdString(record.name));
    return {};
}

/// "Exclude GPU 0 from on-gpus?", and the button's label.
std::pair<QString, QString> questionOf(sweep::GpuListChange change, const QString &gpu, const QString &sweep)
{
    switch (change) {
    case sweep::GpuListChange::Exclude:
        return {GpuListEdit::tr("Exclude %1 from %2?").arg(gpu, sweep), GpuListEdit::tr("Exclude %1").arg(gpu)};
    case sweep::GpuListChange::Include:
        return {GpuListEdit::tr("Allow %2 to use %1?").arg(gpu, sweep), GpuListEdit::tr("Allow %1").arg(gpu)};
    case sweep::GpuListChange::Pin:
        return {GpuListEdit::tr("Pin %1 for %2? It then uses only pinned GPUs.").arg(gpu, sweep),
                GpuListEdit::tr("Pin %1").arg(gpu)};
    case sweep::GpuListChange::Unpin:
        return {GpuListEdit::tr("Unpin %1 for %2?").arg(gpu, sweep), GpuListEdit::tr("Unpin %1").arg(gpu)};
    }
    return {};
}

QString doneText(sweep::GpuListChange change, const QString &gpu, const QString &sweep)
{
    switch (change) {
    case sweep::GpuListChange::Exclude:
        return GpuListEdit::tr("%1 is excluded from %2.").arg(gpu, sweep);
    case sweep::GpuListChange::Include:
        return GpuListEdit::tr("%1 is no longer excluded from %2.").arg(gpu, sweep);
    case sweep::GpuListChange::Pin:
        return GpuListEdit::tr("%1 is pinned for %2.").arg(gpu, sweep);
    case sweep::GpuListChange::Unpin:
        return GpuListEdit::tr("%1 is no longer pinned for %2.").arg(gpu, sweep);
    }
    return {};
}

}  // namespace

const sweep::GpuIdentity *SweepGpus::gpu(const QString &deviceId) const
{
    const auto found = std::ranges::find(machine, deviceId.toStdString(), &sweep::GpuIdentity::id);
    return id == 0 || found == machine.end() ? nullptr : &*found;
}

GpuListEdit::GpuListEdit(protocol::EngineClient *client, QWidget *window)
    : QObject(window), m_client(client), m_window(window)
{
    connect(client, &protocol::EngineClient::requestDone, this,
            [this](quint64 job, const facts::Facts &answer) { answered(job, replyText(answer)); });
    connect(client, &protocol::EngineClient::requestFailed, this,
            [this](quint64 job, const facts::Fact &answer) { refused(job, reasonText(answer)); });
    connect(client, &protocol::EngineClient::sweepRefused, this,
            [this](quint64 job, const std::vector<sweep::Problem> &problems) {
                refused(job, problems.empty() ? QString() : QString::fromStdString(problems.front().message));
            });
}

/// Called for every message, so it parses the definition only after a change.
SweepGpus GpuListEdit::gpusOf(qint64 sweepId)
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId);
    if (record == nullptr)
        return {};
    if (m_readToml != record->toml) {
        m_readToml = record->toml;
        m_read = sweep::parseSweep(record->toml).spec.devices;
    }
    if (m_read.kind == sweep::DeviceKind::Cpu)
        return {};
    SweepGpus gpus{sweepId, QString::fromStdString(record->name), m_read, {}, whyFixed(*m_client, *record)};
    for (const protocol::DeviceStatus &device : m_client->devices()) {
        if (!device.gpu)
            continue;
        gpus.machine.push_back({device.index, device.id.toStdString(), device.pciBusId.toStdString(),
                                device.name.toStdString(), static_cast<std::uint64_t>(device.memoryBytes)});
        gpus.uses.push_back(usedByText(device));
    }
    return gpus;
}

bool GpuListEdit::mayBegin(const SweepGpus &gpus) const
{
    return gpus.id != 0 && gpus.whyFixed.isEmpty() && !m_dialog;
}

void GpuListEdit::begin(qint64 sweepId, sweep::GpuListChange change, const QString &gpuId)
{
    const SweepGpus gpus = gpusOf(sweepId);
    const sweep::GpuIdentity *gpu = gpus.gpu(gpuId);
    if (!mayBegin(gpus) || gpu == nullptr)
        return;
    const QString name = tr("GPU %1").arg(gpu->index);
    Edit edit;
    std::tie(edit.question, edit.verb) = questionOf(change, name, gpus.name);
    edit.done = doneText(change, name, gpus.name);
    tryOut(gpus, sweep::withChange(gpus.devices, change, *gpu, gpus.machine), std::move(edit));
}

void GpuListEdit::choose(qint64 sweepId)
{
    const SweepGpus gpus = gpusOf(sweepId);
    if (!mayBegin(gpus))
        return;
    const int ranks = sweep::parseSweep(m_readToml).spec.run.ranks;
    auto *dialog = new GpuChoiceDialog(gpus, ranks, m_window);
    m_dialog = dialog;
    connect(dialog, &QDialog::accepted, this, [this, dialog, gpus] {
        std::vector<sweep::GpuIdentity> chosen;
        QStringList names;
        for (const std::size_t place : dialog->chosen()) {
            chosen.push_back(gpus.machine[place]);
            names << tr("GPU %1").arg(gpus.machine[place].index);
        }
        const bool isAll = chosen.size() == gpus.machine.size();
        const QString list = names.join(u", "_s);
        Edit edit;
        edit.question = isAll ? tr("Allow %1 to use all GPUs?").arg(gpus.name)
                              : tr("Allow %1 to use only %2?").arg(gpus.name, list);
        edit.verb = isAll ? tr("Use all GPUs") : tr("Use these GPUs");
        edit.done = isAll ? tr("%1 may use all GPUs.").arg(gpus.name) : tr("%1 may use only %2.").arg(gpus.name, list);
        tryOut(gpus, sweep::withOnly(gpus.devices, chosen, gpus.machine), std::move(edit));
    });
    dialog->open();
}

void GpuListEdit::tryOut(const SweepGpus &gpus, const sweep::DevicesSection &devices, Edit edit)
{
    const sweep::SweepRecord *record = m_client->sweep(gpus.id);
    if (record == nullptr)
        return;
    edit.sweepId = gpus.id;
    edit.sweepName = gpus.name;
    edit.before = record->toml;
    edit.after = sweep::withGpuLists(record->toml, devices);
    m_edit = std::move(edit);
    m_done = false;
    m_trying = m_client->editSweep(gpus.id, QString::fromStdString(m_edit->after), true);
}

void GpuListEdit::answered(quint64 job, const QString &message)
{
    if (!m_edit || job == 0)
        return;
    if (job == m_trying) {
        m_trying = 0;
        confirm(*m_edit, message);
    } else if (job == m_doing) {
        m_doing = 0;
        m_done = true;
        Q_EMIT reported(m_edit->done + u' ' + sentenceText(withNames(message)), false);
    } else if (job == m_undoing) {
        m_undoing = 0;
        m_done = false;
        Q_EMIT reported(tr("Undone.") + u' ' + sentenceText(withNames(message)), false);
    }
}

void GpuListEdit::refused(quint64 job, const QString &why)
{
    if (job == 0 || (job != m_trying && job != m_doing && job != m_undoing))
        return;
    m_trying = m_doing = m_undoing = 0;
    Q_EMIT reported(tr("Nothing was changed: %1").arg(why), true);
}

/// A definition may name a GPU by its id; sentences use the name on the card.
QString GpuListEdit::withNames(QString sentence) const
{
    for (const protocol::DeviceStatus &device : m_client->devices()) {
        if (device.gpu)
            sentence.replace(device.id, deviceName(device.id.toStdString(), m_client->devices()).value_or(device.id));
    }
    return sentence;
}

void GpuListEdit::confirm(const Edit &edit, const QString &consequence)
{
    auto *box = new QMessageBox(m_window);
    m_dialog = box;
    box->setObjectName(u"gpuListDialog"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(tr("Change GPUs"));
    box->setText(edit.question);
    box->setInformativeText(withNames(consequence));
    QPushButton *agree = box->addButton(edit.verb, QMessageBox::AcceptRole);
    agree->setObjectName(u"confirmGpuListButton"_s);
    QPushButton *keep = box->addButton(QMessageBox::Cancel);
    box->setDefaultButton(agree);
    box->setEscapeButton(keep);
    connect(agree, &QPushButton::clicked, this, [this, edit] { carryOut(edit); });
    box->open();
}

/// The user agreed to a change of that definition, not of a newer one.
void GpuListEdit::carryOut(const Edit &edit)
{
    const sweep::SweepRecord *record = m_client->sweep(edit.sweepId);
    if (record == nullptr || record->toml != edit.before) {
        Q_EMIT reported(tr("Nothing was changed: %1 was edited elsewhere in the meantime").arg(edit.sweepName), true);
        return;
    }
    m_doing = m_client->editSweep(edit.sweepId, QString::fromStdString(edit.after), false);
}

bool GpuListEdit::canUndo() const
{
    const sweep::SweepRecord *record = m_edit ? m_client->sweep(m_edit->sweepId) : nullptr;
    return m_done && record != nullptr && record->toml == m_edit->after && !m_client->isReadOnly()
           && m_client->isConnected();
}

void GpuListEdit::undo()
{
    if (canUndo() && m_undoing == 0)
        m_undoing = m_client->undoEdit(m_edit->sweepId, false);
}

}  // namespace sweepscope::ui
