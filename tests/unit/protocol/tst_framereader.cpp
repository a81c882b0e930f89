#include "protocol/framereader.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::protocol;

class FrameReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void framesAreFoundInChunksOfAnySize()
    {
        const QByteArray stream = frame("one") + frame("2") + frame(QByteArray(70'000, 'x'));
        for (const qsizetype piece : {qsizetype(1), qsizetype(3), qsizetype(4096), stream.size()}) {
            FrameReader reader;
            QList<QByteArray> found;
            for (qsizetype at = 0; at < stream.size(); at += piece) {
                reader.append(stream.mid(at, piece));
                for (;;) {
                    const auto payload = reader.next();
                    QVERIFY(payload.has_value());
                    if (!*payload)
                        break;
                    found.append(**payload);
                }
            }
            QCOMPARE(found, (QList<QByteArray>{"one", "2", QByteArray(70'000, 'x')}));
        }
    }

    void hugeFrameIsRefusedBeforeItArrives()
    {
        FrameReader reader;
        reader.append(QByteArray::fromHex("00800001"));  // 8 MiB plus one byte
        const auto payload = reader.next();
        QVERIFY(!payload.has_value());
        QCOMPARE(payload.error().code, ErrorCode::Corrupt);
    }

    void emptyFrameIsRefused()
    {
        FrameReader reader;
        reader.append(QByteArray(4, '\0'));
        QVERIFY(!reader.next().has_value());
    }
};

QTEST_GUILESS_MAIN(FrameReaderTest)
#include "tst_framereader.moc"
