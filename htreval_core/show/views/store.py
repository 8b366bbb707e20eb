"""The latest of what takes long to compute, each computed once however many ask for it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Store(Generic[T]):
    """The latest results; the oldest makes room."""

    def __init__(self, size: int) -> None:
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._size = size
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Hashable, value: T) -> None:
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept under the key, made now if it is not there; others who ask wait for it."""
        found = self.get(key)
        if found is not None:
            return found
        with self._lock:
            making = self._making.setdefault(key, Lock())
        with making:
            found = self.get(key)
            if found is None:
                found = make()
                self.put(key, found)
        with self._lock:
            self._making.pop(key, None)
        return found
