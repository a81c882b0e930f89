#include "enginerequest.h"

#include "enginepatience.h"
#include "exitcode.h"
#include "storedsweeps.h"

#include "protocol/engineclient.h"

#include <QEventLoop>

#include <iostream>

namespace sweepscope::ctl {

namespace {

int request(protocol::EngineClient &client, const std::string &words, Wanted wanted, const SendRequest &send,
            const ReplyWords &replyWords)
{
    const Expected<const sweep::SweepRecord *> found = selectSweep(client.sweeps(), words, wanted);
    if (!found) {
        std::cerr << found.error().message << '\n';
        return badInput;
    }
    const std::string folder = (*found)->folder;
    int exitCode = noEngine;
    std::string answer;
    QEventLoop loop;
    const auto end = [&](int code, const QString &text) {
        exitCode = code;
        answer = text.toStdString();
        loop.quit();
    };
    QObject::connect(&client, &protocol::EngineClient::requestDone, &loop,
                     [&](quint64, const facts::Facts &reply) { end(good, QString::fromStdString(replyWords(reply))); });
    QObject::connect(&client, &protocol::EngineClient::requestFailed, &loop, [&](quint64, const facts::Fact &reason) {
        end(reason.code == facts::Code::NotAnswered ? noEngine : badInput,
            QString::fromStdString(wording::sentence(reason)));
    });
    QObject::connect(&client, &protocol::EngineClient::sweepRefused, &loop,
                     [&](quint64, const std::vector<sweep::Problem> &problems) {
                         std::string text;
                         for (const sweep::Problem &problem : problems)
                             text += (text.empty() ? "" : "\n") + sweep::describe(problem, {});
                         end(badInput, QString::fromStdString(text));
                     });
    const EnginePatience onBreak(client, "Reconnecting.", [&](const QString &reason) { end(noEngine, reason); });
    send(client, **found);
    loop.exec();
    if (exitCode != good)
        std::cerr << answer << '\n';
    else
        std::cout << folder << ": " << answer << '\n';
    return exitCode;
}

}  // namespace

int connectToKnownEngine(protocol::EngineClient &client, const std::string &workspace)
{
    if (const Expected<StoredSweeps> stored = StoredSweeps::open(workspace);
        !stored && stored.error().code == ErrorCode::NotFound) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    client.leaveOutTrials();
    if (!client.connectAndWait(QString::fromStdString(workspace), true, engineStartTimeoutMs)) {
        std::cerr << client.errorText().toStdString() << '\n';
        return noEngine;
    }
    return good;
}

int requestOfEngine(const std::string &workspace, const std::string &words, Wanted wanted, const SendRequest &send,
                    const ReplyWords &replyWords)
{
    protocol::EngineClient client;
    const int exitCode = connectToKnownEngine(client, workspace);
    return exitCode == good ? request(client, words, wanted, send, replyWords) : exitCode;
}

}  // namespace sweepscope::ctl
