import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  pbkdf2Sync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'

const ITERATIONS = 100_000
const TAG_BYTES = 16

export interface OwnKey {
  readonly privateKey: KeyObject
  /** The members that a service or an app is created with. */
  readonly members: { readonly public_key: string; readonly encrypted_private_key: PassphraseWrap }
  readonly passphrase: string
}

export interface PassphraseWrap {
  readonly iter: number
  readonly salt: string
  readonly iv: string
  readonly data: string
}

/** A key of a service or a sign-in app, after the recipe of the documents. */
export function newKey(): OwnKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 65_537 })
  const passphrase = randomBytes(32).toString('base64url')
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' })
  const data = encrypt(wrapKeyOf(passphrase, salt, ITERATIONS), iv, pkcs8)
  return {
    privateKey,
    members: {
      public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      encrypted_private_key: { iter: ITERATIONS, salt: base64(salt), iv: base64(iv), data: base64(data) },
    },
    passphrase,
  }
}

/** Opens the private key that the platform keeps. */
export function openPrivateKey(wrap: PassphraseWrap, passphrase: string): KeyObject {
  const key = wrapKeyOf(passphrase, bytesOf(wrap.salt), wrap.iter)
  return privateKeyOf(decrypt(key, bytesOf(wrap.iv), bytesOf(wrap.data)))
}

export function privateKeyOf(pkcs8: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
}

interface Wrapper {
  readonly _enc: number
  readonly k: string
  readonly iv: string
  readonly d: string
}

/** A value for the owner of a public key (base64 of its SubjectPublicKeyInfo), as the text of a wrapper. */
export function seal(publicKey: string, text: string): string {
  const key = createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
  const [aesKey, iv] = [randomBytes(32), randomBytes(12)]
  const k = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, aesKey)
  const wrapper: Wrapper = { _enc: 1, k: base64(k), iv: base64(iv), d: base64(encrypt(aesKey, iv, Buffer.from(text))) }
  return JSON.stringify(wrapper)
}

/** Values use SHA-256; the envelope of encrypted webhooks wraps its key with SHA-1. */
export function open(privateKey: KeyObject, wrapper: unknown, oaepHash: 'sha256' | 'sha1' = 'sha256'): string {
  if (typeof wrapper !== 'string') throw new Error('a wrapper travels as text')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a wrong shape fails to open
  const { _enc, k, iv, d } = JSON.parse(wrapper) as Wrapper
  if (_enc !== 1) throw new Error('not a wrapper')
  const sealing = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }
  return decrypt(privateDecrypt(sealing, bytesOf(k)), bytesOf(iv), bytesOf(d)).toString('utf8')
}

/** One call's text under a fresh key, which goes with it: `base64(iv ‖ ciphertext ‖ tag)`. */
export function underOneTimeKey(...plain: readonly (string | Uint8Array)[]) {
  const key = randomBytes(32)
  const sealed = plain.map((one) => {
    const iv = randomBytes(12)
    return base64(Buffer.concat([iv, encrypt(key, iv, Buffer.from(one))]))
  })
  return { otk: base64(key), sealed }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function hmacSha256(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

function wrapKeyOf(passphrase: string, salt: Uint8Array, iterations: number): Buffer {
  return pbkdf2Sync(passphrase, salt, iterations, 32, 'sha256')
}

/** AES-256-GCM with the tag appended. */
function encrypt(key: Uint8Array, iv: Uint8Array, plain: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv)
  decipher.setAuthTag(data.subarray(data.length - TAG_BYTES))
  return Buffer.concat([decipher.update(data.subarray(0, data.length - TAG_BYTES)), decipher.final()])
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
