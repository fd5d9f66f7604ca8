import { hostileContentFiles, type HostileFile } from '@sealpost/pdf-format/testing'
import { costFiles } from './cost.ts'

export type { HostileFile }

export function hostileFiles(): readonly HostileFile[] {
  return [...hostileContentFiles(), ...costFiles()]
}
