# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest's part for GPUs: the library that native hosts use, too (core/judge/cuda_host), through ctypes. Stands before
tracedeck_guest.py in one text and uses its names."""
import ctypes


class CallTimes(ctypes.Structure):
    _fields_ = [("span", ctypes.c_double), ("sum", ctypes.c_double), ("activities", ctypes.c_uint32), ("queued", ctypes.c_uint32)]


class DeviceBlock:
    """Device memory as torch takes it without a copy."""

    def __init__(self, address, size):
        self.__cuda_array_interface__ = {"data": (address, False), "shape": (size,), "typestr": "|u1", "strides": None, "version": 3}


class Gpu:
    def __init__(self, settings, page_address, page_bytes):
        self.library = library = ctypes.CDLL(settings["library"])
        for name in ("method", "note", "error"):
            getattr(library, "tracedeck_cuda_" + name).restype = ctypes.c_char_p
        library.tracedeck_cuda_stream.restype = ctypes.c_void_p
        library.tracedeck_cuda_export.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_int))
        library.tracedeck_cuda_map.argtypes = (ctypes.c_int, ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p))
        # CUPTI first: it must be there before the context is made.
        if library.tracedeck_cuda_open(ctypes.c_void_p(page_address), ctypes.c_size_t(page_bytes), settings["cupti"].encode(),
                                       ctypes.c_size_t(settings["evict"])) != 0:
            raise LoadError("the GPU can't be used: " + self.reason())
        self.method = library.tracedeck_cuda_method().decode()
        self.note = library.tracedeck_cuda_note().decode()
        if not torch.cuda.is_available():
            raise LoadError("this PyTorch (%s) can't use the GPU; `tracedeck doctor` says how to get one that can" % torch.__version__)
        torch.cuda.init()
        torch.cuda.set_device(0)
        torch.cuda.set_stream(torch.cuda.ExternalStream(library.tracedeck_cuda_stream(), device=torch.device("cuda", 0)))
        self.evicts = library.tracedeck_cuda_evicts() != 0
        self.slot = ctypes.c_uint32()

    def reason(self):
        return self.library.tracedeck_cuda_error().decode("utf-8", "replace")

    def check(self, failure):
        if failure != 0:
            raise CallError("CUDA error in " + self.reason())

    def map(self, descriptor, block, offsets, size):
        """The bytes of one shared buffer, as a tensor for each of its slots."""
        address = ctypes.c_void_p()
        if self.library.tracedeck_cuda_map(descriptor, block, ctypes.byref(address)) != 0:
            raise LoadError("a buffer can't be mapped: " + self.reason())
        return [torch.as_tensor(DeviceBlock(address.value + offset, size), device="cuda") for offset in offsets]

    def unmap_all(self):
        self.check(self.library.tracedeck_cuda_unmap_all())

    def export(self, tensor):
        """A descriptor of a copy that the judge can import."""
        contents = tensor.contiguous()
        descriptor = ctypes.c_int(-1)
        self.check(self.library.tracedeck_cuda_export(contents.data_ptr(), contents.numel() * contents.element_size(), ctypes.byref(descriptor)))
        return descriptor.value

    def begin(self, calls):
        self.check(self.library.tracedeck_cuda_begin(calls))

    def next(self):
        """Waits for a call; the slot that it works on."""
        self.check(self.library.tracedeck_cuda_next(ctypes.byref(self.slot)))
        return self.slot.value

    def returned(self, has_copies):
        self.check(self.library.tracedeck_cuda_returned(1 if has_copies else 0))

    def done(self, fits):
        self.check(self.library.tracedeck_cuda_done(1 if fits else 0))

    def failed(self):
        self.library.tracedeck_cuda_failed()

    def synchronise(self):
        self.check(self.library.tracedeck_cuda_synchronise())

    def end(self, calls):
        times = (CallTimes * calls)()
        count = self.library.tracedeck_cuda_end(times, calls)
        if count < 0:
            raise CallError("CUDA error in " + self.reason())
        return [[round(times[i].span, 1), round(times[i].sum, 1), times[i].activities, times[i].queued] for i in range(count)]


def loaded_cupti():
    """Where CUPTI was loaded from with torch, or an empty text: two copies in a process get in each other's way."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            path = line.rstrip("\n").partition("/")[2]
            if "libcupti.so" in path:
                return "/" + path
    return ""
