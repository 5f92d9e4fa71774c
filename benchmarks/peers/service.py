"""Answers lines of JSON with lines of JSON until there are no more."""

import json
import os
import sys


def serve(handlers: dict) -> None:
    # The answers have a descriptor of their own: whatever else is printed goes to the log.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        answer = handlers[request.pop("ask")](**request)
        print(json.dumps(answer), file=answers, flush=True)
