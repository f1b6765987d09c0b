#include <cuda_fp16.h>
#include <mma.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

namespace {

using namespace nvcuda;
constexpr int kTile = 64;         // rows and columns of the result that a block computes
constexpr int kDepth = 32;
constexpr int kPitch = kDepth + 8;   // keeps 16-byte alignment and spreads rows over the banks
constexpr int kThreads = 128;        // four warps, each a quarter of the tile

/// Rows of a matrix from `first` on; what lies beyond its end is zero.
__device__ void loadTile(half (*tile)[kPitch], const half* matrix, int64_t first, int64_t rows, int64_t depth, int64_t start)
{
    for (int i = threadIdx.x; i < kTile * kDepth / 8; i += kThreads) {
        const int row = i / (kDepth / 8);
        const int column = i % (kDepth / 8) * 8;
        uint4 values{0, 0, 0, 0};
        if (first + row < rows) values = *reinterpret_cast<const uint4*>(matrix + (first + row) * depth + start + column);
        *reinterpret_cast<uint4*>(&tile[row][column]) = values;
    }
}

/// C = A · Bᵀ with sums in float32; depth must be a multiple of 32.
__global__ void multiply(const half* a, const half* b, half* c, int64_t rows, int64_t columns, int64_t depth)
{
    __shared__ alignas(16) half left[kTile][kPitch];
    __shared__ alignas(16) half right[kTile][kPitch];
    __shared__ float result[kTile][kTile + 4];
    const int64_t row = int64_t{blockIdx.y} * kTile;
    const int64_t column = int64_t{blockIdx.x} * kTile;
    const int warp = threadIdx.x / 32;
    const int top = warp / 2 * 32;
    const int side = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (auto& line : sums) {
        for (auto& sum : line) wmma::fill_fragment(sum, 0.0F);
    }
    for (int64_t start = 0; start < depth; start += kDepth) {
        loadTile(left, a, row, rows, depth, start);
        loadTile(right, b, column, columns, depth, start);
        __syncthreads();
        for (int k = 0; k < kDepth; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(x[i], &left[top + 16 * i][k], kPitch);
                wmma::load_matrix_sync(y[i], &right[side + 16 * i][k], kPitch);
            }
            for (int i = 0; i < 2; ++i) {
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], x[i], y[j], sums[i][j]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) wmma::store_matrix_sync(&result[top + 16 * i][side + 16 * j], sums[i][j], kTile + 4, wmma::mem_row_major);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
        const int64_t line = row + i / kTile;
        const int64_t place = column + i % kTile;
        if (line < rows && place < columns) c[line * columns + place] = __float2half(result[i / kTile][i % kTile]);
    }
}

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b, tvm::ffi::TensorView c)
{
    const DLDevice device = a.device();
    auto* stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
    const dim3 grid(static_cast<unsigned>((b.size(0) + kTile - 1) / kTile), static_cast<unsigned>((a.size(0) + kTile - 1) / kTile));
    multiply<<<grid, kThreads, 0, stream>>>(static_cast<const half*>(a.data_ptr()), static_cast<const half*>(b.data_ptr()),
                                            static_cast<half*>(c.data_ptr()), a.size(0), b.size(0), a.size(1));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
