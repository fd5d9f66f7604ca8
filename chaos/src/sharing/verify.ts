import { type Person, readText } from './people.ts'
import { readSealed, type Shop, SLUG } from './shops.ts'

interface Listed {
  readonly id: string
  readonly values: Readonly<Record<string, { readonly value?: string }>>
}

export interface Held {
  /** Connection -> person and edit that its slot holds. */
  readonly values: ReadonlyMap<string, { readonly number: number; readonly edit: number }>
  readonly connections: number
  readonly slots: number
}

/** Everything a service holds, as its backend would copy it. */
export async function readShop(shop: Shop): Promise<Held> {
  const values = new Map<string, { number: number; edit: number }>()
  let connections = 0
  let slots = 0
  for (let cursor = ''; ;) {
    const path = `/api/company-data/connections?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { status, body, text } = await shop.call('GET', path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
    for (const { id, values: held } of body['items'] as readonly Listed[]) {
      connections += 1
      slots += Object.keys(held).length
      const value = held[SLUG]?.value
      if (value !== undefined) values.set(id, readText(await readSealed(shop.opening, value)))
    }
    if (typeof body['next_cursor'] !== 'string') return { values, connections, slots }
    cursor = body['next_cursor']
  }
}

/** Connections whose slot does not hold the last accepted edit of its person, and whatever else should not be there. */
export async function countWrong(shops: readonly Shop[], people: readonly Person[]): Promise<number> {
  let wrong = 0
  for (const shop of shops) {
    const held = await readShop(shop)
    const expected = people.flatMap(({ number, accepted, connections }) =>
      connections.filter((one) => one.shop === shop).map(({ id }) => ({ id, number, accepted })),
    )
    wrong += expected.filter(({ id, number, accepted }) => {
      const value = held.values.get(id)
      return value?.number !== number || value.edit !== accepted
    }).length
    wrong += Math.abs(held.connections - expected.length) + Math.abs(held.slots - expected.length)
  }
  return wrong
}
