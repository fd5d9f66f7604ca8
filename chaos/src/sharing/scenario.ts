import { hundredths, mara, median, type Scenario, type ScenarioContext, waitUntil, zero } from '@sealpost/testkit'
import { loginCalls } from '../accounts.ts'
import { type Field, findField } from '../request-row.ts'
import { editInTurn, type Editing, type EditLog, openEditLog } from './edits.ts'
import { type FaultPlan, injectFaults } from './faults.ts'
import { type Feed, followFeed } from './feeds.ts'
import { createPeople, type Person } from './people.ts'
import { type State, trackRegions } from './region-states.ts'
import { openServices, type ReceivingService } from './services.ts'
import { type Site, startSite } from './site.ts'
import { countWrong } from './verify.ts'

interface Size extends FaultPlan {
  readonly inUs: number
  readonly inEu: number
  readonly workersPerRegion: number
}

const CATCH_UP_MS = 120_000

/**
 * Persons edit values that they share with services in the other region, while either region is killed and the link between
 * them is cut. Every accepted edit must arrive, in order, and no edit may wait for the other region.
 */
export const sharingScenario: Scenario<Size> = {
  name: 'sharing',
  about: 'edits of persons reach services abroad through killed regions and a cut link, and never wait for them',
  sizes: {
    small: { inUs: 24, inEu: 6, edits: 400, kills: 2, cuts: 1, brokenMs: 2000, workersPerRegion: 2 },
    full: { inUs: 200, inEu: 40, edits: 5000, kills: 10, cuts: 3, brokenMs: 2500, workersPerRegion: 4 },
  },
  bars: [
    ...zero('failed_edits', 'wrong_values', 'stale_events', 'unexpected_events', 'missing_events'),
    // An edit that waited for the other region would wait for seconds, which the wide small limits still detect.
    { figure: 'down_ratio', atMost: 1.5, small: 20 },
    { figure: 'cut_ratio', atMost: 1.5, small: 20 },
  ],
  async run(context, size) {
    const site = await startSite(context)
    const field = await findSharedField(site)
    const services = await openServices(site, field.type)
    const people = await createPersons(context, site, field, services, size)
    const feeds = services.map((service) => followFeed(service, ownerOf(people)))

    const states = trackRegions(site)
    const editing: Editing = { field, states, log: openEditLog(), allowed: 0, isEnding: false }
    const working = Promise.all(split(people, size.workersPerRegion).map((some) => editInTurn(editing, some)))
    context.onEnd(async () => {
      editing.isEnding = true
      await working
    })
    await injectFaults(context, editing, size)
    editing.isEnding = true
    await working
    context.progress(`${editing.log.accepted} edits are accepted; waiting until they have arrived`)

    const startedAt = performance.now()
    const hasArrived = async () => (await countWrong(services, people)) === 0
    // Edits that have not arrived in time are counted below.
    await waitUntil('every edit has arrived', CATCH_UP_MS, hasArrived).catch(() => {})
    const catchUpMs = performance.now() - startedAt
    await Promise.all(feeds.map((feed) => feed.end()))
    return {
      persons: people.length,
      connections: people.flatMap(({ connections }) => connections).length,
      kills: 2 * size.kills,
      cuts: size.cuts,
      wrong_values: await countWrong(services, people),
      ...eventFigures(feeds, people),
      ...editFigures(editing.log),
      catch_up_seconds: Math.round(catchUpMs / 1000),
    }
  },
}

function eventFigures(feeds: readonly Feed[], people: readonly Person[]) {
  const missing = people.flatMap(({ accepted, connections }) =>
    connections.filter(({ id, service }) => {
      const feed = feeds.find((one) => one.service === service)
      return feed?.created.get(id) !== 1 || (feed.newest.get(id) ?? 0) !== accepted
    }),
  )
  return {
    events: feeds.reduce((sum, { events }) => sum + events, 0),
    stale_events: feeds.reduce((sum, { stale }) => sum + stale, 0),
    unexpected_events: feeds.reduce((sum, { unexpected }) => sum + unexpected, 0),
    missing_events: missing.length,
  }
}

/** The slower of the two regions counts. */
function editFigures({ accepted, repeated, failed, ms }: EditLog) {
  const ratio = (state: State): number =>
    hundredths(Math.max(...Object.values(ms).map((times) => median(times[state]) / median(times.healthy))))
  const count = (state: State): number => ms.eu[state].length + ms.us[state].length
  return {
    edits: accepted,
    repeated_edits: repeated,
    failed_edits: failed,
    healthy_ms: hundredths(median([...ms.eu.healthy, ...ms.us.healthy])),
    down_ratio: ratio('other down'),
    cut_ratio: ratio('cut'),
    measured: `${count('healthy')}/${count('other down')}/${count('cut')}`,
  }
}

/** Persons in us share with one service in eu, every fifth with both; persons in eu with the one in us. */
async function createPersons(
  context: ScenarioContext,
  site: Site,
  field: Field,
  [first, second, third]: readonly ReceivingService[],
  size: { readonly inUs: number; readonly inEu: number },
): Promise<readonly Person[]> {
  if (first === undefined || second === undefined || third === undefined) throw new Error('three services are needed')
  const abroad = (index: number): readonly ReceivingService[] => (index % 5 === 0 ? [first, second] : [first])
  const inUs = await createPeople(site, field, 1, { region: 'us', count: size.inUs, servicesOf: abroad })
  const inEu = await createPeople(site, field, size.inUs + 1, {
    region: 'eu',
    count: size.inEu,
    servicesOf: () => [third],
  })
  context.progress(`${inUs.length} persons in us and ${inEu.length} in eu share with services of the other region`)
  return [...inUs, ...inEu]
}

/** The contact field that every person shares. */
async function findSharedField({ installation }: Site): Promise<Field> {
  const user = { userId: mara.userId, userType: 'person', region: 'us' } as const
  return findField(await loginCalls(installation, installation.us.url, user), 'first_name')
}

function ownerOf(people: readonly Person[]): (connectionId: string) => number | undefined {
  const owners = new Map(
    people.flatMap(({ number, connections }) => connections.map(({ id }) => [id, number] as const)),
  )
  return (connectionId) => owners.get(connectionId)
}

/** Each region has its own workers, so that no edit waits for the other region. */
function split(people: readonly Person[], perRegion: number): readonly (readonly Person[])[] {
  const parts = Array.from({ length: perRegion }, (_, part) => part)
  return (['us', 'eu'] as const).flatMap((region) => {
    const here = people.filter((person) => person.region === region)
    return parts.map((part) => here.filter((_person, index) => index % perRegion === part))
  })
}
