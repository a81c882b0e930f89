#include "ui/devices/machinecheck.h"

#include "base/installation.h"

#include <QCoreApplication>
#include <QThread>

#include <functional>
#include <mutex>

namespace sweepscope::ui {

/// What a check may call from its thread; the object is null once it is gone.
struct MachineCheck::Receiver {
    std::mutex mutex;
    MachineCheck *object = nullptr;

    void post(const std::function<void(MachineCheck &)> &call)
    {
        const std::lock_guard lock(mutex);
        if (object != nullptr)
            QMetaObject::invokeMethod(
                object, [object = object, call] { call(*object); }, Qt::QueuedConnection);
    }
};

MachineCheck::MachineCheck(QObject *parent) : QObject(parent), m_receiver(std::make_shared<Receiver>())
{
    m_receiver->object = this;
}

MachineCheck::~MachineCheck()
{
    const std::lock_guard lock(m_receiver->mutex);
    m_receiver->object = nullptr;
}

void MachineCheck::start(const remote::Machine &machine)
{
    if (m_isRunning)
        return;
    m_isRunning = true;
    QThread *thread = QThread::create([machine, receiver = m_receiver] {
        const auto report = [&receiver](const CheckRow &row) {
            receiver->post([row](MachineCheck &check) { Q_EMIT check.rowFound(row); });
        };
        bool canRunTrials = false;
        if (const Expected<remote::PortablePrograms> programs = remote::portablePrograms(shareFolder()))
            canRunTrials = remote::checkMachine(machine, remote::Questions::InDialogs, *programs, report);
        else
            report({"programs", Finding::Bad, programs.error().message});
        receiver->post([canRunTrials](MachineCheck &check) {
            check.m_isRunning = false;
            Q_EMIT check.finished(canRunTrials);
        });
    });
    thread->setObjectName(QStringLiteral("machine-check"));
    connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    connect(
        QCoreApplication::instance(), &QCoreApplication::aboutToQuit, thread, [thread] { thread->wait(); },
        Qt::DirectConnection);
    thread->start();
}

}  // namespace sweepscope::ui
