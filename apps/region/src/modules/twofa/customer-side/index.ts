export type { ChallengeHint, CustomerContext, TwofaHooks } from './context.ts'
export { customerSideMigrations } from './migrations.ts'
export { endTwofa, forgetTwofa, tidyCards } from './operations/forget-twofa.ts'
export { bindCustomerRoutes } from './routes.ts'
