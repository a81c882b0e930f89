#include "testprogram.h"

#include "ui/base/selectionmodel.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

/// Sweeps that are added, changed and removed.
class Sweeps {
public:
    sweep::SweepRecord &add(qint64 id, int trials, sweep::SweepState state = sweep::SweepState::Completed)
    {
        Entry &entry = m_entries[id];
        entry.sweep.id = id;
        entry.sweep.state = state;
        entry.sweep.trialsTotal = trials;
        for (int number = 1; number <= trials; ++number) {
            entry.trials.emplace_back();
            entry.trials.back().sweepId = id;
            entry.trials.back().number = number;
            entry.trials.back().attempts = number % 4;
        }
        return entry.sweep;
    }
    void remove(qint64 id) { m_entries.erase(id); }
    bool contains(qint64 id) const { return m_entries.contains(id); }
    std::vector<sweep::TrialRecord> &trials(qint64 id) { return m_entries[id].trials; }
    const sweep::TrialRecord *trial(qint64 id, int number) const
    {
        const auto entry = m_entries.find(id);
        if (entry == m_entries.end())
            return nullptr;
        const auto found = std::ranges::find(entry->second.trials, number, &sweep::TrialRecord::number);
        return found != entry->second.trials.end() ? &*found : nullptr;
    }
    SelectableSweeps known()
    {
        return {[this](qint64 id) { return m_entries.contains(id) ? &m_entries[id].sweep : nullptr; },
                [this](qint64 id) -> const std::vector<sweep::TrialRecord> & {
                    return m_entries.contains(id) ? m_entries[id].trials : m_none;
                },
                [this] { return isUpToDate; }};
    }

    bool isUpToDate = true;

private:
    struct Entry {
        sweep::SweepRecord sweep;
        std::vector<sweep::TrialRecord> trials;
    };
    std::map<qint64, Entry> m_entries;
    std::vector<sweep::TrialRecord> m_none;
};

}  // namespace

class SelectionModelTest : public QObject {
    Q_OBJECT

    Sweeps m_sweeps;
    std::unique_ptr<SelectionModel> m_model;
    std::vector<Selection> m_changes;

    const Selection &current() const { return m_model->current(); }

private Q_SLOTS:
    void init()
    {
        m_sweeps = Sweeps();
        m_changes.clear();
        m_model = std::make_unique<SelectionModel>(m_sweeps.known());
        connect(m_model.get(), &SelectionModel::changed, this,
                [this](const Selection &now) { m_changes.push_back(now); });
    }

    void equalSelectionIsIgnored()
    {
        m_sweeps.add(1, 3);
        m_model->selectTrial(1, 2);
        m_model->selectTrial(1, 2);
        m_model->set(current());
        QCOMPARE(m_changes.size(), std::size_t(1));
        QVERIFY((current() == Selection{1, 2, 0, false}));
    }

    void sweepIsSelectedWithItsMostInformativeTrial()
    {
        m_sweeps.add(1, 5, sweep::SweepState::Running);
        m_sweeps.trials(1)[3].state = sweep::TrialState::Running;
        m_model->selectSweep(1);
        QVERIFY((current() == Selection{1, 4, 0, true}));
        // A sweep that has ended is not followed.
        m_sweeps.add(2, 1);
        m_model->selectSweep(2);
        QVERIFY((current() == Selection{2, 1, 0, false}));
    }

    void selectingTheSameSweepKeepsItsTrial()
    {
        m_sweeps.add(1, 5);
        m_model->selectTrial(1, 3);
        m_model->selectSweep(1);
        QCOMPARE(current().trial, 3);
    }

    void selectingATrialEndsFollowing()
    {
        m_sweeps.add(1, 5, sweep::SweepState::Running);
        m_model->selectSweep(1);
        QVERIFY(current().followsNewest);
        m_model->selectTrial(1, current().trial);
        QVERIFY(!current().followsNewest);
        m_model->setFollowsNewest(true);
        m_model->selectAttempt(0);
        QVERIFY(!current().followsNewest);
    }

    void attemptBelongsToItsTrial()
    {
        m_sweeps.add(1, 7);
        m_model->selectTrial(1, 3);
        m_model->selectAttempt(2);
        QCOMPARE(current().attempt, 2);
        m_model->selectTrial(1, 3);
        QCOMPARE(current().attempt, 2);
        m_model->selectTrial(1, 7);
        QCOMPARE(current().attempt, 0);
        m_model->selectAttempt(3);  // the newest one at any time
        QCOMPARE(current().attempt, 0);
        m_model->set({1, 1, 9, false});
        QCOMPARE(current().attempt, 0);
    }

    void deletedSweepIsDeselected()
    {
        m_sweeps.add(1, 3);
        m_model->selectTrial(1, 2);
        m_sweeps.remove(1);
        m_sweeps.isUpToDate = false;  // the connection is lost: the last known state stays
        m_model->update();
        QCOMPARE(current().sweepId, 1);
        m_sweeps.isUpToDate = true;
        m_model->update();
        QVERIFY(current() == Selection());
    }

    void removedTrialIsReplacedInTheSelection()
    {
        m_sweeps.add(1, 5);
        m_model->selectTrial(1, 5);
        m_sweeps.trials(1).pop_back();
        m_model->update();
        QCOMPARE(current().trial, 5);  // its row may still arrive: the sweep has five
        m_sweeps.add(2, 5);
        m_model->selectTrial(2, 5);
        m_sweeps.trials(2).resize(4);
        const_cast<sweep::SweepRecord *>(m_sweeps.known().sweep(2))->trialsTotal = 4;
        m_model->update();
        QCOMPARE(current().trial, 1);
    }

    void selectionWaitsForAnAnnouncedSweep()
    {
        m_model->selectSweep(7);
        m_model->update();
        QCOMPARE(current().sweepId, 7);
        m_sweeps.add(7, 0, sweep::SweepState::Running).trialsTotal = 2;
        m_model->update();
        QCOMPARE(current().trial, 0);
        m_sweeps.trials(7).resize(2);
        m_sweeps.trials(7)[0].number = 1;
        m_sweeps.trials(7)[1].number = 2;
        m_model->update();
        QCOMPARE(current().trial, 1);
        QVERIFY(current().followsNewest);
    }

    void changeDuringDeliveryIsDeliveredAfterIt()
    {
        m_sweeps.add(1, 5);
        std::vector<int> first;
        std::vector<int> second;
        connect(m_model.get(), &SelectionModel::changed, this, [&](const Selection &now) {
            first.push_back(now.trial);
            if (now.trial < 4)
                m_model->selectTrial(1, now.trial + 1);
        });
        connect(m_model.get(), &SelectionModel::changed, this,
                [&](const Selection &now) { second.push_back(now.trial); });
        m_model->selectTrial(1, 2);
        QCOMPARE(first, std::vector<int>({2, 3, 4}));
        QCOMPARE(second, first);  // all receive the same changes in the same order
        QCOMPARE(current().trial, 4);
    }

    /// Random selections, deletions and re-selections by slots: nothing selected is unknown, and each change is
    /// signalled once.
    void randomCallsKeepTheModelConsistent_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 20; ++seed)
            QTest::newRow(qPrintable(QString::number(seed))) << seed;
    }
    void randomCallsKeepTheModelConsistent()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const auto upTo = [&random](int most) { return std::uniform_int_distribution(0, most)(random); };
        int nested = 0;
        Selection told;
        const auto act = [&] {
            const int id = 1 + upTo(3);
            switch (upTo(6)) {
            case 0:
                if (!m_sweeps.contains(id))
                    m_sweeps.add(id, 1 + upTo(9), upTo(1) ? sweep::SweepState::Running : sweep::SweepState::Completed);
                break;
            case 1:
                m_sweeps.remove(id);
                break;
            case 2:
                if (m_sweeps.contains(id) && m_sweeps.trials(id).size() > 1)
                    m_sweeps.trials(id).pop_back();
                break;
            case 3:
                return m_model->selectSweep(m_sweeps.contains(id) ? id : 0);
            case 4:
                return m_model->selectTrial(m_sweeps.contains(id) ? id : 0, upTo(12) - 1);
            case 5:
                return m_model->selectAttempt(upTo(6) - 1);
            case 6:
                return m_model->setFollowsNewest(upTo(1) == 1);
            }
            m_model->update();
        };
        connect(m_model.get(), &SelectionModel::changed, this, [&](const Selection &now, const Selection &before) {
            QVERIFY(now != before);
            QVERIFY(before == told);
            told = now;
            if (nested < 3 && upTo(2) == 0) {
                ++nested;
                act();
            }
        });
        for (int i = 0; i < 2'000; ++i) {
            nested = 0;
            act();
            QVERIFY(told == current());
            if (current().sweepId == 0) {
                QCOMPARE(current().trial, 0);
                QCOMPARE(current().attempt, 0);
                continue;
            }
            QVERIFY(m_sweeps.contains(current().sweepId));
            QVERIFY(current().trial > 0);
            const sweep::TrialRecord *trial = m_sweeps.trial(current().sweepId, current().trial);
            QVERIFY(trial || current().trial > m_sweeps.trials(current().sweepId).back().number);
            QVERIFY(!trial || current().attempt == 0 || current().attempt < trial->attempts);
        }
    }
};

SWEEPSCOPE_TEST(SelectionModelTest)
#include "tst_selectionmodel.moc"
