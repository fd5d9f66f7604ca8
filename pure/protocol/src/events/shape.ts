import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { type CustomerEvent, customerEvents } from './customer.ts'
import type { EventEntry } from './entry.ts'
import { type QueuedEvent, queuedEvents } from './service.ts'

type Members = Readonly<Record<string, unknown>>

/** What an event is known by before anything is said about its subject; of columns that can hold nothing else. */
export interface EventColumns {
  readonly id: string
  readonly event: string
  readonly at: string
  readonly connection_id: string | null
  /** Absent on the feed of a customer. */
  readonly service_id?: string
}

/** Checked with the rest, because some kinds promise one and others may have none. */
const CONNECTION = 'connection_id'
const COLUMNS: readonly string[] = ['id', 'event', 'at', 'service_id', CONNECTION]

/**
 * The event that the feed of a service promises for this kind: its columns, and of `members` and, where those are silent,
 * `stored` exactly what the kind declares. Null when that is not what it promises.
 */
export function shapeQueuedEvent(columns: EventColumns, stored: Members, members: Members | null): QueuedEvent | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the schema of its kind
  return shapeQueued(columns, stored, members) as QueuedEvent | null
}

export function shapeCustomerEvent(
  columns: EventColumns,
  stored: Members,
  members: Members | null,
): CustomerEvent | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the schema of its kind
  return shapeCustomer(columns, stored, members) as CustomerEvent | null
}

type Shape = (columns: EventColumns, stored: Members, members: Members | null) => Members | null

const shapeQueued = shapeOf(queuedEvents)
const shapeCustomer = shapeOf(customerEvents)

/** Called through this type, or the compiler works out the static type of any schema at all. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- narrows a generic
const compile = Compile as unknown as (schema: TSchema) => { Check(value: unknown): boolean }

/** Compiled per kind, when the first of its kind comes: events are shaped by the page, hundreds at a time. */
function shapeOf(events: Readonly<Record<string, EventEntry>>): Shape {
  const shapes = new Map<string, Shape>()
  return (columns, stored, members) => {
    const known = shapes.get(columns.event)
    if (known !== undefined) return known(columns, stored, members)
    const entry = Object.hasOwn(events, columns.event) ? events[columns.event] : undefined
    if (entry === undefined) return null
    const made = shapeOfKind(entry)
    shapes.set(columns.event, made)
    return made(columns, stored, members)
  }
}

function shapeOfKind({ schema }: EventEntry): Shape {
  const names = Object.keys(schema.properties).filter((name) => !COLUMNS.includes(name))
  const isRequired = (name: string): boolean => schema.required?.includes(name) ?? false
  const subject = [...names, CONNECTION].map((name): [string, TSchema] => {
    const member = schema.properties[name] ?? Type.Unknown()
    return [name, isRequired(name) ? member : Type.Optional(member)]
  })
  const validator = compile(Type.Object(Object.fromEntries(subject)))
  return (columns, stored, members) => {
    const event: Record<string, unknown> = { ...columns }
    for (const name of names) {
      const told = members?.[name]
      const value = told === undefined ? stored[name] : told
      if (value !== undefined) event[name] = value
    }
    return validator.Check(event) ? event : null
  }
}
