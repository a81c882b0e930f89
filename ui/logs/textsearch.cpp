#include "ui/logs/textsearch.h"

#include "ui/logs/linematches.h"

#include <QTextBlock>
#include <QTextDocument>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr qint64 longestSearchMs = 10'000;

}  // namespace

TextSearch::TextSearch(QObject *parent) : QObject(parent)
{
    m_slice.setSingleShot(true);
    m_slice.setInterval(0);
    connect(&m_slice, &QTimer::timeout, this, &TextSearch::searchOn);
}

void TextSearch::start(Request request)
{
    m_next = request.from;
    m_wrapped = false;
    m_clock.start();
    m_request = std::move(request);
    searchOn();
}

void TextSearch::searchOn()
{
    if (!m_request)
        return;
    const Request &request = *m_request;
    const QTextDocument *document = m_next.document();
    const double begin = threadCpuMs();
    double last = begin;
    QTextBlock block = m_next.block();
    qsizetype position = m_next.positionInBlock();
    while (last - begin < searchSliceMs) {
        if (!request.isSkipped(block.blockNumber())) {
            const QString all = block.text();
            const int prefix = request.prefixLength(all);
            const QString text = prefix > 0 ? all.mid(prefix) : all;
            const QRegularExpressionMatch match =
                findMatch(request.pattern, text, std::max<qsizetype>(0, position - prefix), request.forward);
            if (match.hasMatch()) {
                QTextCursor hit(block);
                hit.setPosition(block.position() + prefix + static_cast<int>(match.capturedStart()));
                hit.setPosition(block.position() + prefix + static_cast<int>(match.capturedEnd()),
                                QTextCursor::KeepAnchor);
                finish({hit, m_wrapped, false});
                return;
            }
            const double now = threadCpuMs();
            if (takesTooLong(request.pattern, text, now - last) || m_clock.elapsed() > longestSearchMs) {
                finish({{}, false, true});
                return;
            }
            last = now;
        }
        // The first block is searched again for hits on the other side of the cursor.
        const bool isRound = m_wrapped && block == request.from.block();
        block = request.forward ? block.next() : block.previous();
        if (!block.isValid() && request.mayWrap && !m_wrapped) {
            m_wrapped = true;
            block = request.forward ? document->firstBlock() : document->lastBlock();
        }
        if (isRound || !block.isValid()) {
            finish({{}, m_wrapped, false});
            return;
        }
        position = request.forward ? 0 : block.length() - 1;
    }
    // Lines may be added and removed until the next turn: the cursor moves with its text.
    m_next.setPosition(block.position() + static_cast<int>(position));
    m_slice.start();
}

void TextSearch::finish(const Result &result)
{
    const auto answer = std::move(m_request->answer);
    m_request.reset();
    answer(result);
}

}  // namespace sweepscope::ui
