# python python.py QUESTIONS FOLDER: what posthog in that folder answers, one JSON line for each question. Without a
# secret it asks the service. A question with an event is also about the payload, and captures that event.
import json
import logging
import os
import sys

sys.path.insert(0, sys.argv[2])
from posthog import Posthog  # noqa: E402

logging.disable(logging.CRITICAL)
with open(sys.argv[1], encoding="utf-8") as file:
    asked = json.load(file)


def ask(question):
    sdk = Posthog(
        question["token"],
        host=asked["host"],
        personal_api_key=question.get("secret"),
        poll_interval=1_000_000,
        sync_mode=True,
    )
    known = {
        "groups": question.get("groups", {}),
        "person_properties": question.get("personProperties", {}),
        "group_properties": question.get("groupProperties", {}),
    }
    try:
        if "secret" in question:
            sdk.load_feature_flags()
        only_local = question.get("onlyLocal", False)
        key, person = question["key"], question["distinctId"]
        value = sdk.get_feature_flag(
            key, person, send_feature_flag_events=False, only_evaluate_locally=only_local, **known
        )
        if "event" not in question:
            return {"value": value}
        payload = sdk.get_feature_flag_payload(
            key, person, match_value=value, only_evaluate_locally=only_local, **known
        )
        sdk.capture(question["event"], distinct_id=person, properties={"key": key})
        return {"value": value, "payload": payload}
    except Exception as error:
        return {"error": repr(error)}


for each in asked["questions"]:
    print(json.dumps({"id": each["id"], **ask(each)}), flush=True)

# Some versions wait five seconds for each client, or fail, when they are shut down.
os._exit(0)
