export type { ServiceSideContext } from './context.ts'
export { serviceSideMigrations } from './migrations.ts'
export { deleteFlowsOfService } from './operations/delete-flows.ts'
export { bindServiceSideRoutes } from './routes/index.ts'
