"""A small client of the API on the standard library: tokens, regions, pages, the feed."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class SealpostError(Exception):
    """A refusal: branch on `error_key`; docs/errors.md lists all of them."""

    def __init__(self, status, body, retry_after=1):
        super().__init__(f"{status} {body.get('error_key')}: {body.get('error')}")
        self.status = status
        self.error_key = body.get("error_key")
        self.body = body
        self.retry_after = retry_after


class Client:
    """A service client. The token names the home region; calls go there."""

    ATTEMPTS = 5

    def __init__(self, front_door, client_id, client_secret):
        self._front_door = front_door
        self._credentials = {"client_id": client_id, "client_secret": client_secret}
        self._token = None
        self.api_url = None

    def token(self):
        if self._token is None:
            form = urllib.parse.urlencode({"grant_type": "client_credentials", **self._credentials})
            answer = _exchange(urllib.request.Request(f"{self._front_door}/oauth2/token", form.encode()))
            self._token, self.api_url = answer["access_token"], answer["api_url"]
        return self._token

    def get(self, path, **query):
        """Repeats a read after an expired token, a move to another region, a limit or an outage."""
        for attempt in range(self.ATTEMPTS):
            headers = {"Authorization": f"Bearer {self.token()}", "Accept": "application/json"}
            url = f"{self.api_url}{path}?{urllib.parse.urlencode(query)}"
            try:
                return _exchange(urllib.request.Request(url, headers=headers))
            except SealpostError as error:
                if attempt + 1 == self.ATTEMPTS or error.status not in (401, 421, 429, 503):
                    raise
                if error.status in (401, 421):
                    self._token = None
                else:
                    time.sleep(error.retry_after)

    def connections(self):
        """All connections, page by page; values are still sealed."""
        cursor = {}
        while True:
            page = self.get("/api/company-data/connections", limit=500, **cursor)
            yield from page["items"]
            if page.get("next_cursor") is None:
                return
            cursor = {"cursor": page["next_cursor"]}

    def drain(self, keep_attempt, attempt_id=None):
        """Pages of changes until the feed is empty. Reading removes them: `keep_attempt` stores the id of an attempt before
        it is made, and the same id brings the page again for five minutes."""
        while True:
            attempt_id = attempt_id or str(uuid.uuid4())
            keep_attempt(attempt_id)
            page = self.get("/api/company-data/changes", attempt_id=attempt_id)
            yield page["changes"]
            if not page["has_more"]:
                return
            attempt_id = None


def _exchange(request):
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            members = _members(error.read())
        raise SealpostError(error.code, members, int(error.headers.get("Retry-After") or 1)) from None


def _members(body):
    """A proxy on the way may answer something else than JSON."""
    try:
        members = json.loads(body)
    except ValueError:
        return {}
    return members if isinstance(members, dict) else {}
