export { servicesMigrations } from './migrations.ts'
export { createService, type NewService, type ServicesNeeds } from './operations.ts'
export { bindServiceRoutes } from './routes.ts'
