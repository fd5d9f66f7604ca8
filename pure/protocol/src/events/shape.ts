import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'
import { type CustomerEvent, customerEvents } from './customer.ts'
import type { EventEntry } from './entry.ts'
import { type QueuedEvent, queuedEvents } from './service.ts'

type Members = Readonly<Record<string, unknown>>

/** The columns that identify an event; their types make them valid without a check. */
export interface EventColumns {
  readonly id: string
  readonly event: string
  readonly at: string
  readonly connection_id: string | null
  /** Absent on the feed of a customer. */
  readonly service_id?: string
}

/** Checked with the members, because some kinds require a connection and others may have none. */
const CONNECTION = 'connection_id'
const COLUMNS: readonly string[] = ['id', 'event', 'at', 'service_id', CONNECTION]

/**
 * The event that the feed of a service defines for this kind: its columns and exactly the members the kind declares,
 * taken from `members`, else from `stored`. Null when the result does not match the schema.
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

/**
 * Why an event has no shape: names members, never values. `service` is the feed of a service, `account` that of a
 * customer.
 */
export function explainMisfit(
  feed: 'service' | 'account',
  columns: EventColumns,
  stored: Members,
  members: Members | null,
): string {
  const { schema } = entryOf(feed === 'service' ? queuedEvents : customerEvents, columns.event) ?? {}
  if (schema === undefined) return 'this release does not know the kind'
  const names = memberNames(schema)
  const event = assemble(names, columns, stored, members)
  const errors = Value.Errors(schema, event).slice(0, EXPLAINED)
  const told = errors.map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
  return told.join('; ') || 'does not have the expected shape'
}

/** More would not help an operator. */
const EXPLAINED = 3

type Shape = (columns: EventColumns, stored: Members, members: Members | null) => Members | null

const shapeQueued = shapeOf(queuedEvents)
const shapeCustomer = shapeOf(customerEvents)

/** The narrow call type: otherwise the compiler computes the static type of any schema. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- narrows a generic
const compile = Compile as unknown as (schema: TSchema) => { Check(value: unknown): boolean }

/** Compiled per kind, on first use: events are shaped by the page, hundreds at a time. */
function shapeOf(events: Readonly<Record<string, EventEntry>>): Shape {
  const shapes = new Map<string, Shape>()
  return (columns, stored, members) => {
    const known = shapes.get(columns.event)
    if (known !== undefined) return known(columns, stored, members)
    const entry = entryOf(events, columns.event)
    if (entry === undefined) return null
    const made = shapeOfKind(entry)
    shapes.set(columns.event, made)
    return made(columns, stored, members)
  }
}

function entryOf(events: Readonly<Record<string, EventEntry>>, kind: string): EventEntry | undefined {
  return Object.hasOwn(events, kind) ? events[kind] : undefined
}

function shapeOfKind({ schema }: EventEntry): Shape {
  const names = memberNames(schema)
  const isRequired = (name: string): boolean => schema.required?.includes(name) ?? false
  const subject = [...names, CONNECTION].map((name): [string, TSchema] => {
    const member = schema.properties[name] ?? Type.Unknown()
    return [name, isRequired(name) ? member : Type.Optional(member)]
  })
  const validator = compile(Type.Object(Object.fromEntries(subject)))
  return (columns, stored, members) => {
    const event = assemble(names, columns, stored, members)
    return validator.Check(event) ? event : null
  }
}

function memberNames(schema: EventEntry['schema']): readonly string[] {
  return Object.keys(schema.properties).filter((name) => !COLUMNS.includes(name))
}

/** The columns, and of the members those that are named and have a value. */
function assemble(
  names: readonly string[],
  columns: EventColumns,
  stored: Members,
  members: Members | null,
): Record<string, unknown> {
  const event: Record<string, unknown> = { ...columns }
  for (const name of names) {
    const told = members?.[name]
    const value = told === undefined ? stored[name] : told
    if (value !== undefined) event[name] = value
  }
  return event
}
