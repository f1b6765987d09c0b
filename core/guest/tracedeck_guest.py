# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python side of a judge: a warm process that has imported torch once, and the hosts that are forked from it.

The warm process runs no foreign code. Each host is a grandchild of it that belongs to the judge, is confined, speaks the
host protocol of core/judge/protocol.md on descriptor 3 and calls one reference or solution. Nothing that a host says is
believed: the judge looks at the shared buffers and at its own clock.
"""
import ctypes
import hashlib
import importlib
import inspect
import json
import math
import mmap
import os
import random
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import traceback

VERSION = 1
SOCKET = 3
MAX_FRAME = 64 << 20
MAX_TEXT = 150_000   # characters; at most six bytes each as JSON, so that the frame stays below 1 MiB
# Words of the shared page, as indices into 32-bit integers (core/judge/page.h).
CALL, ENQUEUED, GO, RETURNED, DONE, FAILED = 0, 16, 32, 48, 64, 80
# Element types that travel as they are; any other is converted to float32, which is what the comparison sees anyway.
DTYPES = ("float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "int64", "int32", "int16", "int8", "bool")
PROT_NONE, MAP_FIXED, MAP_NORESERVE, MAP_FAILED = 0, 0x10, 0x4000, ctypes.c_void_p(-1).value
GUARD = 64 << 20   # bytes on each side of a shared block that no access survives (core/judge/shared_block.h)

IS_X86 = os.uname().machine in ("x86_64", "amd64")
FENCE = threading.Lock()
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64)
view_memory = ctypes.pythonapi.PyMemoryView_FromMemory
view_memory.restype = ctypes.py_object
view_memory.argtypes = (ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int)
PYBUF_WRITE = 0x200
torch = None   # imported by main(), after the thread counts are in the environment


class Closed(Exception):
    """The judge closed the connection."""


class Channel:
    """Frames: 4-byte little-endian length, JSON object, descriptors beside the first byte."""

    def __init__(self, descriptor):
        self.socket = socket.socket(fileno=descriptor)

    def send(self, message, descriptors=()):
        text = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
        data = struct.pack("<I", len(text)) + text
        if descriptors:
            packed = struct.pack("%di" % len(descriptors), *descriptors)
            sent = self.socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, packed)])
            data = data[sent:]
        self.socket.sendall(data)

    def receive(self):
        descriptors = []
        (length,) = struct.unpack("<I", self._read(4, descriptors))
        if not 0 < length <= MAX_FRAME:
            raise ValueError("a message of %d bytes" % length)
        return json.loads(self._read(length, descriptors).decode("utf-8")), descriptors

    def _read(self, count, descriptors):
        data = bytearray()
        while len(data) < count:
            part, control, _, _ = self.socket.recvmsg(min(count - len(data), 1 << 20), socket.CMSG_SPACE(253 * 4),
                                                      socket.MSG_CMSG_CLOEXEC)
            if not part:
                raise Closed()
            for level, kind, content in control:
                if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                    usable = len(content) - len(content) % 4
                    descriptors.extend(struct.unpack("%di" % (usable // 4), content[:usable]))
            data += part
        return bytes(data)


# --- the warm process -----------------------------------------------------------------------------------------------

def close_from(lowest):
    os.closerange(lowest, 65536)


class Walls:
    """The walls around one host (core/confine), put up by the library that the judge names."""

    def __init__(self, library, plan):
        self.library = ctypes.CDLL(library)
        self.library.tracedeck_enter_confinement.argtypes = (ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)
        self.library.tracedeck_seal_confinement.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
        self.plan = plan.encode()
        self.reason = ctypes.create_string_buffer(1000)

    def enter(self, lifeline):
        """In the intermediate process. The number of the namespace's first process, None without namespaces."""
        first = self.library.tracedeck_enter_confinement(self.plan, lifeline, self.reason, len(self.reason))
        self.check(first)
        return first or None

    def seal(self):
        """In the host."""
        self.check(self.library.tracedeck_seal_confinement(self.plan, self.reason, len(self.reason)))

    def check(self, code):
        if code < 0:
            raise OSError(self.reason.value.decode("utf-8", "replace"))


def start_host(message, descriptors):
    """Runs in the intermediate process: starts the host, tells the judge its number, ends. The host becomes a child of the
    judge, which is a child subreaper."""
    host_socket, out, err, lifeline = descriptors
    try:
        walls = Walls(message["library"], message["plan"])
        init = walls.enter(lifeline)
    except OSError as error:
        Channel(host_socket).send({"op": "unconfined", "message": str(error)})
        return
    host = os.fork()
    if host == 0:
        code = 70
        try:
            host_main(message, host_socket, out, err, walls)
            code = 0
        except Closed:
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    Channel(host_socket).send({"op": "forked", "v": VERSION, "pid": host, "init": init})


def own_places():
    """What this interpreter and its libraries consist of: hosts may read it, and little else."""
    places = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix] + sys.path
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            path = line.rstrip("\n").partition("/")[2]
            if ".so" in path:
                places.append(os.path.dirname("/" + path))
    return sorted({os.path.abspath(place) for place in places if place})


def serve(channel):
    channel.send({"op": "hello", "v": VERSION, "libs": library_versions(), "places": own_places(), "cupti": loaded_cupti()})
    while True:
        try:
            message, descriptors = channel.receive()
        except Closed:
            return
        if message.get("op") != "fork" or len(descriptors) != 4:
            raise ValueError("unexpected message %r" % message.get("op"))
        pid = os.fork()
        if pid == 0:
            code = 71
            try:
                start_host(message, descriptors)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        os.waitpid(pid, 0)
        for descriptor in descriptors:
            os.close(descriptor)


def library_versions():
    versions = {"torch": str(torch.__version__), "python": "%d.%d.%d" % sys.version_info[:3]}
    try:
        from importlib.metadata import version
    except ImportError:
        return versions
    for name in ("triton", "numpy"):
        try:
            versions[name] = version(name)
        except Exception:
            continue   # not installed
    return versions


# --- the host -------------------------------------------------------------------------------------------------------

def take_descriptors(host_socket, out, err):
    """0 null, 1 and 2 the pipes, 3 the socket, nothing else. The warm process has 0 to 3 open: the sources lie above."""
    null = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null, 0), (out, 1), (err, 2), (host_socket, SOCKET)):
        os.dup2(source, target)
    os.set_inheritable(SOCKET, False)
    close_from(SOCKET + 1)


def host_main(message, host_socket, out, err, walls):
    take_descriptors(host_socket, out, err)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")
    walls.seal()
    Host(message["role"], bool(message.get("yield"))).serve(Channel(SOCKET))


class LoadError(Exception):
    """The code can't be loaded, in words for its author."""


class CallError(Exception):
    """A call gave something that the format does not allow, in words for the solution's author."""


class Host:
    def __init__(self, role, yields):
        self.role = role
        self.yields = yields
        self.channel = None
        self.page = None
        self.mapped = []       # address and size of each block's mapping, guards included
        self.gpu = None        # where the buffers are on a GPU
        self.function = None
        self.input_names = []
        self.inputs = []       # a list for each slot: what one call works on
        self.outputs = []      # the same with tensors over the judge's output buffers
        self.result_dtypes = []    # what a returned tensor must have to be copied into the buffer
        self.output_dtypes = []    # declared, for returned host numbers
        self.output_names = []
        self.takes_names = False       # a dict by output name is a result, too
        self.fewest_results = 0        # outputs after these may be left out; 0: none may
        self.converts_results = False  # into the dtype of the output buffer
        self.module = None             # where the entry point comes from
        self.style = "vr"

    def serve(self, channel):
        self.channel = channel
        while True:
            message, descriptors = channel.receive()
            op = message["op"]
            if op == "load":
                self.load(message, descriptors)
            elif op == "bind":
                self.bind(message, descriptors)
            elif op == "outputs":
                self.take_outputs(message["outputs"], descriptors)
                for descriptor in descriptors:
                    os.close(descriptor)
                self.send_ready()
            elif op == "generate":
                self.generate(message)
            elif op == "run":
                answer = {"op": "ran"}
                if self.gpu is None:
                    self.run(message["calls"], message["results"])
                else:
                    answer["times"] = self.run_on_gpu(message["calls"], message["results"])
                sys.stdout.flush()
                sys.stderr.flush()
                libc.fflush(None)
                channel.send(answer)
            else:
                raise ValueError("unexpected message %r" % op)

    # loading

    def load(self, message, descriptors):
        os.chdir(message["scratch"])
        for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCH_EXTENSIONS_DIR", "TORCHINDUCTOR_CACHE_DIR"):
            os.environ[name] = message["scratch"]
        # Apart from what else is there: the judge keeps what lies in it (kernel_store.h).
        os.environ["TRITON_CACHE_DIR"] = kernels = os.path.join(message["scratch"], "triton")
        os.mkdir(kernels)
        if message.get("kernel_cache"):
            take_kernels(message["kernel_cache"], kernels)
        tempfile.tempdir = None   # looked up again: the warm process may have asked already
        self.page = self.map(descriptors[0], 4096).cast("I")
        self.mapped.clear()    # the page stays
        self.style = message["style"]
        self.output_dtypes = [spec["declared"] for spec in message["outputs"]]
        self.output_names = [spec["name"] for spec in message["outputs"]]
        self.takes_names = bool(message.get("named_results"))
        self.fewest_results = message.get("fewest_results") or 0
        self.converts_results = bool(message.get("convert_results"))
        try:
            if message.get("gpu") is not None:
                self.gpu = Gpu(message["gpu"], ctypes.addressof(ctypes.c_char.from_buffer(self.page)), 4096)
            self.take_buffers(message, descriptors)
            if self.role == "calibration":
                self.function = lambda: None
            else:
                torch.set_grad_enabled(self.role != "reference")
                if message["interpret_triton"]:
                    os.environ["TRITON_INTERPRET"] = "1"
                if "library" in message:
                    self.function = load_extension(message["library"], message["symbol"], message["entry"].partition("::")[2])
                else:
                    self.function = self.import_entry(message)
                self.check_signature(message)
        except LoadError as error:
            self.error("load", str(error))
            return
        except BaseException:
            self.error("load", traceback.format_exc())
            return
        if message.get("rehearse"):
            # What is compiled at the first call is compiled now, while another host is measured.
            try:
                self.function(*self.arguments()[0])
                self.gpu.synchronise()
            except CallError as error:
                self.error("call", str(error))
                return
            except BaseException:
                self.error("call", traceback.format_exc())
                return
        self.send_ready()

    def send_ready(self):
        ready = {"op": "ready"}
        if self.gpu is not None:
            ready.update({"method": self.gpu.method, "note": self.gpu.note, "evicts": self.gpu.evicts})
        self.channel.send(ready)

    def arguments(self):
        """Those of a call in each slot."""
        count = max(len(self.inputs), len(self.outputs))
        outputs = self.outputs if self.style == "dps" else [[]]
        return [self.inputs[min(i, len(self.inputs) - 1)] + outputs[min(i, len(outputs) - 1)] for i in range(count)]

    def take_buffers(self, message, descriptors):
        self.input_names = [spec["name"] for spec in message["inputs"]]
        self.inputs = by_slot([[scalar(spec["value"])] if spec["shape"] is None else self.buffer(spec, descriptors) for spec in message["inputs"]])
        self.take_outputs([spec for spec in message["outputs"] if spec["fd"] is not None], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def bind(self, message, descriptors):
        """Another workload for the same function."""
        try:
            self.inputs = self.outputs = []
            self.unmap_all()
            self.take_buffers(message, descriptors)
        except CallError as error:
            self.error("call", str(error))
        except LoadError as error:
            self.error("load", str(error))
        else:
            self.send_ready()

    def take_outputs(self, specs, descriptors):
        self.outputs = by_slot([self.buffer(spec, descriptors) for spec in specs])
        self.result_dtypes = [spec["result_dtype"] for spec in specs]

    def error(self, kind, text):
        if len(text) > MAX_TEXT:
            text = text[:MAX_TEXT // 2] + "\n[...]\n" + text[-MAX_TEXT // 2:]
        self.channel.send({"op": "error", "kind": kind, "message": text})

    def map(self, descriptor, size):
        """A shared block between two guards, so that code which strays from a buffer reaches no other one and dies of it
        (core/judge/shared_block.h). Mapped until the host ends or is bound to other buffers."""
        whole = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        start = map_memory(None, whole + 2 * GUARD, PROT_NONE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE, -1)
        address = map_memory(start + GUARD, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | MAP_FIXED, descriptor)
        self.mapped.append((start, whole + 2 * GUARD))
        return view_memory(address, size, PYBUF_WRITE)

    def unmap_all(self):
        """Whatever still points into the old buffers faults from now on."""
        if self.gpu is not None:
            self.gpu.unmap_all()
        for start, size in self.mapped:
            libc.munmap(ctypes.c_void_p(start), ctypes.c_size_t(size))
        self.mapped = []

    def buffer(self, spec, descriptors):
        """Tensors over one shared buffer, one for each of its slots."""
        dtype = getattr(torch, spec["dtype"], None)
        if not isinstance(dtype, torch.dtype):
            raise LoadError("this PyTorch (%s) has no dtype %s; `tracedeck doctor` says how to get a newer one"
                            % (torch.__version__, spec["dtype"]))
        if spec["bytes"] == 0:
            return [torch.empty(spec["shape"], dtype=dtype, device="cpu" if self.gpu is None else "cuda") for _ in spec["offsets"]]
        if self.gpu is not None:
            slots = self.gpu.map(descriptors[spec["fd"]], spec["block"], spec["offsets"], spec["bytes"])
        else:
            mapped = self.map(descriptors[spec["fd"]], spec["block"])
            slots = [torch.frombuffer(mapped, dtype=torch.uint8, count=spec["bytes"], offset=offset) for offset in spec["offsets"]]
        size = math.prod(spec["shape"])
        return [raw.view(dtype)[:size].view(spec["shape"]) for raw in slots]

    def import_entry(self, message):
        path, _, symbol = message["entry"].partition("::")
        package = message["package"]
        root = os.path.join(message["scratch"], "source")
        for source in message["sources"]:
            target = os.path.normpath(os.path.join(root, package, source["path"]))
            if not target.startswith(os.path.join(root, package) + os.sep):
                raise LoadError("the source path %r leaves the solution's folder" % source["path"])
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8", newline="") as file:
                file.write(source["content"])
        if not path.endswith(".py"):
            raise LoadError("the entry file %r is not a Python file (.py)" % path)
        sys.path.insert(0, root)
        importlib.invalidate_caches()
        module = importlib.import_module(package + "." + path[:-3].replace("/", "."))
        self.module = module
        if not hasattr(module, symbol):
            raise LoadError("%s defines no %r" % (path, symbol))
        function = getattr(module, symbol)
        if not callable(function):
            raise LoadError("%r in %s is not callable" % (symbol, path))
        return function

    def check_signature(self, message):
        if self.role == "reference":
            return
        count = len(message["inputs"]) + (len(message["outputs"]) if self.style == "dps" else 0)
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):
            return   # compiled callables can't be looked into: a wrong number shows at the first call
        try:
            signature.bind(*[None] * count)
        except TypeError as error:
            style = "inputs, then outputs (destination-passing style)" if self.style == "dps" else "inputs (value-returning style)"
            raise LoadError("the entry point can't be called with %d positional arguments: %s: %s" % (count, style, error))
        returned = signature.return_annotation
        if self.style == "vr" and getattr(returned, "__origin__", None) is tuple and Ellipsis not in returned.__args__:
            if len(returned.__args__) != len(message["outputs"]):
                raise LoadError("the entry point says it returns %d values; the definition has %d outputs"
                                % (len(returned.__args__), len(message["outputs"])))

    def generate(self, message):
        """Calls the definition's own input function, and copies what it makes into a slot of the input buffers."""
        try:
            made = self.make_inputs(message)
            if message["slot"] is not None:
                self.copy_inputs(made, message["slot"])
        except CallError as error:
            self.error("call", str(error))
            return
        except BaseException:
            self.error("call", traceback.format_exc())
            return
        self.channel.send({"op": "generated", "inputs": [dict(describe(value), name=name) if isinstance(value, torch.Tensor)
                                                         else {"name": name, "value": number_text(value)} for name, value in made]})

    def make_inputs(self, message):
        """Names and values, as the workload wants them."""
        function = getattr(self.module, message["entry"], None)
        if not callable(function):
            raise CallError("the reference defines no function %r, which is to make the inputs" % message["entry"])
        torch.manual_seed(message["seed"])
        random.seed(message["seed"])
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(message["seed"] % (1 << 32))
        device = torch.device("cpu" if self.gpu is None else "cuda")
        values = {name: scalar(value) for name, value in message["values"].items()}
        made = function(values, device)
        if not isinstance(made, dict):
            raise CallError("the input function returned a %s where a dict by input name is needed" % type(made).__name__)
        result = []
        for name in message["inputs"]:
            if name not in made:
                raise CallError("the input function made no %r, which the workload says is custom" % name)
            value = made[name]
            if isinstance(value, torch.Tensor):
                value = value.detach().to(device)
            elif not isinstance(value, (bool, int, float)):
                raise CallError("the input function made a %s for %r where a tensor or a number is needed" % (type(value).__name__, name))
            result.append((name, value))
        return result

    def copy_inputs(self, made, slot):
        for name, value in made:
            target = self.inputs[slot][self.input_names.index(name)]
            if isinstance(value, torch.Tensor):
                if not isinstance(target, torch.Tensor) or dtype_name(target) != dtype_name(value) or target.shape != value.shape:
                    raise CallError("the input function makes %r in another shape or dtype than before, which can't be judged" % name)
                if value.numel():
                    value = value.contiguous()
                    if value.dim() == 0:
                        target.copy_(value)
                    else:   # some dtypes can't be copied as what they are
                        target.view(torch.uint8).copy_(value.view(torch.uint8))
            elif isinstance(target, torch.Tensor) or number_text(target) != number_text(value):
                raise CallError("the input function makes another number of %r than before (%r, %r), which can't be judged" % (name, value, target))
        if self.gpu is not None:
            self.gpu.synchronise()

    # calling

    def run(self, calls, results):
        page, yields, function = self.page, self.yields, self.function
        arguments = self.arguments()[0]
        last = 0
        for _ in range(calls):
            spins = 0
            while True:
                call = page[CALL]
                if call != last and call != 0:
                    break
                spins += 1
                if spins > 2000 or yields:
                    time.sleep(0.00005)
            last = call
            page[ENQUEUED] = call
            if yields:
                while page[GO] != call:
                    os.sched_yield()
            else:
                while page[GO] != call:
                    pass
            try:
                result = function(*arguments)
                page[RETURNED] = call
                fits = self.deliver(result, results)
                memory_fence()
                page[DONE if fits else FAILED] = call
            except CallError as error:
                self.error("call", str(error))
                page[FAILED] = call
                return
            except BaseException:
                self.error("call", traceback.format_exc())
                page[FAILED] = call
                return

    def run_on_gpu(self, calls, results):
        """The same on a GPU; gives the times of the calls, for the judge to check."""
        gpu, function, arguments = self.gpu, self.function, self.arguments()
        has_copies = self.style != "dps" and self.role != "calibration" and results == "copy"
        gpu.begin(calls)
        try:
            for _ in range(calls):
                slot = gpu.next()
                result = function(*arguments[slot])
                gpu.returned(has_copies)
                gpu.done(self.deliver(result, results, slot))
            return gpu.end(calls)
        except CallError as error:
            self.error("call", str(error))
        except BaseException:
            self.error("call", traceback.format_exc())
        gpu.failed()
        return []

    def deliver(self, result, results, slot=0):
        """Puts what a value-returning call gave where the judge finds it. False when the judge's buffers don't fit and a
        `result` message says what came instead."""
        if self.style == "dps" or self.role == "calibration":
            return True
        tensors = self.normalise(result)
        if results == "send":
            blocks = [send_block(tensor) if self.gpu is None else self.gpu.export(travelling(tensor)) for tensor in tensors]
            self.channel.send({"op": "result", "outputs": [describe(tensor) for tensor in tensors]}, blocks)
            for block in blocks:
                os.close(block)
            return True
        outputs = self.outputs[slot]
        fits = len(tensors) == len(outputs) or 0 < self.fewest_results <= len(tensors) < len(outputs)
        for tensor, target, dtype in zip(tensors, outputs, self.result_dtypes):
            if dtype_name(tensor) == dtype and tensor.shape == target.shape:
                target.copy_(tensor)
            elif self.converts_results and tensor.numel() == target.numel():
                target.copy_(tensor.reshape(target.shape))
            else:
                fits = False
        if not fits:
            self.channel.send({"op": "result", "outputs": [describe(tensor) for tensor in tensors]})
        return fits

    def normalise(self, result):
        """benchmark §2.3: one tensor or host number per output."""
        count = len(self.output_dtypes)
        if isinstance(result, (tuple, list)):
            values = list(result)
        elif result is None:
            values = []
        elif self.takes_names and isinstance(result, dict):
            missing = [name for name in self.output_names if name not in result]
            if missing:
                raise CallError("the call returned a dict without %s" % ", ".join(map(repr, missing)))
            values = [result[name] for name in self.output_names]
        else:
            values = [result]
        if len(values) != count and not self.fewest_results:
            raise CallError("the call returned %d values; the definition has %d outputs" % (len(values), count))
        return [self.tensor(value, dtype) for value, dtype in zip(values, self.output_dtypes + self.output_dtypes[-1:] * len(values))]

    def tensor(self, value, dtype):
        device = "cpu" if self.gpu is None else "cuda"
        if isinstance(value, torch.Tensor):
            return value.detach().to(device)
        if isinstance(value, (bool, int, float)):
            return torch.tensor(value, dtype=getattr(torch, dtype), device=device)
        raise CallError("the call returned a %s where a tensor or a number is needed" % type(value).__name__)


def take_kernels(store, target):
    """Copies what earlier processes of the same solution compiled, as far as it is whole. Triton's lists of an entry's files name
    these by whole paths."""
    try:
        entries = sorted(os.listdir(store))
    except OSError:
        return   # nothing was kept yet
    for entry in entries:
        try:
            take_kernel(os.path.join(store, entry), os.path.join(target, entry))
        except Exception:
            pass   # damaged, or there is no room: compiled anew, then


def take_kernel(kept, made):
    with open(os.path.join(kept, "tracedeck-sums.json"), encoding="utf-8") as file:
        sums = json.load(file)["files"]
    unfinished = made + ".unfinished"
    os.mkdir(unfinished)
    try:
        for name, digest in sums.items():
            with open(os.path.join(kept, name), "rb") as file:
                content = file.read()
            if hashlib.sha256(content).hexdigest() != digest:
                raise ValueError("%s is damaged" % name)
            if name.startswith("__grp__"):
                group = json.loads(content)
                group["child_paths"] = {child: os.path.join(made, os.path.basename(path)) for child, path in group["child_paths"].items()}
                content = json.dumps(group).encode()
            with open(os.path.join(unfinished, os.path.basename(name)), "wb") as file:
                file.write(content)
        os.rename(unfinished, made)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def by_slot(columns):
    """From lists of a tensor's slots to lists of a slot's tensors. What has one slot only, as numbers have, is the same in each."""
    count = max([len(column) for column in columns], default=1)
    return [[column[min(i, len(column) - 1)] for column in columns] for i in range(count)]


def scalar(value):
    """Numbers that JSON lacks (nan, inf) come as text."""
    return float(value) if isinstance(value, str) else value


def number_text(value):
    """The opposite."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def memory_fence():
    """Orders the stores before it against the word that follows. x86 does so by itself."""
    if not IS_X86:
        FENCE.acquire()
        FENCE.release()


def dtype_name(tensor):
    return str(tensor.dtype).replace("torch.", "")


def travelling(tensor):
    """The tensor as its bytes go to the judge: dtypes that the format does not name go as float32."""
    return tensor if dtype_name(tensor) in DTYPES else tensor.to(torch.float32)


def describe(tensor):
    return {"dtype": dtype_name(tensor), "shape": list(tensor.shape)}


def map_memory(address, size, protection, flags, descriptor):
    mapped = libc.mmap(address, size, protection, flags, descriptor, 0)
    if mapped == MAP_FAILED:
        raise OSError(ctypes.get_errno(), "a shared block could not be mapped: " + os.strerror(ctypes.get_errno()))
    return mapped


def memory_file(name):
    create = getattr(os, "memfd_create", None)
    if create is not None:
        return create(name)
    # Some Python builds leave it out although the system has it.
    descriptor = libc.memfd_create(name.encode(), 1)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "memfd_create failed")
    return descriptor


def send_block(tensor):
    """A memory file with the contents, contiguous."""
    contents = travelling(tensor)
    block = memory_file("tracedeck-result")
    size = contents.numel() * contents.element_size()
    if size:
        os.ftruncate(block, size)
        with mmap.mmap(block, size) as mapped:
            target = torch.frombuffer(mapped, dtype=torch.uint8, count=size).view(contents.dtype).view(contents.shape)
            target.copy_(contents)
            del target
    return block


def main():
    global torch
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    channel = Channel(SOCKET)
    os.set_inheritable(SOCKET, False)
    import torch as imported
    torch = imported
    serve(channel)


# The text of a single call outside of any evaluation (tracedeck_solo.py) uses these functions and has a start of its own.
if not globals().get("TRACEDECK_SOLO"):
    main()
