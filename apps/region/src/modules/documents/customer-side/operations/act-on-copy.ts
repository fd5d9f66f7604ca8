import { parseInstant, Secret } from '@sealpost/kernel'
import { type ActRefusal, type CustomerDocument, type DocumentAct, type ErrorKey, refuse } from '@sealpost/protocol'
import type { Caller } from '../../../../platform/caller.ts'
import { findAccount } from '../../../account/index.ts'
import { announceObject, findNameOfIdentity } from '../../../vault/index.ts'
import type { ActReply, CustomerContext, OfferedPdf } from '../context.ts'
import type { Copy, Proof } from '../model.ts'
import { splitName } from '../rules/signer-name.ts'
import { deleteKeptProof } from '../store/proofs.ts'
import { copyToWire } from '../wire.ts'
import { applyState } from './hear-copies.ts'
import { invalid, proveSigner } from './prove-signer.ts'
import { readCopyValue } from './read-copies.ts'

/** The call that acts: who makes it, from where, and its mark for repetitions. */
export interface ActCall {
  readonly caller: Caller
  readonly ip: string
  readonly userAgent: string | null
  readonly mark: string | null
}

export interface SignedBody {
  readonly content_sha256: string
  readonly plain_sha256?: string | null
  readonly otk?: string
  readonly pdf?: string
}

const LINK_SECONDS = 300
export const LONGEST_USER_AGENT = 500

export async function signCopy(
  context: CustomerContext,
  copy: Copy,
  call: ActCall,
  body: SignedBody & Proof,
): Promise<CustomerDocument> {
  const act = { act: 'sign' as const, method: body.method, ...(await signingMembers(context, copy, call, body)) }
  if (copy.state.status !== 'ready_to_sign') return findOutcome(context, copy, call, act)
  requireSignable(copy, body)
  await proveSigner(context, call.caller, copy, body)
  return actAndSeal(context, copy, call, act, body)
}

export async function acceptCopy(
  context: CustomerContext,
  copy: Copy,
  call: ActCall,
  body: SignedBody,
): Promise<CustomerDocument> {
  const act = { act: 'accept' as const, ...(await signingMembers(context, copy, call, body)) }
  if (copy.state.status !== 'offering') return findOutcome(context, copy, call, act)
  requireSignable(copy, body)
  return actAndSeal(context, copy, call, act, body)
}

/**
 * The document has left the status of the act, and never comes back to it. Only a repetition of the call that acted has an
 * answer: the ask finds its outcome, so no proof is needed.
 */
async function findOutcome(
  context: CustomerContext,
  copy: Copy,
  call: ActCall,
  act: DocumentAct,
): Promise<CustomerDocument> {
  if (call.mark === null) throw refuse('documents.status_invalid')
  return actOnCopy(context, copy, call, act)
}

/** The service's side decides; these checks spare the signer a proof that would be used up in vain. */
function requireSignable({ state, contentSha256, plainSha256 }: Copy, body: SignedBody): void {
  const isFile = state.payload_kind === 'file'
  if (isFile && plainSha256 === null) throw refuse('documents.not_signable')
  if (body.content_sha256 !== contentSha256) throw refuse('documents.content_mismatch')
  const { plain_sha256: plain = null, otk, pdf } = body
  if (isFile && plain !== null && plain !== plainSha256) throw refuse('documents.content_mismatch')
  if (isFile && otk === undefined) throw invalid('/body/otk', 'is required for a file contract')
  if (isFile && (pdf === undefined || pdf === '')) throw invalid('/body/pdf', 'is required for a file contract')
}

async function signingMembers(context: CustomerContext, copy: Copy, call: ActCall, body: SignedBody) {
  return {
    content_sha256: body.content_sha256,
    plain_sha256: copy.state.payload_kind === 'file' ? (body.plain_sha256 ?? null) : null,
    signer: {
      user_id: call.caller.userId,
      ...(await nameSigner(context, copy)),
      ip: call.ip,
      user_agent: call.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    },
  }
}

/** The name of the profile; verified when it is the one on the person's verified ID. */
async function nameSigner({ database, clock }: CustomerContext, { accountId, userType }: Copy) {
  return database.read(async (read) => {
    const account = await findAccount(read, accountId)
    if (account === null) throw refuse('auth.token_invalid')
    const { displayName } = account
    if (userType === 'company') return { first_name: null, last_name: displayName, name_verified: false }
    const splits = splitName(displayName)
    const verified = await findNameOfIdentity(read, accountId, splits, clock.now())
    const name = verified ?? splits[0] ?? { firstName: displayName, lastName: null }
    return { first_name: name.firstName, last_name: name.lastName, name_verified: verified !== null }
  })
}

async function actAndSeal(
  context: CustomerContext,
  copy: Copy,
  call: ActCall,
  act: DocumentAct,
  body: SignedBody,
): Promise<CustomerDocument> {
  if (copy.state.payload_kind === 'json') return actOnCopy(context, copy, call, act)
  const offered = await offerPdf(context, body)
  const prepared = await context.messages.askToPrepareSeal(copy, act, offered)
  if ('sealId' in prepared) return actOnCopy(context, copy, call, act, prepared.sealId)
  if (prepared.refusal === 'status_invalid') return findOutcome(context, copy, call, act)
  throw refusalOf(prepared.refusal)
}

/** The object is garbage from the start: it is read once, and useless without the key, which is never stored. */
async function offerPdf(context: CustomerContext, { otk = '', pdf = '' }: SignedBody): Promise<OfferedPdf> {
  const key = await announceObject(context)
  const stored = await context.objects.put(key, Buffer.from(pdf, 'latin1'), { contentType: 'text/plain' })
  if (!stored.ok) throw new Error('a PDF changed while it was stored')
  const url = await context.objects.presignGet(key, LINK_SECONDS)
  return { otk: new Secret(otk), url: url.reveal(), sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

/** The reply is stored at once; the tell of the same change follows and brings a new content. */
export async function actOnCopy(
  context: CustomerContext,
  copy: Copy,
  { mark }: Pick<ActCall, 'mark'>,
  act: DocumentAct,
  sealId: string | null = null,
): Promise<CustomerDocument> {
  const reply = await context.messages.askToAct(copy, act, sealId, mark)
  if (reply.outcome === 'refused') throw refusalOf(reply.refusal)
  const value = await readCopyValue(context, copy)
  return context.database.transaction(async (tx) => {
    await applyState(context, tx, copy, reply.state)
    if (act.act === 'sign') await deleteKeptProof(tx, copy)
    const answer = copyToWire(withReply(copy, reply), value, reply.runSignatures)
    await tx.storeAnswer(answer)
    return answer
  })
}

function withReply(copy: Copy, reply: Extract<ActReply, { readonly outcome: 'done' }>): Copy {
  return {
    ...copy,
    state: reply.state,
    contentSha256: reply.contentSha256,
    plainSha256: reply.plainSha256,
    sealedAt: reply.sealedAt === null ? null : parseInstant(reply.sealedAt),
  }
}

const REFUSALS = {
  not_found: 'documents.not_found',
  status_invalid: 'documents.status_invalid',
  not_signable: 'documents.not_signable',
  content_mismatch: 'documents.content_mismatch',
  not_cancellable: 'documents.not_cancellable',
  seal_failed: 'documents.seal_failed',
  run_managed: 'documents.status_invalid',
} as const satisfies Record<ActRefusal, ErrorKey>

function refusalOf(refusal: ActRefusal): Error {
  return refuse(REFUSALS[refusal])
}
