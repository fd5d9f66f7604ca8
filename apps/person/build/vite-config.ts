import { join } from 'node:path'
import { webConfig } from '@sealpost/ui/build'
import type { InlineConfig } from 'vite'
import { PDF_FILES, pdfFiles } from './pdf-files.ts'

const ROOT = join(import.meta.dirname, '..')

/** For the build, the development server and the tests. */
export function personConfig(): InlineConfig {
  const config = webConfig({
    root: ROOT,
    serviceWorker: join(ROOT, 'src/service-worker/main.ts'),
    // The reader of PDFs is larger than everything else together.
    isOnDemand: /^assets\/pdf/,
  })
  return {
    ...config,
    plugins: [...(config.plugins ?? []), pdfFiles()],
    define: { PDF_FILES: JSON.stringify(PDF_FILES) },
  }
}
