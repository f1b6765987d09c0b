# SPDX-License-Identifier: GPL-3.0-or-later
"""One call of a solution outside of any evaluation, for tools that look into a process: compute-sanitizer, Nsight Compute, CUPTI. Stands behind
tracedeck_guest.py in one text and uses its functions. Reads order.json in the folder that it is given, leaves result.json there. Nothing that it
says is a result."""


class Timeline:
    """CUPTI's records of this process, through the library that hosts use."""

    def __init__(self, settings):
        self.library = ctypes.CDLL(settings["library"])
        self.library.tracedeck_cuda_timeline_error.restype = ctypes.c_char_p
        self.library.tracedeck_cuda_timeline_take.argtypes = (ctypes.c_char_p, ctypes.c_size_t)
        self.library.tracedeck_cuda_timeline_take.restype = ctypes.c_longlong
        if self.library.tracedeck_cuda_timeline_open(settings["cupti"].encode()) != 0:
            raise LoadError("CUPTI can't be used: " + self.library.tracedeck_cuda_timeline_error().decode("utf-8", "replace"))

    def take(self):
        """The records since the last time, oldest first."""
        size = 1 << 20
        while True:
            text = ctypes.create_string_buffer(size)
            needed = self.library.tracedeck_cuda_timeline_take(text, size)
            if needed <= size:
                return json.loads(text.value.decode("utf-8", "replace"))
            size = needed


def solo_tensor(spec, folder, device):
    dtype = getattr(torch, spec["dtype"], None)
    if not isinstance(dtype, torch.dtype):
        raise LoadError("this PyTorch (%s) has no dtype %s" % (torch.__version__, spec["dtype"]))
    if "file" not in spec:
        return torch.empty(spec["shape"], dtype=dtype, device=device)
    with open(os.path.join(folder, spec["file"]), "rb") as file:
        content = bytearray(file.read())
    size = math.prod(spec["shape"])
    if not content or size == 0:
        return torch.empty(spec["shape"], dtype=dtype, device=device)
    raw = torch.frombuffer(content, dtype=torch.uint8).to(device)
    return raw.view(dtype)[:size].view(spec["shape"])


def solo_function(order):
    if "library" not in order:
        return Host("solution", False).import_entry(order)
    symbol = order["entry"].partition("::")[2]
    if order["symbol"].startswith("PyInit_"):
        return load_extension(order["library"], order["symbol"], symbol)
    import tvm_ffi
    return getattr(tvm_ffi.load_module(order["library"]), order["symbol"].removeprefix("__tvm_ffi_"))


def solo_calls(order, folder, result):
    """Calls the solution as often as wanted; the last call is the one that is looked at."""
    global torch
    timeline = Timeline(order["timeline"]) if order.get("timeline") else None
    import torch as imported
    torch = imported
    on_gpu = order["device"] == "cuda"
    if on_gpu and not torch.cuda.is_available():
        raise LoadError("this PyTorch (%s) can't use the GPU" % torch.__version__)
    device = torch.device("cuda" if on_gpu else "cpu")
    arguments = [solo_tensor(spec, folder, device) if "shape" in spec else scalar(spec["value"]) for spec in order["inputs"]]
    if order["style"] == "dps":
        arguments += [solo_tensor(spec, folder, device) for spec in order["outputs"]]
    function = solo_function(order)
    wait = torch.cuda.synchronize if on_gpu else lambda: None
    for call in range(order["calls"]):
        is_last = call == order["calls"] - 1
        wait()
        if is_last and timeline is not None:
            timeline.take()
        if is_last and on_gpu and order["profiled"]:
            torch.cuda.cudart().cudaProfilerStart()
        begin = time.perf_counter_ns()
        kept = function(*arguments)
        wait()
        result["nanoseconds"] = time.perf_counter_ns() - begin
        if is_last and on_gpu and order["profiled"]:
            torch.cuda.cudart().cudaProfilerStop()
        if is_last and timeline is not None:
            result["activities"] = timeline.take()
        del kept
        result["calls"] += 1


def solo_main(folder):
    sys.dont_write_bytecode = True
    with open(os.path.join(folder, "order.json"), encoding="utf-8") as file:
        order = json.load(file)
    scratch = order["scratch"]
    os.chdir(scratch)
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCH_EXTENSIONS_DIR", "TORCHINDUCTOR_CACHE_DIR"):
        os.environ[name] = scratch
    os.environ["TRITON_CACHE_DIR"] = os.path.join(scratch, "triton")
    if order["device"] == "cpu":
        os.environ["TRITON_INTERPRET"] = "1"
    result = {"calls": 0, "error": "", "nanoseconds": 0}
    code = 0
    try:
        solo_calls(order, folder, result)
    except LoadError as error:
        result["error"], code = str(error), 3
    except BaseException:
        result["error"], code = traceback.format_exc()[-MAX_TEXT:], 3
    with open(os.path.join(folder, "result.json.part"), "w", encoding="utf-8") as file:
        json.dump(result, file)
    os.rename(os.path.join(folder, "result.json.part"), os.path.join(folder, "result.json"))
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    sys.exit(code)


solo_main(sys.argv[1])
