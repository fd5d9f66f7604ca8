import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import type { PersonContext } from '../context.ts'

/** Whether this device is told of news while the app is closed. */
export type PushState =
  /** The device must be set up first: notices go to devices that the platform knows. */
  | { readonly state: 'not_set_up' }
  /** This site sends none. */
  | { readonly state: 'unavailable' }
  | { readonly state: 'off' | 'on'; readonly applicationServerKey: string }

export async function readPush(context: PersonContext): Promise<PushState> {
  const deviceId = (await context.store.read())?.unlock?.deviceId
  if (deviceId === undefined) return { state: 'not_set_up' }
  const { items, application_server_key: applicationServerKey } =
    await requireOpen(context).client.security.readPush(deviceId)
  if (applicationServerKey === null) return { state: 'unavailable' }
  return { state: items.length === 0 ? 'off' : 'on', applicationServerKey }
}

/** The members of a PushSubscription that the platform needs. */
export interface NewPush {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

export async function startPush(context: PersonContext, { endpoint, keys }: NewPush): Promise<void> {
  const { client } = requireOpen(context)
  await client.security.subscribeToPush(await deviceIdOf(context), {
    endpoint,
    keys: { p256dh: keys.p256dh, auth: keys.auth },
  })
  context.changed('devices')
}

/** All of this device: the browser may have made several in the course of time. */
export async function endPush(context: PersonContext): Promise<void> {
  const { security } = requireOpen(context).client
  const deviceId = await deviceIdOf(context)
  for (const { id } of (await security.readPush(deviceId)).items) await security.unsubscribeFromPush(deviceId, id)
  context.changed('devices')
}

async function deviceIdOf({ store }: PersonContext): Promise<string> {
  const deviceId = (await store.read())?.unlock?.deviceId
  if (deviceId === undefined) throw refuseHere('device_not_set_up')
  return deviceId
}
