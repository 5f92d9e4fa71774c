"""Results, displays and cleared output, from IPython to iopub."""

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher


class ResultHook(DisplayHook):
    """Publishes the value of a cell's last expression as execute_result."""

    _formatted = None

    def start_displayhook(self):
        super().start_displayhook()
        self._formatted = None
        self.shell.formatting_result = True

    def write_output_prompt(self):
        """The number travels in the message."""

    def write_format_data(self, format_dict, md_dict=None):
        self._formatted = (format_dict, md_dict or {})

    def finish_displayhook(self):
        self._is_active = False
        self.shell.formatting_result = False
        formatted, self._formatted = self._formatted, None
        if formatted and self.shell.kernel is not None:
            data, metadata = formatted
            content = {"execution_count": self.prompt_count, "data": data, "metadata": metadata}
            self.shell.kernel.publish_output("execute_result", content)


class DisplayOutput(DisplayPublisher):
    """Publishes display(), its updates, and clear_output()."""

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **kwargs):
        if self.shell is None or self.shell.kernel is None:
            return
        self._validate_data(data, metadata)
        content = {"data": data, "metadata": metadata or {}, "transient": transient or {}}
        self.shell.kernel.publish_output("update_display_data" if update else "display_data", content)

    def clear_output(self, wait=False):
        if self.shell is not None and self.shell.kernel is not None:
            self.shell.kernel.publish_output("clear_output", {"wait": bool(wait)})
