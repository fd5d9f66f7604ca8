import type { UserId } from '@sealpost/kernel'
import { type Bar, mara, type Scenario, type ScenarioContext, waitUntil } from '@sealpost/testkit'
import { type Book, type Editing, editInTurn, openBook } from './edits.ts'
import { breakThings } from './faults.ts'
import { type Feed, followFeed } from './feeds.ts'
import { callsOf, createPeople, type Field, type Person } from './people.ts'
import { openShops, type Shop } from './shops.ts'
import { type Site, startSite } from './site.ts'
import { countWrong } from './verify.ts'
import { type State, watchWeather } from './weather.ts'

const SMALL = { inUs: 24, inEu: 6, edits: 400, kills: 2, cuts: 1, brokenMs: 2000, workersPerRegion: 2 }
const FULL = { inUs: 200, inEu: 40, edits: 5000, kills: 10, cuts: 3, brokenMs: 2500, workersPerRegion: 4 }
const SETTLE_MS = 120_000

const bars: readonly Bar[] = [
  { figure: 'failed_edits', atMost: 0 },
  { figure: 'wrong_values', atMost: 0 },
  { figure: 'went_back', atMost: 0 },
  { figure: 'stray_events', atMost: 0 },
  { figure: 'missing_events', atMost: 0 },
]

/**
 * Persons edit what they share with services abroad, while either region is killed and the link between them is cut. Every
 * edit that was accepted must arrive, in order, and nobody may notice that the other region is away.
 */
export const sharingScenario: Scenario = {
  name: 'sharing',
  about: 'edits of persons reach services abroad through killed regions and a cut link, and never wait for them',
  bars: [...bars, { figure: 'dead_ratio', atMost: 1.5 }, { figure: 'cut_ratio', atMost: 1.5 }],
  // Few edits, and something else may run beside them: what waited for an answer of the other region would wait for seconds.
  smallBars: [...bars, { figure: 'dead_ratio', atMost: 20 }, { figure: 'cut_ratio', atMost: 20 }],
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const site = await startSite(context)
    const field = await findField(site)
    const shops = await openShops(site, field.type)
    const people = await createEverybody(context, site, field, shops, size)
    const feeds = shops.map((shop) => followFeed(shop, ownerOf(people)))

    const weather = watchWeather(site)
    const editing: Editing = { field, weather, book: openBook(), allowed: 0, isEnding: false }
    const working = Promise.all(split(people, size.workersPerRegion).map((some) => editInTurn(editing, some)))
    context.onEnd(async () => {
      editing.isEnding = true
      await working
    })
    await breakThings(context, editing, size)
    editing.isEnding = true
    await working
    context.progress(`${editing.book.accepted} edits are accepted; waiting until they have arrived`)

    const startedAt = performance.now()
    const isSettled = async () => (await countWrong(shops, people)) === 0
    // What has not arrived by then is counted below.
    await waitUntil('every edit has arrived', SETTLE_MS, isSettled).catch(() => {})
    const settleMs = performance.now() - startedAt
    await Promise.all(feeds.map((feed) => feed.end()))
    return {
      persons: people.length,
      connections: people.flatMap(({ connections }) => connections).length,
      kills: 2 * size.kills,
      cuts: size.cuts,
      wrong_values: await countWrong(shops, people),
      ...eventFigures(feeds, people),
      ...editFigures(editing.book),
      settle_seconds: Math.round(settleMs / 1000),
    }
  },
}

function eventFigures(feeds: readonly Feed[], people: readonly Person[]) {
  const missing = people.flatMap(({ accepted, connections }) =>
    connections.filter(({ id, shop }) => {
      const feed = feeds.find((one) => one.shop === shop)
      return feed?.created.get(id) !== 1 || (feed.newest.get(id) ?? 0) !== accepted
    }),
  )
  return {
    events: feeds.reduce((sum, { events }) => sum + events, 0),
    went_back: feeds.reduce((sum, { wentBack }) => sum + wentBack, 0),
    stray_events: feeds.reduce((sum, { stray }) => sum + stray, 0),
    missing_events: missing.length,
  }
}

/** The slower of the two regions counts. */
function editFigures({ accepted, repeated, failed, ms }: Book) {
  const ratio = (state: State): number =>
    rounded(Math.max(...Object.values(ms).map((times) => median(times[state]) / median(times.healthy))))
  const count = (state: State): number => ms.eu[state].length + ms.us[state].length
  return {
    edits: accepted,
    repeated_edits: repeated,
    failed_edits: failed,
    healthy_ms: rounded(median([...ms.eu.healthy, ...ms.us.healthy])),
    dead_ratio: ratio('other dead'),
    cut_ratio: ratio('cut'),
    measured: `${count('healthy')}/${count('other dead')}/${count('cut')}`,
  }
}

/** Most of the persons in us share with one service in eu, every fifth with both; those in eu with the one in us. */
async function createEverybody(
  context: ScenarioContext,
  site: Site,
  field: Field,
  [first, second, third]: readonly Shop[],
  size: { readonly inUs: number; readonly inEu: number },
): Promise<readonly Person[]> {
  if (first === undefined || second === undefined || third === undefined) throw new Error('three services are needed')
  const abroad = (place: number): readonly Shop[] => (place % 5 === 0 ? [first, second] : [first])
  const inUs = await createPeople(site, field, 1, { region: 'us', count: size.inUs, shopsOf: abroad })
  const inEu = await createPeople(site, field, size.inUs + 1, {
    region: 'eu',
    count: size.inEu,
    shopsOf: () => [third],
  })
  context.progress(`${inUs.length} persons in us and ${inEu.length} in eu share with services of the other region`)
  return [...inUs, ...inEu]
}

/** A field of the platform that everybody has: the name. */
async function findField(site: Site): Promise<Field> {
  const call = await callsOf(site, 'us', mara.userId satisfies UserId)
  const { body, text } = await call('GET', '/api/contact-fields?usertype=person')
  const found = listOf(text, body).find(({ slug }) => slug === 'first_name')
  if (found === undefined) throw new Error(`no field first_name: ${text}`)
  return { id: String(found['id']), type: String(found['type']) }
}

function listOf(text: string, body: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const value: unknown = JSON.parse(text)
  const list: unknown = Array.isArray(value) ? value : Object.values(body).find((member) => Array.isArray(member))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
  return (list ?? []) as readonly Readonly<Record<string, unknown>>[]
}

function ownerOf(people: readonly Person[]): (connectionId: string) => number | undefined {
  const owners = new Map(
    people.flatMap(({ number, connections }) => connections.map(({ id }) => [id, number] as const)),
  )
  return (connectionId) => owners.get(connectionId)
}

/** Nobody waits for somebody else's region: the persons of each are edited by workers of their own. */
function split(people: readonly Person[], perRegion: number): readonly (readonly Person[])[] {
  const parts = Array.from({ length: perRegion }, (_, part) => part)
  return (['us', 'eu'] as const).flatMap((region) => {
    const here = people.filter((person) => person.region === region)
    return parts.map((part) => here.filter((_person, place) => place % perRegion === part))
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
