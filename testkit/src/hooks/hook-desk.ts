import type { ServiceId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { appendEvents, type NewEvent } from '@sealpost/region/feed'
import { waitUntil } from '../engines/index.ts'
import { type Calls, portalOf } from '../people/client-calls.ts'
import { demand } from '../people/contact-data.ts'
import type { Answer } from '../people/office.ts'
import { mara, northwind } from '../personas.ts'
import { type Desk, type DeskOptions, openDesk } from '../sharing/desk.ts'
import { listOf, membersOf } from '../sharing/members.ts'
import type { TwoRegions } from '../two-regions.ts'
import { type HookReceiver, startHookReceiver } from './receiver.ts'

export interface TestHook {
  readonly id: string
  readonly receiver: HookReceiver
  /** The answer of its creation: the secret stands only there. */
  readonly made: Answer['body']
  read(): Promise<Record<string, unknown>>
  health(): Promise<Record<string, unknown>>
  becomes(state: 'running' | 'bad' | 'unknown'): Promise<void>
  /** `pause`, `resume`, `probe`, `test`, `replay`. */
  act(what: string, body?: object): Promise<Answer>
  change(members: object): Promise<Answer>
  deliveries(): Promise<readonly Record<string, unknown>[]>
}

/** A service whose events come from the test, and its webhooks. */
export interface HookDesk {
  readonly desk: Desk
  /** As the owner, with a token of now. */
  portal: Calls
  /** Events that tell only themselves, in one transaction; answers their ids. */
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>
  /** One, in the caller's transaction. */
  appendIn(tx: Tx): Promise<readonly string[]>
  /** One, by a database of the caller's. */
  appendBy(database?: Database): Promise<readonly string[]>
  hook(members?: object): Promise<TestHook>
  logs(): Promise<readonly Record<string, unknown>[]>
  close(): Promise<void>
}

const IN_TIME_MS = 20_000

export async function openHooks(two: TwoRegions, options: DeskOptions = {}): Promise<HookDesk> {
  const { company = northwind } = options
  const desk = await openDesk(two, [], options)
  const receivers: HookReceiver[] = []
  let known: { readonly at: number; readonly calls: Calls } | null = null
  const portal: Calls = async (...sent) => {
    if (known?.at !== two.clock.now()) known = { at: two.clock.now(), calls: await portalOf(two, company) }
    return known.calls(...sent)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the id that the service was made with
  const owner = { kind: 'service', companyId: company.companyId, serviceId: desk.serviceId as ServiceId } as const
  const appendBy = (database: Database, events: readonly Partial<NewEvent>[]): Promise<readonly string[]> =>
    database.transaction((tx) => append(tx, two, owner, events))
  return {
    desk,
    portal,
    append: (...events) => appendBy(two.eu.platform.database, events.length === 0 ? [{}] : events),
    appendIn: (tx) => append(tx, two, owner, [{}]),
    appendBy: (database = two.eu.platform.database) => appendBy(database, [{}]),
    async hook(members = {}) {
      const hook = await hookOn(portal, desk.serviceId, members)
      receivers.push(hook.receiver)
      return hook
    },
    logs: async () => listOf((await demand(portal('GET', `/api/services/${desk.serviceId}/logs`)))['items']),
    close: async () => void (await Promise.all(receivers.map((receiver) => receiver.close()))),
  }
}

function append(
  tx: Tx,
  { eu: { platform } }: TwoRegions,
  owner: NewEvent['owner'],
  events: readonly Partial<NewEvent>[],
): Promise<readonly string[]> {
  const { clock, ids } = platform
  const payload = { person_user_id: mara.userId, share_code: mara.shareCode, customer_type: 'person' }
  const whole = events.map((event) => ({
    owner,
    kind: 'connection_deleted' as const,
    connectionId: ids.uuid<NonNullable<NewEvent['connectionId']>>(),
    payload,
    key: null,
    ...event,
  }))
  return appendEvents({ clock, ids }, tx, whole)
}

/** A webhook of a service with a receiver of its own, which the caller closes. */
export async function hookOn(portal: Calls, serviceId: string, members: object = {}): Promise<TestHook> {
  const at = `/api/services/${serviceId}/webhooks`
  const receiver = await startHookReceiver()
  const made = await demand(portal('POST', at, { body: { url: receiver.url, ...members } }), 201)
  return testHook(portal, `${at}/${String(made['id'])}`, receiver, made)
}

function testHook(portal: Calls, path: string, receiver: HookReceiver, made: Answer['body']): TestHook {
  const read = async (): Promise<Record<string, unknown>> => ({ ...(await demand(portal('GET', path))) })
  const health = async (): Promise<Record<string, unknown>> => membersOf((await read())['health'])
  return {
    id: String(made['id']),
    receiver,
    made,
    read,
    health,
    becomes: (state) =>
      waitUntil(`the webhook is ${state}`, IN_TIME_MS, async () => (await health())['state'] === state),
    act: (what, body = {}) => portal('POST', `${path}/${what}`, { body }),
    change: (members) => portal('PUT', path, { body: { url: receiver.url, ...members } }),
    deliveries: async () => listOf((await demand(portal('GET', `${path}/deliveries?limit=500`)))['items']),
  }
}
