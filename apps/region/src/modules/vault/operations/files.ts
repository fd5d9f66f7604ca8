import { type Instant, instant } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../../platform/module.ts'
import { announceObject, discardObjects } from '../garbage/index.ts'
import type { StagedFile, VaultValue } from '../model.ts'
import { putFileAnswer } from './file-answer.ts'

/** Time for readers that opened a file before it was replaced. */
const READERS_LEAVE_MS = 10 * 60_000
/** Above the largest answer: a sealed document of the highest cap. */
const LARGEST_BYTES = 128 * 1024 * 1024

/** Stores what the file route will answer. The object is garbage until a transaction keeps it. */
export async function storeFile(
  vault: Pick<Platform, 'database' | 'clock' | 'random' | 'objects'>,
  isSealed: boolean,
  text: string,
): Promise<StagedFile> {
  const objectKey = await announceObject(vault)
  const stored = await putFileAnswer(vault.objects, objectKey, isSealed, text)
  if (!stored.ok) throw new Error('a file changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

/** The envelope of a file in the clear. Slow: never inside a transaction. */
export async function readClearEnvelope(
  { objects }: Pick<Platform, 'objects'>,
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

/** In the transaction that removes the last reference. */
export async function discardLater(tx: Tx, keys: readonly ObjectKey[], now: Instant): Promise<void> {
  if (keys.length > 0) await discardObjects(tx, keys, instant(now + READERS_LEAVE_MS))
}
