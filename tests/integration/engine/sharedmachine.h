#pragma once

#include "clients/fakenvml/fakedriver.h"
#include "enginefixture.h"

#include "schedule/leasefolder.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>

#include <set>

/// Two simulated GPUs visible to all engines of a test.
inline constexpr const char *twoGpus = R"({"paths": [["GPU-aaaaaaaa", "GPU-bbbbbbbb", 10]], "gpus": [
  {"uuid": "GPU-aaaaaaaa", "name": "Fake H200", "memory": 1000000000, "memory_used": 1000},
  {"uuid": "GPU-bbbbbbbb", "name": "Fake H200", "memory": 1000000000, "memory_used": 1000}]})";

inline QByteArray contentOf(const QString &file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

/// One machine with two workspaces, each with an engine.
class SharedMachine {
public:
    SharedMachine()
    {
        qputenv("XDG_RUNTIME_DIR", anna.path(text("run")).toUtf8());  // shared by both, so it is destroyed last
        QDir().mkdir(anna.path(text("run")));
        qputenv("SWEEPSCOPE_LEASE_FOLDER", anna.path(text("leases")).toUtf8());
    }
    ~SharedMachine() { qunsetenv("SWEEPSCOPE_LEASE_FOLDER"); }
    SharedMachine(const SharedMachine &) = delete;
    SharedMachine &operator=(const SharedMachine &) = delete;

    /// Writes a sweep whose trials hold their GPUs until the file "go" exists in either workspace.
    QString writeSweep(const EngineFixture &fixture, int trials, int ranks, int concurrent,
                       const char *moreRun = "") const
    {
        return writeSweep(fixture, trials, ranks, concurrent, moreRun,
                          text("while ! test -e '%1'; do sleep 0.05; done").arg(anna.path(text("go"))));
    }
    QString writeSweep(const EngineFixture &fixture, int trials, int ranks, int concurrent, const char *moreRun,
                       const QString &body, const QString &moreDevices = {}) const
    {
        QString sweep = QString::fromUtf8(
            contentOf(fixture.writeShellSweep(body, trials, text("ranks = %1\n%2").arg(ranks).arg(text(moreRun)),
                                              text("concurrent = %1\n").arg(concurrent) + moreDevices)));
        sweep.replace(text("kind = \"cpu\"\ncpu_slots = 8"), text("kind = \"gpu\""));
        return fixture.write(text("gpus.toml"), sweep);
    }
    void release() const { anna.write(text("go"), text("x")); }

    /// Returns the attempts whose ranks are alive and see this GPU.
    std::set<QByteArray> attemptsOn(const char *gpu) const
    {
        std::set<QByteArray> attempts;
        for (const EngineFixture *fixture : {&anna, &ben}) {
            for (const pid_t pid : fixture->processes()) {
                const QList<QByteArray> variables = contentOf(text("/proc/%1/environ").arg(pid)).split('\0');
                QByteArray attempt;
                bool sees = false;
                for (const QByteArray &variable : variables) {
                    if (variable.startsWith("SWEEPSCOPE_ATTEMPT_ID="))
                        attempt = variable;
                    sees = sees || (variable.startsWith("CUDA_VISIBLE_DEVICES=") && variable.contains(gpu));
                }
                if (sees && !attempt.isEmpty())
                    attempts.insert(attempt);
            }
        }
        return attempts;
    }
    bool isFair() const { return attemptsOn("GPU-aaaaaaaa").size() <= 1 && attemptsOn("GPU-bbbbbbbb").size() <= 1; }

    /// Returns whether no lease is left.
    bool allIsFree() const
    {
        sweepscope::schedule::LeaseFolder leases(sweepscope::schedule::LeaseFolder::ofThisMachine(), "/nobody");
        const auto taking = leases.begin();
        return taking && (*taking)->take("GPU-aaaaaaaa", false) && (*taking)->take("GPU-bbbbbbbb", false);
    }

    FakeDriver driver{twoGpus};
    EngineFixture anna;
    EngineFixture ben;
};
