"""Values of a chart that belong together."""


class Series:
    """Given as many as there is room for: an even choice of them, with the first and the last."""

    def __init__(self, label, key, count, item, connected=False, **more):
        self.connected = connected  # by a line
        self._label = label
        self._key = key
        self._count = count
        self._item = item
        self._more = more

    def described(self, room):
        chosen = _evenly(self._count, room)
        described = {"label": self._label, **self._more, self._key: [self._item(index) for index in chosen]}
        if len(chosen) < self._count:
            described.update(truncated=True, total=self._count)
        return described


def _evenly(count, room):
    if count <= room:
        return range(count)
    return [index * (count - 1) // (room - 1) for index in range(room)]
