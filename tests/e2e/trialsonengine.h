#pragma once

#include "e2e/windowonengine.h"
#include "testprogram.h"
#include "ui/models/trialrows.h"
#include "ui/trials/trialtable.h"

#include <QTest>

namespace sweepscope::tests {

/// A window on the Trials page of a sweep that a real engine has run.
class TrialsOnEngine : protected WindowOnEngine {
protected:
    ui::TrialTable *table() const { return m_window->findChild<ui::TrialTable *>(); }
    ui::TrialRows *rows() const { return static_cast<ui::TrialRows *>(table()->model()); }
    /// Runs a sweep to its end: trial n has reported the losses 0 … n - 1.
    void runSweep(int count)
    {
        QVERIFY(waitForState(
            launch(QStringLiteral("points"), {QStringLiteral("reportspoints"), QStringLiteral("{n}")}, count),
            sweep::SweepState::Completed));
        openWindow();
        m_window->selection().selectSweep(client().sweeps()[0].id);
        m_window->showPage(ui::MainWindow::Page::Trials);
        QTRY_COMPARE_WITH_TIMEOUT(rows()->rowCount(), count, patience);
        QTRY_VERIFY(table()->isVisible());
    }
    void click(const QModelIndex &index, Qt::KeyboardModifiers keys = {}) const
    {
        table()->scrollTo(index);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, keys, table()->visualRect(index).center());
    }
};

}  // namespace sweepscope::tests
