#pragma once

#include "base/error.h"
#include "facts/fact.h"

#include <QCborArray>
#include <QCborMap>
#include <QString>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::protocol {

inline constexpr qint64 maxInt = std::numeric_limits<int>::max();

QString text(const std::string &utf8);
QCborArray texts(const std::vector<std::string> &list);
/// Encodes a fact's JSON as CBOR: {"code": "rank_exited", "rank": 1, …}; empty for none.
QCborMap toCbor(const facts::Fact &fact);
QCborArray toCbor(const facts::Facts &facts);

/// Reads the fields of an untrusted CBOR map. Keeps the first error and continues with harmless values; the caller
/// checks error() once, at the end.
class CborFields {
public:
    /// `what` names the message in sentences: "a trial".
    CborFields(const QCborValue &untrusted, const char *what);

    qint64 integer(const char *key, qint64 low = std::numeric_limits<qint64>::min(),
                   qint64 high = std::numeric_limits<qint64>::max());
    std::optional<qint64> optionalInteger(const char *key);
    double number(const char *key);
    bool boolean(const char *key);
    QString text(const char *key);
    std::string utf8(const char *key) { return text(key).toStdString(); }
    /// Returns an empty array if the key is missing.
    QCborArray optionalArray(const char *key);
    std::vector<std::string> optionalTexts(const char *key);
    /// Returns None if the key is missing. A code of a newer engine becomes Code::Unknown.
    facts::Fact fact(const char *key);
    facts::Facts facts(const char *key);
    QCborValue value(const char *key) const;

    void fail(const std::string &problem);
    const std::optional<Error> &error() const { return m_error; }

private:
    QCborMap m_map;
    std::string m_what;
    std::optional<Error> m_error;
};

}  // namespace sweepscope::protocol
