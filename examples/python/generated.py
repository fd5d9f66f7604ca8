"""The same reads with a client that openapi-python-client has generated into the package `sealpost_client`."""

import json
import os
import pathlib
import uuid

import sealpost
from sealpost_client import AuthenticatedClient
from sealpost_client.api.company_data import company_data_drain_changes
from sealpost_client.api.connections import connections_list

demo = pathlib.Path(os.environ.get("DEMO", ".local/demo"))
settings = json.loads((demo / "sealpost.json").read_text())
login = sealpost.Client(settings["front_door"], settings["client_id"], settings["client_secret"])
token = login.token()
client = AuthenticatedClient(base_url=login.api_url, token=token, raise_on_unexpected_status=True)

page = connections_list.sync(client=client, limit=500)
for connection in page.items:
    for slug in sorted(connection.values.additional_properties):
        print(connection.display_name, slug, connection.values[slug].value)

drained = company_data_drain_changes.sync(client=client, attempt_id=str(uuid.uuid4()))
for change in drained.changes:
    print(change.event, change.at)
