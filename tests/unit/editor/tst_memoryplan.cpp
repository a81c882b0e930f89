#include "testprogram.h"

#include "sweep/sweepfile.h"
#include "ui/editor/memoryplanner.h"
#include "unit/editor/editordriver.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QSemaphore>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;

/// A GiB of parameters in two layers, and as much for each 16 samples.
sweep::MemoryProfile profileOf(std::int64_t batchSize)
{
    sweep::MemoryProfile profile;
    profile.layers = {{gibibyte / 2, 0, {0, 0}}, {gibibyte / 2, 0, {0, 0}}};
    profile.gradients = gibibyte;
    profile.peak = {0, gibibyte / 16.0};
    profile.batchSize = batchSize;
    profile.measuredSizes = {8, 16};
    return profile;
}

QByteArray sweepWith(int batchSize)
{
    return "[sweep]\nname = \"m\"\nobjective = \"val_loss\"\n[space]\nlr = [0.1]\n[run]\nworker = \"builtin\"\nranks = "
           "2\n"
           "batch_size = "
           + QByteArray::number(batchSize) + "\n[devices]\nkind = \"gpu\"\n";
}

struct MemoryDesk {
    std::atomic<int> measured = 0;
    std::atomic<bool> inGuiThread = false;
    EditorDriver driver;

    MemoryDesk()
    {
        driver.editor().planner()->setMachineReader([] {
            schedule::MachineNow machine;
            for (int i = 0; i < 2; ++i)
                machine.devices.push_back({"GPU-" + std::to_string(i), device::Kind::Gpu, i, "H200", 4 * gibibyte});
            return machine;
        });
        driver.editor().memoryPlanner()->setMeasurer([this](const sweep::SweepSpec &spec, const auto &, const auto &) {
            const auto batchSize = std::get<std::int64_t>(spec.run.settings.at("batch_size"));
            return [this, batchSize](const sweep::ParameterSet &) -> Expected<sweep::MemoryProfile> {
                ++measured;
                inGuiThread = inGuiThread || QThread::currentThread() == qApp->thread();
                if (batchSize == 13)
                    return makeError(ErrorCode::BadInput, "the file x.csv is missing");
                return profileOf(batchSize);
            };
        });
        driver.editor().setMachine(sweep::Capacity{2, 8, {}}, u"A machine of the test."_s);
    }
    void show(const QByteArray &toml)
    {
        driver.editor().setSweep(sweep::parseSweep(toml.toStdString()).spec, QDir::tempPath(), {});
    }
    QStringList lines() const { return driver.find<QLabel>(u"allocation.memory"_s)->text().split(u'\n'); }
};

}  // namespace

class TestMemoryPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachLayoutHasALineBelowThePreview()
    {
        MemoryDesk desk;
        desk.show(sweepWith(16));
        QTRY_COMPARE(desk.lines().size(), 3);
        QCOMPARE(desk.lines()[0],
                 u"Memory for ddp, 2 ranks: fits, 3.5 GiB of 4 GiB per GPU (H200), batch_size up to 24"_s);
        QCOMPARE(
            desk.lines()[1],
            u"Memory for data_parallel, 1 rank of 2 GPUs: fits, 3 GiB of 4 GiB per GPU (H200), batch_size up to 48"_s);
        QVERIFY(desk.lines()[2].startsWith(u"Memory for model, 1 rank of 2 GPUs: fits, 2.5 GiB"_s));
        QVERIFY(!desk.inGuiThread);
    }

    void lineSaysWhyItDoesNotFit()
    {
        MemoryDesk desk;
        desk.show(sweepWith(64));
        QTRY_COMPARE(
            desk.lines()[0],
            u"Memory for ddp, 2 ranks: does not fit, needs 6.5 GiB of 4 GiB per GPU (H200); batch_size up to 24 fits"_s);
        desk.show(sweepWith(13));
        QTRY_COMPARE(desk.lines()[0], u"Memory cannot be estimated: the file x.csv is missing"_s);
    }

    void sameTrialIsMeasuredOnce()
    {
        MemoryDesk desk;
        desk.show(sweepWith(16));
        QTRY_COMPARE(desk.lines().size(), 3);
        desk.show(sweepWith(64));
        QTRY_VERIFY(desk.lines()[0].contains(u"6.5 GiB"_s));
        desk.show(sweepWith(16));
        QTRY_VERIFY(desk.lines()[0].contains(u"3.5 GiB"_s));
        QCOMPARE(desk.measured.load(), 2);
    }

    void commandHasNoLine()
    {
        MemoryDesk desk;
        desk.show(sweepWith(16));
        QTRY_COMPARE(desk.lines().size(), 3);
        desk.show(
            "[sweep]\nname = \"m\"\nobjective = \"loss\"\n[space]\nn = [1]\n[run]\ncommand = [\"true\", \"{n}\"]\n");
        QTRY_COMPARE(desk.lines(), QStringList{QString()});
        QTRY_VERIFY(desk.driver.find<QLabel>(u"allocation.head"_s)->text().startsWith(u"1 trial"_s));
        QCOMPARE(desk.lines(), QStringList{QString()});
        QCOMPARE(desk.measured.load(), 1);
    }
};

SWEEPSCOPE_TEST(TestMemoryPlan)
#include "tst_memoryplan.moc"
