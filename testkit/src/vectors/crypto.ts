import {
  type Attestation,
  type Bytes,
  createCryptoPlatform,
  type CryptoPlatform,
  decodeBase64Url,
  decodeHex,
  derivePasswordKeys,
  encodeHex,
  fingerprintPublicKey,
  importAccountOpeningKey,
  importOneTimeKey,
  importOpeningKey,
  importPrivateKeyPem,
  isAttested,
  isPublicKey,
  isWrapper,
  openAccountEnvelope,
  openOnce,
  openWrapper,
  unwrapByPassphrase,
  unwrapByPassword,
} from '@sealpost/crypto'
import { instant, parseInstant, type Result, Secret } from '@sealpost/kernel'
import type { VectorCase } from '../vector-case.ts'
import { expectSame, named } from './crypto-expectations.ts'

interface CryptoVectors {
  readonly keys: Readonly<Record<string, { readonly public_key: string; readonly private_key: string }>>
  readonly wrappers: readonly OpenCase[]
  readonly account_envelopes: readonly OpenCase[]
  readonly wrapper_shapes: readonly { readonly name: string; readonly value: unknown; readonly is_wrapper: boolean }[]
  readonly public_keys: readonly {
    readonly name: string
    readonly public_key: string
    readonly sha256: string | null
  }[]
  readonly passphrase_wraps: readonly (KeyCase & { readonly wrap: unknown; readonly passphrase: string })[]
  readonly pems: readonly (KeyCase & { readonly pem: string; readonly passphrase: string })[]
  readonly password_keys: readonly PasswordCase[]
  readonly one_time_keys: readonly OneTimeCase[]
  readonly attestations: readonly AttestationCase[]
  readonly codecs: Readonly<Record<'base64' | 'base64url' | 'hex', readonly CodecCase[]>>
}

interface OpenCase {
  readonly name: string
  readonly key: string
  readonly text: string
  readonly plaintext?: string
  readonly refusal?: string
}

/** `opens` names the key that must come out. */
interface KeyCase {
  readonly name: string
  readonly opens?: string
  readonly refusal?: string
}

interface PasswordCase extends KeyCase {
  readonly password: string
  readonly kdf: unknown
  readonly argon2_password?: string
  readonly master?: string
  readonly auth_verifier?: string
  readonly wrap?: unknown
}

interface OneTimeCase {
  readonly name: string
  readonly otk: string
  readonly sealed: string
  readonly content?: string
  readonly refusal?: string
}

interface AttestationCase {
  readonly name: string
  readonly plaintext: string
  readonly attestation: Attestation
  readonly now: string
  readonly attested: boolean
}

interface CodecCase {
  readonly name: string
  readonly text: string
  readonly hex: string | null
}

/** Everything in `vectors/crypto.json`. */
export function cryptoCases(file: unknown): readonly VectorCase[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of another shape fails its cases
  const vectors = file as CryptoVectors
  const platform = createCryptoPlatform(globalThis)
  return [
    ...named('wrapper', vectors.wrappers, (found) => checkWrapper(platform, vectors, found)),
    ...named('account envelope', vectors.account_envelopes, (found) => checkEnvelope(platform, vectors, found)),
    ...named('wrapper shape', vectors.wrapper_shapes, ({ value, is_wrapper }) =>
      expectSame('is a wrapper', isWrapper(platform, value), is_wrapper),
    ),
    ...named('public key', vectors.public_keys, (found) => checkPublicKey(platform, found)),
    ...named('passphrase wrap', vectors.passphrase_wraps, async (found) => {
      const opened = await unwrapByPassphrase(platform, found.wrap, new Secret(found.passphrase))
      expectKey(platform, vectors, found, opened)
    }),
    ...named('pem', vectors.pems, async (found) => {
      const opened = await importPrivateKeyPem(platform, found.pem, new Secret(found.passphrase))
      expectKey(platform, vectors, found, opened)
    }),
    ...named('password', vectors.password_keys, (found) => checkPassword(platform, vectors, found)),
    ...named('one-time key', vectors.one_time_keys, (found) => checkOneTimeKey(platform, found)),
    ...named('attestation', vectors.attestations, (found) => checkAttestation(platform, found)),
    ...codecCases(platform, vectors.codecs),
  ]
}

/** The older file with one key: a PEM, a text and a photo. */
export function decryptionCases(file: unknown): readonly VectorCase[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of another shape fails its cases
  const vectors = file as {
    readonly encrypted_private_key_pem: string
    readonly passphrase: string
    readonly text: { readonly wrapper: unknown; readonly plaintext: string }
    readonly binary: Readonly<Record<'wrapper' | 'decrypted_json_sha256' | 'inner_full_sha256', unknown>>
  }
  const platform = createCryptoPlatform(globalThis)
  const open = async (wrapper: unknown): Promise<string> => {
    const pem = await importPrivateKeyPem(platform, vectors.encrypted_private_key_pem, new Secret(vectors.passphrase))
    const key = taken(await importOpeningKey(platform, taken(pem)))
    return taken(await openWrapper(platform, key, typeof wrapper === 'string' ? wrapper : JSON.stringify(wrapper)))
  }
  return [
    {
      name: 'text',
      run: async () => expectSame('plaintext', await open(vectors.text.wrapper), vectors.text.plaintext),
    },
    {
      name: 'binary',
      async run() {
        const opened = await open(vectors.binary.wrapper)
        expectSame(
          'envelope',
          await sha256(platform, platform.utf8.encode(opened)),
          vectors.binary.decrypted_json_sha256,
        )
        // oxlint-disable-next-line typescript/no-unsafe-assignment -- an envelope of another shape fails the case
        const { full }: { readonly full: string } = JSON.parse(opened)
        const content = platform.base64.decode(full.slice(full.indexOf(',') + 1))
        expectSame('full', await sha256(platform, content), vectors.binary.inner_full_sha256)
      },
    },
  ]
}

async function checkWrapper(platform: CryptoPlatform, vectors: CryptoVectors, found: OpenCase): Promise<void> {
  const key = taken(await importOpeningKey(platform, privateKeyOf(platform, vectors, found.key)))
  expectOpened(found, await openWrapper(platform, key, found.text))
}

async function checkEnvelope(platform: CryptoPlatform, vectors: CryptoVectors, found: OpenCase): Promise<void> {
  const key = taken(await importAccountOpeningKey(platform, privateKeyOf(platform, vectors, found.key)))
  expectOpened(found, await openAccountEnvelope(platform, key, found.text))
}

async function checkPublicKey(platform: CryptoPlatform, found: CryptoVectors['public_keys'][number]): Promise<void> {
  const fingerprint = await fingerprintPublicKey(platform, found.public_key)
  expectSame('is a public key', isPublicKey(platform, found.public_key), found.sha256 !== null)
  expectSame('fingerprint', fingerprint.ok ? fingerprint.value : null, found.sha256)
}

/** Argon2 itself is handed in, so the case brings its answer: what is judged is everything around it. */
async function checkPassword(platform: CryptoPlatform, vectors: CryptoVectors, found: PasswordCase): Promise<void> {
  const asked: string[] = []
  const argon2id = async ({ password }: { readonly password: Bytes }): Promise<Bytes> => {
    asked.push(encodeHex(password))
    return decodeHex(found.master ?? '') ?? new Uint8Array()
  }
  const keys = await derivePasswordKeys(platform, argon2id, new Secret(found.password), found.kdf)
  expectSame('refusal', keys.ok ? undefined : keys.refusal, found.refusal)
  if (!keys.ok) return
  expectSame('password as Argon2 gets it', asked[0], found.argon2_password)
  expectSame('auth_verifier', keys.value.authVerifier.reveal(), found.auth_verifier)
  expectKey(platform, vectors, found, await unwrapByPassword(platform, keys.value.wrapKey, found.wrap, null))
}

async function checkOneTimeKey(platform: CryptoPlatform, found: OneTimeCase): Promise<void> {
  const key = await importOneTimeKey(platform, new Secret(found.otk))
  const opened = key.ok ? await openOnce(platform, key.value, found.sealed) : key
  expectSame('refusal', opened.ok ? undefined : opened.refusal, found.refusal)
  if (opened.ok) expectSame('content', encodeHex(opened.value), found.content)
}

async function checkAttestation(platform: CryptoPlatform, found: AttestationCase): Promise<void> {
  const now = parseInstant(found.now) ?? instant(0)
  expectSame('attested', await isAttested(platform, found.attestation, found.plaintext, now), found.attested)
}

function codecCases({ base64 }: CryptoPlatform, codecs: CryptoVectors['codecs']): readonly VectorCase[] {
  const decoders = {
    base64: (text: string) => base64.decode(text),
    base64url: (text: string) => decodeBase64Url(base64, text),
    hex: decodeHex,
  }
  return (['base64', 'base64url', 'hex'] as const).flatMap((codec) =>
    named(codec, codecs[codec], ({ text, hex }) => {
      const bytes = decoders[codec](text)
      expectSame('bytes', bytes === null ? null : encodeHex(bytes), hex)
    }),
  )
}

function privateKeyOf({ base64 }: CryptoPlatform, { keys }: CryptoVectors, name: string): Secret<Bytes> {
  return new Secret(base64.decode(keys[name]?.private_key ?? '') ?? new Uint8Array())
}

function expectOpened(found: OpenCase, opened: Result<string, string>): void {
  expectSame('refusal', opened.ok ? undefined : opened.refusal, found.refusal)
  expectSame('plaintext', opened.ok ? opened.value : undefined, found.plaintext)
}

function expectKey(
  { base64 }: CryptoPlatform,
  { keys }: CryptoVectors,
  { opens, refusal }: KeyCase,
  opened: Result<Secret<Bytes>, string>,
): void {
  expectSame('refusal', opened.ok ? undefined : opened.refusal, refusal)
  const expected = opens === undefined ? undefined : keys[opens]?.private_key
  expectSame('private key', opened.ok ? base64.encode(opened.value.reveal()) : undefined, expected)
}

async function sha256({ crypto }: CryptoPlatform, bytes: Bytes | null): Promise<string | null> {
  return bytes === null ? null : encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

function taken<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal}`)
  return result.value
}
