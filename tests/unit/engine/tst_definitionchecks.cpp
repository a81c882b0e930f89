#include "testprogram.h"

// Definitions are checked one after another, outside the event loop.
#include "engine/definitionchecks.h"

#include <QSemaphore>
#include <QTest>

#include <memory>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace std::chrono_literals;

namespace {

CheckResult named(const std::string &name)
{
    return CheckedDefinition{name, {}, {}};
}

}  // namespace

class TestDefinitionChecks : public QObject {
    Q_OBJECT

    QStringList m_ended;  ///< by name, in order of their ends

    DefinitionChecks::Done noted(const QString &name)
    {
        return [this, name](const CheckResult &result) {
            m_ended << (result && result->toml == name.toStdString() ? name : name + QStringLiteral(" refused"));
        };
    }

private Q_SLOTS:
    void init() { m_ended.clear(); }

    void checksRunOneAfterAnotherOutsideTheEventLoop()
    {
        DefinitionChecks checks;
        QSemaphore first;
        bool secondRan = false;
        checks.add(
            [&] {
                first.acquire();
                return named(secondRan ? "too late" : "first");
            },
            this, noted(QStringLiteral("first")));
        checks.add(
            [&] {
                secondRan = true;
                return named("second");
            },
            this, noted(QStringLiteral("second")));
        QMetaObject::invokeMethod(
            this,
            [&] {
                m_ended << QStringLiteral("event");
                first.release();
            },
            Qt::QueuedConnection);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_ended, QStringList({QStringLiteral("event"), QStringLiteral("first"), QStringLiteral("second")}),
            patience);
    }

    void checkAtItsLimitIsRefusedAndTheNextOneBegins()
    {
        const auto hangs = std::make_shared<QSemaphore>();
        {
            DefinitionChecks checks(10ms);
            checks.add(
                [hangs] {
                    hangs->acquire();
                    return named("slow");
                },
                this, noted(QStringLiteral("slow")));
            QTRY_COMPARE_WITH_TIMEOUT(m_ended, QStringList(QStringLiteral("slow refused")), patience);
            QSemaphore ran;
            checks.add(
                [&ran] {
                    ran.release();
                    return named("next");
                },
                this, [](const CheckResult &) {});
            QVERIFY(ran.tryAcquire(1, patience));
            hangs->release();  // its result is no longer needed
        }
        QCOMPARE(m_ended, QStringList(QStringLiteral("slow refused")));
    }

    void checksOfADisconnectedClientAreDropped()
    {
        DefinitionChecks checks;
        QSemaphore first;
        auto client = std::make_unique<QObject>();
        checks.add(
            [&] {
                first.acquire();
                return named("gone");
            },
            client.get(), noted(QStringLiteral("gone")));
        client.reset();
        checks.add([] { return named("other"); }, this, noted(QStringLiteral("other")));
        first.release();
        QTRY_COMPARE_WITH_TIMEOUT(m_ended, QStringList(QStringLiteral("other")), patience);
    }
};

SWEEPSCOPE_TEST(TestDefinitionChecks)
#include "tst_definitionchecks.moc"
