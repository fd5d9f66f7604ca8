import type { Module, Platform } from '../../platform/module.ts'
import { answerRegions } from './bus.ts'

export function openDirectory(platform: Platform): Module {
  return { name: 'directory', onBus: () => answerRegions(platform) }
}
