#include "train/data/dataset.h"

#include "parsedsettings.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <fstream>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

std::string rawBytes(const torch::Tensor &tensor)
{
    return {static_cast<const char *>(tensor.data_ptr()), tensor.nbytes()};
}

void storeBytes(const std::filesystem::path &path, const std::string &content)
{
    std::ofstream(path, std::ios::binary) << content;
}

void storeSafetensors(const std::filesystem::path &path, const std::string &header, const std::string &values)
{
    std::string length(8, '\0');
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>(header.size() >> (8 * i));
    storeBytes(path, length + header + values);
}

void storeNpy(const std::filesystem::path &path, const std::string &type, const std::string &shape,
              const torch::Tensor &values)
{
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(118, ' ');  // so that the values are aligned
    storeBytes(path, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + rawBytes(values));
}

const torch::Tensor tableInputs = torch::arange(300, torch::kFloat32).view({100, 3}).sin();
const torch::Tensor tableClasses = torch::arange(100, torch::kInt64).remainder(4);

TrialData loadData(const std::vector<std::string> &assignments)
{
    const Expected<TrialData> data = loadTrialData(settings(assignments));
    REQUIRE_MESSAGE(data.has_value(), (data ? "" : data.error().message));
    return *data;
}

std::string whyNot(const std::vector<std::string> &assignments)
{
    const Expected<TrialData> data = loadTrialData(settings(assignments));
    return data ? "" : data.error().message;
}

void compareData(const TrialData &inMemory, const TrialData &mapped)
{
    CHECK_FALSE(inMemory.train.rows.defined());
    REQUIRE(mapped.train.rows.defined());
    for (const auto &[one, other] :
         {std::pair(inMemory.train, mapped.train), std::pair(inMemory.validation, mapped.validation),
          std::pair(inMemory.test, mapped.test)}) {
        const torch::Tensor order = torch::randperm(one.size(), torch::kInt64);
        REQUIRE(one.size() == other.size());
        CHECK(one.select(order).inputs.equal(other.select(order).inputs));
        CHECK(one.select(order).targets.equal(other.select(order).targets));
    }
    CHECK(inMemory.normalisation.mean.allclose(mapped.normalisation.mean, 1e-6, 1e-6));
    CHECK(inMemory.normalisation.deviation.allclose(mapped.normalisation.deviation, 1e-6, 1e-6));
    CHECK(inMemory.outputs == mapped.outputs);
}

}  // namespace

TEST_CASE("mappedArraysAreTheSameData")
{
    const TemporaryFolder folder;
    const std::string targets = "target_file=" + (folder.path() / "t.npy").string();
    storeNpy(folder.path() / "t.npy", "<i8", "(100,)", tableClasses);
    const auto of = [&](const std::string &name, const char *inMemory) {
        return std::vector<std::string>{"dataset=npy", "data_file=" + (folder.path() / name).string(), targets,
                                        std::string("in_memory=") + inMemory};
    };
    storeNpy(folder.path() / "x.npy", "<f4", "(100, 3)", tableInputs);
    compareData(loadData(of("x.npy", "true")), loadData(of("x.npy", "false")));
    const torch::Tensor images = torch::arange(100 * 3 * 4 * 4, torch::kInt64).remainder(251).to(torch::kUInt8);
    storeNpy(folder.path() / "i.npy", "|u1", "(100, 3, 4, 4)", images);
    compareData(loadData(of("i.npy", "true")), loadData(of("i.npy", "false")));

    storeNpy(folder.path() / "d.npy", "<f8", "(100, 3)", tableInputs.to(torch::kFloat64));
    CHECK(whyNot(of("d.npy", "false")).find("in_memory = false needs inputs of float32") != std::string::npos);
    torch::Tensor bad = tableInputs.clone();
    bad.fill_(std::numeric_limits<float>::quiet_NaN());
    storeNpy(folder.path() / "n.npy", "<f4", "(100, 3)", bad);
    CHECK(whyNot(of("n.npy", "false")).find("some inputs are not finite") != std::string::npos);
    auto part = of("x.npy", "false");
    part.emplace_back("sampling=contiguous");
    CHECK(whyNot(part).find("in_memory: sampling = contiguous") == 0);
    CHECK(whyNot({"dataset=digits", "in_memory=false"}).find("in_memory: dataset digits is always in memory") == 0);
}

TEST_CASE("safetensorsAreReadAndMapped")
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "data.safetensors";
    const auto of = [&](const char *inMemory) {
        return std::vector<std::string>{"dataset=safetensors", "data_file=" + path.string(),
                                        std::string("in_memory=") + inMemory};
    };
    std::string header =
        R"({"__metadata__": {"by": "me"}, "targets": {"dtype": "I64", "shape": [100], "data_offsets": [0, 800]}, )"
        R"("inputs": {"dtype": "F32", "shape": [100, 3], "data_offsets": [800, 2000]}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::string values = rawBytes(tableClasses) + rawBytes(tableInputs);
    storeSafetensors(path, header, values);
    compareData(loadData(of("true")), loadData(of("false")));

    const auto changed = [&](const std::string &from, const std::string &to) {
        std::string other = header;
        other.replace(other.find(from), from.size(), to);
        storeSafetensors(path, other, values);
        CHECK(whyNot(of("true")) == whyNot(of("false")));
        return whyNot(of("true"));
    };
    CHECK(changed("[800, 2000]", "[800, 9000]").find("does not describe the whole file") != std::string::npos);
    CHECK(changed("[800, 2000]", "[900, 2000]").find("does not describe the whole file") != std::string::npos);
    CHECK(changed("[800, 2000]", "[2000, 800]").find("does not describe the whole file") != std::string::npos);
    CHECK(changed("[100, 3]", "[100, -3]").find("do not match its shape") != std::string::npos);
    CHECK(changed("[100, 3]", "[9223372036854775807, 9223372036854775807]").find("do not match its shape")
          != std::string::npos);
    CHECK(changed("[100, 3]", "[\"a\"]").find("does not describe inputs") != std::string::npos);
    CHECK(changed("\"F32\"", "\"F8_E4M3\"").find("values of type F8_E4M3") != std::string::npos);
    CHECK(changed("\"inputs\"", "\"images\"").find("expected the tensors") != std::string::npos);
    CHECK(changed("{\"__meta", "\"__meta").find("header is damaged") != std::string::npos);
    CHECK(changed("[800, 2000]", "[700, 1900]").find("does not describe the whole file")
          != std::string::npos);  // overlap
    for (const std::string &content : {std::string(), std::string("short"), std::string(8, '\xff')}) {
        storeBytes(path, content);
        CHECK(whyNot(of("false")).find("is not a safetensors file") != std::string::npos);
    }
}
