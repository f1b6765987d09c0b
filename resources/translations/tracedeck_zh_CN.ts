<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ComparisonLook</name>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>The whole interval lies within the margin</source>
        <translation>整个区间都在容差之内</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>B takes less time than A, with certainty</source>
        <translation>B 确定比 A 用时少</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>B takes more time than A, with certainty</source>
        <translation>B 确定比 A 用时多</translation>
    </message>
    <message>
        <source>can&apos;t tell</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>The times are too noisy, too few, or of different kinds</source>
        <translation>时间噪声太大、太少，或种类不同</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Only B has a result</source>
        <translation>只有 B 有结果</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Only A has a result</source>
        <translation>只有 A 有结果</translation>
    </message>
    <message>
        <source>now failing</source>
        <translation>现在失败</translation>
    </message>
    <message>
        <source>A passed, B did not</source>
        <translation>A 通过，B 没有</translation>
    </message>
    <message>
        <source>now passing</source>
        <translation>现在通过</translation>
    </message>
    <message>
        <source>B passed, A did not</source>
        <translation>B 通过，A 没有</translation>
    </message>
    <message>
        <source>still failing</source>
        <translation>仍然失败</translation>
    </message>
    <message>
        <source>Neither A nor B passed</source>
        <translation>A 和 B 都没有通过</translation>
    </message>
</context>
<context>
    <name>DeviceCard</name>
    <message>
        <source>build</source>
        <translation>构建</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>time</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>复核</translation>
    </message>
</context>
<context>
    <name>DiagnosisStep</name>
    <message>
        <source>looking at the Python interpreter</source>
        <translation>查看 Python 解释器</translation>
    </message>
    <message>
        <source>starting the judge</source>
        <translation>启动评判进程</translation>
    </message>
    <message>
        <source>making the inputs and running the reference</source>
        <translation>生成输入并运行参考实现</translation>
    </message>
    <message>
        <source>trying what computes nothing</source>
        <translation>尝试不做计算的输出</translation>
    </message>
    <message>
        <source>taking the library apart</source>
        <translation>拆解编译出的库</translation>
    </message>
    <message>
        <source>reading the report</source>
        <translation>读取报告</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>%1 files (*.%2)</source>
        <translation>%1 文件 (*.%2)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Export failed</source>
        <translation>导出失败</translation>
    </message>
    <message>
        <source>“%1” could not be written.</source>
        <translation>无法写入“%1”。</translation>
    </message>
    <message>
        <source>%1
Nothing was changed on disk. Choose another folder, or free some space, and export again.</source>
        <translation>%1
磁盘上没有任何更改。请选择其他文件夹，或腾出一些空间，然后再次导出。</translation>
    </message>
</context>
<context>
    <name>NothingMeasured</name>
    <message>
        <source>This dataset has no definitions, so there is nothing to measure.
Put their JSON files into its definitions/ folder, then reload (F5).</source>
        <translation>此数据集没有定义，因此没有可测量的内容。
请把定义的 JSON 文件放入其 definitions/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>This dataset has no solutions, so nothing was measured.
Put their JSON files into its solutions/ folder, then reload (F5).</source>
        <translation>此数据集没有解法，因此没有测量结果。
请把解法的 JSON 文件放入其 solutions/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>This dataset has no workloads, so nothing was measured.
Put their JSONL files into its workloads/ folder, then reload (F5).</source>
        <translation>此数据集没有工作负载，因此没有测量结果。
请把工作负载的 JSONL 文件放入其 workloads/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>This dataset has no traces yet.
Select solutions in the tree and choose Run selected.</source>
        <translation>此数据集还没有跟踪。
请在树中选择解法，然后选择“运行所选”。</translation>
    </message>
    <message>
        <source>%1 has no solutions, so nothing was measured.
Put their JSON files into the dataset&apos;s solutions/ folder, then reload (F5).</source>
        <translation>%1 没有解法，因此没有测量结果。
请把解法的 JSON 文件放入数据集的 solutions/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>%1 has no workloads, so nothing was measured.
Put their JSONL file into the dataset&apos;s workloads/ folder, then reload (F5).</source>
        <translation>%1 没有工作负载，因此没有测量结果。
请把工作负载的 JSONL 文件放入数据集的 workloads/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>%1 has no traces yet.
Select its solutions in the tree and choose Run selected.</source>
        <translation>%1 还没有跟踪。
请在树中选择它的解法，然后选择“运行所选”。</translation>
    </message>
    <message>
        <source>All solutions here are by %1, so there is no baseline to measure them against.
Put the solutions of a baseline into the dataset&apos;s solutions/ folder and run them, or look at the speedup over the reference on the Charts page.</source>
        <translation>这里的所有解法都出自 %1，因此没有可供比较的基线。
请把基线的解法放入数据集的 solutions/ 文件夹并运行，或在“图表”页查看相对参考实现的加速比。</translation>
    </message>
    <message>
        <source>There is no baseline yet: no author here is called %1.
Choose an author whose solutions the others are measured against.</source>
        <translation>还没有基线：这里没有名为 %1 的作者。
请选择一位作者，以其解法作为比较的基准。</translation>
    </message>
</context>
<context>
    <name>PinnedTableModel</name>
    <message>
        <source>%1 (author)</source>
        <translation>%1（作者）</translation>
    </message>
    <message>
        <source>run of %1</source>
        <translation>%1 的运行</translation>
    </message>
</context>
<context>
    <name>PlanPreview</name>
    <message>
        <source>From how long evaluations of the solution took before</source>
        <translation>根据此解法以往评测所用的时间</translation>
    </message>
    <message>
        <source>From how long evaluations of the definition took before</source>
        <translation>根据此定义以往评测所用的时间</translation>
    </message>
    <message>
        <source>From the latencies of an earlier trace</source>
        <translation>根据先前一条跟踪的延迟</translation>
    </message>
    <message>
        <source>Nothing is known of it: what an evaluation takes as a rule</source>
        <translation>对它一无所知：按一次评测通常所需的时间</translation>
    </message>
    <message>
        <source>done before: skipped</source>
        <translation>已测过：跳过</translation>
    </message>
    <message>
        <source>more memory than %1 has free</source>
        <translation>所需内存超过 %1 的可用内存</translation>
    </message>
    <message>
        <source>%1: %2 of %3 free</source>
        <translation>%1：可用 %2，共 %3</translation>
    </message>
    <message>
        <source>%1: nobody knows how much memory is free</source>
        <translation>%1：可用内存未知</translation>
    </message>
    <message>
        <source>%1 pairs need more</source>
        <translation>%1 对需要更多</translation>
    </message>
    <message>
        <source>The largest workload needs %1, and what solutions allocate themselves</source>
        <translation>最大的工作负载需要 %1，另加解法自行分配的内存</translation>
    </message>
    <message>
        <source>Nothing is left to do: all %1 pairs are measured already</source>
        <translation>没有剩余的工作：全部 %1 对都已测过</translation>
    </message>
    <message>
        <source>No pair is what was asked for</source>
        <translation>没有符合要求的对</translation>
    </message>
    <message>
        <source>%1 pairs, about %2</source>
        <translation>%1 对，约 %2</translation>
    </message>
    <message>
        <source>%1 of them by how long earlier ones took</source>
        <translation>其中 %1 对按以往所用时间估计</translation>
    </message>
    <message>
        <source>%1 done before</source>
        <translation>%1 对已测过</translation>
    </message>
    <message>
        <source>%1 not asked for</source>
        <translation>%1 对不在要求之内</translation>
    </message>
    <message>
        <source>%1 can&apos;t be run here</source>
        <translation>%1 对无法在此运行</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>About</source>
        <translation>约需</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>Policy</name>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Newest passing</source>
        <translation>最新通过</translation>
    </message>
    <message>
        <source>Lowest median</source>
        <translation>最低中位数</translation>
    </message>
    <message>
        <source>Middle run</source>
        <translation>居中运行</translation>
    </message>
    <message>
        <source>All traces</source>
        <translation>全部跟踪</translation>
    </message>
    <message>
        <source>newest per pair</source>
        <translation>每对取最新</translation>
    </message>
    <message>
        <source>newest passing per pair</source>
        <translation>每对取最新通过</translation>
    </message>
    <message>
        <source>lowest median per pair</source>
        <translation>每对取最低中位数</translation>
    </message>
    <message>
        <source>middle run per pair</source>
        <translation>每对取居中</translation>
    </message>
    <message>
        <source>all traces</source>
        <translation>全部跟踪</translation>
    </message>
    <message>
        <source>The newest trace of each solution, workload and GPU counts; a failure after a pass is a failure.</source>
        <translation>每个解法、工作负载和 GPU 取最新的跟踪；通过之后的失败仍算失败。</translation>
    </message>
    <message>
        <source>The newest trace that passed counts, of each solution, workload and GPU; a failure only where none passed.</source>
        <translation>每个解法、工作负载和 GPU 取最新一条通过的跟踪；只有在没有通过时才计失败。</translation>
    </message>
    <message>
        <source>The trace that passed with the lowest latency, itself a median, counts, of each solution, workload and GPU.</source>
        <translation>每个解法、工作负载和 GPU 取延迟最低的通过跟踪；延迟本身就是中位数。</translation>
    </message>
    <message>
        <source>Of the traces that passed, the one whose latency is in the middle counts, of each solution, workload and GPU.</source>
        <translation>每个解法、工作负载和 GPU 在通过的跟踪中取延迟居中的一条。</translation>
    </message>
    <message>
        <source>Every trace counts by itself.</source>
        <translation>每条跟踪各自计入。</translation>
    </message>
    <message>
        <source>Pooled samples</source>
        <translation>合并样本</translation>
    </message>
    <message>
        <source>Pinned run</source>
        <translation>固定的运行</translation>
    </message>
    <message>
        <source>pooled samples per pair</source>
        <translation>每对合并样本</translation>
    </message>
    <message>
        <source>pinned run</source>
        <translation>固定的运行</translation>
    </message>
    <message>
        <source>Each solution, workload and GPU has one figure from all traces that passed: the median of their samples together, or of their latencies where not all kept samples.</source>
        <translation>每个解法、工作负载和 GPU 由所有通过的跟踪得出一个数值：所有样本合在一起的中位数；若并非都保留了样本，则为各次延迟的中位数。</translation>
    </message>
    <message>
        <source>Only traces of one run count: the newest one of each solution, workload and GPU. What was not measured in it has no figure.</source>
        <translation>只计入一次运行的跟踪：每个解法、工作负载和 GPU 的最新一条。该次运行未测量的没有数值。</translation>
    </message>
    <message>
        <source>Pinned: the run from %1 to %2.</source>
        <translation>已固定：从 %1 到 %2 的运行。</translation>
    </message>
    <message>
        <source>Pairs measured several times: %1 from the samples of all runs together, %2 from the medians of the runs.</source>
        <translation>多次测量的组合：%1 个由所有运行的样本合并得出，%2 个由各次运行的中位数得出。</translation>
    </message>
</context>
<context>
    <name>Span</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
</context>
<context>
    <name>StatusLook</name>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>wrong shape</source>
        <translation>形状错误</translation>
    </message>
    <message>
        <source>wrong values</source>
        <translation>数值错误</translation>
    </message>
    <message>
        <source>wrong dtype</source>
        <translation>dtype 错误</translation>
    </message>
    <message>
        <source>runtime error</source>
        <translation>运行时错误</translation>
    </message>
    <message>
        <source>compile error</source>
        <translation>编译错误</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>reference failed</source>
        <translation>参考实现失败</translation>
    </message>
    <message>
        <source>reward hack</source>
        <translation>作弊</translation>
    </message>
    <message>
        <source>unknown status</source>
        <translation>未知状态</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>caught: %1</source>
        <translation>已查获：%1</translation>
    </message>
</context>
<context>
    <name>Timing</name>
    <message>
        <source>unknown (measured by another program)</source>
        <translation>未知（由其他程序测量）</translation>
    </message>
    <message>
        <source>the judge&apos;s clock</source>
        <translation>评测程序的时钟</translation>
    </message>
    <message>
        <source>CUDA events</source>
        <translation>CUDA 事件</translation>
    </message>
    <message>
        <source>%1: %2 traces</source>
        <translation>%1：%2 条跟踪</translation>
    </message>
    <message>
        <source>These times were taken by several methods and should not be compared:</source>
        <translation>这些时间用不同方法测得，不应互相比较：</translation>
    </message>
    <message>
        <source>How these %1 traces were timed is not recorded: another program measured them.</source>
        <translation>这 %1 条跟踪没有记录计时方法：由其他程序测量。</translation>
    </message>
    <message>
        <source>%1 results are launch-bound.</source>
        <translation>%1 个结果受启动限制。</translation>
    </message>
    <message>
        <source>Launch-bound: the GPU waited for the host, so that a faster kernel would not have shown in the latency.</source>
        <translation>受启动限制：GPU 在等待主机，因此更快的内核不会体现在延迟中。</translation>
    </message>
</context>
<context>
    <name>VerdictText</name>
    <message>
        <source>two groups of times</source>
        <translation>时间分为两组</translation>
    </message>
    <message>
        <source>The times fall into two groups. The median may be in either one when it is measured again.</source>
        <translation>时间分为两组。再次测量时中位数可能落在其中任意一组。</translation>
    </message>
    <message>
        <source>clock lowered</source>
        <translation>时钟降低</translation>
    </message>
    <message>
        <source>The GPU lowered its clock for power or heat while this was measured. Let it cool down and run the pair again.</source>
        <translation>测量期间 GPU 因功耗或温度降低了时钟。请等它冷却后再次运行这一对。</translation>
    </message>
    <message>
        <source>times drift</source>
        <translation>时间漂移</translation>
    </message>
    <message>
        <source>Later calls took another time than earlier ones, also when the series was repeated.</source>
        <translation>后面的调用与前面的调用耗时不同，重复测量时也是如此。</translation>
    </message>
    <message>
        <source>a series drifted</source>
        <translation>一组测量发生漂移</translation>
    </message>
    <message>
        <source>The times of a first series drifted, so all of its calls were made once more. The times that are stored are those of the last series.</source>
        <translation>第一组测量的时间发生漂移，因此所有调用都重做了一遍。保存的是最后一组的时间。</translation>
    </message>
    <message>
        <source>could not be judged</source>
        <translation>无法评判</translation>
    </message>
    <message>
        <source>The rules of this definition can&apos;t be applied to what the solution gave.</source>
        <translation>此定义的规则无法用于解法给出的结果。</translation>
    </message>
    <message>
        <source>raised an error</source>
        <translation>引发错误</translation>
    </message>
    <message>
        <source>A call ended with an error; the log has it.</source>
        <translation>某次调用以错误结束；详见日志。</translation>
    </message>
    <message>
        <source>process ended</source>
        <translation>进程结束</translation>
    </message>
    <message>
        <source>The process of the solution ended by itself before all calls were made.</source>
        <translation>解法的进程在完成所有调用之前自行结束。</translation>
    </message>
    <message>
        <source>inputs from files</source>
        <translation>来自文件的输入</translation>
    </message>
    <message>
        <source>Inputs that come from files are the same in every call. A solution could know them beforehand.</source>
        <translation>来自文件的输入在每次调用中都相同，解法可能事先知道它们。</translation>
    </message>
    <message>
        <source>waits for the GPU</source>
        <translation>等待 GPU</translation>
    </message>
    <message>
        <source>The solution waits for the GPU inside its call, so the call can&apos;t be measured behind a blocked stream.</source>
        <translation>解法在调用内部等待 GPU，因此无法在被阻塞的流之后测量该调用。</translation>
    </message>
    <message>
        <source>changed an input</source>
        <translation>修改了输入</translation>
    </message>
    <message>
        <source>The solution wrote to an input. Inputs are made anew before each call, so its results and times are valid.</source>
        <translation>解法写入了输入。每次调用前都会重新生成输入，因此其结果和时间有效。</translation>
    </message>
    <message>
        <source>undeclared inputs</source>
        <translation>未声明的输入</translation>
    </message>
    <message>
        <source>The input function made inputs that the definition does not declare.</source>
        <translation>输入函数生成了定义中未声明的输入。</translation>
    </message>
    <message>
        <source>computes although nothing is asked</source>
        <translation>未被要求时仍在计算</translation>
    </message>
    <message>
        <source>The solution went on computing between or after the calls, in two processes. Work outside the measured time would make it look faster than it is.</source>
        <translation>解法在两个进程中都在调用之间或之后继续计算。测量时间之外的工作会使它看起来比实际更快。</translation>
    </message>
    <message>
        <source>GPU work after the end</source>
        <translation>结束后仍有 GPU 工作</translation>
    </message>
    <message>
        <source>Work of the solution was on the GPU although nothing was asked of it.</source>
        <translation>未被要求时，解法的工作仍在 GPU 上运行。</translation>
    </message>
    <message>
        <source>own stream, not joined</source>
        <translation>自己的流，未汇合</translation>
    </message>
    <message>
        <source>The solution works on a stream of its own and does not join it with the one it is given. Its time is right, but a caller could read outputs too early.</source>
        <translation>解法在自己的流上工作，且没有与给定的流汇合。其时间是正确的，但调用者可能过早读取输出。</translation>
    </message>
    <message>
        <source>wrote after the end</source>
        <translation>结束后仍在写入</translation>
    </message>
    <message>
        <source>Outputs changed after the call had said that it was done, so part of its work was not in the measured time.</source>
        <translation>调用声明完成之后输出仍有变化，因此部分工作不在测量时间之内。</translation>
    </message>
    <message>
        <source>used too much</source>
        <translation>用量超限</translation>
    </message>
    <message>
        <source>The solution passed a limit of its process: processes, files or time.</source>
        <translation>解法超出了其进程的限制：进程数、文件或时间。</translation>
    </message>
    <message>
        <source>could not be loaded</source>
        <translation>无法加载</translation>
    </message>
    <message>
        <source>The solution&apos;s source could not be loaded; the log says why.</source>
        <translation>无法加载解法的源代码；原因见日志。</translation>
    </message>
    <message>
        <source>integers differ</source>
        <translation>整数不同</translation>
    </message>
    <message>
        <source>Whole numbers differ from the reference&apos;s and pass by tolerance only. Run with strict numerics to refuse that.</source>
        <translation>整数与参考实现不同，仅因容差而通过。使用严格数值规则运行可拒绝这种情况。</translation>
    </message>
    <message>
        <source>outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>Elements are more than ten times as far off as allowed, within the share that need not match.</source>
        <translation>在允许不符的比例之内，有元素的偏差超过允许值的十倍。</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>The solution took more memory than there was for it.</source>
        <translation>解法占用的内存超过了可用的内存。</translation>
    </message>
    <message>
        <source>one value everywhere</source>
        <translation>处处同一个值</translation>
    </message>
    <message>
        <source>The output has one value everywhere, near enough to a reference that has more than one.</source>
        <translation>输出处处是同一个值，而参考实现有多个值，但差距在容差之内。</translation>
    </message>
    <message>
        <source>wrong dtype</source>
        <translation>dtype 错误</translation>
    </message>
    <message>
        <source>An output has another dtype than the reference&apos;s.</source>
        <translation>某个输出的 dtype 与参考实现不同。</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN 或无穷</translation>
    </message>
    <message>
        <source>An output holds values that are not finite. The format refuses them even where the reference has some, too; strict numerics compare them.</source>
        <translation>某个输出含有非有限的值。即使参考实现也有这样的值，格式规则仍不接受；严格数值模式会对它们进行比较。</translation>
    </message>
    <message>
        <source>partly unwritten</source>
        <translation>部分未写入</translation>
    </message>
    <message>
        <source>Some elements of an output still hold what the judge had written there before the call.</source>
        <translation>某个输出的部分元素仍是评测程序在调用前写入的内容。</translation>
    </message>
    <message>
        <source>not written</source>
        <translation>未写入</translation>
    </message>
    <message>
        <source>An output holds nothing but what the judge had written there before the call. It was never written, or only after the call had ended.</source>
        <translation>某个输出只含评测程序在调用前写入的内容。它从未被写入，或在调用结束后才写入。</translation>
    </message>
    <message>
        <source>wrong shape</source>
        <translation>形状错误</translation>
    </message>
    <message>
        <source>An output has another shape than the reference&apos;s.</source>
        <translation>某个输出的形状与参考实现不同。</translation>
    </message>
    <message>
        <source>unstable output</source>
        <translation>输出不稳定</translation>
    </message>
    <message>
        <source>An output changes its shape or type from call to call, which can&apos;t be judged.</source>
        <translation>某个输出的形状或类型随调用而变，无法评判。</translation>
    </message>
    <message>
        <source>wrong values</source>
        <translation>数值错误</translation>
    </message>
    <message>
        <source>An output is off by more than the tolerance in a call that was verified. When only timed calls are wrong, results of earlier calls may have been kept: every call has inputs of its own.</source>
        <translation>在一次被核验的调用中，某个输出的偏差超过容差。如果只有计时的调用出错，可能是保留了先前调用的结果：每次调用都有自己的输入。</translation>
    </message>
    <message>
        <source>faster than physics</source>
        <translation>快过物理极限</translation>
    </message>
    <message>
        <source>The time is shorter than reading the inputs at the memory&apos;s highest rate, or computing at the processor&apos;s peak, would take. It was found in two processes.</source>
        <translation>该时间比以内存最高速率读取输入或以处理器峰值计算所需的时间还短。在两个进程中都发现了这一点。</translation>
    </message>
    <message>
        <source>near the limit of physics</source>
        <translation>接近物理极限</translation>
    </message>
    <message>
        <source>The time is shorter than all bytes and operations take at the highest rates. Caches may explain that.</source>
        <translation>该时间比以最高速率完成所有字节和运算所需的时间短。缓存可能是原因。</translation>
    </message>
    <message>
        <source>precision not reached</source>
        <translation>未达到精度</translation>
    </message>
    <message>
        <source>The median is not known as precisely as was asked for, within the calls and the time that there are.</source>
        <translation>在现有的调用次数和时间内，中位数未达到要求的精度。</translation>
    </message>
    <message>
        <source>forged or broken message</source>
        <translation>伪造或损坏的消息</translation>
    </message>
    <message>
        <source>The solution&apos;s process sent the judge something that belongs nowhere, as one does who tries to report a result of its own.</source>
        <translation>解法的进程向评测程序发送了不应出现的内容，就像试图自行报告结果那样。</translation>
    </message>
    <message>
        <source>wrong when queued</source>
        <translation>排队时出错</translation>
    </message>
    <message>
        <source>Outputs are wrong when the call waits behind a blocked stream: the solution does not work on the stream that it is given.</source>
        <translation>当调用在被阻塞的流之后等待时，输出是错误的：解法没有在给定的流上工作。</translation>
    </message>
    <message>
        <source>wrote outside an output</source>
        <translation>写到输出之外</translation>
    </message>
    <message>
        <source>Memory beside a tensor was written to. The error may be an index that is off by a little.</source>
        <translation>张量旁边的内存被写入。错误可能是下标略有偏差。</translation>
    </message>
    <message>
        <source>reference not finite</source>
        <translation>参考实现非有限</translation>
    </message>
    <message>
        <source>The reference gives NaN or infinity here.</source>
        <translation>参考实现在此给出 NaN 或无穷。</translation>
    </message>
    <message>
        <source>reference not timed</source>
        <translation>参考实现未计时</translation>
    </message>
    <message>
        <source>The reference failed while it was timed, so there is no speedup.</source>
        <translation>参考实现在计时时失败，因此没有加速比。</translation>
    </message>
    <message>
        <source>always the same samples</source>
        <translation>样本总是相同</translation>
    </message>
    <message>
        <source>All timed calls gave the same samples, which chance does not explain. The sampler may seed its generator anew in every call.</source>
        <translation>所有计时的调用都给出相同的样本，偶然无法解释。采样器可能在每次调用中都重新设定随机种子。</translation>
    </message>
    <message>
        <source>fewer rows sampled</source>
        <translation>采样的行较少</translation>
    </message>
    <message>
        <source>Fewer samples were drawn than the rules ask for.</source>
        <translation>抽取的样本少于规则的要求。</translation>
    </message>
    <message>
        <source>skewed samples</source>
        <translation>样本有偏</translation>
    </message>
    <message>
        <source>The samples of the timed calls together can&apos;t have been drawn from the distribution.</source>
        <translation>计时调用的全部样本合在一起不可能来自该分布。</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>The process of the solution was ended by a signal, as after a stray pointer.</source>
        <translation>解法的进程被信号终止，例如由于野指针。</translation>
    </message>
    <message>
        <source>left processes running</source>
        <translation>留下运行中的进程</translation>
    </message>
    <message>
        <source>The solution left other processes running when its calls were made.</source>
        <translation>调用完成后，解法留下了其他运行中的进程。</translation>
    </message>
    <message>
        <source>worked before the call</source>
        <translation>在调用之前就已计算</translation>
    </message>
    <message>
        <source>The solution computes from a call&apos;s inputs before the call begins, in two processes: calls whose inputs came at the last moment took more than twice as long.</source>
        <translation>该解法在调用开始之前就根据输入进行计算，两个进程中都是如此：输入在最后一刻才到的调用耗时超过两倍。</translation>
    </message>
    <message>
        <source>times of single calls</source>
        <translation>单次调用的时间</translation>
    </message>
    <message>
        <source>Calls that were prepared together were faster than single ones by more than can be explained. The times of the single calls are stored.</source>
        <translation>一起准备的调用比单次调用快得无法解释。保存的是单次调用的时间。</translation>
    </message>
    <message>
        <source>time not confirmed</source>
        <translation>时间未经证实</translation>
    </message>
    <message>
        <source>How short the call is only the solution&apos;s own process says: it can&apos;t be measured behind a blocked stream, where the judge sees it.</source>
        <translation>调用有多短只有解法自己的进程说明：它无法在评测程序可见的被阻塞的流之后测量。</translation>
    </message>
    <message>
        <source>busy machine</source>
        <translation>机器繁忙</translation>
    </message>
    <message>
        <source>Other programs held the processors while this was measured, so the times may be too long. Run it again on an idle machine.</source>
        <translation>测量期间其他程序占用了处理器，因此时间可能偏长。请在空闲的机器上重新运行。</translation>
    </message>
    <message>
        <source>times with late inputs</source>
        <translation>采用输入迟到的调用的时间</translation>
    </message>
    <message>
        <source>Calls whose inputs lay there when they were announced were faster than those whose inputs came at the last moment, by more than can be explained. The times of the latter are stored.</source>
        <translation>输入在宣布时就已就位的调用，比输入在最后一刻才到的调用更快，快得无法解释。保存的是后者的时间。</translation>
    </message>
    <message>
        <source>no GPU work</source>
        <translation>没有 GPU 工作</translation>
    </message>
    <message>
        <source>The GPU did nothing in some calls. The judge&apos;s own time stands in, which is longer.</source>
        <translation>某些调用中 GPU 没有工作。代之以评测程序自己的时间，它更长。</translation>
    </message>
    <message>
        <source>claimed time not believed</source>
        <translation>声称的时间不可信</translation>
    </message>
    <message>
        <source>The solution&apos;s process claims a time that the judge&apos;s clock contradicts. What the judge saw is stored.</source>
        <translation>解法的进程声称的时间与评测程序的时钟矛盾。保存的是评测程序看到的时间。</translation>
    </message>
    <message>
        <source>time limit</source>
        <translation>时间限制</translation>
    </message>
    <message>
        <source>The evaluation did not end within the time limit.</source>
        <translation>评测未在时间限制内结束。</translation>
    </message>
    <message>
        <source>timed by events</source>
        <translation>用事件计时</translation>
    </message>
    <message>
        <source>CUPTI could not be used, so CUDA events measured. Small kernels look some microseconds slower then.</source>
        <translation>无法使用 CUPTI，因此由 CUDA 事件计时。此时小内核会显得慢几微秒。</translation>
    </message>
    <message>
        <source>misspelt tolerance</source>
        <translation>容差拼写有误</translation>
    </message>
    <message>
        <source>The workload has a tolerance under a misspelt key, which is ignored.</source>
        <translation>工作负载的容差写在拼写有误的键下，已忽略。</translation>
    </message>
    <message>
        <source>zeros would pass</source>
        <translation>全零也能通过</translation>
    </message>
    <message>
        <source>The expected outputs are so small that zeros everywhere would be within the tolerance: correctness says nothing about this workload.</source>
        <translation>预期输出非常小，全部为零也在容差之内：对这个工作负载而言，正确性说明不了什么。</translation>
    </message>
    <message>
        <source>tolerance not used</source>
        <translation>未使用容差</translation>
    </message>
    <message>
        <source>The workload has a tolerance that the evaluator of this definition does not use.</source>
        <translation>工作负载的容差未被此定义的评估器使用。</translation>
    </message>
    <message>
        <source>inputs of the checked calls</source>
        <translation>检查调用的输入</translation>
    </message>
    <message>
        <source>The input function does not make the same of the same seed, so timed calls take their inputs from those of the checked calls.</source>
        <translation>输入函数对相同的种子不会生成相同的输入，因此计时的调用采用检查调用的输入。</translation>
    </message>
</context>
<context>
    <name>WorkloadTableModel</name>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>made by the definition: %1</source>
        <translation>由定义生成：%1</translation>
    </message>
    <message>
        <source>from file: %1</source>
        <translation>来自文件：%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::AboutDialog</name>
    <message>
        <source>About Tracedeck</source>
        <translation>关于 Tracedeck</translation>
    </message>
    <message>
        <source>Tracedeck %1</source>
        <translation>Tracedeck %1</translation>
    </message>
    <message>
        <source>Explorer and runner for FlashInfer-Trace datasets.</source>
        <translation>FlashInfer-Trace 数据集的浏览器与运行器。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later, without any warranty.

Built with Qt %1, QCustomPlot %2, QScintilla %3, nlohmann/json, simdjson, fmt and yaml-cpp.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本，不提供任何担保。

使用 Qt %1、QCustomPlot %2、QScintilla %3、nlohmann/json、simdjson、fmt 和 yaml-cpp 构建。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::AddImplementationDialog</name>
    <message>
        <source>Add an implementation</source>
        <translation>添加实现</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>A Python function takes the inputs in the order of the definition and returns the outputs; CUDA and C++ are given the outputs, too. A Hub kernel is called through the Python package kernels, and must have been fetched before: a run has no network.</source>
        <translation>Python 函数按定义的顺序接收输入并返回输出；CUDA 和 C++ 还会收到输出缓冲区。Hub 内核通过 Python 包 kernels 调用，必须事先下载：运行时没有网络。</translation>
    </message>
    <message>
        <source>&amp;Definition</source>
        <translation>定义(&amp;D)</translation>
    </message>
    <message>
        <source>What it implements</source>
        <translation>它实现的定义</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>来源(&amp;F)</translation>
    </message>
    <message>
        <source>Where the implementation is</source>
        <translation>实现所在之处</translation>
    </message>
    <message>
        <source>A Python, CUDA or C++ file</source>
        <translation>Python、CUDA 或 C++ 文件</translation>
    </message>
    <message>
        <source>A kernel of the Hugging Face Hub</source>
        <translation>Hugging Face Hub 的内核</translation>
    </message>
    <message>
        <source>F&amp;ile</source>
        <translation>文件(&amp;I)</translation>
    </message>
    <message>
        <source>A .py, .cu or .cpp file</source>
        <translation>.py、.cu 或 .cpp 文件</translation>
    </message>
    <message>
        <source>Implementations (*.py *.cu *.cpp *.cc)</source>
        <translation>实现 (*.py *.cu *.cpp *.cc)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>F&amp;unction</source>
        <translation>函数(&amp;U)</translation>
    </message>
    <message>
        <source>The function to call</source>
        <translation>要调用的函数</translation>
    </message>
    <message>
        <source>Hub &amp;kernel</source>
        <translation>Hub 内核(&amp;K)</translation>
    </message>
    <message>
        <source>A Hub kernel by its name, owner/name</source>
        <translation>以 owner/name 命名的 Hub 内核</translation>
    </message>
    <message>
        <source>The one that is known for the kind</source>
        <translation>此类型已知的内核</translation>
    </message>
    <message>
        <source>&amp;Revision</source>
        <translation>版本(&amp;R)</translation>
    </message>
    <message>
        <source>Branch, tag or commit of the Hub kernel</source>
        <translation>Hub 内核的分支、标签或提交</translation>
    </message>
    <message>
        <source>The newest that was fetched</source>
        <translation>已下载的最新版本</translation>
    </message>
    <message>
        <source>Ca&amp;ll</source>
        <translation>调用(&amp;L)</translation>
    </message>
    <message>
        <source>Python that calls the module kernel with the inputs by name and returns the outputs</source>
        <translation>以输入名调用模块 kernel 并返回输出的 Python 代码</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>Name of the solution</source>
        <translation>解法的名称</translation>
    </message>
    <message>
        <source>Aut&amp;hor</source>
        <translation>作者(&amp;H)</translation>
    </message>
    <message>
        <source>Author of the solution</source>
        <translation>解法的作者</translation>
    </message>
    <message>
        <source>Give the solution a name and an author.</source>
        <translation>请给解法填写名称和作者。</translation>
    </message>
    <message>
        <source>Choose the file of the implementation.</source>
        <translation>请选择实现的文件。</translation>
    </message>
    <message>
        <source>Added the solution %1. Tick it in the tree and run it.</source>
        <translation>已添加解法 %1。请在树中勾选并运行它。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::BaselineButton</name>
    <message>
        <source>Choose a baseline</source>
        <translation>选择基准</translation>
    </message>
    <message>
        <source>Authors with one solution whose results others can be measured against</source>
        <translation>只有一个解法、可作为其他人比较对象的作者</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n definition(s))</source>
        <translation>
            <numerusform>%1（%n 个定义）</numerusform>
        </translation>
    </message>
    <message>
        <source>Rankings and ratios are measured against this author&apos;s solutions</source>
        <translation>排名和比值以此作者的解法为基准</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::BoardPage</name>
    <message>
        <source>Chart board</source>
        <translation>图表板</translation>
    </message>
    <message>
        <source>No chart is on the board yet.
Show one on the page Charts, then choose View ▸ Add the chart to the board.</source>
        <translation>图表板上还没有图表。
在“图表”页显示一张，然后选择“视图 ▸ 将图表加入图表板”。</translation>
    </message>
    <message>
        <source>Export board as %1…</source>
        <translation>将图表板导出为 %1…</translation>
    </message>
    <message>
        <source>Write all its charts into one picture, with titles and legends</source>
        <translation>将所有图表连同标题和图例写入一张图片</translation>
    </message>
    <message>
        <source>Export board</source>
        <translation>导出图表板</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::CeilingsDialog</name>
    <message>
        <source>&amp;Add a GPU</source>
        <translation>添加 GPU(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>What GPUs can do</source>
        <translation>GPU 的能力上限</translation>
    </message>
    <message>
        <source>The figures that are there do not count: %1 Saving replaces them.</source>
        <translation>现有的数值无效：%1 保存会替换它们。</translation>
    </message>
    <message>
        <source>The speed of light is worked out of these. Grey rows are of data sheets, dense products at the highest clock; what you change there, or add, is yours and kept in %1. An empty figure is not known. A name counts for all hardware that has it as whole words in its own.</source>
        <translation>光速由这些数值得出。灰色行来自数据手册（最高频率下的稠密乘积）；您在其中修改或添加的内容属于您自己，保存在 %1。空白表示未知。名称适用于名字中以完整单词包含它的所有硬件。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Memory (GB/s)</source>
        <translation>显存 (GB/s)</translation>
    </message>
    <message>
        <source>%1 (TFLOP/s)</source>
        <translation>%1 (TFLOP/s)</translation>
    </message>
    <message>
        <source>Shortest kernel (µs)</source>
        <translation>最短内核 (µs)</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>A row for hardware of the dataset that has none yet, or a new name</source>
        <translation>为数据集中尚无数值的硬件添加一行，或添加新名称</translation>
    </message>
    <message>
        <source>Forget your own figures of this row; those of its data sheet come back</source>
        <translation>丢弃此行中您自己的数值；恢复数据手册中的数值</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>changed by hand</source>
        <translation>手动修改</translation>
    </message>
    <message>
        <source>%1, %2: “%3” is no number above 0</source>
        <translation>%1，%2：“%3” 不是大于 0 的数</translation>
    </message>
    <message>
        <source>A GPU has no name.</source>
        <translation>有一个 GPU 没有名称。</translation>
    </message>
    <message>
        <source>%1 is there twice.</source>
        <translation>%1 出现了两次。</translation>
    </message>
    <message>
        <source>The figures were not saved: %1</source>
        <translation>数值未保存：%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ChartCard</name>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>speedup over the reference</source>
        <translation>相对参考实现的加速比</translation>
    </message>
    <message>
        <source>speedup over the baseline</source>
        <translation>相对基线的加速比</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>share of the speed of light</source>
        <translation>光速占比</translation>
    </message>
    <message>
        <source>greatest absolute error</source>
        <translation>最大绝对误差</translation>
    </message>
    <message>
        <source>greatest relative error</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>左移</translation>
    </message>
    <message>
        <source>Change places with the chart before this one</source>
        <translation>与前一张图表交换位置</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>右移</translation>
    </message>
    <message>
        <source>Change places with the chart behind this one</source>
        <translation>与后一张图表交换位置</translation>
    </message>
    <message>
        <source>Open in the workbench</source>
        <translation>在工作台中打开</translation>
    </message>
    <message>
        <source>Show this chart where its axes can be changed</source>
        <translation>在可以更改坐标轴的地方显示此图表</translation>
    </message>
    <message>
        <source>Take it off the board</source>
        <translation>从图表板移除</translation>
    </message>
    <message>
        <source>The chart can be added again from the workbench</source>
        <translation>可以从工作台再次加入此图表</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1（按 %2）</translation>
    </message>
    <message>
        <source>There is nothing to show: no trace has these values.
Open the chart in the workbench to see why.</source>
        <translation>没有可显示的内容：没有记录具有这些值。
在工作台中打开图表以查看原因。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ChartLegend</name>
    <message>
        <source>Lines of the chart</source>
        <translation>图表中的曲线</translation>
    </message>
    <message>
        <source>%1 by %2
Click: off or on. Double click or Ctrl+click: alone.</source>
        <translation>%1，作者 %2
单击：显示或隐藏。双击或 Ctrl+单击：只显示这一条。</translation>
    </message>
    <message>
        <source>%1 passed, %2 failed</source>
        <translation>%1 个通过，%2 个失败</translation>
    </message>
    <message>
        <source>%1, switched off</source>
        <translation>%1，已隐藏</translation>
    </message>
    <message>
        <source>%1, shown</source>
        <translation>%1，已显示</translation>
    </message>
    <message>
        <source>Show only this line</source>
        <translation>只显示这条曲线</translation>
    </message>
    <message>
        <source>Show all lines</source>
        <translation>显示所有曲线</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ChartsPage</name>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>What lies on the horizontal axis</source>
        <translation>横轴上显示什么</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>What lies on the vertical axis</source>
        <translation>纵轴上显示什么</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>speedup over the reference</source>
        <translation>相对参考实现的加速比</translation>
    </message>
    <message>
        <source>speedup over the baseline</source>
        <translation>相对基线的加速比</translation>
    </message>
    <message>
        <source>log &amp;x</source>
        <translation>对数 &amp;x</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>横轴使用对数刻度</translation>
    </message>
    <message>
        <source>log &amp;y</source>
        <translation>对数 &amp;y</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>纵轴使用对数刻度</translation>
    </message>
    <message>
        <source>Show &amp;all</source>
        <translation>显示全部(&amp;A)</translation>
    </message>
    <message>
        <source>Undo zooming (double click, or 0)</source>
        <translation>撤销缩放（双击，或按 0）</translation>
    </message>
    <message>
        <source>&amp;Horizontal</source>
        <translation>横轴(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Vertical</source>
        <translation>纵轴(&amp;V)</translation>
    </message>
    <message>
        <source>Export chart as %1…</source>
        <translation>将图表导出为 %1…</translation>
    </message>
    <message>
        <source>Write the chart as it is seen, with title and legend</source>
        <translation>按所见内容写出图表，包括标题和图例</translation>
    </message>
    <message>
        <source>Export chart data as CSV…</source>
        <translation>将图表数据导出为 CSV…</translation>
    </message>
    <message>
        <source>Write the traces behind the lines that are switched on as a CSV report</source>
        <translation>把已显示曲线背后的跟踪写成 CSV 报告</translation>
    </message>
    <message>
        <source>Export chart data</source>
        <translation>导出图表数据</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>%1 (1 value)</source>
        <translation>%1（1 个值）</translation>
    </message>
    <message>
        <source>%1 (%2 values)</source>
        <translation>%1（%2 个值）</translation>
    </message>
    <message>
        <source>workload, in file order</source>
        <translation>工作负载，按文件中的顺序</translation>
    </message>
    <message>
        <source>Showing %1, which has the most traces; choose the hardware to see %2.</source>
        <translation>正在显示跟踪最多的 %1；要查看 %2，请选择硬件。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Measured on %1.</source>
        <translation>在 %1 上测量。</translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开数据集。
请从“文件”菜单打开数据集文件夹，或将文件夹拖到窗口上。</translation>
    </message>
    <message>
        <source>Choose a definition in the tree to see its chart.</source>
        <translation>请在树中选择一个定义以查看其图表。</translation>
    </message>
    <message>
        <source>There is no ratio to show: %1
Choose another baseline author, or another vertical axis.</source>
        <translation>没有可显示的比值：%1
请选择另一个基线作者，或另一个纵轴。</translation>
    </message>
    <message>
        <source>No trace of %1 on %2 has this value.
Choose another hardware or another axis.</source>
        <translation>%1 在 %2 上的跟踪都没有此值。
请选择其他硬件或其他轴。</translation>
    </message>
    <message>
        <source>any hardware</source>
        <translation>任意硬件</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Time of a call</source>
        <translation>调用时间</translation>
    </message>
    <message>
        <source>Which time of a call counts: a launch-bound call looks very different by each of them</source>
        <translation>采用调用的哪种时间：受启动开销限制的调用在各种时间下差别很大</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>存储值</translation>
    </message>
    <message>
        <source>live span</source>
        <translation>实际跨度</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>sum of kernels</source>
        <translation>内核之和</translation>
    </message>
    <message>
        <source>&amp;band p10–p90</source>
        <translation>区间 p10–p90(&amp;B)</translation>
    </message>
    <message>
        <source>The spread of the samples behind each point, where traces have it; of stored times only</source>
        <translation>每个点背后样本的分布（若记录中有）；仅限存储的时间</translation>
    </message>
    <message>
        <source>one chart a &amp;GPU</source>
        <translation>每个 GPU 一张图(&amp;G)</translation>
    </message>
    <message>
        <source>All GPUs side by side on the same scales; choose all hardware above</source>
        <translation>所有 GPU 并排显示，使用相同刻度；请在上方选择全部硬件</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>时间(&amp;T)</translation>
    </message>
    <message>
        <source>bytes that must be moved</source>
        <translation>必须搬运的字节数</translation>
    </message>
    <message>
        <source>operations (FLOP)</source>
        <translation>运算次数（FLOP）</translation>
    </message>
    <message>
        <source>time of measurement</source>
        <translation>测量时刻</translation>
    </message>
    <message>
        <source>One chart a GPU, on the same scales.</source>
        <translation>每个 GPU 一张图，刻度相同。</translation>
    </message>
    <message>
        <source>Operations: %1.</source>
        <translation>运算次数：%1。</translation>
    </message>
    <message>
        <source>Bytes count tensors that a kernel may read in part only.</source>
        <translation>字节数包含内核可能只读取一部分的张量。</translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) left out: no such time in their record.</source>
        <translation>
            <numerusform>略去 %n 条记录：其中没有这种时间。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) left out: the size of their workload is not known.</source>
        <translation>
            <numerusform>略去 %n 条记录：其工作负载的大小未知。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) left out: their timestamp is no time.</source>
        <translation>
            <numerusform>略去 %n 条记录：其时间戳不是时间。</numerusform>
        </translation>
    </message>
    <message>
        <source>No trace of %1 has this time in its record.
Only Tracedeck&apos;s own measurements on a GPU have queued times and sums of kernels; choose the stored time.</source>
        <translation>%1 的记录中都没有这种时间。
只有 Tracedeck 自己在 GPU 上的测量才有排队时间和内核之和；请选择存储的时间。</translation>
    </message>
    <message>
        <source>The size of %1&apos;s workloads is not known: there is no formula for its op type, or it depends on what the inputs hold.
Choose another axis.</source>
        <translation>%1 的工作负载大小未知：其算子类型没有公式，或取决于输入内容。
请选择其他轴。</translation>
    </message>
    <message>
        <source>Export chart points as CSV…</source>
        <translation>将图表的点导出为 CSV…</translation>
    </message>
    <message>
        <source>Write x, y and the band of each point of the lines that are switched on</source>
        <translation>写出已显示曲线每个点的 x、y 和区间</translation>
    </message>
    <message>
        <source>Export chart points</source>
        <translation>导出图表的点</translation>
    </message>
    <message>
        <source>share of the speed of light</source>
        <translation>光速占比</translation>
    </message>
    <message>
        <source>operations a byte</source>
        <translation>每字节运算数</translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) left out: what their hardware can do is not known; name it in %1.</source>
        <translation>
            <numerusform>略去 %n 条记录：不知道其硬件的上限；请写入 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>greatest absolute error</source>
        <translation>最大绝对误差</translation>
    </message>
    <message>
        <source>greatest relative error</source>
        <translation>最大相对误差</translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) left out: no errors are stored.</source>
        <translation>
            <numerusform>略去 %n 条记录：未存储误差。</numerusform>
        </translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>写注释</translation>
    </message>
    <message>
        <source>A few words that are kept with this chart:</source>
        <translation>与此图表一起保存的几个字：</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::CheckListButton</name>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 chosen</source>
        <translation>%1：已选 %2 个</translation>
    </message>
    <message>
        <source>%1: all</source>
        <translation>%1：全部</translation>
    </message>
    <message>
        <source>Choose which of these to show</source>
        <translation>选择要显示其中哪些</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::CodeView</name>
    <message>
        <source>Source text</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Find in the source text</source>
        <translation>在源代码中查找</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find previous (Shift+Enter)</source>
        <translation>查找上一个 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Find next (Enter)</source>
        <translation>查找下一个 (Enter)</translation>
    </message>
    <message>
        <source>Close the find bar (Esc)</source>
        <translation>关闭查找栏 (Esc)</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ComparePage</name>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>entry point</source>
        <translation>入口点</translation>
    </message>
    <message>
        <source>writes into its outputs</source>
        <translation>写入给定的输出</translation>
    </message>
    <message>
        <source>returns its outputs</source>
        <translation>返回输出</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Solution on the left</source>
        <translation>左侧的解法</translation>
    </message>
    <message>
        <source>Solution on the right</source>
        <translation>右侧的解法</translation>
    </message>
    <message>
        <source>Source file to compare</source>
        <translation>要比较的源文件</translation>
    </message>
    <message>
        <source>Swap the sides</source>
        <translation>交换两侧</translation>
    </message>
    <message>
        <source>Previous difference (Shift+F8)</source>
        <translation>上一处差异 (Shift+F8)</translation>
    </message>
    <message>
        <source>Next difference (F8)</source>
        <translation>下一处差异 (F8)</translation>
    </message>
    <message>
        <source>Ignore &amp;blanks</source>
        <translation>忽略空白(&amp;B)</translation>
    </message>
    <message>
        <source>Lines that differ only in blanks and tabs count as equal</source>
        <translation>仅空格和制表符不同的行视为相同</translation>
    </message>
    <message>
        <source>No difference in this file</source>
        <translation>此文件没有差异</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed</source>
        <translation>
            <numerusform>修改了 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>删除了 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n added</source>
        <translation>
            <numerusform>新增了 %n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ComparisonModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>What can be said with certainty; the reason is in the tool tip of each row</source>
        <translation>能够确定的结论；原因见每行的提示</translation>
    </message>
    <message>
        <source>Median of all samples, or how the evaluation ended</source>
        <translation>所有样本的中位数，或评测如何结束</translation>
    </message>
    <message>
        <source>Interquartile range ÷ median of the samples, in percent; empty where no samples are stored</source>
        <translation>样本的四分位距 ÷ 中位数（百分比）；没有存储样本时为空</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>B ÷ A − 1: below zero B is faster</source>
        <translation>B ÷ A − 1：小于零时 B 更快</translation>
    </message>
    <message>
        <source>95 % interval of the change, by bootstrap</source>
        <translation>变化的 95 % 区间（自助法）</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Op type</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Solution A</source>
        <translation>解法 A</translation>
    </message>
    <message>
        <source>Solution B</source>
        <translation>解法 B</translation>
    </message>
    <message>
        <source>GPU A</source>
        <translation>GPU A</translation>
    </message>
    <message>
        <source>GPU B</source>
        <translation>GPU B</translation>
    </message>
    <message>
        <source>A (µs)</source>
        <translation>A (µs)</translation>
    </message>
    <message>
        <source>Noise A (%)</source>
        <translation>噪声 A (%)</translation>
    </message>
    <message>
        <source>B (µs)</source>
        <translation>B (µs)</translation>
    </message>
    <message>
        <source>Noise B (%)</source>
        <translation>噪声 B (%)</translation>
    </message>
    <message>
        <source>Difference (µs)</source>
        <translation>差值 (µs)</translation>
    </message>
    <message>
        <source>Change (%)</source>
        <translation>变化 (%)</translation>
    </message>
    <message>
        <source>From (%)</source>
        <translation>下限 (%)</translation>
    </message>
    <message>
        <source>To (%)</source>
        <translation>上限 (%)</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ComparisonScatter</name>
    <message>
        <source>Times of A against times of B</source>
        <translation>A 的时间对 B 的时间</translation>
    </message>
    <message>
        <source>The table of the comparison has the same values.</source>
        <translation>比较表格中有相同的数值。</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B slower</source>
        <translation>B 更慢</translation>
    </message>
    <message>
        <source>B faster</source>
        <translation>B 更快</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DatasetPanel</name>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Filter the dataset tree</source>
        <translation>筛选数据集树</translation>
    </message>
    <message>
        <source>Filter: name, tag, author, h=32 …</source>
        <translation>筛选：名称、标签、作者、h=32 …</translation>
    </message>
    <message>
        <source>Words that must all match a name, op_type, tag, author or language; h=32 matches an axis (Ctrl+L)</source>
        <translation>所有词都必须匹配名称、op_type、标签、作者或语言；h=32 匹配轴 (Ctrl+L)</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Untick everything</source>
        <translation>取消所有勾选</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Untick for running</source>
        <translation>取消勾选，不运行</translation>
    </message>
    <message>
        <source>Tick for running</source>
        <translation>勾选以运行</translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Nothing matches the filter.
Press Esc in the filter to see everything.</source>
        <translation>没有内容匹配筛选条件。
在筛选框中按 Esc 以查看全部。</translation>
    </message>
    <message>
        <source>There is no definition in this folder.
A dataset keeps them as JSON files in definitions/.</source>
        <translation>此文件夹中没有定义。
数据集把定义以 JSON 文件形式保存在 definitions/ 中。</translation>
    </message>
    <message>
        <source>%1 pairs ticked to run</source>
        <translation>已勾选 %1 对待运行</translation>
    </message>
    <message>
        <source>%1 of %2 definitions</source>
        <translation>%1 / %2 个定义</translation>
    </message>
    <message>
        <source>%1 definitions · tick to run</source>
        <translation>%1 个定义 · 勾选以运行</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DatasetTreeModel</name>
    <message>
        <source>without a definition</source>
        <translation>没有定义</translation>
    </message>
    <message>
        <source>Solutions</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Solutions, workloads or traces name these definitions, but the dataset has no file for them. They can be looked at, not run.</source>
        <translation>解法、工作负载或跟踪提到了这些定义，但数据集中没有它们的文件。可以查看，但不能运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n definition(s) of this op_type</source>
        <translation>
            <numerusform>此 op_type 有 %n 个定义</numerusform>
        </translation>
    </message>
    <message>
        <source>%1
%2 solutions, %3 workloads, %4 traces</source>
        <translation>%1
%2 个解法，%3 个工作负载，%4 条跟踪</translation>
    </message>
    <message>
        <source>%1
by %2 in %3</source>
        <translation>%1
作者 %2，语言 %3</translation>
    </message>
    <message>
        <source>%1
workload %2</source>
        <translation>%1
工作负载 %2</translation>
    </message>
    <message>
        <source>workload %1</source>
        <translation>工作负载 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DefinitionHeader</name>
    <message>
        <source>Copy JSON</source>
        <translation>复制 JSON</translation>
    </message>
    <message>
        <source>Axes of the definition</source>
        <translation>定义的轴</translation>
    </message>
    <message>
        <source>Inputs and outputs of the definition</source>
        <translation>定义的输入和输出</translation>
    </message>
    <message>
        <source>Run every solution of this definition on every workload</source>
        <translation>在每个工作负载上运行此定义的每个解法</translation>
    </message>
    <message>
        <source>Copy the definition as the JSON of its file</source>
        <translation>以其文件中的 JSON 复制定义</translation>
    </message>
    <message>
        <source>Axes and constraints</source>
        <translation>轴与约束</translation>
    </message>
    <message>
        <source>Inputs → outputs</source>
        <translation>输入 → 输出</translation>
    </message>
    <message>
        <source>At a glance</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Hide axes, signature and summary</source>
        <translation>隐藏轴、签名和摘要</translation>
    </message>
    <message>
        <source>Show axes, signature and summary</source>
        <translation>显示轴、签名和摘要</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Run all %1 × %2</source>
        <translation>全部运行 %1 × %2</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>可变</translation>
    </message>
    <message>
        <source>The dataset has no file for this definition; solutions, workloads or traces name it.</source>
        <translation>数据集中没有此定义的文件；只有解法、工作负载或跟踪提到它。</translation>
    </message>
    <message>
        <source>Best: %1 by %2</source>
        <translation>最佳：%1，来自 %2</translation>
    </message>
    <message>
        <source>%1
Highest geometric mean of the speedup over the reference among the solutions that passed most workloads</source>
        <translation>%1
在通过最多工作负载的解法中，相对参考实现的加速比几何平均值最高者</translation>
    </message>
    <message>
        <source>Not run yet. Choose solutions and workloads, then Run selected.</source>
        <translation>尚未运行。请选择解法和工作负载，然后“运行所选”。</translation>
    </message>
    <message>
        <source>Nothing has passed yet.</source>
        <translation>还没有任何一项通过。</translation>
    </message>
    <message>
        <source>%1 of %2 solutions pass everything · %3 of %4 traces passed</source>
        <translation>%1 / %2 个解法全部通过 · %3 / %4 条跟踪通过</translation>
    </message>
    <message>
        <source>Measured on %1</source>
        <translation>在 %1 上测量</translation>
    </message>
    <message>
        <source>No definitions</source>
        <translation>没有定义</translation>
    </message>
    <message>
        <source>No definition chosen</source>
        <translation>未选择定义</translation>
    </message>
    <message>
        <source>The folder was read; it has no definitions.</source>
        <translation>文件夹已读取，其中没有定义。</translation>
    </message>
    <message>
        <source>No definition could be read. The list of problems says which files are wrong, and why.</source>
        <translation>没有能读取的定义。问题列表会说明哪些文件有错，以及原因。</translation>
    </message>
    <message>
        <source>Choose a definition in the dataset tree on the left.</source>
        <translation>请在左侧的数据集树中选择一个定义。</translation>
    </message>
    <message>
        <source>No solutions yet. Put their JSON files into the dataset&apos;s solutions/ folder.</source>
        <translation>还没有解法。请把其 JSON 文件放入数据集的 solutions/ 文件夹。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DefinitionPage</name>
    <message>
        <source>Parts of the definition</source>
        <translation>定义的各部分</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Solutions</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>Solutions of the definition</source>
        <translation>此定义的解法</translation>
    </message>
    <message>
        <source>Workloads of the definition</source>
        <translation>此定义的工作负载</translation>
    </message>
    <message>
        <source>A dataset folder holds JSON files in definitions/ and solutions/, and JSON Lines in workloads/ and traces/.
Open another folder, or look at the sample to see how one is laid out. When you add files to this folder, reload it.</source>
        <translation>数据集文件夹在 definitions/ 和 solutions/ 中存放 JSON 文件，在 workloads/ 和 traces/ 中存放 JSON Lines。
请打开其他文件夹，或查看示例了解其结构。向此文件夹添加文件后，请重新加载。</translation>
    </message>
    <message>
        <source>No solution of this definition is here yet.
Put its JSON file into the dataset&apos;s solutions/ folder, then reload (F5).</source>
        <translation>此定义还没有解法。
请把解法的 JSON 文件放入数据集的 solutions/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>No workload of this definition is here yet.
Put its JSON Lines into the dataset&apos;s workloads/ folder, then reload (F5).</source>
        <translation>此定义还没有工作负载。
请把工作负载的 JSON Lines 放入数据集的 workloads/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>There is no reference: the dataset has no file for this definition.</source>
        <translation>没有参考实现：数据集中没有此定义的文件。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DeviceCard</name>
    <message>
        <source>pauses after this pair</source>
        <translation>此对之后暂停</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>已失联</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>%1 of %2 MHz</source>
        <translation>%1 / %2 MHz</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>memory %1 of %2</source>
        <translation>内存 %1 / %2</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>slowed down: %1</source>
        <translation>已降频：%1</translation>
    </message>
    <message>
        <source>Pause %1 after the pair in hand</source>
        <translation>当前对完成后暂停 %1</translation>
    </message>
    <message>
        <source>Stop %1: others take its pairs</source>
        <translation>停止 %1：由其他设备接手</translation>
    </message>
    <message>
        <source>%1 passed</source>
        <translation>%1 个通过</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 个失败</translation>
    </message>
    <message>
        <source>%1 could not be measured</source>
        <translation>%1 个无法测量</translation>
    </message>
    <message>
        <source>%1 s a pair</source>
        <translation>每对 %1 秒</translation>
    </message>
    <message>
        <source>Let %1 go on</source>
        <translation>让 %1 继续</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>What the solution in hand prints, while it runs</source>
        <translation>当前解法运行时输出的内容</translation>
    </message>
    <message>
        <source>Log of %1</source>
        <translation>%1 的日志</translation>
    </message>
    <message>
        <source>What %1 prints now</source>
        <translation>%1 当前的输出</translation>
    </message>
    <message>
        <source>Nothing has been printed yet.</source>
        <translation>还没有任何输出。</translation>
    </message>
    <message>
        <source>Measured last: %1 · %2</source>
        <translation>最近测得：%1 · %2</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DeviceCards</name>
    <message>
        <source>While a run goes on, its devices are shown here: what each one measures, how warm it is, how fast its clock.</source>
        <translation>运行期间，这里显示各设备：正在测量什么、温度多高、时钟多快。</translation>
    </message>
    <message>
        <source>Devices of the run</source>
        <translation>运行所用的设备</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DiagnosePage</name>
    <message>
        <source>Tensor difference</source>
        <translation>张量差异</translation>
    </message>
    <message>
        <source>Degenerate tolerance</source>
        <translation>退化容差</translation>
    </message>
    <message>
        <source>Compute Sanitizer</source>
        <translation>Compute Sanitizer</translation>
    </message>
    <message>
        <source>Generated code</source>
        <translation>生成的代码</translation>
    </message>
    <message>
        <source>Nsight Compute</source>
        <translation>Nsight Compute</translation>
    </message>
    <message>
        <source>Kernel timeline</source>
        <translation>内核时间线</translation>
    </message>
    <message>
        <source>Kinds of look</source>
        <translation>诊断种类</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>R&amp;un this again</source>
        <translation>再次运行(&amp;U)</translation>
    </message>
    <message>
        <source>Measure this pair again in the ordinary way, and store the result</source>
        <translation>按普通方式再次测量这一对，并保存结果</translation>
    </message>
    <message>
        <source>So&amp;lution</source>
        <translation>解法(&amp;L)</translation>
    </message>
    <message>
        <source>Wor&amp;kload</source>
        <translation>工作负载(&amp;K)</translation>
    </message>
    <message>
        <source>Open a dataset and choose a definition first.</source>
        <translation>请先打开数据集并选择一个定义。</translation>
    </message>
    <message>
        <source>Diagnose %1</source>
        <translation>诊断 %1</translation>
    </message>
    <message>
        <source>%1 has no workloads in this dataset.</source>
        <translation>此数据集中 %1 没有工作负载。</translation>
    </message>
    <message>
        <source>%1 has no solutions in this dataset.</source>
        <translation>此数据集中 %1 没有解法。</translation>
    </message>
    <message>
        <source>There is no Python to run references with: see Help ▸ What this machine can run.</source>
        <translation>没有可运行参考实现的 Python：见“帮助 ▸ 本机能运行什么”。</translation>
    </message>
    <message>
        <source>%1 has no workloads: there is nothing to call a solution with.</source>
        <translation>%1 没有工作负载：没有可用来调用解法的输入。</translation>
    </message>
    <message>
        <source>%1 has no solutions. Only “Degenerate tolerance” needs none; for the others put a solution&apos;s JSON file into the dataset&apos;s solutions/ folder and reload (F5).</source>
        <translation>%1 没有解法。只有“退化容差”不需要解法；其余各项请把解法的 JSON 文件放入数据集的 solutions/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>The solution that is looked at</source>
        <translation>要查看的解法</translation>
    </message>
    <message>
        <source>The workload on which it is called</source>
        <translation>调用它所用的工作负载</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DiagnosisView</name>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Look at the solution and the workload that are chosen above</source>
        <translation>查看上方选择的解法和工作负载</translation>
    </message>
    <message>
        <source>End the look and its processes</source>
        <translation>结束诊断及其进程</translation>
    </message>
    <message>
        <source>At work</source>
        <translation>正在工作</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>正在启动 …</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DiffView</name>
    <message>
        <source>Left text</source>
        <translation>左侧文本</translation>
    </message>
    <message>
        <source>Right text</source>
        <translation>右侧文本</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DifferenceView</name>
    <message>
        <source>Calls the solution as an evaluation does, without timing it, and compares what it gives with what is expected. Shown is the first call that fails, or the first one. Nothing is stored.</source>
        <translation>像评测那样调用解法但不计时，并把结果与预期比较。显示第一个失败的调用，若无失败则显示第一个。不保存任何内容。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Which output is shown</source>
        <translation>显示哪个输出</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>Got</source>
        <translation>得到</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Worst elements</source>
        <translation>最差的元素</translation>
    </message>
    <message>
        <source>Where elements are wrong</source>
        <translation>错误元素的位置</translation>
    </message>
    <message>
        <source>Elements by absolute error</source>
        <translation>按绝对误差统计的元素</translation>
    </message>
    <message>
        <source>%1: there is nothing to compare: %2.</source>
        <translation>%1：没有可比较的内容：%2。</translation>
    </message>
    <message>
        <source>%1 · call %2 · output %3 %4 %5: %6 of %7 elements are wrong (%8; atol %9</source>
        <translation>%1 · 第 %2 次调用 · 输出 %3 %4 %5：%7 个元素中有 %6 个错误（%8；atol %9</translation>
    </message>
    <message>
        <source>, rtol %1)</source>
        <translation>，rtol %1）</translation>
    </message>
    <message>
        <source>Largest error %1 absolute, %2 relative; mean %3, bias %4; %5 equal bit for bit</source>
        <translation>最大误差：绝对 %1，相对 %2；平均 %3，偏差 %4；%5 个逐位相等</translation>
    </message>
    <message>
        <source>; %1 are NaN or infinite</source>
        <translation>；%1 个为 NaN 或无穷</translation>
    </message>
    <message>
        <source>; %1 were never written</source>
        <translation>；%1 个从未写入</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 elements were looked at.</source>
        <translation>只查看了 %2 个元素中的前 %1 个。</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>within</source>
        <translation>在容差内</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DoctorDialog</name>
    <message>
        <source>Look &amp;again</source>
        <translation>重新检查(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>What this machine can run</source>
        <translation>这台机器能运行什么</translation>
    </message>
    <message>
        <source>What was found on this machine</source>
        <translation>在这台机器上找到的内容</translation>
    </message>
    <message>
        <source>Looking at what this machine can run …</source>
        <translation>正在检查这台机器能运行什么 …</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DocumentProblemsModel</name>
    <message>
        <source>%1 (%2 times)</source>
        <translation>%1（%2 次）</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题说明</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DuelChart</name>
    <message>
        <source>Times ÷ the leader&apos;s, with intervals</source>
        <translation>时间与领先者之比及其区间</translation>
    </message>
    <message>
        <source>leader = 1</source>
        <translation>领先者 = 1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::DuelPage</name>
    <message>
        <source>out</source>
        <translation>出局</translation>
    </message>
    <message>
        <source>leader</source>
        <translation>领先者</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>can&apos;t tell yet</source>
        <translation>尚无法判断</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>the verdict is clear</source>
        <translation>结论明确</translation>
    </message>
    <message>
        <source>the time is over</source>
        <translation>时间已到</translation>
    </message>
    <message>
        <source>so many rounds were wanted</source>
        <translation>已达到设定的轮数</translation>
    </message>
    <message>
        <source>fewer than two solutions are left</source>
        <translation>剩下的解法不足两个</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>&amp;Start the duel</source>
        <translation>开始对决(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Tick two solutions or more and start. A round is one evaluation of each, right after the other, on the same inputs; only ratios within a round are compared. Nothing is stored.</source>
        <translation>勾选两个或更多解法后开始。每一轮在相同输入上依次评测每个解法一次；只比较同一轮内的比值。不保存任何内容。</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Median (µs)</source>
        <translation>中位数 (µs)</translation>
    </message>
    <message>
        <source>÷ leader</source>
        <translation>÷ 领先者</translation>
    </message>
    <message>
        <source>from</source>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Solutions of the duel</source>
        <translation>参加对决的解法</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>No round begins after this</source>
        <translation>超过此时间不再开始新的一轮</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>A difference below this does not count: such solutions are the same</source>
        <translation>小于此值的差异不计：视为相同</translation>
    </message>
    <message>
        <source>Set the ticked solutions against each other</source>
        <translation>让勾选的解法对决</translation>
    </message>
    <message>
        <source>End the duel; what is known so far stays</source>
        <translation>结束对决；已知结果保留</translation>
    </message>
    <message>
        <source>At work</source>
        <translation>正在工作</translation>
    </message>
    <message>
        <source>Wor&amp;kload</source>
        <translation>工作负载(&amp;K)</translation>
    </message>
    <message>
        <source>Time &amp;limit</source>
        <translation>时限(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Margin</source>
        <translation>余量(&amp;M)</translation>
    </message>
    <message>
        <source>Open a dataset and choose a definition first.</source>
        <translation>请先打开数据集并选择一个定义。</translation>
    </message>
    <message>
        <source>Duel on %1</source>
        <translation>%1 上的对决</translation>
    </message>
    <message>
        <source>There is no workload to measure on.</source>
        <translation>没有可测量的工作负载。</translation>
    </message>
    <message>
        <source>Tick two solutions or more first.</source>
        <translation>请先勾选两个或更多解法。</translation>
    </message>
    <message>
        <source>There is no Python to run references with: see Help ▸ What this machine can run.</source>
        <translation>没有可运行参考实现的 Python：见“帮助 ▸ 本机能运行什么”。</translation>
    </message>
    <message>
        <source>The judge is starting …</source>
        <translation>评判进程正在启动 …</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>%1 rounds in %2</source>
        <translation>%1 轮，用时 %2</translation>
    </message>
    <message>
        <source>No round has been measured yet.</source>
        <translation>还没有测量任何一轮。</translation>
    </message>
    <message>
        <source>This definition has no solutions.</source>
        <translation>此定义没有解法。</translation>
    </message>
    <message>
        <source>A duel needs two solutions or more of one definition; %1 has %2. Choose another definition, or put more solutions into the dataset&apos;s solutions/ folder and reload (F5).</source>
        <translation>对决需要同一定义的两个或更多解法；%1 有 %2 个。请选择另一个定义，或把更多解法放入数据集的 solutions/ 文件夹，然后重新加载 (F5)。</translation>
    </message>
    <message>
        <source>The workload on which all are called</source>
        <translation>所有解法共同使用的工作负载</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ErrorHistogramView</name>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>≥ %1</source>
        <translation>≥ %1</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>小于 %1</translation>
    </message>
    <message>
        <source>Elements by the size of their error</source>
        <translation>按误差大小统计的元素</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ErrorMapView</name>
    <message>
        <source>Where elements are wrong</source>
        <translation>错误元素的位置</translation>
    </message>
    <message>
        <source>nothing is wrong</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>up to %1 of a part is wrong</source>
        <translation>一部分中最多有 %1 错误</translation>
    </message>
    <message>
        <source>%1 rows × %2 columns (last axis)</source>
        <translation>%1 行 × %2 列（最后一轴）</translation>
    </message>
    <message>
        <source>rows %1 to %2, columns %3 to %4: %5 wrong, largest error %6</source>
        <translation>行 %1 至 %2，列 %3 至 %4：%5 错误，最大误差 %6</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ErrorsPage</name>
    <message>
        <source>Which error lies on the vertical axis</source>
        <translation>纵轴显示哪种误差</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>greatest absolute</source>
        <translation>最大绝对</translation>
    </message>
    <message>
        <source>greatest relative</source>
        <translation>最大相对</translation>
    </message>
    <message>
        <source>&amp;Error</source>
        <translation>误差(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;atol</source>
        <translation>&amp;atol</translation>
    </message>
    <message>
        <source>Absolute tolerance: what would be within it</source>
        <translation>绝对容差：哪些会在其内</translation>
    </message>
    <message>
        <source>&amp;rtol</source>
        <translation>&amp;rtol</translation>
    </message>
    <message>
        <source>Relative tolerance: what would be within it</source>
        <translation>相对容差：哪些会在其内</translation>
    </message>
    <message>
        <source>&amp;Usual</source>
        <translation>默认(&amp;U)</translation>
    </message>
    <message>
        <source>Each workload&apos;s own tolerance, else 0.01 for both</source>
        <translation>各工作负载自己的容差，否则两者均为 0.01</translation>
    </message>
    <message>
        <source>Errors of the solutions</source>
        <translation>各解法的误差</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>在容差内</translation>
    </message>
    <message>
        <source>Max abs.</source>
        <translation>最大绝对</translation>
    </message>
    <message>
        <source>Max rel.</source>
        <translation>最大相对</translation>
    </message>
    <message>
        <source>Matched</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Traces whose greatest absolute or greatest relative error is within its tolerance: every element is right for certain</source>
        <translation>最大绝对误差或最大相对误差在其容差内的记录：每个元素都确定正确</translation>
    </message>
    <message>
        <source>Least share of right elements by the evaluator&apos;s own tolerance, where traces say so</source>
        <translation>按评测器自己的容差，正确元素的最小占比（仅当记录中有此信息）</translation>
    </message>
    <message>
        <source>Export errors</source>
        <translation>导出误差</translation>
    </message>
    <message>
        <source>Export errors as %1…</source>
        <translation>将误差导出为 %1…</translation>
    </message>
    <message>
        <source>Write the chart as it is seen, with title and legend</source>
        <translation>按所见写出图表，带标题和图例</translation>
    </message>
    <message>
        <source>Export errors as CSV…</source>
        <translation>将误差导出为 CSV…</translation>
    </message>
    <message>
        <source>Write the errors of each trace with every digit</source>
        <translation>以全部位数写出每条记录的误差</translation>
    </message>
    <message>
        <source>Measured on %1, which has the most traces.</source>
        <translation>在记录最多的 %1 上测量。</translation>
    </message>
    <message>
        <source>Measured on %1.</source>
        <translation>在 %1 上测量。</translation>
    </message>
    <message>
        <source>Within: the greatest absolute or the greatest relative error is within its tolerance, so every element is right for certain. Below the others: no error at all.</source>
        <translation>在容差内：最大绝对误差或最大相对误差在其容差内，因此每个元素都确定正确。位于其他点之下：完全没有误差。</translation>
    </message>
    <message>
        <source>various</source>
        <translation>各不相同</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>%1 of %2 traces are within the tolerance for certain; %3 passed.</source>
        <translation>%2 条记录中有 %1 条确定在容差内；%3 条通过。</translation>
    </message>
    <message numerus="yes">
        <source>%n have no error at all.</source>
        <translation>
            <numerusform>%n 条完全没有误差。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n never came to a comparison.</source>
        <translation>
            <numerusform>%n 条未进行到比较。</numerusform>
        </translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开数据集。
请从“文件”菜单打开数据集文件夹，或将文件夹拖到窗口上。</translation>
    </message>
    <message>
        <source>Choose a definition in the tree to see the errors of its solutions.</source>
        <translation>在树中选择一个定义以查看其解法的误差。</translation>
    </message>
    <message>
        <source>No trace of %1 on %2 has errors stored.
Choose another hardware, or run something.</source>
        <translation>%1 在 %2 上没有存储误差的记录。
请选择其他硬件，或运行一些内容。</translation>
    </message>
    <message>
        <source>any hardware</source>
        <translation>任意硬件</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ExportDialog</name>
    <message>
        <source>Export results</source>
        <translation>导出结果</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Writes results in the form of other programs. The GPU, the choice of traces and the baseline of the window count.</source>
        <translation>以其他程序的格式写出结果。以窗口中的 GPU、跟踪取舍方式和基线为准。</translation>
    </message>
    <message>
        <source>&amp;Form</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>Whose form the files have</source>
        <translation>文件采用哪个程序的格式</translation>
    </message>
    <message>
        <source>kernels-benchmarks records</source>
        <translation>kernels-benchmarks 记录</translation>
    </message>
    <message>
        <source>nvbench</source>
        <translation>nvbench</translation>
    </message>
    <message>
        <source>Table of the win@p script</source>
        <translation>win@p 脚本的表格</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>内容(&amp;W)</translation>
    </message>
    <message>
        <source>Which results are written</source>
        <translation>写出哪些结果</translation>
    </message>
    <message>
        <source>The whole dataset</source>
        <translation>整个数据集</translation>
    </message>
    <message>
        <source>&amp;Into folder</source>
        <translation>写入文件夹(&amp;I)</translation>
    </message>
    <message>
        <source>A folder that gets a file for each kind of kernel; files of these names are replaced</source>
        <translation>每种内核类型在此文件夹中得到一个文件；同名文件会被替换</translation>
    </message>
    <message>
        <source>&amp;Into file</source>
        <translation>写入文件(&amp;I)</translation>
    </message>
    <message>
        <source>The file to write; it is replaced</source>
        <translation>要写入的文件；已有的会被替换</translation>
    </message>
    <message>
        <source>Choose a folder to write to.</source>
        <translation>请选择要写入的文件夹。</translation>
    </message>
    <message>
        <source>Choose a file to write.</source>
        <translation>请选择要写入的文件。</translation>
    </message>
    <message>
        <source>Pooled figures are of no single run: choose other traces in the status bar.</source>
        <translation>合并的数值不属于任何单次运行：请在状态栏中选择其他跟踪。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::FailureTableModel</name>
    <message>
        <source>nothing is said</source>
        <translation>没有说明</translation>
    </message>
    <message>
        <source>Taken for the same: %1</source>
        <translation>视为相同：%1</translation>
    </message>
    <message>
        <source>Traces that failed this way</source>
        <translation>以这种方式失败的记录</translation>
    </message>
    <message>
        <source>The line that says most, of the first of these failures; what differs in numbers, addresses and folders only is the same failure</source>
        <translation>这些失败中第一个最能说明问题的一行；只在数字、地址和文件夹上不同的视为同一失败</translation>
    </message>
    <message>
        <source>What sets the failing workloads apart from those on which the same solutions passed</source>
        <translation>失败的工作负载与同一解法通过的工作负载有何不同</translation>
    </message>
    <message>
        <source>The failing workload with the least axes; a click shows its trace</source>
        <translation>轴最小的失败工作负载；点击显示其记录</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Only where</source>
        <translation>仅当</translation>
    </message>
    <message>
        <source>First workload</source>
        <translation>首个工作负载</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Solutions</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Definitions</source>
        <translation>定义</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::FailuresPage</name>
    <message>
        <source>Whose failures are shown</source>
        <translation>显示谁的失败</translation>
    </message>
    <message>
        <source>&amp;Over</source>
        <translation>范围(&amp;O)</translation>
    </message>
    <message>
        <source>Groups of failures</source>
        <translation>失败分组</translation>
    </message>
    <message>
        <source>Reading logs …</source>
        <translation>正在读取日志 …</translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开的数据集。
请从“文件”菜单打开数据集文件夹，或将其拖到窗口上。</translation>
    </message>
    <message>
        <source>Nothing failed here.</source>
        <translation>这里没有失败。</translation>
    </message>
    <message numerus="yes">
        <source>%1 failures in %n group(s), by status and by what their logs say.</source>
        <translation>
            <numerusform>%1 次失败，按状态和日志内容分为 %n 组。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::FastPChart</name>
    <message>
        <source>Shares of workloads by speedup</source>
        <translation>按加速比的工作负载占比</translation>
    </message>
    <message>
        <source>The table beside it has the shares at the pinned p.</source>
        <translation>旁边的表格有固定 p 处的占比。</translation>
    </message>
    <message>
        <source>p: times as fast as the baseline</source>
        <translation>p：为基准速度的倍数</translation>
    </message>
    <message>
        <source>workloads (%)</source>
        <translation>工作负载 (%)</translation>
    </message>
    <message>
        <source>p = %1</source>
        <translation>p = %1</translation>
    </message>
    <message>
        <source>p = %1 (click to pin)</source>
        <translation>p = %1（点击固定）</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::FastPModel</name>
    <message>
        <source>Place by the share at the pinned p; equal shares share a place (=)</source>
        <translation>按固定 p 处的占比排名；占比相同则名次并列 (=)</translation>
    </message>
    <message>
        <source>Tick: draw the curve</source>
        <translation>勾选：绘制曲线</translation>
    </message>
    <message>
        <source>Share of the workloads that count, at the pinned p</source>
        <translation>固定 p 处，计入的工作负载的占比</translation>
    </message>
    <message>
        <source>Workloads behind the share</source>
        <translation>占比背后的工作负载数</translation>
    </message>
    <message>
        <source>Workloads that count: the denominator</source>
        <translation>计入的工作负载数：分母</translation>
    </message>
    <message>
        <source>Share of what could have been attempted that was</source>
        <translation>可尝试的项目中已尝试的占比</translation>
    </message>
    <message>
        <source>Geometric mean of the ratios to the baseline, failures left out</source>
        <translation>与基准之比的几何平均，不含失败</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Share (%)</source>
        <translation>占比 (%)</translation>
    </message>
    <message>
        <source>Wins</source>
        <translation>胜出</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>总数</translation>
    </message>
    <message>
        <source>Coverage (%)</source>
        <translation>覆盖 (%)</translation>
    </message>
    <message>
        <source>Geo. mean (×)</source>
        <translation>几何平均 (×)</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::FastPPage</name>
    <message>
        <source>Whose definition of the share</source>
        <translation>采用谁的占比定义</translation>
    </message>
    <message>
        <source>fast_p: web site</source>
        <translation>fast_p：网站</translation>
    </message>
    <message>
        <source>win@p: script</source>
        <translation>win@p：脚本</translation>
    </message>
    <message>
        <source>fast_p: KernelBench</source>
        <translation>fast_p：KernelBench</translation>
    </message>
    <message>
        <source>One curve an author or a solution</source>
        <translation>每个作者或解法一条曲线</translation>
    </message>
    <message>
        <source>authors</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>solutions</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Which definitions count</source>
        <translation>计入哪些定义</translation>
    </message>
    <message>
        <source>The table ranks at this p; a click on the chart pins another one</source>
        <translation>表格按此 p 排名；点击图表可固定另一个 p</translation>
    </message>
    <message>
        <source>as the &amp;site samples it</source>
        <translation>按网站的采样(&amp;S)</translation>
    </message>
    <message>
        <source>The web site reads its curves at samples: a tie with p is usually lost. Off: exactly.</source>
        <translation>网站在采样点读取曲线：恰好等于 p 的通常会丢失。关闭：精确。</translation>
    </message>
    <message>
        <source>&amp;Rule</source>
        <translation>规则(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Curves</source>
        <translation>曲线(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Over</source>
        <translation>范围(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;p</source>
        <translation>p(&amp;P)</translation>
    </message>
    <message>
        <source>Ranking at p</source>
        <translation>p 处的排名</translation>
    </message>
    <message>
        <source>Export curves</source>
        <translation>导出曲线</translation>
    </message>
    <message>
        <source>Export curves as %1…</source>
        <translation>将曲线导出为 %1…</translation>
    </message>
    <message>
        <source>Write the curves that are ticked, with title and legend</source>
        <translation>写出已勾选的曲线，含标题和图例</translation>
    </message>
    <message>
        <source>Export curves as CSV…</source>
        <translation>将曲线导出为 CSV…</translation>
    </message>
    <message>
        <source>Write every step of every curve; of win@p the table of the script</source>
        <translation>写出每条曲线的每个台阶；win@p 则写出脚本的表格</translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s) count.</source>
        <translation>
            <numerusform>计入 %n 个工作负载。</numerusform>
        </translation>
    </message>
    <message>
        <source>On %1 of them the fastest stands in for the baseline.</source>
        <translation>其中 %1 个以最快者代替基准。</translation>
    </message>
    <message numerus="yes">
        <source>%n definition(s) without a single baseline are left out.</source>
        <translation>
            <numerusform>略去 %n 个没有唯一基准的定义。</numerusform>
        </translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开的数据集。
请从“文件”菜单打开数据集文件夹，或将其拖到窗口上。</translation>
    </message>
    <message>
        <source>Nobody can be compared with %1 here.
Choose another baseline author above, another GPU, or other definitions.</source>
        <translation>这里没有可与 %1 比较的对象。
请在上方选择其他基准作者、其他 GPU 或其他定义。</translation>
    </message>
    <message>
        <source>The rule chooses the traces itself: what counts elsewhere, as the status bar says, does not matter here.</source>
        <translation>该规则自行选择跟踪：状态栏中关于哪些跟踪计入的选择在此不起作用。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::FindingsList</name>
    <message>
        <source>found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::GeneratedCodeView</name>
    <message>
        <source>What the compiler made of a solution in C++ or CUDA, as a run compiles it: registers, shared memory and spills of each kernel, machine code and PTX. The workload does not matter.</source>
        <translation>编译器由 C++ 或 CUDA 解法生成的内容（与运行时的编译方式相同）：每个内核的寄存器、共享内存与溢出，机器码和 PTX。与工作负载无关。</translation>
    </message>
    <message>
        <source>Sho&amp;w SASS</source>
        <translation>显示 SASS(&amp;W)</translation>
    </message>
    <message>
        <source>Show PT&amp;X</source>
        <translation>显示 PTX(&amp;X)</translation>
    </message>
    <message>
        <source>The machine code in a page of its own</source>
        <translation>在单独页面中显示机器码</translation>
    </message>
    <message>
        <source>The intermediate code in a page of its own</source>
        <translation>在单独页面中显示中间代码</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>For</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>Shared (bytes)</source>
        <translation>共享内存（字节）</translation>
    </message>
    <message>
        <source>Stack (bytes)</source>
        <translation>栈（字节）</translation>
    </message>
    <message>
        <source>Local loads</source>
        <translation>本地读</translation>
    </message>
    <message>
        <source>Local stores</source>
        <translation>本地写</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令数</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Compute capability %1</source>
        <translation>计算能力 %1</translation>
    </message>
    <message>
        <source>Local loads and stores are registers that were spilled, or arrays that found no room in registers.</source>
        <translation>本地读写是溢出的寄存器，或寄存器中放不下的数组。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HeatMapPage</name>
    <message>
        <source>What a cell&apos;s latency is set against</source>
        <translation>单元格的延迟与什么相比</translation>
    </message>
    <message>
        <source>Order of the workloads</source>
        <translation>工作负载的顺序</translation>
    </message>
    <message>
        <source>Order of the solutions</source>
        <translation>解法的顺序</translation>
    </message>
    <message>
        <source>against the baseline</source>
        <translation>相对基准</translation>
    </message>
    <message>
        <source>over the reference</source>
        <translation>相对参考实现</translation>
    </message>
    <message>
        <source>against the fastest</source>
        <translation>相对最快者</translation>
    </message>
    <message>
        <source>in file order</source>
        <translation>按文件顺序</translation>
    </message>
    <message>
        <source>by axes</source>
        <translation>按轴</translation>
    </message>
    <message>
        <source>by one solution</source>
        <translation>按某个解法</translation>
    </message>
    <message>
        <source>as loaded</source>
        <translation>按加载顺序</translation>
    </message>
    <message>
        <source>by name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>by geometric mean</source>
        <translation>按几何平均</translation>
    </message>
    <message>
        <source>by one workload</source>
        <translation>按某个工作负载</translation>
    </message>
    <message>
        <source>&amp;Ratio</source>
        <translation>比值(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Workloads</source>
        <translation>工作负载(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Solutions</source>
        <translation>解法(&amp;S)</translation>
    </message>
    <message>
        <source>Export heat map</source>
        <translation>导出热图</translation>
    </message>
    <message>
        <source>Export heat map as %1…</source>
        <translation>将热图导出为 %1…</translation>
    </message>
    <message>
        <source>Write the whole heat map with title and scale</source>
        <translation>写出整个热图，含标题和色标</translation>
    </message>
    <message>
        <source>Export heat map as CSV…</source>
        <translation>将热图导出为 CSV…</translation>
    </message>
    <message>
        <source>Write the ratios with every digit, one line a workload</source>
        <translation>写出完整精度的比值，每个工作负载一行</translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开的数据集。
请从“文件”菜单打开数据集文件夹，或将其拖到窗口上。</translation>
    </message>
    <message>
        <source>Choose a definition in the tree to see its heat map.</source>
        <translation>请在树中选择一个定义以查看其热图。</translation>
    </message>
    <message>
        <source>There is no ratio to show: %1
Choose another baseline author, or another ratio.</source>
        <translation>没有可显示的比值：%1
请选择其他基准作者或其他比值。</translation>
    </message>
    <message>
        <source>Measured on %1, which has the most traces; choose the GPU above to see another one.</source>
        <translation>在 %1 上测量，其记录最多；在上方选择 GPU 可查看其他的。</translation>
    </message>
    <message>
        <source>Measured on %1.</source>
        <translation>在 %1 上测量。</translation>
    </message>
    <message>
        <source>Baseline: %1.</source>
        <translation>基准：%1。</translation>
    </message>
    <message>
        <source>There is no baseline here, so ratios are to the fastest.</source>
        <translation>这里没有基准，因此比值相对于最快者。</translation>
    </message>
    <message>
        <source>No trace of %1 counts here.
Choose another GPU above, or other traces in the status bar.</source>
        <translation>%1 在此没有计入的跟踪。
请在上方选择其他 GPU，或在状态栏中选择计入其他跟踪。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HeatMapScale</name>
    <message>
        <source>Blue is faster, orange slower; hatched cells failed, blank ones were not run</source>
        <translation>蓝色更快，橙色更慢；斜线单元格失败，空白单元格未运行</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HeatMapView</name>
    <message>
        <source>Heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>not run on this GPU</source>
        <translation>未在此 GPU 上运行</translation>
    </message>
    <message>
        <source>%1 against the baseline</source>
        <translation>为基准的 %1</translation>
    </message>
    <message>
        <source>%1 over the reference</source>
        <translation>为参考实现的 %1</translation>
    </message>
    <message>
        <source>%1 of the fastest one&apos;s speed</source>
        <translation>为最快者速度的 %1</translation>
    </message>
    <message>
        <source>nothing to set it against</source>
        <translation>没有可比较的对象</translation>
    </message>
    <message>
        <source>%1
%2 passed, %3 failed, geometric mean %4
Click: sort the workloads by it</source>
        <translation>%1
%2 个通过，%3 个失败，几何平均 %4
点击：按它排序工作负载</translation>
    </message>
    <message>
        <source>%1
workload %2
Click: sort the solutions by it</source>
        <translation>%1
工作负载 %2
点击：按它排序解法</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HistogramView</name>
    <message>
        <source>Histogram of the values</source>
        <translation>数值直方图</translation>
    </message>
    <message>
        <source>no values</source>
        <translation>没有数值</translation>
    </message>
    <message>
        <source>from %1 to %2, at most %3 values in one of %4 steps</source>
        <translation>从 %1 到 %2，%4 个区间中每个最多 %3 个值</translation>
    </message>
    <message>
        <source>%1 to %2: %3 values</source>
        <translation>%1 到 %2：%3 个值</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HistoryChart</name>
    <message>
        <source>Results by time</source>
        <translation>按时间的结果</translation>
    </message>
    <message>
        <source>time of measurement (UTC)</source>
        <translation>测量时刻 (UTC)</translation>
    </message>
    <message>
        <source>speedup over the reference (higher is better)</source>
        <translation>相对参考实现的加速比（越高越好）</translation>
    </message>
    <message>
        <source>latency (lower is better)</source>
        <translation>延迟（越低越好）</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1, the best so far on its workload</source>
        <translation>%1，该工作负载上目前最好</translation>
    </message>
    <message numerus="yes">
        <source>best so far: %1 over %n workload(s)</source>
        <translation>
            <numerusform>目前最好：%n 个工作负载上 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the &amp;trace</source>
        <translation>显示记录(&amp;T)</translation>
    </message>
    <message>
        <source>Show the &amp;source, as judged</source>
        <translation>显示评测时的源码(&amp;S)</translation>
    </message>
    <message>
        <source>The solution, and whether its source is still the one that was measured</source>
        <translation>该解法，以及其源码是否仍是被测量的那份</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::HistoryPage</name>
    <message>
        <source>One series an author, a solution or a definition</source>
        <translation>每个作者、解法或定义一个系列</translation>
    </message>
    <message>
        <source>solutions</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>authors</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>definitions</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Whose results are shown</source>
        <translation>显示谁的结果</translation>
    </message>
    <message>
        <source>What lies on the vertical axis</source>
        <translation>纵轴上是什么</translation>
    </message>
    <message>
        <source>speedup over the reference</source>
        <translation>相对参考实现的加速比</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>log &amp;y</source>
        <translation>对数 y(&amp;Y)</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>&amp;all results</source>
        <translation>所有结果(&amp;A)</translation>
    </message>
    <message>
        <source>Every result as a point; without them only the best ones so far</source>
        <translation>每个结果一个点；否则只显示目前最好的</translation>
    </message>
    <message>
        <source>&amp;Series</source>
        <translation>系列(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Over</source>
        <translation>范围(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Vertical</source>
        <translation>纵轴(&amp;V)</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最好</translation>
    </message>
    <message>
        <source>Export history</source>
        <translation>导出历史</translation>
    </message>
    <message>
        <source>Export history as %1…</source>
        <translation>将历史导出为 %1…</translation>
    </message>
    <message>
        <source>Write the chart as it is seen, with title and legend</source>
        <translation>按所见写出图表，含标题和图例</translation>
    </message>
    <message>
        <source>Export history as CSV…</source>
        <translation>将历史导出为 CSV…</translation>
    </message>
    <message>
        <source>Write every result in the order of time</source>
        <translation>按时间顺序写出每个结果</translation>
    </message>
    <message>
        <source>Steps: the geometric mean, over the workloads passed up to then, of the best result on each.</source>
        <translation>台阶：截至当时已通过的工作负载上各自最好结果的几何平均。</translation>
    </message>
    <message>
        <source>Results of %1 GPUs, each a series of its own; choose one above.</source>
        <translation>来自 %1 个 GPU 的结果，各成系列；可在上方选择一个。</translation>
    </message>
    <message numerus="yes">
        <source>%n trace(s) left out: their timestamp is no time.</source>
        <translation>
            <numerusform>略去 %n 条记录：其时间戳不是时间。</numerusform>
        </translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开的数据集。
请从“文件”菜单打开数据集文件夹，或将其拖到窗口上。</translation>
    </message>
    <message>
        <source>There are no results with a time here.
Choose other definitions or another GPU, or run something.</source>
        <translation>这里没有带时间的结果。
请选择其他定义或其他 GPU，或运行一些评测。</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ImportDialog</name>
    <message>
        <source>Import results</source>
        <translation>导入结果</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>导入(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Open the dataset</source>
        <translation>打开数据集(&amp;O)</translation>
    </message>
    <message>
        <source>Makes a new dataset from results of other programs. Implementations become solutions; workloads and the times of single calls are kept.</source>
        <translation>由其他程序的结果生成新的数据集。实现成为解法；工作负载和单次调用的时间都会保留。</translation>
    </message>
    <message>
        <source>&amp;Files</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Files of kernels-benchmarks records (JSONL) or of nvbench (JSON)</source>
        <translation>kernels-benchmarks 记录 (JSONL) 或 nvbench (JSON) 的文件</translation>
    </message>
    <message>
        <source>Results (*.jsonl *.json)</source>
        <translation>结果 (*.jsonl *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>&amp;What they are</source>
        <translation>文件类型(&amp;W)</translation>
    </message>
    <message>
        <source>The form of the files</source>
        <translation>文件的格式</translation>
    </message>
    <message>
        <source>By what is in them</source>
        <translation>根据内容判断</translation>
    </message>
    <message>
        <source>kernels-benchmarks records</source>
        <translation>kernels-benchmarks 记录</translation>
    </message>
    <message>
        <source>nvbench</source>
        <translation>nvbench</translation>
    </message>
    <message>
        <source>&amp;Author</source>
        <translation>作者(&amp;A)</translation>
    </message>
    <message>
        <source>Author of all solutions</source>
        <translation>所有解法的作者</translation>
    </message>
    <message>
        <source>From the records, or the file&apos;s name</source>
        <translation>取自记录或文件名</translation>
    </message>
    <message>
        <source>&amp;New dataset</source>
        <translation>新数据集(&amp;N)</translation>
    </message>
    <message>
        <source>A new or empty folder for the dataset</source>
        <translation>用于数据集的新文件夹或空文件夹</translation>
    </message>
    <message>
        <source>Choose the files to import.</source>
        <translation>请选择要导入的文件。</translation>
    </message>
    <message>
        <source>Choose a new or empty folder for the dataset.</source>
        <translation>请为数据集选择新文件夹或空文件夹。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::KeyboardDialog</name>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Keyboard map</source>
        <translation>键盘一览</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the keyboard map</source>
        <translation>筛选键盘一览</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作及其按键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Show or hide the pane %1</source>
        <translation>显示或隐藏“%1”窗格</translation>
    </message>
    <message>
        <source>Where the keyboard is</source>
        <translation>键盘焦点所在之处</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Open what is selected in a tree or table</source>
        <translation>打开树或表中所选的内容</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Tick or untick for running</source>
        <translation>勾选或取消勾选以运行</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Close the find bar, clear a filter, or go back to the list</source>
        <translation>关闭查找栏、清除筛选，或返回列表</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LatencyChart</name>
    <message>
        <source>workload, in file order</source>
        <translation>工作负载，按文件中的顺序</translation>
    </message>
    <message>
        <source>latency (lower is better)</source>
        <translation>延迟（越低越好）</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>speedup over the reference (higher is better)</source>
        <translation>相对参考实现的加速比（越高越好）</translation>
    </message>
    <message>
        <source>speedup over the reference</source>
        <translation>相对参考实现的加速比</translation>
    </message>
    <message>
        <source>speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>speedup over the baseline (higher is better)</source>
        <translation>相对基线的加速比（越高越好）</translation>
    </message>
    <message>
        <source>speedup over the baseline</source>
        <translation>相对基线的加速比</translation>
    </message>
    <message>
        <source>Chart of %1</source>
        <translation>%1 的图表</translation>
    </message>
    <message>
        <source>%1 against %2. The table of traces has the same values.</source>
        <translation>%1 随 %2 变化。跟踪表中有相同的值。</translation>
    </message>
    <message>
        <source>✕ failed</source>
        <translation>✕ 失败</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考实现</translation>
    </message>
    <message>
        <source>baseline %1</source>
        <translation>基线 %1</translation>
    </message>
    <message>
        <source>Everything that is shown here has failed.
Point at a cross to see why.</source>
        <translation>这里显示的内容全部失败。
指向叉号以查看原因。</translation>
    </message>
    <message>
        <source>All lines are switched off.</source>
        <translation>所有曲线都已隐藏。</translation>
    </message>
    <message>
        <source>%1 over the reference</source>
        <translation>相对参考实现 %1</translation>
    </message>
    <message>
        <source>workload %1</source>
        <translation>工作负载 %1</translation>
    </message>
    <message>
        <source> (hidden)</source>
        <translation>（已隐藏）</translation>
    </message>
    <message>
        <source>workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>bytes that must be moved</source>
        <translation>必须搬运的字节数</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>运算次数</translation>
    </message>
    <message>
        <source>time of measurement (UTC)</source>
        <translation>测量时刻 (UTC)</translation>
    </message>
    <message>
        <source>live span</source>
        <translation>实际跨度</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>sum of kernels</source>
        <translation>内核之和</translation>
    </message>
    <message>
        <source>bandwidth (higher is better)</source>
        <translation>带宽（越高越好）</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>throughput (higher is better)</source>
        <translation>吞吐量（越高越好）</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>p10 to p90: %1 to %2</source>
        <translation>p10 到 p90：%1 到 %2</translation>
    </message>
    <message>
        <source>operations a byte</source>
        <translation>每字节运算数</translation>
    </message>
    <message>
        <source>share of the speed of light (higher is better)</source>
        <translation>光速占比（越高越好）</translation>
    </message>
    <message>
        <source>share of the speed of light</source>
        <translation>光速占比</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>speed of light</source>
        <translation>光速</translation>
    </message>
    <message>
        <source>most that %1 can do (%2)</source>
        <translation>%1 的上限（%2）</translation>
    </message>
    <message>
        <source>tolerance %1</source>
        <translation>容差 %1</translation>
    </message>
    <message>
        <source>greatest absolute error (lower is better)</source>
        <translation>最大绝对误差（越低越好）</translation>
    </message>
    <message>
        <source>greatest absolute error</source>
        <translation>最大绝对误差</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>greatest relative error (lower is better)</source>
        <translation>最大相对误差（越低越好）</translation>
    </message>
    <message>
        <source>greatest relative error</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>Show the &amp;trace</source>
        <translation>显示记录(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Mark or unmark it</source>
        <translation>标记或取消标记(&amp;M)</translation>
    </message>
    <message>
        <source>Select its trace in the tables, too (Space; Ctrl+drag marks a box)</source>
        <translation>同时在表格中选中其记录（空格键；Ctrl+拖动标记一个方框）</translation>
    </message>
    <message>
        <source>&amp;Write a note here…</source>
        <translation>在此写注释(&amp;W)…</translation>
    </message>
    <message>
        <source>A few words at this place, kept with the chart</source>
        <translation>此处的几个字，与图表一起保存</translation>
    </message>
    <message>
        <source>&amp;Remove this note</source>
        <translation>删除此注释(&amp;R)</translation>
    </message>
    <message>
        <source>Remove &amp;all notes</source>
        <translation>删除所有注释(&amp;A)</translation>
    </message>
    <message>
        <source>0 (exact)</source>
        <translation>0（精确）</translation>
    </message>
    <message>
        <source>relative %1</source>
        <translation>相对 %1</translation>
    </message>
    <message>
        <source>absolute %1</source>
        <translation>绝对 %1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LeaderboardModel</name>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 倍</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 percent</source>
        <translation>百分之 %1</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Speedup (×)</source>
        <translation>加速比 (×)</translation>
    </message>
    <message>
        <source>Success (%)</source>
        <translation>成功率 (%)</translation>
    </message>
    <message>
        <source>Wins (%)</source>
        <translation>胜率 (%)</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Definitions</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Best solution</source>
        <translation>最佳解法</translation>
    </message>
    <message>
        <source>Place by average speedup; equal scores share a place (=)</source>
        <translation>按平均加速比排名；得分相同者名次并列 (=)</translation>
    </message>
    <message>
        <source>Mean over definitions of the mean over workloads of baseline latency ÷ the author&apos;s best latency</source>
        <translation>对工作负载取“基线延迟 ÷ 作者最佳延迟”的平均值，再对定义取平均值</translation>
    </message>
    <message>
        <source>Share of the definitions in which the best solution never failed</source>
        <translation>最佳解法从未失败的定义所占比例</translation>
    </message>
    <message>
        <source>Share of the workloads on which the author is faster than the baseline, averaged over definitions</source>
        <translation>作者比基线更快的工作负载所占比例，对定义取平均值</translation>
    </message>
    <message>
        <source>Workloads that both the author and the baseline have traces of</source>
        <translation>作者与基线都有跟踪的工作负载</translation>
    </message>
    <message>
        <source>Definitions that give the author a score</source>
        <translation>为作者计分的定义</translation>
    </message>
    <message>
        <source>The author&apos;s solution with the best score for this definition</source>
        <translation>作者在此定义上得分最高的解法</translation>
    </message>
    <message>
        <source>The one who wrote the solutions</source>
        <translation>编写解法的人</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LeaderboardPage</name>
    <message>
        <source>Which definitions count</source>
        <translation>哪些定义计入</translation>
    </message>
    <message>
        <source>Whose solutions count as 1×</source>
        <translation>以谁的解法作为 1×</translation>
    </message>
    <message>
        <source>&amp;Rank over</source>
        <translation>排名范围(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Baseline author</source>
        <translation>基线作者(&amp;B)</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>排行榜</translation>
    </message>
    <message>
        <source>What is not ranked, and why</source>
        <translation>哪些未排名及其原因</translation>
    </message>
    <message>
        <source>Export &amp;leaderboard as CSV…</source>
        <translation>将排行榜导出为 CSV(&amp;L)…</translation>
    </message>
    <message>
        <source>Write the ranking with every digit</source>
        <translation>以全部数位写出排名</translation>
    </message>
    <message>
        <source>Export leaderboard</source>
        <translation>导出排行榜</translation>
    </message>
    <message>
        <source>all definitions</source>
        <translation>所有定义</translation>
    </message>
    <message>
        <source>this definition: %1</source>
        <translation>此定义：%1</translation>
    </message>
    <message>
        <source>op type: %1 (%2)</source>
        <translation>op_type：%1（%2）</translation>
    </message>
    <message>
        <source>Ranked by the format&apos;s score: the mean over definitions of the mean speedup over %1 on the workloads both have, by each author&apos;s best solution. A solution that failed anywhere scores 0.</source>
        <translation>按此格式的得分排名：对双方都有的工作负载，取每位作者最佳解法相对 %1 的加速比平均值，再对定义取平均值。任何一处失败的解法得 0 分。</translation>
    </message>
    <message>
        <source>Only traces measured on %1 count.</source>
        <translation>只计入在 %1 上测量的跟踪。</translation>
    </message>
    <message>
        <source>Attention: traces of %1 machines are mixed; choose the hardware to rank on one.</source>
        <translation>注意：混合了 %1 台机器的跟踪；请选择硬件，只按一种排名。</translation>
    </message>
    <message>
        <source>Attention: times taken by several methods are mixed.</source>
        <translation>注意：混合了用不同方法测得的时间。</translation>
    </message>
    <message>
        <source>%1 not ranked: why</source>
        <translation>%1 项未排名：原因</translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开数据集。
请从“文件”菜单打开数据集文件夹，或将文件夹拖到窗口上。</translation>
    </message>
    <message>
        <source>There is no ranking: %1</source>
        <translation>没有排名：%1</translation>
    </message>
    <message>
        <source>No author has a score against %1 here.
Choose another baseline author, or rank over other definitions.</source>
        <translation>这里没有作者能相对 %1 得分。
请选择其他基线作者，或改用其他定义排名。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LoadBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Stop loading and keep what is open</source>
        <translation>停止加载，保留已打开的内容</translation>
    </message>
    <message>
        <source>Looking for files in %1 …</source>
        <translation>正在 %1 中查找文件 …</translation>
    </message>
    <message>
        <source>Loading %1: %2 of %3 files, %4 traces</source>
        <translation>正在加载 %1：%2 / %3 个文件，%4 条跟踪</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LoadedDocument</name>
    <message>
        <source>1 definition</source>
        <translation>1 个定义</translation>
    </message>
    <message>
        <source>%1 definitions</source>
        <translation>%1 个定义</translation>
    </message>
    <message>
        <source>1 solution</source>
        <translation>1 个解法</translation>
    </message>
    <message>
        <source>%1 solutions</source>
        <translation>%1 个解法</translation>
    </message>
    <message>
        <source>1 workload</source>
        <translation>1 个工作负载</translation>
    </message>
    <message>
        <source>%1 workloads</source>
        <translation>%1 个工作负载</translation>
    </message>
    <message>
        <source>1 trace</source>
        <translation>1 条跟踪</translation>
    </message>
    <message>
        <source>%1 traces</source>
        <translation>%1 条跟踪</translation>
    </message>
    <message>
        <source>1 record of kernels-benchmarks</source>
        <translation>1 条 kernels-benchmarks 记录</translation>
    </message>
    <message>
        <source>%1 records of kernels-benchmarks</source>
        <translation>%1 条 kernels-benchmarks 记录</translation>
    </message>
    <message>
        <source>1 other JSON value</source>
        <translation>1 个其他 JSON 值</translation>
    </message>
    <message>
        <source>%1 other JSON values</source>
        <translation>%1 个其他 JSON 值</translation>
    </message>
    <message>
        <source>1 unreadable record</source>
        <translation>1 条无法读取的记录</translation>
    </message>
    <message>
        <source>%1 unreadable records</source>
        <translation>%1 条无法读取的记录</translation>
    </message>
    <message>
        <source>Definition %1 of SOL-ExecBench</source>
        <translation>SOL-ExecBench 的定义 %1</translation>
    </message>
    <message>
        <source>Definition %1</source>
        <translation>定义 %1</translation>
    </message>
    <message>
        <source>Solution %1 of SOL-ExecBench</source>
        <translation>SOL-ExecBench 的解法 %1</translation>
    </message>
    <message>
        <source>Solution %1</source>
        <translation>解法 %1</translation>
    </message>
    <message>
        <source>Workload of SOL-ExecBench</source>
        <translation>SOL-ExecBench 的工作负载</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Trace of SOL-ExecBench</source>
        <translation>SOL-ExecBench 的跟踪</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Record of kernels-benchmarks</source>
        <translation>kernels-benchmarks 记录</translation>
    </message>
    <message>
        <source>JSON of no kind that is known here</source>
        <translation>未知种类的 JSON</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>SOL-ExecBench</source>
        <translation>SOL-ExecBench</translation>
    </message>
    <message>
        <source>a record a line</source>
        <translation>每行一条记录</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LogPanel</name>
    <message>
        <source>Log of the trace</source>
        <translation>此跟踪的日志</translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation>文件的文本</translation>
    </message>
    <message>
        <source>Find in log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Find in text</source>
        <translation>在文本中查找</translation>
    </message>
    <message>
        <source>Enter or F3: next, Shift+Enter or Shift+F3: previous (Ctrl+F)</source>
        <translation>Enter 或 F3：下一个，Shift+Enter 或 Shift+F3：上一个 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Find previous (Shift+F3)</source>
        <translation>查找上一个 (Shift+F3)</translation>
    </message>
    <message>
        <source>Find next (F3)</source>
        <translation>查找下一个 (F3)</translation>
    </message>
    <message>
        <source>Copy the whole log</source>
        <translation>复制整个日志</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>复制全部文本</translation>
    </message>
    <message>
        <source>Preparing the log …</source>
        <translation>正在准备日志 …</translation>
    </message>
    <message>
        <source>Preparing the text …</source>
        <translation>正在准备文本 …</translation>
    </message>
    <message>
        <source>The log is empty</source>
        <translation>日志为空</translation>
    </message>
    <message>
        <source>The text is empty</source>
        <translation>文本为空</translation>
    </message>
    <message>
        <source>Log, the first %1 lines; %2 bytes more are in the file</source>
        <translation>日志，前 %1 行；文件中还有 %2 字节</translation>
    </message>
    <message>
        <source>The first %1 lines; %2 bytes more are in the file</source>
        <translation>前 %1 行；文件中还有 %2 字节</translation>
    </message>
    <message>
        <source>Log, 1 line</source>
        <translation>日志，1 行</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>Log, %1 lines</source>
        <translation>日志，%1 行</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>searching …</source>
        <translation>正在查找 …</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of more than %2</source>
        <translation>%1 / 超过 %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::LogView</name>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy &amp;everything</source>
        <translation>全部复制(&amp;E)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>line %1 of %2: %3</source>
        <translation>第 %1 行，共 %2 行：%3</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::MainWindow</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>排行榜</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Which traces count</source>
        <translation>哪些跟踪计入</translation>
    </message>
    <message>
        <source>Which trace counts when a pair was measured several times</source>
        <translation>同一对测量过多次时，计入哪条跟踪</translation>
    </message>
    <message>
        <source>GPU whose traces count</source>
        <translation>计入哪个 GPU 的跟踪</translation>
    </message>
    <message>
        <source>Numbers of different GPUs say nothing about each other: choose one</source>
        <translation>不同 GPU 的数值不能互相比较：请选择一个</translation>
    </message>
    <message>
        <source>all hardware</source>
        <translation>所有硬件</translation>
    </message>
    <message>
        <source>Traces of every machine</source>
        <translation>所有机器的跟踪</translation>
    </message>
    <message>
        <source>Show or hide the queue and settings of runs</source>
        <translation>显示或隐藏运行队列和设置</translation>
    </message>
    <message>
        <source>Show or hide what is wrong in the dataset&apos;s files</source>
        <translation>显示或隐藏数据集文件中的问题</translation>
    </message>
    <message>
        <source>%1 – Tracedeck</source>
        <translation>%1 – Tracedeck</translation>
    </message>
    <message>
        <source>Tracedeck</source>
        <translation>Tracedeck</translation>
    </message>
    <message>
        <source>%1 only</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Problems %1</source>
        <translation>问题 %1</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>正在加载 …</translation>
    </message>
    <message>
        <source>No dataset is open.</source>
        <translation>没有打开数据集。</translation>
    </message>
    <message>
        <source>%1 definitions</source>
        <translation>%1 个定义</translation>
    </message>
    <message>
        <source>%1 workloads</source>
        <translation>%1 个工作负载</translation>
    </message>
    <message>
        <source>%1 traces</source>
        <translation>%1 条跟踪</translation>
    </message>
    <message>
        <source>baseline “%1”</source>
        <translation>基线“%1”</translation>
    </message>
    <message>
        <source>mixed timing</source>
        <translation>混合计时</translation>
    </message>
    <message>
        <source>timing unknown</source>
        <translation>计时方法未知</translation>
    </message>
    <message>
        <source>launch-bound %1</source>
        <translation>受启动限制 %1</translation>
    </message>
    <message>
        <source>All hardware</source>
        <translation>所有硬件</translation>
    </message>
    <message>
        <source>&amp;Run selected</source>
        <translation>运行所选(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run selected (%1)</source>
        <translation>运行所选(&amp;R) (%1)</translation>
    </message>
    <message>
        <source>Tick definitions, solutions or workloads in the dataset tree first</source>
        <translation>请先在数据集树中勾选定义、解法或工作负载</translation>
    </message>
    <message>
        <source>Run the ticked solutions on the ticked workloads (Ctrl+R)</source>
        <translation>在勾选的工作负载上运行勾选的解法 (Ctrl+R)</translation>
    </message>
    <message>
        <source>&amp;Resume run</source>
        <translation>继续运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pause run</source>
        <translation>暂停运行(&amp;P)</translation>
    </message>
    <message>
        <source>The dataset has no file for the solution %1: only its traces are here.</source>
        <translation>数据集中没有解法 %1 的文件：只有它的跟踪。</translation>
    </message>
    <message>
        <source>%1 ↔ %2</source>
        <translation>%1 ↔ %2</translation>
    </message>
    <message>
        <source>This definition has no solutions whose sources could be compared.</source>
        <translation>此定义没有可比较源代码的解法。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Open folder…</source>
        <translation>打开文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a dataset folder</source>
        <translation>打开数据集文件夹</translation>
    </message>
    <message>
        <source>Open &amp;sample</source>
        <translation>打开示例(&amp;S)</translation>
    </message>
    <message>
        <source>Open the small dataset that comes with Tracedeck</source>
        <translation>打开 Tracedeck 附带的小型数据集</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新加载(&amp;R)</translation>
    </message>
    <message>
        <source>Read the dataset folder again</source>
        <translation>重新读取数据集文件夹</translation>
    </message>
    <message>
        <source>Close &amp;tab</source>
        <translation>关闭标签页(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close Tracedeck</source>
        <translation>关闭 Tracedeck</translation>
    </message>
    <message>
        <source>&amp;Find in page</source>
        <translation>在页面中查找(&amp;F)</translation>
    </message>
    <message>
        <source>Find in the page that is shown</source>
        <translation>在当前页面中查找</translation>
    </message>
    <message>
        <source>Filter the &amp;dataset</source>
        <translation>筛选数据集(&amp;D)</translation>
    </message>
    <message>
        <source>Go to the filter of the dataset tree</source>
        <translation>转到数据集树的筛选框</translation>
    </message>
    <message>
        <source>&amp;Search everything</source>
        <translation>全局搜索(&amp;S)</translation>
    </message>
    <message>
        <source>Search actions, names, tags, authors, sources and logs</source>
        <translation>搜索操作、名称、标签、作者、源代码和日志</translation>
    </message>
    <message>
        <source>&amp;Untick everything</source>
        <translation>取消所有勾选(&amp;U)</translation>
    </message>
    <message>
        <source>Select nothing for a run</source>
        <translation>不选择任何待运行内容</translation>
    </message>
    <message>
        <source>Copy definition as &amp;JSON</source>
        <translation>以 JSON 复制定义(&amp;J)</translation>
    </message>
    <message>
        <source>Copy the definition as the JSON of its file</source>
        <translation>以其文件中的 JSON 复制定义</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Choose &amp;columns</source>
        <translation>选择列(&amp;C)</translation>
    </message>
    <message>
        <source>Which columns the table on this page shows</source>
        <translation>此页的表格显示哪些列</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put all panes back where they belong</source>
        <translation>把所有窗格放回原位</translation>
    </message>
    <message>
        <source>&amp;Bigger text</source>
        <translation>放大文字(&amp;B)</translation>
    </message>
    <message>
        <source>Bigger text everywhere</source>
        <translation>放大所有文字</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>Smaller text everywhere</source>
        <translation>缩小所有文字</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>正常文字大小(&amp;N)</translation>
    </message>
    <message>
        <source>Text in the system&apos;s size</source>
        <translation>使用系统的文字大小</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>Use the whole screen</source>
        <translation>使用整个屏幕</translation>
    </message>
    <message>
        <source>Run the ticked solutions on the ticked workloads</source>
        <translation>在勾选的工作负载上运行勾选的解法</translation>
    </message>
    <message>
        <source>Wait after the evaluations that are being measured now, or go on</source>
        <translation>在当前测量的评测结束后等待，或继续</translation>
    </message>
    <message>
        <source>&amp;Cancel run</source>
        <translation>取消运行(&amp;C)</translation>
    </message>
    <message>
        <source>Stop the run; results so far are kept</source>
        <translation>停止运行；保留已有结果</translation>
    </message>
    <message>
        <source>The sources of two solutions side by side</source>
        <translation>并排显示两个解法的源代码</translation>
    </message>
    <message>
        <source>&amp;Next difference</source>
        <translation>下一处差异(&amp;N)</translation>
    </message>
    <message>
        <source>Go to the next difference of the comparison</source>
        <translation>转到比较中的下一处差异</translation>
    </message>
    <message>
        <source>&amp;Previous difference</source>
        <translation>上一处差异(&amp;P)</translation>
    </message>
    <message>
        <source>Go to the previous difference of the comparison</source>
        <translation>转到比较中的上一处差异</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>Back to where you were</source>
        <translation>回到之前的位置</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>Forward again</source>
        <translation>再次前进</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>概览(&amp;O)</translation>
    </message>
    <message>
        <source>Solution &amp;code</source>
        <translation>解法源代码(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Workloads</source>
        <translation>工作负载(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Traces</source>
        <translation>跟踪(&amp;T)</translation>
    </message>
    <message>
        <source>C&amp;harts</source>
        <translation>图表(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Leaderboard</source>
        <translation>排行榜(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Go to this page</source>
        <translation>转到此页</translation>
    </message>
    <message>
        <source>&amp;Keyboard map</source>
        <translation>键盘一览(&amp;K)</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>所有按键</translation>
    </message>
    <message>
        <source>What this machine can run (&amp;doctor)</source>
        <translation>这台机器能运行什么 (&amp;doctor)</translation>
    </message>
    <message>
        <source>GPU, compilers, Python and its packages: what is there, what is missing</source>
        <translation>GPU、编译器、Python 及其软件包：有什么，缺什么</translation>
    </message>
    <message>
        <source>&amp;About Tracedeck</source>
        <translation>关于 Tracedeck(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>版本与许可证</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open re&amp;cent</source>
        <translation>打开最近(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Like the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>窗口的颜色</translation>
    </message>
    <message>
        <source>Show or hide this pane</source>
        <translation>显示或隐藏此窗格</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Language of the window; a run goes on meanwhile</source>
        <translation>窗口的语言；运行会继续进行</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>Looking for devices …</source>
        <translation>正在查找设备 …</translation>
    </message>
    <message>
        <source>Where to run; with several devices each takes the next pair</source>
        <translation>在哪里运行；有多个设备时，每个设备依次取下一对</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>全局搜索</translation>
    </message>
    <message>
        <source>Search everything … (Ctrl+K)</source>
        <translation>全局搜索 … (Ctrl+K)</translation>
    </message>
    <message>
        <source>Search actions, names, tags, authors, sources and logs (Ctrl+K)</source>
        <translation>搜索操作、名称、标签、作者、源代码和日志 (Ctrl+K)</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Author that rankings and ratios are measured against</source>
        <translation>排名和比值所对照的作者</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Show traces of this hardware only</source>
        <translation>只显示此硬件的跟踪</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>No folder was open before</source>
        <translation>之前没有打开过文件夹</translation>
    </message>
    <message>
        <source>Folders that you open are listed here</source>
        <translation>你打开的文件夹会列在这里</translation>
    </message>
    <message>
        <source>&amp;Forget all</source>
        <translation>全部忘记(&amp;F)</translation>
    </message>
    <message>
        <source>Empty this list; the folders stay as they are</source>
        <translation>清空此列表；文件夹保持原样</translation>
    </message>
    <message>
        <source>The run did not start. %1</source>
        <translation>运行未能开始。%1</translation>
    </message>
    <message>
        <source>The dataset could not be opened: %1.</source>
        <translation>无法打开数据集：%1。</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2.</source>
        <translation>无法打开 %1：%2。</translation>
    </message>
    <message>
        <source>%1 The dataset that was open before is still shown.</source>
        <translation>%1 之前打开的数据集仍在显示。</translation>
    </message>
    <message>
        <source>Panes that share this place</source>
        <translation>共用此位置的窗格</translation>
    </message>
    <message>
        <source>A run is in progress</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Cancel the run and &amp;close</source>
        <translation>取消运行并关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Open a file in the &amp;viewer…</source>
        <translation>在查看器中打开文件(&amp;V)…</translation>
    </message>
    <message>
        <source>Look at any JSON, JSONL or safetensors file and check it</source>
        <translation>查看并检查任意 JSON、JSONL 或 safetensors 文件</translation>
    </message>
    <message>
        <source>&amp;Paste into the viewer</source>
        <translation>粘贴到查看器(&amp;P)</translation>
    </message>
    <message>
        <source>Look at the JSON text on the clipboard and check it</source>
        <translation>查看并检查剪贴板上的 JSON 文本</translation>
    </message>
    <message>
        <source>&amp;Check the dataset</source>
        <translation>检查数据集(&amp;C)</translation>
    </message>
    <message>
        <source>Look for everything that breaks a rule of the format, without running code</source>
        <translation>查找违反格式规则的所有内容，不运行代码</translation>
    </message>
    <message>
        <source>&amp;Stop the check</source>
        <translation>停止检查(&amp;S)</translation>
    </message>
    <message>
        <source>Stop looking for problems</source>
        <translation>停止查找问题</translation>
    </message>
    <message>
        <source>&amp;Open at line</source>
        <translation>在该行打开(&amp;O)</translation>
    </message>
    <message>
        <source>Show the file of the chosen problem at its line</source>
        <translation>在对应行显示所选问题的文件</translation>
    </message>
    <message>
        <source>Co&amp;py the problem</source>
        <translation>复制问题(&amp;P)</translation>
    </message>
    <message>
        <source>Copy the chosen problem, or all of the chosen group, as text</source>
        <translation>以文本复制所选问题，或所选分组的全部问题</translation>
    </message>
    <message>
        <source>&amp;Fix…</source>
        <translation>修复(&amp;F)…</translation>
    </message>
    <message>
        <source>Repair the end of the file that the chosen problem is about; asks first</source>
        <translation>修复所选问题所涉文件的末尾；会先询问</translation>
    </message>
    <message>
        <source>&amp;Group by file</source>
        <translation>按文件分组(&amp;G)</translation>
    </message>
    <message>
        <source>Problems of one file stand together</source>
        <translation>同一文件的问题排在一起</translation>
    </message>
    <message>
        <source>Group &amp;by outcome</source>
        <translation>按结果分组(&amp;B)</translation>
    </message>
    <message>
        <source>What was left out, repaired and doubtful stands together</source>
        <translation>已略过、已修复和存疑的问题分别排在一起</translation>
    </message>
    <message>
        <source>&amp;Problems</source>
        <translation>问题(&amp;P)</translation>
    </message>
    <message>
        <source>Open a file in the viewer</source>
        <translation>在查看器中打开文件</translation>
    </message>
    <message>
        <source>JSON and safetensors (*.json *.jsonl *.safetensors *.torn)</source>
        <translation>JSON 和 safetensors (*.json *.jsonl *.safetensors *.torn)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>There is no text on the clipboard. Copy a definition, solution, workload or trace first.</source>
        <translation>剪贴板上没有文本。请先复制一个定义、解法、工作负载或跟踪。</translation>
    </message>
    <message>
        <source>pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>Show the text in the viewer</source>
        <translation>在查看器中显示文本</translation>
    </message>
    <message>
        <source>Show %1 in the viewer</source>
        <translation>在查看器中显示 %1</translation>
    </message>
    <message>
        <source>Show %1 files in the viewer</source>
        <translation>在查看器中显示 %1 个文件</translation>
    </message>
    <message>
        <source>dropped text</source>
        <translation>拖放的文本</translation>
    </message>
    <message>
        <source>Close the tab that is shown</source>
        <translation>关闭当前显示的标签页</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>The next place with the text that was looked for</source>
        <translation>所查文本的下一处</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>查找上一个(&amp;V)</translation>
    </message>
    <message>
        <source>The place before with the text that was looked for</source>
        <translation>所查文本的上一处</translation>
    </message>
    <message>
        <source>Compare so&amp;urces</source>
        <translation>比较源代码(&amp;U)</translation>
    </message>
    <message>
        <source>Compare r&amp;esults…</source>
        <translation>比较结果(&amp;E)…</translation>
    </message>
    <message>
        <source>The results of two datasets, runs, GPUs, authors or solutions: what is faster, slower, now failing</source>
        <translation>两个数据集、运行、GPU、作者或解法的结果：哪些更快、更慢、现在失败</translation>
    </message>
    <message>
        <source>Heat &amp;map</source>
        <translation>热图(&amp;M)</translation>
    </message>
    <message>
        <source>f&amp;ast_p curves</source>
        <translation>fast_p 曲线(&amp;A)</translation>
    </message>
    <message>
        <source>H&amp;istory</source>
        <translation>历史(&amp;I)</translation>
    </message>
    <message>
        <source>Failures, &amp;grouped</source>
        <translation>失败分组(&amp;G)</translation>
    </message>
    <message>
        <source>Results A ↔ B</source>
        <translation>结果 A ↔ B</translation>
    </message>
    <message>
        <source>Results of two sides compared</source>
        <translation>比较两方的结果</translation>
    </message>
    <message>
        <source>No dataset is open whose results could be compared.</source>
        <translation>没有打开可比较结果的数据集。</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Results in the order of time</source>
        <translation>按时间顺序的结果</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Which failures are the same one</source>
        <translation>哪些失败是同一个</translation>
    </message>
    <message>
        <source>fast_p</source>
        <translation>fast_p</translation>
    </message>
    <message>
        <source>Shares of workloads by speedup</source>
        <translation>按加速比的工作负载占比</translation>
    </message>
    <message>
        <source>Open in a new &amp;window…</source>
        <translation>在新窗口中打开(&amp;W)…</translation>
    </message>
    <message>
        <source>Open a dataset folder in a window beside this one</source>
        <translation>在另一个窗口中打开数据集文件夹</translation>
    </message>
    <message>
        <source>&amp;Save layout…</source>
        <translation>保存布局(&amp;S)…</translation>
    </message>
    <message>
        <source>Keep where the panes are now, under a name</source>
        <translation>以一个名称记住窗格现在的位置</translation>
    </message>
    <message>
        <source>Tensors of the wor&amp;kload</source>
        <translation>工作负载的张量(&amp;K)</translation>
    </message>
    <message>
        <source>Shape, source and values of every input of the workload in hand</source>
        <translation>当前工作负载每个输入的形状、来源和数值</translation>
    </message>
    <message>
        <source>Open %1, and the others in windows of their own</source>
        <translation>打开 %1，其余的各用一个窗口打开</translation>
    </message>
    <message>
        <source>Tensors of the workload %1 of %2</source>
        <translation>%2 的工作负载 %1 的张量</translation>
    </message>
    <message>
        <source>This definition has no workloads whose tensors could be shown.</source>
        <translation>此定义没有可以显示张量的工作负载。</translation>
    </message>
    <message>
        <source>La&amp;youts</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>Put the panes where they were when this layout was saved</source>
        <translation>把窗格放回保存此布局时的位置</translation>
    </message>
    <message>
        <source>&amp;Delete layout</source>
        <translation>删除布局(&amp;D)</translation>
    </message>
    <message>
        <source>Forget this layout, after a question</source>
        <translation>询问之后删除此布局</translation>
    </message>
    <message>
        <source>Delete layout</source>
        <translation>删除布局</translation>
    </message>
    <message>
        <source>The layout %1 will be gone for good.</source>
        <translation>布局 %1 将被永久删除。</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <source>Name of the layout (one of the same name is replaced):</source>
        <translation>布局名称（同名的将被替换）：</translation>
    </message>
    <message>
        <source>The layout %1 is of another version of Tracedeck and cannot be used.</source>
        <translation>布局 %1 来自另一版本的 Tracedeck，无法使用。</translation>
    </message>
    <message>
        <source>Theme, font, Python interpreter, CUDA Toolkit, confinement and caches</source>
        <translation>主题、字体、Python 解释器、CUDA 工具包、隔离和缓存</translation>
    </message>
    <message>
        <source>Diagnose</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>A closer look at one solution on one workload</source>
        <translation>仔细查看一个解法在一个工作负载上的情况</translation>
    </message>
    <message>
        <source>Duel</source>
        <translation>对决</translation>
    </message>
    <message>
        <source>Solutions against each other on the same inputs</source>
        <translation>解法在相同输入上对决</translation>
    </message>
    <message>
        <source>No dataset is open whose solutions could be looked at.</source>
        <translation>没有打开可供诊断的数据集。</translation>
    </message>
    <message>
        <source>No dataset is open whose solutions could be set against each other.</source>
        <translation>没有打开可供对决的数据集。</translation>
    </message>
    <message>
        <source>Choose a trace first, or a solution and a workload.</source>
        <translation>请先选择一条轨迹，或一个解法和一个工作负载。</translation>
    </message>
    <message>
        <source>&amp;Run this again</source>
        <translation>再次运行(&amp;R)</translation>
    </message>
    <message>
        <source>Measure the pair in hand again in the ordinary way, and store the result</source>
        <translation>按普通方式再次测量当前这一对，并保存结果</translation>
    </message>
    <message>
        <source>Tensor &amp;difference</source>
        <translation>张量差异(&amp;D)</translation>
    </message>
    <message>
        <source>How the outputs differ from the expected ones: worst elements, where, how far</source>
        <translation>输出与预期的差异：最差的元素、位置、偏离程度</translation>
    </message>
    <message>
        <source>Degenerate &amp;tolerance</source>
        <translation>退化容差(&amp;T)</translation>
    </message>
    <message>
        <source>Whether zeros, a constant or a copied input pass the workload&apos;s check</source>
        <translation>零、常数或复制的输入能否通过该工作负载的检查</translation>
    </message>
    <message>
        <source>Compute &amp;Sanitizer</source>
        <translation>Compute Sanitizer(&amp;S)</translation>
    </message>
    <message>
        <source>Call the solution once under compute-sanitizer</source>
        <translation>在 compute-sanitizer 下调用一次解法</translation>
    </message>
    <message>
        <source>&amp;Generated code</source>
        <translation>生成的代码(&amp;G)</translation>
    </message>
    <message>
        <source>Registers, shared memory, spills, SASS and PTX of a compiled solution</source>
        <translation>编译型解法的寄存器、共享内存、溢出、SASS 和 PTX</translation>
    </message>
    <message>
        <source>&amp;Nsight Compute</source>
        <translation>Nsight Compute(&amp;N)</translation>
    </message>
    <message>
        <source>Profile one call: speed of light, occupancy, what warps wait for</source>
        <translation>剖析一次调用：与硬件极限的接近程度、占用率、线程束在等待什么</translation>
    </message>
    <message>
        <source>&amp;Kernel timeline</source>
        <translation>内核时间线(&amp;K)</translation>
    </message>
    <message>
        <source>What the GPU does in one call</source>
        <translation>一次调用中 GPU 做了什么</translation>
    </message>
    <message>
        <source>D&amp;uel…</source>
        <translation>对决(&amp;U)…</translation>
    </message>
    <message>
        <source>Set solutions against each other on the same inputs until it is clear which is faster</source>
        <translation>让解法在相同输入上对决，直到明确哪个更快</translation>
    </message>
    <message>
        <source>Diag&amp;nose</source>
        <translation>诊断(&amp;N)</translation>
    </message>
    <message>
        <source>%1 % · %2</source>
        <translation>%1 % · %2</translation>
    </message>
    <message>
        <source>P&amp;lan run…</source>
        <translation>计划运行(&amp;L)…</translation>
    </message>
    <message>
        <source>What would be run, how long it takes, the memory it needs, and every setting</source>
        <translation>将运行什么、需要多久、需要多少内存，以及所有设置</translation>
    </message>
    <message>
        <source>Pa&amp;st runs</source>
        <translation>以往运行(&amp;S)</translation>
    </message>
    <message>
        <source>Runs that were recorded: open, compare, repeat, continue, take their traces out</source>
        <translation>有记录的运行：打开、比较、重复、继续、移出其跟踪</translation>
    </message>
    <message>
        <source>Nobody goes on with the run: %1 What was measured is stored; Run ▸ Past runs continues it.</source>
        <translation>没有程序接手这次运行：%1 已测结果均已保存；可在“运行 ▸ 以往运行”中继续。</translation>
    </message>
    <message>
        <source>Run cancelled: %1</source>
        <translation>运行已取消：%1</translation>
    </message>
    <message>
        <source>Run done: %1</source>
        <translation>运行已完成：%1</translation>
    </message>
    <message>
        <source>%1 passed, %2 failed, %3 not run, in %4</source>
        <translation>%1 个通过，%2 个失败，%3 个未运行，用时 %4</translation>
    </message>
    <message>
        <source>Add to the &amp;run</source>
        <translation>加入运行(&amp;R)</translation>
    </message>
    <message>
        <source>Add to the &amp;run (%1)</source>
        <translation>加入运行 (%1)(&amp;R)</translation>
    </message>
    <message>
        <source>Put the ticked pairs at the end of the run&apos;s queue (Ctrl+R); Ctrl+. cancels the run</source>
        <translation>把勾选的对放到运行队列末尾 (Ctrl+R)；Ctrl+. 取消运行</translation>
    </message>
    <message>
        <source>No dataset is open whose solutions could be run.</source>
        <translation>没有打开可运行其解法的数据集。</translation>
    </message>
    <message>
        <source>A run is in progress. Wait until it is done, or cancel it first.</source>
        <translation>正在运行。请等它完成，或先取消它。</translation>
    </message>
    <message>
        <source>The run can&apos;t be started: %1</source>
        <translation>无法开始运行：%1</translation>
    </message>
    <message>
        <source>Run of %1</source>
        <translation>%1 的运行</translation>
    </message>
    <message>
        <source>The run of %1 on %2 ended with its program, at %3 of %4 pairs.</source>
        <translation>%1 在 %2 上的运行随其程序中断，完成了 %3 / %4 对。</translation>
    </message>
    <message>
        <source>Go on with it</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Run the pairs that it did not get to, with its settings</source>
        <translation>以其设置运行尚未运行的对</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>What is recorded of it, among the past runs</source>
        <translation>在以往运行中查看其记录</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>不再询问</translation>
    </message>
    <message>
        <source>Don&apos;t ask about this run again; the past runs still have it</source>
        <translation>不再询问此次运行；以往运行中仍保留它</translation>
    </message>
    <message>
        <source>What is to become of the run when the window closes?</source>
        <translation>关闭窗口时，如何处理正在进行的运行？</translation>
    </message>
    <message>
        <source>What has been measured so far is stored either way.</source>
        <translation>无论如何，已测的结果都会保存。</translation>
    </message>
    <message>
        <source>&amp;Stay here</source>
        <translation>留在这里(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Keep it going without the window</source>
        <translation>不用窗口继续运行(&amp;K)</translation>
    </message>
    <message>
        <source>`tracedeck run --continue` does the rest; it is listed among the past runs, where it can be stopped</source>
        <translation>由 `tracedeck run --continue` 完成其余部分；它列在以往运行中，可在那里停止</translation>
    </message>
    <message>
        <source>Past runs</source>
        <translation>以往运行</translation>
    </message>
    <message>
        <source>Runs that were recorded, and what can be done with them</source>
        <translation>有记录的运行，以及可对其进行的操作</translation>
    </message>
    <message>
        <source>View its files…</source>
        <translation>查看其中的文件…</translation>
    </message>
    <message>
        <source>Choose one of the JSON files of this folder for the viewer</source>
        <translation>从此文件夹中选择一个 JSON 文件在查看器中打开</translation>
    </message>
    <message>
        <source>Open &amp;merged with…</source>
        <translation>合并打开(&amp;M)…</translation>
    </message>
    <message>
        <source>Show what is open and another dataset folder as one dataset; nothing is written</source>
        <translation>把已打开的内容与另一个数据集文件夹显示为一个数据集；不写入任何文件</translation>
    </message>
    <message>
        <source>Open merged with another dataset folder</source>
        <translation>与另一个数据集文件夹合并打开</translation>
    </message>
    <message>
        <source>Looking for runs …</source>
        <translation>正在查找运行 …</translation>
    </message>
    <message>
        <source>run of %1 (%2)</source>
        <translation>%1 的运行 (%2)</translation>
    </message>
    <message>
        <source>Nothing was measured yet.</source>
        <translation>还没有测量结果。</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>run of %1</source>
        <translation>%1 的运行</translation>
    </message>
    <message>
        <source>%1 datasets: %2</source>
        <translation>%1 个数据集：%2</translation>
    </message>
    <message>
        <source>Error&amp;s</source>
        <translation>误差(&amp;S)</translation>
    </message>
    <message>
        <source>Chart boar&amp;d</source>
        <translation>图表板(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Bytes and operations of the definition…</source>
        <translation>定义的字节数与运算数(&amp;B)…</translation>
    </message>
    <message>
        <source>What the definition must move and compute, as expressions over its axes: the speed of light, bandwidth and throughput follow</source>
        <translation>定义必须搬运和计算的量，以轴的表达式表示：光速、带宽和吞吐量随之而定</translation>
    </message>
    <message>
        <source>Choose a definition first, one that the dataset has a file for.</source>
        <translation>请先选择一个数据集中有文件的定义。</translation>
    </message>
    <message>
        <source>What &amp;GPUs can do…</source>
        <translation>GPU 的能力上限(&amp;G)…</translation>
    </message>
    <message>
        <source>Memory rates and peaks, from data sheets or your own, that the speed of light is worked out of</source>
        <translation>用于得出光速的显存速率和峰值，来自数据手册或您自己</translation>
    </message>
    <message>
        <source>Plan run of the &amp;marked traces…</source>
        <translation>规划运行已标记的记录(&amp;M)…</translation>
    </message>
    <message>
        <source>What running the pairs of the marked traces again would take; marked is what is selected in the table of traces or boxed in a chart (Ctrl+drag)</source>
        <translation>再次运行已标记记录的配对需要什么；标记的是在记录表中选中或在图表中框选（Ctrl+拖动）的内容</translation>
    </message>
    <message>
        <source>No marked trace has a solution that is here to run.</source>
        <translation>没有一条已标记的记录有可在此运行的解法。</translation>
    </message>
    <message>
        <source>Source of the trace, as &amp;judged</source>
        <translation>记录评测时的源码(&amp;J)</translation>
    </message>
    <message>
        <source>The solution of the trace in hand, and whether its source is still the one that was measured</source>
        <translation>当前记录的解法，以及其源码是否仍是被测量的那份</translation>
    </message>
    <message>
        <source>Unmark all t&amp;races</source>
        <translation>取消所有标记(&amp;R)</translation>
    </message>
    <message>
        <source>Take the marks off the traces in tables and charts</source>
        <translation>去除表格和图表中记录的标记</translation>
    </message>
    <message>
        <source>Choose a trace first.</source>
        <translation>请先选择一条记录。</translation>
    </message>
    <message>
        <source>This trace is of no solution.</source>
        <translation>此记录不属于任何解法。</translation>
    </message>
    <message>
        <source>The trace does not say which source was judged: this is the one that the dataset has now.</source>
        <translation>记录未说明评测的是哪份源码：这是数据集现有的那份。</translation>
    </message>
    <message>
        <source>This is not the source that was judged: it was changed since. The trace is of content hash %1, the dataset has %2.</source>
        <translation>这不是被评测的源码：此后已被更改。记录的内容哈希为 %1，数据集中为 %2。</translation>
    </message>
    <message>
        <source>%1 marked</source>
        <translation>已标记 %1</translation>
    </message>
    <message>
        <source>Show them in the &amp;table</source>
        <translation>在表格中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Go to the traces, where they are selected</source>
        <translation>转到记录，它们在那里已被选中</translation>
    </message>
    <message>
        <source>Pin the &amp;trace</source>
        <translation>固定此记录(&amp;T)</translation>
    </message>
    <message>
        <source>Set every time on the same workload and hardware against the trace in hand</source>
        <translation>将相同工作负载和硬件上的每个时间与当前记录比较</translation>
    </message>
    <message>
        <source>Pin the &amp;solution</source>
        <translation>固定此解法(&amp;S)</translation>
    </message>
    <message>
        <source>Set every time against the solution in hand</source>
        <translation>将每个时间与当前解法比较</translation>
    </message>
    <message>
        <source>Pin the &amp;author</source>
        <translation>固定此作者(&amp;A)</translation>
    </message>
    <message>
        <source>Set every time against the best solution of the author in hand</source>
        <translation>将每个时间与当前作者的最佳解法比较</translation>
    </message>
    <message>
        <source>Pin the &amp;run</source>
        <translation>固定此运行(&amp;R)</translation>
    </message>
    <message>
        <source>Set every time against what the same solution took in the run of the trace in hand</source>
        <translation>将每个时间与同一解法在当前记录所属运行中的用时比较</translation>
    </message>
    <message>
        <source>&amp;Order and unpin…</source>
        <translation>排序与取消固定(&amp;O)…</translation>
    </message>
    <message>
        <source>The pinned baselines in the order of their columns</source>
        <translation>按列顺序排列的固定基线</translation>
    </message>
    <message>
        <source>&amp;Unpin all</source>
        <translation>取消全部固定(&amp;U)</translation>
    </message>
    <message>
        <source>Take the columns of all pinned baselines away</source>
        <translation>移除所有固定基线的列</translation>
    </message>
    <message>
        <source>&amp;Pinned baselines</source>
        <translation>固定基线(&amp;P)</translation>
    </message>
    <message numerus="yes">
        <source>%n pinned</source>
        <translation>
            <numerusform>已固定 %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Times are set against these pinned baselines, too:</source>
        <translation>时间还与这些固定基线比较：</translation>
    </message>
    <message>
        <source>Unpin %1</source>
        <translation>取消固定 %1</translation>
    </message>
    <message>
        <source>Take its column away</source>
        <translation>移除其列</translation>
    </message>
    <message>
        <source>Pinned baselines</source>
        <translation>固定基线</translation>
    </message>
    <message>
        <source>Times are set against these, too</source>
        <translation>时间还与这些比较</translation>
    </message>
    <message>
        <source>Marked traces</source>
        <translation>已标记的记录</translation>
    </message>
    <message>
        <source>Traces that are selected in the table or were boxed in a chart</source>
        <translation>在表格中选中或在图表中框选的记录</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>图表板</translation>
    </message>
    <message>
        <source>Charts beside each other</source>
        <translation>并排的图表</translation>
    </message>
    <message>
        <source>Add the c&amp;hart to the board</source>
        <translation>将图表加入图表板(&amp;H)</translation>
    </message>
    <message>
        <source>Keep the chart that is shown beside others; Go ▸ Chart board shows them</source>
        <translation>将显示的图表与其他图表放在一起；“转到 ▸ 图表板”可显示它们</translation>
    </message>
    <message>
        <source>There is no chart to add: the page Charts shows none.</source>
        <translation>没有可加入的图表：“图表”页未显示图表。</translation>
    </message>
    <message>
        <source>&amp;Write a note on the chart…</source>
        <translation>在图表上写注释(&amp;W)…</translation>
    </message>
    <message>
        <source>A few words at the point that is pointed at, kept with the chart</source>
        <translation>在所指的点处写几个字，与图表一起保存</translation>
    </message>
    <message>
        <source>&amp;New dataset…</source>
        <translation>新建数据集(&amp;N)…</translation>
    </message>
    <message>
        <source>Make a dataset of one kind of kernel, such as RMS norm or attention</source>
        <translation>生成某一类内核（如 RMS norm 或注意力）的数据集</translation>
    </message>
    <message>
        <source>&amp;Add an implementation…</source>
        <translation>添加实现(&amp;A)…</translation>
    </message>
    <message>
        <source>Add a Python, CUDA or C++ file, or a kernel of the Hugging Face Hub, as a solution</source>
        <translation>把 Python、CUDA 或 C++ 文件，或 Hugging Face Hub 的内核添加为解法</translation>
    </message>
    <message>
        <source>&amp;Import results…</source>
        <translation>导入结果(&amp;I)…</translation>
    </message>
    <message>
        <source>Make a dataset from results of kernels-benchmarks or nvbench</source>
        <translation>由 kernels-benchmarks 或 nvbench 的结果生成数据集</translation>
    </message>
    <message>
        <source>Results for other &amp;programs…</source>
        <translation>供其他程序使用的结果(&amp;P)…</translation>
    </message>
    <message>
        <source>Write results as kernels-benchmarks records, nvbench&apos;s JSON or the table of the win@p script</source>
        <translation>把结果写成 kernels-benchmarks 记录、nvbench 的 JSON 或 win@p 脚本的表格</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::NewDatasetDialog</name>
    <message>
        <source>New dataset of a kind of kernel</source>
        <translation>新建某类内核的数据集</translation>
    </message>
    <message>
        <source>&amp;Make</source>
        <translation>生成(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Open the dataset</source>
        <translation>打开数据集(&amp;O)</translation>
    </message>
    <message>
        <source>Makes a definition with its PyTorch reference and workloads, with the shapes and the order of arguments of Hugging Face&apos;s kernels-benchmarks. Then add implementations to it and run them.</source>
        <translation>生成定义及其 PyTorch 参考实现和工作负载，形状和参数顺序与 Hugging Face 的 kernels-benchmarks 相同。然后添加实现并运行。</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>类型(&amp;K)</translation>
    </message>
    <message>
        <source>What the kernels compute</source>
        <translation>内核计算的内容</translation>
    </message>
    <message>
        <source>&amp;dtype</source>
        <translation>dtype(&amp;D)</translation>
    </message>
    <message>
        <source>dtype of inputs and outputs</source>
        <translation>输入和输出的 dtype</translation>
    </message>
    <message>
        <source>Usual for the kind</source>
        <translation>此类型的常用值</translation>
    </message>
    <message>
        <source>&amp;Workloads</source>
        <translation>工作负载(&amp;W)</translation>
    </message>
    <message>
        <source>How large the workloads are</source>
        <translation>工作负载的大小</translation>
    </message>
    <message>
        <source>For a GPU</source>
        <translation>用于 GPU</translation>
    </message>
    <message>
        <source>Smaller ones, for the CPU</source>
        <translation>较小的，用于 CPU</translation>
    </message>
    <message>
        <source>&amp;New dataset</source>
        <translation>新数据集(&amp;N)</translation>
    </message>
    <message>
        <source>A new or empty folder for the dataset</source>
        <translation>用于数据集的新文件夹或空文件夹</translation>
    </message>
    <message>
        <source>Choose a new or empty folder for the dataset.</source>
        <translation>请为数据集选择新文件夹或空文件夹。</translation>
    </message>
    <message>
        <source>Definition %1 with %2 workloads. Open the dataset, then add implementations with File ▸ Add an implementation.</source>
        <translation>定义 %1，共 %2 个工作负载。请打开数据集，然后用“文件 ▸ 添加实现”添加实现。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::NoticeBar</name>
    <message>
        <source>Copy this message</source>
        <translation>复制此消息</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::OverridesForm</name>
    <message>
        <source>“%1” is no value for this</source>
        <translation>“%1”不是有效的值</translation>
    </message>
    <message>
        <source>Warm-ups</source>
        <translation>预热次数</translation>
    </message>
    <message>
        <source>Calls before timing starts</source>
        <translation>计时开始前的调用次数</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>迭代次数</translation>
    </message>
    <message>
        <source>Timed calls of one trial</source>
        <translation>一次试验中计时的调用次数</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验次数</translation>
    </message>
    <message>
        <source>Trials with new inputs, checked and timed each</source>
        <translation>使用新输入的试验，每次都检查并计时</translation>
    </message>
    <message>
        <source>Relative tolerance</source>
        <translation>相对容差</translation>
    </message>
    <message>
        <source>How far an element may be off, as a share of the expected value</source>
        <translation>元素允许的偏差，占期望值的比例</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>绝对容差</translation>
    </message>
    <message>
        <source>How far an element may be off whatever is expected</source>
        <translation>无论期望值为何，元素允许的偏差</translation>
    </message>
    <message>
        <source>Matched ratio</source>
        <translation>匹配比例</translation>
    </message>
    <message>
        <source>Share of elements that must be within the tolerances, above 0 and at most 1</source>
        <translation>必须在容差之内的元素比例，大于 0 且不超过 1</translation>
    </message>
    <message>
        <source>Precision (%)</source>
        <translation>精度 (%)</translation>
    </message>
    <message>
        <source>Add trials until the median is known to this many percent, with 95 % confidence; 0: never</source>
        <translation>增加试验，直到中位数以 95 % 的置信度达到此百分比；0：从不</translation>
    </message>
    <message>
        <source>Strict numerics</source>
        <translation>严格数值</translation>
    </message>
    <message>
        <source>|x - y| ≤ atol + rtol·|y|, NaN and infinities where the reference has them, integers exact</source>
        <translation>|x - y| ≤ atol + rtol·|y|，NaN 与无穷须与参考一致，整数须完全相等</translation>
    </message>
    <message>
        <source>Valid index inputs</source>
        <translation>有效索引输入</translation>
    </message>
    <message>
        <source>Random integers that a kernel uses as indexes get valid values; no: -1024 … 1023, as in the format</source>
        <translation>内核用作索引的随机整数取有效值；否：按格式取 -1024 … 1023</translation>
    </message>
    <message>
        <source>Evaluator options</source>
        <translation>评判器选项</translation>
    </message>
    <message>
        <source>What evaluators read, for example sampling_tvd_threshold=0.1; several with ; between them</source>
        <translation>评判器读取的选项，例如 sampling_tvd_threshold=0.1；多个之间用 ; 分隔</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PastRunsModel</name>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>ended by a crash</source>
        <translation>因崩溃中断</translation>
    </message>
    <message>
        <source>%1, continued</source>
        <translation>%1，已继续</translation>
    </message>
    <message>
        <source>%1, traces removed</source>
        <translation>%1，跟踪已移出</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>结束时间</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>%1 passed · %2 failed · %3 not run, of %4</source>
        <translation>%1 个通过 · %2 个失败 · %3 个未运行，共 %4 个</translation>
    </message>
    <message>
        <source>Skipped, as measured before</source>
        <translation>因已测过而跳过</translation>
    </message>
    <message>
        <source>Run by</source>
        <translation>运行程序</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>told when the run has ended</source>
        <translation>运行结束后给出</translation>
    </message>
    <message>
        <source>Goes on with</source>
        <translation>继续自</translation>
    </message>
    <message>
        <source>Continued by</source>
        <translation>后续运行</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Pairs that could not be measured, were left out, or that the run did not get to</source>
        <translation>无法测量、被略过或尚未运行到的对</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PastRunsPage</name>
    <message>
        <source>Recorded runs</source>
        <translation>有记录的运行</translation>
    </message>
    <message>
        <source>What is recorded of the run</source>
        <translation>此次运行的记录</translation>
    </message>
    <message>
        <source>Choose a run to see its settings, seed, environment and outcome.</source>
        <translation>请选择一次运行，以查看其设置、种子、环境和结果。</translation>
    </message>
    <message>
        <source>Show &amp;traces</source>
        <translation>显示跟踪(&amp;T)</translation>
    </message>
    <message>
        <source>The results that this run stored (Enter)</source>
        <translation>此次运行保存的结果 (Enter)</translation>
    </message>
    <message>
        <source>Co&amp;mpare</source>
        <translation>比较(&amp;M)</translation>
    </message>
    <message>
        <source>Two runs against each other; of one, the one before of the same dataset</source>
        <translation>两次运行相互比较；只选一次时，与同一数据集的前一次比较</translation>
    </message>
    <message>
        <source>Re&amp;peat</source>
        <translation>重复(&amp;P)</translation>
    </message>
    <message>
        <source>Run all of its pairs again with its settings</source>
        <translation>以其设置再次运行它的所有对</translation>
    </message>
    <message>
        <source>Co&amp;ntinue</source>
        <translation>继续(&amp;N)</translation>
    </message>
    <message>
        <source>Run what it did not get to, with its settings</source>
        <translation>以其设置运行尚未运行的部分</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Ask the program that runs it to stop; what was measured is kept</source>
        <translation>请求运行它的程序停止；已测结果保留</translation>
    </message>
    <message>
        <source>Remo&amp;ve traces…</source>
        <translation>移出跟踪(&amp;V)…</translation>
    </message>
    <message>
        <source>Take its results out of the dataset; they are kept, and can be put back</source>
        <translation>把其结果移出数据集；结果会保留，可以放回</translation>
    </message>
    <message>
        <source>Put traces &amp;back</source>
        <translation>放回跟踪(&amp;B)</translation>
    </message>
    <message>
        <source>Put the results that were taken out into the dataset again</source>
        <translation>把移出的结果重新放入数据集</translation>
    </message>
    <message>
        <source>For&amp;get…</source>
        <translation>忘记(&amp;G)…</translation>
    </message>
    <message>
        <source>Delete what is recorded of it; its traces stay</source>
        <translation>删除其记录；跟踪保留</translation>
    </message>
    <message>
        <source>Process %1 was asked to stop.</source>
        <translation>已请求进程 %1 停止。</translation>
    </message>
    <message>
        <source>%1 traces are back in the dataset.</source>
        <translation>%1 条跟踪已放回数据集。</translation>
    </message>
    <message>
        <source>No run is recorded yet.
Runs from here and from `tracedeck run` are listed here, whatever their dataset.</source>
        <translation>还没有运行记录。
由此处或 `tracedeck run` 进行的运行都会列在这里，不论哪个数据集。</translation>
    </message>
    <message>
        <source>Some records can&apos;t be read: %1</source>
        <translation>有些记录无法读取：%1</translation>
    </message>
    <message>
        <source>There is no earlier run of this dataset: choose two runs.</source>
        <translation>此数据集没有更早的运行：请选择两次运行。</translation>
    </message>
    <message>
        <source>Past runs</source>
        <translation>以往运行</translation>
    </message>
    <message>
        <source>Take the results of this run out of the dataset?</source>
        <translation>要把此次运行的结果移出数据集吗？</translation>
    </message>
    <message>
        <source>%1 results, in %2. They are kept beside the record of the run, and Put traces back brings them back.</source>
        <translation>%1 个结果，位于 %2。它们会保存在运行记录旁，用“放回跟踪”即可恢复。</translation>
    </message>
    <message>
        <source>&amp;Remove traces</source>
        <translation>移出跟踪(&amp;R)</translation>
    </message>
    <message>
        <source>%1 traces were taken out; they can be put back.</source>
        <translation>已移出 %1 条跟踪；可以放回。</translation>
    </message>
    <message>
        <source>Delete what is recorded of this run?</source>
        <translation>要删除此次运行的记录吗？</translation>
    </message>
    <message>
        <source>The traces that were taken out of the dataset are deleted with it, for good.</source>
        <translation>移出数据集的跟踪也会一并永久删除。</translation>
    </message>
    <message>
        <source>Its settings, seed and what became of each pair are gone then. Its traces stay in the dataset.</source>
        <translation>其设置、种子和每一对的结果都将消失。跟踪仍留在数据集中。</translation>
    </message>
    <message>
        <source>&amp;Delete the record</source>
        <translation>删除记录(&amp;D)</translation>
    </message>
    <message>
        <source>The record is deleted.</source>
        <translation>记录已删除。</translation>
    </message>
    <message>
        <source>At work …</source>
        <translation>正在处理 …</translation>
    </message>
    <message>
        <source>Plan a r&amp;un…</source>
        <translation>规划运行(&amp;U)…</translation>
    </message>
    <message>
        <source>Choose what is run, on which devices and how</source>
        <translation>选择运行的内容、设备和方式</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PinnedTableModel</name>
    <message>
        <source>vs %1 (%)</source>
        <translation>对比 %1 (%)</translation>
    </message>
    <message>
        <source>How much more (+) or less (−) time than %1, which is pinned, on the same workload and hardware</source>
        <translation>在相同工作负载和硬件上，比已固定的 %1 多用（+）或少用（−）多少时间</translation>
    </message>
    <message>
        <source>base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>%1 has no time on the same workload and hardware.</source>
        <translation>%1 在相同工作负载和硬件上没有时间。</translation>
    </message>
    <message>
        <source>This is %1, which is pinned.</source>
        <translation>这就是已固定的 %1。</translation>
    </message>
    <message>
        <source>As fast as %1</source>
        <translation>与 %1 一样快</translation>
    </message>
    <message>
        <source>%1 % less time than %2</source>
        <translation>比 %2 少用 %1 % 的时间</translation>
    </message>
    <message>
        <source>%1 % more time than %2</source>
        <translation>比 %2 多用 %1 % 的时间</translation>
    </message>
    <message numerus="yes">
        <source>Geometric mean over %n pair(s) of workload and hardware</source>
        <translation>
            <numerusform>%n 个工作负载与硬件配对的几何平均</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PinsDialog</name>
    <message>
        <source>Move &amp;up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Un&amp;pin</source>
        <translation>取消固定(&amp;P)</translation>
    </message>
    <message>
        <source>Unpin &amp;all</source>
        <translation>取消全部固定(&amp;A)</translation>
    </message>
    <message>
        <source>Pinned baselines</source>
        <translation>固定基线</translation>
    </message>
    <message>
        <source>Every table with latencies has a column for each of these, in this order: how much more or less time than it a row takes.</source>
        <translation>每个含延迟的表格都按此顺序为它们各设一列：某行比它多用或少用多少时间。</translation>
    </message>
    <message>
        <source>Nothing is pinned.
Choose a trace, then View ▸ Pinned baselines, or right-click a row of a table.</source>
        <translation>未固定任何内容。
选择一条记录，然后使用“视图 ▸ 固定基线”，或右键单击表格的一行。</translation>
    </message>
    <message>
        <source>The column moves to the left (Alt+Up)</source>
        <translation>该列左移 (Alt+Up)</translation>
    </message>
    <message>
        <source>The column moves to the right (Alt+Down)</source>
        <translation>该列右移 (Alt+Down)</translation>
    </message>
    <message>
        <source>Take its column away (Del)</source>
        <translation>移除其列 (Del)</translation>
    </message>
    <message>
        <source>Take all these columns away</source>
        <translation>移除所有这些列</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::PlanSettings</name>
    <message>
        <source>Settings that were saved under a name, here or with --save-preset</source>
        <translation>以名称保存的设置，在此或用 --save-preset 保存</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Sa&amp;ve as…</source>
        <translation>另存为(&amp;V)…</translation>
    </message>
    <message>
        <source>Keep these settings under a name: for here, and for --preset on the command line</source>
        <translation>以名称保留这些设置：供此处及命令行的 --preset 使用</translation>
    </message>
    <message>
        <source>De&amp;lete</source>
        <translation>删除(&amp;L)</translation>
    </message>
    <message>
        <source>Forget the chosen preset, after a question</source>
        <translation>询问后删除所选预设</translation>
    </message>
    <message>
        <source>Devices to use</source>
        <translation>使用的设备</translation>
    </message>
    <message>
        <source>Devices to use: each takes the next pairs</source>
        <translation>使用的设备：每个设备依次取下一批对</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>What the values below hold for; those for everything win over the others</source>
        <translation>下列值的适用范围；“全部”的值优先于其他</translation>
    </message>
    <message>
        <source>What the values hold for</source>
        <translation>值的适用范围</translation>
    </message>
    <message>
        <source>Values for</source>
        <translation>适用于</translation>
    </message>
    <message>
        <source>L&amp;oad YAML…</source>
        <translation>载入 YAML(&amp;O)…</translation>
    </message>
    <message>
        <source>Values of evaluations from a file, as --config reads it</source>
        <translation>从文件载入评测的值，格式同 --config</translation>
    </message>
    <message>
        <source>Save &amp;YAML…</source>
        <translation>保存 YAML(&amp;Y)…</translation>
    </message>
    <message>
        <source>Write the values for op_types and definitions into a file that --config reads</source>
        <translation>把各 op_type 和定义的值写入 --config 可读的文件</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Time limit of one evaluation, the build not counted</source>
        <translation>一次评测的时间上限，不含构建</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间上限</translation>
    </message>
    <message>
        <source>Time limit of compiling one solution</source>
        <translation>编译一个解法的时间上限</translation>
    </message>
    <message>
        <source>Build limit</source>
        <translation>构建上限</translation>
    </message>
    <message>
        <source>random, told at the end</source>
        <translation>随机，结束时给出</translation>
    </message>
    <message>
        <source>A seed of your own repeats the inputs exactly; solutions could know it, so traces say so</source>
        <translation>自选种子可精确重现输入；解法可能预知它，因此跟踪会注明</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Leave a solution alone once it failed so often in this run</source>
        <translation>解法在此次运行中失败达到此次数后不再运行</translation>
    </message>
    <message>
        <source>Skip after failures</source>
        <translation>失败多少次后跳过</translation>
    </message>
    <message>
        <source>until at most</source>
        <translation>直到不超过</translation>
    </message>
    <message>
        <source>GPUs wait before each workload until they are at most this warm and no other program uses them</source>
        <translation>每个工作负载之前，GPU 等到温度不超过此值且无其他程序使用</translation>
    </message>
    <message>
        <source> °C</source>
        <translation> °C</translation>
    </message>
    <message>
        <source>Warmest GPU that is measured on</source>
        <translation>允许测量的 GPU 最高温度</translation>
    </message>
    <message>
        <source>Wait for idle GPU</source>
        <translation>等待 GPU 空闲</translation>
    </message>
    <message>
        <source>a process per evaluation</source>
        <translation>每次评测一个进程</translation>
    </message>
    <message>
        <source>a process per solution</source>
        <translation>每个解法一个进程</translation>
    </message>
    <message>
        <source>One process a solution is faster, and the solution could remember things</source>
        <translation>每个解法一个进程更快，但解法可能记住内容</translation>
    </message>
    <message>
        <source>Isolation</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>Time the &amp;reference, too</source>
        <translation>同时为参考计时(&amp;R)</translation>
    </message>
    <message>
        <source>Without it there is no speedup</source>
        <translation>不计时则没有加速比</translation>
    </message>
    <message>
        <source>&amp;Store the results</source>
        <translation>保存结果(&amp;S)</translation>
    </message>
    <message>
        <source>Append each result to the dataset&apos;s traces as soon as it is known</source>
        <translation>结果一出即追加到数据集的跟踪中</translation>
    </message>
    <message>
        <source>“%1” is no whole number</source>
        <translation>“%1”不是整数</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>%1 (set)</source>
        <translation>%1（已设置）</translation>
    </message>
    <message>
        <source>op_type %1</source>
        <translation>op_type %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Name of the preset (one of the same name is replaced):</source>
        <translation>预设的名称（同名的会被替换）：</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>删除预设</translation>
    </message>
    <message>
        <source>The preset %1 will be gone for good.</source>
        <translation>预设 %1 将被永久删除。</translation>
    </message>
    <message>
        <source>&amp;Delete preset</source>
        <translation>删除预设(&amp;D)</translation>
    </message>
    <message>
        <source>Load values of evaluations</source>
        <translation>载入评测的值</translation>
    </message>
    <message>
        <source>YAML files (*.yaml *.yml);;All files (*)</source>
        <translation>YAML 文件 (*.yaml *.yml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save values of evaluations</source>
        <translation>保存评测的值</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProblemItem</name>
    <message>
        <source>doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>the file does not end with a line end: what another program appends would stand on the same line</source>
        <translation>文件末尾没有换行符：其他程序追加的内容会落在同一行</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已略过</translation>
    </message>
    <message>
        <source>repaired</source>
        <translation>已修复</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProblemTreeModel</name>
    <message>
        <source>definition %1</source>
        <translation>定义 %1</translation>
    </message>
    <message>
        <source>the dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1, can be fixed</source>
        <translation>%1，可以修复</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题说明</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProblemsPanel</name>
    <message>
        <source>Problems found in the dataset</source>
        <translation>数据集中发现的问题</translation>
    </message>
    <message>
        <source>Nothing is wrong in the dataset&apos;s files.</source>
        <translation>数据集的文件没有问题。</translation>
    </message>
    <message>
        <source>How problems are grouped</source>
        <translation>问题的分组方式</translation>
    </message>
    <message>
        <source>By file</source>
        <translation>按文件</translation>
    </message>
    <message>
        <source>By outcome</source>
        <translation>按结果</translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation>检查进度</translation>
    </message>
    <message>
        <source>No dataset is open.</source>
        <translation>没有打开数据集。</translation>
    </message>
    <message>
        <source>Nothing is wrong in the dataset: it was loaded whole, and the check found nothing.</source>
        <translation>数据集没有问题：已完整加载，检查也没有发现任何问题。</translation>
    </message>
    <message>
        <source>Checking the dataset …</source>
        <translation>正在检查数据集 …</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 个错误</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 个错误</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 个警告</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 个警告</translation>
    </message>
    <message>
        <source>%1 can be fixed here</source>
        <translation>其中 %1 个可在此修复</translation>
    </message>
    <message>
        <source>checked, without running code</source>
        <translation>已检查，未运行代码</translation>
    </message>
    <message>
        <source>checked, without running code; %1</source>
        <translation>已检查，未运行代码；%1</translation>
    </message>
    <message>
        <source>Repair the end of a file</source>
        <translation>修复文件末尾</translation>
    </message>
    <message>
        <source>Line %1 of %2 is cut off. It is moved to the file %3 beside it, which no program loads; the other lines stay as they are.</source>
        <translation>%2 的第 %1 行不完整。它会被移到旁边的文件 %3，没有程序会加载该文件；其他行保持不变。</translation>
    </message>
    <message>
        <source>A line end is added to the end of %1. Nothing else is changed.</source>
        <translation>会在 %1 的末尾添加换行符，不改动其他内容。</translation>
    </message>
    <message>
        <source>&amp;Move the line</source>
        <translation>移走该行(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Add the line end</source>
        <translation>添加换行符(&amp;A)</translation>
    </message>
    <message>
        <source>The file was not repaired. %1</source>
        <translation>文件未修复。%1</translation>
    </message>
    <message>
        <source>The dataset was not checked. %1</source>
        <translation>数据集未检查。%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ProfileView</name>
    <message>
        <source>Profiles one call with NVIDIA&apos;s Nsight Compute: how near each kernel comes to what the GPU can do, and what its warps wait for. Kernels are repeated with fixed clocks and cold caches: the times are no results.</source>
        <translation>用 NVIDIA Nsight Compute 剖析一次调用：每个内核离 GPU 极限有多近，线程束在等待什么。内核以固定时钟和冷缓存重复执行：这些时间不是测量结果。</translation>
    </message>
    <message>
        <source>&amp;Open the report</source>
        <translation>打开报告(&amp;O)</translation>
    </message>
    <message>
        <source>Set of metrics</source>
        <translation>指标集</translation>
    </message>
    <message>
        <source>How much is measured; larger sets repeat each kernel more often</source>
        <translation>测量多少内容；越大的集合重复每个内核的次数越多</translation>
    </message>
    <message>
        <source>Open the report in Nsight Compute&apos;s own window (ncu-ui)</source>
        <translation>在 Nsight Compute 自己的窗口（ncu-ui）中打开报告</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>Compute %</source>
        <translation>计算 %</translation>
    </message>
    <message>
        <source>Memory %</source>
        <translation>内存 %</translation>
    </message>
    <message>
        <source>DRAM %</source>
        <translation>DRAM %</translation>
    </message>
    <message>
        <source>Occupancy %</source>
        <translation>占用率 %</translation>
    </message>
    <message>
        <source>possible %</source>
        <translation>可达 %</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>线程块</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>All metrics of the kernel that is chosen</source>
        <translation>所选内核的全部指标</translation>
    </message>
    <message>
        <source>There are no figures: %1</source>
        <translation>没有数据：%1</translation>
    </message>
    <message>
        <source>Report: %1</source>
        <translation>报告：%1</translation>
    </message>
    <message>
        <source>Confinement of the process: %1</source>
        <translation>进程的隔离：%1</translation>
    </message>
    <message>
        <source>Cycles a warp waits for each instruction:</source>
        <translation>线程束每条指令等待的周期数：</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>无法启动 %1。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::QueueActions</name>
    <message>
        <source>&amp;Show the trace</source>
        <translation>显示跟踪(&amp;S)</translation>
    </message>
    <message>
        <source>Show the result in the Details pane</source>
        <translation>在“详情”窗格中显示结果</translation>
    </message>
    <message>
        <source>To the &amp;front</source>
        <translation>移到最前(&amp;F)</translation>
    </message>
    <message>
        <source>Run the selected pairs next</source>
        <translation>接下来运行所选的对</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Run the selected pairs one place earlier</source>
        <translation>把所选的对提前一位</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Run the selected pairs one place later</source>
        <translation>把所选的对推后一位</translation>
    </message>
    <message>
        <source>To the &amp;end</source>
        <translation>移到最后(&amp;E)</translation>
    </message>
    <message>
        <source>Run the selected pairs last</source>
        <translation>最后运行所选的对</translation>
    </message>
    <message>
        <source>&amp;Cancel these pairs</source>
        <translation>取消这些对(&amp;C)</translation>
    </message>
    <message>
        <source>Don&apos;t run the selected pairs; the others go on</source>
        <translation>不运行所选的对；其余继续</translation>
    </message>
    <message>
        <source>&amp;Leave their solutions alone</source>
        <translation>不再运行其解法(&amp;L)</translation>
    </message>
    <message>
        <source>Don&apos;t run any pair of these solutions that still waits</source>
        <translation>这些解法仍在等待的对都不再运行</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ReportExporter</name>
    <message>
        <source>&amp;Report on the dataset…</source>
        <translation>数据集报告(&amp;R)…</translation>
    </message>
    <message>
        <source>Report on the &amp;definition…</source>
        <translation>定义报告(&amp;D)…</translation>
    </message>
    <message>
        <source>Write rankings, charts, failures and sources as one HTML page, a PDF or Markdown</source>
        <translation>将排名、图表、失败和源代码写成一个 HTML 页面、PDF 或 Markdown</translation>
    </message>
    <message>
        <source>Write the same about the definition that is looked at</source>
        <translation>为正在查看的定义写同样的报告</translation>
    </message>
    <message>
        <source>Write a report</source>
        <translation>写报告</translation>
    </message>
    <message>
        <source>Writing the report…</source>
        <translation>正在写报告…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ResultsPage</name>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
    <message>
        <source>Choose what to compare.</source>
        <translation>请选择要比较的内容。</translation>
    </message>
    <message>
        <source>Results of A and B</source>
        <translation>A 和 B 的结果</translation>
    </message>
    <message>
        <source>No result passes the filter.
Clear the text or show all verdicts.</source>
        <translation>没有结果符合筛选条件。
请清除文字或显示所有结论。</translation>
    </message>
    <message>
        <source>Show trace of &amp;A</source>
        <translation>显示 A 的记录(&amp;A)</translation>
    </message>
    <message>
        <source>Show A&apos;s trace in the Details pane, or in the viewer where its dataset is not open</source>
        <translation>在“详情”窗格中显示 A 的记录；若其数据集未打开，则在查看器中显示</translation>
    </message>
    <message>
        <source>Show trace of &amp;B</source>
        <translation>显示 B 的记录(&amp;B)</translation>
    </message>
    <message>
        <source>Show B&apos;s trace in the Details pane, or in the viewer where its dataset is not open</source>
        <translation>在“详情”窗格中显示 B 的记录；若其数据集未打开，则在查看器中显示</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 和 B</translation>
    </message>
    <message>
        <source>Which definitions are compared</source>
        <translation>比较哪些定义</translation>
    </message>
    <message>
        <source>&amp;Over</source>
        <translation>范围(&amp;O)</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Op type</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>Filter results</source>
        <translation>筛选结果</translation>
    </message>
    <message>
        <source>Filter: words, or an axis such as M=16</source>
        <translation>筛选：词语，或轴如 M=16</translation>
    </message>
    <message>
        <source>All words must occur in definition, op type, axes, solutions, GPUs, workloads, statuses or verdict (Ctrl+F)</source>
        <translation>所有词语都必须出现在定义、算子类型、轴、解法、GPU、工作负载、状态或结论中 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Export scatter as %1…</source>
        <translation>将散点图导出为 %1…</translation>
    </message>
    <message>
        <source>Write the picture of A against B as it is seen, with title and legend</source>
        <translation>按所见写出 A 对 B 的图，含标题和图例</translation>
    </message>
    <message>
        <source>Export scatter</source>
        <translation>导出散点图</translation>
    </message>
    <message>
        <source>A: %1 – B: %2</source>
        <translation>A：%1 – B：%2</translation>
    </message>
    <message>
        <source>Looking for runs …</source>
        <translation>正在查找运行 …</translation>
    </message>
    <message>
        <source>Loading %1 …</source>
        <translation>正在加载 %1 …</translation>
    </message>
    <message>
        <source>Compare with a dataset folder</source>
        <translation>与一个数据集文件夹比较</translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开的数据集。
请从“文件”菜单打开数据集文件夹，或将其拖到窗口上。</translation>
    </message>
    <message>
        <source>A and B are the same.
Choose above how they differ: another solution, author, GPU, run or dataset.</source>
        <translation>A 和 B 相同。
请在上方选择它们的不同之处：其他解法、作者、GPU、运行或数据集。</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>正在比较 …</translation>
    </message>
    <message>
        <source>Cancelled.
Change a choice above to compare again.</source>
        <translation>已取消。
更改上方的选择即可重新比较。</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <translation>%1 %2 (%3)</translation>
    </message>
    <message>
        <source>%1: A %2, B %3</source>
        <translation>%1：A %2，B %3</translation>
    </message>
    <message>
        <source>Not the same on both sides, so differences need not come from the code: %1</source>
        <translation>两方不一致，因此差异未必来自代码：%1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 of %2 results shown: </source>
        <translation>显示 %1 / %2 个结果： </translation>
    </message>
    <message>
        <source>B takes %1 the time of A (95 % interval %2 to %3; geometric mean over %4 results)</source>
        <translation>B 的用时是 A 的 %1（95 % 区间 %2 到 %3；%4 个结果的几何平均）</translation>
    </message>
    <message>
        <source>No result has times of both sides that compare.</source>
        <translation>没有两方时间可比的结果。</translation>
    </message>
    <message>
        <source>trace of %1</source>
        <translation>%1 的记录</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RunController</name>
    <message>
        <source>A run is in progress. Wait until it is done, or cancel it first.</source>
        <translation>正在运行。请等它完成，或先取消它。</translation>
    </message>
    <message>
        <source>No run is in progress that could take more.</source>
        <translation>没有可以加入的运行。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RunHereButton</name>
    <message>
        <source>Run everything</source>
        <translation>全部运行</translation>
    </message>
    <message>
        <source>Run all of this definition</source>
        <translation>运行此定义的全部解法</translation>
    </message>
    <message>
        <source>Run every solution on every workload of its definition</source>
        <translation>在各定义的所有工作负载上运行所有解法</translation>
    </message>
    <message>
        <source>Run all its solutions on all its workloads</source>
        <translation>在其所有工作负载上运行其所有解法</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RunPanel</name>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stop the run; what was measured so far is kept</source>
        <translation>停止运行；保留已测量的结果</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Pairs of the run</source>
        <translation>运行中的各对</translation>
    </message>
    <message>
        <source>Nothing has been run yet.
Tick definitions, solutions or workloads in the tree, then choose Run selected (Ctrl+R).</source>
        <translation>还没有运行过。
请在树中勾选定义、解法或工作负载，然后选择“运行所选”(Ctrl+R)。</translation>
    </message>
    <message>
        <source>Problems of the run</source>
        <translation>运行中的问题</translation>
    </message>
    <message>
        <source>Nothing has gone wrong so far.</source>
        <translation>到目前为止没有问题。</translation>
    </message>
    <message>
        <source>Cancelling …</source>
        <translation>正在取消 …</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>正在启动 …</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Finding devices …</source>
        <translation>正在查找设备 …</translation>
    </message>
    <message>
        <source>A run is in progress. Wait until it is done, or cancel it first.</source>
        <translation>正在运行。请等它完成，或先取消它。</translation>
    </message>
    <message>
        <source>Nothing is selected. Tick definitions, solutions or workloads in the tree first.</source>
        <translation>未选择任何内容。请先在树中勾选定义、解法或工作负载。</translation>
    </message>
    <message>
        <source>What is selected has no solution or no workload to run.</source>
        <translation>所选内容没有可运行的解法或工作负载。</translation>
    </message>
    <message>
        <source>There is no device to run on. “tracedeck doctor” says what was found.</source>
        <translation>没有可用于运行的设备。“tracedeck doctor”会说明找到了什么。</translation>
    </message>
    <message>
        <source>There is no Python to run references with</source>
        <translation>没有可用于运行参考实现的 Python</translation>
    </message>
    <message>
        <source>Left out because they have a result already: %1</source>
        <translation>已有结果而略过：%1</translation>
    </message>
    <message>
        <source>The run could not start</source>
        <translation>运行未能开始</translation>
    </message>
    <message>
        <source>Cancelled after %1</source>
        <translation>在 %1 后取消</translation>
    </message>
    <message>
        <source>Done in %1</source>
        <translation>用时 %1，已完成</translation>
    </message>
    <message>
        <source>&amp;Run selected (%1)</source>
        <translation>运行所选(&amp;R) (%1)</translation>
    </message>
    <message>
        <source>&amp;Run selected</source>
        <translation>运行所选(&amp;R)</translation>
    </message>
    <message>
        <source>Measure the selected solutions on the selected workloads</source>
        <translation>在所选工作负载上测量所选解法</translation>
    </message>
    <message>
        <source>Tick definitions, solutions or workloads in the tree first</source>
        <translation>请先在树中勾选定义、解法或工作负载</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>Go on with the run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Wait after the evaluations that are being measured now</source>
        <translation>在当前测量的评测结束后等待</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 passed</source>
        <translation>%1 个通过</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 个失败</translation>
    </message>
    <message>
        <source>%1 could not be measured</source>
        <translation>%1 个无法测量</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>问题 (%1)</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>The run in progress is about another dataset: wait until it is done, or cancel it first.</source>
        <translation>正在进行的运行属于另一个数据集：请等它完成，或先取消它。</translation>
    </message>
    <message>
        <source>All of these pairs wait or are measured already: nothing was added.</source>
        <translation>这些对都已在等待或已测过：没有加入任何内容。</translation>
    </message>
    <message>
        <source>Nothing was added to the run. %1</source>
        <translation>没有向运行中加入任何内容。%1</translation>
    </message>
    <message>
        <source>%1 pairs are left out: %2</source>
        <translation>略过了 %1 对：%2</translation>
    </message>
    <message>
        <source>No evaluation has ended yet.</source>
        <translation>还没有评测结束。</translation>
    </message>
    <message>
        <source>Of the evaluation that ended last: %1</source>
        <translation>最后结束的评测：%1</translation>
    </message>
    <message>
        <source>The run goes on without this window</source>
        <translation>运行不依赖此窗口继续进行</translation>
    </message>
    <message>
        <source>&amp;Add selected (%1)</source>
        <translation>加入所选 (%1)(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Add selected</source>
        <translation>加入所选(&amp;A)</translation>
    </message>
    <message>
        <source>Put the selected pairs at the end of the run&apos;s queue; its settings hold for them, too</source>
        <translation>把所选的对放到运行队列末尾；运行的设置同样适用</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>%1 个已略过</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待中</translation>
    </message>
    <message>
        <source>More about the run</source>
        <translation>运行的更多信息</translation>
    </message>
    <message>
        <source>Last log of the run</source>
        <translation>运行的最后日志</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Last log</source>
        <translation>最后的日志</translation>
    </message>
    <message>
        <source>What the solution printed whose evaluation ended last</source>
        <translation>最后结束评测的解法所输出的内容</translation>
    </message>
    <message>
        <source>Look at what would be run, how long it takes and with which settings, before it is run</source>
        <translation>运行之前查看将运行什么、需要多久、用哪些设置</translation>
    </message>
    <message>
        <source>Pla&amp;n…</source>
        <translation>计划(&amp;N)…</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RunPlanDialog</name>
    <message>
        <source>Plan run</source>
        <translation>计划运行</translation>
    </message>
    <message>
        <source>What is selected: %1 pairs</source>
        <translation>所选内容：%1 对</translation>
    </message>
    <message>
        <source>The whole dataset</source>
        <translation>整个数据集</translation>
    </message>
    <message>
        <source>Which pairs of a solution and a workload are considered</source>
        <translation>考虑哪些解法与工作负载的对</translation>
    </message>
    <message>
        <source>Pairs that are considered</source>
        <translation>所考虑的对</translation>
    </message>
    <message>
        <source>&amp;failed</source>
        <translation>失败的(&amp;F)</translation>
    </message>
    <message>
        <source>Pairs whose newest evaluation did not pass</source>
        <translation>最新评测未通过的对</translation>
    </message>
    <message>
        <source>&amp;never run here</source>
        <translation>未在此运行过的(&amp;N)</translation>
    </message>
    <message>
        <source>Pairs without an evaluation on the hardware of the chosen devices</source>
        <translation>在所选设备的硬件上没有评测的对</translation>
    </message>
    <message>
        <source>&amp;outdated</source>
        <translation>过时的(&amp;O)</translation>
    </message>
    <message>
        <source>Pairs whose newest evaluation judged another source than the solution has now</source>
        <translation>最新评测所用源代码与解法现有源代码不同的对</translation>
    </message>
    <message>
        <source>s&amp;kip what is measured</source>
        <translation>跳过已测的(&amp;K)</translation>
    </message>
    <message>
        <source>Leave out pairs that have a result already, whatever it is</source>
        <translation>略过已有结果的对，不论结果如何</translation>
    </message>
    <message>
        <source>only</source>
        <translation>仅限</translation>
    </message>
    <message>
        <source>Pairs that would be run</source>
        <translation>将要运行的对</translation>
    </message>
    <message>
        <source>What is left out, and why</source>
        <translation>略过了什么，以及原因</translation>
    </message>
    <message>
        <source>The plan was not made: change something to make it.</source>
        <translation>未生成计划：更改任一选项即可重新生成。</translation>
    </message>
    <message>
        <source>Copy as co&amp;mmand</source>
        <translation>复制为命令(&amp;M)</translation>
    </message>
    <message>
        <source>The line for a shell that runs the same with the same settings</source>
        <translation>以相同设置运行相同内容的命令行</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Run nothing</source>
        <translation>不运行</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Nothing is selected in the window: choose the whole dataset, or tick something in the tree first</source>
        <translation>窗口中没有选择任何内容：请选择整个数据集，或先在树中勾选</translation>
    </message>
    <message>
        <source>Looking at what was measured before …</source>
        <translation>正在查看以往的测量 …</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>&amp;Add to the run (%1)</source>
        <translation>加入运行 (%1)(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Run (%1)</source>
        <translation>运行 (%1)(&amp;R)</translation>
    </message>
    <message>
        <source>A run is on: these pairs are added to it, and its settings hold for them.</source>
        <translation>正在运行：这些对会加入其中，并采用其设置。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RunQueueModel</name>
    <message>
        <source>build …</source>
        <translation>构建 …</translation>
    </message>
    <message>
        <source>inputs …</source>
        <translation>输入 …</translation>
    </message>
    <message>
        <source>reference …</source>
        <translation>参考 …</translation>
    </message>
    <message>
        <source>check …</source>
        <translation>检查 …</translation>
    </message>
    <message>
        <source>time …</source>
        <translation>计时 …</translation>
    </message>
    <message>
        <source>verify …</source>
        <translation>验证 …</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>could not be measured</source>
        <translation>无法测量</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>correct, not timed</source>
        <translation>正确，未计时</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Latency (µs)</source>
        <translation>延迟 (µs)</translation>
    </message>
    <message>
        <source>Speedup (×)</source>
        <translation>加速比 (×)</translation>
    </message>
    <message>
        <source>Took (s)</source>
        <translation>用时 (s)</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已略过</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RunSettings</name>
    <message>
        <source>S&amp;kip what is measured</source>
        <translation>跳过已测量的(&amp;K)</translation>
    </message>
    <message>
        <source>Where to run; with several devices each takes the next pair</source>
        <translation>在哪里运行；有多个设备时，每个设备依次取下一对</translation>
    </message>
    <message>
        <source>finding devices …</source>
        <translation>正在查找设备 …</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Calls before timing starts; auto: as the evaluation config says</source>
        <translation>计时开始前的调用次数；自动：按评测配置</translation>
    </message>
    <message>
        <source>Timed calls of one trial; auto: as the evaluation config says</source>
        <translation>一轮中计时的调用次数；自动：按评测配置</translation>
    </message>
    <message>
        <source>Trials with new inputs, checked and timed each; auto: as the evaluation config says</source>
        <translation>使用新输入的轮数，每轮都检查并计时；自动：按评测配置</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Time limit of one evaluation, the build not counted</source>
        <translation>一次评测的时间上限，不含构建</translation>
    </message>
    <message>
        <source>Leave out pairs that have a result already</source>
        <translation>略过已有结果的各对</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Warm-ups</source>
        <translation>预热(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Iterations</source>
        <translation>迭代(&amp;I)</translation>
    </message>
    <message>
        <source>T&amp;rials</source>
        <translation>轮数(&amp;R)</translation>
    </message>
    <message>
        <source>Time &amp;limit</source>
        <translation>时限(&amp;L)</translation>
    </message>
    <message>
        <source>all %1 GPUs</source>
        <translation>全部 %1 个 GPU</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::RunningSettings</name>
    <message>
        <source>%1 does not work: install the CUDA Toolkit again</source>
        <translation>%1 无法工作：请重新安装 CUDA 工具包</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>There is no libcudart.so beside it: CUDA solutions can&apos;t be linked. Install the whole CUDA Toolkit.</source>
        <translation>旁边没有 libcudart.so：无法链接 CUDA 解法。请安装完整的 CUDA 工具包。</translation>
    </message>
    <message>
        <source>Compiled solutions</source>
        <translation>编译好的解法</translation>
    </message>
    <message>
        <source>Kernels that Triton compiled</source>
        <translation>Triton 编译的内核</translation>
    </message>
    <message>
        <source>Reports of Nsight Compute</source>
        <translation>Nsight Compute 的报告</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Folder of the CUDA Toolkit or its nvcc, which compiles CUDA solutions; empty: found automatically</source>
        <translation>编译 CUDA 解法的 CUDA 工具包文件夹或其 nvcc；留空：自动查找</translation>
    </message>
    <message>
        <source>Bro&amp;wse…</source>
        <translation>浏览(&amp;W)…</translation>
    </message>
    <message>
        <source>Browse for nvcc</source>
        <translation>浏览 nvcc</translation>
    </message>
    <message>
        <source>&amp;CUDA Toolkit</source>
        <translation>CUDA 工具包(&amp;C)</translation>
    </message>
    <message>
        <source>As much as this system allows</source>
        <translation>尽系统所允许</translation>
    </message>
    <message>
        <source>Full, or nothing is run</source>
        <translation>完全隔离，否则不运行</translation>
    </message>
    <message>
        <source>Partial: without namespaces</source>
        <translation>部分：不用命名空间</translation>
    </message>
    <message>
        <source>None but limits: only for code that you trust</source>
        <translation>仅限制资源：只用于您信任的代码</translation>
    </message>
    <message>
        <source>How far solutions and compilers are kept from files, network and other processes; every trace says it</source>
        <translation>解法和编译器与文件、网络和其他进程隔离的程度；每条轨迹都会注明</translation>
    </message>
    <message>
        <source>Confine&amp;ment</source>
        <translation>隔离(&amp;M)</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在统计 …</translation>
    </message>
    <message>
        <source>Clear…</source>
        <translation>清除…</translation>
    </message>
    <message>
        <source>Clear: %1</source>
        <translation>清除：%1</translation>
    </message>
    <message>
        <source>Delete these files; what is needed again is made anew</source>
        <translation>删除这些文件；再次需要时会重新生成</translation>
    </message>
    <message>
        <source>Looking at the toolkit …</source>
        <translation>正在查看工具包 …</translation>
    </message>
    <message>
        <source>Looking at what this system allows …</source>
        <translation>正在查看系统允许什么 …</translation>
    </message>
    <message>
        <source>Choose nvcc</source>
        <translation>选择 nvcc</translation>
    </message>
    <message>
        <source>there is no cache folder</source>
        <translation>没有缓存文件夹</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Delete “%1” (%2)?</source>
        <translation>删除“%1”（%2）？</translation>
    </message>
    <message>
        <source>What is needed again is made anew. No dataset is touched. Runs that another window or command has under way may fail.</source>
        <translation>再次需要时会重新生成。不会改动任何数据集。其他窗口或命令正在进行的运行可能失败。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Deleting …</source>
        <translation>正在删除 …</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SampleStrip</name>
    <message>
        <source>Times of the calls that were measured last</source>
        <translation>最近一次测量中各次调用的时间</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s), one point each: median %1, fastest %2, slowest %3. On the right: how often each time was taken.</source>
        <translation>
            <numerusform>%n 次调用，每次一个点：中位数 %1，最快 %2，最慢 %3。右侧：各时间出现的次数。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SanitizerView</name>
    <message>
        <source>Calls the solution once under NVIDIA&apos;s compute-sanitizer, on inputs of the workload, each tensor in an allocation of its own. CUDA code is compiled with line numbers. This takes minutes for large kernels.</source>
        <translation>在 NVIDIA compute-sanitizer 下用工作负载的输入调用一次解法，每个张量单独分配内存。CUDA 代码带行号编译。大内核需要数分钟。</translation>
    </message>
    <message>
        <source>&amp;memory</source>
        <translation>内存(&amp;M)</translation>
    </message>
    <message>
        <source>memcheck: reads and writes out of bounds, misaligned ones</source>
        <translation>memcheck：越界或未对齐的读写</translation>
    </message>
    <message>
        <source>r&amp;aces</source>
        <translation>竞争(&amp;A)</translation>
    </message>
    <message>
        <source>racecheck: hazards in shared memory</source>
        <translation>racecheck：共享内存中的冒险</translation>
    </message>
    <message>
        <source>&amp;initialisation</source>
        <translation>初始化(&amp;I)</translation>
    </message>
    <message>
        <source>initcheck: global memory that is read before it was written</source>
        <translation>initcheck：写入前被读取的全局内存</translation>
    </message>
    <message>
        <source>s&amp;ynchronisation</source>
        <translation>同步(&amp;Y)</translation>
    </message>
    <message>
        <source>synccheck: barriers that not all threads reach</source>
        <translation>synccheck：并非所有线程都到达的屏障</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>First seen</source>
        <translation>首次出现</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Tick a check first.</source>
        <translation>请先勾选一项检查。</translation>
    </message>
    <message>
        <source>%1: nothing found</source>
        <translation>%1：未发现问题</translation>
    </message>
    <message>
        <source>%1: it did not end well: %2</source>
        <translation>%1：未正常结束：%2</translation>
    </message>
    <message>
        <source>%1: %2 errors in %3 places</source>
        <translation>%1：%3 处共 %2 个错误</translation>
    </message>
    <message>
        <source>Confinement of the process: %1</source>
        <translation>进程的隔离：%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ScopeBox</name>
    <message>
        <source>all definitions</source>
        <translation>所有定义</translation>
    </message>
    <message>
        <source>op type: %1 (%2)</source>
        <translation>算子类型：%1 (%2)</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SearchBox</name>
    <message>
        <source>What was found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>Looking through sources and logs …</source>
        <translation>正在搜索源代码和日志 …</translation>
    </message>
    <message>
        <source>Nothing found. Enter filters the dataset tree by this text.</source>
        <translation>未找到。按 Enter 用此文本筛选数据集树。</translation>
    </message>
    <message>
        <source>Enter opens · Esc closes</source>
        <translation>Enter 打开 · Esc 关闭</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SearchModel</name>
    <message>
        <source>definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>op_type</source>
        <translation>op_type</translation>
    </message>
    <message>
        <source>author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>%1:%2  %3</source>
        <translation>%1:%2  %3</translation>
    </message>
    <message>
        <source>reference:%1  %2</source>
        <translation>参考实现:%1  %2</translation>
    </message>
    <message>
        <source>action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1，%2，%3</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SettingsDialog</name>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>system size </source>
        <translation>系统大小 </translation>
    </message>
    <message>
        <source> pt</source>
        <translation> 磅</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Interpreter with PyTorch that runs references and Python solutions; empty: chosen automatically</source>
        <translation>装有 PyTorch、用于运行参考实现和 Python 解法的解释器；留空则自动选择</translation>
    </message>
    <message>
        <source>Browse for a Python interpreter</source>
        <translation>浏览以选择 Python 解释器</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Font</source>
        <translation>字体(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Python interpreter</source>
        <translation>Python 解释器(&amp;P)</translation>
    </message>
    <message>
        <source>Looking at the interpreter …</source>
        <translation>正在检查解释器 …</translation>
    </message>
    <message>
        <source>Choose a Python interpreter</source>
        <translation>选择 Python 解释器</translation>
    </message>
    <message>
        <source>&amp;Open at the start what was open last</source>
        <translation>启动时打开上次打开的内容(&amp;O)</translation>
    </message>
    <message>
        <source>The dataset with its tabs, filters and charts, when Tracedeck is started without a folder</source>
        <translation>不带文件夹启动 Tracedeck 时，打开数据集及其标签页、筛选和图表</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SiblingTracesModel</name>
    <message>
        <source>This is the trace that is shown.</source>
        <translation>这就是当前显示的跟踪。</translation>
    </message>
    <message>
        <source>Latency of the trace that is shown, divided by this one&apos;s: above 1 this one is faster</source>
        <translation>当前显示的跟踪的延迟除以这一条的延迟：大于 1 表示这一条更快</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Latency (µs)</source>
        <translation>延迟 (µs)</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SideChooser</name>
    <message>
        <source>Dataset of side %1</source>
        <translation>%1 方的数据集</translation>
    </message>
    <message>
        <source>Whose results side %1 is</source>
        <translation>%1 方是谁的结果</translation>
    </message>
    <message>
        <source>GPU of side %1</source>
        <translation>%1 方的 GPU</translation>
    </message>
    <message>
        <source>When the results of side %1 were measured</source>
        <translation>%1 方的结果何时测量</translation>
    </message>
    <message>
        <source>Run of side %1</source>
        <translation>%1 方的运行</translation>
    </message>
    <message>
        <source>open: %1</source>
        <translation>已打开：%1</translation>
    </message>
    <message>
        <source>another folder…</source>
        <translation>其他文件夹…</translation>
    </message>
    <message>
        <source>all solutions</source>
        <translation>所有解法</translation>
    </message>
    <message>
        <source>author %1</source>
        <translation>作者 %1</translation>
    </message>
    <message>
        <source>the same GPU</source>
        <translation>相同的 GPU</translation>
    </message>
    <message>
        <source>Results are compared GPU by GPU; a side that names none takes the other&apos;s</source>
        <translation>按 GPU 逐一比较；未指定 GPU 的一方采用另一方的</translation>
    </message>
    <message>
        <source>any time</source>
        <translation>任意时间</translation>
    </message>
    <message>
        <source>run of %1 (%2)</source>
        <translation>%1 的运行 (%2)</translation>
    </message>
    <message>
        <source>%1 to %2, %3 traces. A run ends where nothing was measured for half an hour.</source>
        <translation>%1 到 %2，%3 条记录。半小时没有测量即视为一次运行结束。</translation>
    </message>
    <message>
        <source>recorded run of %1</source>
        <translation>%1 的有记录运行</translation>
    </message>
    <message>
        <source>What was measured between the start and the end of this run</source>
        <translation>此次运行开始与结束之间测得的内容</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SolutionPage</name>
    <message>
        <source>Show definition</source>
        <translation>显示定义</translation>
    </message>
    <message>
        <source>Run on all workloads</source>
        <translation>在所有工作负载上运行</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Copy source</source>
        <translation>复制源代码</translation>
    </message>
    <message>
        <source>How the solution is built</source>
        <translation>解法的构建方式</translation>
    </message>
    <message>
        <source>Show the definition that this solution computes</source>
        <translation>显示此解法所计算的定义</translation>
    </message>
    <message>
        <source>Run this solution on every workload of its definition</source>
        <translation>在其定义的每个工作负载上运行此解法</translation>
    </message>
    <message>
        <source>Show this source beside the baseline&apos;s or another solution&apos;s (Ctrl+D)</source>
        <translation>将此源代码与基线或其他解法的源代码并排显示 (Ctrl+D)</translation>
    </message>
    <message>
        <source>Copy the text of the file shown</source>
        <translation>复制所示文件的文本</translation>
    </message>
    <message>
        <source>Source files</source>
        <translation>源文件</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>构建</translation>
    </message>
    <message>
        <source>The dataset no longer has a solution of this name. Close the tab, or reload when its file is back.</source>
        <translation>数据集中已没有此名称的解法。请关闭此标签页，或在文件恢复后重新加载。</translation>
    </message>
    <message>
        <source>writes into outputs that it is given</source>
        <translation>写入给定的输出</translation>
    </message>
    <message>
        <source>returns its outputs</source>
        <translation>返回输出</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Entry point</source>
        <translation>入口点</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1 (not stated in the file)</source>
        <translation>%1（文件中未说明）</translation>
    </message>
    <message>
        <source>Binding</source>
        <translation>绑定</translation>
    </message>
    <message>
        <source>Made for</source>
        <translation>目标硬件</translation>
    </message>
    <message>
        <source>Dependencies</source>
        <translation>依赖</translation>
    </message>
    <message>
        <source>Content hash</source>
        <translation>内容哈希</translation>
    </message>
    <message>
        <source>SHA-1 of the content, as the format computes it</source>
        <translation>按此格式计算的内容 SHA-1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::SolutionTableModel</name>
    <message>
        <source>no source file</source>
        <translation>没有源文件</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>%1 of %2 workload and hardware pairs passed</source>
        <translation>%1 / %2 个工作负载与硬件组合通过</translation>
    </message>
    <message>
        <source>Workload and hardware pairs that passed, of those that were run</source>
        <translation>已运行的工作负载与硬件组合中通过的数量</translation>
    </message>
    <message>
        <source>Geometric mean of the speedup over the reference, over everything that passed</source>
        <translation>所有通过项相对参考实现加速比的几何平均值</translation>
    </message>
    <message>
        <source>Geometric mean of the latency, over everything that passed</source>
        <translation>所有通过项延迟的几何平均值</translation>
    </message>
    <message>
        <source>Workload and hardware pairs on which it is the fastest</source>
        <translation>它最快的工作负载与硬件组合</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Speedup (×)</source>
        <translation>加速比 (×)</translation>
    </message>
    <message>
        <source>Latency (µs)</source>
        <translation>延迟 (µs)</translation>
    </message>
    <message>
        <source>Fastest on</source>
        <translation>最快项数</translation>
    </message>
    <message>
        <source>Made for</source>
        <translation>目标硬件</translation>
    </message>
    <message>
        <source>Share of the speed of light, the shortest time that bytes and operations can take: geometric mean over everything that passed</source>
        <translation>光速占比，即字节数与运算数所需的最短时间：对所有通过项的几何平均</translation>
    </message>
    <message>
        <source>Of light (%)</source>
        <translation>光速占比 (%)</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::StageBar</name>
    <message>
        <source>Step of the evaluation</source>
        <translation>评测的步骤</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::StartPage</name>
    <message>
        <source>Explore FlashInfer-Trace datasets: definitions, solutions, workloads and measured traces. Compare latencies and speedups in charts and rankings. Run solutions on your own machine; every result is checked and stored as it lands.</source>
        <translation>浏览 FlashInfer-Trace 数据集：定义、解法、工作负载和测得的跟踪。用图表和排名比较延迟与加速比。在自己的机器上运行解法；每个结果都会检查，并在得到时立即保存。</translation>
    </message>
    <message>
        <source>Open the &amp;sample</source>
        <translation>打开示例(&amp;S)</translation>
    </message>
    <message>
        <source>Folders that you open are listed here. You can also drop a folder anywhere in this window.</source>
        <translation>你打开的文件夹会列在这里。也可以把文件夹拖到此窗口的任意位置。</translation>
    </message>
    <message>
        <source>&amp;Open a dataset folder</source>
        <translation>打开数据集文件夹(&amp;O)</translation>
    </message>
    <message>
        <source>Choose a folder with definitions, solutions, workloads and traces (Ctrl+O)</source>
        <translation>选择包含定义、解法、工作负载和跟踪的文件夹 (Ctrl+O)</translation>
    </message>
    <message>
        <source>A small dataset that comes with Tracedeck</source>
        <translation>Tracedeck 附带的小型数据集</translation>
    </message>
    <message>
        <source>The sample dataset was not found; set TRACEDECK_SAMPLE to its folder</source>
        <translation>未找到示例数据集；请把 TRACEDECK_SAMPLE 设为其文件夹</translation>
    </message>
    <message>
        <source>Recent datasets</source>
        <translation>最近的数据集</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>这台机器</translation>
    </message>
    <message>
        <source>Looking at what this machine can run …</source>
        <translation>正在检查这台机器能运行什么 …</translation>
    </message>
    <message>
        <source>folder not found</source>
        <translation>未找到文件夹</translation>
    </message>
    <message>
        <source>%1 definitions · %2 solutions · %3 traces</source>
        <translation>%1 个定义 · %2 个解法 · %3 条跟踪</translation>
    </message>
    <message>
        <source>%1 passed</source>
        <translation>%1 通过</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::StateStrip</name>
    <message>
        <source>Temperature and clock of the last minutes</source>
        <translation>最近几分钟的温度和时钟</translation>
    </message>
    <message>
        <source>Temperature (thick) and clock (thin) of the last %1 minutes</source>
        <translation>最近 %1 分钟的温度（粗线）和时钟（细线）</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TableTools</name>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the selected rows as they are seen</source>
        <translation>按所见内容复制所选行</translation>
    </message>
    <message>
        <source>Copy with full &amp;precision</source>
        <translation>以完整精度复制(&amp;P)</translation>
    </message>
    <message>
        <source>Copy the selected rows with every digit</source>
        <translation>以全部数位复制所选行</translation>
    </message>
    <message>
        <source>Export &amp;table as shown…</source>
        <translation>按所示导出表格(&amp;T)…</translation>
    </message>
    <message>
        <source>Write the rows and columns of the table as CSV, JSON, Markdown or LaTeX</source>
        <translation>把表格的行和列写成 CSV、JSON、Markdown 或 LaTeX</translation>
    </message>
    <message>
        <source>This column says what a row is; it is always shown</source>
        <translation>此列说明每一行是什么；它始终显示</translation>
    </message>
    <message>
        <source>Show or hide this column</source>
        <translation>显示或隐藏此列</translation>
    </message>
    <message>
        <source>&amp;Usual columns</source>
        <translation>常用列(&amp;U)</translation>
    </message>
    <message>
        <source>Forget which columns were chosen</source>
        <translation>忘记所选的列</translation>
    </message>
    <message>
        <source>Not &amp;sorted</source>
        <translation>不排序(&amp;S)</translation>
    </message>
    <message>
        <source>Forget the order; click a header to sort, Shift+click to sort within that order</source>
        <translation>忘记排序；单击表头排序，Shift+单击在该顺序内继续排序</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>Writing %1 …</source>
        <translation>正在写入 %1 …</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TensorSummaryPanel</name>
    <message>
        <source>Statistics of the tensor</source>
        <translation>张量的统计</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>前几个值</translation>
    </message>
    <message>
        <source>First values of the tensor</source>
        <translation>张量的前几个值</translation>
    </message>
    <message>
        <source>Reading the values …</source>
        <translation>正在读取数值…</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>First %1 values</source>
        <translation>前 %1 个值</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>全部值</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TensorTableModel</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>Dtype</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TensorView</name>
    <message>
        <source>Tensors of the file</source>
        <translation>文件中的张量</translation>
    </message>
    <message>
        <source>The file has no tensors.</source>
        <translation>文件中没有张量。</translation>
    </message>
    <message>
        <source>Choose a tensor to see what its values are like.</source>
        <translation>请选择一个张量以查看其数值情况。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TimelineView</name>
    <message>
        <source>Records what the GPU does in one call, after three to warm up: kernels, copies and fills, how large and when (CUPTI).</source>
        <translation>在三次预热后记录一次调用中 GPU 做了什么：内核、复制和填充，大小与时间（CUPTI）。</translation>
    </message>
    <message>
        <source>Start (µs)</source>
        <translation>开始 (µs)</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>When</source>
        <translation>何时</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>线程块</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>Shared (bytes)</source>
        <translation>共享内存（字节）</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>What the GPU did</source>
        <translation>GPU 做了什么</translation>
    </message>
    <message>
        <source>There is no timeline: %1</source>
        <translation>没有时间线：%1</translation>
    </message>
    <message>
        <source>%1 activities in %2 µs; nothing ran for %3 µs of them.</source>
        <translation>%2 µs 内有 %1 个活动；其中 %3 µs 没有任何执行。</translation>
    </message>
    <message>
        <source>%1 µs to %2 µs</source>
        <translation>%1 µs 至 %2 µs</translation>
    </message>
    <message>
        <source>&amp;Keep for reports</source>
        <translation>为报告保留(&amp;K)</translation>
    </message>
    <message>
        <source>Reports on this dataset show it with the solution, in place of an earlier one</source>
        <translation>此数据集的报告会在该解法处显示它，并取代先前保留的</translation>
    </message>
    <message>
        <source>Kept in the dataset (tracedeck/timelines): reports show it with the solution.</source>
        <translation>已保留在数据集中（tracedeck/timelines）：报告会在该解法处显示它。</translation>
    </message>
    <message>
        <source>It could not be kept: %1</source>
        <translation>无法保留：%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ToleranceView</name>
    <message>
        <source>zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>one value everywhere: the mean</source>
        <translation>处处同一个值：平均值</translation>
    </message>
    <message>
        <source>what another call with other inputs gives</source>
        <translation>另一次调用（其他输入）的结果</translation>
    </message>
    <message>
        <source>a copy of the input %1</source>
        <translation>输入 %1 的副本</translation>
    </message>
    <message>
        <source>Puts zeros, one value, copied inputs and the outputs of another call in the place of each output. Where one of them passes the workload&apos;s check, a pass proves little. Only the workload matters, not the solution.</source>
        <translation>用零、单一值、复制的输入以及另一次调用的输出替换每个输出。若其中之一能通过该工作负载的检查，则“通过”说明不了什么。只与工作负载有关，与解法无关。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>In its place</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Matched</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>Why it fails</source>
        <translation>失败原因</translation>
    </message>
    <message>
        <source>What was put in the place of outputs</source>
        <translation>用来替换输出的内容</translation>
    </message>
    <message>
        <source>Nothing could be tried: %1.</source>
        <translation>无法尝试：%1。</translation>
    </message>
    <message>
        <source>A pass on this workload proves nothing: every output can be had without computing it. Ask for tighter tolerances.</source>
        <translation>在此工作负载上通过不能说明任何问题：每个输出都可以不经计算得到。请要求更严的容差。</translation>
    </message>
    <message>
        <source>Nothing degenerate passes.</source>
        <translation>没有退化的输出能通过。</translation>
    </message>
    <message>
        <source>Some outputs can be had without computing them: %1.</source>
        <translation>有些输出可以不经计算得到：%1。</translation>
    </message>
    <message>
        <source>Evaluator %1, atol %2, rtol %3, %4 checked calls</source>
        <translation>评判器 %1，atol %2，rtol %3，检查了 %4 次调用</translation>
    </message>
    <message>
        <source>passes</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TraceDetails</name>
    <message>
        <source>Run &amp;again</source>
        <translation>再次运行(&amp;A)</translation>
    </message>
    <message>
        <source>Measure this solution on this workload again</source>
        <translation>再次在此工作负载上测量此解法</translation>
    </message>
    <message>
        <source>Copy co&amp;mmand</source>
        <translation>复制命令(&amp;M)</translation>
    </message>
    <message>
        <source>Choose a trace in the table, or a point in a chart, to see everything about it.</source>
        <translation>请在表格中选择一条跟踪，或在图表中选择一个点，以查看其全部信息。</translation>
    </message>
    <message>
        <source>The trace could not be read back from “%1”: %2
The file may have changed. Reload the dataset (F5).</source>
        <translation>无法从“%1”重新读取此跟踪：%2
文件可能已更改。请重新加载数据集 (F5)。</translation>
    </message>
    <message>
        <source>no solution</source>
        <translation>没有解法</translation>
    </message>
    <message>
        <source>%1 over the reference</source>
        <translation>相对参考实现 %1</translation>
    </message>
    <message>
        <source>Log and other traces</source>
        <translation>日志与其他跟踪</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Traces of other solutions on this workload</source>
        <translation>其他解法在此工作负载上的跟踪</translation>
    </message>
    <message>
        <source>No other solution was measured on this workload.</source>
        <translation>没有其他解法在此工作负载上测量过。</translation>
    </message>
    <message>
        <source>Rivals</source>
        <translation>对手</translation>
    </message>
    <message>
        <source>Traces of this solution on this workload</source>
        <translation>此解法在此工作负载上的跟踪</translation>
    </message>
    <message>
        <source>This solution was not measured on this workload.</source>
        <translation>此解法未在此工作负载上测量过。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>What the solution and the judge wrote</source>
        <translation>解法和评测程序写出的内容</translation>
    </message>
    <message>
        <source>The same workload: other solutions</source>
        <translation>同一工作负载：其他解法</translation>
    </message>
    <message>
        <source>The same solution and workload: all runs</source>
        <translation>同一解法和工作负载：所有运行</translation>
    </message>
    <message>
        <source>Rivals %1</source>
        <translation>对手 %1</translation>
    </message>
    <message>
        <source>Runs %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Inputs and outputs on this workload; Enter shows what the values are like</source>
        <translation>此工作负载的输入和输出；按回车查看数值</translation>
    </message>
    <message>
        <source>Tensors of the trace&apos;s workload</source>
        <translation>此跟踪的工作负载的张量</translation>
    </message>
    <message>
        <source>The dataset has no file for this definition, which would say what its tensors are.</source>
        <translation>数据集中没有此定义的文件，无法得知它有哪些张量。</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors %1</source>
        <translation>张量 %1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TraceFacts</name>
    <message>
        <source>made by the definition</source>
        <translation>由定义生成</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Everything about the trace</source>
        <translation>此跟踪的全部信息</translation>
    </message>
    <message>
        <source>&amp;Copy value</source>
        <translation>复制值(&amp;C)</translation>
    </message>
    <message>
        <source>What the judge noticed</source>
        <translation>评测程序注意到的情况</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>latency (ms)</source>
        <translation>延迟 (ms)</translation>
    </message>
    <message>
        <source>reference latency (ms)</source>
        <translation>参考延迟 (ms)</translation>
    </message>
    <message>
        <source>speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Correctness</source>
        <translation>正确性</translation>
    </message>
    <message>
        <source>max absolute error</source>
        <translation>最大绝对误差</translation>
    </message>
    <message>
        <source>max relative error</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>has NaN</source>
        <translation>含 NaN</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>has infinity</source>
        <translation>含无穷</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>额外信息</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>评测程序</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>uuid (computed)</source>
        <translation>uuid（计算所得）</translation>
    </message>
    <message>
        <source>uuid</source>
        <translation>uuid</translation>
    </message>
    <message>
        <source>Tolerance of the workload</source>
        <translation>工作负载的容差</translation>
    </message>
    <message>
        <source>absolute</source>
        <translation>绝对</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>share of elements within</source>
        <translation>符合的元素比例</translation>
    </message>
    <message>
        <source>share under a misspelt key (ignored)</source>
        <translation>拼写有误的键下的比例（忽略）</translation>
    </message>
    <message>
        <source>largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>-infinity</source>
        <translation>负无穷</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Other keys</source>
        <translation>其他键</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>trace file</source>
        <translation>跟踪文件</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TraceFilterBar</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Traces of</source>
        <translation>跟踪范围</translation>
    </message>
    <message>
        <source>Which traces the table holds</source>
        <translation>表格包含哪些跟踪</translation>
    </message>
    <message>
        <source>Whole dataset</source>
        <translation>整个数据集</translation>
    </message>
    <message>
        <source>This definition</source>
        <translation>此定义</translation>
    </message>
    <message>
        <source>This solution</source>
        <translation>此解法</translation>
    </message>
    <message>
        <source>Filter traces</source>
        <translation>筛选跟踪</translation>
    </message>
    <message>
        <source>Filter: words, or an axis such as M=16</source>
        <translation>筛选：词，或 M=16 这样的轴</translation>
    </message>
    <message>
        <source>All words must occur in definition, solution, author, hardware, status or axes (Ctrl+F)</source>
        <translation>所有词都必须出现在定义、解法、作者、硬件、状态或轴中 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Show all traces of the scope again</source>
        <translation>再次显示此范围内的所有跟踪</translation>
    </message>
    <message>
        <source>%1 traces</source>
        <translation>%1 条跟踪</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Traces in grey count in no figure: which ones do is chosen below, in the status bar</source>
        <translation>灰色的跟踪不计入任何数字：计入哪些在下方状态栏中选择</translation>
    </message>
    <message>
        <source>Only what was measured then is shown; a click shows traces of any time again</source>
        <translation>只显示当时测量的内容；单击恢复显示任意时间的跟踪</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TraceTableModel</name>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Op type</source>
        <translation>op_type</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Latency (µs)</source>
        <translation>延迟 (µs)</translation>
    </message>
    <message>
        <source>Reference (µs)</source>
        <translation>参考 (µs)</translation>
    </message>
    <message>
        <source>Speedup (×)</source>
        <translation>加速比 (×)</translation>
    </message>
    <message>
        <source>Max abs. error</source>
        <translation>最大绝对误差</translation>
    </message>
    <message>
        <source>Max rel. error</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>%1: click to sort, Shift+click to sort within the order there is, right click to choose columns</source>
        <translation>%1：单击排序，Shift+单击在现有顺序内排序，右键单击选择列</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 microseconds, launch-bound</source>
        <translation>%1 微秒，受启动限制</translation>
    </message>
    <message>
        <source>%1 microseconds</source>
        <translation>%1 微秒</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 倍</translation>
    </message>
    <message>
        <source>%1, does not count</source>
        <translation>%1，不计入</translation>
    </message>
    <message>
        <source>Does not count: only %1 does.</source>
        <translation>不计入：只计 %1。</translation>
    </message>
    <message>
        <source>Does not count: %1</source>
        <translation>不计入：%1</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>%1 percent of the speed of light</source>
        <translation>光速的百分之 %1</translation>
    </message>
    <message>
        <source>What this workload&apos;s bytes and operations take at least is not known for this hardware.</source>
        <translation>此硬件上该工作负载的字节数和运算数至少需要多长时间未知。</translation>
    </message>
    <message>
        <source>%1 at the speed of light</source>
        <translation>以光速为 %1</translation>
    </message>
    <message>
        <source>Faster than that: the formula or the ceilings are wrong.</source>
        <translation>比这更快：公式或上限有误。</translation>
    </message>
    <message>
        <source>Of light (%)</source>
        <translation>光速占比 (%)</translation>
    </message>
    <message>
        <source>Share of the speed of light, the shortest time that bytes and operations can take</source>
        <translation>光速占比，即字节数与运算数所需的最短时间</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::TracesPage</name>
    <message>
        <source>Traces</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>traces</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Filtering</source>
        <translation>正在筛选</translation>
    </message>
    <message>
        <source>Reset filters</source>
        <translation>重置筛选</translation>
    </message>
    <message>
        <source>No dataset is open.
Open a dataset folder from the File menu, or drop one onto the window.</source>
        <translation>没有打开数据集。
请从“文件”菜单打开数据集文件夹，或将文件夹拖到窗口上。</translation>
    </message>
    <message>
        <source>No trace matches the filters.</source>
        <translation>没有跟踪匹配筛选条件。</translation>
    </message>
    <message>
        <source>There are no traces here yet.
Select solutions in the tree and choose Run selected, or show the whole dataset.</source>
        <translation>这里还没有跟踪。
请在树中选择解法并选择“运行所选”，或显示整个数据集。</translation>
    </message>
    <message>
        <source>&amp;Filter traces</source>
        <translation>筛选跟踪(&amp;F)</translation>
    </message>
    <message>
        <source>Go to the filter of the traces</source>
        <translation>转到跟踪的筛选框</translation>
    </message>
    <message>
        <source>Export &amp;shown rows as CSV…</source>
        <translation>将所示行导出为 CSV(&amp;S)…</translation>
    </message>
    <message>
        <source>Write the traces in the table, in its order, as a CSV report</source>
        <translation>按表格的顺序把其中的跟踪写成 CSV 报告</translation>
    </message>
    <message>
        <source>Export shown rows</source>
        <translation>导出所示行</translation>
    </message>
    <message>
        <source>Export &amp;all traces as CSV…</source>
        <translation>将所有跟踪导出为 CSV(&amp;A)…</translation>
    </message>
    <message>
        <source>Write every trace of the dataset as a CSV report</source>
        <translation>把数据集的每条跟踪写成 CSV 报告</translation>
    </message>
    <message>
        <source>Export all traces</source>
        <translation>导出所有跟踪</translation>
    </message>
    <message>
        <source>&amp;Run this pair again</source>
        <translation>再次运行这一对(&amp;R)</translation>
    </message>
    <message>
        <source>Show the &amp;definition</source>
        <translation>显示定义(&amp;D)</translation>
    </message>
    <message>
        <source>Export what &amp;counts as CSV…</source>
        <translation>将计入的导出为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Write the traces of the dataset that count, by the policy and the GPU in the status bar, as a CSV report</source>
        <translation>按状态栏中的取舍方式和 GPU，把数据集中计入的跟踪写成 CSV 报告</translation>
    </message>
    <message>
        <source>Export what counts</source>
        <translation>导出计入的跟踪</translation>
    </message>
    <message>
        <source>&amp;Pin the run of this trace</source>
        <translation>固定此跟踪所属的运行(&amp;P)</translation>
    </message>
    <message>
        <source>Every figure is of the traces that were measured with this one</source>
        <translation>所有数值都取自与此跟踪同一次运行的跟踪</translation>
    </message>
    <message>
        <source>Pin as &amp;baseline</source>
        <translation>固定为基线(&amp;B)</translation>
    </message>
    <message>
        <source>This &amp;trace</source>
        <translation>此记录(&amp;T)</translation>
    </message>
    <message>
        <source>Its time on its workload and hardware</source>
        <translation>它在其工作负载和硬件上的时间</translation>
    </message>
    <message>
        <source>Its &amp;solution</source>
        <translation>其解法(&amp;S)</translation>
    </message>
    <message>
        <source>The times of the solution, by the policy in the status bar</source>
        <translation>该解法的时间，按状态栏中的策略</translation>
    </message>
    <message>
        <source>Its &amp;author</source>
        <translation>其作者(&amp;A)</translation>
    </message>
    <message>
        <source>The lowest times of the author&apos;s solutions</source>
        <translation>该作者各解法的最短时间</translation>
    </message>
    <message>
        <source>Its &amp;run</source>
        <translation>其运行(&amp;R)</translation>
    </message>
    <message>
        <source>Of each solution what it took in that run</source>
        <translation>每个解法在该次运行中的用时</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::ViewerPage</name>
    <message>
        <source>Text of the file</source>
        <translation>文件的文本</translation>
    </message>
    <message>
        <source>What is wrong in the text</source>
        <translation>文本中的问题</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取 …</translation>
    </message>
    <message>
        <source>This file cannot be shown</source>
        <translation>无法显示此文件</translation>
    </message>
    <message>
        <source>Checking …</source>
        <translation>正在检查 …</translation>
    </message>
    <message>
        <source>Safetensors, 1 tensor</source>
        <translation>Safetensors，1 个张量</translation>
    </message>
    <message>
        <source>Safetensors, %1 tensors</source>
        <translation>Safetensors，%1 个张量</translation>
    </message>
    <message>
        <source>nothing is wrong</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 个问题</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>the first %1 are listed</source>
        <translation>列出前 %1 个</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::WorkBar</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stop this; what is shown stays</source>
        <translation>停止；已显示的内容保留</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::WorkDialog</name>
    <message>
        <source>What came of it</source>
        <translation>执行结果</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>正在执行</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::WorkFormulaDialog</name>
    <message>
        <source>memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>shortest kernel</source>
        <translation>最短内核</translation>
    </message>
    <message>
        <source>Whose speed of light the preview shows</source>
        <translation>预览显示谁的光速</translation>
    </message>
    <message>
        <source>&amp;Remove the formula</source>
        <translation>删除公式(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Bytes and operations of %1</source>
        <translation>%1 的字节数与运算数</translation>
    </message>
    <message>
        <source>Expressions over the definition&apos;s axes, with + - * / // % ** and parentheses. They stand in the dataset (tracedeck/work) and decide what the speed of light, bandwidth and throughput are. An empty one is worked out of the shapes or the op type.</source>
        <translation>定义各轴的表达式，可用 + - * / // % ** 和括号。它们保存在数据集中 (tracedeck/work)，决定光速、带宽和吞吐量。留空则由形状或算子类型得出。</translation>
    </message>
    <message>
        <source>of all inputs and outputs</source>
        <translation>所有输入和输出的</translation>
    </message>
    <message>
        <source>by the op type</source>
        <translation>按算子类型</translation>
    </message>
    <message>
        <source>Whose peak rate bounds the operations</source>
        <translation>以谁的峰值速率限制运算</translation>
    </message>
    <message>
        <source>as the inputs</source>
        <translation>与输入相同</translation>
    </message>
    <message>
        <source>&amp;Bytes</source>
        <translation>字节数(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Operations</source>
        <translation>运算数(&amp;O)</translation>
    </message>
    <message>
        <source>O&amp;perands</source>
        <translation>操作数(&amp;P)</translation>
    </message>
    <message>
        <source>Preview &amp;for</source>
        <translation>预览对象(&amp;F)</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算数</translation>
    </message>
    <message>
        <source>Speed of light</source>
        <translation>光速</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题说明</translation>
    </message>
    <message>
        <source>What the formula comes to</source>
        <translation>公式的结果</translation>
    </message>
    <message>
        <source>Go back to what shapes and op type say</source>
        <translation>恢复为由形状和算子类型得出</translation>
    </message>
    <message>
        <source>The formula that is there does not count: %1 Saving replaces it.</source>
        <translation>现有的公式无效：%1 保存会替换它。</translation>
    </message>
    <message>
        <source>The formula was not saved: %1</source>
        <translation>公式未保存：%1</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::WorkloadPage</name>
    <message>
        <source>Show the &amp;definition</source>
        <translation>显示定义(&amp;D)</translation>
    </message>
    <message>
        <source>Run a&amp;ll here</source>
        <translation>全部运行(&amp;L)</translation>
    </message>
    <message>
        <source>Tensors of the workload</source>
        <translation>工作负载的张量</translation>
    </message>
    <message>
        <source>The dataset has no file for this definition, which would say what its tensors are.</source>
        <translation>数据集中没有此定义的文件，无法得知它有哪些张量。</translation>
    </message>
    <message>
        <source>Workload of %1</source>
        <translation>%1 的工作负载</translation>
    </message>
    <message>
        <source>Run every solution of the definition on this workload</source>
        <translation>在此工作负载上运行此定义的每个解法</translation>
    </message>
    <message>
        <source>Show what the tensors mean: axes, signature and reference</source>
        <translation>显示张量的含义：轴、签名和参考实现</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>Choose a tensor to see what its values are like.</source>
        <translation>选择一个张量以查看其数值。</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::WorkloadTableModel</name>
    <message>
        <source>A run draws these inputs so that they are valid indexes:</source>
        <translation>运行时会把这些输入抽取为有效索引：</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Best (µs)</source>
        <translation>最佳 (µs)</translation>
    </message>
    <message>
        <source>Fastest solution</source>
        <translation>最快的解法</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>UUID</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>Share of the speed of light that the best time reaches: the shortest time that bytes and operations can take</source>
        <translation>最佳时间达到的光速占比：字节数与运算数所需的最短时间</translation>
    </message>
    <message>
        <source>Of light (%)</source>
        <translation>光速占比 (%)</translation>
    </message>
</context>
<context>
    <name>tracedeck::ui::WorkloadTensorModel</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>random indexes</source>
        <translation>随机索引</translation>
    </message>
    <message>
        <source>scalar %1</source>
        <translation>标量 %1</translation>
    </message>
    <message>
        <source>missing file</source>
        <translation>缺少文件</translation>
    </message>
    <message>
        <source>made by the definition</source>
        <translation>由定义生成</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Random: a run draws the values anew for every call. None are stored, so there are none to show.</source>
        <translation>随机：每次调用都重新抽取数值，没有保存，因此没有可显示的值。</translation>
    </message>
    <message>
        <source>Random: a run draws the values anew for every call, so that they are valid indexes: %1</source>
        <translation>随机：每次调用都重新抽取数值，并保证是有效索引：%1</translation>
    </message>
    <message>
        <source>The workload states this number: %1</source>
        <translation>工作负载给出了这个数：%1</translation>
    </message>
    <message>
        <source>The definition&apos;s own input function makes the values in a run.</source>
        <translation>运行时由定义自己的输入函数生成数值。</translation>
    </message>
    <message>
        <source>The kernel writes this tensor. A run compares it with what the reference writes.</source>
        <translation>此张量由内核写出。运行时会与参考实现写出的结果比较。</translation>
    </message>
    <message>
        <source>There are no values to show: %1</source>
        <translation>没有可显示的值：%1</translation>
    </message>
    <message>
        <source>Put the file into the dataset folder under this name, then reload (F5). A run on this workload needs it, too.</source>
        <translation>请把该文件以此名称放入数据集文件夹，然后重新加载 (F5)。在此工作负载上运行也需要它。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Values from</source>
        <translation>数值来源</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
</context>
</TS>
