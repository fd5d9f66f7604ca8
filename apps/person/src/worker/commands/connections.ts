import type { AnnouncedKey, ConnectOptions, OwnConnection } from '@sealpost/sdk'
import { requireOpen, secondFactorOf, type SignedProof } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import {
  answerOf,
  answersOf,
  type AnswerWish,
  type AnswerWishes,
  type AskedView,
  askedView,
  fieldsByFit,
  type Fitting,
  shownFields,
} from '../asked.ts'
import type { PersonContext } from '../context.ts'

export type { AnswerWish, AskedView, GivenView } from '../asked.ts'

export interface PartyView {
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
  readonly code: string
}

export interface ConnectionView extends PartyView {
  readonly id: string
  readonly connectedAt: string
  readonly asked: readonly AskedView[]
  /** What the company shows of itself. */
  readonly card: readonly { readonly label: string; readonly value: string }[]
}

export interface OfferView extends PartyView {
  readonly needsSecondFactor: boolean
  readonly isForCompanies: boolean
  readonly asked: readonly AskedView[]
}

export async function listConnections(context: PersonContext): Promise<readonly ConnectionView[]> {
  const { client } = requireOpen(context)
  const fitting = await fieldsByFit(context)
  const views: ConnectionView[] = []
  for await (const connection of client.connections.list())
    views.push(connectionView(fitting, connection, await client.connections.typedValues(connection)))
  return views
}

export async function readConnection(context: PersonContext, id: string): Promise<ConnectionView> {
  const { client } = requireOpen(context)
  const connection = await client.connections.get(id)
  return connectionView(await fieldsByFit(context), connection, await client.connections.typedValues(connection))
}

/** `keyFingerprint`: the key that the company's link or QR code names; the server must show the same. */
export async function lookUpService(
  context: PersonContext,
  code: string,
  keyFingerprint: string | null = null,
): Promise<OfferView> {
  const { client } = requireOpen(context)
  const { company, service, request_fields: rows } = await client.lookup(code, announced(keyFingerprint))
  const fitting = await fieldsByFit(context)
  return {
    companyId: company.user_id,
    companyName: company.display_name,
    serviceName: service.name,
    code: `${company.share_code}/${service.code}`,
    needsSecondFactor: service.require_2fa,
    isForCompanies: service.audience === 'company',
    asked: rows.map((row) => askedView(fitting, row)),
  }
}

export interface ConnectWish {
  readonly answers: AnswerWishes
  /** As the page shows it. */
  readonly shown: readonly AskedView[]
  /** For a service that requires a second factor. */
  readonly proof: SignedProof | null
  /** The key that the company's link names: judged once more, as the answer to the look may have been another one. */
  readonly keyFingerprint: string | null
}

export async function connect(
  context: PersonContext,
  { code, ...wish }: ConnectWish & { readonly code: string },
): Promise<{ readonly id: string }> {
  const { client } = requireOpen(context)
  const { id } = await client.connect(code, answersOf(wish.answers), await optionsOf(context, wish))
  context.changed('connections')
  return { id }
}

function announced(keyFingerprint: string | null): AnnouncedKey {
  return keyFingerprint === null ? {} : { keyFingerprint }
}

async function optionsOf(
  context: PersonContext,
  { shown, proof, keyFingerprint }: ConnectWish,
): Promise<ConnectOptions> {
  const secondFactor = await secondFactorOf(context, proof)
  return { shown: shownFields(shown), ...announced(keyFingerprint), ...secondFactor }
}

/** Null withdraws an answer. */
export async function changeAnswers(
  context: PersonContext,
  { id, changes, shown }: ShownConnection & { readonly changes: Readonly<Record<string, AnswerWish | null>> },
): Promise<void> {
  const { client } = requireOpen(context)
  const wishes = Object.entries(changes).map(([slug, wish]) => [slug, wish === null ? null : answerOf(wish)] as const)
  await client.connections.remap(id, Object.fromEntries(wishes), { shown: shownFields(shown) })
  context.changed('connections')
}

interface ShownConnection {
  readonly id: string
  readonly shown: readonly AskedView[]
}

/** Answers what a service has asked for later; what is left out stays open. */
export async function provide(
  context: PersonContext,
  { id, answers, shown }: ShownConnection & { readonly answers: AnswerWishes },
): Promise<void> {
  await requireOpen(context).client.consents.provide(id, answersOf(answers), { shown: shownFields(shown) })
  context.changed('connections')
}

export async function decline(
  context: PersonContext,
  { id, requestIds }: { readonly id: string; readonly requestIds: readonly string[] },
): Promise<void> {
  await requireOpen(context).client.consents.decline(id, requestIds)
  context.changed('connections')
}

export async function endConnection(context: PersonContext, id: string): Promise<void> {
  await requireOpen(context).client.connections.disconnect(id)
  context.changed('connections')
}

export interface InvitationView {
  readonly id: string
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
  readonly code: string
  readonly message: string | null
  readonly createdAt: string
}

export async function listInvitations(context: PersonContext): Promise<readonly InvitationView[]> {
  const views: InvitationView[] = []
  for await (const request of requireOpen(context).client.connectRequests.list()) {
    const { id, company, service, message, created_at: createdAt } = request
    const code = `${company.share_code ?? ''}/${service.code}`
    const names = { companyId: company.user_id, companyName: company.display_name, serviceName: service.name }
    views.push({ id, ...names, code, message, createdAt })
  }
  return views
}

export async function acceptInvitation(
  context: PersonContext,
  { id, ...wish }: ConnectWish & { readonly id: string },
): Promise<{ readonly id: string }> {
  const { connectRequests } = requireOpen(context).client
  for await (const request of connectRequests.list()) {
    if (request.id !== id) continue
    const made = await connectRequests.accept(request, answersOf(wish.answers), await optionsOf(context, wish))
    context.changed('connections')
    return { id: made.id }
  }
  throw refuseHere('invitation_gone')
}

export async function rejectInvitation(context: PersonContext, id: string): Promise<void> {
  await requireOpen(context).client.connectRequests.reject(id)
  context.changed('connections')
}

function connectionView(
  fitting: Fitting,
  connection: OwnConnection,
  typed: Readonly<Record<string, string>>,
): ConnectionView {
  const { id, company, connected_at: connectedAt, services, company_profile: profile } = connection
  const [link] = services
  const asked = (link?.request_fields ?? []).map((row): AskedView => {
    const mapping = link?.mappings.find(({ slug }) => slug === row.slug)
    const given =
      mapping === undefined
        ? null
        : {
            isLive: mapping.live,
            fieldId: mapping.source_field_id,
            typed: typed[row.slug] ?? null,
            since: mapping.provided_at,
          }
    const isPending = link?.pending_consent.includes(row.slug) ?? false
    const isDeclined = link?.declined.includes(row.slug) ?? false
    return { ...askedView(fitting, row), given, isPending, isDeclined }
  })
  return {
    id,
    companyId: company.user_id,
    companyName: company.display_name,
    serviceName: link?.service_name ?? '',
    code: `${company.share_code}/${link?.service_code ?? ''}`,
    connectedAt,
    asked,
    card: [...profile, ...(link?.shared ?? [])].flatMap(({ label, value }) =>
      typeof value === 'string' ? [{ label, value }] : [],
    ),
  }
}
