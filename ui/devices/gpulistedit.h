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

/// What a sweep says of the machine's GPUs, for their cards.
struct SweepGpus {
    qint64 id = 0;  ///< 0: none is shown, or it does not compute on GPUs
    QString name;
    sweep::DevicesSection devices;
    std::vector<sweep::GpuIdentity> machine;
    QString whyFixed;                ///< why its lists cannot be changed; empty: they can
    std::vector<QString> uses = {};  ///< of each GPU of the machine: "digits-mlp trial 3", "Free"

    /// Null: no sweep is shown, or it is none of its GPUs.
    const sweep::GpuIdentity *gpu(const QString &deviceId) const;
};

/// Excludes GPUs from a sweep that runs, or pins them for it: the engine says first what that would do, the person agrees,
/// and it can be taken back as long as nobody has edited the sweep since.
class GpuListEdit : public QObject {
    Q_OBJECT

public:
    /// Questions are asked above `window`.
    GpuListEdit(protocol::EngineClient *client, QWidget *window);

    SweepGpus gpusOf(qint64 sweepId);
    void begin(qint64 sweepId, sweep::GpuListChange change, const QString &gpuId);
    /// Asks first which GPUs it is to be: a trial of several ranks cannot do with the first that is pinned.
    void choose(qint64 sweepId);
    void undo();
    bool canUndo() const;

Q_SIGNALS:
    void told(const QString &sentence, bool isProblem);

private:
    struct Edit {
        qint64 sweepId = 0;
        QString sweepName;
        QString question;  ///< "Exclude GPU 0 from on-gpus?"
        QString verb;      ///< of the button that agrees
        QString done;      ///< "GPU 0 is excluded from on-gpus."
        std::string before;
        std::string after;
    };
    bool mayBegin(const SweepGpus &gpus) const;
    void tryOut(const SweepGpus &gpus, const sweep::DevicesSection &devices, Edit edit);
    void answered(quint64 job, const QString &message);
    void refused(quint64 job, const QString &why);
    QString withNames(QString sentence) const;
    void ask(const Edit &edit, const QString &consequence);
    void carryOut(const Edit &edit);

    protocol::EngineClient *m_client;
    std::string m_readToml;  ///< what was read last, and its lists
    sweep::DevicesSection m_read;
    QWidget *m_window;
    QPointer<QDialog> m_dialog;  ///< that is open
    std::optional<Edit> m_edit;  ///< the last one: tried, asked about or done
    quint64 m_trying = 0;        ///< the requests that are not answered yet; 0: none
    quint64 m_doing = 0;
    quint64 m_undoing = 0;
    bool m_done = false;
};

}  // namespace sweepscope::ui
