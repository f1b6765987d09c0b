import triton
import triton.language as tl


@triton.jit
def twice(x, y, count, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + place, 2 * tl.load(x + place, mask=place < count) @ undefined_name, mask=place < count)


def run(x, y):
    twice[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
