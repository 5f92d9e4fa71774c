"""Jupyter's REST API, as far as it is needed to own a kernel."""

from __future__ import annotations

import asyncio
import http.client
import json
import ssl
from typing import Any, Mapping

_TIMEOUT = 60.0
_TRIES = 10
_PAUSE = 0.3


class Answered(RuntimeError):
    """The server answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"the server answered {status}: {message}")
        self.status = status

    @property
    def for_good(self) -> bool:
        """Whether asking again would be answered the same."""
        return 400 <= self.status < 500 and self.status not in (408, 425, 429)


class Rest:
    def __init__(
        self, host: str, port: int, tls: ssl.SSLContext | None, headers: Mapping[str, str]
    ) -> None:
        self._host = host
        self._port = port
        self._tls = tls
        self._headers = headers

    async def create(self, name: str, env: Mapping[str, str] | None) -> str:
        body: dict[str, Any] = {"name": name}
        if env:
            body["env"] = dict(env)
        answer = await self._ask("POST", "/api/kernels", body)
        if not isinstance(answer, dict) or "id" not in answer:
            raise Answered(404, "this is not Jupyter's API")
        return str(answer["id"])

    async def exists(self, kernel_id: str) -> bool:
        try:
            await self._ask("GET", f"/api/kernels/{kernel_id}")
            return True
        except Answered as error:
            if error.status == 404:
                return False
            raise

    async def interrupt(self, kernel_id: str) -> None:
        await self._ask("POST", f"/api/kernels/{kernel_id}/interrupt", {})

    async def delete(self, kernel_id: str) -> None:
        """Deletes a kernel; one that is gone already is as good."""
        for tries_left in reversed(range(_TRIES)):
            try:
                await self._ask("DELETE", f"/api/kernels/{kernel_id}")
                return
            except Answered as error:
                if error.status == 404:
                    return
                # A gateway that is just restarting a kernel fails to delete it.
                if error.status < 500 or not tries_left:
                    raise
            await asyncio.sleep(_PAUSE)

    async def _ask(self, method: str, path: str, body: Any = None) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, self._request, method, path, body)

    def _request(self, method: str, path: str, body: Any) -> Any:
        connection = self._connection()
        try:
            content = None if body is None else json.dumps(body)
            kind = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, content, {**self._headers, **kind})
            response = connection.getresponse()
            answer = response.read()
        except http.client.HTTPException as error:
            raise ConnectionError(f"the server's answer is no HTTP: {error!r}") from error
        finally:
            connection.close()
        if response.status >= 400:
            raise Answered(response.status, _message(answer, response.reason))
        try:
            return json.loads(answer) if answer else None
        except ValueError:
            raise Answered(404, "this is not Jupyter's API") from None

    def _connection(self) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=_TIMEOUT)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=_TIMEOUT, context=self._tls
        )


def _message(answer: bytes, reason: str) -> str:
    try:
        said = json.loads(answer)
        return str(said.get("message") or said.get("reason") or said.get("detail") or reason)
    except (ValueError, AttributeError):
        return reason
