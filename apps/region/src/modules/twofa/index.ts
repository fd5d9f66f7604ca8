export { type ChallengeHint, endTwofa, forgetTwofa, type TwofaHooks } from './customer-side/index.ts'
export { openTwofa, type SharedState, type TwofaContext, twofaMigrations } from './module.ts'
export { deleteTwofaOfService, endEnrollment } from './service-side/index.ts'
