"""What a byte model without a network reaches on the text of ``pydocs``, in bits per byte.

``python -m benchmarks.byte_model`` prints it for the orders 0 to 3. I. Witten and T. Bell, *The
zero-frequency problem*, 1991: a context of k bytes gives each byte its count, and to the contexts of
k - 1 bytes as much weight as it has seen different bytes.
"""

import math
from collections import Counter, defaultdict
from pydoc_data.topics import topics

LENGTH = 64
"""bytes in a row of the rendered project, of whose rows the last tenth is held out"""


def bits_per_byte(text: bytes, end: int, test: int, order: int) -> float:
    """Fit on ``text[:end]``; return the mean bits of the bytes of ``text[test:]``."""
    seen: list[dict[bytes, Counter]] = [defaultdict(Counter) for _ in range(order + 1)]
    for i in range(end):
        for k in range(min(i, order) + 1):
            seen[k][text[i - k : i]][text[i]] += 1

    def probability(i: int) -> float:
        p = 1 / 256
        for k, contexts in enumerate(seen):
            if counts := contexts.get(text[i - k : i]):
                p = (counts[text[i]] + len(counts) * p) / (counts.total() + len(counts))
        return p

    rest = range(test, len(text))
    return -sum(math.log2(probability(i)) for i in rest) / len(rest)


def main() -> None:
    """Print the table."""
    text = "\n".join(topics[name] for name in sorted(topics)).encode()
    test = len(text) - LENGTH * max(1, round(len(text) / (10 * LENGTH)))
    train = test - LENGTH * max(1, round(len(text) / (20 * LENGTH)))
    print("order, fitted on the training part, fitted on all before the test part")
    for order in range(4):
        fitted = (bits_per_byte(text, end, test, order) for end in (train, test))
        print(order, *[f"{bits:.3f}" for bits in fitted])


if __name__ == "__main__":
    main()
