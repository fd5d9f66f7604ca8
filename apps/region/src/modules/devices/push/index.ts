export { enqueuePushes, handlePushes } from './operations/send-pushes.ts'
export { listSubscriptions, locateDevice, subscribe, unsubscribe } from './operations/subscriptions.ts'
