import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import type { Link } from '../parties.ts'
import { subjectOf } from '../subjects.ts'

const NANOS_PER_SECOND = 1_000_000_000
const STREAM_EXISTS = 10_058
const STREAM_MISSING = 10_059
const CONSUMER_MISSING = 10_014

export function streamName({ source, target }: Link): string {
  return `sealpost_tell_${source}_${target}`
}

/**
 * Made by the region whose NATS it is on, and by no other party: a party that may create a stream or a consumer can make the
 * server publish under any name.
 */
export async function ensureQueue(manager: JetStreamManager, link: Link): Promise<void> {
  await ensureStream(manager, link)
  await manager.consumers.add(streamName(link), {
    durable_name: link.target,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: 30 * NANOS_PER_SECOND,
    max_ack_pending: 4096,
  })
}

/** True when the region at home has not made the link's queue yet, or its server has lost it. */
export function isMissingQueue(error: unknown): boolean {
  return hasCode(error, STREAM_MISSING) || hasCode(error, CONSUMER_MISSING)
}

/**
 * A pipe, not a store: acknowledged messages are deleted, and messages that were not taken for an hour are sent again
 * from the outbox.
 */
async function ensureStream(manager: JetStreamManager, link: Link): Promise<void> {
  try {
    await manager.streams.add({
      name: streamName(link),
      subjects: [subjectOf('tell', link)],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_age: 3600 * NANOS_PER_SECOND,
      // Limited by count, not by bytes: JetStream reserves bytes ahead, and a few links would use up a small server.
      max_msgs: 100_000,
    })
  } catch (error) {
    if (!hasCode(error, STREAM_EXISTS)) throw error
  }
}

/** An older release made the stream with other limits: it works, and an operator may change it. */
function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
