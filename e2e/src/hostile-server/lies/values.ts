import { createCryptoPlatform, deriveAccountSecrets, generateKeyPair, newBinding, signValue } from '@sealpost/crypto'
import type { Stage } from '../stage.ts'
import { inRecord } from './in-record.ts'
import { eu, type LieCase, untrusted } from './lie-case.ts'

const platform = createCryptoPlatform(globalThis)
const REFUSED = 'refused value'

async function readName(stage: Stage) {
  const service = stage.service()
  const { values } = await service.connections.get(stage.connectionId)
  const place = { connectionId: stage.connectionId, slug: 'name' }
  return service.values.decryptValue(values['name'] ?? {}, 'text', stage.serviceKey, place)
}

/** All values of the record, as a backend reads them that has never seen the connection. */
async function readAllAtFirst(stage: Stage): Promise<void> {
  const service = stage.service('none')
  const opened = await service.values.decrypt(await service.connections.get(stage.connectionId), stage.serviceKey)
  for (const value of Object.values(opened)) {
    if (value.kind === 'refused') throw Object.assign(new Error(value.message), { name: REFUSED, reason: value.reason })
  }
}

/** A value that the operator seals and signs with a key of its own. */
async function forgedAndSigned(stage: Stage) {
  const value = await stage.operator.seal(stage.serviceKey.publicKey, 'Mallory')
  const { privateKey } = await generateKeyPair(platform)
  const secrets = await deriveAccountSecrets(platform, privateKey)
  if (!secrets.ok) throw new Error(secrets.refusal)
  const place = { binding: newBinding(platform), recipient: stage.serviceKey.fingerprint, slug: 'name' }
  const signed = await signValue(platform, secrets.value.signer, place, value, Date.now())
  if (!signed.ok) throw new Error(signed.refusal)
  return { value, sender_signature: signed.value }
}

/** What the company's backend believes about values. */
export const valueLies: readonly LieCase[] = [
  {
    name: "another customer's value in a record",
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.name': stage.captured.ben.values['name'] }),
    act: readName,
    refused: untrusted('sender_changed'),
  },
  {
    name: "another customer's value in a record that is read for the first time",
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.name': stage.captured.ben.values['name'] }),
    act: readAllAtFirst,
    refused: { name: REFUSED, reason: 'sender_changed' },
  },
  {
    name: 'the value of another field in its place',
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.name': stage.captured.ana.values['note'] }),
    act: readName,
    refused: untrusted('signature_mismatch'),
  },
  {
    name: 'a value of the operator without a signature',
    server: eu,
    lie: async (stage) => {
      const value = await stage.operator.seal(stage.serviceKey.publicKey, 'Mallory')
      return inRecord(stage, { 'values.name.value': value, 'values.name.sender_signature': undefined })
    },
    act: readName,
    refused: untrusted('signature_missing'),
  },
  {
    name: 'a value of the operator in a record that is read for the first time',
    server: eu,
    lie: async (stage) => {
      const value = await stage.operator.seal(stage.serviceKey.publicKey, 'Mallory')
      return inRecord(stage, { 'values.name.value': value, 'values.name.sender_signature': undefined })
    },
    act: readAllAtFirst,
    refused: { name: REFUSED, reason: 'signature_missing' },
  },
  {
    name: 'a value of the operator with the signature of the true one',
    server: eu,
    lie: async (stage) =>
      inRecord(stage, { 'values.name.value': await stage.operator.seal(stage.serviceKey.publicKey, 'Mallory') }),
    act: readName,
    refused: untrusted('signature_mismatch'),
  },
  {
    name: 'a value of the operator, signed by the operator',
    server: eu,
    lie: async (stage) => {
      const forged = await forgedAndSigned(stage)
      return inRecord(stage, {
        'values.name.value': forged.value,
        'values.name.sender_signature': forged.sender_signature,
      })
    },
    act: readName,
    refused: untrusted('sender_changed'),
  },
  {
    name: 'an earlier value of the same field',
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.name': stage.captured.olderName }),
    act: readName,
    refused: untrusted('replayed'),
  },
  {
    name: 'a value without its signature',
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.name.sender_signature': undefined }),
    act: readName,
    refused: untrusted('signature_missing'),
  },
  {
    name: 'a value of the operator that claims to come from a run of a flow',
    server: eu,
    lie: async (stage) => {
      const value = await stage.operator.seal(stage.serviceKey.publicKey, 'Mallory')
      const claim = { 'values.name.value': value, 'values.name.flow_id': stage.connectionId }
      return inRecord(stage, { ...claim, 'values.name.sender_signature': undefined })
    },
    act: readName,
    refused: untrusted('signature_missing'),
  },
  {
    name: 'a signature that cannot be read',
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.name.sender_signature': 'v2.none' }),
    act: readName,
    refused: untrusted('signature_malformed'),
  },
  {
    name: 'a signature with a later time',
    server: eu,
    lie: (stage) =>
      inRecord(stage, {
        'values.name.sender_signature': (own: unknown) => String(own).replace(/\.\d+\./, '.9999999999999.'),
      }),
    act: readName,
    refused: untrusted('signature_mismatch'),
  },
  {
    name: 'a value sealed to the operator',
    server: eu,
    lie: async (stage) =>
      inRecord(stage, { 'values.name.value': await stage.operator.seal(stage.operator.publicKey, 'x') }),
    act: readName,
    refused: { name: 'SealingError', refusal: 'wrong_key' },
  },
  {
    name: 'a value in the clear',
    server: eu,
    lie: (stage) => inRecord(stage, { 'values.name.value': 'Mallory' }),
    act: readName,
    refused: { name: 'SealingError', refusal: 'not_a_wrapper' },
  },
]
