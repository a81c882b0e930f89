#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/trials/curvegroups.h"

#include <QTest>

#include <map>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

class CurveGroupsTest : public QObject {
    Q_OBJECT

    static std::vector<const sweep::TrialRecord *> all(const std::vector<sweep::TrialRecord> &trials)
    {
        std::vector<const sweep::TrialRecord *> pointers;
        for (const sweep::TrialRecord &trial : trials)
            pointers.push_back(&trial);
        return pointers;
    }
    static QStringList namesOf(const std::vector<CurveGroup> &groups)
    {
        QStringList names;
        for (const CurveGroup &group : groups)
            names << group.name;
        return names;
    }
    static std::map<QString, int> counts(const CurveGroups &groups)
    {
        std::map<QString, int> counts;
        for (const auto &some : groups) {
            for (const QString &name : namesOf(some))
                ++counts[name];
        }
        return counts;
    }

private Q_SLOTS:
    void eachOfFewNumbersIsAGroupInTheirOrder()
    {
        auto trials = sampleTrials(1, 4);
        trials[0].parameters = {{"lr", 0.1}};
        trials[1].parameters = {{"lr", 0.01}};
        trials[2].parameters = {{"lr", 0.1}};
        trials[3].parameters = {};
        const CurveGroups groups = groupsByParameter("lr", all(trials), false);
        QCOMPARE(groups[0][0].name, QStringLiteral("lr 0.1"));
        QCOMPARE(groups[0], groups[2]);
        QCOMPARE(groups[1][0].place, 0);
        QCOMPARE(groups[0][0].place, 1);
        QCOMPARE(groups[3][0].name, QStringLiteral("lr unset"));
        QCOMPARE(groups[3][0].place, 2);
        QVERIFY(groups[0][0].color != groups[1][0].color);
    }

    void manyNumbersAreFourRangesOfEqualCounts()
    {
        auto trials = sampleTrials(1, 100);
        for (std::size_t i = 0; i < trials.size(); ++i)
            trials[i].parameters = {{"lr", static_cast<double>((i * 37) % 100)}};
        const std::map<QString, int> found = counts(groupsByParameter("lr", all(trials), true));
        QCOMPARE(found.size(), std::size_t(4));
        QCOMPARE(found.begin()->first, QStringLiteral("lr 0–24"));
        for (const auto &[name, count] : found)
            QCOMPARE(count, 25);
    }

    void wordsAreGroups()
    {
        auto trials = sampleTrials(1, 3);
        trials[0].parameters = {{"optimizer", std::string("sgd")}};
        trials[1].parameters = {{"optimizer", std::string("adam")}};
        trials[2].parameters = {};
        const CurveGroups groups = groupsByParameter("optimizer", all(trials), false);
        QCOMPARE(groups[0][0].name, QStringLiteral("optimizer sgd"));
        QCOMPARE(groups[1][0].place, 0);
        QCOMPARE(groups[2][0].name, QStringLiteral("optimizer unset"));
    }

    void tooManyWordsHaveACommonRest()
    {
        auto trials = sampleTrials(1, 40);
        for (std::size_t i = 0; i < trials.size(); ++i)
            trials[i].parameters = {{"file", "name" + std::to_string(i < 25 ? i % 5 : i)}};
        const std::map<QString, int> found = counts(groupsByParameter("file", all(trials), false));
        QCOMPARE(found.size(), std::size_t(12));
        QCOMPARE(found.at(QStringLiteral("file name0")), 5);
        QCOMPARE(found.at(QStringLiteral("other values")), 9);
    }

    void trialCountsInTheGroupOfEachTag()
    {
        auto trials = sampleTrials(1, 2);
        trials[0].mark.tags = {"good", "long"};
        const CurveGroups groups = groupsByTag(all(trials));
        QCOMPARE(namesOf(groups[0]), QStringList({QStringLiteral("good"), QStringLiteral("long")}));
        QCOMPARE(namesOf(groups[1]), QStringList(QStringLiteral("without tag")));
        QCOMPARE(counts(groupOfAll(all(trials))).at(QStringLiteral("all trials")), 2);
    }
};

SWEEPSCOPE_TEST(CurveGroupsTest)
#include "tst_curvegroups.moc"
