import type { Definition, Party } from '@sealpost/flow'
import { accept, decline, type Result, type UserId } from '@sealpost/kernel'
import type { StoredConnection } from '../../../connections/index.ts'
import type { BoundParty } from '../model.ts'

export interface GivenBindings {
  readonly companyId: UserId
  /** Null when the call names none. */
  readonly target: StoredConnection | null
  readonly targets: ReadonlyMap<string, StoredConnection>
  readonly bindings: ReadonlyMap<string, string>
  /** Customers among the users that `bindings` names. */
  readonly customers: ReadonlyMap<string, StoredConnection>
}

export type BindingRefusal = 'flows.bindings_invalid' | 'flows.no_counterparty'

type Binding = Result<BoundParty, BindingRefusal>

/** Binds every party to a user; the result is in the order of the definition. */
export function bindParties(
  { parties }: Pick<Definition, 'parties'>,
  given: GivenBindings,
): Result<readonly BoundParty[], BindingRefusal> {
  const keys = new Set(parties.filter(({ type }) => type !== 'owner').map(({ key }) => key))
  if ([...given.targets.keys()].some((key) => !keys.has(key))) return invalid()
  const bound: BoundParty[] = []
  for (const party of parties) {
    const binding = bindParty(party, given)
    if (!binding.ok) return binding
    bound.push(binding.value)
  }
  if (bound.every(({ customer }) => customer === null)) return decline('flows.no_counterparty')
  // The company reads every run, so one of its parties must be the company.
  return bound.some(({ customer }) => customer === null) ? accept(bound) : invalid()
}

function bindParty(party: Party, given: GivenBindings): Binding {
  if (party.type === undefined) return bindUntyped(party, given)
  if (party.type !== 'owner') return bindTyped(party, given)
  const user = named(party, given)
  return user === null || user === given.companyId ? bindCompany(party, given) : invalid()
}

function bindTyped(party: Party, given: GivenBindings): Binding {
  const connection = given.targets.get(party.key) ?? given.target
  if (connection === null || connection.customerType !== party.type) return invalid()
  const user = named(party, given)
  return user === null || user === connection.customerId ? bindCustomer(party, connection) : invalid()
}

function bindUntyped(party: Party, given: GivenBindings): Binding {
  const user = named(party, given)
  if (user === given.companyId) return bindCompany(party, given)
  const connection =
    user === null ? (given.targets.get(party.key) ?? given.target) : (given.customers.get(user) ?? null)
  return connection === null ? invalid() : bindCustomer(party, connection)
}

function named({ key }: Party, { bindings }: GivenBindings): string | null {
  return bindings.get(key) ?? null
}

function bindCompany({ key }: Party, { companyId }: GivenBindings): Binding {
  return accept({ partyKey: key, userId: companyId, customer: null })
}

function bindCustomer(
  { key }: Party,
  { id, customerId, customerRegion, publicKey, shareCode }: StoredConnection,
): Binding {
  return accept({
    partyKey: key,
    userId: customerId,
    customer: { connectionId: id, region: customerRegion, publicKey, shareCode, isErased: false },
  })
}

function invalid(): Result<never, BindingRefusal> {
  return decline('flows.bindings_invalid')
}
