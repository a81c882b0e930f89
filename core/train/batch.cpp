#include "train/batch.h"

#include "sweep/splitmix.h"
#include "train/data/augment.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

torch::Tensor augmented(const torch::Tensor &images, const torch::Tensor &indices, const Augmentation &augmentation)
{
    torch::Tensor changed = torch::empty_like(images);
    const ImageSize size{images.size(1), images.size(2), images.size(3)};
    const torch::Tensor places = indices.contiguous();
    for (std::int64_t i = 0; i < images.size(0); ++i) {
        const ImageChange change =
            drawChange(augmentation, size, static_cast<std::uint64_t>(places.data_ptr<std::int64_t>()[i]));
        changeImage(images.data_ptr<std::uint8_t>() + i * size.pixels(),
                    changed.data_ptr<std::uint8_t>() + i * size.pixels(), size, change);
    }
    return changed;
}

}  // namespace

BatchMaker::BatchMaker(SampleKind kind, const Normalisation &normalisation, torch::Device device, bool channelsLast)
    : m_kind(kind), m_normalisation(normalisation), m_device(device), m_channelsLast(channelsLast)
{
    if (m_kind != SampleKind::Tokens) {
        m_normalisation.mean = m_normalisation.mean.to(device);
        m_normalisation.deviation = m_normalisation.deviation.to(device);
    }
}

Batch BatchMaker::make(const Samples &from, const torch::Tensor &indices,
                       const std::optional<Augmentation> &augmentation) const
{
    Samples rows = from.select(indices);
    if (augmentation && m_kind == SampleKind::Image)
        rows.inputs = augmented(rows.inputs, indices, *augmentation);
    if (m_device.is_cuda() && rows.inputs.is_cpu())
        rows = {rows.inputs.pin_memory(), rows.targets.pin_memory()};
    Batch batch{rows.inputs.to(m_device, /*non_blocking=*/true), rows.targets.to(m_device, /*non_blocking=*/true)};
    if (m_kind == SampleKind::Image)
        batch.inputs =
            batch.inputs.to(torch::kFloat32, /*non_blocking=*/false, /*copy=*/false,
                            m_channelsLast ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Preserve);
    if (m_kind != SampleKind::Tokens)
        batch.inputs.sub_(m_normalisation.mean).div_(m_normalisation.deviation);
    return batch;
}

}  // namespace sweepscope::train
