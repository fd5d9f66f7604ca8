import type { Platform } from '../../../platform/module.ts'

export type CustomerContext = Platform
