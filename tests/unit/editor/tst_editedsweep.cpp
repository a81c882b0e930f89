#include "testprogram.h"

#include "sweep/launchpreparation.h"
#include "sweep/sweepfile.h"
#include "ui/editor/documenttitle.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/editedsweep.h"
#include "ui/editor/summarystrip.h"
#include "ui/models/editability.h"
#include "unit/editor/examples.h"

#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

sweep::SweepSpec exampleSpec(const QString &name)
{
    return sweep::readSweepFile(example(name).toStdString())->spec;
}

sweep::SweepRecord recordOf(const sweep::SweepSpec &spec)
{
    sweep::SweepRecord record;
    record.id = 3;
    record.name = spec.name;
    record.toml = sweep::toToml(spec);
    return record;
}

sweep::SweepSpec asTyped(const sweep::SweepSpec &spec)
{
    return readDraft(draftOf(spec)).spec;
}

}  // namespace

/// When the typed definition differs from a sweep's, and what can be done with it.
class TestEditedSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shownDefinitionIsNotAChange_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString &file : {u"digits-mlp.toml"_s, u"mnist-cnn.toml"_s, u"command.toml"_s, u"printed.toml"_s})
            QTest::newRow(qPrintable(file)) << file;
    }
    void shownDefinitionIsNotAChange()
    {
        QFETCH(QString, file);
        const sweep::SweepSpec spec = exampleSpec(file);
        const EditedSweep edited = editedSweep(recordOf(spec));
        QVERIFY(!edited.isChangedBy(asTyped(spec), {}));
        sweep::SweepSpec other = spec;
        other.devices.concurrent += 1;
        QVERIFY(edited.isChangedBy(asTyped(other), {}));
        other = spec;
        other.space.pop_back();
        QVERIFY(edited.isChangedBy(asTyped(other), {}));
    }

    void commentsAreAChange()
    {
        const sweep::SweepSpec spec = exampleSpec(u"digits-mlp.toml"_s);
        sweep::SweepRecord record = recordOf(spec);
        const std::string bare = record.toml;
        QVERIFY(editedSweep(record).isChangedBy(asTyped(spec), bare + "# as in the paper\n"));
        record.toml += "# as in the paper\n";
        QVERIFY(!editedSweep(record).isChangedBy(asTyped(spec), record.toml));
        QVERIFY(editedSweep(record).isChangedBy(asTyped(spec), bare));
        QVERIFY(!editedSweep(record).isChangedBy(asTyped(spec), {}));
    }

    void changeByTheDevicesPageIsReported()
    {
        const sweep::SweepSpec spec = exampleSpec(u"digits-mlp.toml"_s);
        sweep::SweepSpec other = spec;
        other.devices.pin = {"GPU-1"};
        other.devices.exclude = {"GPU-2"};
        QVERIFY(differsInGpusAlone(spec, other));
        other.devices.concurrent += 1;
        QVERIFY(!differsInGpusAlone(spec, other));
    }

    void valuesFilledInAtTheLaunchAreNotAChange()
    {
        const QByteArray before = qgetenv("SWEEPSCOPE_MNIST");
        qputenv("SWEEPSCOPE_MNIST", "/data/mnist");
        const sweep::SweepSpec written = exampleSpec(u"mnist-cnn.toml"_s);
        sweep::SweepSpec launched = written;
        sweep::resolveForLaunch(launched);
        QVERIFY(!(launched == written));
        QVERIFY(!editedSweep(recordOf(launched)).isChangedBy(asTyped(written), {}));
        // Launched where the variable was not set: the form shows it unchanged.
        QVERIFY(!editedSweep(recordOf(written)).isChangedBy(asTyped(written), {}));
        qputenv("SWEEPSCOPE_MNIST", before);
    }

    void stoppingSweepIsNotEdited()
    {
        sweep::SweepRecord record = recordOf(exampleSpec(u"digits-mlp.toml"_s));
        for (const sweep::SweepState state : {sweep::SweepState::Running, sweep::SweepState::Paused,
                                              sweep::SweepState::Completed, sweep::SweepState::Stopped}) {
            record.state = state;
            QVERIFY(whyNotEdited(record, false).isEmpty());
            QVERIFY(!whyNotEdited(record, true).isEmpty());
            QVERIFY2(!whyNoEditUndone(record, false).isEmpty(), "there is none");
        }
        record.edits = 1;
        QVERIFY(whyNoEditUndone(record, false).isEmpty());
        record.state = sweep::SweepState::Stopping;
        QVERIFY(!whyNotEdited(record, false).isEmpty() && !whyNoEditUndone(record, false).isEmpty());
        QCOMPARE(editedSweep(record).hindrance, whyNotEdited(record, false));
    }

    void buttonsDescribeTheirActionOrWhyTheyAreDisabled()
    {
        SummaryStrip strip;
        const auto *start = strip.findChild<QPushButton *>(u"start"_s);
        const auto *apply = strip.findChild<QPushButton *>(u"apply"_s);
        const CheckResult result;
        strip.showResult(result, {});
        QVERIFY(apply->isHidden() && start->isEnabled());
        QVERIFY(start->property("primary").toBool());

        strip.setTarget(SummaryStrip::Target{u"#3"_s, false, {}});
        QVERIFY(!apply->isHidden() && !apply->isEnabled() && start->isEnabled());
        QCOMPARE(apply->toolTip(), u"No changes yet"_s);
        QVERIFY(apply->property("primary").toBool() && !start->property("primary").toBool());
        strip.setTarget(SummaryStrip::Target{u"#3"_s, true, {}});
        QVERIFY(apply->isEnabled() && start->isEnabled());
        strip.setTarget(SummaryStrip::Target{u"#3"_s, true, u"The sweep is stopping"_s});
        QVERIFY(!apply->isEnabled() && start->isEnabled());
        QCOMPARE(strip.findChild<QLabel *>(u"summary.reason"_s)->text(), u"The sweep is stopping"_s);
        strip.setTarget(SummaryStrip::Target{u"#3"_s, true, {}});

        // A change that only this sweep cannot make does not prevent a new one.
        strip.showResult(result, {{u"Name"_s, {u"sweep.name"_s, u"cannot change"_s}, false}});
        QVERIFY(!apply->isEnabled() && start->isEnabled());
        QCOMPARE(strip.findChild<QListWidget *>(u"problems"_s)->count(), 1);
        strip.showResult(result, {{u"Name"_s, {u"sweep.name"_s, u"is empty"_s}}});
        QVERIFY(!apply->isEnabled() && !start->isEnabled());
        strip.showResult(result, {});
        strip.setHindrance(u"Waiting for the engine"_s);
        QVERIFY(!apply->isEnabled() && !start->isEnabled());
        QCOMPARE(apply->toolTip(), u"Waiting for the engine"_s);
    }

    void titleNamesTheEditedSweepAndIsElided()
    {
        DocumentTitle title;
        title.showNewSweep({}, true);
        QCOMPARE(title.text(), u"New sweep"_s);
        title.showNewSweep(u"/home/me/digits.toml"_s, true);
        QCOMPARE(title.text(), u"New sweep from digits.toml (changed)"_s);
        QVERIFY(title.toolTip().contains(u"/home/me/digits.toml"_s));
        title.showSweep(3, u"digits-mlp"_s, false);
        QCOMPARE(title.text(), u"#3 digits-mlp"_s);
        title.showSweep(3, u"digits-mlp"_s, true);
        QCOMPARE(title.text(), u"Changes to #3 digits-mlp"_s);
        title.resize(90, 24);
        const QImage narrow = title.grab().toImage();
        title.showSweep(3, u"digits-mlp-and-more"_s, true);
        QCOMPARE(title.grab().toImage(), narrow);  // both are elided
        QVERIFY(title.toolTip().contains(u"digits-mlp-and-more"_s));
    }
};

SWEEPSCOPE_TEST(TestEditedSweep)
#include "tst_editedsweep.moc"
