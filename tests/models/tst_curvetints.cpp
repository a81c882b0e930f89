#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/theme/trialcolors.h"
#include "ui/theme/valuegradient.h"
#include "ui/trials/curvegroups.h"
#include "ui/trials/curvetints.h"

#include <QTest>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

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
    for (const auto &entry : tints.key.entries)
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
        QCOMPARE(tints.colors[1], gradientColor(0, false).rgb());
        QCOMPARE(tints.colors[3], tints.colors[1]);
        QCOMPARE(tints.colors[0], gradientColor(0.5, false).rgb());
        QCOMPARE(tints.colors[2], gradientColor(1, false).rgb());
        QVERIFY(!tints.colorOf(5));  // it has reported nothing
        QVERIFY(tints.key.isGradient);
        QCOMPARE(wordsOf(tints), QStringList({QStringLiteral("best 0.9"), QStringLiteral("worst -1e+09")}));
    }

    void numbersOfAParameterAreAGradient()
    {
        auto trials = sampleTrials(1, 4);
        trials[0].parameters = {{"lr", 0.1}};
        trials[1].parameters = {{"lr", 0.001}};
        trials[2].parameters = {{"lr", std::int64_t{1}}};
        trials[3].parameters = {};
        const CurveTints tints = tintsByParameter("lr", pointersTo(trials), pointersTo(trials), true);
        QCOMPARE(tints.colors[0], gradientColor(0.5, true).rgb());
        QCOMPARE(tints.colors[1], gradientColor(0, true).rgb());
        QCOMPARE(tints.colors[2], gradientColor(1, true).rgb());
        QVERIFY(!tints.colorOf(4));
        QCOMPARE(wordsOf(tints), QStringList({QStringLiteral("0.001"), QStringLiteral("0.1"), QStringLiteral("1")}));
        QVERIFY(!tints.key.isGradient);
        QCOMPARE(tints.key.title, QStringLiteral("lr"));
    }

    void gradientEndsAtTheShownTrials()
    {
        auto trials = sampleTrials(1, 20);
        for (sweep::TrialRecord &trial : trials) {
            finish(trial, trial.number / 10.0, 0, second);
            trial.parameters = {{"lr", trial.number / 10.0}, {"optimizer", std::to_string(trial.number % 3)}};
        }
        const auto all = pointersTo(trials);
        const std::vector<const sweep::TrialRecord *> shown{all[5], all[2], all[8]};  // in any order
        const CurveTints best = tintsByObjective(sampleSweep(1, 20), shown, false);   // maximized
        QCOMPARE(best.colorOf(9), std::optional(gradientColor(0, false).rgb()));
        QCOMPARE(best.colorOf(3), std::optional(gradientColor(1, false).rgb()));
        QVERIFY(!best.colorOf(1) && !best.colorOf(20));
        QCOMPARE(wordsOf(best), QStringList({QStringLiteral("best 0.9"), QStringLiteral("worst 0.3")}));
        const CurveTints number = tintsByParameter("lr", all, shown, false);
        QCOMPARE(wordsOf(number), QStringList({QStringLiteral("0.3"), QStringLiteral("0.6"), QStringLiteral("0.9")}));
        // Names keep their colors, but the key has only those shown.
        trials[5].parameters = {{"optimizer", std::string("sgd")}};
        trials[8].parameters = {{"optimizer", std::string("sgd")}};
        trials[2].parameters = {{"optimizer", std::string("sgd")}};
        trials[0].parameters = {{"optimizer", std::string("adam")}};
        const CurveTints named = tintsByParameter("optimizer", all, shown, false);
        QCOMPARE(wordsOf(named), QStringList(QStringLiteral("sgd")));
        QCOMPARE(named.colorOf(6), tintsByParameter("optimizer", all, all, false).colorOf(6));
    }

    void bestIsTheDarkEndOnAnyBackground()
    {
        for (const bool onDark : {false, true})
            QVERIFY(gradientColor(0, onDark).lightness() < gradientColor(1, onDark).lightness());
    }

    void keyOfManyNumbersHasTheEnds()
    {
        auto trials = sampleTrials(1, 20);
        for (sweep::TrialRecord &trial : trials)
            trial.parameters = {{"lr", trial.number / 10.0}};
        const CurveTints tints = tintsByParameter("lr", pointersTo(trials), pointersTo(trials), true);
        QVERIFY(tints.key.isGradient);
        QCOMPARE(wordsOf(tints), QStringList({QStringLiteral("0.1"), QStringLiteral("2")}));
    }

    void otherValuesHaveAColorEach()
    {
        auto trials = sampleTrials(1, 4);
        trials[0].parameters = {{"optimizer", std::string("sgd")}};
        trials[1].parameters = {{"optimizer", std::string("adam")}};
        trials[2].parameters = {{"optimizer", std::string("sgd")}};
        trials[3].parameters = {};
        const CurveTints tints = tintsByParameter("optimizer", pointersTo(trials), pointersTo(trials), false);
        QCOMPARE(tints.colors[0], rankColor(1).rgb());
        QCOMPARE(tints.colors[1], rankColor(0).rgb());
        QCOMPARE(tints.colors[2], rankColor(1).rgb());
        const CurveGroups groups = groupsByParameter("optimizer", pointersTo(trials), false);
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(groups[i][0].color, tints.colors[i].value());
        QVERIFY(!tints.colorOf(4));
        QVERIFY(!tints.key.isGradient);
        QCOMPARE(wordsOf(tints), QStringList({QStringLiteral("adam"), QStringLiteral("sgd")}));
    }

    void oneValueAndNoneAreNoGradient()
    {
        auto trials = sampleTrials(1, 2);
        const CurveTints none = tintsByObjective(sampleSweep(1, 2), pointersTo(trials), false);
        QVERIFY(none.key.entries.empty() && !none.colorOf(1));
        finish(trials[0], 0.5, 0, second);
        const CurveTints one = tintsByObjective(sampleSweep(1, 2), pointersTo(trials), false);
        QCOMPARE(wordsOf(one), QStringList(QStringLiteral("0.5")));
        QCOMPARE(one.colors[0], gradientColor(0, false).rgb());
    }

    void colorsAlternateWhateverTheOrderOfTheTrials()
    {
        constexpr std::size_t colors = 4;
        auto trials = sampleTrials(1, 80);
        for (std::size_t i = 0; i < trials.size(); ++i)
            trials[i].parameters = {{"optimizer", std::to_string(i * colors / trials.size()) + "x"}};
        const CurveTints tints = tintsByParameter("optimizer", pointersTo(trials), pointersTo(trials), false);
        std::vector<const sweep::TrialRecord *> order = pointersTo(trials);
        alternateColors(order, tints);
        std::set<std::vector<std::size_t>> orders;
        for (std::size_t round = 0; round < trials.size(); round += colors) {
            std::set<QRgb> seen;
            std::vector<std::size_t> places;
            for (std::size_t i = round; i < round + colors; ++i) {
                seen.insert(tints.colorOf(order[i]->number).value());
                places.push_back(static_cast<std::size_t>(order[i]->number - 1) * colors / trials.size());
            }
            QCOMPARE(seen.size(), colors);
            orders.insert(places);
        }
        QVERIFY(orders.size() > 5);  // no color is always above another one
        std::vector<const sweep::TrialRecord *> again = pointersTo(trials);
        std::ranges::reverse(again);
        alternateColors(again, tints);
        QVERIFY(again == order);
    }

    void rareColorIsOnTop()
    {
        auto trials = sampleTrials(1, 100);
        for (sweep::TrialRecord &trial : trials)
            trial.parameters = {{"optimizer", std::string(trial.number == 3 ? "sgd" : "adam")}};
        std::vector<const sweep::TrialRecord *> order = pointersTo(trials);
        alternateColors(order, tintsByParameter("optimizer", order, order, false));
        QVERIFY(order[98]->number == 3 || order[99]->number == 3);
    }
};

SWEEPSCOPE_TEST(CurveTintsTest)
#include "tst_curvetints.moc"
