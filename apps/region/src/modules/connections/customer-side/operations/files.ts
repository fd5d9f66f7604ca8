import type { Registry } from '@sealpost/field-types'
import type { DecisionFile, SlotFile } from '@sealpost/protocol'
import { announceObject, judgeValue, readClearEnvelope, refuseValue, type StagedFile } from '../../../vault/index.ts'
import type { CustomerNeeds } from '../needs.ts'
import { type ClearFile, envelopeOf, showEnvelope } from '../rules/clear-file.ts'
import type { Content, Planned } from '../rules/decisions.ts'
import { invalid } from './refusals.ts'

type FileNeeds = Pick<CustomerNeeds, 'database' | 'clock' | 'random' | 'objects'>

/** A file that is stored here as its service will serve it. Until a transaction keeps the object, it is garbage. */
export interface MadeFile extends StagedFile {
  readonly form: SlotFile['form']
  readonly contentType: string
}

/** The file of a slot; null where its value is no file. One after the other, so that one at a time is in memory. */
export async function makeFile(needs: FileNeeds, registry: Registry, { content }: Planned): Promise<MadeFile | null> {
  switch (content.from) {
    case 'wrapper':
    case 'kept':
      return null
    case 'sealed_file':
      return storeServed(needs, 'sealed', 'application/json', answerText(true, content.wrapper))
    case 'vault':
      return storeClear(needs, await clearOf(needs, registry, content))
    case 'call':
      return storeClear(needs, judgedOf(registry, content.type, content.file))
  }
}

/** What every service that a clear file is shared with gets a copy of. */
export async function storeClear(needs: FileNeeds, file: ClearFile): Promise<MadeFile> {
  if (file.form === 'envelope') {
    return storeServed(needs, 'envelope', 'application/json', answerText(false, file.envelope))
  }
  return storeServed(needs, 'raw', file.mimeType, Buffer.from(file.base64, 'base64'))
}

/** Judges the clear files of a call before anything is stored. */
export function demandClearFiles(
  { caps }: Pick<CustomerNeeds, 'caps'>,
  registry: Registry,
  planned: readonly Planned[],
): void {
  for (const { content, place } of planned) {
    if (content.from !== 'call') continue
    const value = envelopeOf(registry, content.type, content.file)
    if (value === null)
      throw invalid(`${place}/file`, 'needs `file`, or `envelope` for a type that holds more than one')
    const judged = judgeValue({ registry, type: content.type, userType: 'person', isPrivate: false, value, caps })
    if (!judged.ok) throw refuseValue(judged.refusal, `${place}/file`)
    if (showEnvelope(registry, content.type, value) === null) throw invalid(`${place}/file`, 'holds no file')
  }
}

async function clearOf(
  { objects }: FileNeeds,
  registry: Registry,
  { value }: Extract<Content, { readonly from: 'vault' }>,
): Promise<ClearFile> {
  const shown = showEnvelope(registry, value.type, await readClearEnvelope({ objects }, value))
  if (shown === null) throw new Error(`the clear file of field ${value.fieldId} has no file in it`)
  return shown
}

function judgedOf(registry: Registry, type: string, file: DecisionFile): ClearFile {
  const envelope = envelopeOf(registry, type, file)
  const shown = envelope === null ? null : showEnvelope(registry, type, envelope)
  if (shown === null) throw new Error('a clear file was not judged before it was stored')
  return shown
}

async function storeServed(
  needs: FileNeeds,
  form: SlotFile['form'],
  contentType: string,
  content: Uint8Array,
): Promise<MadeFile> {
  const objectKey = await announceObject(needs)
  const stored = await needs.objects.put(objectKey, content, { contentType })
  if (!stored.ok) throw new Error('a file changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes, form, contentType }
}

function answerText(encrypted: boolean, value: string): Uint8Array {
  return Buffer.from(JSON.stringify({ encrypted, value }))
}
