#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

namespace sweepscope::exporting {

/// RFC 4180: CRLF, fields with comma, quote, CR or LF are quoted, quotes doubled. endRow() ends a row.
class CsvWriter {
public:
    explicit CsvWriter(std::ostream &out) : m_out(out) {}
    /// UTF-8; what is not, and control characters but tabs and line ends, is replaced.
    void field(std::string_view text);
    void field(const char *text) { field(std::string_view(text)); }
    void field(double value);  ///< shortest text that reads back the same; nan, inf, -inf
    void field(std::int64_t value);
    void field(std::uint64_t value);
    void emptyField();
    void endRow();

private:
    void separate();
    std::ostream &m_out;
    bool m_atRowStart = true;
};

}  // namespace sweepscope::exporting
