import { type ConnectionId, parseUuid, Secret, type UserId } from '@sealpost/kernel'
import { copyIn, parseSha256 } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { type FlowRun, type FlowRunSummary, refuse } from '@sealpost/protocol'
import { findUsableConnection } from '../../../connections/index.ts'
import { announceObject, discardObjects } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { CustomerRun, RunId, StoredFile } from '../model.ts'
import { deleteFilesOfAccount, findFile } from '../store/files.ts'
import { deleteRunsOf, findRun, listAnswers, listRuns } from '../store/runs.ts'
import { runToWire, summaryToWire } from '../wire.ts'
import { fileIn } from './hear-runs.ts'

const MOST = 500

/** Another account's connection and run answer like missing ones. A run outlives its connection. */
export async function locateRun(
  { database }: CustomerContext,
  accountId: UserId,
  connectionText: string,
  runText: string,
): Promise<CustomerRun> {
  const connectionId = parseUuid<ConnectionId>(connectionText)
  const id = parseUuid<RunId>(runText)
  if (connectionId === null) throw refuse('company_data.connection_not_found')
  return database.read(async (read) => {
    const run = id === null ? null : await findRun(read, { accountId, id })
    if (run?.connectionId === connectionId) return run
    const connection = await findUsableConnection(read, { accountId, id: connectionId })
    throw refuse(connection === null ? 'company_data.connection_not_found' : 'flows.run_not_found')
  })
}

export function readRun({ database }: CustomerContext, run: CustomerRun): Promise<FlowRun> {
  return database.read(async (read) => runToWire(run, await listAnswers(read, run)))
}

export async function listOfConnection(
  { database }: CustomerContext,
  accountId: UserId,
  connectionText: string,
): Promise<{ readonly runs: FlowRunSummary[] }> {
  const connectionId = parseUuid<ConnectionId>(connectionText)
  if (connectionId === null) throw refuse('company_data.connection_not_found')
  return database.read(async (read) => {
    const runs = await listRuns(read, accountId, connectionId, MOST)
    if (runs.length === 0 && (await findUsableConnection(read, { accountId, id: connectionId })) === null)
      throw refuse('company_data.connection_not_found')
    return { runs: runs.map(summaryToWire) }
  })
}

/** An own copy: of an answer, or of a file that a customer had shared at the start. */
export async function findOwnFile(context: CustomerContext, run: CustomerRun, id: string): Promise<StoredFile> {
  const { answers, file } = await context.database.read(async (read) => ({
    answers: await listAnswers(read, run),
    file: await findFile(read, run.accountId, id),
  }))
  const isSource = Object.values(run.start.source_files).includes(id)
  if (!isSource && !answers.some(({ value }) => fileIn(value) === id)) throw refuse('company_data.file_not_found')
  if (file !== null) return file
  return isSource ? fetchSource(context, run, id) : Promise.reject(refuse('company_data.file_not_found'))
}

/** The copy rests with the customer who shared the file: it is brought here for this read only. */
async function fetchSource(context: CustomerContext, run: CustomerRun, id: string): Promise<StoredFile> {
  const offer = await context.messages.askForFile(run, id)
  const sha256 = offer === null ? null : parseSha256(offer.sha256)
  if (offer === null || sha256 === null) throw refuse('company_data.file_not_found')
  const objectKey = await announceObject(context)
  const expected = { key: objectKey, sha256, maxBytes: offer.bytes, contentType: 'application/json' }
  const copied = await copyIn(context, new Secret(offer.url), expected)
  if (!copied.ok) throw refuse('region.unreachable')
  return { objectKey, sha256, bytes: copied.value.sizeBytes }
}

/** In the transaction that deletes the account. */
export async function forgetRuns(
  { clock }: Pick<CustomerContext, 'clock'>,
  tx: Tx,
  { id: accountId }: { readonly id: UserId },
): Promise<void> {
  await deleteRunsOf(tx, accountId)
  await discardObjects(tx, await deleteFilesOfAccount(tx, accountId), clock.now())
}
