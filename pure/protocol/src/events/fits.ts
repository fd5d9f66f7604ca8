import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { EventEntry } from './entry.ts'
import { type QueuedEvent, queuedEvents } from './service.ts'

type Check = (value: unknown) => boolean

/** The narrow call type: otherwise the compiler computes the static type of any schema. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- narrows a generic
const compile = Compile as unknown as (schema: TSchema) => { Check: Check }

const queuedCheck = checkOf(queuedEvents)

/** Whether a value matches the schema that the feed of a service defines for its `event`. */
export function isQueuedEvent(value: unknown): value is QueuedEvent {
  return queuedCheck(value)
}

/** Compiled per kind, on first use. */
function checkOf(events: Readonly<Record<string, EventEntry>>): Check {
  const checks = new Map<string, Check>()
  return (value) => {
    const kind = kindOf(value)
    const entry = kind !== null && Object.hasOwn(events, kind) ? events[kind] : undefined
    if (kind === null || entry === undefined) return false
    let check = checks.get(kind)
    if (check === undefined) {
      const validator = compile(entry.schema)
      check = (event) => validator.Check(event)
      checks.set(kind, check)
    }
    return check(value)
  }
}

function kindOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('event' in value)) return null
  return typeof value.event === 'string' ? value.event : null
}
