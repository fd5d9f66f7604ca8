export {
  type AdapterOptions,
  expressHandler,
  type ExpressRequest,
  fastifyPlugin,
  type FastifyReply,
  type FastifyRequest,
  type FastifyScope,
  nodeHandler,
  type NodeRequest,
  type NodeResponse,
} from './adapters.ts'
export { RawBodyError } from './raw-body.ts'
export type { ReceivedRequest, ReceiverAnswer } from './received-request.ts'
export type { Delivery, ReceiverOptions, TestEvent, WebhookEvent } from './receiver-options.ts'
export { openReceiver, type Receiver } from './receiver.ts'
export { type SeenDeliveries, seenInMemory, seenInStore } from './seen.ts'
