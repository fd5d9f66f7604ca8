import { SLUG } from '../request-row.ts'
import { openSealed } from '../sealing.ts'
import { type Person, readText } from './people.ts'
import type { ReceivingService } from './services.ts'

interface Listed {
  readonly id: string
  readonly values: Readonly<Record<string, { readonly value?: string }>>
}

interface StoredValues {
  /** By connection: the person and the edit in its slot. */
  readonly values: ReadonlyMap<string, { readonly number: number; readonly edit: number }>
  readonly connections: number
  readonly slots: number
}

/** All values of a service, as its backend would copy them. */
async function readService(service: ReceivingService): Promise<StoredValues> {
  const values = new Map<string, { number: number; edit: number }>()
  let connections = 0
  let slots = 0
  for (let cursor = ''; ;) {
    const path = `/api/company-data/connections?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { status, body, text } = await service.call('GET', path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
    for (const { id, values: listed } of body['items'] as readonly Listed[]) {
      connections += 1
      slots += Object.keys(listed).length
      const value = listed[SLUG]?.value
      if (value !== undefined) values.set(id, readText(await openSealed(service.opening, value)))
    }
    if (typeof body['next_cursor'] !== 'string') return { values, connections, slots }
    cursor = body['next_cursor']
  }
}

/** Counts connections without the last accepted edit of their person, and connections and slots that should not exist. */
export async function countWrong(services: readonly ReceivingService[], people: readonly Person[]): Promise<number> {
  let wrong = 0
  for (const service of services) {
    const stored = await readService(service)
    const expected = people.flatMap(({ number, accepted, connections }) =>
      connections.filter((one) => one.service === service).map(({ id }) => ({ id, number, accepted })),
    )
    wrong += expected.filter(({ id, number, accepted }) => {
      const value = stored.values.get(id)
      return value?.number !== number || value.edit !== accepted
    }).length
    wrong += Math.abs(stored.connections - expected.length) + Math.abs(stored.slots - expected.length)
  }
  return wrong
}
