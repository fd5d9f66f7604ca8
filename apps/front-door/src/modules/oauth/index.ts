export { API_RESOURCE, type ClientFacts, factsOfRow } from './model.ts'
export { type OAuth, openOAuth } from './module.ts'
export { checkClientSecret } from './operations/check-client-secret.ts'
