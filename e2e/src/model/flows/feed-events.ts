import type { FeedEvent } from '@sealpost/testkit'
import { primaryOf } from './cast.ts'
import type { Json } from './doors/door.ts'
import { Mismatch } from './mismatch.ts'
import type { Running } from './play.ts'
import type { ModelCopy, RunEvent } from './reference.ts'
import { compare } from './views.ts'

/**
 * The feed of the service must hold exactly these events: one of the run, and before it one for each value that its end
 * has shared and for each copy that it has ended.
 */
export async function checkEvents(
  play: Running,
  event: RunEvent | null,
  shared: readonly string[] = [],
  ended: readonly Pick<ModelCopy, 'documentId'>[] = [],
): Promise<void> {
  const drained = await play.lane.service.drain()
  const copies = drained.filter((one) => one.event === 'document_status_changed')
  const ids = copies.map((one) => String(one['document_id'])).toSorted()
  compare('the events of ended copies', { ids }, { ids: ended.map(({ documentId }) => documentId).toSorted() })
  const came = drained.filter((one) => !copies.includes(one))
  const values = came.filter((one) => one.event === 'field_updated')
  const others = came.slice(values.length)
  const slugs = values.map((one) => String(one['slug'])).toSorted()
  compare('the events of shared values', { slugs }, { slugs: shared.toSorted() })
  for (const one of values) compare('an event of a shared value', one, { flow_id: play.flowId })
  if (others.length !== (event === null ? 0 : 1))
    throw new Mismatch(`${others.length} events of the run: ${JSON.stringify(others)}, not ${JSON.stringify(event)}`)
  const [only] = others
  if (event !== null && only !== undefined) checkRunEvent(play, only, event)
}

function checkRunEvent(play: Running, came: FeedEvent, event: RunEvent): void {
  const { user, account, connectionId } = primaryOf(play.cast, play.flow)
  compare('the event of the run', came, {
    event: event.event,
    flow_run_id: play.runId,
    person_user_id: user.userId,
    share_code: account.shareCode,
    connection_id: connectionId,
    ...membersOfEvent(event),
  })
  const text = JSON.stringify(came)
  const named = play.state.answers.find(({ slug }) => text.includes(`"${slug}"`))
  if (named !== undefined || text.includes('_enc')) throw new Mismatch(`an event of the run names an answer: ${text}`)
}

function membersOfEvent(event: RunEvent): Json {
  switch (event.event) {
    case 'flow_run_turn':
      return { awaiting_party: event.party }
    case 'flow_cancelled':
      return { cancelled_by: event.party }
    case 'flow_completed':
      return {}
  }
}
