#include "exporting/csv.h"

#include <array>
#include <charconv>
#include <cmath>

namespace sweepscope::exporting {

namespace {

template <typename Number>
void writeNumber(std::ostream &out, Number value)
{
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    out.write(buffer.data(), end - buffer.data());
}

}  // namespace

void CsvWriter::separate()
{
    if (!m_atRowStart)
        m_out.put(',');
    m_atRowStart = false;
}

void CsvWriter::field(std::string_view text)
{
    separate();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        m_out.write(text.data(), static_cast<std::streamsize>(text.size()));
        return;
    }
    m_out.put('"');
    for (const char c : text) {
        if (c == '"')
            m_out.put('"');
        m_out.put(c);
    }
    m_out.put('"');
}

void CsvWriter::field(double value)
{
    separate();
    if (std::isnan(value))
        m_out.write("nan", 3);  // whatever its sign bit
    else
        writeNumber(m_out, value);
}

void CsvWriter::field(std::int64_t value)
{
    separate();
    writeNumber(m_out, value);
}

void CsvWriter::field(std::uint64_t value)
{
    separate();
    writeNumber(m_out, value);
}

void CsvWriter::emptyField()
{
    separate();
}

void CsvWriter::endRow()
{
    m_out.write("\r\n", 2);
    m_atRowStart = true;
}

}  // namespace sweepscope::exporting
