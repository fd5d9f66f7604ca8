import { type ConnectionId, parseUuid, type ServiceId } from '@sealpost/kernel'
import type { Sha256 } from '@sealpost/objects'
import type { Read, Tx } from '@sealpost/postgres'
import type { Attested, LinkChange } from '@sealpost/protocol'
import type { NewEvent } from '../../../feed/index.ts'
import { discardObjects, discardVersions, supersedeObject } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { FlowValue, StoredConnection, StoredFile, StoredLink } from '../model.ts'
import { liveAttested, readTime } from '../rules/slot-content.ts'
import { findLink, putLink } from '../store/flow-links.ts'
import { attestFlowValue, deleteLiveValue } from '../store/flow-values.ts'
import { flowEvent, putFlowValues } from './flow-values.ts'

/** An answer that its customer has linked, as the turn brings it. */
export interface LinkedAnswer {
  readonly flowId: string
  readonly runId: string
  readonly slug: string
  readonly type: string
  readonly rev: number
  readonly isPrivate: boolean
  readonly attested: Attested | null
  /** `frozen`: the digest of the copy that the run holds. `none`: a file that is too large for the run. */
  readonly content:
    | { readonly kind: 'sealed'; readonly value: string }
    | { readonly kind: 'frozen'; readonly sha256: Sha256 }
    | { readonly kind: 'none' }
}

type LinkContext = Pick<ServiceSideContext, 'clock' | 'settings'>

/** In the transaction of the turn, which has locked the connection. */
export async function linkAnswer(
  context: LinkContext,
  tx: Tx,
  { serviceId, id: connectionId }: StoredConnection,
  answer: LinkedAnswer,
): Promise<void> {
  const { flowId, runId, slug, type, rev, isPrivate, attested, content } = answer
  const present = await findLink(tx, serviceId, { connectionId, flowId, slug })
  const named = { connectionId, flowId, slug, runId, type, isShared: false }
  // A change that the customer has made since the answer was sealed; or a file that was brought before the answer.
  const isKept = present !== null && (present.rev > rev || content.kind === 'none')
  if (isKept) {
    await putLink(tx, serviceId, { ...present, ...named, rev: Math.max(present.rev, rev) })
    return
  }
  if (present !== null) await replaceObject(context, tx, present)
  await putLink(tx, serviceId, {
    ...named,
    ...NO_FILE,
    rev,
    isPrivate,
    value: content.kind === 'sealed' ? content.value : null,
    ...(content.kind === 'frozen' ? { sha256: content.sha256, form: 'sealed' as const } : {}),
    attested,
    updatedAt: context.clock.now(),
  })
}

const NO_FILE = { objectKey: null, sha256: null, bytes: null, contentType: null, form: null } as const

/**
 * The answer of a completed run as a value of the connection: the current content of its link, otherwise the answer itself.
 * Null for a file that neither has. Requires the lock of the connection.
 */
export async function valueOfAnswer(
  tx: Tx,
  serviceId: ServiceId,
  connectionId: ConnectionId,
  answer: FlowValue & { readonly isLinked: boolean },
): Promise<FlowValue | null> {
  const { isLinked, ...value } = answer
  const link = await findLink(tx, serviceId, { connectionId, flowId: value.flowId, slug: value.slug })
  const isSnapshot = value.value !== null || value.sha256 !== null
  if (link === null) return isSnapshot ? value : null
  const isOfRun = isLinked && link.runId === value.runId
  if (link.isShared !== isOfRun) await putLink(tx, serviceId, { ...link, isShared: isOfRun })
  if (isOfRun && hasContent(link)) return sharedValue(link, value)
  return isSnapshot ? value : null
}

function sharedValue(
  link: StoredLink,
  { flowId, runId, slug, at }: Pick<FlowValue, 'flowId' | 'runId' | 'slug' | 'at'>,
) {
  const { type, isPrivate, attested, value, sha256 } = link
  return { flowId, runId, slug, type, isPrivate, attested, value, sha256, at, live: true }
}

function hasContent({ value, sha256 }: Pick<StoredLink, 'value' | 'sha256'>): boolean {
  return value !== null || sha256 !== null
}

/** A change of a linked field. Answers its events, and whether the file of the change is used. */
export async function changeLink(
  context: LinkContext,
  tx: Tx,
  connection: StoredConnection,
  change: LinkChange,
  file: StoredFile | null,
): Promise<{ readonly events: readonly NewEvent[]; readonly isFileUsed: boolean }> {
  const nothing = { events: [], isFileUsed: false }
  const { serviceId, id: connectionId } = connection
  const { flow_id: flowId, slug, rev } = change
  if (parseUuid(flowId) === null) return nothing
  const present = await findLink(tx, serviceId, { connectionId, flowId, slug })
  if (present !== null && rev <= present.rev) return nothing
  const now = context.clock.now()
  const updatedAt = readTime(change.at, now)
  switch (change.act) {
    case 'set_link': {
      if (present !== null) await replaceObject(context, tx, present)
      const { type, value, is_private: isPrivate } = change
      const attested = liveAttested(change.attested, now)
      const kept = { runId: present?.runId ?? null, isShared: present?.isShared ?? false }
      const content = file === null ? NO_FILE : { ...file }
      const link = { connectionId, flowId, slug, rev, type, ...kept, ...content, isPrivate, value, attested, updatedAt }
      await putLink(tx, serviceId, link)
      const events =
        kept.isShared && kept.runId !== null
          ? await putFlowValues(tx, connection, [sharedValue(link, { flowId, runId: kept.runId, slug, at: updatedAt })])
          : []
      return { events, isFileUsed: file !== null }
    }
    case 'attest_link': {
      if (present === null || !hasContent(present)) return nothing
      const attested = liveAttested(change.attested, now)
      await putLink(tx, serviceId, { ...present, rev, attested, updatedAt })
      const name = { connectionId, flowId, slug }
      const isShown = await attestFlowValue(tx, serviceId, name, { attested, at: updatedAt })
      return { events: isShown ? [flowEvent('field_updated', connection, { slug, flowId })] : [], isFileUsed: false }
    }
    case 'drop_link': {
      if (present === null) return nothing
      if (present.objectKey !== null) await discardObjects(tx, [present.objectKey], now)
      await discardVersions(tx, [connectionId], [partOf(present)], now)
      await putLink(tx, serviceId, { ...present, ...NO_FILE, rev, value: null, attested: null, updatedAt })
      const isShown = await deleteLiveValue(tx, serviceId, { connectionId, flowId, slug })
      return { events: isShown ? [flowEvent('field_deleted', connection, { slug, flowId })] : [], isFileUsed: false }
    }
  }
}

async function replaceObject(context: LinkContext, tx: Tx, link: StoredLink): Promise<void> {
  if (link.objectKey === null) return
  await supersedeObject(context, tx, link.objectKey, { subjectId: link.connectionId, partId: partOf(link) })
}

/** Names the earlier files of a link: those of the flow, whose links are few. */
function partOf({ flowId }: StoredLink): string {
  return flowId
}

/** The current file: an object of its own, or the copy that the run holds. Null without a file. */
export async function findLinkedFile(
  read: Read,
  serviceId: ServiceId,
  name: { readonly connectionId: ConnectionId; readonly flowId: string; readonly slug: string },
): Promise<StoredFile | { readonly runId: string } | null> {
  const link = await findLink(read, serviceId, name)
  if (link === null || link.sha256 === null) return null
  const { objectKey, sha256, bytes, contentType, form, runId } = link
  if (objectKey === null || bytes === null || contentType === null || form === null)
    return runId === null ? null : { runId }
  return { objectKey, sha256, bytes, contentType, form }
}
