#include "ui/models/energyreader.h"

#include "base/workspacelayout.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <chrono>
#include <filesystem>
#include <utility>

namespace sweepscope::ui {
using namespace std::chrono_literals;

EnergyReader::EnergyReader(protocol::EngineClient *client, QObject *parent) : QObject(parent), m_client(client)
{
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(500ms);
    m_again.setSingleShot(true);
    m_again.setInterval(5s);
    connect(&m_refresh, &QTimer::timeout, this, &EnergyReader::read);
    connect(&m_again, &QTimer::timeout, this, &EnergyReader::read);
    connect(client, &protocol::EngineClient::sweepsChanged, this, [this] { readLater(m_sweepId); });
    connect(client, &protocol::EngineClient::trialsChanged, this, &EnergyReader::readLater);
    if (const std::filesystem::path folder = sweep::costFactorsFile().parent_path();
        std::filesystem::is_directory(folder))
        m_watcher.addPath(QString::fromStdString(folder.string()));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { readLater(m_sweepId); });
}

void EnergyReader::setSweep(qint64 sweepId)
{
    if (sweepId == m_sweepId)
        return;
    m_sweepId = sweepId;
    setEnergy(sweepId, {}, m_factors);
    read();
}

void EnergyReader::readLater(qint64 sweepId)
{
    if (sweepId != m_sweepId || sweepId == 0)
        return;
    if (!m_refresh.isActive())
        m_refresh.start();
    m_again.start();
}

void EnergyReader::read()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    if (record == nullptr)
        return;
    if (std::exchange(m_isReading, true)) {
        m_refresh.start();
        return;
    }
    const WorkspaceLayout workspace{m_client->workspace().toStdString()};
    QThreadPool::globalInstance()->start([reader = QPointer(this), id = m_sweepId,
                                          file = launch::energyFile(workspace.sweepFolder(record->folder))] {
        launch::SweepEnergy energy = launch::readEnergy(file);
        sweep::CostFactors factors = sweep::readCostFactors(sweep::costFactorsFile()).value_or(sweep::CostFactors());
        QMetaObject::invokeMethod(
            qApp,
            [reader, id, energy = std::move(energy), factors = std::move(factors)] {
                if (!reader)
                    return;
                reader->m_isReading = false;
                reader->setEnergy(id, energy, factors);
            },
            Qt::QueuedConnection);
    });
}

void EnergyReader::setEnergy(qint64 sweepId, const launch::SweepEnergy &energy, const sweep::CostFactors &factors)
{
    if (sweepId != m_sweepId || (energy == m_energy && factors == m_factors))
        return;
    m_energy = energy;
    m_factors = factors;
    Q_EMIT changed();
}

}  // namespace sweepscope::ui
