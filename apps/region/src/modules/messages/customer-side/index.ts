export type { CustomerContext, CustomerHooks } from './context.ts'
export { customerSideMigrations } from './migrations.ts'
export { endThreads, forgetMessageBroadcasts, forgetMessages } from './operations/forget-messages.ts'
export { bindCustomerRoutes } from './routes.ts'
