export { API_RESOURCE, type ClientFacts, type CommandClient, commandClient, commandOf, factsOfRow } from './model.ts'
export { type OAuth, openOAuth } from './module.ts'
export { checkClientSecret } from './operations/check-client-secret.ts'
