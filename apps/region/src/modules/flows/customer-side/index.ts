export type { CustomerContext } from './context.ts'
export { customerSideMigrations } from './migrations.ts'
export { bindCustomerRoutes } from './routes.ts'
