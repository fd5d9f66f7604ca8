import type { Read, Tx } from '@sealpost/postgres'
import type { DocumentMetadata, RunDocument } from '@sealpost/protocol'
import type { StoredConnection } from '../../../connections/index.ts'
import type { NewEvent } from '../../../feed/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import { keepObject } from '../../../vault/index.ts'
import type { LockedRun, ServiceSideContext } from '../context.ts'
import type { CustomerDocument, Recipient, RunCopy, RunId, RunName, StoredDocument, StoredObject } from '../model.ts'
import { isOpen } from '../rules/contracts.ts'
import { documentEvent, statusEvent } from '../rules/events.ts'
import { ended, newStatus, type RunAction, runDocuments } from '../rules/run-copies.ts'
import { listRunCopies, lockRunCopies } from '../store/run-copies.ts'
import { listSignatures } from '../store/signatures.ts'
import { type Change, recordChanges } from './record-change.ts'

/** A participant's copy of an output, encrypted to the participant. */
export interface NewRunCopy {
  readonly outputKey: string
  readonly name: string
  readonly partyKey: string
  /** Null for the company itself. */
  readonly customer: Recipient | null
  /** Null for a party that only receives it. */
  readonly position: number | null
  readonly action: RunAction | null
  /** By its customer, in the app. */
  readonly canBeCancelled: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly plainSha256: string
  readonly contentSha256: string
  readonly file: StoredObject
}

/** Requires the lock of the run. Answers the events, which the caller appends last. */
export async function createRunCopies(
  context: ServiceSideContext,
  tx: Tx,
  { service, runId, run }: { readonly service: ServiceName; readonly runId: RunId; readonly run: LockedRun },
  copies: readonly NewRunCopy[],
): Promise<readonly NewEvent[]> {
  const changes: Change[] = []
  for (const copy of copies) {
    await keepObject(tx, copy.file.objectKey)
    const after = newRow(context, service, runId, copy)
    changes.push({
      before: null,
      after,
      connection: connectionOf(run, after),
      signatures: [],
      // The company's copy rests here, in its row.
      file: copy.customer === null ? null : copy.file,
      event: documentEvent('document_created', named(run, after)),
    })
  }
  return recordChanges(context, tx, changes)
}

function newRow({ ids, clock }: ServiceSideContext, service: ServiceName, runId: RunId, copy: NewRunCopy): RunCopy {
  const { outputKey, name, partyKey, customer, position, action, plainSha256, contentSha256 } = copy
  const now = clock.now()
  const metadata: DocumentMetadata = { ...copy.metadata, can_be_cancelled_in_app: copy.canBeCancelled }
  return {
    ...service,
    id: ids.uuid(),
    recipient: customer === null ? 'owner' : 'customer',
    customer,
    name,
    description: null,
    kind: 'agreement',
    payloadKind: 'file',
    isPrivate: false,
    requiresSignature: action === 'sign',
    requiresAcceptance: action === 'accept',
    status: newStatus(position, action),
    metadata,
    cancelEffectiveDate: null,
    cancelSetBy: null,
    customerCancelDate: null,
    isPending: false,
    value: null,
    contentSha256,
    plainSha256,
    sealedAt: null,
    rawFile: null,
    answerFile: customer === null ? copy.file : null,
    runId,
    outputKey,
    partyKey,
    position,
    rev: 1,
    contentRev: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** Ends the copies of a cancelled run that are still open; what was signed or accepted stays. Requires the run's lock. */
export async function endRunCopies(
  context: ServiceSideContext,
  tx: Tx,
  name: RunName,
  run: Omit<LockedRun, 'isOpen'>,
): Promise<readonly NewEvent[]> {
  const open = (await lockRunCopies(tx, name)).filter(({ status }) => isOpen(status))
  const changes = open.map((before): Change => {
    const after = ended(before, context.clock.now())
    const event = statusEvent(named(run, after), { action: 'cancelled', signature: null, note: null })
    return { before, after, connection: connectionOf(run, after), signatures: [], event }
  })
  return recordChanges(context, tx, changes)
}

/** Null for the company's copy, and for a connection that has ended. */
export function connectionOf(
  { connections }: Pick<LockedRun, 'connections'>,
  { customer }: Pick<StoredDocument, 'customer'>,
): StoredConnection | null {
  return connections.find(({ id }) => id === customer?.connectionId) ?? null
}

/** Events about the company's own copies name the primary customer of the run, like those about the run. */
export function named({ primary }: Pick<LockedRun, 'primary'>, document: StoredDocument): CustomerDocument {
  return { ...document, customer: document.customer ?? primary }
}

/** All copies of a run, in the order of the signing line. */
export async function listRunDocuments(read: Read, { serviceId, runId }: RunName): Promise<readonly RunDocument[]> {
  return (await listDocumentsOfRuns(read, serviceId, [runId])).get(runId) ?? []
}

export async function listDocumentsOfRuns(
  read: Read,
  serviceId: RunName['serviceId'],
  runs: readonly RunId[],
): Promise<ReadonlyMap<RunId, readonly RunDocument[]>> {
  const copies = await listRunCopies(read, serviceId, [...new Set(runs)])
  const signatures = await listSignatures(
    read,
    serviceId,
    copies.map(({ id }) => id),
  )
  const byRun = Map.groupBy(copies, ({ runId }) => runId)
  return new Map([...byRun].map(([runId, ofRun]) => [runId, runDocuments(ofRun, signatures)]))
}

/** The company's copies of an output; several only where the company is bound to several parties. */
export async function listOwnerCopies(read: Read, { serviceId, runId }: RunName): Promise<readonly RunCopy[]> {
  return (await listRunCopies(read, serviceId, [runId])).filter(({ recipient }) => recipient === 'owner')
}
