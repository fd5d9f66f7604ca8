import type { Call } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'
import { type ActRefusal, type Document, type DocumentAct, type ErrorKey, refuse } from '@sealpost/protocol'
import type { Caller } from '../../../../platform/caller.ts'
import { findAccount } from '../../../account/index.ts'
import {
  actInRun,
  deleteKeptProof,
  documentAnswer,
  type GivenPdf,
  listOwnerCopies,
  LONGEST_USER_AGENT,
  prepareOwnerSeal,
  type Proof,
  proveSigner,
  type RunCopy,
} from '../../../documents/index.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { StoredRun } from '../../service-side/model.ts'

export interface SignedBody {
  readonly content_sha256: string
  readonly plain_sha256?: string | null
  readonly otk?: string
  readonly pdf?: string
}

/** The call of a user of the portal, who acts for the company. */
export interface OwnerCall {
  readonly caller: Caller
  readonly call: Pick<Call, 'ip' | 'userAgent'>
}

/** The company's copy of an output. Of several, should the company be bound to several parties, the one whose turn it is. */
export async function findOwnerCopy(
  { database }: Pick<ServiceSideContext, 'database'>,
  { serviceId, id: runId }: StoredRun,
  outputKey: string,
): Promise<RunCopy> {
  const copies = await database.read((read) => listOwnerCopies(read, { serviceId, runId }))
  const own = copies.filter((copy) => copy.outputKey === outputKey)
  const copy = own.find(({ status }) => status === 'ready_to_sign' || status === 'offering') ?? own[0]
  if (copy === undefined) throw refuse('flows.no_document')
  return copy
}

export async function signAsOwner(
  context: ServiceSideContext,
  copy: RunCopy,
  by: OwnerCall,
  body: SignedBody & Proof,
): Promise<Document> {
  const signing = { act: 'sign' as const, method: body.method, ...(await signingMembers(context, copy, by, body)) }
  requireOpen(copy, 'ready_to_sign', body)
  const { companyId: accountId, id } = copy
  await proveSigner(context.documents.customer, by.caller, { accountId, id }, body)
  return actAndSeal(context, copy, signing, body)
}

export async function acceptAsOwner(
  context: ServiceSideContext,
  copy: RunCopy,
  by: OwnerCall,
  body: SignedBody,
): Promise<Document> {
  const accepting = { act: 'accept' as const, ...(await signingMembers(context, copy, by, body)) }
  requireOpen(copy, 'offering', body)
  return actAndSeal(context, copy, accepting, body)
}

export function declineAsOwner(context: ServiceSideContext, copy: RunCopy, reason: string | null): Promise<Document> {
  return act(context, copy, { act: 'decline', note: reason }, null)
}

/** Before the proof, which would be used up in vain. */
function requireOpen(copy: RunCopy, status: RunCopy['status'], { content_sha256, plain_sha256 }: SignedBody): void {
  if (copy.status !== status) throw refuse('documents.status_invalid')
  const isOther = (plain_sha256 ?? null) !== null && plain_sha256 !== copy.plainSha256
  if (content_sha256 !== copy.contentSha256 || isOther) throw refuse('documents.content_mismatch')
}

async function signingMembers(
  { database }: ServiceSideContext,
  copy: RunCopy,
  { caller, call }: OwnerCall,
  body: SignedBody,
) {
  const account = await database.read((read) => findAccount(read, copy.companyId))
  if (account === null) throw refuse('auth.token_invalid')
  return {
    content_sha256: body.content_sha256,
    plain_sha256: body.plain_sha256 ?? null,
    signer: {
      user_id: caller.userId,
      first_name: null,
      last_name: account.displayName,
      name_verified: false,
      ip: call.ip,
      user_agent: call.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    },
  }
}

async function actAndSeal(
  context: ServiceSideContext,
  copy: RunCopy,
  signing: DocumentAct,
  body: SignedBody,
): Promise<Document> {
  const given = givenPdf(body)
  const prepared = await prepareOwnerSeal(context.documents.service, copy, signing, given)
  if (!prepared.ok && given === null && prepared.refusal === 'seal_failed')
    throw refuse('request.invalid', { details: [{ path: '/body/otk', message: 'is required to complete a document' }] })
  if (!prepared.ok) throw refusalOf(prepared.refusal)
  return act(context, copy, signing, prepared.value)
}

function givenPdf({ otk, pdf }: SignedBody): GivenPdf | null {
  if (otk === undefined || pdf === undefined) return null
  return { otk: new Secret(otk), text: Buffer.from(pdf, 'latin1') }
}

type SealId = Parameters<typeof actInRun>[2]['sealId']

function act(context: ServiceSideContext, copy: RunCopy, taken: DocumentAct, sealId: SealId): Promise<Document> {
  const { companyId: accountId, serviceId, runId, id: documentId } = copy
  return context.database.transaction(async (tx) => {
    const acted = await actInRun(context.documents.service, tx, {
      name: { serviceId, runId },
      documentId,
      act: taken,
      sealId,
      isOwn: ({ recipient }) => recipient === 'owner',
    })
    if (!acted.ok) throw refusalOf(acted.refusal)
    if (taken.act === 'sign') await deleteKeptProof(tx, { accountId, id: documentId })
    const answer = await documentAnswer(tx, acted.value.document, acted.value.signatures)
    await tx.storeAnswer(answer)
    return answer
  })
}

const REFUSALS = {
  not_found: 'flows.no_document',
  status_invalid: 'documents.status_invalid',
  not_signable: 'documents.not_signable',
  content_mismatch: 'documents.content_mismatch',
  not_cancellable: 'documents.status_invalid',
  seal_failed: 'documents.seal_failed',
  run_managed: 'documents.status_invalid',
} as const satisfies Record<ActRefusal, ErrorKey>

function refusalOf(refusal: ActRefusal): Error {
  return refuse(REFUSALS[refusal])
}
