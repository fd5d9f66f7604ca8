import { openImages } from '@sealpost/images'
import type { Module, Platform } from '../../platform/module.ts'
import { removeAll } from '../../platform/remove-all.ts'
import type { VaultContext, VaultHooks } from './context.ts'
import { hideSuperseded, sweepGarbage } from './garbage/index.ts'
import { recountStored } from './operations/stored-bytes.ts'
import { tidyVault } from './operations/tidy.ts'
import { bindPhotoRoutes } from './photos/index.ts'
import { bindVaultRoutes } from './routes.ts'

const OBJECTS_AT_ONCE = 200

export function openVault(platform: Platform, hooks: VaultHooks): VaultContext & Module {
  const vault: VaultContext = {
    ...platform,
    hooks,
    images: openImages({ onSandbox: (layers) => warnOfBareDecoder(platform, layers) }),
  }
  return {
    ...vault,
    name: 'vault',
    routes(bind) {
      bindPhotoRoutes(bind, vault)
      bindVaultRoutes(bind, vault)
    },
    chores: [
      { what: 'values of fields', run: () => tidyVault(vault) },
      { what: 'counters of stored bytes', run: () => recountStored(vault) },
      {
        what: 'objects that were replaced',
        run: () => removeAll(OBJECTS_AT_ONCE, (limit) => hideSuperseded(vault, limit)),
      },
      {
        what: 'objects that nothing refers to',
        run: () => removeAll(OBJECTS_AT_ONCE, (limit) => sweepGarbage(vault, limit)),
      },
    ],
  }
}

function warnOfBareDecoder({ log }: Platform, layers: readonly string[]): void {
  if (layers.length > 0) return
  log.warn(
    {},
    'the photo decoder can read the settings of this process: allow user namespaces (unshare of util-linux), or start as root',
  )
}
