import { FailureError } from '@sealpost/ui'
import { call } from './worker.ts'

/** Whether this browser can show notices. On an iPhone only an installed app can. */
export function canPush(): boolean {
  return 'PushManager' in globalThis && 'Notification' in globalThis && 'serviceWorker' in navigator
}

/** Asks the person for the permission, the browser for an address, and tells the platform. */
export async function startPush(applicationServerKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw refusal('notices_refused')
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey }
  const subscription = await pushManager.subscribe(options).catch(() => null)
  const { endpoint, keys = {} } = subscription?.toJSON() ?? {}
  const { p256dh, auth } = keys
  if (endpoint === undefined || p256dh === undefined || auth === undefined) throw refusal('no_push_service')
  await call('startPush', { endpoint, keys: { p256dh, auth } })
}

/** The platform first: it must not send to an address that has no reader. */
export async function endPush(): Promise<void> {
  await call('endPush')
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
}

function refusal(key: string): FailureError {
  return new FailureError({ kind: 'own', key })
}
