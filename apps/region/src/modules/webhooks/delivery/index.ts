export { type Delivery, startDelivery } from './dispatcher.ts'
export type { Endpoint, EndpointAuth } from './endpoint.ts'
export { type DeliveryLimits, type DeliveryNeeds, type SendNeeds } from './needs.ts'
export { sendTest, type TestOutcome } from './send-test.ts'
