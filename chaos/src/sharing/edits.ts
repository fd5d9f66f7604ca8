import { setTimeout as pause } from 'node:timers/promises'
import { sealToSelf } from '../accounts.ts'
import { type Field, SLUG } from '../request-row.ts'
import { sealTo } from '../sealing.ts'
import { type Person, textOf } from './people.ts'
import type { RegionStates, State } from './region-states.ts'
import type { Region } from './site.ts'

/** The outcomes of the edits so far. */
export interface EditLog {
  accepted: number
  /** Without an answer or with 5xx, because the person's own region was killed: sent again until accepted. */
  repeated: number
  /** Refused or lost although the person's own region was up all the time. */
  failed: number
  /** Durations of accepted ones, by the person's region and the state of the other one. */
  readonly ms: Record<Region, Record<State, number[]>>
}

export function openEditLog(): EditLog {
  return { accepted: 0, repeated: 0, failed: 0, ms: { eu: noTimes(), us: noTimes() } }
}

function noTimes(): Record<State, number[]> {
  return { healthy: [], cut: [], 'other down': [], unsteady: [] }
}

const RETRY_MS = 100
const PACE_MS = 5

export interface Editing {
  readonly field: Field
  readonly states: RegionStates
  readonly log: EditLog
  /** Edits wait at this number, so that faults are spread over all of them. */
  allowed: number
  isEnding: boolean
}

/** Edits of a few persons in turn: a person never has two edits in flight. */
export async function editInTurn(editing: Editing, people: readonly Person[]): Promise<void> {
  for (let turn = 0; !editing.isEnding; turn += 1) {
    const person = people[turn % people.length]
    if (person === undefined) return
    if (editing.log.accepted >= editing.allowed || !editing.states.isUp(person.region)) await pause(PACE_MS)
    else await makeEdit(editing, person)
  }
}

async function makeEdit(editing: Editing, person: Person): Promise<void> {
  const { field, states, log } = editing
  const number = person.accepted + 1
  const body = await editBody(person, number)
  for (;;) {
    const changes = states.changes(person.region)
    const state = states.stateFor(person.region)
    const startedAt = performance.now()
    const outcome = await send(person, field, body)
    const isUndisturbed = states.isUp(person.region) && states.changes(person.region) === changes
    if (outcome === 'accepted') {
      const isSteady = isUndisturbed && states.stateFor(person.region) === state
      if (isSteady) log.ms[person.region][state].push(performance.now() - startedAt)
      person.accepted = number
      log.accepted += 1
      return
    }
    // Repeat the same edit: it may or may not have been written.
    if (isUndisturbed) {
      log.failed += 1
      console.error(`an edit was refused while its region was up (${state}): ${outcome}`)
    } else log.repeated += 1
    // When the run has failed, the region is not started again.
    if (editing.isEnding && !states.isUp(person.region)) return
    await pause(RETRY_MS)
  }
}

async function editBody({ number, connections }: Person, edit: number): Promise<unknown> {
  const text = textOf(number, edit)
  const shares = await Promise.all(
    connections.map(async ({ id, service }) => ({
      connection_id: id,
      slug: SLUG,
      value: await sealTo(service.sealing, text),
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
