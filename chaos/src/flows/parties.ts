import type { SealingKey } from '@sealpost/crypto'
import type { UserId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import {
  type Calls,
  clientCalls,
  flowAuthor,
  mara,
  northwind,
  threePartyFlow,
  type ThreePartySlugs,
  threePartySlugs,
} from '@sealpost/testkit'
import { createAccount, loginCalls, openOperations } from '../accounts.ts'
import { requireOk } from '../calls.ts'
import type { Region } from '../inject-faults.ts'
import { importKey } from '../sealing.ts'
import type { Site } from './site.ts'

/** A user that a party of a run is bound to. */
export interface Reader {
  readonly userId: string
  readonly sealing: SealingKey
}

export interface Customer extends Reader {
  readonly calls: Calls
  readonly connectionId: string
}

export interface Owner extends Reader {
  /** As its data client. */
  readonly calls: Calls
}

/** A person and a company that take part in the same runs, one in each flow. */
export interface Pair {
  readonly customer: Customer
  readonly partner: Customer
}

export interface Flow {
  readonly flowId: string
  readonly slugs: ThreePartySlugs
}

export interface Parties {
  readonly owner: Owner
  readonly pairs: readonly Pair[]
  readonly flows: readonly Flow[]
}

/** The company is in eu, persons are in us, and their partners in both regions by turns. */
export async function openParties(
  site: Site,
  { pairs: pairCount, flows: flowCount }: { readonly pairs: number; readonly flows: number },
): Promise<Parties> {
  const { owner, portal } = await openOwner(site)
  const author = flowAuthor({ portal, serviceId: northwind.serviceId })
  const flows: Flow[] = []
  for (let number = 0; number < flowCount; number += 1) {
    const slugs = threePartySlugs(`_${number}`)
    flows.push({ ...(await author.published(threePartyFlow(slugs), `Flow ${number}`)), slugs })
  }
  const people = await openCustomers(site, 'person', 'us', pairCount)
  const [inEu, inUs] = [
    await openCustomers(site, 'company', 'eu', Math.ceil(pairCount / 2)),
    await openCustomers(site, 'company', 'us', Math.floor(pairCount / 2)),
  ]
  const partners = [...inEu, ...inUs]
  const pairs = people.flatMap((customer, index): readonly Pair[] => {
    const partner = partners[index]
    return partner === undefined ? [] : [{ customer, partner }]
  })
  return { owner, pairs, flows }
}

/** The company in eu: its data client, and a user of its portal. */
export async function openOwner({ installation }: Site): Promise<{ readonly owner: Owner; readonly portal: Calls }> {
  const owner: Owner = {
    userId: northwind.companyId,
    sealing: await importKey(northwind.service.publicKey),
    calls: await clientCalls(installation, northwind.clientId, northwind.clientSecret),
  }
  const user = { userId: northwind.companyId, userType: 'company', region: 'eu' } as const
  return { owner, portal: await loginCalls(installation, installation.eu.url, user) }
}

/** Accounts without the registration, which is not under test; they share the keys of a persona. */
async function openCustomers(
  { installation }: Site,
  userType: 'person' | 'company',
  region: Region,
  count: number,
): Promise<readonly Customer[]> {
  const operations = await openOperations(installation, region)
  const sealing = await importKey((userType === 'person' ? mara : northwind).login.keys.publicKey)
  const code = `${northwind.shareCode}/${northwind.service.shareCode}`
  const customers: Customer[] = []
  try {
    for (let number = 0; number < count; number += 1) {
      const id = systemIds().uuid<UserId>()
      await createAccount(operations, { id, userType, name: `${userType}-${region}-${number}` })
      const calls = await loginCalls(installation, installation[region].url, { userId: id, userType, region })
      const made = await requireOk(calls('POST', '/api/company-connections', { body: { code, decisions: [] } }))
      customers.push({ userId: id, sealing, calls, connectionId: String(made['id']) })
    }
  } finally {
    await operations.close()
  }
  return customers
}
