#pragma once

#include "protocol/engineclient.h"
#include "ui/models/newestjob.h"

#include <QObject>
#include <QString>

#include <optional>

namespace sweepscope::ui {

/// The value that a batch-size probe suggests for its parameter.
struct ProbeSuggestion {
    QString parameter;
    double value = 0;

    QString text() const;  ///< "batch size 1024"
    bool operator==(const ProbeSuggestion &) const = default;
};

/// Reads what a probe suggests, on a thread, once all of its trials have ended.
class ProbeReader : public QObject {
    Q_OBJECT

public:
    explicit ProbeReader(protocol::EngineClient *client, QObject *parent = nullptr);

    /// A sweep that is no probe, and 0, have no suggestion.
    void setSweep(qint64 sweepId);
    const std::optional<ProbeSuggestion> &suggestion() const { return m_suggestion; }

Q_SIGNALS:
    void changed();

private:
    void read();
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion);

    protocol::EngineClient *m_client;
    qint64 m_sweepId = 0;
    bool m_isRead = false;  ///< or being read
    std::optional<ProbeSuggestion> m_suggestion;
    NewestJob m_job;
};

}  // namespace sweepscope::ui
