import { createHash } from 'node:crypto'
import type { SigningProof } from '@sealpost/sdk'
import { type Account, bodyOf, openFileCopy, underOneTimeKey, waitUntil } from '@sealpost/testkit'
import { addPasskey } from '../../documents/sign-with.ts'
import { Mismatch } from '../flows/mismatch.ts'
import type { Running } from '../flows/play.ts'
import type { ModelCopy } from '../flows/reference.ts'
import type { Site } from '../flows/site.ts'
import { RUNS } from './hand-over.ts'

const ARRIVAL_MS = 30_000

/** Persons sign with a passkey, companies by their logins. */
export type Proofs = ReadonlyMap<string, SigningProof>

export async function openProofs({ lanes }: Site): Promise<Proofs> {
  const proofs = new Map<string, SigningProof>()
  for (const { kind, account } of lanes.flatMap(({ customers }) => customers))
    if (kind === 'person' && !proofs.has(account.userId)) proofs.set(account.userId, await addPasskey(account))
  return proofs
}

/** A copy as its party reads it. */
export interface ReadCopy {
  readonly content: string
  readonly pdf: Buffer
}

export async function readCopy(play: Running, copy: ModelCopy): Promise<ReadCopy> {
  const customer = play.cast.customers.get(copy.party)
  return customer === undefined
    ? readOwnerCopy(play, copy)
    : readCustomerCopy(customer.account, pathOf(customer.connectionId, copy), copy)
}

async function readOwnerCopy({ lane: { service }, runId, cast }: Running, copy: ModelCopy): Promise<ReadCopy> {
  const document = await bodyOf(service.data('GET', `/api/company-data/documents/${copy.documentId}`))
  const { value } = await bodyOf(service.data('GET', `${RUNS}/${runId}/documents/${copy.outputKey}/file`))
  const envelope = await cast.company.open(String(value))
  if (envelope === null) throw new Mismatch(`the company cannot open its copy of ${copy.outputKey}`)
  return { content: String(document['content_sha256']), pdf: pdfIn(envelope) }
}

function pdfIn(envelope: string): Buffer {
  return Buffer.from(/;base64,([A-Za-z0-9+/=]*)"/.exec(envelope)?.[1] ?? '', 'base64')
}

/** As soon as its region has heard of the present state. */
async function readCustomerCopy(account: Account, path: string, { status, outputKey }: ModelCopy): Promise<ReadCopy> {
  await waitUntil(`${outputKey} is ${status}`, ARRIVAL_MS, async () => {
    return (await account.calls('GET', path)).body['status'] === status
  })
  const document = await bodyOf(account.calls('GET', path))
  const { value } = await bodyOf(account.calls('GET', `${path}/file`))
  return { content: String(document['content_sha256']), pdf: await openFileCopy(account, String(value)) }
}

export function pathOf(connectionId: string, { documentId }: ModelCopy): string {
  return `/api/company-connections/${connectionId}/documents/${documentId}`
}

export function ownerPath({ lane, runId }: Running, { outputKey }: ModelCopy): string {
  return `/api/portal/services/${lane.service.serviceId}/flow-runs/${runId}/documents/${outputKey}`
}

/** The party signs or accepts its copy, with the PDF that it has read. */
export async function actOn(play: Running, copy: ModelCopy, proofs: Proofs): Promise<void> {
  const { content, pdf } = await readCopy(play, copy)
  const signed = {
    content_sha256: content,
    plain_sha256: createHash('sha256').update(pdf).digest('hex'),
    ...(await underOneTimeKey(pdf)),
  }
  const act = copy.action === 'sign' ? 'sign' : 'accept'
  const customer = play.cast.customers.get(copy.party)
  if (customer === undefined) {
    const body = { method: 'custodian', ...signed }
    await bodyOf(play.lane.service.portal('POST', `${ownerPath(play, copy)}/${act}`, { body }))
    return
  }
  const { account, connectionId } = customer
  const body = { ...(await proofOf(proofs.get(account.userId), content)), ...signed }
  await bodyOf(account.calls('POST', `${pathOf(connectionId, copy)}/${act}`, { body }))
}

async function proofOf(proof: SigningProof | undefined, content: string): Promise<object> {
  if (proof === undefined || proof.method !== 'biometric') return { method: 'custodian' }
  return { method: 'biometric', assertion: await proof.assertion(content) }
}

export async function declineCopy(play: Running, copy: ModelCopy, reason: string | null): Promise<void> {
  const body = reason === null ? {} : { reason }
  const customer = play.cast.customers.get(copy.party)
  const declining =
    customer === undefined
      ? play.lane.service.portal('POST', `${ownerPath(play, copy)}/decline`, { body })
      : customer.account.calls('POST', `${pathOf(customer.connectionId, copy)}/decline`, { body })
  await bodyOf(declining)
}
