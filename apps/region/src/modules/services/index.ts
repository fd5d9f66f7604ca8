export type { ContentsDeleted, ContentsStep, ServicesContext, ServicesHooks } from './context.ts'
export { servicesMigrations } from './migrations.ts'
export {
  type Audience,
  type FlowRow,
  type LogEntry,
  nameOfService,
  type RequestRow,
  type Service,
  type ServiceName,
} from './model.ts'
export { openServices } from './module.ts'
export { cardPhotoGone, cardValueChanged, companyRenamed, readCard } from './operations/card.ts'
export { type NewService, seedService } from './operations/create-service.ts'
export { endServicesOfAccount } from './operations/delete-service.ts'
export { logService, logServices } from './operations/logs.ts'
export { deleteEvidence } from './operations/delete-evidence.ts'
export { ownServiceOf, requireDeleted, requireReadable, requireService } from './operations/require-service.ts'
export { listRequestRows } from './store/request-rows.ts'
export {
  findService,
  findServiceByCode,
  listServiceIds,
  lockService,
  lockServiceForShare,
  ownsServices,
  pickServices,
} from './store/services.ts'
