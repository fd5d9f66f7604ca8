"""The cases of `vectors/`: python3 -m unittest discover examples/python"""

import base64
import hashlib
import json
import pathlib
import unittest

import sealed
from cryptography.hazmat.primitives import serialization

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "vectors"
AGREED = ROOT.parent / "shared/vectors/decryption.json"


def read(name):
    return json.loads((VECTORS / name).read_text())


def outcome(work):
    """What comes out, or the refusal, as the cases have it."""
    try:
        return {"plaintext": work()}
    except sealed.Refused as refused:
        return {"refusal": refused.refusal}


class Vectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.crypto = read("crypto.json")
        cls.keys = {name: der_key(pair["private_key"]) for name, pair in cls.crypto["keys"].items()}

    def each(self, cases, check):
        self.assertGreater(len(cases), 0)
        for case in cases:
            with self.subTest(case["name"]):
                check(case)

    def test_wrappers(self):
        self.opened(self.crypto["wrappers"], sealed.open_wrapper)

    def test_account_envelopes(self):
        self.opened(self.crypto["account_envelopes"], sealed.open_account_envelope)

    def opened(self, cases, opener):
        def check(case):
            expected = {name: case[name] for name in ("plaintext", "refusal") if name in case}
            self.assertEqual(outcome(lambda: opener(self.keys[case["key"]], case["text"])), expected)

        self.each(cases, check)

    def test_wrapper_shapes(self):
        def check(case):
            self.assertEqual(sealed.is_wrapper(case["value"]), case["is_wrapper"])

        self.each(self.crypto["wrapper_shapes"], check)

    def test_key_files(self):
        def check(case):
            opened = sealed.load_private_key(case["pem"], case["passphrase"])
            self.assertEqual(opened.private_numbers(), self.keys[case["opens"]].private_numbers())

        self.each([case for case in self.crypto["pems"] if "opens" in case], check)

    def test_webhook_signatures(self):
        def check(case):
            given = [case[name] for name in ("secrets", "id", "timestamp", "signature")]
            found = outcome(lambda: sealed.verify_webhook(*given, case["body"].encode(), case["now"]))
            self.assertEqual(found, {"plaintext": None} if case["ok"] else {"refusal": case["refusal"]})

        self.each(read("webhook-signatures.json")["verify_standard"], check)

    @unittest.skipUnless(AGREED.exists(), "there are no agreed vectors beside the repository")
    def test_agreed_wrappers(self):
        file = json.loads(AGREED.read_text())
        key = sealed.load_private_key(file["encrypted_private_key_pem"], file["passphrase"])
        text, binary = (sealed.open_wrapper(key, json.dumps(file[kind]["wrapper"])) for kind in ("text", "binary"))
        self.assertEqual(text, file["text"]["plaintext"])
        self.assertEqual(hashlib.sha256(binary.encode()).hexdigest(), file["binary"]["decrypted_json_sha256"])


def der_key(text):
    return serialization.load_der_private_key(base64.b64decode(text), None)


if __name__ == "__main__":
    unittest.main()
