export { servicesMigrations } from './migrations.ts'
export { createService, type NewService, type ServicesNeeds } from './operations.ts'
export { bindServiceRoutes } from './routes.ts'
export { findService, ownsServices, type ServiceRow } from './store.ts'
