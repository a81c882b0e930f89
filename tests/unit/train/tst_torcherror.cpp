#include "train/torcherror.h"

#include <doctest/doctest.h>
#include <new>
#include <stdexcept>
#include <torch/script.h>
#include <torch/torch.h>

using namespace sweepscope::train;

TEST_CASE("torchErrorsAreOneLine")
{
    CHECK(torchSentence("mat1 and mat2 cannot be multiplied\nframe #0: …") == "mat1 and mat2 cannot be multiplied");
    CHECK(sentenceOf(std::runtime_error("one\ntwo")) == "one");
    CHECK(sentenceOf(std::bad_alloc()).find("out of memory (std::bad_alloc); use a smaller batch_size") == 0);
    CHECK(isOutOfMemory(std::runtime_error("CUDA out of memory. Tried to allocate 20.00 MiB")));
    CHECK_FALSE(isOutOfMemory(std::runtime_error("no memory of it")));
}

TEST_CASE("torchScriptErrorsNameTheInnermostErrorAndItsPlace")
{
    const std::string traceback = "The following operation failed in the TorchScript interpreter.\n"
                                  "Traceback of TorchScript, serialized code (most recent call last):\n"
                                  "  File \"code/__torch__.py\", line 12, in forward\n"
                                  "    return torch.linear(x)\n"
                                  "           ~~~~~~~~~~~~ <--- HERE\n"
                                  "\n"
                                  "Traceback of TorchScript, original code (most recent call last):\n"
                                  "  File \"net.py\", line 8, in forward\n"
                                  "    return self.fc(x)\n"
                                  "           ~~~~~~~ <--- HERE\n"
                                  "RuntimeError: shapes cannot be multiplied\n"
                                  "Exception raised from addmm\n";
    CHECK(torchSentence(traceback) == "shapes cannot be multiplied (net.py, line 8)");
    CHECK(torchSentence("The following operation failed in the TorchScript interpreter.\nand no more")
          == "The following operation failed in the TorchScript interpreter.");

    torch::jit::Module module("net");
    module.define("def forward(self, x):\n    return torch.mm(x, torch.ones([3, 4]))\n");
    std::string sentence;
    try {
        module.forward({torch::ones({2, 2})});
    } catch (const std::exception &error) {
        sentence = sentenceOf(error);
    }
    CHECK(sentence.find("mat1 and mat2 shapes cannot be multiplied") != std::string::npos);
    CHECK(sentence.find('\n') == std::string::npos);
}
