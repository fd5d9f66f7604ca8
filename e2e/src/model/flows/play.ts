import { definitionToJson, type Definition, parseDefinition } from '@sealpost/flow'
import type { World } from '@sealpost/testkit'
import type { Dice } from '@sealpost/testkit/dice'
import type { Cast } from './cast.ts'
import type { Counts } from './counts.ts'
import type { ActorDoor, Door, Outcome } from './doors/door.ts'
import { Mismatch } from './mismatch.ts'
import type { PreparedStart } from './prepare-start.ts'
import type { RunState } from './reference.ts'
import type { Lane } from './site.ts'
import type { ModelUser } from './user.ts'
import type { WrittenFlow } from './written.ts'

/** One run that is being played, and everything that is known of it. */
export interface Play {
  readonly world: World
  readonly dice: Dice
  readonly door: Door
  readonly lane: Lane
  readonly other: Lane
  readonly flow: WrittenFlow
  readonly flowId: string
  /** As the client half reads it. */
  readonly definition: Definition
  readonly cast: Cast
  readonly start: PreparedStart
  readonly today: string
  readonly counts: Counts
  /** The refusal that this run tries first. */
  readonly wanted: string
}

/** A play whose run has begun. */
export interface Running extends Play {
  readonly runId: string
  readonly reader: Reader
  state: RunState
}

export function definitionOf(flow: WrittenFlow): Definition {
  const parsed = parseDefinition(flow)
  if (!parsed.ok) throw new Mismatch(`the definition cannot be read: ${JSON.stringify(parsed.refusal)}`)
  return parsed.value
}

export function definitionAsRead(definition: Definition): unknown {
  return definitionToJson(definition)
}

/** Opens copies once each: RSA is most of the cost of a run. */
export class Reader {
  readonly #opened = new Map<string, Promise<string | null>>()

  open(user: ModelUser, wrapper: string): Promise<string | null> {
    const key = `${user.userId} ${wrapper}`
    const known = this.#opened.get(key) ?? user.open(wrapper)
    this.#opened.set(key, known)
    return known
  }
}

/** The door of the party's user. */
export function actorOf({ door, lane, cast }: Play, party: string): ActorDoor {
  const customer = cast.customers.get(party)
  return customer === undefined ? door.owner(lane.service) : door.customer(customer)
}

/** The act must be refused with this key, and the rows of the run and of its service must stay as they are. */
export async function expectRefused(
  play: Play,
  { name, key }: { readonly name: string; readonly key: string },
  rows: () => Promise<string>,
  act: () => Promise<Outcome>,
): Promise<Extract<Outcome, { ok: false }>> {
  const before = await rows()
  const outcome = await act()
  if (outcome.ok) throw new Mismatch(`${name}: accepted, not refused with ${key}`)
  if (outcome.key !== key) throw new Mismatch(`${name}: ${outcome.key} ${JSON.stringify(outcome.body)}, not ${key}`)
  const after = await rows()
  if (after !== before) throw new Mismatch(`${name}: refused, but changed ${before} to ${after}`)
  play.counts.add(`refused ${key}`)
  play.counts.add(`bad ${name}`)
  return outcome
}
