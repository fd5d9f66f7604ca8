import type { Platform } from '../../../platform/module.ts'
import type { ServicesContext } from '../../services/index.ts'

export interface ServiceSideContext extends Platform {
  readonly services: ServicesContext
}
