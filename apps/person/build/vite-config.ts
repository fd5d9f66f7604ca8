import { join } from 'node:path'
import { webConfig } from '@sealpost/ui/build'
import type { InlineConfig } from 'vite'

const ROOT = join(import.meta.dirname, '..')

/** For the build, the development server and the tests. */
export function personConfig(): InlineConfig {
  return webConfig({ root: ROOT, serviceWorker: join(ROOT, 'src/service-worker/main.ts') })
}
