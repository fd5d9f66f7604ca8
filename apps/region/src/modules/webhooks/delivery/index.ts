export { type Endpoint, type EndpointAuth, type ErrorClass, UNREADABLE } from './model.ts'
export { startDelivery } from './operations/dispatcher.ts'
export { sendTest } from './operations/send-test.ts'
