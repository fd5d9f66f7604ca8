import { setTimeout as pause } from 'node:timers/promises'
import { type Field, type Person, sealToSelf, textOf } from './people.ts'
import { sealTo, SLUG } from './shops.ts'
import type { Region } from './site.ts'
import type { State, Weather } from './weather.ts'

/** What came of the edits so far. */
export interface Book {
  accepted: number
  /** Not answered, or with 5xx, because the person's own region had just been killed: sent again until it is accepted. */
  repeated: number
  /** Refused or lost although the person's own region was there all the time. */
  failed: number
  /** How long accepted ones took, by the person's region and what was broken meanwhile. */
  readonly ms: Record<Region, Record<State, number[]>>
}

export function openBook(): Book {
  return { accepted: 0, repeated: 0, failed: 0, ms: { eu: noTimes(), us: noTimes() } }
}

function noTimes(): Record<State, number[]> {
  return { healthy: [], cut: [], 'other dead': [], unsteady: [] }
}

const RETRY_MS = 100
const PACE_MS = 5

export interface Editing {
  readonly field: Field
  readonly weather: Weather
  readonly book: Book
  /** Edits are held back to this number, so that faults are spread over all of them. */
  allowed: number
  isEnding: boolean
}

/** One after the other for a few persons in turn: a person makes no two edits at once. */
export async function editInTurn(editing: Editing, people: readonly Person[]): Promise<void> {
  for (let turn = 0; !editing.isEnding; turn += 1) {
    const person = people[turn % people.length]
    if (person === undefined) return
    if (editing.book.accepted >= editing.allowed || !editing.weather.isUp(person.region)) await pause(PACE_MS)
    else await makeEdit(editing, person)
  }
}

async function makeEdit(editing: Editing, person: Person): Promise<void> {
  const { field, weather, book } = editing
  const number = person.accepted + 1
  const body = await editBody(person, number)
  for (;;) {
    const lives = weather.lives(person.region)
    const state = weather.stateFor(person.region)
    const startedAt = performance.now()
    const outcome = await send(person, field, body)
    const isUndisturbed = weather.isUp(person.region) && weather.lives(person.region) === lives
    if (outcome === 'accepted') {
      const isSteady = isUndisturbed && weather.stateFor(person.region) === state
      if (isSteady) book.ms[person.region][state].push(performance.now() - startedAt)
      person.accepted = number
      book.accepted += 1
      return
    }
    // The same edit again: whether the first one was written is not known, and must not matter.
    if (isUndisturbed) {
      book.failed += 1
      console.error(`an edit was not taken while its region was there (${state}): ${outcome}`)
    } else book.repeated += 1
    // After a failure of the run nobody starts the region again.
    if (editing.isEnding && !weather.isUp(person.region)) return
    await pause(RETRY_MS)
  }
}

async function editBody({ number, connections }: Person, edit: number): Promise<unknown> {
  const text = textOf(number, edit)
  const shares = await Promise.all(
    connections.map(async ({ id, shop }) => ({
      connection_id: id,
      slug: SLUG,
      value: await sealTo(shop.sealing, text),
    })),
  )
  return { value: await sealToSelf(text), shares }
}

async function send({ call }: Person, field: Field, body: unknown): Promise<string> {
  try {
    const { status, text } = await call('PUT', `/api/contact-data/${field.id}`, { body })
    return status === 200 ? 'accepted' : `${status} ${text}`
  } catch (error) {
    return error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error)
  }
}
