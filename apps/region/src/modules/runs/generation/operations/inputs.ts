import { sealedTextMax } from '@sealpost/field-types'
import { accept, decline, type Result, Secret } from '@sealpost/kernel'
import { refuse, type GenerateRefusal } from '@sealpost/protocol'
import { announceObject, discardObjects, keepObject } from '../../../vault/index.ts'
import { newHandle } from '../../rules/file-handles.ts'
import { namedHandles, readInputs } from '../../rules/named-inputs.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { Actor, AnswerFile, RunName, StoredObject, StoredRun } from '../../service-side/model.ts'
import { insertAnswerFile } from '../../service-side/store/files.ts'
import { lockRun } from '../../service-side/store/runs.ts'
import type { HandedOver, SealedText } from '../model.ts'
import { deleteInputs, findInput } from '../store/inputs.ts'
import { findGenerating } from './generate.ts'

/** Inputs are uploaded by the generating party, and only while the run is generating. */
export async function allowInput(
  context: Pick<ServiceSideContext, 'database'>,
  name: RunName,
  actor: Actor,
): Promise<Result<null, GenerateRefusal>> {
  const found = await findGenerating(context, name, actor)
  if (!found.ok) return found
  return found.value.generating === 'now' ? accept(null) : decline('flows.not_generatable')
}

/** The owner's upload: text under the one-time key, which the server does not know yet. */
export async function storeInput(
  context: ServiceSideContext,
  run: StoredRun,
  { source_key: sourceKey, value }: { readonly source_key: string; readonly value: string },
): Promise<{ readonly input: string }> {
  const allowed = await allowInput(context, run, { userId: run.companyId, region: null })
  if (!allowed.ok) throw refuse(allowed.refusal)
  if (value.length > sealedTextMax(context.settings.DOCUMENT_MAX_MB)) throw refuse('documents.too_large')
  const object = await putInput(context, value)
  const input: AnswerFile = {
    serviceId: run.serviceId,
    id: newHandle(context, 'gi'),
    runId: run.id,
    slug: sourceKey,
    forUserId: run.companyId,
    ...object,
    isUsed: false,
    createdAt: context.clock.now(),
  }
  await context.database.transaction(async (tx) => {
    // The lock keeps generate and the deletion of the run's data away, which would miss this input.
    if ((await lockRun(tx, run))?.status !== 'generating') throw refuse('flows.not_generatable')
    await keepObject(tx, object.objectKey)
    await insertAnswerFile(tx, input)
    await tx.storeAnswer({ input: input.id })
  })
  return { input: input.id }
}

async function putInput(context: ServiceSideContext, text: string): Promise<StoredObject> {
  const objectKey = await announceObject(context)
  const stored = await context.objects.put(objectKey, Buffer.from(text), { contentType: 'text/plain' })
  if (!stored.ok) throw new Error('an input changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

export interface GenerateBody {
  readonly otk?: unknown
  readonly values?: unknown
  readonly inputs?: unknown
}

/** What the owner hands over, from the body of the call. */
export async function readHandOver(context: ServiceSideContext, run: RunName, body: GenerateBody): Promise<HandedOver> {
  const { otk, values } = body
  return {
    otk: new Secret(typeof otk === 'string' ? otk : ''),
    values: typeof values === 'string' ? async () => values : null,
    inputs: await findInputs(context, run, body.inputs),
    fileSlugs: null,
  }
}

/** The inputs that a refused call has named go with it: the next call hands over anew. */
export async function discardInputs(
  { database, clock }: ServiceSideContext,
  run: RunName,
  given: unknown,
): Promise<void> {
  const handles = namedHandles(given)
  if (handles.length === 0) return
  await database.transaction(async (tx) => discardObjects(tx, await deleteInputs(tx, run, handles), clock.now()))
}

async function findInputs(
  context: ServiceSideContext,
  run: RunName,
  given: unknown,
): Promise<ReadonlyMap<string, SealedText> | null> {
  const named = readInputs(given)
  if (named === null) return null
  const inputs = new Map<string, SealedText>()
  for (const { sourceKey, input } of named) {
    const object = await context.database.read((read) => findInput(read, run, input, sourceKey))
    if (object === null) return null
    inputs.set(sourceKey, () => readText(context, object))
  }
  return inputs
}

async function readText(
  { objects }: ServiceSideContext,
  { objectKey, sha256, bytes }: StoredObject,
): Promise<string | null> {
  const found = await objects.get(objectKey, { sha256, maxBytes: bytes })
  return found.ok ? Buffer.from(found.value).toString('latin1') : null
}
