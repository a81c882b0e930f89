#include "e2e/windowonengine.h"

#include "testprogram.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>

namespace sweepscope::tests {
using namespace Qt::StringLiterals;

QString textOf(const ui::MainWindow &window, const QString &name)
{
    const auto *label = window.findChild<QLabel *>(name);
    return label ? label->text() : QString();
}

bool WindowOnEngine::startEngine()
{
    if (!m_theme)
        m_theme = std::make_unique<ui::Theme>(qApp);
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
    m_engine = std::make_unique<WorkspaceEngine>();
    return m_engine->connect();
}

void WindowOnEngine::openWindow()
{
    m_window.reset();
    m_window = std::make_unique<ui::MainWindow>(&client(), m_theme.get(), &m_engine->settings());
    m_window->begin({});
    m_window->show();
}

void WindowOnEngine::closeAll()
{
    if (m_window)
        m_window->hide();
    m_window.reset();
    m_engine.reset();
}

qint64 WindowOnEngine::launch(const QString &name, const QStringList &command, int trials, int concurrent)
{
    QStringList words = command;
    words.front() = WorkspaceEngine::clientProgram(words.front());
    QFile file(m_engine->writeSweep(name, words, trials));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    QString toml = QString::fromUtf8(file.readAll());
    if (concurrent > 1)
        toml.replace(u"concurrent = 1"_s, u"concurrent = %1\ncpu_slots = 8"_s.arg(concurrent));
    const std::size_t before = client().sweeps().size();
    client().launchSweep(toml, m_engine->path(u"."_s));
    const bool isThere = QTest::qWaitFor([&] { return client().sweeps().size() > before; }, patience);
    return isThere ? client().sweeps().back().id : 0;
}

bool WindowOnEngine::waitForState(qint64 sweepId, sweep::SweepState state)
{
    return QTest::qWaitFor(
        [&] {
            const sweep::SweepRecord *record = client().sweep(sweepId);
            return record && record->state == state;
        },
        patience);
}

}  // namespace sweepscope::tests
