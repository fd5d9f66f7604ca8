export { openPush, type PushMessage, type PushOutcome, type PushSender, type PushTarget } from './sender.ts'
export { pushAdvice, pushSettings, type PushSettings } from './settings.ts'
export { makeVapidKey, readVapidKey, type VapidKey } from './vapid.ts'
