#include "temporaryfolder.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <zlib.h>

namespace sweepscope {

TemporaryFolder::TemporaryFolder()
{
    std::string pattern = (std::filesystem::temp_directory_path() / "tst_train.XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code error;
    std::filesystem::remove_all(m_path, error);
}

std::filesystem::path TemporaryFolder::write(const std::string &name, const std::vector<std::uint8_t> &bytes) const
{
    return writeText(name, std::string(bytes.begin(), bytes.end()));
}

std::filesystem::path TemporaryFolder::writeText(const std::string &name, const std::string &text) const
{
    std::filesystem::path file = m_path / name;
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    REQUIRE(stream.good());
    return file;
}

std::filesystem::path TemporaryFolder::writeGzipped(const std::string &name, const std::vector<std::uint8_t> &bytes,
                                                    std::uint64_t keepBytes) const
{
    std::filesystem::path file = m_path / name;
    gzFile stream = gzopen(file.c_str(), "wbe");
    REQUIRE(stream != nullptr);
    REQUIRE(gzwrite(stream, bytes.data(), static_cast<unsigned>(bytes.size())) == static_cast<int>(bytes.size()));
    REQUIRE(gzclose(stream) == Z_OK);
    if (keepBytes > 0)
        std::filesystem::resize_file(file, keepBytes);
    return file;
}

}  // namespace sweepscope
