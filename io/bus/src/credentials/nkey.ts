import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/**
 * The Ed25519 keys of NATS users, in the text form of NATS: base32 of a prefix, 32 bytes and a checksum. With Node's own
 * Ed25519, because that of the client library is in JavaScript and takes 20 ms per login.
 */
export interface UserKey {
  /** `U…`: the name of the user at a server. */
  readonly publicKey: string
  /** As CONNECT has it. */
  sign(challenge: string): string
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const USER = 20 << 3
/** The words "seed" and "user", so that the text begins with SU. */
const USER_SEED = [(18 << 3) | (USER >> 5), (USER & 31) << 3]
/** Everything in front of the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32
const CHECKSUM_BYTES = 2

export function createUserSeed(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return encode([...USER_SEED, ...privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(PKCS8.length)])
}

/** Throws when the text is not the seed of a user. */
export function openUserKey(seed: string): UserKey {
  const bytes = decode(seed)
  const isUserSeed = USER_SEED.every((byte, at) => bytes[at] === byte)
  if (!isUserSeed || bytes.length !== USER_SEED.length + KEY_BYTES) throw new Error('not the seed of a NATS user')
  const key = Buffer.concat([PKCS8, bytes.subarray(USER_SEED.length)])
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return {
    publicKey: encode([USER, ...rawPublicKey(privateKey)]),
    sign: (challenge) => sign(null, Buffer.from(challenge), privateKey).toString('base64'),
  }
}

function rawPublicKey(privateKey: KeyObject): Uint8Array {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
}

function encode(payload: readonly number[]): string {
  const check = checksum(payload)
  const bits = [...payload, check & 0xff, check >> 8].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function decode(text: string): Uint8Array {
  const bits = text
    .split('')
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2))
  const payload = bytes.subarray(0, -CHECKSUM_BYTES)
  const [low, high] = bytes.subarray(-CHECKSUM_BYTES)
  if (low === undefined || high === undefined || checksum([...payload]) !== ((high << 8) | low))
    throw new Error('not a key of NATS')
  return payload
}

/** CRC-16 of XMODEM. */
function checksum(bytes: readonly number[]): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc
}
