"""The curve that rank.py reports and invariants.py expects. Every value is exact in binary."""


def value(n, rank, step):
    return ((n * 37 + step * 13) % 101) / 8 + rank * 16
