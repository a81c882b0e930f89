#pragma once

#include <QByteArray>

#include <cstddef>
#include <cstdint>
#include <deque>

namespace sweepscope::engine {

/// The last answers to requests, by client and job: a client whose connection broke sends its unanswered requests again.
class Answers {
public:
    /// The message that answered it, encoded, or null.
    const QByteArray *find(std::uint64_t client, std::uint64_t job) const;
    void add(std::uint64_t client, std::uint64_t job, QByteArray payload);

    static constexpr std::size_t most = 1000;

private:
    struct Answer {
        std::uint64_t client;
        std::uint64_t job;
        QByteArray payload;
    };
    std::deque<Answer> m_answers;
};

}  // namespace sweepscope::engine
