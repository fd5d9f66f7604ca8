import type { Instant } from '@sealpost/kernel'
import { instant } from '@sealpost/kernel'
import type { ObjectKey, Objects } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { announceObject, discardObjects } from './garbage/index.ts'
import type { VaultNeeds } from './needs.ts'
import type { StagedFile, VaultValue } from './value.ts'

/** Whoever is reading a file when it is replaced may finish. */
const READERS_LEAVE_MS = 10 * 60_000
/** More than the largest answer: a sealed document of the highest cap. */
const LARGEST_BYTES = 128 * 1024 * 1024

type ObjectNeeds = Pick<VaultNeeds, 'database' | 'clock' | 'random' | 'objects'>

/** Stores what the file route will answer. Until a transaction keeps it, it is garbage. */
export async function storeAnswer(needs: ObjectNeeds, isSealed: boolean, text: string): Promise<StagedFile> {
  const content = Buffer.from(JSON.stringify({ encrypted: isSealed, value: text }))
  const objectKey = await announceObject(needs)
  const stored = await needs.objects.put(objectKey, content, { contentType: 'application/json' })
  if (!stored.ok) throw new Error('a file changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

/** The envelope of a file in the clear. Slow: never inside a transaction. */
export async function readClearEnvelope(
  { objects }: { readonly objects: Objects },
  { content, fieldId }: Pick<VaultValue, 'content' | 'fieldId'>,
): Promise<string> {
  if (content.kind !== 'object' || content.form !== 'clear')
    throw new Error(`field ${fieldId} holds no file in the clear`)
  const found = await objects.get(content.objectKey, { sha256: content.sha256, maxBytes: LARGEST_BYTES })
  if (!found.ok) throw new Error(`the file of field ${fieldId} is ${found.refusal}`)
  const answer: unknown = JSON.parse(Buffer.from(found.value).toString('utf8'))
  const isWhole = typeof answer === 'object' && answer !== null && 'value' in answer
  if (!isWhole || typeof answer.value !== 'string') throw new Error(`the file of field ${fieldId} has no envelope`)
  return answer.value
}

/** In the transaction that drops the last reference. */
export async function discardLater(tx: Tx, keys: readonly ObjectKey[], now: Instant): Promise<void> {
  if (keys.length > 0) await discardObjects(tx, keys, instant(now + READERS_LEAVE_MS))
}
