import { createHash, webcrypto } from 'node:crypto'
import type { Bytes } from '@sealpost/crypto'
import {
  readElements,
  TAG,
  writeElement,
  writeInteger,
  writeOctets,
  writeSequence,
  writeUnsigned,
} from '@sealpost/crypto/der'
import { describeFailure, type Egress } from '@sealpost/egress'
import type { Clock, Random } from '@sealpost/kernel'
import { type Certificate, MalformedSeal, OIDS, verifyTimestamp } from '@sealpost/pdf-format'
import { algorithm } from './der-values.ts'
import { SealError } from './seal-error.ts'

export interface TimestampOptions {
  readonly url: string
  readonly egress: Egress
  readonly clock: Clock
  readonly random: Random
  /** Certificates that lead to the authority; empty: every authority whose token is valid. */
  readonly trusted: readonly Certificate[]
}

const NONCE_BYTES = 16
const MAX_TOKEN_BYTES = 64 * 1024
/** A time further from ours than this means that one of the clocks is wrong. */
const MAX_DRIFT_MS = 600_000
const BOOLEAN_TRUE = Uint8Array.of(0xff)

/** A token (RFC 3161) over these bytes, checked before it is used. */
export async function requestTimestamp(options: TimestampOptions, stamped: Bytes): Promise<Bytes> {
  const nonce = Uint8Array.from(options.random.bytes(NONCE_BYTES))
  // A first bit would make it negative, a first byte of zero would be shortened.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40
  const answer = await post(options, requestOf(stamped, nonce))
  try {
    return await checked(options, tokenOf(answer), stamped, nonce)
  } catch (error) {
    if (error instanceof MalformedSeal) throw failed('its answer is malformed', error)
    throw error
  }
}

function requestOf(stamped: Bytes, nonce: Bytes): Bytes {
  const hash = Uint8Array.from(createHash('sha256').update(stamped).digest())
  const imprint = writeSequence(algorithm(OIDS.sha256), writeOctets(hash))
  return writeSequence(writeInteger(1), imprint, writeUnsigned(nonce), writeElement(1, BOOLEAN_TRUE))
}

async function post({ egress, url }: TimestampOptions, body: Bytes): Promise<Bytes> {
  const response = await egress.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body,
    connectTimeoutMs: 5_000,
    totalTimeoutMs: 15_000,
    maxResponseBytes: MAX_TOKEN_BYTES,
    isRepeatable: true,
  })
  if (!response.ok) throw failed(describeFailure(response.refusal))
  if (response.value.status !== 200) throw failed(`it answered with status ${response.value.status}`)
  return Uint8Array.from(response.value.body)
}

/** `SEQUENCE { SEQUENCE { status … }, token }` */
function tokenOf(answer: Bytes): Bytes {
  const [response, ...others] = readElements(answer) ?? []
  const [info, token] =
    response?.tag === TAG.sequence && others.length === 0 ? (readElements(response.content) ?? []) : []
  const [status] = info?.tag === TAG.sequence ? (readElements(info.content) ?? []) : []
  if (status?.tag !== TAG.integer || status.content.length !== 1) throw failed('its answer is malformed')
  // Granted, or granted with modifications.
  if ((status.content[0] ?? 2) > 1 || token === undefined) throw failed(`it refused with status ${status.content[0]}`)
  return writeElement(token.tag, token.content)
}

async function checked(
  { trusted, clock }: TimestampOptions,
  token: Bytes,
  stamped: Bytes,
  nonce: Bytes,
): Promise<Bytes> {
  const timestamp = await verifyTimestamp(webcrypto, token, stamped, trusted)
  if (timestamp === null) throw failed('its token is not valid for the signature')
  if (timestamp.nonce === null || Buffer.compare(timestamp.nonce, nonce) !== 0)
    throw failed('its token answers another request')
  if (trusted.length > 0 && !timestamp.isTrusted) throw failed('its certificate is not trusted')
  if (Math.abs(timestamp.at - clock.now()) > MAX_DRIFT_MS) throw failed('its clock differs from ours')
  return token
}

function failed(reason: string, cause?: unknown): SealError {
  return new SealError('timestamp', `the time-stamping authority gave no time-stamp: ${reason}`, { cause })
}
