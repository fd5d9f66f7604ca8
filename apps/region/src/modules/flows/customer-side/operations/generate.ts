import { sealedTextMax } from '@sealpost/field-types'
import { Secret } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type Generated, refuse } from '@sealpost/protocol'
import { lockOwnConnection } from '../../../connections/index.ts'
import { announceObject, discardObjects, keepObject } from '../../../vault/index.ts'
import { newHandle } from '../../rules/file-handles.ts'
import { readInputs } from '../../rules/named-inputs.ts'
import { refusalOf } from '../../rules/not-generated.ts'
import { generatedToWire } from '../../wire.ts'
import type { CustomerContext, Offer, OutgoingHandOver } from '../context.ts'
import type { CustomerRun, StoredFile } from '../model.ts'
import { insertFile } from '../store/files.ts'
import { deleteInputs, findInput } from '../store/inputs.ts'
import { listAnswers, lockRun } from '../store/runs.ts'
import { applyState, fileIn } from './hear-runs.ts'
import { offerFile } from './staged-files.ts'

export interface GenerateBody {
  readonly otk?: unknown
  readonly values?: unknown
  readonly inputs?: unknown
}

/** The service's side opens the texts in memory and makes the documents; its reply is stored here. */
export async function generateRun(context: CustomerContext, run: CustomerRun, body: GenerateBody): Promise<Generated> {
  const reply = await context.messages.askToGenerate(run, await handOver(context, run, body))
  if (reply.outcome === 'refused') throw refusalOf(reply)
  const { state } = reply
  const own = (key: string): boolean => run.start.bindings[key] === run.accountId
  const answer = generatedToWire(state.status, state.documents, own)
  await context.database.transaction(async (tx) => {
    const connection = await lockOwnConnection(tx, { accountId: run.accountId, id: run.connectionId })
    const before = await lockRun(tx, run)
    if (before === null) throw refuse('flows.run_not_found')
    await discardObjects(tx, await deleteInputs(tx, run), context.clock.now())
    await applyState(context, tx, { connection, run: before }, { state, answers: [] })
    await tx.storeAnswer(answer)
  })
  return answer
}

async function handOver(
  context: CustomerContext,
  run: CustomerRun,
  { otk, values, inputs }: GenerateBody,
): Promise<OutgoingHandOver> {
  return {
    otk: new Secret(typeof otk === 'string' ? otk : ''),
    values:
      typeof values === 'string' && values !== '' ? await offerFile(context, await putText(context, values)) : null,
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
