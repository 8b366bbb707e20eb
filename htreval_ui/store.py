"""The latest of what is dear to compute."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Store(Generic[T]):
    """So many results, whoever asked for them; the oldest makes room."""

    def __init__(self, size: int) -> None:
        self._kept: OrderedDict[tuple[str, ...], T] = OrderedDict()
        self._size = size
        self._lock = Lock()

    def get(self, key: tuple[str, ...]) -> T | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: tuple[str, ...], value: T) -> None:
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
