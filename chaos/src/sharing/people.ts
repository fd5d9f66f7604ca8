import type { RegionCode, UserId } from '@sealpost/kernel'
import { systemClock, systemIds } from '@sealpost/process'
import { type Calls, callsWith, forge, loginClaims, mara } from '@sealpost/testkit'
import { importKey, openOperations, sealTo, type Shop } from './shops.ts'
import type { Region, Site } from './site.ts'

/** Somebody whose field feeds one or two services in the other region. */
export interface Person {
  readonly number: number
  readonly region: Region
  readonly call: Calls
  readonly connections: readonly { readonly id: string; readonly shop: Shop }[]
  /** The last edit that was answered with 200: what every service must hold in the end. */
  accepted: number
}

export interface Field {
  readonly id: string
  readonly type: string
}

/** What an edit says; services get nothing else. */
export function textOf(number: number, edit: number): string {
  return `person ${number}, edit ${edit}`
}

export function readText(text: string): { readonly number: number; readonly edit: number } {
  const [, number, edit] = /^person (\d+), edit (\d+)$/.exec(text) ?? []
  if (number === undefined || edit === undefined) throw new Error(`nobody wrote ${JSON.stringify(text)}`)
  return { number: Number(number), edit: Number(edit) }
}

export interface Wanted {
  readonly region: Region
  readonly count: number
  /** By their place: who connects with which. */
  readonly shopsOf: (place: number) => readonly Shop[]
}

/** Accounts past the registration, whose password and mail are not what is tried here; everything after by HTTP. */
export async function createPeople(
  site: Site,
  field: Field,
  first: number,
  { region, count, shopsOf }: Wanted,
): Promise<readonly Person[]> {
  const operations = await openOperations(site.installation, region)
  const people: Person[] = []
  try {
    for (let place = 0; place < count; place += 1) {
      const number = first + place
      const id = systemIds().uuid<UserId>()
      const { kdf, keys, recoveryKeys } = mara.login
      const account = { userType: 'person', displayName: `Person ${number}`, language: 'en', level: 'free' } as const
      await operations.createAccount({
        id,
        email: `person-${number}@chaos.example`,
        ...account,
        kdf,
        keys,
        recoveryKeys,
      })
      const call = await callsOf(site, region, id)
      people.push(await connectPerson(call, field, { number, region }, shopsOf(place)))
    }
  } finally {
    await operations.close()
  }
  return people
}

/** A token as the front door would sign it for somebody who logged in. */
export async function callsOf({ installation }: Site, region: Region, userId: UserId): Promise<Calls> {
  const place = { ...installation, clock: systemClock }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the two regions that the installation has
  const claims = loginClaims({ userId, userType: 'person', region: region as RegionCode, sid: `chaos ${userId}` })
  return callsWith(installation[region].url, await forge(place, claims))
}

async function connectPerson(
  call: Calls,
  field: Field,
  { number, region }: Pick<Person, 'number' | 'region'>,
  shops: readonly Shop[],
): Promise<Person> {
  const text = textOf(number, 0)
  await demand(
    call('PUT', `/api/contact-data/${field.id}`, { body: { value: await sealToSelf(text), is_private: true } }),
  )
  const connections: { id: string; shop: Shop }[] = []
  for (const shop of shops) {
    const value = await sealTo(shop.sealing, text)
    const decision = { request_field_id: shop.rowId, kind: 'linked', source_field_id: field.id, value }
    const made = await demand(
      call('POST', '/api/company-connections', { body: { code: shop.code, decisions: [decision] } }),
    )
    connections.push({ id: String(made['id']), shop })
  }
  return { number, region, call, connections, accepted: 0 }
}

/** All of them share a key: what they keep for themselves is not looked at. */
export async function sealToSelf(text: string): Promise<string> {
  ownKey ??= importKey(mara.login.keys.publicKey)
  return sealTo(await ownKey, text)
}

let ownKey: ReturnType<typeof importKey> | null = null

async function demand(answering: ReturnType<Calls>): Promise<Readonly<Record<string, unknown>>> {
  const { status, body, text } = await answering
  if (status >= 300) throw new Error(`not served: ${status} ${text}`)
  return body
}
