#pragma once

#include "protocol/engineclient.h"
#include "sweep/gpulists.h"

#include <QDialog>
#include <QObject>
#include <QPointer>

#include <optional>
#include <string>

class QWidget;

namespace sweepscope::ui {

/// How a sweep may use the machine's GPUs, for their cards.
struct SweepGpus {
    qint64 id = 0;  ///< 0 if no sweep is selected, or if it does not use GPUs
    QString name;
    sweep::DevicesSection devices;
    std::vector<sweep::GpuIdentity> machine;
    QString whyFixed;                ///< why its lists cannot be changed; empty if they can
    std::vector<QString> uses = {};  ///< for each GPU of the machine: "digits-mlp trial 3", "Free"

    /// Null if no sweep is selected or the device is not one of its GPUs.
    const sweep::GpuIdentity *gpu(const QString &deviceId) const;
};

/// Excludes GPUs from a running sweep or pins them for it: the engine first describes the effect, the user confirms,
/// and the change can be undone until the sweep is edited again.
class GpuListEdit : public QObject {
    Q_OBJECT

public:
    /// Opens its dialogs above `window`.
    GpuListEdit(protocol::EngineClient *client, QWidget *window);

    SweepGpus gpusOf(qint64 sweepId);
    void begin(qint64 sweepId, sweep::GpuListChange change, const QString &gpuId);
    /// Asks for the GPUs first: pinning one of them is not enough for a trial with several ranks.
    void choose(qint64 sweepId);
    void undo();
    bool canUndo() const;

Q_SIGNALS:
    void reported(const QString &sentence, bool isProblem);

private:
    struct Edit {
        qint64 sweepId = 0;
        QString sweepName;
        QString question;  ///< "Exclude GPU 0 from on-gpus?"
        QString verb;      ///< label of the button that confirms
        QString done;      ///< "GPU 0 is excluded from on-gpus."
        std::string before;
        std::string after;
    };
    bool mayBegin(const SweepGpus &gpus) const;
    void tryOut(const SweepGpus &gpus, const sweep::DevicesSection &devices, Edit edit);
    void answered(quint64 job, const QString &message);
    void refused(quint64 job, const QString &why);
    QString withNames(QString sentence) const;
    void confirm(const Edit &edit, const QString &consequence);
    void carryOut(const Edit &edit);

    protocol::EngineClient *m_client;
    std::string m_readToml;  ///< the definition that m_read was parsed from
    sweep::DevicesSection m_read;
    QWidget *m_window;
    QPointer<QDialog> m_dialog;  ///< the open one
    std::optional<Edit> m_edit;  ///< the last one: tried, asked about or done
    quint64 m_trying = 0;        ///< requests without an answer; 0: none
    quint64 m_doing = 0;
    quint64 m_undoing = 0;
    bool m_done = false;
};

}  // namespace sweepscope::ui
