export { answerCards } from './bus.ts'
export { type Card, cardPhotoGone, cardValueChanged, companyRenamed, readCard } from './card.ts'
export { deleteService, endServicesOfAccount } from './deletion.ts'
export { advanceServiceJobs, type JobNeeds, startServiceJobs } from './jobs.ts'
export { logService, logServices, type LogEntry, tidyLogs } from './logs.ts'
export { servicesMigrations } from './migrations.ts'
export type { ServiceHooks, ServiceJobSteps, ServicesNeeds } from './needs.ts'
export { nameOf as nameOfService, openService, type OpenNeeds } from './open.ts'
export { bindServiceRoutes } from './routes/index.ts'
export type { Audience, RequestRow, Service, ServiceKeys, ServiceName } from './service.ts'
export { createService, type NewService } from './services.ts'
export type { LogType } from './store/logs.ts'
export { listRequestRows } from './store/request-rows.ts'
export {
  findService,
  findServiceByCode,
  holdService,
  lockService,
  ownsServices,
  pickServices,
} from './store/services.ts'
