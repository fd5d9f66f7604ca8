import type { Documents } from '../signing/play-line.ts'
import { openFilling } from '../signing/recorded-fill.ts'
import { openProofs } from '../signing/sign.ts'
import { Counts } from './counts.ts'
import { inProcessDoor } from './doors/in-process.ts'
import { wireDoor } from './doors/wire.ts'
import { checkErased } from './erased-customer.ts'
import { playRun } from './play-run.ts'
import { DOCUMENT_REFUSALS, REFUSALS } from './refusals.ts'
import { openSite, type Site } from './site.ts'

export interface Slice {
  readonly seed: number
  readonly from: number
  readonly to: number
  /** Of `count` runs, so many go over the wire. */
  readonly count: number
  readonly wire: number
  readonly accounts: number
  /** Of `count` runs, so many use the real PDF engine; null: no documents are made. */
  readonly real: number | null
}

export interface SliceResult {
  readonly counts: Counts
  readonly findings: readonly string[]
}

/** Plays the runs of a slice in an installation of its own. Each run depends on the seed and its number alone. */
export async function playSlice(slice: Slice, onRun: (done: number) => void): Promise<SliceResult> {
  const site = await openSite(slice.accounts)
  const counts = new Counts()
  const findings: string[] = []
  try {
    const documents = slice.real === null ? null : await openDocuments(site)
    let done = 0
    onRun(done)
    // A lane plays its runs one after the other, so that its feed has the events of one run at a time.
    const playLane = async (lane: number): Promise<void> => {
      for (let index = slice.from; index < slice.to; index += 1) {
        if (index % site.lanes.length !== lane) continue
        const finding = await playOne(site, lane, slice, index, { counts, documents })
        if (finding !== null) findings.push(finding)
        done += 1
        onRun(done)
      }
    }
    await Promise.all(site.lanes.map((_, lane) => playLane(lane)))
    for (const lane of site.lanes) await checkErased(site, lane, counts)
    return { counts, findings }
  } finally {
    await site.world.close()
  }
}

/** Whether this is one of `some` runs that are spread evenly over `count`. */
function isOneOf(some: number, count: number, index: number): boolean {
  return Math.floor(((index + 1) * some) / count) > Math.floor((index * some) / count)
}

async function openDocuments(site: Site): Promise<Omit<Documents, 'isReal'>> {
  const fillings = { eu: openFilling(site.world.eu), us: openFilling(site.world.us) }
  return { proofs: await openProofs(site), fillings }
}

async function playOne(
  site: Site,
  laneNo: number,
  { seed, count, wire, real }: Slice,
  index: number,
  { counts, documents }: { readonly counts: Counts; readonly documents: Omit<Documents, 'isReal'> | null },
): Promise<string | null> {
  const lane = site.lanes[laneNo]
  if (lane === undefined) throw new Error(`there is no lane ${laneNo}`)
  const isOverWire = isOneOf(wire, count, index)
  const refusals = documents === null ? REFUSALS : [...REFUSALS, ...DOCUMENT_REFUSALS]
  const door = isOverWire ? wireDoor(index % 2 === 1) : inProcessDoor(site.world)
  try {
    await playRun({
      site,
      lane,
      door,
      seed: seed + index * 7919,
      counts,
      wanted: refusals[index % refusals.length] ?? '',
      documents: documents === null ? null : { ...documents, isReal: isOneOf(real ?? 0, count, index) },
    })
    if (isOverWire) counts.add('runs over the wire')
    return null
  } catch (error) {
    // The next run of the lane must not meet these events.
    await lane.service.drain()
    return `run ${index}${isOverWire ? ' over the wire' : ''}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}
