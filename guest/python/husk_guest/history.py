"""IPython's history, kept in memory: no database, no thread, nothing on disk."""

from fnmatch import fnmatchcase

from IPython.core.history import HistoryManager


class MemoryHistory(HistoryManager):
    """Answers from the lists that IPython keeps anyway. The current session is number 0."""

    def store_inputs(self, line_num, source, source_raw=None):
        super().store_inputs(line_num, source, source_raw)
        # Without a database nothing ever empties its write cache.
        self.db_input_cache.clear()

    def get_tail(self, n=10, raw=True, output=False, include_latest=False):
        entries = self._entries(raw, output)
        if not include_latest:
            entries = entries[:-1]
        n = 10 if n is None else n
        return entries[-n:] if n > 0 else []

    def search(self, pattern="*", raw=True, search_raw=True, output=False, n=None, unique=False):
        searched = self.input_hist_raw if search_raw else self.input_hist_parsed
        found, seen = [], set()
        for entry in reversed(self._entries(raw, output)):
            source = searched[entry[1]]
            if not fnmatchcase(source, pattern) or (unique and source in seen):
                continue
            seen.add(source)
            found.append(entry)
            if n is not None and len(found) >= n:
                break
        return found[::-1]

    def _entries(self, raw, output):
        return list(self._get_range_session(1, None, raw, output))
