import type { FileCaps, Registry } from '@sealpost/field-types'
import type { Result } from '@sealpost/kernel'
import type { ObjectKey, StoredObject } from '@sealpost/objects'
import type { DecisionFile, SlotFile } from '@sealpost/protocol'
import { announceObject, putFileAnswer, validateValue, readClearEnvelope, refuseValue } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { MadeFile } from '../model.ts'
import { type ClearFile, clearFileOf, envelopeOf } from '../rules/clear-file.ts'
import type { Content, Planned } from '../rules/decisions.ts'
import { invalid } from '../rules/refusals.ts'

/** The file of a slot; null if its value is not a file. Callers make one file at a time to bound memory. */
export async function makeFile(
  context: CustomerContext,
  registry: Registry,
  { content, place }: Planned,
): Promise<MadeFile | null> {
  switch (content.from) {
    case 'wrapper':
    case 'kept':
      return null
    case 'sealed_file':
      return storeText(context, 'sealed', content.wrapper)
    case 'vault':
      return storeClear(context, await readClearFile(context, registry, content, place))
    case 'call':
      return storeClear(context, validatedFile(registry, content.type, content.file))
  }
}

export async function storeClear(context: CustomerContext, file: ClearFile): Promise<MadeFile> {
  if (file.form === 'envelope') {
    return storeText(context, 'envelope', file.envelope)
  }
  return storeRaw(context, file.mimeType, Buffer.from(file.base64, 'base64'))
}

/** Validates the clear files of a call, before any is stored. */
export function requireClearFiles(caps: FileCaps, registry: Registry, planned: readonly Planned[]): void {
  for (const { content, place } of planned) {
    if (content.from !== 'call') continue
    const value = envelopeOf(registry, content.type, content.file)
    if (value === null)
      throw invalid(`${place}/file`, 'needs `file`, or `envelope` for a type that holds more than one')
    const validated = validateValue({ registry, type: content.type, userType: 'person', isPrivate: false, value, caps })
    if (!validated.ok) throw refuseValue(validated.refusal, `${place}/file`)
    if (clearFileOf(registry, content.type, value) === null) throw invalid(`${place}/file`, 'holds no file')
  }
}

async function readClearFile(
  context: CustomerContext,
  registry: Registry,
  { value }: Extract<Content, { readonly from: 'vault' }>,
  place: string,
): Promise<ClearFile> {
  const envelope = await readClearEnvelope(context, value)
  if (envelope === null) throw invalid(`${place}/source_field_id`, 'is not a field of yours that has a value')
  const file = clearFileOf(registry, value.type, envelope)
  if (file === null) throw new Error(`the clear envelope of field ${value.fieldId} holds no file`)
  return file
}

function validatedFile(registry: Registry, type: string, given: DecisionFile): ClearFile {
  const envelope = envelopeOf(registry, type, given)
  const file = envelope === null ? null : clearFileOf(registry, type, envelope)
  if (file === null) throw new Error('a clear file was not validated before it was stored')
  return file
}

async function storeText(context: CustomerContext, form: 'sealed' | 'envelope', text: string): Promise<MadeFile> {
  const objectKey = await announceObject(context)
  const stored = await putFileAnswer(context.objects, objectKey, form === 'sealed', text)
  return madeFile(objectKey, form, 'application/json', stored)
}

async function storeRaw(context: CustomerContext, contentType: string, content: Uint8Array): Promise<MadeFile> {
  const objectKey = await announceObject(context)
  return madeFile(objectKey, 'raw', contentType, await context.objects.put(objectKey, content, { contentType }))
}

function madeFile(
  objectKey: ObjectKey,
  form: SlotFile['form'],
  contentType: string,
  stored: Result<StoredObject, 'damaged'>,
): MadeFile {
  if (!stored.ok) throw new Error('the stored object differs from the file')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes, form, contentType }
}
