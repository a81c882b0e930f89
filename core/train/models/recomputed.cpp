#include "train/models/recomputed.h"

#include "train/autocast.h"
#include "train/randomstate.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Puts random generators and the layer's buffers back where they were.
class Restored {
public:
    Restored(torch::nn::Module &layer, torch::Device device)
        : m_devices{device}, m_random(randomState(m_devices)), m_buffers(layer.buffers())
    {
        const torch::NoGradGuard noGrad;
        for (const torch::Tensor &buffer : m_buffers)
            m_values.push_back(buffer.clone());
    }
    ~Restored()
    {
        const torch::NoGradGuard noGrad;
        setRandomState(m_random, m_devices);
        for (std::size_t i = 0; i < m_buffers.size(); ++i)
            m_buffers[i].copy_(m_values[i]);
    }
    Restored(const Restored &) = delete;
    Restored &operator=(const Restored &) = delete;

private:
    std::vector<torch::Device> m_devices;
    torch::Tensor m_random;
    std::vector<torch::Tensor> m_buffers;
    std::vector<torch::Tensor> m_values;
};

class Recomputed : public torch::autograd::Function<Recomputed> {
public:
    /// `anchor` needs a gradient, so that the result does.
    static torch::Tensor forward(torch::autograd::AutogradContext *context, const torch::Tensor &input,
                                 const torch::Tensor &, torch::nn::AnyModule *layer, torch::Device device, bool bf16)
    {
        context->save_for_backward({input});
        context->saved_data["random"] = randomState({device});
        context->saved_data["layer"] = reinterpret_cast<std::int64_t>(layer);
        context->saved_data["device"] = device;
        context->saved_data["bf16"] = bf16;
        return layer->forward(input);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context,
                                                   const torch::autograd::variable_list &gradients)
    {
        auto &layer = *reinterpret_cast<torch::nn::AnyModule *>(context->saved_data["layer"].toInt());
        const torch::Device device = context->saved_data["device"].toDevice();
        const torch::Tensor saved = context->get_saved_variables()[0];
        torch::Tensor input = saved.detach();
        if (saved.is_floating_point())
            input.requires_grad_();
        const Restored restored(*layer.ptr(), device);
        setRandomState(context->saved_data["random"].toTensor(), {device});
        const torch::AutoGradMode enabled(true);
        torch::Tensor output;
        {
            const Bf16Autocast autocast(context->saved_data["bf16"].toBool(), device);
            output = layer.forward(input);
        }
        torch::autograd::backward({output}, {gradients[0]});
        return {input.grad(), {}, {}, {}, {}};
    }
};

}  // namespace

torch::Tensor forwardRecomputed(torch::nn::AnyModule &layer, const torch::Tensor &input, torch::Device device,
                                bool bf16)
{
    if (!torch::GradMode::is_enabled())
        return layer.forward(input);
    // Not one of the layer's own: those would seem to get their gradient twice.
    const torch::Tensor anchor = torch::zeros({}, input.options().dtype(torch::kFloat32)).requires_grad_();
    return Recomputed::apply(input, anchor, &layer, device, bf16);
}

}  // namespace sweepscope::train
