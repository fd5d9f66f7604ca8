import type { Dice } from '@sealpost/testkit/dice'
import type { Json } from './doors/door.ts'
import type { Lane, LaneCustomer } from './site.ts'
import type { ModelUser } from './user.ts'
import type { WrittenFlow, WrittenParty } from './written.ts'

/** The parties of a run, bound. */
export interface Cast {
  readonly company: ModelUser
  /** By the key of the party; none for the owner's. */
  readonly customers: ReadonlyMap<string, LaneCustomer>
  /** The part of the start that binds. */
  readonly trigger: Json
}

export function castParties(dice: Dice, { company, customers }: Lane, { parties }: WrittenFlow): Cast {
  const isSame = dice.chance(0.15)
  const cast = new Map<string, LaneCustomer>()
  for (const party of parties) {
    if (isOwner(party)) continue
    const fitting = customers.filter(({ kind }) => party.type === undefined || kind === party.type)
    const used = [...cast.values()]
    const free = fitting.filter((one) => !used.includes(one))
    cast.set(party.key, dice.pick(isSame || free.length === 0 ? fitting.slice(0, 1) : free))
  }
  const isTyped = parties.some(({ type }) => type !== undefined)
  return { company, customers: cast, trigger: isTyped ? typedTrigger(dice, cast) : untypedTrigger(dice, company, cast) }
}

/** The model gives this key to the company in flows without types, too. */
export function isOwner({ key }: WrittenParty): boolean {
  return key === 'us'
}

export function connectionOf({ connectionId }: LaneCustomer) {
  return { connection_id: connectionId }
}

function targetsOf(cast: Iterable<readonly [string, LaneCustomer]>): Json {
  return Object.fromEntries(Array.from(cast, ([key, customer]) => [key, connectionOf(customer)]))
}

/** `target` where it binds all, or the rest. */
function typedTrigger(dice: Dice, cast: ReadonlyMap<string, LaneCustomer>): Json {
  const [first, ...others] = [...cast]
  if (first === undefined || dice.chance(0.6)) return { targets: targetsOf(cast) }
  const rest = others.filter(([, customer]) => customer !== first[1])
  return { target: connectionOf(first[1]), ...(rest.length > 0 ? { targets: targetsOf(rest) } : {}) }
}

function users(list: readonly (readonly [string, LaneCustomer])[]): Json {
  return Object.fromEntries(list.map(([key, { user }]) => [key, user.userId]))
}

function untypedTrigger(dice: Dice, company: ModelUser, cast: ReadonlyMap<string, LaneCustomer>): Json {
  const bindings = { us: company.userId }
  const [first, ...others] = [...cast]
  if (first === undefined) return { bindings }
  if (dice.chance(0.4)) return { bindings: { ...bindings, ...users([...cast]) } }
  if (dice.chance(0.5)) return { bindings, targets: targetsOf(cast) }
  return { bindings: { ...bindings, ...users(others) }, target: connectionOf(first[1]) }
}

/** The readers of the answers, each once. */
export function usersOf({ company, customers }: Cast): readonly ModelUser[] {
  return [...new Set([company, ...[...customers.values()].map(({ user }) => user)])]
}

export function customersOf({ customers }: Cast): readonly LaneCustomer[] {
  return [...new Set(customers.values())]
}

export function userOf({ company, customers }: Cast, party: string): ModelUser {
  return customers.get(party)?.user ?? company
}

/** In the order of the definition. */
export function bindingsOf(cast: Cast, { parties }: WrittenFlow): Readonly<Record<string, string>> {
  return Object.fromEntries(parties.map(({ key }) => [key, userOf(cast, key).userId]))
}

/** The first party that is not the owner's: it stands for the run in lists and events. */
export function primaryOf(cast: Cast, { parties }: WrittenFlow): LaneCustomer {
  for (const { key } of parties) {
    const customer = cast.customers.get(key)
    if (customer !== undefined) return customer
  }
  throw new Error('the flow has no customer')
}
