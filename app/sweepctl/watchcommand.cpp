#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "terminal.h"
#include "terminationsignals.h"
#include "watchview.h"
#include "workspaceoption.h"

#include "base/clock.h"
#include "protocol/engineclient.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace sweepscope::ctl {

namespace {

using namespace std::chrono_literals;

constexpr int engineStartTimeoutMs = 30'000;
constexpr auto drawEvery = 100ms;
constexpr auto clockEvery = 1s;  ///< times and time left

struct WatchOptions {
    std::string workspace;
    std::string sweep;
};

/// The state of the screen, and what changes it: news of the engine and keys.
class SweepScreen : public QObject {
public:
    SweepScreen(protocol::EngineClient &client, std::int64_t sweepId) : m_client(client), m_sweepId(sweepId)
    {
        m_draw.setSingleShot(true);
        m_draw.setInterval(drawEvery);
        const auto later = [this] {
            if (!m_draw.isActive())
                m_draw.start();
        };
        connect(&m_draw, &QTimer::timeout, this, [this] { draw(); });
        connect(&m_clock, &QTimer::timeout, this, later);
        m_clock.start(clockEvery);
        connect(&client, &protocol::EngineClient::sweepsChanged, this, later);
        connect(&client, &protocol::EngineClient::devicesChanged, this, later);
        connect(&client, &protocol::EngineClient::connected, this, later);
        connect(&client, &protocol::EngineClient::disconnected, this, later);
        connect(&client, &protocol::EngineClient::trialsChanged, this, [this, later](qint64 id, int first, int last) {
            if (id == m_sweepId)
                note(first, last);
            later();
        });
        connect(&m_input, &QSocketNotifier::activated, this, [this] { readKeys(); });
        note(1, static_cast<int>(client.trials(sweepId).size()));
        draw();
    }

private:
    void note(int first, int last)
    {
        const std::vector<sweep::TrialRecord> &trials = m_client.trials(m_sweepId);
        for (int number = std::max(first, 1); number <= std::min(last, static_cast<int>(trials.size())); ++number) {
            const sweep::TrialRecord &trial = trials[static_cast<std::size_t>(number - 1)];
            if (trial.state == sweep::TrialState::Running)
                m_trace.add(trial);
        }
    }

    void update()
    {
        m_state.sweeps.clear();
        for (const sweep::SweepRecord &sweep : m_client.sweeps()) {
            if (!sweep.archived || sweep.id == m_sweepId)
                m_state.sweeps.push_back(sweep);
        }
        const auto own = std::ranges::find(m_state.sweeps, m_sweepId, &sweep::SweepRecord::id);
        m_state.sweep = static_cast<std::size_t>(own - m_state.sweeps.begin());
        m_state.trials = m_client.trials(m_sweepId);
        m_state.devices = m_client.allDevices();
        m_state.machines = m_client.machines();
        m_state.connection = m_client.isConnected() ? std::string() : m_client.errorText().toStdString();
        m_state.now = wallNow();
        moveSelection(m_state, 0, m_terminal.size().height);
    }

    void draw()
    {
        update();
        const Terminal::Size size = m_terminal.size();
        m_terminal.draw(render(m_state, m_trace, size.width, size.height));
    }

    void showSweep(std::ptrdiff_t step)
    {
        const auto count = std::ssize(m_state.sweeps);
        if (count == 0)
            return;
        const auto next = (static_cast<std::ptrdiff_t>(m_state.sweep) + step + count) % count;
        m_sweepId = m_state.sweeps[static_cast<std::size_t>(next)].id;
        m_trace = ObjectiveTrace();
        m_state.selected = m_state.top = 0;
        m_state.showsDetails = false;
    }

    void readKeys()
    {
        while (const std::optional<Key> key = m_terminal.key())
            press(*key);
        draw();
    }

    void press(Key key)
    {
        const auto height = static_cast<std::ptrdiff_t>(m_terminal.size().height);
        const auto move = [&](std::ptrdiff_t rows) { moveSelection(m_state, rows, m_terminal.size().height); };
        constexpr std::ptrdiff_t far = 1'000'000'000;
        switch (key) {
        case Key::Down:
            return move(1);
        case Key::Up:
            return move(-1);
        case Key::PageDown:
            return move(height / 2);
        case Key::PageUp:
            return move(-height / 2);
        case Key::First:
            return move(-far);
        case Key::Last:
            return move(far);
        case Key::NextSweep:
            return showSweep(1);
        case Key::PreviousSweep:
            return showSweep(-1);
        case Key::Order:
            m_state.order = m_state.order == WatchOrder::ByState    ? WatchOrder::ByResult
                            : m_state.order == WatchOrder::ByResult ? WatchOrder::ByNumber
                                                                    : WatchOrder::ByState;
            return move(-far);
        case Key::Details:
            m_state.showsDetails = !m_state.showsDetails;
            return;
        case Key::Help:
            m_state.showsHelp = !m_state.showsHelp;
            return;
        case Key::Leave:
            if (!m_state.showsHelp && !m_state.showsDetails)
                return QCoreApplication::quit();
            m_state.showsHelp = m_state.showsDetails = false;
            return;
        }
    }

    protocol::EngineClient &m_client;
    std::int64_t m_sweepId;
    WatchState m_state;
    ObjectiveTrace m_trace;
    Terminal m_terminal;
    QSocketNotifier m_input{STDIN_FILENO, QSocketNotifier::Read};
    QTimer m_draw;
    QTimer m_clock;
};

int watch(const WatchOptions &options)
{
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) {
        std::cerr << "sweepctl watch needs a terminal; over ssh use ssh -t, and in scripts sweepctl status --json\n";
        return badInput;
    }
    protocol::EngineClient client;
    if (!client.connectAndWait(QString::fromStdString(options.workspace), true, engineStartTimeoutMs)) {
        std::cerr << client.errorText().toStdString() << '\n';
        return noEngine;
    }
    if (client.sweeps().empty()) {
        std::cerr << "no sweeps yet: start one with sweepctl run FILE\n";
        return badInput;
    }
    std::int64_t sweepId = client.sweeps().back().id;
    if (!options.sweep.empty()) {
        const Expected<const sweep::SweepRecord *> found =
            selectSweep(client.sweeps(), options.sweep, Wanted::NotEnded);
        if (!found) {
            std::cerr << found.error().message << '\n';
            return badInput;
        }
        sweepId = (*found)->id;
    }
    TerminationSignals signals;
    QObject::connect(&signals, &TerminationSignals::received, qApp, &QCoreApplication::quit);
    const SweepScreen screen(client, sweepId);
    return QCoreApplication::exec();
}

}  // namespace

Subcommand makeWatchCommand(CLI::App &app)
{
    auto options = std::make_shared<WatchOptions>();
    CLI::App *command = app.add_subcommand("watch", "Watch a sweep in the terminal");
    command->add_option("SWEEP", options->sweep, "Id, name or folder of the sweep; default: the newest");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Shows progress, the best trial, and a row per trial with its objective over time since watch started.\n"
        "Press h for the keys. q leaves; the sweep continues.\n"
        "\n"
        "Examples:\n"
        "  sweepctl watch\n"
        "  sweepctl --host ann@gpu1 watch digits-mlp");
    return {command, [options] { return watch(*options); }};
}

}  // namespace sweepscope::ctl
