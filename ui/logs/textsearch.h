#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QRegularExpression>
#include <QTextCursor>
#include <QTimer>

#include <functional>
#include <optional>

namespace sweepscope::ui {

/// Searches the blocks of a text document for a pattern. Works in slices, one per turn of the event loop; text may be
/// added and removed meanwhile.
class TextSearch : public QObject {
    Q_OBJECT

public:
    struct Result {
        QTextCursor hit;       ///< selects the hit; null if there is none
        bool wrapped = false;  ///< continued from the other end
        bool tooSlow = false;  ///< given up: the pattern takes too long
    };
    struct Request {
        QRegularExpression pattern;
        QTextCursor from;
        bool forward = true;
        bool mayWrap = false;  ///< continues from the other end, up to `from`
        /// Length of a block's prefix, which is not searched.
        std::function<int(const QString &text)> prefixLength;
        /// Whether a block is known to have no hit.
        std::function<bool(int block)> isSkipped;
        std::function<void(const Result &)> answer;
    };

    explicit TextSearch(QObject *parent = nullptr);

    /// May call the answer before it returns. Cancels a running search without an answer.
    void start(Request request);
    void cancel() { m_request.reset(); }

private:
    void searchOn();
    void finish(const Result &result);

    std::optional<Request> m_request;
    QTextCursor m_next;  ///< where to continue; moves with its text
    bool m_wrapped = false;
    QElapsedTimer m_clock;
    QTimer m_slice;
};

}  // namespace sweepscope::ui
