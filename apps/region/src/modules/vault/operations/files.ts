import { reportMissing } from '../../../platform/missing-object.ts'
import type { Platform } from '../../../platform/module.ts'
import { announceObject } from '../garbage/index.ts'
import type { StagedFile, VaultValue } from '../model.ts'
import { putFileAnswer } from './file-answer.ts'

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

/** The envelope of a file in the clear; null when the store does not have it. Slow: never inside a transaction. */
export async function readClearEnvelope(
  platform: Pick<Platform, 'objects' | 'telemetry'>,
  { content, fieldId }: Pick<VaultValue, 'content' | 'fieldId'>,
): Promise<string | null> {
  if (content.kind !== 'object' || content.form !== 'clear')
    throw new Error(`field ${fieldId} holds no file in the clear`)
  const found = await platform.objects.get(content.objectKey, { sha256: content.sha256, maxBytes: LARGEST_BYTES })
  if (!found.ok && found.refusal === 'not_found') {
    reportMissing(platform, content.objectKey)
    return null
  }
  if (!found.ok) throw new Error(`the file of field ${fieldId} is ${found.refusal}`)
  const answer: unknown = JSON.parse(Buffer.from(found.value).toString('utf8'))
  const isWhole = typeof answer === 'object' && answer !== null && 'value' in answer
  if (!isWhole || typeof answer.value !== 'string') throw new Error(`the file of field ${fieldId} has no envelope`)
  return answer.value
}
