// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Marks functions that both the CPU's loops and the CUDA kernels run, so that both give the same bits.
#if defined(__CUDACC__)
#define TRACEDECK_HOST_DEVICE __host__ __device__
#define TRACEDECK_INLINE __forceinline__
#else
#define TRACEDECK_HOST_DEVICE
#define TRACEDECK_INLINE inline __attribute__((always_inline))
#endif
