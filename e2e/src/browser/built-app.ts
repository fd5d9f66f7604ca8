import { keptOnce } from '@sealpost/testkit'

/** Built once for all runs with the same sources. */
export function builtApp(name: string, build: (folder: string) => Promise<void>): Promise<string> {
  return keptOnce(name, async (folder) => {
    // Vitest sets it, and with another value React and Vite build for development.
    process.env['NODE_ENV'] = 'production'
    await build(folder)
    process.env['NODE_ENV'] = 'test'
  })
}
