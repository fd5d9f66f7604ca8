/** All refusals of sealing and opening, each with a remedy for the user. */
export const refusalSentences = {
  damaged: 'The content was changed on the way or is incomplete; fetch it again from its source.',
  kdf_invalid: 'The password parameters are not the agreed ones; do not enter the password, report the server.',
  not_a_key_file: 'This is not an encrypted private key; choose the .pem file downloaded from the service.',
  not_a_key_wrap: 'This is not a wrapped private key; fetch it again from the service.',
  not_a_one_time_key: 'A one-time key is the base64 of 32 random bytes.',
  not_a_private_key: 'This is not an RSA private key of 2048 bits in PKCS#8.',
  not_a_public_key:
    'A public key is the base64 of a DER SubjectPublicKeyInfo of an RSA key, 2048 bits, exponent 65537.',
  not_a_wrapper: 'This is not a sealed value: it must be the text of an object with exactly _enc, k, iv and d.',
  not_an_account_envelope: 'This is not an account-key envelope: it must be an object with exactly _enc, k, iv and d.',
  not_sealed: 'This is not content under a one-time key: it must be padded base64 of 28 bytes or more.',
  not_text: 'The content is not valid Unicode text; pass a well-formed text.',
  not_a_recovery_code: 'This is not a whole recovery code; compare it letter by letter with the one that you kept.',
  secret_empty: 'A webhook secret has at least one character; generate a new one.',
  signature_malformed:
    'The signature headers are missing or cannot be read; the request does not come from the platform.',
  signature_mismatch: 'No signature matches: check the secret, and verify the raw bytes of the body, not parsed JSON.',
  timestamp_too_far: 'The request was signed too long ago or in the future; check the clock, or treat it as a replay.',
  too_costly: 'The key derivation asks for more work than is reasonable; treat the source as hostile.',
  too_weak: 'The key derivation is weaker than agreed; protect the key again with the agreed strength.',
  unsupported_protection:
    'The key file is protected otherwise than agreed; convert it with openssl pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA256 -iter 100000.',
  wrong_key: 'The content was sealed for another key; open it with the key it was sealed for.',
  wrong_purpose:
    'The wrapped key is for another purpose; the server may have exchanged the keys of the account, so do not use it.',
  wrong_passphrase: 'The passphrase does not open this key; use the one that was shown when the key was made.',
} as const

export type CryptoRefusal = keyof typeof refusalSentences
