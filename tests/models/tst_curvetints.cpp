#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/theme/trialcolors.h"
#include "ui/theme/valuegradient.h"
#include "ui/trials/curvetints.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

namespace {

std::vector<const sweep::TrialRecord *> pointersTo(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<const sweep::TrialRecord *> pointers;
    for (const sweep::TrialRecord &trial : trials)
        pointers.push_back(&trial);
    return pointers;
}

QStringList wordsOf(const CurveTints &tints)
{
    QStringList words;
    for (const auto &entry : tints.key)
        words << entry.first;
    return words;
}

}  // namespace

class CurveTintsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOrderOfObjectivesGivesTheColors()
    {
        auto trials = sampleTrials(1, 5);
        finish(trials[0], 0.5, 0, second);
        finish(trials[1], 0.9, 0, second);
        finish(trials[2], -1e9, 0, second);  // diverged
        finish(trials[3], 0.9, 0, second);
        const CurveTints tints = tintsByObjective(sampleSweep(1, 5), pointersTo(trials), false);  // maximized
        QCOMPARE(tints.colors.size(), std::size_t(5));
        QCOMPARE(tints.colors[1], gradientColor(0, false).rgb());
        QCOMPARE(tints.colors[3], tints.colors[1]);
        QCOMPARE(tints.colors[0], gradientColor(0.5, false).rgb());
        QCOMPARE(tints.colors[2], gradientColor(1, false).rgb());
        QVERIFY(!tints.colors[4]);  // it has reported nothing
        QVERIFY(tints.isGradient);
        QCOMPARE(wordsOf(tints), QStringList({QStringLiteral("best 0.9"), QStringLiteral("worst -1e+09")}));
    }

    void numbersOfAParameterAreAGradient()
    {
        auto trials = sampleTrials(1, 4);
        trials[0].parameters = {{"lr", 0.1}};
        trials[1].parameters = {{"lr", 0.001}};
        trials[2].parameters = {{"lr", std::int64_t{1}}};
        trials[3].parameters = {};
        const CurveTints tints = tintsByParameter("lr", pointersTo(trials), true);
        QCOMPARE(tints.colors[0], gradientColor(0.5, true).rgb());
        QCOMPARE(tints.colors[1], gradientColor(0, true).rgb());
        QCOMPARE(tints.colors[2], gradientColor(1, true).rgb());
        QVERIFY(!tints.colors[3]);
        QCOMPARE(wordsOf(tints), QStringList({QStringLiteral("0.001"), QStringLiteral("1")}));
    }

    void otherValuesHaveAColorEach()
    {
        auto trials = sampleTrials(1, 4);
        trials[0].parameters = {{"optimizer", std::string("sgd")}};
        trials[1].parameters = {{"optimizer", std::string("adam")}};
        trials[2].parameters = {{"optimizer", std::string("sgd")}};
        trials[3].parameters = {};
        const CurveTints tints = tintsByParameter("optimizer", pointersTo(trials), false);
        QCOMPARE(tints.colors[0], rankColor(0).rgb());
        QCOMPARE(tints.colors[1], rankColor(1).rgb());
        QCOMPARE(tints.colors[2], rankColor(0).rgb());
        QVERIFY(!tints.colors[3]);
        QVERIFY(!tints.isGradient);
        QCOMPARE(wordsOf(tints), QStringList({QStringLiteral("sgd"), QStringLiteral("adam")}));
    }

    void oneValueAndNoneAreNoGradient()
    {
        auto trials = sampleTrials(1, 2);
        const CurveTints none = tintsByObjective(sampleSweep(1, 2), pointersTo(trials), false);
        QVERIFY(none.key.empty() && !none.colors[0]);
        finish(trials[0], 0.5, 0, second);
        const CurveTints one = tintsByObjective(sampleSweep(1, 2), pointersTo(trials), false);
        QCOMPARE(wordsOf(one), QStringList(QStringLiteral("0.5")));
        QCOMPARE(one.colors[0], gradientColor(0, false).rgb());
    }
};

SWEEPSCOPE_TEST(CurveTintsTest)
#include "tst_curvetints.moc"
