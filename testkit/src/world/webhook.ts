import { waitUntil } from '../engines/wait-until.ts'
import { type HookReceiver, startHookReceiver } from '../hooks/receiver.ts'
import type { Answer } from '../people/call.ts'
import { bodyOf } from '../people/call.ts'
import type { Calls } from '../people/client-calls.ts'
import { listOf, membersOf } from '../sharing/members.ts'
import type { Place } from './place.ts'

/** The answer of a webhook's creation, and the path where it is read and changed. */
export type MadeWebhook = Answer['body'] & { readonly id: string; readonly path: string }

/** A webhook and the receiver that it posts to. */
export interface Webhook {
  readonly id: string
  readonly path: string
  readonly receiver: HookReceiver
  /** The answer of its creation: only there the secret is shown. */
  readonly made: MadeWebhook
  read(): Promise<Record<string, unknown>>
  health(): Promise<Record<string, unknown>>
  becomes(state: 'running' | 'bad' | 'unknown'): Promise<void>
  /** `pause`, `resume`, `probe`, `test`, `replay`. */
  post(command: string, body?: object): Promise<Answer>
  change(members: object): Promise<Answer>
  deliveries(): Promise<readonly Record<string, unknown>[]>
}

const IN_TIME_MS = 20_000

export async function makeWebhook(
  portal: Calls,
  servicePath: string,
  members: Readonly<Record<string, unknown>>,
): Promise<MadeWebhook> {
  const made = await bodyOf(portal('POST', `${servicePath}/webhooks`, { body: members }), 201)
  const id = String(made['id'])
  return { ...made, id, path: `${servicePath}/webhooks/${id}` }
}

export async function webhookOf(place: Place, portal: Calls, servicePath: string, members: object): Promise<Webhook> {
  const receiver = await startHookReceiver()
  place.onEnd(() => receiver.close())
  const made = await makeWebhook(portal, servicePath, { url: receiver.url, ...members })
  const { id, path } = made
  // Otherwise its events would be sent again whenever a later file moves the clock.
  if (place.isShared) place.onEnd(async () => void (await portal('DELETE', path)))
  const read = async (): Promise<Record<string, unknown>> => ({ ...(await bodyOf(portal('GET', path))) })
  const health = async (): Promise<Record<string, unknown>> => membersOf((await read())['health'])
  return {
    id,
    path,
    receiver,
    made,
    read,
    health,
    becomes: (state) =>
      waitUntil(`the webhook is ${state}`, IN_TIME_MS, async () => (await health())['state'] === state),
    post: (command, body = {}) => portal('POST', `${path}/${command}`, { body }),
    change: (changed) => portal('PUT', path, { body: { url: receiver.url, ...changed } }),
    deliveries: async () => listOf((await bodyOf(portal('GET', `${path}/deliveries?limit=500`)))['items']),
  }
}
