import type { Dice } from '@sealpost/testkit/dice'
import { type Cast, customersOf, isOwner, usersOf } from './cast.ts'
import { type Door, type Json, mustSucceed } from './doors/door.ts'
import { FACTS, PROFILE } from './names.ts'
import type { Lane, LaneCustomer } from './site.ts'
import { namedTags, sealTagValues, type SharedValue, type TagEntry } from './tag-values.ts'
import type { WrittenFlow } from './written.ts'

/** A start that the service accepts, and what the run will say of it. */
export interface PreparedStart {
  readonly trigger: Json
  readonly values: readonly SharedValue[]
  readonly tagValues: Readonly<Record<string, TagEntry>> | null
  readonly ownerTagValues: Json | null
  readonly sources: readonly StagedSource[]
}

export interface StagedSource {
  readonly source_key: string
  readonly for_user_id: string
  readonly file: string
  readonly sourceUserId: string
  readonly text: string
}

interface Start {
  readonly dice: Dice
  readonly door: Door
  readonly lane: Lane
  readonly flow: WrittenFlow
  readonly flowId: string
  readonly cast: Cast
}

export async function prepareStart(start: Start): Promise<PreparedStart> {
  const { dice, flow, cast } = start
  const values = sharedValues(dice, flow, cast)
  const namesCustomers = namedTags(flow).some(({ party }) => cast.customers.has(party))
  const customers = customersOf(cast).map(({ user }) => user)
  const tagValues = namesCustomers ? await sealTagValues(cast.company, customers, values) : null
  const sources = await stageSources(start)
  const needsVersion = tagValues !== null || sources.length > 0
  return {
    trigger: {
      ...cast.trigger,
      ...(needsVersion || dice.chance(0.5) ? { flow_version: 1 } : {}),
      ...(tagValues === null ? {} : { tag_values: tagValues }),
      ...(sources.length === 0 ? {} : { source_files: sources.map(sourceToWire) }),
    },
    values,
    tagValues,
    ownerTagValues: ownerTagValues(flow),
    sources,
  }
}

export function sourceToWire({ source_key, for_user_id, file }: StagedSource): Json {
  return { source_key, for_user_id, file }
}

/** The values that the texts name and the customers have shared; a missing one is left out. */
function sharedValues(dice: Dice, flow: WrittenFlow, { customers }: Cast): readonly SharedValue[] {
  return namedTags(flow).flatMap(({ party, field }) => {
    const customer = customers.get(party)
    const text = customer?.shared.get(field)
    if (customer === undefined || text === undefined) return []
    return [{ tag: `${party}.${field}`, userId: customer.user.userId, text, isPrivate: dice.chance(0.4) }]
  })
}

/** Null when no text names a value of the company. */
function ownerTagValues(flow: WrittenFlow): Json | null {
  const keys = new Set(flow.parties.filter(isOwner).map(({ key }) => key))
  const own = namedTags(flow).filter(({ party }) => keys.has(party))
  if (own.length === 0) return null
  const known = own.flatMap(({ party, field }) => {
    const value = PROFILE[field]
    return value === undefined ? [] : [[`${party}.${field}`, { v: value, t: 'text' }] as const]
  })
  return Object.fromEntries(known)
}

/** The files that rules take from customers, of those who have shared one. */
export function neededSources(flow: WrittenFlow, { customers }: Cast): ReadonlyMap<string, LaneCustomer> {
  const needed = new Map<string, LaneCustomer>()
  for (const { rules } of flow.nodes.flatMap(({ outputs }) => outputs ?? []))
    for (const { source_connection: source } of rules) {
      const customer = source === undefined ? undefined : customers.get(source.party)
      if (source !== undefined && customer?.hasDeed === true)
        needed.set(`conn:${source.party}:${FACTS.deedSlug}`, customer)
    }
  return needed
}

/** One copy for each reader of the run, at the customer who shared the file. */
async function stageSources({ door, lane, flow, flowId, cast }: Start): Promise<readonly StagedSource[]> {
  const staged: StagedSource[] = []
  for (const [source_key, customer] of neededSources(flow, cast))
    for (const reader of usersOf(cast)) {
      const text = `deed of ${customer.user.userId} for ${reader.userId}`
      const body = { source_user_id: customer.user.userId, value: await reader.seal(text) }
      const { file } = mustSucceed(await door.stage(lane.service, flowId, body))
      staged.push({
        source_key,
        for_user_id: reader.userId,
        file: String(file),
        sourceUserId: customer.user.userId,
        text,
      })
    }
  return staged
}
