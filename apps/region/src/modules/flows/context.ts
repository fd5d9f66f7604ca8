import type { Pdf } from '@sealpost/pdf'
import type { Platform } from '../../platform/module.ts'
import type { ServicesContext } from '../services/index.ts'
import type { CheckDefinition } from './checks/check-definition.ts'

export interface FlowsContext extends Platform {
  readonly services: ServicesContext
  readonly reader: TemplateReader
  readonly check: CheckDefinition
}

/** Finds and fills the tags of PDF templates, each in a process of its own. */
export type TemplateReader = Pick<Pdf, 'scanTemplate' | 'fillTemplate'>
