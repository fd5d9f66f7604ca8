import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { sealedTextMax } from '@sealpost/field-types'
import { parseUuid, Secret, type UserId } from '@sealpost/kernel'
import { copyIn, parseSha256 } from '@sealpost/objects'
import { refuse } from '@sealpost/protocol'
import { findConnectionOf, lockConnection } from '../../../connections/index.ts'
import { parseFlowName, requirePublished } from '../../../flows/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import { announceObject } from '../../../vault/index.ts'
import { newHandle } from '../../rules/file-handles.ts'
import type { Offer, ServiceSideContext } from '../context.ts'
import type { Actor, RunName, RunSource, SourceFile, StoredObject, StoredRun } from '../model.ts'
import { isActor } from '../rules/status.ts'
import { insertSource, listSources } from '../store/files.ts'
import { findRun } from '../store/runs.ts'
import { storeWrapper } from './answer-files.ts'

const platform = createCryptoPlatform(globalThis)
const LINK_SECONDS = 300

/** The bytes go to the region of the customer who shared the file; here they are garbage from the start. */
export async function stageSource(
  context: ServiceSideContext,
  service: ServiceName,
  flowId: string,
  { source_user_id: user, value }: { readonly source_user_id?: unknown; readonly value?: unknown },
): Promise<{ readonly file: string }> {
  const name = parseFlowName(service, flowId)
  await context.database.read((read) => requirePublished(read, name))
  const userId = typeof user === 'string' ? parseUuid<UserId>(user) : null
  const connection =
    userId === null ? null : await context.database.read((read) => findConnectionOf(read, service.serviceId, userId))
  if (connection === null) throw refuse('flows.source_user_invalid')
  if (typeof value === 'string' && value.length > sealedTextMax(context.settings.DOCUMENT_MAX_MB))
    throw refuse('documents.too_large')
  if (typeof value !== 'string' || !isWrapper(platform, value)) throw refuse('contact_data.encryption_required')
  const object = await storeWrapper(context, value, false)
  const source: SourceFile = {
    serviceId: service.serviceId,
    id: newHandle(context, 'rf'),
    flowId: name.flowId,
    sourceUserId: connection.customerId,
    connectionId: connection.id,
    region: connection.customerRegion,
    createdAt: context.clock.now(),
  }
  const offer = await offerObject(context, object)
  if (!(await context.messages.askToStage({ ...source, companyId: service.companyId }, offer)))
    throw refuse('flows.source_user_invalid')
  const answer = { file: source.id }
  await context.database.transaction(async (tx) => {
    if ((await lockConnection(tx, source.serviceId, source.connectionId)) === null)
      throw refuse('flows.source_user_invalid')
    await insertSource(tx, source)
    await tx.storeAnswer(answer)
  })
  return answer
}

export async function offerObject(
  { objects }: Pick<ServiceSideContext, 'objects'>,
  { objectKey, sha256, bytes }: StoredObject,
): Promise<Offer> {
  return { url: (await objects.presignGet(objectKey, LINK_SECONDS)).reveal(), sha256, bytes }
}

/** The company's copy, brought here for this read only. */
export async function fetchSource(
  context: ServiceSideContext,
  run: StoredRun,
  sourceKey: string,
): Promise<StoredObject> {
  const sources = await context.database.read((read) => listSources(read, run))
  const source = sources.find((one) => one.sourceKey === sourceKey && one.forUserId === run.companyId)
  const offer = source === undefined ? null : await offerSource(context, run, source)
  const sha256 = offer === null ? null : parseSha256(offer.sha256)
  if (offer === null || sha256 === null) throw refuse('company_data.file_not_found')
  const objectKey = await announceObject(context)
  const expected = { key: objectKey, sha256, maxBytes: offer.bytes, contentType: 'application/json' }
  const copied = await copyIn(context, new Secret(offer.url), expected)
  if (!copied.ok) throw refuse('region.unreachable')
  return { objectKey, sha256, bytes: copied.value.sizeBytes }
}

function offerSource(context: ServiceSideContext, { companyId }: StoredRun, source: RunSource): Promise<Offer | null> {
  return context.messages.askForSource({ ...source, companyId })
}

/** For a customer whose copy rests with another customer; null for a file that is not this actor's. */
export async function offerToCustomer(
  context: ServiceSideContext,
  name: RunName,
  actor: Actor,
  file: string,
): Promise<Offer | null> {
  const found = await context.database.read(async (read) => {
    const run = await findRun(read, name)
    if (run === null || !isActor(run, actor)) return null
    const sources = await listSources(read, run)
    const source = sources.find(({ id, forUserId }) => id === file && forUserId === actor.userId)
    return source === undefined ? null : { run, source }
  })
  return found === null ? null : offerSource(context, found.run, found.source)
}
