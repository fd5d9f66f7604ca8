import type { FeedContext } from '../context.ts'
import { type FeedOwner, ownerIdOf, type StoredEvent } from '../model.ts'
import { quarantineEvents } from '../quarantine/operations/quarantine-events.ts'
import { type ShapeEvent, shapeEvents } from './shape-events.ts'

/** For an operator: who read the events. */
export type ReaderName = 'plain channel' | `listener ${string}` | `webhook ${string}`

/**
 * The events in the form in which they are sent now. Those that do not match their schema are kept aside before this
 * answers, so before their page is acknowledged: [Note: quarantine].
 */
export async function renderEvents<Event>(
  feed: FeedContext,
  { owner, reader }: { readonly owner: FeedOwner; readonly reader: ReaderName },
  events: readonly StoredEvent[],
  shape: ShapeEvent<Event>,
): Promise<Event[]> {
  const { shaped, misfits } = await shapeEvents(feed, owner, events, shape)
  if (misfits.length > 0) await quarantineEvents(feed, ownerIdOf(owner), reader, misfits)
  return shaped
}
