"""Jupyter's REST API in plain HTTP."""

import json
import urllib.error
import urllib.request


def ask(method: str, url: str, body=None, headers: dict = {}):
    """The answer's JSON; None where there is no content."""
    data = None if body is None else json.dumps(body).encode()
    given = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, data, given, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "null")
    except urllib.error.HTTPError as problem:
        said = problem.read().decode(errors="replace")
        raise AssertionError(f"{method} {url}: {problem.code} {said}") from problem


def kernel_ids(url: str) -> set:
    return {kernel["id"] for kernel in ask("GET", f"{url}/api/kernels")}
