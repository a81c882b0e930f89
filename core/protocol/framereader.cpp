#include "protocol/framereader.h"

#include <QtEndian>

namespace sweepscope::protocol {

namespace {
constexpr qsizetype lengthBytes = 4;
constexpr qsizetype compactBytes = 64 * 1024;
}  // namespace

Expected<std::optional<QByteArray>> FrameReader::next()
{
    const qsizetype available = m_buffer.size() - m_position;
    if (available < lengthBytes)
        return std::nullopt;
    const auto untrustedLength = qFromBigEndian<quint32>(m_buffer.constData() + m_position);
    if (untrustedLength == 0 || untrustedLength > maxFrameBytes)
        return makeError(ErrorCode::Corrupt, "the peer announced a message of " + std::to_string(untrustedLength)
                                                 + " bytes; it does not speak Sweepscope's protocol");
    const auto length = static_cast<qsizetype>(untrustedLength);
    if (available < lengthBytes + length)
        return std::nullopt;
    QByteArray payload = m_buffer.mid(m_position + lengthBytes, length);
    m_position += lengthBytes + length;
    if (m_position == m_buffer.size() || m_position > compactBytes) {
        m_buffer.remove(0, m_position);
        m_position = 0;
    }
    return payload;
}

void FrameReader::clear()
{
    m_buffer.clear();
    m_position = 0;
}

QByteArray frame(const QByteArray &payload)
{
    Q_ASSERT(!payload.isEmpty() && payload.size() <= static_cast<qsizetype>(maxFrameBytes));
    QByteArray framed(lengthBytes, Qt::Uninitialized);
    qToBigEndian(static_cast<quint32>(payload.size()), framed.data());
    framed.append(payload);
    return framed;
}

}  // namespace sweepscope::protocol
