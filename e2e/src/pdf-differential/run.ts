import { inspectPdf } from '@sealpost/pdf-format'
import { openChance } from './chance.ts'
import { distanceOf } from './compare.ts'
import { kinds } from './grammar/index.ts'
import type { Drawn, Medium, Viewer } from './viewers/index.ts'

/** What became of a file. */
export interface Verdict {
  readonly kind: string
  /** Why the gate refused it; null if it can be signed. */
  readonly refusal: string | null
  /** Of the two most different pictures; 0 for a file that is refused. */
  readonly distance: number
  /** The two pictures, `pdf.js paper and poppler screen`. */
  readonly between: string
  readonly bytes: Uint8Array
}

const MEDIA: readonly Medium[] = ['screen', 'paper']
/** Larger steps of the seed than files of a run, so that runs of neighbouring seeds share none. */
const SEED_STEP = 1_000_003

export async function judgeFile(viewers: readonly Viewer[], seed: number, number: number): Promise<Verdict> {
  const chance = openChance(seed * SEED_STEP + number + 1)
  const kind = chance.pick(kinds)
  const bytes = kind.make(chance)
  return { kind: kind.name, ...(await judge(viewers, bytes)), bytes }
}

export async function judge(
  viewers: readonly Viewer[],
  bytes: Uint8Array,
): Promise<Pick<Verdict, 'refusal' | 'distance' | 'between'>> {
  const facts = inspectPdf(bytes)
  if (!facts.ok) return { refusal: facts.refusal, distance: 0, between: '' }
  const drawings = await drawAll(viewers, bytes)
  let worst = { distance: 0, between: '' }
  for (const [index, one] of drawings.entries())
    for (const other of drawings.slice(index + 1)) {
      const distance = apart(one.drawn, other.drawn)
      if (distance > worst.distance) worst = { distance, between: `${one.name} and ${other.name}` }
    }
  return { refusal: null, ...worst }
}

interface Drawing {
  readonly name: string
  readonly drawn: Drawn | null
}

async function drawAll(viewers: readonly Viewer[], bytes: Uint8Array): Promise<readonly Drawing[]> {
  const drawings: Drawing[] = []
  for (const viewer of viewers)
    for (const medium of MEDIA)
      drawings.push({ name: `${viewer.name} ${medium}`, drawn: await viewer.draw(bytes, medium) })
  return drawings
}

/** A viewer that shows nothing shows nothing else; one that shows a page beside it does. */
function apart(one: Drawn | null, other: Drawn | null): number {
  if (one === null || other === null) return one === other ? 0 : 1
  return distanceOf(one, other)
}
