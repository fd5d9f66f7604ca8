import { announceObject, putFileAnswer } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { StoredObject } from '../model.ts'

type Storing = Pick<ServiceSideContext, 'database' | 'clock' | 'random' | 'objects'>

/** A longer text does not fit into a message: it travels as an attachment, as the answer of the file route. */
export const INLINE_MAX_BYTES = 128 * 1024

/** Stores what the customer's file route answers. The object is garbage until a transaction keeps it. */
export async function storeAnswer(context: Storing, isSealed: boolean, text: string): Promise<StoredObject> {
  const objectKey = await announceObject(context)
  const stored = await putFileAnswer(context.objects, objectKey, isSealed, text)
  if (!stored.ok) throw new Error('a document changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

export async function storeRaw(context: Storing, content: Uint8Array, contentType: string): Promise<StoredObject> {
  const objectKey = await announceObject(context)
  const stored = await context.objects.put(objectKey, content, { contentType })
  if (!stored.ok) throw new Error('a file changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}
