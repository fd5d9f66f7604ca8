import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { fileCapMb, resolveType, sealedTextMax } from '@sealpost/field-types'
import { answerElements } from '@sealpost/flow'
import { accept, decline, type Result, type UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse, type TurnRefusal } from '@sealpost/protocol'
import { fileCaps } from '../../../../settings.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { announceObject, keepObject, putFileAnswer } from '../../../vault/index.ts'
import type { FileHandle } from '../../model.ts'
import { newHandle } from '../../rules/file-handles.ts'
import type { ServiceSideContext } from '../context.ts'
import type { Actor, AnswerFile, RunName, StoredObject, StoredRun } from '../model.ts'
import { isActor, requireTurn } from '../rules/status.ts'
import { insertAnswerFile } from '../store/files.ts'
import { findRun, lockRun } from '../store/runs.ts'
import { pinnedDefinition } from './read-runs.ts'
import { usersOf } from './record-run.ts'

const platform = createCryptoPlatform(globalThis)

export interface Upload {
  readonly slug: string
  readonly for_user_id: string
  readonly value: unknown
}

/** The owner's upload of one copy. */
export async function storeAnswerFile(
  context: ServiceSideContext,
  run: StoredRun,
  { slug, for_user_id: userId, value }: Upload,
): Promise<{ readonly file: string }> {
  const actor: Actor = { userId: run.companyId, region: null }
  const length = typeof value === 'string' ? value.length : 0
  const allowed = await allowUpload(context, run, actor, { slug, userId, length })
  if (!allowed.ok) throw refuse(allowed.refusal)
  if (typeof value !== 'string' || !isWrapper(platform, value)) throw refuse('contact_data.encryption_required')
  const object = await storeWrapper(context, value, allowed.value === run.companyId)
  return { file: await keepAnswerFile(context, run, { slug, forUserId: allowed.value, object }) }
}

/** Whether a copy of this length may be uploaded now; answers its reader. */
export function allowUpload(
  { database, settings }: Pick<ServiceSideContext, 'database' | 'settings'>,
  name: RunName,
  actor: Actor,
  { slug, userId, length }: { readonly slug: string; readonly userId: string; readonly length: number },
): Promise<Result<UserId, TurnRefusal>> {
  return database.read(async (read: Read): Promise<Result<UserId, TurnRefusal>> => {
    const run = await findRun(read, name)
    if (run === null || !isActor(run, actor)) return decline('flows.run_not_found')
    const turn = requireTurn(run, actor)
    if (!turn.ok) return turn
    const definition = await pinnedDefinition(read, run)
    const node = definition.nodes.find(({ key }) => key === run.currentNode)
    const element = node === undefined ? undefined : answerElements(node).find((one) => one.slug === slug)
    if (element?.kind !== 'field') return decline('flows.answer_invalid')
    const { lane } = resolveType(await loadRegistry(read), element.field_type)
    if (lane === null || lane === 'inline') return decline('flows.answer_invalid')
    const reader = [...usersOf(run)].find((user) => user === userId)
    if (reader === undefined) return decline('flows.answer_party_invalid')
    const most = sealedTextMax(fileCapMb(lane, fileCaps(settings), element.max_mb))
    return length > most ? decline('flows.answer_file_too_large') : accept(reader)
  })
}

/** `isOwn`: as the slot route of the company answers it; otherwise the bare wrapper. */
export async function storeWrapper(
  context: ServiceSideContext,
  wrapper: string,
  isOwn: boolean,
): Promise<StoredObject> {
  const objectKey = await announceObject(context)
  const stored = isOwn
    ? await putFileAnswer(context.objects, objectKey, true, wrapper)
    : await context.objects.put(objectKey, Buffer.from(wrapper), { contentType: 'application/json' })
  if (!stored.ok) throw new Error('a file changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

/** Upkeep removes it when no answer names it within a day. */
export async function keepAnswerFile(
  context: ServiceSideContext,
  name: RunName,
  { slug, forUserId, object }: { readonly slug: string; readonly forUserId: UserId; readonly object: StoredObject },
): Promise<FileHandle> {
  const file: AnswerFile = {
    serviceId: name.serviceId,
    id: newHandle(context, 'af'),
    runId: name.id,
    slug,
    forUserId,
    ...object,
    isUsed: false,
    createdAt: context.clock.now(),
  }
  await context.database.transaction(async (tx) => {
    // The lock keeps the deletion of the run's data away, which would miss this file.
    const run = await lockRun(tx, name)
    if (run === null) throw refuse('flows.run_not_found')
    if (run.dataDeletedAt !== null) throw refuse('flows.run_not_awaiting')
    await keepObject(tx, object.objectKey)
    await insertAnswerFile(tx, file)
    await tx.storeAnswer({ file: file.id })
  })
  return file.id
}
