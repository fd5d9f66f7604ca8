import { openImages } from '@sealpost/images'
import type { Module, Platform } from '../../platform/module.ts'
import type { VaultContext, VaultHooks } from './context.ts'
import { sweepGarbage } from './garbage/index.ts'
import { tidyVault } from './operations/tidy.ts'
import { bindPhotoRoutes } from './photos/index.ts'
import { bindVaultRoutes } from './routes.ts'

const OBJECTS_AT_ONCE = 1000

export function openVault(platform: Platform, hooks: VaultHooks): VaultContext & Module {
  const vault: VaultContext = { ...platform, hooks, images: openImages() }
  return {
    ...vault,
    name: 'vault',
    routes(bind) {
      bindPhotoRoutes(bind, vault)
      bindVaultRoutes(bind, vault)
    },
    chores: [
      { what: 'values of fields', run: () => tidyVault(vault) },
      { what: 'objects that nothing refers to', run: () => sweepGarbage(vault, OBJECTS_AT_ONCE) },
    ],
  }
}
