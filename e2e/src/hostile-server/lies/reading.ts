import { createCryptoPlatform, hashVerified } from '@sealpost/crypto'
import { waitUntil } from '@sealpost/testkit'
import { answers, getAt, setAt } from '../edit.ts'
import type { Lie } from '../proxy.ts'
import { BORN, type Stage } from '../stage.ts'
import { inRecord } from './in-record.ts'
import { eu, type LieCase, newSecret, untrusted } from './lie-case.ts'

const platform = createCryptoPlatform(globalThis)
const FEED = /^\/api\/company-data\/changes$/
const FILE = /\/file$/

/** Ana edits, and the backend opens the event about it. */
async function readEvent(stage: Stage): Promise<unknown> {
  const text = newSecret()
  await stage.app().contactData.put(stage.field('first_name'), text)
  const service = stage.service()
  let opened: unknown
  await waitUntil('the event arrives', 15_000, async () => {
    for await (const change of service.changes.drain()) {
      if (change.event !== 'field_updated') continue
      opened = await service.values.decryptValue(change, 'text', stage.serviceKey)
    }
    return opened !== undefined
  })
  return opened
}

function ofEvents(change: (event: unknown) => unknown): Lie {
  return answers('GET', FEED, {
    'changes.*': (event: unknown) => (getAt(event, 'event') === 'field_updated' ? change(event) : event),
  })
}

async function requireAttested(stage: Stage): Promise<void> {
  const service = stage.service('own', { demo_id: [stage.verifierKey] })
  const { values } = await service.connections.get(stage.connectionId)
  const place = { connectionId: stage.connectionId, slug: 'born' }
  const born = await service.values.decryptValue(values['born'] ?? {}, 'date_of_birth', stage.serviceKey, place)
  if (born.attestedBy !== 'verifier') throw Object.assign(new Error('not attested'), { name: 'not attested' })
}

async function readLease(stage: Stage): Promise<unknown> {
  const service = stage.service()
  const connection = await service.connections.get(stage.connectionId)
  return service.files.readShared(connection, 'lease', stage.serviceKey)
}

/** Events, verifications and files that the company's backend reads. */
export const readingLies: readonly LieCase[] = [
  {
    name: 'an event with a value of the operator',
    server: eu,
    lie: async (stage) => {
      const value = await stage.operator.seal(stage.serviceKey.publicKey, 'Mallory')
      return ofEvents((event) => setAt(event, ['value'], value))
    },
    act: readEvent,
    refused: untrusted('signature_mismatch'),
  },
  {
    name: 'an event without the signature of its value',
    server: eu,
    lie: () => ofEvents((event) => setAt(event, ['sender_signature'], undefined)),
    act: readEvent,
    refused: untrusted('signature_missing'),
  },
  {
    name: 'an event about another field',
    server: eu,
    lie: () => ofEvents((event) => setAt(event, ['slug'], 'note')),
    act: readEvent,
    refused: untrusted('signature_mismatch'),
  },
  {
    name: 'an event about another connection',
    server: eu,
    lie: (stage) => ofEvents((event) => setAt(event, ['connection_id'], stage.benConnectionId)),
    act: readEvent,
    refused: untrusted('sender_changed'),
  },
  {
    name: 'a verification that no provider made',
    server: eu,
    lie: async (stage) => {
      const salt = 'ab'.repeat(16)
      const hash = await hashVerified(platform, salt, BORN)
      return inRecord(stage, {
        'values.born.verified_hash': hash,
        'values.born.verified_salt': salt,
        'values.born.verified_statement': undefined,
      })
    },
    act: requireAttested,
    refused: { name: 'not attested' },
  },
  {
    name: 'a statement that the verifier did not sign',
    server: eu,
    lie: (stage) =>
      inRecord(stage, {
        'values.born.verified_statement': (own: unknown) => {
          const [head = '', , tag = ''] = String(own).split('.')
          const body = Buffer.from(JSON.stringify({ hash: 'x', salt: 'y' })).toString('base64url')
          return `${head}.${body}.${tag}`
        },
      }),
    act: requireAttested,
    refused: { name: 'not attested' },
  },
  {
    name: 'the statement about another value',
    server: eu,
    lie: async (stage) => {
      const value = await stage.operator.seal(stage.serviceKey.publicKey, '1970-01-01')
      return inRecord(stage, { 'values.born.value': value })
    },
    act: requireAttested,
    refused: untrusted('signature_mismatch'),
  },
  {
    name: 'the file of another connection',
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.lease.value_url': stage.captured.ben.values['lease']?.value_url }),
    act: readLease,
    refused: untrusted('file_moved'),
  },
  {
    name: 'a file of the operator',
    server: eu,
    lie: async (stage) => {
      const envelope = JSON.stringify({ file: 'data:application/pdf;base64,JVBERg==' })
      const value = await stage.operator.seal(stage.serviceKey.publicKey, envelope)
      return answers('GET', FILE, { value })
    },
    act: readLease,
    refused: untrusted('file_changed'),
  },
  {
    name: 'a file of the operator, with its digest in the record',
    server: eu,
    lie: async (stage) => {
      const envelope = JSON.stringify({ file: 'data:application/pdf;base64,JVBERg==' })
      const value = await stage.operator.seal(stage.serviceKey.publicKey, envelope)
      return replaceFile(stage, { encrypted: true, value })
    },
    act: readLease,
    refused: untrusted('signature_mismatch'),
  },
  {
    name: 'a file in the clear instead of the sealed one',
    server: eu,
    lie: (stage) => {
      const value = JSON.stringify({ file: 'data:application/pdf;base64,JVBERg==' })
      return replaceFile(stage, { encrypted: false, value })
    },
    act: readLease,
    refused: untrusted('signature_mismatch'),
  },
]

/** Replaces the file and the digest that the record announces. */
async function replaceFile(stage: Stage, file: object): Promise<Lie> {
  const bytes = new TextEncoder().encode(JSON.stringify(file))
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  const told = inRecord(stage, { 'values.lease.content_sha256': digest })
  const inFile = answers('GET', FILE, () => file)
  return (answer) => inFile(answer) ?? told(answer)
}
