import { answerElements, type FieldElement, parseDefinition } from '@sealpost/flow'
import { type ConnectionId, type FieldId, formatInstant, parseUuid, type UserId } from '@sealpost/kernel'
import { type Attested, refuse } from '@sealpost/protocol'
import {
  announceFlowLinks,
  findFlowLink,
  findUsableConnection,
  type FlowLink,
  type GivenLink,
  type LinkedField,
  putFlowLink,
  removeFlowLink,
  withdrawAnnounced,
} from '../../../connections/index.ts'
import { findVaultValue } from '../../../vault/index.ts'
import type { CustomerContext, TurnReply } from '../context.ts'
import type { CustomerRun } from '../model.ts'
import { listRunsOfFlow } from '../store/runs.ts'

/** An answer as the body of a turn has it; the service's side checks its members. */
export interface GivenAnswer {
  readonly slug?: unknown
  readonly values?: unknown
  readonly source_private?: unknown
  readonly link?: { readonly source_field_id: string }
}

export interface AnnouncedLink {
  readonly rev: number
  readonly attested: Attested | null
  readonly isPrivate: boolean
}

/** By the place of the answer. See [Note: links of flows]. */
export async function announceLinks(
  context: CustomerContext,
  run: CustomerRun,
  given: readonly GivenAnswer[],
): Promise<ReadonlyMap<number, AnnouncedLink>> {
  const places = given.flatMap(({ link }, place) => (link === undefined ? [] : [place]))
  if (places.length === 0) return new Map()
  const links = places.map((place) => {
    const { slug, link } = given[place] ?? {}
    const element = typeof slug === 'string' ? fieldOf(run, slug) : null
    const sourceFieldId = link === undefined ? null : parseUuid<FieldId>(link.source_field_id)
    if (element === null || sourceFieldId === null) throw refuse('flows.answer_invalid')
    return { ...linkedField(run, element), sourceFieldId }
  })
  const name = { accountId: run.accountId, id: run.connectionId }
  const announced = await context.database.transaction((tx) => announceFlowLinks(context, tx, name, links))
  if (announced === null) throw refuse('flows.answer_invalid')
  return new Map(places.flatMap((place, index) => (announced[index] === undefined ? [] : [[place, announced[index]]])))
}

/** A field that may be linked, of a step of a party that the account is bound to. */
function fieldOf({ accountId, start }: CustomerRun, slug: string): FieldElement | null {
  const definition = parseDefinition(start.definition)
  if (!definition.ok) return null
  const own = definition.value.nodes.filter(({ party }) => start.bindings[party] === accountId)
  const element = own.flatMap(answerElements).find((one) => one.slug === slug)
  return element?.kind === 'field' && element.link !== 'none' ? element : null
}

function linkedField({ start }: CustomerRun, element: FieldElement): LinkedField {
  const { slug, label, field_type: type, link, verified_max_age_days: maxAgeDays = null } = element
  return { flowId: start.flow_id, slug, label, type, verified: link === 'verified' ? { maxAgeDays } : null }
}

/** Announced links that the turn has not taken: it was refused, or the call repeats an earlier one. */
export async function withdrawOthers(
  { database }: CustomerContext,
  run: CustomerRun,
  links: ReadonlyMap<number, AnnouncedLink>,
  reply: TurnReply,
): Promise<void> {
  const taken = new Set(reply.outcome === 'done' ? reply.answers.flatMap(({ link_rev: rev }) => rev ?? []) : [])
  const revs = [...links.values()].map(({ rev }) => rev).filter((rev) => !taken.has(rev))
  if (revs.length === 0) return
  const name = { accountId: run.accountId, id: run.connectionId }
  await database.transaction((tx) => withdrawAnnounced(tx, name, revs))
}

/** A file that is too large for the run stays a link only: one in the clear is shared from the field itself. */
export async function shareClearFiles(
  context: CustomerContext,
  run: CustomerRun,
  given: readonly GivenAnswer[],
): Promise<void> {
  for (const { slug, values, link } of given) {
    if (link === undefined || typeof slug !== 'string' || !isUnheld(values)) continue
    const fieldId = parseUuid<FieldId>(link.source_field_id)
    const element = fieldOf(run, slug)
    if (fieldId === null || element === null) continue
    const source = await context.database.read((read) => findVaultValue(read, run.accountId, fieldId))
    if (source?.content.kind !== 'object' || source.content.form !== 'clear') continue
    const name = { accountId: run.accountId, id: run.connectionId }
    await putFlowLink(context.connections, name, linkedField(run, element), link)
  }
}

function isUnheld(values: unknown): boolean {
  const copies: readonly unknown[] = Array.isArray(values) ? values : []
  const first = copies[0]
  const value = typeof first === 'object' && first !== null && 'value' in first ? first.value : null
  return typeof value === 'string' && !value.includes('"_enc') && value.includes('"_link"')
}

/** The field of a flow that a customer may link at a connection. */
export interface LinkPlace {
  readonly accountId: UserId
  readonly connectionId: ConnectionId
  readonly field: LinkedField
}

/** Another account's connection answers like a missing one. */
export async function locateLink(
  { database }: CustomerContext,
  accountId: UserId,
  { id: connectionText, flowId, slug }: { readonly id: string; readonly flowId: string; readonly slug: string },
): Promise<LinkPlace> {
  const connectionId = parseUuid<ConnectionId>(connectionText)
  if (connectionId === null) throw refuse('company_data.connection_not_found')
  const runs = await database.read(async (read) => {
    if ((await findUsableConnection(read, { accountId, id: connectionId })) === null)
      throw refuse('company_data.connection_not_found')
    return parseUuid(flowId) === null ? [] : listRunsOfFlow(read, accountId, connectionId, flowId)
  })
  for (const run of runs) {
    const element = fieldOf(run, slug)
    if (element !== null) return { accountId, connectionId, field: linkedField(run, element) }
  }
  throw refuse('flows.link_not_found')
}

export async function readLink({ database }: CustomerContext, { accountId, connectionId, field }: LinkPlace) {
  const name = { accountId, id: connectionId }
  const link = await database.read((read) => findFlowLink(read, name, field.flowId, field.slug))
  if (link === null) throw refuse('flows.link_not_found')
  return linkToWire(link)
}

export async function changeLink(
  context: CustomerContext,
  { accountId, connectionId, field }: LinkPlace,
  given: GivenLink,
) {
  return linkToWire(await putFlowLink(context.connections, { accountId, id: connectionId }, field, given))
}

export async function removeLink(
  context: CustomerContext,
  { accountId, connectionId, field }: LinkPlace,
): Promise<void> {
  const isRemoved = await removeFlowLink(context.connections, { accountId, id: connectionId }, field.flowId, field.slug)
  if (!isRemoved) throw refuse('flows.link_not_found')
}

function linkToWire({ flowId, slug, sourceFieldId, linkedAt }: FlowLink) {
  return {
    flow_id: flowId,
    slug,
    source_field_id: sourceFieldId,
    live: true as const,
    linked_at: formatInstant(linkedAt),
  }
}
