import { parseAddress, type Address } from './address.ts'
import { codeOf, EgressInterruption, interruptRefused } from './failure.ts'
import { refuseAddress, type EgressPolicy } from './policy.ts'
import type { EgressRequest } from './request.ts'
import type { Resolver } from './resolver.ts'
import type { Target, TargetReader } from './target.ts'
import type { Trip } from './trip.ts'

/** A target with its checked addresses; only these are dialled. */
export interface Route {
  readonly target: Target
  readonly addresses: readonly Address[]
}

export interface RouteContext {
  readonly policy: EgressPolicy
  readonly resolver: Resolver
  readonly readTarget: TargetReader
}

/** A name is resolved and checked anew for every request. An address was checked when its URL was parsed. */
export function findRoute(context: RouteContext, request: EgressRequest, trip: Trip): Route | Promise<Route> {
  trip.throwIfOver()
  const reading = context.readTarget(request.url)
  if (!reading.ok) throw interruptRefused(reading.refusal)
  const target = reading.value
  if (target.literal !== null) return { target, addresses: [target.literal] }
  return trip.within('resolve', request.connectTimeoutMs, () => resolveTarget(context, target))
}

async function resolveTarget({ policy, resolver }: RouteContext, target: Target): Promise<Route> {
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

/** One forbidden address among several refuses the name: a mixture is an attempt to find out which one we use. */
function refuseAnyForbidden(policy: EgressPolicy, addresses: readonly Address[]): void {
  for (const address of addresses) {
    const reason = refuseAddress(policy, address)
    if (reason !== null) throw interruptRefused(reason)
  }
}

/** IPv4 first: a machine without IPv6 would otherwise waste its first attempt. */
function inDialOrder(addresses: readonly Address[]): Address[] {
  return addresses.toSorted((one, other) => one.family - other.family)
}
