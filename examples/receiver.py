#!/usr/bin/env python3
"""A receiver of the Blog Content Service's webhooks, with nothing but Python's standard library.

It verifies each request, answers as docs/webhooks.md says, and keeps each post as <folder>/<blog_id>.json.

    python3 examples/receiver.py --secret <SIGNING_SECRET> --port 8080

It speaks plain HTTP: put it behind a server that ends TLS, because the service calls https: URLs only.
"""

import argparse
import hashlib
import hmac
import json
import os
import re
import sys
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MAX_BODY_BYTES = 8 * 1024 * 1024
EVENTS = ("test.ping", "blog.published", "blog.updated", "blog.unpublished", "blog.deleted")
# A blog_id becomes the name of a file: nothing else than a UUID may.
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Refused(Exception):
    """A request that gets another answer than success."""

    def __init__(self, status, error):
        super().__init__(error)
        self.status = status
        self.error = error


class Posts:
    """The posts, one file each, and the keys of the publishes that were handled."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.keys_file = self.folder / "handled-keys.txt"
        self.keys = set(self.keys_file.read_text().split()) if self.keys_file.exists() else set()
        # Deliveries may come at the same time.
        self.lock = threading.Lock()

    def save(self, post):
        """Upserts by blog_id. Returns False when this very publish was handled before."""
        key = post.get("idempotency_key")
        with self.lock:
            if key is not None and key in self.keys:
                return False
            known = self._load(post["blog_id"])
            # A request that timed out can still come to its end after a newer one.
            if known is None or instant(known["published_at"]) <= instant(post["published_at"]):
                self._store({**post, "hidden": False})
            if key is not None:
                # Only now: a write that fails must be tried again.
                with self.keys_file.open("a") as file:
                    file.write(f"{key}\n")
                self.keys.add(key)
            return True

    def hide(self, blog_id):
        with self.lock:
            post = self._load(blog_id)
            if post is not None:
                self._store({**post, "hidden": True})

    def delete(self, blog_id):
        with self.lock:
            self._file(blog_id).unlink(missing_ok=True)

    def _file(self, blog_id):
        return self.folder / f"{blog_id}.json"

    def _load(self, blog_id):
        file = self._file(blog_id)
        return json.loads(file.read_text("utf-8")) if file.exists() else None

    def _store(self, post):
        file = self._file(post["blog_id"])
        new = file.with_suffix(".new")
        new.write_text(json.dumps(post, indent=2, ensure_ascii=False), "utf-8")
        # Whoever reads the folder sees the old post or the new one, never half of one.
        os.replace(new, file)


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def verify(body, signature, secret):
    """Whether the signature is that of the raw bytes; compared in constant time."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature.encode("utf-8", "replace"), expected.encode())


def read_event(body):
    try:
        event = json.loads(body)
    except ValueError:
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(event, dict):
        raise Refused(400, "the body is not a JSON object")
    return event


def check_blog_id(event):
    if not isinstance(event.get("blog_id"), str) or not UUID.fullmatch(event["blog_id"]):
        raise Refused(400, "blog_id is not a UUID")


def check_post(event, max_age_s):
    """What this receiver needs of a post. Fields that it does not know are kept: new ones may come."""
    check_blog_id(event)
    try:
        age_s = (datetime.now(timezone.utc) - instant(event["published_at"])).total_seconds()
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused(400, "published_at is not a timestamp") from None
    if not isinstance(event.get("slug"), str):
        raise Refused(400, "slug is missing")
    # Retries keep their published_at for an hour and more, and their key tells a replay. Only what has no key is judged.
    if max_age_s > 0 and "idempotency_key" not in event and age_s > max_age_s:
        raise Refused(400, f"published_at is more than {max_age_s} s old")


def handle(event, posts, options):
    """What to answer to an event whose signature is right."""
    name = event.get("event")
    if name not in EVENTS:
        raise Refused(400, "unknown event")
    if name == "test.ping":
        return {"ok": True}
    if str(event.get("blog_id")).startswith("preview-"):
        return {"ok": True, "skipped": True}
    if name in ("blog.published", "blog.updated"):
        check_post(event, options.max_age)
        is_new = posts.save(event)
        answer = {"ok": True, "id": event["blog_id"]}
        if options.site_url:
            answer["url"] = f"{options.site_url.rstrip('/')}/blog/{event['slug']}/"
        return answer if is_new else {**answer, "duplicate": True}
    if name == "blog.unpublished":
        check_blog_id(event)
        posts.hide(event["blog_id"])
        return {"ok": True}
    check_blog_id(event)
    posts.delete(event["blog_id"])
    return {"ok": True}


def make_handler(options, posts):
    class Receiver(BaseHTTPRequestHandler):
        # A silent peer does not hold a thread for longer.
        timeout = 30

        def do_POST(self):
            try:
                body = self.read_body()
                if not verify(body, self.headers.get("X-Webhook-Signature", ""), options.secret):
                    raise Refused(401, "wrong signature")
                event = read_event(body)
                status, fields = 200, handle(event, posts, options)
                self.log_message("%s %s", event["event"], event.get("blog_id", ""))
            except Refused as refused:
                status, fields = refused.status, {"ok": False, "error": refused.error}
            except Exception as error:  # whatever it is: who gets no answer cannot tell what is wrong
                # 500 is tried again, where the service tries again at all.
                self.log_error("%s", error)
                status, fields = 500, {"ok": False, "error": "not written"}
            self.answer(status, fields)

        def read_body(self):
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal():
                raise Refused(411, "no Content-Length")
            if len(length) > 20 or int(length) > MAX_BODY_BYTES:
                raise Refused(413, "the body is too large")
            return self.rfile.read(int(length))

        def answer(self, status, fields):
            body = json.dumps(fields).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Receiver


def read_options():
    parser = argparse.ArgumentParser(
        description="Receives webhooks of the Blog Content Service and keeps the posts as JSON files.",
        epilog="WEBHOOK_SECRET may hold the secret instead of --secret, which other users of the machine can see.",
    )
    parser.add_argument("--secret", default=os.environ.get("WEBHOOK_SECRET"), help="the integration's signing secret")
    parser.add_argument("--port", type=int, default=8080, help="port to listen on; 0 takes a free one (default 8080)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--folder", default="posts", help="where the posts go (default ./posts)")
    parser.add_argument("--site-url", help="your site; a post's address <site-url>/blog/<slug>/ goes into the answer")
    parser.add_argument(
        "--max-age",
        type=int,
        default=300,
        help="refuse posts without idempotency_key that were published more seconds ago (default 300; 0: never)",
    )
    options = parser.parse_args()
    if not options.secret:
        parser.error("--secret or WEBHOOK_SECRET is needed")
    return options


def main():
    options = read_options()
    server = ThreadingHTTPServer((options.host, options.port), make_handler(options, Posts(options.folder)))
    print(f"Listening on http://{options.host}:{server.server_port}, posts go to {options.folder}", file=sys.stderr)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


if __name__ == "__main__":
    main()
