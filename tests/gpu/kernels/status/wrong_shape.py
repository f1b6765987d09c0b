def run(x):
    return (2 * x)[:-1].contiguous()
