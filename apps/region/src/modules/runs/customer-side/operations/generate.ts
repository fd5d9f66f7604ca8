import { sealedTextMax } from '@sealpost/field-types'
import { Secret } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import type { Read, Tx } from '@sealpost/postgres'
import { type Generated, refuse } from '@sealpost/protocol'
import { lockOwnConnection } from '../../../connections/index.ts'
import { announceObject, discardObjects, keepObject } from '../../../vault/index.ts'
import { newHandle } from '../../rules/file-handles.ts'
import { namedHandles, readInputs } from '../../rules/named-inputs.ts'
import { isFinal, refusalOf } from '../../rules/not-generated.ts'
import { generatedToWire } from '../../wire.ts'
import type { CustomerContext, Offer, OutgoingHandOver } from '../context.ts'
import type { CustomerRun, StoredFile } from '../model.ts'
import { insertFile } from '../store/files.ts'
import { deleteInputs, findInput } from '../store/inputs.ts'
import { listAnswers, lockRun } from '../store/runs.ts'
import { applyReply, fileIn } from './hear-runs.ts'
import { offerFile } from './staged-files.ts'

export interface GenerateBody {
  readonly otk?: unknown
  readonly values?: unknown
  readonly inputs?: unknown
}

/** The service's side opens the texts in memory and makes the documents. See [Note: copies before their run]. */
export async function generateRun(context: CustomerContext, run: CustomerRun, body: GenerateBody): Promise<Generated> {
  const values = await putValues(context, body)
  const reply = await context.messages.askToGenerate(run, await handOver(context, run, values, body))
  if (reply.outcome === 'refused') {
    if (isFinal(reply)) await discardHandOver(context, run, values, body)
    throw refusalOf(reply)
  }
  const { state } = reply
  const own = (key: string): boolean => run.start.bindings[key] === run.accountId
  const answer = generatedToWire(state.status, state.documents, own)
  await context.database.transaction(async (tx) => {
    const connection = await lockOwnConnection(tx, { accountId: run.accountId, id: run.connectionId })
    const before = await lockRun(tx, run)
    if (before === null) throw refuse('flows.run_not_found')
    await discardSealed(context, tx, values, await deleteInputs(tx, run, null))
    await applyReply(context, tx, { connection, run: before }, { state, answers: [] })
    await tx.storeAnswer(answer)
  })
  return answer
}

/** What a refused call has handed over goes with it: the next call hands over anew. */
function discardHandOver(
  context: CustomerContext,
  run: CustomerRun,
  values: StoredFile | null,
  { inputs }: GenerateBody,
): Promise<void> {
  return context.database.transaction(async (tx) =>
    discardSealed(context, tx, values, await deleteInputs(tx, run, namedHandles(inputs))),
  )
}

async function discardSealed(
  { clock }: CustomerContext,
  tx: Tx,
  values: StoredFile | null,
  inputs: readonly ObjectKey[],
): Promise<void> {
  // Taken off the list of garbage, where it has an hour.
  if (values !== null) await keepObject(tx, values.objectKey)
  await discardObjects(tx, values === null ? inputs : [values.objectKey, ...inputs], clock.now())
}

async function putValues(context: CustomerContext, { values }: GenerateBody): Promise<StoredFile | null> {
  return typeof values === 'string' && values !== '' ? putText(context, values) : null
}

async function handOver(
  context: CustomerContext,
  run: CustomerRun,
  values: StoredFile | null,
  { otk, inputs }: GenerateBody,
): Promise<OutgoingHandOver> {
  return {
    otk: new Secret(typeof otk === 'string' ? otk : ''),
    values: values === null ? null : await offerFile(context, values),
    inputs: await offerInputs(context, run, inputs),
    fileSlugs: await context.database.read((read) => listFileSlugs(read, run)),
  }
}

async function listFileSlugs(read: Read, run: CustomerRun): Promise<readonly string[]> {
  return (await listAnswers(read, run)).flatMap(({ slug, value }) => (fileIn(value) === null ? [] : [slug]))
}

/** Null when the list is malformed or names an input that was not uploaded: the service's side decides what that means. */
async function offerInputs(
  context: CustomerContext,
  run: CustomerRun,
  given: unknown,
): Promise<OutgoingHandOver['inputs']> {
  const named = readInputs(given)
  if (named === null) return null
  const offers: { readonly sourceKey: string; readonly offer: Offer }[] = []
  for (const { sourceKey, input } of named) {
    const file = await context.database.read((read) => findInput(read, run, input, sourceKey))
    if (file === null) return null
    offers.push({ sourceKey, offer: await offerFile(context, file) })
  }
  return offers
}

/** Garbage until it is kept; useless without the key, which is never stored. */
async function putText(context: CustomerContext, text: string): Promise<StoredFile> {
  const objectKey = await announceObject(context)
  const stored = await context.objects.put(objectKey, Buffer.from(text), { contentType: 'text/plain' })
  if (!stored.ok) throw new Error('a text changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

export async function storeInput(
  context: CustomerContext,
  run: CustomerRun,
  { source_key: sourceKey, value }: { readonly source_key: string; readonly value: string },
): Promise<{ readonly input: string }> {
  const refusal = await context.messages.askForInput(run)
  if (refusal !== null) throw refuse(refusal)
  if (value.length > sealedTextMax(context.settings.DOCUMENT_MAX_MB)) throw refuse('documents.too_large')
  const object = await putText(context, value)
  const { accountId, serviceId, id: runId } = run
  const input = newHandle(context, 'gi')
  await context.database.transaction(async (tx) => {
    if ((await lockRun(tx, run)) === null) throw refuse('flows.run_not_found')
    await keepObject(tx, object.objectKey)
    const createdAt = context.clock.now()
    await insertFile(tx, {
      ...object,
      accountId,
      id: input,
      serviceId,
      runId,
      slug: sourceKey,
      isUsed: false,
      createdAt,
    })
    await tx.storeAnswer({ input })
  })
  return { input }
}
