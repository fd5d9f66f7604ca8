export type { Account, AccountClient, AccountWish, Company, Person } from './account.ts'
export type { Customer, Decision, PublishedService, SealedDecision, Share } from './customer.ts'
export { type AuthoredFlow, type Finding, findingsOf, type FlowAuthor, flowAuthor } from './flow-author.ts'
export { addPlugin, describedPlugin, type MadePlugin, openForwarderBus } from './plugins.ts'
export { threePartyFlow, type ThreePartySlugs, threePartySlugs } from './three-party-flow.ts'
export { type HeldTransaction, holdTransaction, type StartedWork, untilBlocked } from './locks.ts'
export { actFor, addDelegate, beginRegistration, endRegistration, newPassword } from './logins.ts'
export type { PersonaCompany, Personas } from './personas.ts'
export type { Download, FeedEvent, RequestField, Service } from './service.ts'
export {
  unrestrictedClient,
  type ConnectedCustomer,
  openWorld,
  startWorld,
  type World,
  type WorldOptions,
} from './world.ts'
export type { MadeWebhook, Webhook } from './webhook.ts'
export { atWorkerEnd } from './worker-end.ts'
