import type { Platform } from '../../platform/module.ts'
import type { ServicesContext } from '../services/index.ts'
import type { ClientsDirectory } from './model.ts'

export interface ClientsContext extends Platform {
  readonly directory: ClientsDirectory
  readonly services: ServicesContext
}
