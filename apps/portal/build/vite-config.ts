import { join } from 'node:path'
import { webConfig } from '@sealpost/ui/build'
import type { InlineConfig } from 'vite'

/** For the build, the development server and the tests. It has no service worker: it is used with a network only. */
export function portalConfig(): InlineConfig {
  return webConfig({ root: join(import.meta.dirname, '..') })
}
