"""Opens what is sealed to your keys, and checks who sent a webhook. Needs `cryptography` (Debian: python3-cryptography)."""

import base64
import hashlib
import hmac
import json
import re

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Refused(Exception):
    """`refusal` says why: `wrong_key`, `damaged`, `not_text`, `not_a_wrapper` …"""

    def __init__(self, refusal):
        super().__init__(refusal)
        self.refusal = refusal


def load_private_key(pem, passphrase):
    """The key file of a service or an account. The passphrase is the text, or the 32 bytes that it stands for."""
    for password in (passphrase.encode(), _url_bytes(passphrase)):
        try:
            return serialization.load_pem_private_key(pem.encode(), password)
        except (ValueError, TypeError):
            continue
    raise Refused("wrong_passphrase")


def open_wrapper(key, text):
    """A value that a customer shares: RSA-OAEP with SHA-256 around the key of an AES-256-GCM ciphertext."""
    return _open(key, text, hashes.SHA256(), "not_a_wrapper")


def open_account_envelope(key, text):
    """The body of a webhook with `encrypt_payload`, by the key of the account. The one place with SHA-1."""
    return _open(key, text, hashes.SHA1(), "not_an_account_envelope")


def is_wrapper(value):
    return isinstance(value, str) and _members(value) is not None


def verify_webhook(secrets, webhook_id, timestamp, signatures, body, now, tolerance=300):
    """Raises unless a signature of `webhook-signature` is right for one of the secrets. `body` is the bytes as received."""
    if not webhook_id or not signatures or not re.fullmatch("0|[1-9][0-9]{0,11}", timestamp or ""):
        raise Refused("signature_malformed")
    if abs(now - int(timestamp)) > tolerance:
        raise Refused("timestamp_too_far")
    given = [_strict_base64(part[3:]) for part in signatures.split(" ") if part.startswith("v1,")]
    if not any(given):
        raise Refused("signature_malformed")
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    for secret in secrets:
        right = hmac.new(_secret_bytes(secret), signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(right, each) for each in given if each):
            return
    raise Refused("signature_mismatch")


def _open(key, text, hash_, misshapen):
    members = _members(text)
    if members is None:
        raise Refused(misshapen)
    sealed_key, iv, sealed_text = members
    try:
        data_key = key.decrypt(sealed_key, padding.OAEP(padding.MGF1(hash_), hash_, None))
    except ValueError:
        raise Refused("wrong_key") from None
    if len(data_key) != 32:
        raise Refused("damaged")
    try:
        return AESGCM(data_key).decrypt(iv, sealed_text, None).decode()
    except InvalidTag:
        raise Refused("damaged") from None
    except UnicodeDecodeError:
        raise Refused("not_text") from None


def _members(text):
    """k, iv and d of an object with exactly these members and `_enc` = 1, or None."""
    try:
        wrapper = json.loads(text)
    except ValueError:
        return None
    if not isinstance(wrapper, dict) or set(wrapper) != {"_enc", "k", "iv", "d"}:
        return None
    if isinstance(wrapper["_enc"], bool) or wrapper["_enc"] != 1:
        return None
    k, iv, d = (_strict_base64(wrapper[name]) for name in ("k", "iv", "d"))
    if k is None or iv is None or d is None:
        return None
    return (k, iv, d) if len(k) == 256 and len(iv) == 12 and len(d) >= 16 else None


def _strict_base64(text):
    """Python ignores bits that no byte has; two texts would then be one value."""
    if not isinstance(text, str):
        return None
    try:
        decoded = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return decoded if base64.b64encode(decoded).decode() == text else None


def _url_bytes(text):
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) or b"\0"
    except ValueError:
        return b"\0"


def _secret_bytes(secret):
    """After `whsec_` comes base64; another secret counts as its own text."""
    decoded = _strict_base64(secret[6:]) if secret.startswith("whsec_") else None
    return secret.encode() if decoded is None else decoded
