import type { Platform } from '../../platform/module.ts'

export type PluginsContext = Pick<Platform, 'database' | 'bus' | 'clock' | 'ids' | 'settings'>
