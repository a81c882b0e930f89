#pragma once

#include "models/sampletrials.h"
#include "ui/models/trialrows.h"

#include <QAbstractItemModelTester>
#include <QObject>

#include <memory>
#include <vector>

namespace sweepscope::tests {

/// Four trials in a table, sorted and filtered by TrialRows.
class TrialRowsFixture : public QObject {
protected:
    using TrialRows = ui::TrialRows;
    using TrialTableModel = ui::TrialTableModel;

    void fill()
    {
        m_tester.reset();
        m_rows.reset();
        m_model = std::make_unique<TrialTableModel>();
        m_rows = std::make_unique<TrialRows>(m_model.get());
        m_tester = std::make_unique<QAbstractItemModelTester>(m_rows.get(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_trials = sampleTrials(1, 4);
        m_model->setSweep(sampleSweep(1, 4), m_trials);
    }
    QList<int> numbers() const
    {
        QList<int> result;
        for (int row = 0; row < m_rows->rowCount(); ++row)
            result << m_rows->index(row, 0).data(TrialTableModel::RawRole).toInt();
        return result;
    }

    std::unique_ptr<TrialTableModel> m_model;
    std::unique_ptr<TrialRows> m_rows;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::vector<sweep::TrialRecord> m_trials;
};

}  // namespace sweepscope::tests
