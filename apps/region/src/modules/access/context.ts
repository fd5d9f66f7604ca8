import type { Platform } from '../../platform/module.ts'
import type { ClientDirectory } from './model.ts'

export interface AccessContext extends Platform {
  readonly directory: ClientDirectory
}
