import type { Platform } from '../../platform/module.ts'

export type PortalContext = Pick<Platform, 'database' | 'clock'>
