import { parseAddress, type Address } from './address.ts'
import { codeOf, EgressInterruption, interruptRefused } from './failure.ts'
import { refuseAddress, type EgressPolicy } from './policy.ts'
import type { EgressRequest } from './request.ts'
import type { Resolver } from './resolver.ts'
import type { Target, TargetReader } from './target.ts'
import type { Trip } from './trip.ts'

/** A target with the addresses that were judged; only these are ever dialled. */
export interface Route {
  readonly target: Target
  readonly addresses: readonly Address[]
}

export interface RouteNeeds {
  readonly policy: EgressPolicy
  readonly resolver: Resolver
  readonly readTarget: TargetReader
}

/** A name is resolved and judged anew for every request. An address was judged when its URL was read. */
export function findRoute(needs: RouteNeeds, request: EgressRequest, trip: Trip): Route | Promise<Route> {
  trip.throwIfOver()
  const reading = needs.readTarget(request.url)
  if (!reading.ok) throw interruptRefused(reading.refusal)
  const target = reading.value
  if (target.literal !== null) return { target, addresses: [target.literal] }
  return trip.within('resolve', request.connectTimeoutMs, () => resolveTarget(needs, target))
}

async function resolveTarget({ policy, resolver }: RouteNeeds, target: Target): Promise<Route> {
  const addresses = await resolveName(resolver, target.host)
  if (!target.isInternal) refuseAnyForbidden(policy, addresses)
  return { target, addresses: inDialOrder(addresses) }
}

async function resolveName(resolver: Resolver, name: string): Promise<Address[]> {
  const answers = await resolver.resolve(name).catch((error: unknown) => {
    throw new EgressInterruption({ kind: 'dns', code: codeOf(error) ?? 'EUNKNOWN' }, { cause: error })
  })
  if (answers.length === 0) throw new EgressInterruption({ kind: 'dns', code: 'ENODATA' })
  return answers.map((answer) => {
    const address = parseAddress(answer)
    if (address === null) throw interruptRefused('resolver_answer')
    return address
  })
}

/** One forbidden address among many refuses the name: whoever mixes them is trying out which one we take. */
function refuseAnyForbidden(policy: EgressPolicy, addresses: readonly Address[]): void {
  for (const address of addresses) {
    const reason = refuseAddress(policy, address)
    if (reason !== null) throw interruptRefused(reason)
  }
}

/** IPv4 first: a machine without IPv6 would otherwise spend its first attempt on nothing. */
function inDialOrder(addresses: readonly Address[]): Address[] {
  return addresses.toSorted((one, other) => one.family - other.family)
}
