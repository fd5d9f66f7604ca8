import { parseAddress, type Address } from './address.ts'
import { codeOf, EgressInterruption, interruptRefused } from './failure.ts'
import { refuseAddress, type EgressPolicy } from './policy.ts'
import type { Resolver } from './resolver.ts'
import { readTarget, type Target } from './target.ts'

/** A target with the addresses that were judged; only these are ever dialled. */
export interface Route {
  readonly target: Target
  readonly addresses: readonly Address[]
}

export async function findRoute(policy: EgressPolicy, resolver: Resolver, url: string): Promise<Route> {
  const reading = readTarget(policy, url)
  if (!reading.ok) throw interruptRefused(reading.refusal)
  const target = reading.value
  if (target.literal !== null) return { target, addresses: [target.literal] }
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
