import { type Bytes, importAccountOpeningKey, importPrivateKeyPem, openAccountEnvelope } from '@sealpost/crypto'
import { accept, decline, type Result, Secret } from '@sealpost/kernel'
import { isRecord } from '../exchange.ts'
import { hostPlatform } from '../keys/host.ts'
import { orThrow } from '../keys/or-throw.ts'
import type { AccountKeyFile } from '../keys/private-keys.ts'
import type { ReceiverAnswer } from './received-request.ts'

type Event = Readonly<Record<string, unknown>>

/** The event of a body whose signature was checked. */
export type OpenBody = (body: Bytes) => Promise<Result<Event, ReceiverAnswer>>

export async function openBodies(accountKey: Uint8Array | AccountKeyFile | undefined): Promise<OpenBody> {
  const platform = hostPlatform()
  const secret = accountKey === undefined ? null : await readKey(accountKey)
  const key = secret === null ? null : await importAccountOpeningKey(platform, secret)
  if (key?.ok === false) throw new TypeError('accountKey must be the PKCS#8 bytes of the account’s private key')

  return async (body) => {
    const text = platform.utf8.decode(body)
    const event = text === null ? null : parse(text)
    if (text === null || event === null) return refuse(text)
    if (event['_enc'] !== 1) return accept(event)
    if (key === null) return refused(400, 'the body is encrypted, and the receiver was opened without accountKey')
    const opened = await openAccountEnvelope(platform, key.value, text)
    if (!opened.ok) return refused(400, `the body could not be opened with accountKey: ${opened.refusal}`)
    const inner = parse(opened.value)
    return inner === null ? refuse(opened.value) : accept(inner)
  }
}

async function readKey(accountKey: Uint8Array | AccountKeyFile): Promise<Secret<Bytes>> {
  if (accountKey instanceof Uint8Array) return new Secret(Uint8Array.from(accountKey))
  const { pem, passphrase } = accountKey
  return orThrow(await importPrivateKeyPem(hostPlatform(), pem, new Secret(passphrase)))
}

function refuse(text: string | null): Result<never, ReceiverAnswer> {
  const isXml = text?.trimStart().startsWith('<') === true
  if (isXml) return refused(415, 'the body is XML: set the format of the webhook to json')
  return refused(400, 'the body is not a JSON object')
}

function refused(status: 400 | 415, text: string): Result<never, ReceiverAnswer> {
  return decline({ status, text })
}

function parse(text: string): Event | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? parsed : null
  } catch {
    return null
  }
}
