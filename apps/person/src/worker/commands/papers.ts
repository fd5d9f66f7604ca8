import type { OpenedDocument, OwnDocument } from '@sealpost/sdk'
import { assertionOf, type Proof, requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import type { OpenAccount, PersonContext } from '../context.ts'
import { judgeSeal, type SealView } from '../judge-seal.ts'
import { listParties, type Party } from '../parties.ts'

export type { SealProblemKey, SealView } from '../judge-seal.ts'

/** Which paper: a broadcast has one for each connection with its service. */
export interface PaperName {
  readonly connectionId: string
  readonly id: string
}

/** A document or a contract of a company. */
export interface PaperView extends PaperName {
  /** Null when the connection has ended: the paper stays, the name of its company is not known any more. */
  readonly party: Party | null
  readonly name: string
  readonly description: string | null
  readonly kind: OwnDocument['kind']
  readonly status: OwnDocument['status']
  readonly isFile: boolean
  /** Of a form: the platform has made it from the answers. */
  readonly isMade: boolean
  /** Something is agreed by it, with or without an act of the person. */
  readonly isContract: boolean
  /** To all customers, and not sealed. */
  readonly isBroadcast: boolean
  /** The company asks for discretion where the paper is shown; it is sealed either way. */
  readonly isPrivate: boolean
  /** The digest that a signature is about; null for a broadcast. */
  readonly contentSha256: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly sealedAt: string | null
  /** The day on which it ends, by a cancellation or as the company has set it, `2027-01-31`. */
  readonly endsOn: string | null
  readonly canCancel: boolean
  readonly noticeDays: number
  readonly terms: PaperTerms
  readonly acts: readonly ActView[]
  /** The signing line of a contract flow; null for other papers. */
  readonly line: readonly LineStepView[] | null
}

export interface PaperTerms {
  readonly plan: string | null
  readonly price: string | null
  readonly renews: string | null
  readonly renewsOn: string | null
  readonly validUntil: string | null
}

export interface ActView {
  readonly action: 'signed' | 'accepted'
  readonly method: 'biometric' | 'twofa' | 'email' | 'custodian' | null
  readonly name: string
  readonly isNameVerified: boolean
  readonly at: string
}

export interface LineStepView {
  readonly key: string
  /** The name of a party in the flow, such as `employer`. */
  readonly party: string
  readonly paper: string
  readonly isOwn: boolean
  readonly status: OwnDocument['status']
  readonly action: 'signed' | 'accepted' | null
  readonly at: string | null
}

/** Own copies of all companies, and what companies have sent to all their customers. */
export async function listPapers(context: PersonContext): Promise<readonly PaperView[]> {
  const { client } = requireOpen(context)
  const parties = await listParties(context)
  const found = new Map<string, OwnDocument>()
  const collect = async (documents: AsyncIterable<OwnDocument>): Promise<void> => {
    for await (const document of documents) found.set(`${document.connection_id} ${document.id}`, document)
  }
  const lists = [client.documents.list(), ...[...parties.keys()].map((id) => client.documents.list(id))]
  await Promise.all(lists.map((list) => collect(list)))
  return [...found.values()].map((document) => paperView(parties, document))
}

/** Those that wait for the person; never a broadcast. */
export async function listWaitingPapers(context: PersonContext): Promise<readonly PaperView[]> {
  const waiting: OwnDocument[] = []
  for await (const document of requireOpen(context).client.documents.list())
    if (document.status === 'ready_to_sign' || document.status === 'offering') waiting.push(document)
  if (waiting.length === 0) return []
  const parties = await listParties(context)
  return waiting.map((document) => paperView(parties, document))
}

export async function readPaper(context: PersonContext, { connectionId, id }: PaperName): Promise<PaperView> {
  const document = await requireOpen(context).client.documents.get(connectionId, id)
  return paperView(await listParties(context), document)
}

/** What a paper says, opened in this worker. */
export type PaperContent =
  | { readonly kind: 'json'; readonly contentSha256: string | null; readonly value: unknown }
  | {
      readonly kind: 'file'
      readonly contentSha256: string | null
      readonly name: string
      readonly mimeType: string
      readonly bytes: Uint8Array<ArrayBuffer>
      /** Null for a file without a seal. */
      readonly seal: SealView | null
    }

/** The one that was opened last, so that exactly what the person was shown is signed. It goes with the account. */
const shown = new WeakMap<OpenAccount, OpenedDocument>()

export async function openPaper(context: PersonContext, { connectionId, id }: PaperName): Promise<PaperContent> {
  const account = requireOpen(context)
  const opened = await account.client.documents.open(connectionId, id)
  shown.set(account, opened)
  const { content_sha256: contentSha256, sealed_at: sealedAt } = opened.document
  if (opened.kind === 'json') return { kind: 'json', contentSha256, value: opened.value }
  const bytes = Uint8Array.from(opened.file.bytes)
  return {
    kind: 'file',
    contentSha256,
    name: opened.file.originalName ?? '',
    mimeType: opened.file.mimeType,
    bytes,
    seal: sealedAt === null ? null : await judgeSeal(bytes, sealedIdOf(opened.document)),
  }
}

/** All parties of a contract flow have the same sealed file: its seal names the run, not one of their copies. */
function sealedIdOf({ id, metadata, run_signatures: line }: OwnDocument): string {
  if (line === undefined || !('flow_run_id' in metadata)) return id
  return String(metadata.flow_run_id)
}

/** Which content the person has decided about. */
export interface PaperAct extends PaperName {
  readonly contentSha256: string
}

/** The device signs the digest of what was shown. */
export async function signPaper(context: PersonContext, act: PaperAct & { readonly proof: Proof }): Promise<void> {
  const assertion = (digest: string) => assertionOf(context, act.proof, digest)
  await requireOpen(context).client.documents.sign(shownOf(context, act), { method: 'biometric', assertion })
  context.changed('papers')
}

export async function acceptPaper(context: PersonContext, act: PaperAct): Promise<void> {
  await requireOpen(context).client.documents.accept(shownOf(context, act))
  context.changed('papers')
}

function shownOf(context: PersonContext, { connectionId, id, contentSha256 }: PaperAct): OpenedDocument {
  const opened = shown.get(requireOpen(context))
  const { document } = opened ?? {}
  const isShown = document?.id === id && document.connection_id === connectionId
  if (opened === undefined || !isShown || document.content_sha256 !== contentSha256) throw refuseHere('paper_replaced')
  return opened
}

export async function declinePaper(
  context: PersonContext,
  { connectionId, id, reason }: PaperName & { readonly reason: string },
): Promise<void> {
  const { client } = requireOpen(context)
  const document = await client.documents.get(connectionId, id)
  await client.documents.decline(document, reason === '' ? undefined : reason)
  context.changed('papers')
}

export async function cancelPaper(
  context: PersonContext,
  { connectionId, id, note }: PaperName & { readonly note: string },
): Promise<void> {
  const { client } = requireOpen(context)
  const document = await client.documents.get(connectionId, id)
  await client.documents.cancel(document, note === '' ? undefined : note)
  context.changed('papers')
}

function paperView(parties: ReadonlyMap<string, Party>, document: OwnDocument): PaperView {
  const { metadata, requires_signature: wantsSignature, requires_acceptance: wantsAcceptance } = document
  return {
    id: document.id,
    connectionId: document.connection_id,
    party: parties.get(document.connection_id) ?? null,
    name: document.name,
    description: document.description,
    kind: document.kind,
    status: document.status,
    isFile: document.payload_kind === 'file',
    isMade: 'flow_run_id' in metadata,
    isContract: document.kind !== 'document' || wantsSignature || wantsAcceptance,
    isBroadcast: document.content_sha256 === null,
    isPrivate: document.is_private,
    contentSha256: document.content_sha256,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    sealedAt: document.sealed_at,
    endsOn: document.cancel_effective_date,
    canCancel: document.status === 'active' && metadata.can_be_cancelled_in_app,
    noticeDays: metadata.cancel_notice_days ?? 0,
    terms: termsOf(metadata),
    acts: document.signatures.map((act) => ({
      action: act.action,
      method: act.method,
      name: [act.signer_first_name, act.signer_last_name].filter((part) => part !== null && part !== '').join(' '),
      isNameVerified: act.signer_name_verified,
      at: act.created_at,
    })),
    line: lineOf(document),
  }
}

function termsOf(metadata: OwnDocument['metadata']): PaperTerms {
  const price = [metadata.price, metadata.currency].filter((part) => part !== undefined && part !== '').join(' ')
  return {
    plan: metadata.plan_name ?? null,
    price: metadata.price === undefined ? null : price,
    renews: metadata.renewal_term ?? null,
    renewsOn: metadata.renewal_date ?? null,
    validUntil: metadata.valid_until ?? null,
  }
}

/** Only who acts: a party that receives a copy has no place in the line. */
function lineOf({ id, run_signatures: steps }: OwnDocument): readonly LineStepView[] | null {
  if (steps === undefined) return null
  return steps
    .filter(({ position }) => position !== null)
    .map((step) => ({
      key: step.document_id,
      party: step.party_key,
      paper: step.name,
      isOwn: step.document_id === id,
      status: step.status,
      action: step.action,
      at: step.acted_at,
    }))
}
