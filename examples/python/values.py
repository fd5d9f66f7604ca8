"""Prints what customers share with the service of the demo, then what has changed since the last time."""

import json
import os
import pathlib

import sealed
import sealpost

demo = pathlib.Path(os.environ.get("DEMO", ".local/demo"))
settings = json.loads((demo / "sealpost.json").read_text())
client = sealpost.Client(settings["front_door"], settings["client_id"], settings["client_secret"])
key = sealed.load_private_key((demo / "service.pem").read_text(), (demo / "passphrase.txt").read_text().strip())

for connection in client.connections():
    for slug, value in sorted(connection["values"].items()):
        if "value" in value:  # a file has `value_url`
            print(connection["display_name"], slug, sealed.open_wrapper(key, value["value"]))

attempt = demo / "attempt-of-python.txt"
last = attempt.read_text() if attempt.exists() else None
for changes in client.drain(attempt.write_text, last):
    for change in changes:
        text = sealed.open_wrapper(key, change["value"]) if change.get("value") else ""
        print(change["event"], change.get("slug", ""), text)
    attempt.unlink()  # only now: a page that was not handled is read again
