import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A platform authenticator in software: it makes one passkey and signs with it, as a browser would hand it over. */
export interface SoftAuthenticator {
  readonly credentialId: string
  /** The answer to `navigator.credentials.create` in its JSON form. */
  create(challenge: string): PasskeyCredentialJson
  /** The answer to `navigator.credentials.get` in its JSON form; its counter rises unless it is told to stand still. */
  get(challenge: string): PasskeyAssertionJson
}

export interface AuthenticatorOptions {
  readonly origin: string
  /** The host of the origin unless told. */
  readonly rpId?: string
  /** Whether the user was verified; a browser reports what the device says. */
  readonly isUserVerified?: boolean
  /** Like the passkeys of many makers, which count nothing. */
  readonly hasCounter?: boolean
}

export interface PasskeyCredentialJson {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string }
}

export interface PasskeyAssertionJson {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export function softAuthenticator(options: AuthenticatorOptions): SoftAuthenticator {
  const { origin, isUserVerified = true, hasCounter = true } = options
  const rpIdHash = sha256(options.rpId ?? new URL(origin).hostname)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  const presence = USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0)
  let count = 0

  const authData = (flags: number): Buffer => {
    count += hasCounter ? 1 : 0
    return Buffer.concat([rpIdHash, Buffer.from([flags]), uint32(count)])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge: base64url(challenge), origin, crossOrigin: false }))

  return {
    credentialId: id,
    create(challenge) {
      const attested = Buffer.concat([Buffer.alloc(16), uint16(rawId.length), rawId, coseKey(publicKey)])
      const data = Buffer.concat([authData(presence | HAS_CREDENTIAL), attested])
      const object = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ])
      const clientDataJSON = clientData('webauthn.create', challenge).toString('base64url')
      const response = { clientDataJSON, attestationObject: object.toString('base64url') }
      return { id, rawId: id, type: 'public-key', response }
    },
    get(challenge) {
      const data = authData(presence)
      const client = clientData('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return { id, rawId: id, type: 'public-key', response }
    },
  }
}

/** A P-256 key that an app keeps behind its passcode. */
export interface SoftDeviceKey {
  /** base64 of the SubjectPublicKeyInfo. */
  readonly publicKey: string
  /** base64 of the 64 bytes of an ES256 signature over the text. */
  sign(text: string): string
}

export function softDeviceKey(namedCurve = 'P-256'): SoftDeviceKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (text) =>
      sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64'),
  }
}

/** EC2, ES256, P-256: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

/** CBOR (RFC 8949), as much of it as an attestation needs. */
function cborHead(major: number, length: number): Buffer {
  const tag = major << 5
  if (length < 24) return Buffer.from([tag | length])
  return length < 256 ? Buffer.from([tag | 24, length]) : Buffer.concat([Buffer.from([tag | 25]), uint16(length)])
}

function cborInteger(value: number): Buffer {
  return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
}

function cborMap(pairs: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
