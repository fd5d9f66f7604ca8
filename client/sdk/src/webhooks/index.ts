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
export {
  type Delivery,
  openReceiver,
  type ReceivedRequest,
  type Receiver,
  type ReceiverAnswer,
  type ReceiverOptions,
  type TestEvent,
  type WebhookEvent,
} from './receiver.ts'
export { type SeenDeliveries, seenInMemory, seenInStore } from './seen.ts'
